package visit

import (
	"slices"
	"time"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// take starts to take seats, one after the other: the printer is asked, the seat is taken, its ticket is printed, and
// only then comes the next (design decision 5).
func (t *turn) take(heats []Heat) {
	if t.memory.accepted == "" || t.memory.accepted != t.Floor.RulesHash || !t.memory.declared {
		t.proceed() // another text came into force while she chose
		return
	}
	tickets := slices.DeleteFunc(slices.Clone(t.Tickets), func(ticket Ticket) bool {
		return ticket.State == TicketNotTaken
	})
	t.memory.at, t.memory.from = len(tickets), len(tickets)
	for _, heat := range heats {
		tickets = append(tickets, Ticket{Heat: heat, State: TicketWaiting})
	}
	t.Tickets = tickets
	t.memory.stopping = false
	t.askPrinter()
}

// askPrinter asks the printer before the seat of the present ticket is taken.
func (t *turn) askPrinter() {
	t.setTicket(func(ticket *Ticket) { ticket.State = TicketWaiting })
	if t.Screen != ScreenPrinting {
		t.show(ScreenOneMoment)
	}
	t.do(AskPrinter{Call: t.expect(waitPrinter)})
}

// printerSaid takes the printer's answer to whichever question was asked.
func (t *turn) printerSaid(printer Printer) {
	asked := t.memory.waiting
	t.settle()
	t.Paper = printer
	ready := printer.ready()
	switch asked {
	case waitPrinter:
		if !ready {
			t.trouble(TroublePrinter, time.Time{})
			return
		}
		t.setTicket(func(ticket *Ticket) { ticket.State = TicketBooking })
		t.do(Register{
			Call: t.expect(waitRegister), Person: t.memory.person, Heat: t.Tickets[t.memory.at].Heat.ID,
			Rules: t.memory.accepted, By: t.memory.by,
		})
	case waitAgain:
		if !ready {
			t.trouble(TroublePrinter, time.Time{}) // from there she may try again
			return
		}
		t.do(Reprint{Call: t.expect(waitReprint), Person: t.memory.person, Seat: t.memory.seat.ID})
	}
}

// issued takes a seat, or another copy of one, and prints it, whatever the player touched meanwhile: it is hers.
func (t *turn) issued(seat wire.Seat) {
	reprint := t.memory.waiting == waitReprint
	t.settle()
	t.memory.seat, t.memory.lacking = seat, 0
	if !reprint {
		t.seat(seat)
	}
	t.print()
}

// print prints the ticket of the present seat.
func (t *turn) print() {
	seat := t.memory.seat
	t.setTicket(func(ticket *Ticket) {
		heat := ticket.Heat
		*ticket = ticketOf(seat, TicketPrinting)
		if heat.ID == seat.Heat {
			ticket.Heat = heat
		}
	})
	t.show(ScreenPrinting)
	t.do(Print{
		Call: t.expect(waitPrint), Seat: seat, Player: t.Player, Kind: t.memory.kinds[seat.Entry],
		Language: t.Look.Language,
	})
}

// printEnded takes what became of the print.
func (t *turn) printEnded(outcome Outcome, printer Printer) {
	t.settle()
	t.Paper = printer
	switch outcome {
	case Printed:
		t.setTicket(func(ticket *Ticket) { ticket.State = TicketPrinted })
		t.next()
	case NotStarted:
		// The seat is taken and nothing was sent: the ticket waits for paper, while its player does.
		if t.memory.stopping {
			t.giveUp()
			return
		}
		t.memory.waiting, t.memory.waited = waitPaper, 0
	default:
		t.unconfirmed()
	}
}

// next goes on with the next ticket that is still to come, or ends the printing.
func (t *turn) next() {
	if at := t.memory.at + 1; at < len(t.Tickets) && t.Tickets[at].State == TicketWaiting {
		t.memory.at = at
		t.askPrinter()
		return
	}
	t.finish()
}

// finish shows what was taken, or ends a visit in which nothing was.
func (t *turn) finish() {
	t.settle()
	printed := t.printed(0)
	switch {
	case printed && len(t.memory.earlier) > 0 && t.memory.returning && !t.memory.stopping:
		t.arrive()
	case printed:
		t.ReprintLeft = false
		t.show(ScreenDone)
	default:
		t.end()
	}
}

// printed reports whether a ticket was printed, from the given one on.
func (t *turn) printed(from int) bool {
	return slices.ContainsFunc(t.Tickets[from:], func(ticket Ticket) bool { return ticket.State == TicketPrinted })
}

// unconfirmed shows that a print got no answer. It stops the rest; what was printed before stays printed.
func (t *turn) unconfirmed() {
	t.stopPlan()
	t.memory.stopping = false
	t.setTicket(func(ticket *Ticket) { ticket.State = TicketUnconfirmed })
	t.ReprintLeft = t.memory.seat.Copy == 1
	t.show(ScreenUnconfirmed)
}

// giveUp ends the wait for a printer that took no byte: the seat stays, its copy will not be printed.
func (t *turn) giveUp() {
	t.do(GiveUp{Visit: t.Visit, Ticket: t.memory.seat.Ticket})
	t.settle()
	t.unconfirmed()
	t.ReprintLeft = true // nothing came out: this is not the reprint that a player has once
}

// onUnconfirmed takes the player's own reprint, or goes on without it.
func (t *turn) onUnconfirmed(button Button) {
	switch button {
	case ButtonAgain:
		if t.ReprintLeft && !t.Busy() {
			t.askAgain()
		}
	case ButtonDone, ButtonContinue:
		t.leaveUnconfirmed()
	}
}

// askAgain asks the printer before the player's own reprint.
func (t *turn) askAgain() {
	t.show(ScreenOneMoment)
	t.do(AskPrinter{Call: t.expect(waitAgain)})
}

// reprintable reports whether the present ticket is one that the player may print once more.
func (t *turn) reprintable() bool {
	return t.ReprintLeft && t.memory.at < len(t.Tickets) && t.Tickets[t.memory.at].State == TicketUnconfirmed
}

// leaveUnconfirmed goes on after a ticket that stays unconfirmed. One of an earlier visit does not keep its player from
// playing: the paper may have come out after all.
func (t *turn) leaveUnconfirmed() {
	switch {
	case t.memory.returning && len(t.memory.earlier) > 0:
		t.arrive()
	case t.memory.returning && len(t.memory.entries) > 0:
		t.Tickets, t.ReprintLeft = nil, false
		t.proceed()
	default:
		t.end()
	}
}

// confirmed takes the printer's late word: what looked lost was printed. Nothing is sent again by itself.
func (t *turn) confirmed(number string) {
	shown := t.Screen == ScreenUnconfirmed || t.memory.waiting == waitAgain || t.Trouble == TroublePrinter && t.reprintable()
	if number == "" || t.memory.seat.Ticket != number || !shown {
		return
	}
	t.settle()
	t.setTicket(func(ticket *Ticket) { ticket.State = TicketPrinted })
	t.finish()
}

// stopPlan drops the tickets after the present one.
func (t *turn) stopPlan() {
	t.memory.stopping = true
	tickets := slices.Clone(t.Tickets)
	for i := range tickets {
		if i > t.memory.at || i == t.memory.at && tickets[i].State == TicketWaiting {
			tickets[i].State = TicketNotTaken
		}
	}
	t.Tickets = tickets
}

// unfinished reports whether the present ticket is one that could still be taken.
func (t *turn) unfinished() bool {
	return t.memory.at < len(t.Tickets) && t.Tickets[t.memory.at].State == TicketWaiting
}

// notIssued takes the refusal of a seat. A heat that filled up costs only its own ticket.
func (t *turn) notIssued(reason tournament.Reason, until time.Time) {
	if t.memory.waiting == waitReprint {
		t.notReprinted(reason)
		return
	}
	t.settle()
	heat := t.Tickets[t.memory.at].Heat
	t.setTicket(func(ticket *Ticket) { ticket.State = TicketNotTaken })
	t.memory.chosen = ""
	switch reason {
	case tournament.AlreadySeated:
		t.holdsSeat(heat.ID)
		t.skip(TroubleNone)
	case tournament.HeatFull, tournament.NoFreeSeat:
		t.fill(heat.ID)
		t.skip(TroubleHeatFull)
	case tournament.BlockUsed:
		t.fill(heat.ID)
		t.skip(TroubleBlockUsed)
	case tournament.HomeSilent, tournament.NotHome, tournament.LetGo, tournament.Unsettled:
		t.stopped(TroubleElsewhere, time.Time{})
	case tournament.ExclusionsStale, tournament.NoGrant:
		t.stopped(TroubleCentral, time.Time{})
	case tournament.Closed, tournament.NotOpen, tournament.HeatHeld, tournament.HeatGone, tournament.UnknownHeat, tournament.BoughtTooLate:
		t.fill(heat.ID)
		t.skip(TroubleClosed)
	case tournament.NoEntries:
		t.setEntries(nil)
		t.stopped(TroubleNoEntries, until)
	case tournament.WindowOver:
		t.stopped(TroubleWindowOver, until)
	case tournament.NotAccepted, tournament.NotDeclared:
		t.memory.accepted, t.memory.declared = "", false
		t.stopPlan()
		t.show(ScreenRules)
	case tournament.ClockSuspect, tournament.KeyReused, tournament.KeySettled:
		t.stopped(TroubleOutOfService, time.Time{})
	default:
		t.seeHost()
	}
}

// skip goes on after a heat that could not be had: with the next one of several, else with why.
func (t *turn) skip(why Trouble) {
	switch {
	case t.memory.stopping, t.memory.at+1 < len(t.Tickets), t.printed(t.memory.from):
		t.next()
	case why == TroubleNone:
		t.proceed()
	default:
		t.trouble(why, time.Time{})
	}
}

// stopped ends the plan: nothing more can be had. What was printed before matters more than why.
func (t *turn) stopped(why Trouble, until time.Time) {
	t.stopPlan()
	if t.printed(t.memory.from) {
		t.finish()
		return
	}
	t.trouble(why, until)
}

// fill notes that a heat has nothing to offer, before central's next list says so.
func (t *turn) fill(id tournament.HeatID) {
	heats := slices.Clone(t.memory.heats)
	for i := range heats {
		if heats[i].ID == id {
			heats[i].Free = 0
		}
	}
	t.memory.heats = heats
	t.refresh()
}

// notReprinted takes the refusal of a reprint: the ticket stays unconfirmed, a host decides.
func (t *turn) notReprinted(reason tournament.Reason) {
	t.settle()
	if reason.SeesHost() {
		t.seeHost()
		return
	}
	t.ReprintLeft = false
	t.show(ScreenUnconfirmed)
}

// setTicket changes the ticket being dealt with, in a copy of the list.
func (t *turn) setTicket(change func(*Ticket)) {
	if t.memory.at < len(t.Tickets) {
		t.Tickets = slices.Clone(t.Tickets)
		change(&t.Tickets[t.memory.at])
	}
}

// ticketOf returns the ticket of a seat, with what is known of its heat.
func ticketOf(seat wire.Seat, state TicketState) Ticket {
	return Ticket{
		Heat:  Heat{ID: seat.Heat, Number: seat.Number, Start: seat.Start, Place: seat.Place},
		State: state, Machine: seat.Machine, Place: seat.Place, Number: seat.Ticket, Copy: seat.Copy,
	}
}
