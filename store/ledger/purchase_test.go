package ledger

import (
	"errors"
	"slices"
	"testing"
	"time"

	"reelkiosk/devices/emulator"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

func TestPurchasesOfEveryKind(t *testing.T) {
	cases := []struct {
		name     string
		purchase Purchase
		kind     tournament.EntryKind
		entries  int
		cents    int64
		credit   int64
	}{
		{"clause 5: cash buy-in", Purchase{Kind: tournament.CashBuyIn, Seats: 3}, tournament.CashBuyIn, 3, 15000, 0},
		{"clause 5: card buy-in", Purchase{Kind: tournament.CardBuyIn, Seats: 1}, tournament.CardBuyIn, 1, 5000, 0},
		{"clause 5: complimentary entry", Purchase{Kind: tournament.Complimentary}, tournament.Complimentary, 1, 0, 0},
		{"clause 6: package", Purchase{Kind: tournament.PackageBuyIn, Package: "four"}, tournament.PackageBuyIn, 4, 20000, 0},
		{"clause 6: package, said to be paid in cash", Purchase{Kind: tournament.CashBuyIn, Package: "four"}, tournament.PackageBuyIn, 4, 20000, 0},
		{"clause 6: package with casino credit for a member", Purchase{
			Kind: tournament.PackageBuyIn, Package: "gold", Card: "60010001",
		}, tournament.PackageBuyIn, 4, 50000, 30000},
		{"clause 6: casino credit for a member who shows the document alone", Purchase{
			Kind: tournament.PackageBuyIn, Package: "gold", Document: document(naledi.IDNumber, "Khumalo", "Naledi", naledi.BirthDate),
		}, tournament.PackageBuyIn, 4, 50000, 30000},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := newFloor(t)
			f.imports(ImportMembers{Rows: []wire.Member{naledi}})
			bought := done[wire.Bought](f, c.purchase)
			if len(bought.Entries) != c.entries || bought.Amount != (tournament.Money{Cents: c.cents, Currency: "ZAR"}) || bought.Credit.Cents != c.credit {
				t.Errorf("got %+v", bought)
			}
			if named := c.purchase.Card != "" || c.purchase.Document != nil; named != (bought.Person != "") {
				t.Errorf("named %v, but it is %q's", named, bought.Person)
			}
			if _, err := tournament.ParseReceiptNumber(bought.Receipt); err != nil {
				t.Errorf("the receipt's number: %v", err)
			}
			for _, entry := range bought.Entries {
				if entry.Kind != c.kind || !entry.Bought.Equal(f.now) || !entry.Ends.Equal(f.now.Add(48*time.Hour)) {
					t.Errorf("got %+v", entry)
				}
			}
		})
	}
}

func TestPurchasesThatMakeNoSense(t *testing.T) {
	for name, purchase := range map[string]Purchase{
		"no kind":                         {Seats: 1},
		"no seats":                        {Kind: tournament.CashBuyIn},
		"a negative number of seats":      {Kind: tournament.CashBuyIn, Seats: -1},
		"more seats than one purchase":    {Kind: tournament.CashBuyIn, Seats: 201},
		"two seats for one free entry":    {Kind: tournament.Complimentary, Seats: 2},
		"a package for nothing":           {Kind: tournament.Complimentary, Package: "four"},
		"other seats than the package's":  {Kind: tournament.PackageBuyIn, Package: "four", Seats: 5},
		"an external number without end":  {Kind: tournament.CashBuyIn, Seats: 1, External: string(make([]byte, 501))},
		"an unknown kind with a document": {Kind: "barter", Seats: 1, Document: thandi},
	} {
		f := newFloor(t)
		if _, err := f.ask(purchase); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: got %v, want ErrInvalid", name, err)
		}
		if len(f.events()) > 0 {
			t.Errorf("%s: left events", name)
		}
	}
}

