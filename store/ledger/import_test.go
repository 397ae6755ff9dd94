package ledger

import (
	"errors"
	"slices"
	"testing"
	"time"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

func TestSameFileTwiceChangesNothing(t *testing.T) {
	exclusions := []wire.Exclusion{
		{Line: 2, Reference: "R1", Kind: "refusal-of-entry", IDNumber: "7001010001080", From: today},
		{Line: 3, Reference: "R2", Kind: "self-excluded", Surname: "Mokoena", Given: "Lerato", BirthDate: born1980, From: today},
		{Line: 4, Reference: "R3", Kind: "connected", Passport: "A123", Issuer: "ZAF", From: today},
	}
	purchases := []wire.PurchaseRecord{
		{Line: 2, Number: "T1", Kind: tournament.CashBuyIn, Seats: 2, At: noon.Add(-time.Hour), Card: "60010001"},
		{Line: 3, Number: "T2", Kind: tournament.PackageBuyIn, Package: "four", At: noon.Add(-time.Hour), IDNumber: thandi.IDNumber},
		{Line: 4, Number: "T3", Kind: tournament.Complimentary, At: noon.Add(-time.Hour), Passport: "B77", Issuer: "GBR"},
	}
	f := newFloor(t)
	for _, act := range []Act{
		ImportMembers{Rows: []wire.Member{naledi, jan}}, ImportExclusions{Rows: exclusions}, ImportPurchases{Rows: purchases},
	} {
		first := f.imports(act)
		if first.Added < 2 || first.Changed+first.Unchanged != 0 {
			t.Errorf("%T: got %+v", act, first)
		}
		events := len(f.events())
		again := f.imports(act)
		if again != (wire.ImportDone{Unchanged: first.Added}) {
			t.Errorf("%T again: got %+v", act, again)
		}
		if after := len(f.events()); after != events {
			t.Errorf("%T again left %d events", act, after-events)
		}
	}
	who := done[wire.Person](f, Identify{Card: "60010001"})
	if len(who.Entries) != 2 {
		t.Errorf("the member's purchase: %+v", who.Entries)
	}
	if who := f.meets(thandi); len(who.Entries) != 4 || !who.Entries[0].Ends.Equal(noon.Add(47*time.Hour)) {
		t.Errorf("the package: %+v", who.Entries)
	}
}

func TestMembersAreReplaced(t *testing.T) {
	f := newFloor(t)
	f.imports(ImportMembers{Rows: []wire.Member{naledi, jan}})
	changed := naledi
	changed.Cards = []string{"60010002", "60010003"}
	if sum := f.imports(ImportMembers{Rows: []wire.Member{changed, jan}}); sum != (wire.ImportDone{Changed: 1, Unchanged: 1}) {
		t.Errorf("got %+v", sum)
	}
	f.refused(identifyCard("60010001"), tournament.UnknownCard, 4)
	who := done[wire.Person](f, Identify{Card: "60010003"})
	// A card that went to another member is that member's.
	moved := jan
	moved.Cards, moved.Verified = []string{"60010003"}, true
	f.imports(ImportMembers{Rows: []wire.Member{moved}})
	if other := done[wire.Person](f, Identify{Card: "60010003"}); other.ID == who.ID || other.FirstName != "Jan" {
		t.Errorf("got %+v", other)
	}
	changed.Cards = []string{"60010002"}
	f.imports(ImportMembers{Rows: []wire.Member{changed}})
	if other := done[wire.Person](f, Identify{Card: "60010003"}); other.FirstName != "Jan" {
		t.Errorf("the card was dropped with its former member: %+v", other)
	}
	unverified := changed
	unverified.Verified = false
	f.imports(ImportMembers{Rows: []wire.Member{unverified}})
	f.refused(identifyCard("60010002"), tournament.Unverified, 4)
}

func TestRowsThatCannotBeTaken(t *testing.T) {
	purchase := wire.PurchaseRecord{Line: 7, Number: "T1", Kind: tournament.CashBuyIn, Seats: 1, At: noon, IDNumber: thandi.IDNumber}
	with := func(edit func(*wire.PurchaseRecord)) Act {
		row := purchase
		edit(&row)
		return ImportPurchases{Rows: []wire.PurchaseRecord{row}}
	}
	cases := []struct {
		name, column string
		set          func(*floor)
		act          Act
	}{
		{"a member without a number", "member_number", nil, ImportMembers{Rows: []wire.Member{{Line: 7, Number: " - "}}}},
		{"a card without a number", "cards", nil, ImportMembers{Rows: []wire.Member{{Line: 7, Number: "M1", Cards: []string{"-"}}}}},
		{"an exclusion of no kind", "kind", nil, ImportExclusions{Rows: []wire.Exclusion{{Line: 7, Reference: "R1", Kind: "possible", IDNumber: "1"}}}},
		{"an exclusion without a reference", "reference", nil, ImportExclusions{Rows: []wire.Exclusion{{Line: 7, Kind: "connected", IDNumber: "1"}}}},
		{"an exclusion of nobody", "", nil, ImportExclusions{Rows: []wire.Exclusion{{Line: 7, Reference: "R1", Kind: "connected", Surname: "Nkosi"}}}},
		{"an exclusion that names another number than before", "id_number", func(f *floor) { f.excludes("R1", "connected", "7001010001080") },
			ImportExclusions{Rows: []wire.Exclusion{{Line: 7, Reference: "R1", Kind: "connected", IDNumber: "7001010001098"}}}},
		{"an exclusion of another kind than before", "kind", func(f *floor) { f.excludes("R1", "connected", "7001010001080") },
			ImportExclusions{Rows: []wire.Exclusion{{Line: 7, Reference: "R1", Kind: "category", IDNumber: "7001010001080"}}}},
		{"a purchase without a number", "number", nil, with(func(r *wire.PurchaseRecord) { r.Number = "" })},
		{"a purchase in the future", "at", nil, with(func(r *wire.PurchaseRecord) { r.At = noon.Add(time.Hour) })},
		{"a purchase of no seats", "seats", nil, with(func(r *wire.PurchaseRecord) { r.Seats = 0 })},
		{"a package that is not on offer (clause 6)", "package", nil, with(func(r *wire.PurchaseRecord) { r.Kind, r.Package, r.Seats = tournament.PackageBuyIn, "x", 0 })},
		{"a package paid by card (clause 6)", "kind", nil, with(func(r *wire.PurchaseRecord) { r.Kind, r.Package, r.Seats = tournament.CardBuyIn, "four", 0 })},
		{"casino credit for nobody's member (clause 6)", "package", nil, with(func(r *wire.PurchaseRecord) { r.Kind, r.Package, r.Seats = tournament.PackageBuyIn, "gold", 0 })},
		{"a purchase of nobody", "", nil, with(func(r *wire.PurchaseRecord) { r.IDNumber = "" })},
		{"a purchase by an unknown card", "card", nil, with(func(r *wire.PurchaseRecord) { r.IDNumber, r.Card = "", "999" })},
		{"a purchase by the card of somebody unverified", "card", func(f *floor) { f.imports(ImportMembers{Rows: []wire.Member{jan}}) },
			with(func(r *wire.PurchaseRecord) { r.IDNumber, r.Card = "", "60020001" })},
		{"card and number of two people", "card", func(f *floor) { f.imports(ImportMembers{Rows: []wire.Member{naledi}}) },
			with(func(r *wire.PurchaseRecord) { r.Card = "60010001" })},
		{"a number that is no number", "id_number", nil, with(func(r *wire.PurchaseRecord) { r.IDNumber = "-" })},
		{"a number that stands for another purchase", "number", func(f *floor) { f.imports(with(func(*wire.PurchaseRecord) {})) },
			with(func(r *wire.PurchaseRecord) { r.Seats = 2 })},
		{"a number that stands for somebody else's purchase", "number", func(f *floor) { f.imports(with(func(*wire.PurchaseRecord) {})) },
			with(func(r *wire.PurchaseRecord) { r.IDNumber = sipho.IDNumber })},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := newFloor(t)
			if c.set != nil {
				c.set(f)
			}
			events := len(f.events())
			_, err := f.ask(c.act)
			refused, is := errors.AsType[*RowsError](err)
			if !is || len(refused.Problems) != 1 {
				t.Fatalf("got %v, want one faulty row", err)
			}
			if row := refused.Problems[0]; row.Line != 7 || row.Column != c.column || row.Reason == "" {
				t.Errorf("got %+v, want line 7, column %q", row, c.column)
			}
			if after := len(f.events()); after != events {
				t.Errorf("left %d events", after-events)
			}
		})
	}
}

