package ledger

import (
	"slices"
	"testing"
	"time"

	"reelkiosk/devices/emulator"
	"reelkiosk/store/exclusion"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// refusalCase sets a floor up and returns the act that is to be refused.
type refusalCase struct {
	name   string
	reason tournament.Reason
	clause int
	set    func(f *floor) Act
	// cases are the open cases afterwards.
	cases []string
}

func identify(document *wire.Document) Act { return Identify{Document: document, Kiosk: "kiosk-1"} }

func identifyCard(card string) Act { return Identify{Card: card, Kiosk: "kiosk-1"} }

// excludes puts somebody on the exclusion list by identity number.
func (f *floor) excludes(reference, kind, number string) {
	f.Helper()
	f.imports(ImportExclusions{Rows: []wire.Exclusion{{Line: 2, Reference: reference, Kind: kind, IDNumber: number}}})
}

// naledi is a verified member; jan is one whose identity was never verified.
var (
	naledi = wire.Member{
		Line: 2, Number: "M100", Cards: []string{"60010001", "60010002"}, Surname: "Khumalo", Given: "Naledi",
		IDNumber: "9001010001088", BirthDate: tournament.Date{Year: 1990, Month: 1, Day: 1}, Verified: true,
	}
	jan = wire.Member{
		Line: 3, Number: "M101", Cards: []string{"60020001"}, Surname: "Botha", Given: "Jan", IDNumber: "7505055000088",
		BirthDate: tournament.Date{Year: 1975, Month: 5, Day: 5},
	}
)

// seated gives somebody an entry and a seat in the heat at 13:00.
func (f *floor) seated(who *wire.Document) (wire.Bought, wire.Seat) {
	f.Helper()
	bought := f.buys(who, 2)
	return bought, done[wire.Seat](f, registration(bought.Person, at13))
}

func TestEachRefusal(t *testing.T) {
	child := document("1012015000080", "Zulu", "Ayanda", tournament.Date{Year: 2010, Month: 12, Day: 1})
	cases := []refusalCase{
		{"clause 2: excluded, never met", tournament.Excluded, 2, func(f *floor) Act {
			f.excludes("R1", "refusal-of-entry", thandi.IDNumber)
			return identify(thandi)
		}, nil},
		{"clause 2: self-excluded", tournament.Excluded, 2, func(f *floor) Act {
			f.excludes("R1", "self-excluded", thandi.IDNumber)
			return identify(thandi)
		}, nil},
		{"clause 2: excluded by card, known whose", tournament.Excluded, 2, func(f *floor) Act {
			f.imports(ImportMembers{Rows: []wire.Member{naledi}})
			f.imports(ImportExclusions{Rows: []wire.Exclusion{{Reference: "R1", Kind: "category", Card: "60010001"}}})
			return identify(document(naledi.IDNumber, "Khumalo", "Naledi", naledi.BirthDate))
		}, nil},
		{"clause 2: a card on the list that is nobody's", tournament.Excluded, 2, func(f *floor) Act {
			f.imports(ImportExclusions{Rows: []wire.Exclusion{{Reference: "R1", Kind: "category", Card: "70000001"}}})
			return identifyCard("70000001")
		}, nil},
		{"clause 2: excluded, the card never verified", tournament.Excluded, 2, func(f *floor) Act {
			f.imports(ImportMembers{Rows: []wire.Member{jan}})
			f.excludes("R1", "self-excluded", jan.IDNumber)
			return identifyCard("60020001")
		}, nil},
		{"clause 2: excluded goes before an expired document", tournament.Excluded, 2, func(f *floor) Act {
			f.excludes("R1", "refusal-of-entry", thandi.IDNumber)
			expired := *thandi
			expired.Expiry = tournament.Date{Year: 2020, Month: 1, Day: 1}
			return identify(&expired)
		}, nil},
		{"clause 2: purchase by an excluded person", tournament.Excluded, 2, func(f *floor) Act {
			f.excludes("R1", "refusal-of-entry", thandi.IDNumber)
			return Purchase{Kind: tournament.CashBuyIn, Seats: 1, Document: thandi}
		}, nil},
		{"clause 2: registration by somebody excluded meanwhile", tournament.Excluded, 2, func(f *floor) Act {
			bought := f.buys(thandi, 1)
			f.excludes("R1", "refusal-of-entry", thandi.IDNumber)
			return registration(bought.Person, at13)
		}, []string{"excluded-meanwhile"}},
		{"clause 2: reprint by somebody excluded meanwhile", tournament.Excluded, 2, func(f *floor) Act {
			bought, seat := f.seated(thandi)
			done[wire.Accepted](f, PrintOutcome{Ticket: seat.Ticket, State: tournament.CopyUnconfirmed})
			f.excludes("R1", "refusal-of-entry", thandi.IDNumber)
			return Reprint{Person: bought.Person, Seat: seat.ID}
		}, []string{"excluded-meanwhile"}},
		{"clause 3: connected", tournament.Connected, 3, func(f *floor) Act {
			f.excludes("R1", "connected", thandi.IDNumber)
			return identify(thandi)
		}, nil},
		{"clause 3: declared to be connected", tournament.Connected, 3, func(f *floor) Act {
			bought := f.buys(thandi, 1)
			done[wire.Accepted](f, Notice{Kind: wire.DeclaredConnected, Person: bought.Person, Kiosk: "kiosk-1", Detail: "not-sure"})
			return registration(bought.Person, at13)
		}, []string{"declared-connected"}},
		{"clause 1: under age", tournament.UnderAge, 1, func(f *floor) Act { return identify(child) }, nil},
		{"clause 1: under age at a purchase", tournament.UnderAge, 1, func(f *floor) Act {
			return Purchase{Kind: tournament.CashBuyIn, Seats: 1, Document: child}
		}, nil},
		{"clause 1: birth date not known", tournament.AgeUnknown, 1, func(f *floor) Act {
			return identify(document("8001015009087", "", "", tournament.Date{}))
		}, nil},
		{"clause 2: name and birth date of an exclusion", tournament.PossibleMatch, 2, func(f *floor) Act {
			f.imports(ImportExclusions{Rows: []wire.Exclusion{{
				Reference: "R1", Kind: "self-excluded", Surname: "Dlamini", Given: "Thandi", BirthDate: born1980,
			}}})
			return identify(thandi)
		}, []string{"possible-match"}},
		{"clause 2: registration by somebody who has become a possible match", tournament.PossibleMatch, 2, func(f *floor) Act {
			bought := f.buys(thandi, 1)
			f.imports(ImportExclusions{Rows: []wire.Exclusion{{
				Reference: "R1", Kind: "self-excluded", Surname: "DLAMINI", Given: "Thandi", BirthDate: born1980,
			}}})
			return registration(bought.Person, at13)
		}, []string{"possible-match"}},
		{"clause 4: card and document of two people", tournament.Mismatch, 4, func(f *floor) Act {
			f.imports(ImportMembers{Rows: []wire.Member{naledi}})
			return Identify{Card: "60010001", Document: thandi, Kiosk: "kiosk-1"}
		}, []string{"mismatch"}},
		{"clause 4: document and the card of somebody unverified", tournament.Mismatch, 4, func(f *floor) Act {
			f.imports(ImportMembers{Rows: []wire.Member{jan}})
			return Identify{Card: "60020001", Document: thandi, Kiosk: "kiosk-1"}
		}, []string{"mismatch"}},
		{"clause 4: a card alone whose holder was never verified", tournament.Unverified, 4, func(f *floor) Act {
			f.imports(ImportMembers{Rows: []wire.Member{jan}})
			return identifyCard("60020001")
		}, nil},
		{"clause 4: a document without a number", tournament.Unverified, 4, func(f *floor) Act {
			return identify(document("", "Dlamini", "Thandi", born1980))
		}, nil},
		{"clause 2: disqualified, the exclusion lifted since", tournament.Disqualified, 2, func(f *floor) Act {
			bought := f.buys(thandi, 1)
			f.excludes("R1", "refusal-of-entry", thandi.IDNumber)
			lift(f, thandi.IDNumber)
			return registration(bought.Person, at13)
		}, []string{"excluded-meanwhile"}},
		{"document past its expiry", tournament.DocumentExpired, 4, func(f *floor) Act {
			expired := *thandi
			expired.Expiry = today.AddDays(-1)
			return identify(&expired)
		}, nil},
		{"clause 4: cards never suffice", tournament.DocumentNeeded, 4, func(f *floor) Act {
			f.definition.Rules.CardSuffices = tournament.CardNever
			f.imports(ImportMembers{Rows: []wire.Member{naledi}})
			return identifyCard("60010001")
		}, nil},
		{"clause 4: a card that no member has", tournament.UnknownCard, 4, func(f *floor) Act { return identifyCard("12345678") }, nil},
		{"nobody of that id registers", tournament.UnknownPerson, 0, func(*floor) Act { return registration("nobody", at13) }, nil},
		{"nobody of that id claims", tournament.UnknownPerson, 0, func(*floor) Act { return Claim{Person: "nobody", Receipt: "x"} }, nil},
		{"nobody of that id reprints", tournament.UnknownPerson, 0, func(*floor) Act { return Reprint{Person: "nobody", Seat: "x"} }, nil},
		{"nobody of that id is told of", tournament.UnknownPerson, 0, func(*floor) Act {
			return Notice{Kind: wire.HelpCalled, Person: "nobody"}
		}, nil},
		{"clause 5: no entries", tournament.NoEntries, 5, func(f *floor) Act { return registration(f.meets(thandi).ID, at13) }, nil},
		{"clause 5: the window ends before the heat", tournament.WindowOver, 5, func(f *floor) Act {
			bought := f.buys(thandi, 1)
			f.now = f.now.Add(47 * time.Hour)
			return registration(bought.Person, heatID(today.AddDays(2), 12))
		}, nil},
		{"clause 9: bought after the heat's registration closed", tournament.BoughtTooLate, 9, func(f *floor) Act {
			// The other register's clock is a few minutes ahead.
			f.now = time.Date(2026, 11, 30, 12, 52, 0, 0, johannesburg)
			who := f.meets(thandi)
			f.imports(ImportPurchases{Rows: []wire.PurchaseRecord{{
				Number: "T1", Kind: tournament.CashBuyIn, Seats: 1, At: f.now.Add(4 * time.Minute), IDNumber: thandi.IDNumber,
			}}})
			return registration(who.ID, at13)
		}, nil},
		{"clause 11: the heat is full", tournament.HeatFull, 11, func(f *floor) Act {
			for i := range 3 {
				bought := f.buys(document(emulator.IdentityNumber(born1980.AddDays(i), 5000), "Player", string(rune('A'+i)), born1980.AddDays(i)), 1)
				done[wire.Seat](f, registration(bought.Person, at13))
			}
			return registration(f.buys(thandi, 1).Person, at13)
		}, nil},
		{"clause 11: full but for a machine out of service", tournament.HeatFull, 11, func(f *floor) Act {
			f.definition.Machines[2].OutOfService = true
			f.books = New(f.definition, f.books.vault, f.books.exclusions)
			f.seated(sipho)
			done[wire.Accepted](f, MachineService{Machine: 2, Out: true, Operator: "tech", Reason: "door"})
			return registration(f.buys(thandi, 1).Person, at13)
		}, nil},
		{"clauses 5 to 8: no free seat inside the window", tournament.NoFreeSeat, 5, func(f *floor) Act {
			for machine := 1; machine <= 3; machine++ {
				done[wire.Accepted](f, MachineService{Machine: machine, Out: true, Operator: "tech", Reason: "power"})
			}
			return Purchase{Kind: tournament.CashBuyIn, Seats: 1, Document: thandi}
		}, nil},
		{"clause 9: the last heat's registration has closed", tournament.NoFreeSeat, 5, func(f *floor) Act {
			f.now = time.Date(2026, 12, 5, 19, 55, 0, 0, johannesburg)
			return Purchase{Kind: tournament.CashBuyIn, Seats: 1}
		}, nil},
		{"clause 11: not open yet", tournament.NotOpen, 11, func(f *floor) Act {
			return registration(f.buys(thandi, 1).Person, heatID(today.AddDays(1), 13))
		}, nil},
		{"clause 14: seats of the final stages are drawn", tournament.NotOpen, 14, func(f *floor) Act {
			return registration(f.buys(thandi, 1).Person, "semi-final-2026-12-06-1")
		}, nil},
		{"clause 11: closed", tournament.Closed, 11, func(f *floor) Act {
			bought := f.buys(thandi, 1)
			f.now = time.Date(2026, 11, 30, 12, 55, 0, 0, johannesburg)
			return registration(bought.Person, at13)
		}, nil},
		{"no such heat", tournament.UnknownHeat, 0, func(f *floor) Act {
			return registration(f.buys(thandi, 1).Person, "qualifying-1999-01-01-1")
		}, nil},
		{"clause 10: over", tournament.HeatGone, 10, func(f *floor) Act {
			bought := f.buys(thandi, 1)
			return registration(bought.Person, heatID(today, 10))
		}, nil},
		{"clause 10: cancelled", tournament.HeatGone, 10, func(f *floor) Act {
			bought := f.buys(thandi, 1)
			done[wire.Accepted](f, CancelHeat{Heat: at13, Why: "power"})
			return registration(bought.Person, at13)
		}, nil},
		{"clause 16: one seat per heat", tournament.AlreadySeated, 16, func(f *floor) Act {
			bought, _ := f.seated(thandi)
			return registration(bought.Person, at13)
		}, nil},
		{"clause 25: another version of the rules", tournament.NotAccepted, 25, func(f *floor) Act {
			register := registration(f.buys(thandi, 1).Person, at13)
			register.Rules = "rules-0"
			return register
		}, nil},
		{"clause 3: no declaration", tournament.NotDeclared, 3, func(f *floor) Act {
			register := registration(f.buys(thandi, 1).Person, at13)
			register.Declared = false
			return register
		}, nil},
		{"a receipt number with a wrong symbol", tournament.UnknownReceipt, 5, func(f *floor) Act {
			return Claim{Person: f.meets(thandi).ID, Receipt: "0000 0000 0000 0000 0"}
		}, nil},
		{"a receipt that nobody has bought", tournament.UnknownReceipt, 5, func(f *floor) Act {
			receipt, err := tournament.NewReceiptNumber(f.random)
			if err != nil {
				f.Fatal(err)
			}
			return Claim{Person: f.meets(thandi).ID, Receipt: string(receipt)}
		}, nil},
		{"somebody else's receipt", tournament.ReceiptOwned, 5, func(f *floor) Act {
			return Claim{Person: f.meets(sipho).ID, Receipt: f.buys(thandi, 1).Receipt}
		}, []string{"claim-refused"}},
		{"clause 6: no such package", tournament.UnknownPackage, 6, func(*floor) Act {
			return Purchase{Kind: tournament.PackageBuyIn, Package: "platinum"}
		}, nil},
		{"clause 6: a package is paid in cash", tournament.CashOnly, 6, func(*floor) Act {
			return Purchase{Kind: tournament.CardBuyIn, Package: "four"}
		}, nil},
		{"clause 6: casino credit for somebody who is no member", tournament.MembersOnly, 6, func(*floor) Act {
			return Purchase{Kind: tournament.PackageBuyIn, Package: "gold", Document: thandi}
		}, nil},
		{"clause 6: casino credit for nobody", tournament.MembersOnly, 6, func(*floor) Act {
			return Purchase{Kind: tournament.PackageBuyIn, Package: "gold"}
		}, nil},
		{"no copy has this ticket number", tournament.UnknownTicket, 0, func(f *floor) Act {
			ticket, err := tournament.NewTicketNumber(f.random)
			if err != nil {
				f.Fatal(err)
			}
			return PrintOutcome{Ticket: string(ticket), State: tournament.CopyPrinted}
		}, nil},
		{"a ticket number with a wrong symbol", tournament.UnknownTicket, 0, func(*floor) Act {
			return PrintOutcome{Ticket: "0000", State: tournament.CopyPrinted}
		}, nil},
		{"somebody else's seat is not printed again", tournament.UnknownTicket, 0, func(f *floor) Act {
			_, seat := f.seated(thandi)
			done[wire.Accepted](f, PrintOutcome{Ticket: seat.Ticket, State: tournament.CopyUnconfirmed})
			return Reprint{Person: f.meets(sipho).ID, Seat: seat.ID}
		}, nil},
		{"the player's own reprint is used up", tournament.ReprintUsed, 0, func(f *floor) Act {
			bought, seat := f.seated(thandi)
			done[wire.Accepted](f, PrintOutcome{Ticket: seat.Ticket, State: tournament.CopyUnconfirmed})
			again := done[wire.Seat](f, Reprint{Person: bought.Person, Seat: seat.ID})
			done[wire.Accepted](f, PrintOutcome{Ticket: again.Ticket, State: tournament.CopyUnconfirmed})
			return Reprint{Person: bought.Person, Seat: seat.ID}
		}, nil},
		{"a ticket that was printed is not printed again", tournament.NotReprintable, 0, func(f *floor) Act {
			bought, seat := f.seated(thandi)
			done[wire.Accepted](f, PrintOutcome{Ticket: seat.Ticket, State: tournament.CopyPrinted})
			return Reprint{Person: bought.Person, Seat: seat.ID}
		}, nil},
		{"a ticket that is being printed is not printed again", tournament.NotReprintable, 0, func(f *floor) Act {
			bought, seat := f.seated(thandi)
			return Reprint{Person: bought.Person, Seat: seat.ID}
		}, nil},
		{"no reprint once the heat has started", tournament.HeatGone, 10, func(f *floor) Act {
			bought, seat := f.seated(thandi)
			done[wire.Accepted](f, PrintOutcome{Ticket: seat.Ticket, State: tournament.CopyUnconfirmed})
			f.now = seat.Start
			return Reprint{Person: bought.Person, Seat: seat.ID}
		}, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := newFloor(t)
			act := c.set(f)
			before := len(f.events())
			f.refused(act, c.reason, c.clause)
			if open := f.cases(); !slices.Equal(open, c.cases) {
				t.Errorf("open cases %v, want %v", open, c.cases)
			}
			// Asked again, it is refused again, and what happened already does not happen twice.
			after := len(f.events())
			f.refused(act, c.reason, c.clause)
			if again := len(f.events()); again != after {
				t.Errorf("the same refusal left %d events the first time and %d the second", after-before, again-after)
			}
		})
	}
}

// lift takes a number off the exclusion list, as another list without it would.
func lift(f *floor, number string) {
	f.rough = true // it has no event of its own here
	exclusion.PutLifted(f.view, f.books.vault.IDNumber(number))
}
