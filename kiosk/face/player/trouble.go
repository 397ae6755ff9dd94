package player

import (
	"fmt"
	"slices"

	"reelkiosk/kiosk/face"
	"reelkiosk/kiosk/visit"
	"reelkiosk/store/tournament"
)

// troubleSigns are the drawings of the troubles: never a cross, never a warning.
var troubleSigns = map[visit.Trouble]string{
	visit.TroubleNoEntries: "sign-ticket", visit.TroubleWindowOver: "sign-clock", visit.TroubleHeatsFull: "sign-full",
	visit.TroubleHeatFull: "sign-full", visit.TroubleNoHeats: "sign-clock", visit.TroubleAllSeated: "sign-seat",
	visit.TroubleClosed: "sign-clock", visit.TroubleDocumentExpired: "sign-document", visit.TroubleUnknownCard: "sign-card",
	visit.TroubleReader: "sign-card", visit.TroublePrinter: "sign-printer", visit.TroubleCentral: "sign-link",
	visit.TroubleBlockUsed: "sign-full", visit.TroubleElsewhere: "sign-link",
	visit.TroubleReceipt: "sign-receipt", visit.TroubleNotAccepted: "sign-rules", visit.TroubleOutOfService: "sign-kiosk",
}

// trouble draws why a visit cannot go on: one sentence why, one what to do, where to go, and what then. A trouble that it
// does not know is a host's matter.
func (s *screen) trouble(why visit.Trouble) {
	phrase := "trouble." + string(why)
	if troubleSigns[why] == "" {
		s.seeHost()
		return
	}
	n := notice{sign: troubleSigns[why], title: s.said.Say(phrase), text: s.said.Say(phrase + ".do"), place: &s.house.Desk}
	switch why {
	case visit.TroubleNoEntries:
		n.place, n.then = &s.house.CashDesk, s.said.Say(phrase+".then")
		n.text = s.said.Say(phrase + ".free")
		if s.Floor.SeatPrice.Cents > 0 {
			n.text = s.said.Say(phrase+".do", face.Fields{"Price": price(s.Floor.SeatPrice)})
		}
	case visit.TroubleWindowOver:
		n.title, n.text = s.windowOver(phrase)
	case visit.TroublePrinter:
		if s.reprintWaits() {
			n.text = s.said.Say(phrase + ".seat")
		}
	case visit.TroubleHeatFull, visit.TroubleBlockUsed, visit.TroubleClosed, visit.TroubleNotAccepted:
		n.place = nil
	case visit.TroubleElsewhere:
		if s.Elsewhere != "" {
			n.text = s.said.Say(phrase+".kiosk", face.Fields{"Kiosk": face.Printable(s.Elsewhere)})
		}
	}
	if kept := s.keptTicket(); kept != "" {
		n.then = kept
	} else if why == visit.TroubleCentral && s.Player.ID != "" {
		n.then = s.said.Say("trouble.settling")
	}
	s.notice(n)
	s.troubleActions(why)
}

// windowOver tells entries whose time has ended from those that end before any heat is open.
func (s *screen) windowOver(phrase string) (title, text string) {
	if s.TroubleUntil.After(s.Now) {
		return s.said.Say("trouble.window-short"), s.said.Say("trouble.window-short.do",
			face.Fields{"Moment": s.said.Moment(s.TroubleUntil, s.Now)})
	}
	return s.said.Count(phrase, max(s.Expired, 1)), s.said.Say(phrase + ".do")
}

// keptTicket says that a ticket printed earlier in the visit is good, whatever went wrong after it.
func (s *screen) keptTicket() string {
	for _, ticket := range s.Tickets {
		if ticket.State == visit.TicketPrinted {
			return s.said.Say("trouble.keep", face.Fields{"Heat": ticket.Heat.Number})
		}
	}
	return ""
}

// troubleActions draws the buttons: the gold one is what most likely helps.
func (s *screen) troubleActions(why visit.Trouble) {
	done, host := s.press("done", visit.ButtonDone), s.callHost()
	gold := "trouble." + string(why) + ".gold"
	switch {
	case s.Visit == 0:
		s.actions(host) // out of order on the attract screen: there is no visit to end
		return
	case why == visit.TroubleUnknownCard:
		s.actions(s.bandOf(visit.Readers{Document: true}), host)
	case why == visit.TroubleDocumentExpired, why == visit.TroubleReader, why == visit.TroubleReceipt, why == visit.TroubleOutOfService:
		s.actions(host, done)
	case why == visit.TroublePrinter && (s.waitingTicket() || s.reprintWaits()):
		s.actions(s.press("trouble.again", visit.ButtonAgain), host)
	case why == visit.TroublePrinter:
		s.actions(host, done)
	case why == visit.TroubleHeatFull, why == visit.TroubleBlockUsed, why == visit.TroubleClosed, why == visit.TroubleNotAccepted:
		s.actions(s.press(gold, visit.ButtonAgain), done)
	case why == visit.TroubleCentral:
		s.actions(s.press(gold, visit.ButtonAgain), host)
	default:
		s.actions(done, host)
	}
}

// reprintWaits reports whether a ticket is to be printed once more when the printer is ready: its seat is the player's.
func (s *screen) reprintWaits() bool {
	return s.ReprintLeft && slices.ContainsFunc(s.Tickets, func(t visit.Ticket) bool { return t.State == visit.TicketUnconfirmed })
}

// waitingTicket reports whether a seat is still to be taken once the printer is ready.
func (s *screen) waitingTicket() bool {
	for _, ticket := range s.Tickets {
		if ticket.State == visit.TicketWaiting {
			return true
		}
	}
	return false
}

// price is an amount as players read it: R50, R52.50, EUR 5.
func price(amount tournament.Money) string {
	currency := amount.Currency + " "
	if amount.Currency == "ZAR" {
		currency = "R"
	}
	if amount.Cents%100 == 0 {
		return fmt.Sprintf("%s%d", currency, amount.Cents/100)
	}
	return fmt.Sprintf("%s%d.%02d", currency, amount.Cents/100, amount.Cents%100)
}