func TestAllFaultyRowsAreNamedAndNothingIsDone(t *testing.T) {
	f := newFloor(t)
	rows := []wire.PurchaseRecord{
		{Line: 2, Number: "T1", Kind: tournament.CashBuyIn, Seats: 1, At: noon, IDNumber: thandi.IDNumber},
		{Line: 3, Number: "T2", Kind: tournament.CashBuyIn, Seats: 0, At: noon, IDNumber: thandi.IDNumber},
		{Line: 4, Number: "T3", Kind: tournament.CashBuyIn, Seats: 1, At: noon, Card: "unknown"},
	}
	_, err := f.ask(ImportPurchases{Rows: rows})
	refused, is := errors.AsType[*RowsError](err)
	if !is || len(refused.Problems) != 2 || refused.Problems[0].Line != 3 || refused.Problems[1].Line != 4 {
		t.Fatalf("got %v", err)
	}
	if err.Error() == "" || len(f.events()) != 0 {
		t.Errorf("%v; %d events", err, len(f.events()))
	}
	problems, err := f.books.CheckRows(f.view, f.now, wire.Rows{Purchases: rows, Members: []wire.Member{{Line: 9}}})
	if err != nil || len(problems) != 3 {
		t.Errorf("got %v, %v", problems, err)
	}
}

