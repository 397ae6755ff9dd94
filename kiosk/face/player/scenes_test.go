package player

import (
	"time"

	"reelkiosk/kiosk/visit"
	"reelkiosk/store/tournament"
)

// now is the moment of the scenes: Monday 30 November 2026, 19:18, as in the pictures they were drawn after.
var now = time.Date(2026, time.November, 30, 19, 18, 20, 0, time.FixedZone("SAST", 2*60*60))

func at(day, hour, minute int) time.Time {
	return time.Date(2026, time.November, 30+day, hour, minute, 0, 0, now.Location())
}

func heat(number, free int) visit.Heat {
	start := at(0, 19, 40).Add(time.Duration(number-14) * 20 * time.Minute)
	return visit.Heat{ID: tournament.HeatID("qualifying-" + start.Format("2006-01-02-1504")), Number: number, Start: start,
		Opens: start.Add(-24 * time.Hour), Closes: start.Add(-5 * time.Minute), Free: free, Size: 50,
		Place: "Main floor, row C", Lowest: 1, Highest: 50}
}

// floor is the tournament of the scenes.
func floor() visit.Floor {
	return visit.Floor{Property: "The Ridge Casino", Name: "Reel Tournament", MinAge: 18,
		SeatPrice: tournament.Money{Cents: 5000, Currency: "ZAR"}, RulesVersion: 1, RulesHash: "1", RulesBody: rulesBody,
		Heats: []visit.Heat{heat(14, 17), heat(15, 41), heat(16, 50), heat(17, 50)}}
}

// rulesBody is of the length of published rules.
var rulesBody = func() (body string) {
	for _, clause := range []string{"1. ", "2. ", "3. ", "4. ", "5. ", "6. ", "7. ", "8. ", "9. ", "10. ", "11. ", "12. "} {
		body += clause + "Nobody below the age of eighteen may take part.  An entry is one seat in one heat, and is bought at the " +
			"Cash Desk before registration closes. Whoever is not present when the heat begins gives up the seat, and no " +
			"refund is made. Tournament credits are points, which have no value in money and are never exchanged.\n\n"
	}
	return body
}()

// scene is one screen as it may be met, by name.
type scene struct {
	name  string
	state visit.State
}

// blank is the attract screen; visiting is somebody's visit, with three entries.
func blank() visit.State {
	return visit.State{Screen: visit.ScreenAttract, Look: visit.Look{Language: "en"}, Now: now, Floor: floor(),
		Ready: visit.Readers{Card: true, Document: true}}
}

func visiting(screen visit.Screen) visit.State {
	state := blank()
	state.Visit, state.Screen = 7, screen
	state.Player = visit.Player{ID: "p", FirstName: "Thandi", MaskedName: "T*** M***"}
	state.Entries = []visit.Entry{{ID: "a", Kind: tournament.CashBuyIn, Ends: at(1, 14, 5)},
		{ID: "b", Kind: tournament.CardBuyIn, Ends: at(1, 14, 5)}, {ID: "c", Kind: tournament.Complimentary, Ends: at(2, 10, 20)}}
	state.Offer, state.Together = floor().Heats, 3
	return state
}

func ticket(number, machine int, state visit.TicketState) visit.Ticket {
	return visit.Ticket{Heat: heat(number, 10), State: state, Machine: machine, Place: "Main floor, row C",
		Number: "ABCD-EFGH-JKLM-NPQR-S", Copy: 1}
}

func with(state visit.State, change func(*visit.State)) visit.State {
	change(&state)
	return state
}

