package ledger

import (
	"errors"
	"testing"
	"time"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// by asks as an operator.
func (f *floor) by(who string, act Act) (Answer, error) {
	request := f.request(act)
	request.Who = who
	return f.books.Apply(f.view, request)
}

// doneBy is done of an operator's act.
func doneBy[T any](f *floor, who string, act Act) T {
	f.Helper()
	answer, err := f.by(who, act)
	if err != nil {
		f.Fatalf("%T by %s: %v", act, who, err)
	}
	value, err := As[T](answer)
	if err != nil {
		f.Fatal(err)
	}
	return value
}

// refusedBy is refused of an operator's act.
func (f *floor) refusedBy(who string, act Act, reason tournament.Reason) {
	f.Helper()
	if _, err := f.by(who, act); reasonOfError(err) != reason {
		f.Fatalf("%T by %s: got %v, want %s", act, who, err, reason)
	}
}

func (f *floor) day() wire.Day {
	f.Helper()
	day, err := f.books.Reconcile(f.view, today, f.now)
	if err != nil {
		f.Fatal(err)
	}
	return day
}

func TestARefundIsAuthorisedByTheDirectorAndPaidByTheCashier(t *testing.T) {
	f := newFloor(t)
	bought := f.buys(thandi, 3)
	two := []tournament.EntryID{bought.Entries[0].ID, bought.Entries[1].ID}
	refund := doneBy[wire.Refund](f, "director", AuthoriseRefund{because, two})
	if refund.Amount.Cents != 10000 || refund.Paid {
		t.Errorf("got %+v", refund)
	}
	if due := f.day().Due; due.Entries != 2 || due.Amount.Cents != 10000 {
		t.Errorf("due %+v", due)
	}
	f.refusedBy("director", AuthoriseRefund{because, two}, tournament.EntryUsed)
	f.refusedBy("director", PayRefund{Refund: refund.ID}, tournament.SecondNeeded)
	f.refusedBy("cashier", PayRefund{Refund: "none"}, tournament.UnknownRefund)
	if paid := doneBy[wire.Refund](f, "cashier", PayRefund{Refund: refund.ID}); !paid.Paid {
		t.Errorf("got %+v", paid)
	}
	f.refusedBy("cashier", PayRefund{Refund: refund.ID}, tournament.RefundPaid)
	if who := f.meets(thandi); len(who.Entries) != 1 {
		t.Errorf("%d entries are left", len(who.Entries))
	}
	for name, wrong := range map[string][]tournament.EntryID{"of nothing": nil, "twice the same": {bought.Entries[2].ID, bought.Entries[2].ID}} {
		if _, err := f.by("director", AuthoriseRefund{because, wrong}); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	f.refusedBy("director", AuthoriseRefund{because, []tournament.EntryID{"none"}}, tournament.UnknownEntry)
}

// A package's seat is refunded at its seat value, and a complimentary one at nothing.
func TestWhatASeatIsRefundedAt(t *testing.T) {
	f := newFloor(t)
	pack := done[wire.Bought](f, Purchase{Kind: tournament.PackageBuyIn, Package: "four", Document: thandi, Operator: "pat", Desk: "cash-1"})
	free := done[wire.Bought](f, Purchase{Kind: tournament.Complimentary, Document: thandi, Operator: "pat", Desk: "cash-1"})
	refund := done[wire.Refund](f, AuthoriseRefund{because, []tournament.EntryID{pack.Entries[0].ID, free.Entries[0].ID}})
	if refund.Amount.Cents != 5000 {
		t.Errorf("got %+v", refund)
	}
}

func TestAPurchaseIsReversedByAnotherOperatorWhileNothingOfItIsUsed(t *testing.T) {
	f := newFloor(t)
	sold := doneBy[wire.Bought](f, "carol", Purchase{Kind: tournament.CashBuyIn, Seats: 2, Operator: "carol", Desk: "cash-1"})
	f.refusedBy("carol", ReversePurchase{Decision: because, Purchase: sold.ID}, tournament.SecondNeeded)
	f.refusedBy("dave", ReversePurchase{Decision: because, Receipt: "0"}, tournament.UnknownReceipt)
	f.refusedBy("dave", ReversePurchase{Decision: because, Purchase: "none"}, tournament.UnknownPurchase)
	if back := doneBy[wire.Reversed](f, "dave", ReversePurchase{Decision: because, Receipt: sold.Receipt}); back.Amount.Cents != 10000 {
		t.Errorf("got %+v", back)
	}
	f.refusedBy("dave", ReversePurchase{Decision: because, Purchase: sold.ID}, tournament.EntryUsed)
	// The receipt is worth nothing any more.
	f.refused(Claim{Person: f.meets(thandi).ID, Receipt: sold.Receipt}, tournament.UnknownReceipt, 5)
	used, _ := f.seated(thandi)
	f.refusedBy("dave", ReversePurchase{Decision: because, Purchase: used.ID}, tournament.EntryUsed)
}

func TestADayIsReconciledByKindAndCashier(t *testing.T) {
	f := newFloor(t)
	doneBy[wire.Bought](f, "carol", Purchase{Kind: tournament.CashBuyIn, Seats: 2, Document: thandi})
	doneBy[wire.Bought](f, "carol", Purchase{Kind: tournament.CashBuyIn, Seats: 1, Document: sipho})
	doneBy[wire.Bought](f, "dave", Purchase{Kind: tournament.CardBuyIn, Seats: 4, Document: thandi})
	back := doneBy[wire.Bought](f, "dave", Purchase{Kind: tournament.PackageBuyIn, Package: "four", Document: sipho})
	doneBy[wire.Reversed](f, "carol", ReversePurchase{Decision: because, Purchase: back.ID})
	doneBy[wire.Bought](f, "carol", Purchase{Kind: tournament.Complimentary, Document: sipho})
	f.now = f.now.Add(49 * time.Hour) // their windows are over
	f.excludes("R1", "self-excluded", sipho.IDNumber)
	f.now = noon.Add(50 * time.Hour)
	doneBy[wire.Bought](f, "dave", Purchase{Kind: tournament.CashBuyIn, Seats: 1, Document: thandi})
	day := f.day()
	type line struct {
		kind, cashier       string
		count, seats, cents int64
	}
	var got []line
	for _, one := range day.Lines {
		got = append(got, line{one.Kind, one.Cashier, int64(one.Count), int64(one.Seats), one.Amount.Cents})
	}
	want := []line{
		{"card", "dave", 1, 4, 20000}, {"cash", "carol", 2, 3, 15000}, {"complimentary", "carol", 1, 1, 0},
		{"package", "dave", 1, 4, 20000}, {"reversal", "carol", 1, -4, -20000},
	}
	if len(got) != len(want) {
		t.Fatalf("got %v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got %v, want %v", got[i], want[i])
		}
	}
	// Sipho's had expired before he was excluded; Thandi's six of the first day have too, and her newest has not.
	if day.Unused != (wire.Owed{Entries: 1, Amount: tournament.Money{Cents: 5000, Currency: "ZAR"}}) || day.Expired.Entries != 8 || day.Held.Entries != 0 {
		t.Errorf("unused %+v, held %+v, expired %+v", day.Unused, day.Held, day.Expired)
	}
}

// Clause 2: what becomes of the entries of somebody excluded is the director's decision.
func TestHeldEntriesWaitForADecision(t *testing.T) {
	f := newFloor(t)
	bought := f.buys(thandi, 3)
	id := func(i int) []tournament.EntryID { return []tournament.EntryID{bought.Entries[i].ID} }
	f.refused(DecideEntries{because, id(0), tournament.EntryForfeited}, tournament.EntryNotHeld, 0)
	f.excludes("R1", "self-excluded", thandi.IDNumber)
	if held := f.day().Held; held.Entries != 3 || held.Amount.Cents != 15000 {
		t.Errorf("held %+v", held)
	}
	done[wire.Accepted](f, DecideEntries{because, id(0), tournament.EntryForfeited})
	done[wire.Refund](f, AuthoriseRefund{because, id(1)})
	done[wire.Accepted](f, DecideEntries{because, id(2), tournament.EntryUnused})
	for i, want := range []tournament.EntryState{tournament.EntryForfeited, tournament.EntryRefunded, tournament.EntryUnused} {
		if got := f.entryOf(id(i)[0]).State; got != want {
			t.Errorf("entry %d is %s, want %s", i, got, want)
		}
	}
	if _, err := f.ask(DecideEntries{because, id(2), tournament.EntryPlayed}); !errors.Is(err, ErrInvalid) {
		t.Errorf("got %v", err)
	}
}

func TestAnExpiredEntryIsReinstatedByADecision(t *testing.T) {
	f := newFloor(t)
	bought := f.buys(thandi, 1)
	ids := []tournament.EntryID{bought.Entries[0].ID}
	f.refused(DecideEntries{because, ids, tournament.EntryUnused}, tournament.EntryNotHeld, 0)
	f.now = f.now.Add(72 * time.Hour)
	f.refused(DecideEntries{because, ids, tournament.EntryForfeited}, tournament.EntryNotHeld, 0)
	done[wire.Accepted](f, DecideEntries{because, ids, tournament.EntryUnused})
	done[wire.Seat](f, registration(bought.Person, heatID(today.AddDays(3), 14)))
}

// Clause 15: surplus entries are given out by management, with a reason.
func TestSurplusEntriesAreGivenOut(t *testing.T) {
	f := newFloor(t)
	who := f.meets(thandi).ID
	given := done[wire.Bought](f, GiveEntries{because, who, 2})
	if len(given.Entries) != 2 || given.Amount.Cents != 0 || given.Person != who {
		t.Errorf("got %+v", given)
	}
	if event := f.events()[len(f.events())-1]; event.What != Purchased || event.Why != "because" {
		t.Errorf("got %+v", event)
	}
	f.refused(GiveEntries{because, "nobody", 1}, tournament.UnknownPerson, 0)
	f.excludes("R1", "self-excluded", thandi.IDNumber)
	f.refused(GiveEntries{because, who, 1}, tournament.Excluded, 2)
}

// Clauses 6 and 8: the casino credit is played inside the window, once.
func TestTheCasinoCreditOfAPackageIsPlayedOnce(t *testing.T) {
	f := newFloor(t)
	f.imports(ImportMembers{Rows: []wire.Member{naledi}})
	gold := func() wire.Bought {
		return done[wire.Bought](f, Purchase{Kind: tournament.PackageBuyIn, Package: "gold", Card: "60010001", Operator: "pat", Desk: "cash-1"})
	}
	first, second := gold(), gold()
	done[wire.Accepted](f, PlayCredit{Decision: because, Receipt: first.Receipt})
	f.refused(PlayCredit{Decision: because, Receipt: first.Receipt}, tournament.EntryUsed, 5)
	f.refusedBy("dave", ReversePurchase{Decision: because, Purchase: first.ID}, tournament.EntryUsed)
	f.now = second.Entries[0].Ends
	f.refused(PlayCredit{Decision: because, Purchase: second.ID}, tournament.WindowOver, 5)
	if _, err := f.ask(PlayCredit{Decision: because, Purchase: f.buys(sipho, 1).ID}); !errors.Is(err, ErrInvalid) {
		t.Errorf("a purchase without credit: %v", err)
	}
}

// Clause 2: an exclusion ends when somebody lifts it, with a reason and a paper, and never otherwise.
func TestAnExclusionIsLiftedByAPaperOfItsOwn(t *testing.T) {
	f := newFloor(t)
	bought := f.buys(thandi, 1)
	done[wire.ImportDone](f, Exclude{because, wire.Exclusion{Reference: "R1", Kind: "self-excluded", IDNumber: thandi.IDNumber, Surname: "Dlamini", Given: "Thandi", BirthDate: born1980}})
	f.excludes("R2", "category", thandi.IDNumber)
	f.refused(identify(thandi), tournament.Excluded, 2)
	f.refused(LiftExclusion{because, "none", "L1", false}, tournament.UnknownExclusion, 0)
	if _, err := f.ask(LiftExclusion{because, "R1", "", false}); !errors.Is(err, ErrInvalid) {
		t.Errorf("without a paper: %v", err)
	}
	done[wire.Accepted](f, LiftExclusion{because, "R1", "L1", true})
	f.refused(LiftExclusion{because, "R1", "L1", true}, tournament.ExclusionLifted, 0)
	f.refused(identify(thandi), tournament.Excluded, 2) // by the other paper
	done[wire.Accepted](f, LiftExclusion{because, "R2", "L2", true})
	if who := f.meets(thandi); who.ID != bought.Person || len(who.Entries) != 0 {
		t.Errorf("got %+v", who) // the entry is held until it is decided
	}
	// A file that still has the paper bars nobody again.
	if again := f.imports(ImportExclusions{Rows: []wire.Exclusion{{Line: 2, Reference: "R1", Kind: "self-excluded", IDNumber: thandi.IDNumber}}}); again.Unchanged != 1 {
		t.Errorf("got %+v", again)
	}
	f.meets(thandi)
}

func TestALiftedExclusionLeavesTheDisqualificationUnlessItIsReinstated(t *testing.T) {
	f := newFloor(t)
	f.buys(thandi, 1)
	f.excludes("R1", "self-excluded", thandi.IDNumber)
	done[wire.Accepted](f, LiftExclusion{because, "R1", "L1", false})
	f.refused(identify(thandi), tournament.Disqualified, 2)
}