// A purchase made elsewhere is a fact, whoever made it; entries of somebody who may not take part are held.
func TestPurchaseOfSomebodyBarredIsHeld(t *testing.T) {
	f := newFloor(t)
	f.excludes("R1", "self-excluded", thandi.IDNumber)
	f.imports(ImportPurchases{Rows: []wire.PurchaseRecord{{
		Number: "T1", Kind: tournament.CashBuyIn, Seats: 2, At: noon, IDNumber: thandi.IDNumber,
	}}})
	if open := f.cases(); !slices.Equal(open, []string{"purchase-held"}) {
		t.Errorf("open cases: %v", open)
	}
	all, err := f.books.Entries(f.view, "", 10, f.now)
	if err != nil || len(all) != 2 || all[0].State != tournament.EntryHeld || all[1].State != tournament.EntryHeld {
		t.Errorf("got %+v, %v", all, err)
	}
}

func TestExclusionDuringTheTournament(t *testing.T) {
	f := newFloor(t)
	bought := f.buys(thandi, 3)
	first := done[wire.Seat](f, registration(bought.Person, at13))
	later := done[wire.Seat](f, registration(bought.Person, at14))
	// The heat at 13:00 is being played; the one at 14:00 is not.
	f.now = time.Date(2026, 11, 30, 13, 1, 0, 0, johannesburg)
	done[wire.Started](f, StartHeat{By: pat, Heat: at13, Present: []tournament.SeatID{first.ID}})
	f.excludes("R1", "refusal-of-entry", thandi.IDNumber)

	if seats, err := f.books.Seats(f.view, at13); err != nil || len(seats) != 1 || seats[0].State != tournament.SeatIssued {
		t.Errorf("the heat being played: %+v, %v", seats, err)
	}
	if seats, err := f.books.Seats(f.view, at14); err != nil || len(seats) != 0 {
		t.Errorf("the heat to come: %+v, %v", seats, err)
	}
	held, err := need[seat](f.view, join(prefixSeat, string(later.ID)))
	if err != nil || held.State != tournament.SeatVoid {
		t.Errorf("the seat: %+v, %v", held, err)
	}
	all, err := f.books.Entries(f.view, "", 10, f.now)
	if err != nil {
		t.Fatal(err)
	}
	states := map[tournament.EntryState]int{}
	for _, one := range all {
		states[one.State]++
	}
	if states[tournament.EntryHeld] != 2 || states[tournament.EntrySeated] != 1 {
		t.Errorf("entries: %v, want two held and one seated", states)
	}
	if open := f.cases(); !slices.Equal(open, []string{"excluded-meanwhile"}) {
		t.Errorf("open cases: %v", open)
	}
	// The machine is free for somebody else.
	if seat := done[wire.Seat](f, registration(f.buys(sipho, 1).Person, at14)); seat.Machine != 1 {
		t.Errorf("got machine %d, want 1", seat.Machine)
	}
}