// scenes are all screens, overlays, troubles and hints, and each of them with as much on it as there can be.
func scenes() (all []scene) {
	add := func(name string, state visit.State, changes ...func(*visit.State)) {
		for _, change := range changes {
			change(&state)
		}
		all = append(all, scene{name, state})
	}
	addAttract(add)
	addVisit(add)
	addTickets(add)
	for _, trouble := range visit.Troubles {
		add("trouble-"+string(trouble), visiting(visit.ScreenTrouble), func(s *visit.State) {
			s.Trouble, s.Expired, s.Left = trouble, 2, 30
		})
	}
	add("trouble-elsewhere-kiosk", visiting(visit.ScreenTrouble), func(s *visit.State) {
		s.Trouble, s.Elsewhere, s.Left = visit.TroubleElsewhere, "kiosk-at-the-entrance-of-the-flo", 30 // as long as a name may be
	})
	add("trouble-window-short", visiting(visit.ScreenTrouble), func(s *visit.State) {
		s.Trouble, s.TroubleUntil = visit.TroubleWindowOver, at(9, 14, 5)
	})
	add("trouble-window-one", visiting(visit.ScreenTrouble), func(s *visit.State) { s.Trouble, s.Expired = visit.TroubleWindowOver, 1 })
	add("trouble-no-entries-free", visiting(visit.ScreenTrouble), func(s *visit.State) {
		s.Trouble, s.Floor.SeatPrice = visit.TroubleNoEntries, tournament.Money{}
	})
	add("trouble-printer-waiting", visiting(visit.ScreenTrouble), func(s *visit.State) {
		s.Trouble, s.Tickets = visit.TroublePrinter, []visit.Ticket{ticket(14, 23, visit.TicketPrinted), ticket(15, 0, visit.TicketWaiting)}
	})
	add("trouble-printer-reprint", visiting(visit.ScreenTrouble), func(s *visit.State) {
		s.Trouble, s.ReprintLeft, s.Tickets = visit.TroublePrinter, true, []visit.Ticket{ticket(14, 23, visit.TicketUnconfirmed)}
	})
	add("trouble-new-kind", visiting(visit.ScreenTrouble), func(s *visit.State) { s.Trouble = "something-new" })
	addOver(add)
	for _, hint := range hints {
		add("hint-"+string(hint), blank(), func(s *visit.State) { s.Hint = hint })
		add("hint-visit-"+string(hint), visiting(visit.ScreenOffer), func(s *visit.State) { s.Hint = hint })
	}
	return all
}

type adder func(name string, state visit.State, changes ...func(*visit.State))

func addAttract(add adder) {
	add("attract", blank())
	add("attract-full", blank(), func(s *visit.State) { s.Floor.Heats[0].Free, s.Floor.Heats[1].Free = 0, 0 })
	add("attract-one-seat", blank(), func(s *visit.State) { s.Floor.Heats[0].Free, s.Floor.Heats[1].Free = 1, 1 })
	add("attract-hundreds", blank(), func(s *visit.State) {
		for i := range s.Floor.Heats {
			s.Floor.Heats[i].Free, s.Floor.Heats[i].Size, s.Floor.Heats[i].Number = 100, 100, 172+i
		}
	})
	add("attract-hours", blank(), func(s *visit.State) { s.Now = at(0, 7, 2) })
	add("attract-last-minute", blank(), func(s *visit.State) { s.Now = at(0, 19, 34).Add(20 * time.Second) })
	add("attract-tomorrow", blank(), func(s *visit.State) { s.Now = at(-2, 23, 59) })
	add("attract-closed", blank(), func(s *visit.State) { s.Now = at(0, 19, 36) })
	add("attract-no-heats", blank(), func(s *visit.State) { s.Floor.Heats = nil })
	add("attract-nothing-known", blank(), func(s *visit.State) { s.Floor, s.Now = visit.Floor{}, time.Time{} })
	add("attract-card-only", blank(), func(s *visit.State) { s.Ready.Document = false })
	add("attract-id-only", blank(), func(s *visit.State) { s.Ready.Card = false })
	add("attract-no-readers", blank(), func(s *visit.State) { s.Ready = visit.Readers{} })
	add("attract-out-of-order", blank(), func(s *visit.State) { s.OutOfOrder = visit.TroubleOutOfService })
	add("attract-no-printer", blank(), func(s *visit.State) { s.OutOfOrder = visit.TroublePrinter })
	add("attract-central-away", blank(), func(s *visit.State) { s.OutOfOrder = visit.TroubleCentral })
	add("attract-long-names", blank(), func(s *visit.State) {
		s.Floor.Property = "The Ridge Casino and Entertainment Resort of Emalahleni and Surroundings"
		s.Floor.Name = "The Great Summer Slots Reel Tournament of the Ridge Casino"
	})
}