func TestMoneyIsNotTakenWhereNoSeatIsLeft(t *testing.T) {
	// The window of the last evening holds one heat; its three machines go one after another.
	f := newFloor(t)
	f.now = time.Date(2026, 12, 5, 19, 30, 0, 0, johannesburg)
	last := heatID(tournament.Date{Year: 2026, Month: 12, Day: 5}, 20)
	for i := range 3 {
		bought := f.buys(document(emulator.IdentityNumber(born1980.AddDays(i), 5000), "Player", string(rune('A'+i)), born1980.AddDays(i)), 1)
		done[wire.Seat](f, registration(bought.Person, last))
	}
	f.refused(Purchase{Kind: tournament.CashBuyIn, Seats: 1, Document: thandi}, tournament.NoFreeSeat, 5)
	if all, err := f.books.Entries(f.view, "", 100, f.now); err != nil || len(all) != 3 {
		t.Errorf("%d entries, %v; want 3", len(all), err)
	}
}

func TestExternalNumberIsSoldOnce(t *testing.T) {
	f := newFloor(t)
	purchase := Purchase{Kind: tournament.CashBuyIn, Seats: 2, Document: thandi, External: "till-7/1234", Operator: "pat"}
	first := done[wire.Bought](f, purchase)
	f.now = f.now.Add(time.Hour)
	again := done[wire.Bought](f, purchase)
	if again.ID != first.ID || again.Receipt != first.Receipt || !again.At.Equal(first.At) || !slices.Equal(again.Entries, first.Entries) {
		t.Errorf("got %+v, want the first answer %+v", again, first)
	}
	other := purchase
	other.Seats = 3
	f.refused(other, tournament.KeyReused, 0)
	other = purchase
	other.Document = sipho
	f.refused(other, tournament.KeyReused, 0)
	other = purchase
	other.Document = nil
	f.refused(other, tournament.KeyReused, 0)
	if all, err := f.books.Entries(f.view, "", 100, f.now); err != nil || len(all) != 2 {
		t.Errorf("%d entries, %v; want 2", len(all), err)
	}
}

func TestReceiptIsClaimedOnceForGood(t *testing.T) {
	f := newFloor(t)
	bought := done[wire.Bought](f, Purchase{Kind: tournament.CashBuyIn, Seats: 2, Operator: "pat", Desk: "cash-1"})
	owner, other := f.meets(thandi), f.meets(sipho)
	claimed := done[wire.Claimed](f, Claim{Person: owner.ID, Receipt: tournament.ReceiptNumber(bought.Receipt).Grouped()})
	if len(claimed.Entries) != 2 {
		t.Fatalf("got %+v", claimed)
	}
	f.refused(Claim{Person: other.ID, Receipt: bought.Receipt}, tournament.ReceiptOwned, 5)
	again := done[wire.Claimed](f, Claim{Person: owner.ID, Receipt: bought.Receipt})
	if !slices.Equal(again.Entries, claimed.Entries) {
		t.Errorf("the owner's second scan: got %+v", again)
	}
	done[wire.Seat](f, registration(owner.ID, at13))
}

// A refused claimant never owns the purchase, not even when what stood against him is gone; others may claim it.
func TestRefusedClaimantNeverOwnsTheReceipt(t *testing.T) {
	f := newFloor(t)
	bought := done[wire.Bought](f, Purchase{Kind: tournament.CashBuyIn, Seats: 1})
	claimant := f.meets(thandi)
	done[wire.Accepted](f, Notice{Kind: wire.DeclaredConnected, Person: claimant.ID})
	f.refused(Claim{Person: claimant.ID, Receipt: bought.Receipt}, tournament.Connected, 3)
	if open := f.cases(); !slices.Equal(open, []string{"declared-connected", "claim-refused"}) {
		t.Errorf("open cases: %v", open)
	}
	all, err := f.books.Cases(f.view)
	if err != nil {
		t.Fatal(err)
	}
	done[wire.Accepted](f, Resolve{Case: all[0].ID, Clear: true, Why: "he is not"})
	f.meets(thandi)
	f.refused(Claim{Person: claimant.ID, Receipt: bought.Receipt}, tournament.Connected, 3)
	done[wire.Claimed](f, Claim{Person: f.meets(sipho).ID, Receipt: bought.Receipt})
}
