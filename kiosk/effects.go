package kiosk

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"reelkiosk/devices/printer"
	"reelkiosk/kiosk/ticket"
	"reelkiosk/kiosk/visit"
	"reelkiosk/store/client"
	"reelkiosk/store/condition"
	"reelkiosk/store/kv"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// askLimit is how long the printer may take to say how it is.
const askLimit = 5 * time.Second

// farHeats is how many heats are looked through for a player who is identified: two days of one every twenty minutes.
const farHeats = 150

// carryOut does what the machine asks for, on goroutines of their own.
func (c *Conductor) carryOut(effect visit.Effect) {
	switch e := effect.(type) {
	case visit.Identify:
		c.work.Go(func() { c.identify(c.life, e) })
	case visit.Claim:
		c.send(wire.PathClaims, wire.Claim{Person: e.Person, Receipt: e.Receipt, Kiosk: c.Name}, e.Call)
	case visit.Register:
		if c.registerAlone(e) {
			return
		}
		c.send(wire.PathRegistrations, wire.Register{
			Person: e.Person, Heat: e.Heat, Kiosk: c.Name, Rules: e.Rules, Declared: true, By: e.By,
		}, e.Call)
	case visit.Reprint:
		c.send(wire.PathReprints, wire.Reprint{Person: e.Person, Seat: e.Seat, Kiosk: c.Name}, e.Call)
	case visit.TryNow:
		if c.courier != nil {
			c.work.Go(func() { c.courier.hurry(c.life) })
		}
	case visit.Notify:
		c.notify(wire.Notice{Kind: e.Kind, Screen: string(e.Screen), Person: e.Person})
	case visit.AskPrinter:
		c.work.Go(func() { c.askPrinter(e) })
	case visit.Print:
		floor := c.state.Floor
		c.prints.Go(func() { c.print(e, floor) })
	case visit.PrintRules:
		floor := c.state.Floor
		c.prints.Go(func() { c.printRules(e, floor) })
	case visit.GiveUp:
		c.work.Go(func() { c.conclude(e.Ticket, tournament.CopyLost, "the printer took nothing of it") })
	}
}

// send has a request brought to central. Its reply comes from the courier.
func (c *Conductor) send(path string, body any, call visit.Call) {
	c.work.Go(func() {
		if c.courier == nil || c.courier.send(c.life, path, body, call) != nil {
			c.happened(visit.Failed{Call: call})
		}
	})
}

// identify looks a player up. What was asked for on earlier visits is settled first: nothing is given to a player any of
// whose requests is still open.
func (c *Conductor) identify(ctx context.Context, e visit.Identify) {
	if c.courier == nil {
		c.happened(visit.Failed{Call: e.Call})
		return
	}
	person, err := wire.Person{}, c.courier.flush(ctx)
	if err == nil {
		person, err = c.Central.Identify(ctx, wire.Identify{Card: e.Card, Document: e.Document, Both: e.Both, Kiosk: c.Name})
	}
	refusal, refused := errors.AsType[*tournament.Refusal](err)
	switch {
	case refused && !refusal.Reason.Distrusts():
		c.Log.Info("not identified", "reason", screenReason(refusal.Reason))
		c.happened(visit.Refused{Call: e.Call, Reason: refusal.Reason, Until: refusal.Until})
	case errors.Is(err, client.ErrAway):
		if !c.identifyAlone(ctx, e) {
			c.happened(visit.Away{Call: e.Call})
		}
	case err != nil:
		c.Log.Error("central cannot identify anybody", "error", err)
		c.happened(visit.Failed{Call: e.Call})
	default:
		// Without the heats further away, those of the floor do.
		heats, _ := c.heats(ctx, farHeats)
		c.happened(visit.Identified{Call: e.Call, Person: person, Heats: heats})
	}
}

// screenReason is what a log may say of a refusal: those that share the host's screen share a word.
func screenReason(reason tournament.Reason) string {
	if reason.SeesHost() {
		return "see-host"
	}
	return string(reason)
}

func (c *Conductor) askPrinter(e visit.AskPrinter) {
	if c.Printer == nil {
		c.happened(visit.PrinterSaid{Call: e.Call, Printer: visit.PrinterUnplugged})
		return
	}
	ctx, cancel := context.WithTimeout(c.life, askLimit)
	defer cancel()
	c.happened(visit.PrinterSaid{Call: e.Call, Printer: printerWord(c.Printer.Status(ctx).State)})
}