func addVisit(add adder) {
	add("one-moment", visiting(visit.ScreenOneMoment), func(s *visit.State) { s.Player = visit.Player{} })
	add("one-moment-printer", visiting(visit.ScreenOneMoment), func(s *visit.State) { s.Tickets = []visit.Ticket{ticket(14, 0, visit.TicketWaiting)} })
	add("one-moment-seat", visiting(visit.ScreenOneMoment), func(s *visit.State) { s.Tickets = []visit.Ticket{ticket(14, 0, visit.TicketBooking)} })
	add("one-moment-any", visiting(visit.ScreenOneMoment))
	add("ask-id-document", visiting(visit.ScreenAskID), func(s *visit.State) { s.Asked = visit.AskedDocument })
	add("ask-id-card", visiting(visit.ScreenAskID), func(s *visit.State) { s.Asked = visit.AskedCard })
	add("greeting", visiting(visit.ScreenGreeting))
	add("greeting-one", visiting(visit.ScreenGreeting), func(s *visit.State) { s.Entries = s.Entries[:1] })
	add("greeting-no-paper", visiting(visit.ScreenGreeting), func(s *visit.State) { s.OutOfOrder = visit.TroublePrinter })
	add("greeting-many", visiting(visit.ScreenGreeting), func(s *visit.State) {
		s.Entries = append(append(append(s.Entries, s.Entries...), s.Entries...), s.Entries...)
	})
	for name, first := range map[string]string{"long": "Nkosinathi-Sibusisiwe", "two": "Bartholomeus Janse van Rensburg",
		"endless": "Pneumonoultramicroscopicsilicovolcanoconiosis", "unknown": "Δημήτρης", "none": ""} {
		add("greeting-name-"+name, visiting(visit.ScreenGreeting), func(s *visit.State) { s.Player.FirstName = first })
	}
	add("rules", visiting(visit.ScreenRules))
	add("declaration", visiting(visit.ScreenDeclaration))
	add("offer", visiting(visit.ScreenOffer))
	add("offer-one", visiting(visit.ScreenOffer), func(s *visit.State) { s.Entries, s.Together = s.Entries[:1], 0 })
	add("offer-last", visiting(visit.ScreenOffer), func(s *visit.State) { s.Offer, s.Together = s.Offer[:1], 0 })
	add("offer-hundreds", visiting(visit.ScreenOffer), func(s *visit.State) {
		s.Offer[0].Free, s.Offer[0].Size, s.Offer[0].Highest, s.Offer[0].Lowest = 100, 100, 4100, 4001
		s.Offer[0].Place, s.Offer[0].EntryIndex = "Upper gallery beside the Ridge Bar, rows C to F", 2
		s.Now = at(0, 15, 2)
	})
	add("offer-tomorrow", visiting(visit.ScreenOffer), func(s *visit.State) { s.Now = at(-1, 22, 2) })
	add("offer-now", visiting(visit.ScreenOffer), func(s *visit.State) { s.Now = at(0, 19, 41) })
	add("heats", visiting(visit.ScreenHeats))
	add("heats-many", visiting(visit.ScreenHeats), func(s *visit.State) {
		for i := range 60 {
			s.Offer = append(s.Offer, heat(18+i, 50))
		}
	})
	add("see-host", blank(), func(s *visit.State) { s.Screen, s.Visit, s.Left = visit.ScreenSeeHost, 7, 20 })
}