func TestExclusionByPaperThatIsLearnedLater(t *testing.T) {
	f := newFloor(t)
	bought := f.buys(thandi, 1)
	f.imports(ImportExclusions{Rows: []wire.Exclusion{{Reference: "R1", Kind: "category", Passport: "P1", Issuer: "ZAF"}}})
	done[wire.Seat](f, registration(bought.Person, at13))
	more := wire.Exclusion{Reference: "R1", Kind: "category", IDNumber: thandi.IDNumber}
	if sum := f.imports(ImportExclusions{Rows: []wire.Exclusion{more}}); sum.Changed != 1 {
		t.Errorf("got %+v", sum)
	}
	f.refused(registration(bought.Person, at14), tournament.Excluded, 2)
	// A shorter file does not drop what bars somebody.
	if sum := f.imports(ImportExclusions{Rows: []wire.Exclusion{more}}); sum.Unchanged != 1 {
		t.Errorf("got %+v", sum)
	}
	passport := &wire.Document{Kind: "passport", Issuer: "ZA", Number: "P1", Surname: "X", Given: "Y", BirthDate: born1980}
	f.refused(identify(passport), tournament.Excluded, 2)
}

func TestRefusalOfEntryGoesBeforeConnected(t *testing.T) {
	f := newFloor(t)
	f.excludes("R1", "refusal-of-entry", thandi.IDNumber)
	f.excludes("R2", "connected", thandi.IDNumber)
	f.refused(identify(thandi), tournament.Excluded, 2)
}

func TestExclusionsThatConcernTheBooks(t *testing.T) {
	f := newFloor(t)
	f.imports(ImportMembers{Rows: []wire.Member{naledi}})
	f.meets(thandi)
	done[wire.Person](f, Identify{Card: "60010001"})
	f.excludes("R1", "category", "7001010001080")
	for _, c := range []struct {
		name string
		row  wire.Exclusion
		want bool
	}{
		{"a stranger", wire.Exclusion{Reference: "R9", Kind: "category", IDNumber: "6001010001081"}, false},
		{"somebody met", wire.Exclusion{Reference: "R9", Kind: "category", IDNumber: thandi.IDNumber}, true},
		{"a name and birth date met", wire.Exclusion{Reference: "R9", Kind: "category", Surname: "Dlamini", Given: "Thandi", BirthDate: born1980}, true},
		{"the card of somebody met", wire.Exclusion{Reference: "R9", Kind: "category", Card: "60010002"}, true},
		{"a paper in the books", wire.Exclusion{Reference: "R1", Kind: "category", IDNumber: "6001010001081"}, true},
	} {
		if got, err := f.books.Concerns(f.view, &c.row); got != c.want || err != nil {
			t.Errorf("%s: got %v, %v; want %v", c.name, got, err, c.want)
		}
	}
}