// print prints a ticket and persists what became of it, before it says so. What the printer took nothing of stays owed.
func (c *Conductor) print(e visit.Print, floor visit.Floor) {
	if c.Printer == nil {
		c.happened(visit.PrintEnded{Call: e.Call, Outcome: visit.NotStarted, Printer: visit.PrinterUnplugged})
		return
	}
	document := seatTicket(e, floor, c.Name).Document(c.Say(e.Language))
	outcome := c.Printer.Print(c.presses, printer.JobID(e.Seat.Ticket), document)
	c.Log.Info("print", "seat", e.Seat.ID, "copy", e.Seat.Copy, "result", outcome.Result.String(),
		"reason", outcome.Reason.String(), "printer", outcome.Status.State.String(), "error", outcome.Err)
	reply := visit.PrintEnded{Call: e.Call, Printer: printerWord(outcome.Status.State)}
	switch {
	case outcome.Result == printer.Printed:
		reply.Outcome = visit.Printed
		c.conclude(e.Seat.Ticket, tournament.CopyPrinted, "")
	case outcome.Result == printer.Unconfirmed:
		reply.Outcome = visit.Unconfirmed
		c.conclude(e.Seat.Ticket, tournament.CopyUnconfirmed, fmt.Sprintf("%v, printer %v", outcome.Reason, outcome.Status.State))
	case outcome.Status.CanPrint():
		// The printer is well and nothing was sent: to try again would come to the same.
		c.conclude(e.Seat.Ticket, tournament.CopyLost, "the ticket cannot be printed")
		c.happened(visit.Failed{Call: e.Call})
		return
	default:
		reply.Outcome = visit.NotStarted
		if c.life.Err() != nil || !c.now.Load().Awaits(e.Call) {
			c.conclude(e.Seat.Ticket, tournament.CopyLost, "the printer took nothing of it")
		}
	}
	c.happened(reply)
}

func (c *Conductor) printRules(e visit.PrintRules, floor visit.Floor) {
	said := visit.PrinterUnplugged
	if c.Printer != nil {
		now, _ := c.Clock.Now()
		document := ticket.Rules{
			Property: floor.Property, Tournament: floor.Name, Version: rulesVersion(floor.RulesVersion, floor.RulesHash),
			Text: floor.RulesBody, Kiosk: c.Name, Issued: now,
		}.Document(c.Say(e.Language))
		outcome := c.Printer.Print(c.presses, "rules", document)
		if said = printerWord(outcome.Status.State); outcome.Result == printer.Unconfirmed && said == visit.PrinterOK {
			said = visit.PrinterSilent
		}
	}
	c.happened(visit.PrinterSaid{Call: e.Call, Printer: said})
}

// conclude persists what became of a copy and has it reported.
func (c *Conductor) conclude(number string, state tournament.CopyState, reason string) {
	if c.courier == nil {
		return
	}
	_ = c.courier.conclude(c.life, wire.PrintOutcome{Ticket: number, State: state, Reason: reason, Kiosk: c.Name}) // it said so already
}

// leftBehind settles a seat whose player left between the answer and its delivery.
func (c *Conductor) leftBehind(seat wire.Seat) {
	c.Log.Warn("a seat was confirmed after its player had left", "seat", seat.ID, "heat", seat.Heat)
	c.work.Go(func() { c.conclude(seat.Ticket, tournament.CopyLost, "nobody was there any more") })
}

// replicaBroken takes the kiosk out of service: without its own file it could promise nothing. A disk without room is waited
// for, and nothing else mends by itself.
func (c *Conductor) replicaBroken(err error) {
	why := condition.ReplicaLost
	if errors.Is(err, kv.ErrFull) {
		why = condition.DiskFull
		c.courier.watchRoom()
	}
	c.post(func() { c.note(why, true, err.Error()) })
}

// replicaWell takes back that the disk is full.
func (c *Conductor) replicaWell() {
	c.post(func() { c.note(condition.DiskFull, false, "") })
}

// seatTicket is what stands on a ticket.
func seatTicket(e visit.Print, floor visit.Floor, kiosk string) ticket.Seat {
	zone := e.Seat.Start.Location()
	return ticket.Seat{
		Property: floor.Property, Tournament: floor.Name,
		Heat: e.Seat.Number, Start: e.Seat.Start, Place: e.Seat.Place, Machine: e.Seat.Machine,
		Number: e.Seat.Ticket, Copy: e.Seat.Copy,
		Player: e.Player.MaskedName, Card: e.Player.MaskedCard,
		FinalStage: e.Seat.EntryCount == 0, EntryEnds: e.Seat.EntryEnds.In(zone),
		RulesVersion: rulesVersion(floor.RulesVersion, e.Seat.Rules),
		Kiosk:        kiosk, Issued: e.Seat.Issued.In(zone),
	}
}

// rulesVersion names a text of the rules for people: the version, and the first eight digits of its hash.
func rulesVersion(version int, hash string) string {
	if len(hash) < 8 {
		return fmt.Sprint(version)
	}
	hash = strings.ToUpper(hash)
	return fmt.Sprintf("%d, %s %s", version, hash[:4], hash[4:8])
}