func addTickets(add adder) {
	tickets := func(tickets ...visit.Ticket) func(*visit.State) {
		return func(s *visit.State) { s.Tickets = tickets }
	}
	first, second, third := ticket(14, 23, visit.TicketPrinting), ticket(15, 10, visit.TicketWaiting), ticket(16, 1, visit.TicketWaiting)
	printed := ticket(14, 23, visit.TicketPrinted)
	add("printing", visiting(visit.ScreenPrinting), tickets(first, second, third))
	add("printing-one", visiting(visit.ScreenPrinting), tickets(first))
	add("printing-booking", visiting(visit.ScreenPrinting), tickets(printed, ticket(15, 10, visit.TicketBooking), third))
	add("printing-second", visiting(visit.ScreenPrinting), tickets(printed, ticket(15, 4012, visit.TicketPrinting), third))
	add("printing-six", visiting(visit.ScreenPrinting), tickets(printed, printed, ticket(114, 123, visit.TicketPrinting), second, third, third))
	add("printing-not-taken", visiting(visit.ScreenPrinting), tickets(printed, ticket(15, 0, visit.TicketNotTaken), ticket(16, 1, visit.TicketPrinting)))
	for _, paper := range papers {
		add("printing-"+string(paper), visiting(visit.ScreenPrinting), tickets(first, second, third), func(s *visit.State) { s.Paper = paper })
	}
	done := func(s *visit.State) { s.Left, s.Offer = 8, nil }
	add("done-entries-left", visiting(visit.ScreenDone), tickets(printed, ticket(15, 10, visit.TicketPrinted)), func(s *visit.State) { s.Left = 8 })
	add("done", visiting(visit.ScreenDone), tickets(printed, ticket(15, 10, visit.TicketPrinted), ticket(16, 1, visit.TicketPrinted)), done)
	add("done-one", visiting(visit.ScreenDone), tickets(printed), done)
	add("done-three-digits", visiting(visit.ScreenDone), tickets(ticket(14, 308, visit.TicketPrinted)), done)
	add("done-four-digits", visiting(visit.ScreenDone), tickets(ticket(114, 4068, visit.TicketPrinted)), done)
	add("done-six", visiting(visit.ScreenDone), tickets(printed, printed, ticket(15, 4010, visit.TicketPrinted), ticket(16, 0, visit.TicketNotTaken),
		ticket(17, 2, visit.TicketUnconfirmed), printed), done)
	add("done-tomorrow", visiting(visit.ScreenDone), tickets(printed), done, func(s *visit.State) { s.Now = at(-1, 22, 2) })
	lost := ticket(14, 23, visit.TicketUnconfirmed)
	add("unconfirmed", visiting(visit.ScreenUnconfirmed), tickets(lost), func(s *visit.State) { s.ReprintLeft = true })
	add("unconfirmed-again", visiting(visit.ScreenUnconfirmed), tickets(ticket(114, 4012, visit.TicketUnconfirmed)))
}

func addOver(add adder) {
	over := func(over visit.Over) func(*visit.State) { return func(s *visit.State) { s.Over, s.Left = over, 8 } }
	add("still-there", visiting(visit.ScreenOffer), over(visit.OverStillThere))
	add("still-there-ten", visiting(visit.ScreenOffer), over(visit.OverStillThere), func(s *visit.State) { s.Left = 10 })
	add("still-there-one", visiting(visit.ScreenOffer), over(visit.OverStillThere), func(s *visit.State) { s.Left = 1 })
	add("still-there-seat", visiting(visit.ScreenUnconfirmed), over(visit.OverStillThere), func(s *visit.State) {
		s.Tickets = []visit.Ticket{ticket(14, 23, visit.TicketUnconfirmed)}
	})
	add("rules-text", visiting(visit.ScreenRules), over(visit.OverRulesText))
	add("rules-text-none", visiting(visit.ScreenRules), over(visit.OverRulesText), func(s *visit.State) { s.Floor.RulesBody = "" })
	add("privacy", blank(), over(visit.OverPrivacy))
	add("help", visiting(visit.ScreenOffer), over(visit.OverHelp))
	add("help-later", visiting(visit.ScreenOffer), over(visit.OverHelp), func(s *visit.State) { s.Calls = visit.CallsLater })
	add("help-never", blank(), over(visit.OverHelp), func(s *visit.State) { s.Calls = visit.CallsNever })
	add("unprinted", visiting(visit.ScreenRules), over(visit.OverUnprinted))
	add("where", blank(), over(visit.OverWhere))
	add("where-ask", visiting(visit.ScreenAskID), over(visit.OverWhere), func(s *visit.State) { s.Asked = visit.AskedDocument })
	add("where-slot", visiting(visit.ScreenPrinting), over(visit.OverWhere))
}

var hints = []visit.Hint{
	visit.HintBankCard, visit.HintSwipeAgain, visit.HintScanAgain, visit.HintUnreadable, visit.HintLicenceDisc, visit.HintOtherCard,
	visit.HintReaderSetup, visit.HintSecondCard, visit.HintReceipt, visit.HintTicket, visit.HintClaimed,
}

var papers = []visit.Printer{
	visit.PrinterLow, visit.PrinterOut, visit.PrinterOpen, visit.PrinterError, visit.PrinterSilent, visit.PrinterUnplugged,
}
