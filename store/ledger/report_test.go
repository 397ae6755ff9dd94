package ledger

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"reelkiosk/store/kv"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// givenAlone is a floor on which kiosk-1 gave a player a seat while it was cut off, and has not reported it.
func givenAlone(t *testing.T) (*floor, tournament.PersonID, wire.SeatReport) {
	t.Helper()
	f := newFloor(t, granting)
	f.enlists("kiosk-1", "kiosk-2")
	who := f.playerOf("kiosk-1", 2)
	report, err := f.alone("kiosk-1", f.asks("kiosk-1", 0), who, at14)
	if err != nil {
		t.Fatal(err)
	}
	return f, who, report
}

func (f *floor) reports(report wire.SeatReport) {
	f.Helper()
	doneAt[wire.Accepted](f, report.Kiosk, ReportSeat(report))
}

// seatOf returns a seat of the books.
func (f *floor) seatOf(id tournament.SeatID) *seat {
	f.Helper()
	held, err := loadSeat(f.view, id)
	if err != nil {
		f.Fatal(err)
	}
	return held
}

func (f *floor) entryOf(id tournament.EntryID) *entry {
	f.Helper()
	e, err := need[entry](f.view, join(prefixEntry, string(id)))
	if err != nil {
		f.Fatal(err)
	}
	return e
}

func TestAReportedSeatIsAsOneGivenOnline(t *testing.T) {
	f, who, report := givenAlone(t)
	f.now = f.now.Add(20 * time.Minute)
	f.reports(report)
	seats, err := f.books.Seats(f.view, at14)
	if err != nil || len(seats) != 1 {
		t.Fatalf("got %+v, %v", seats, err)
	}
	got := seats[0]
	if got.ID != report.Seat || got.Machine != 39 || got.Person != who || got.Ticket != string(report.Ticket) ||
		!got.Issued.Equal(noon) || got.Kiosk != "kiosk-1" || got.CopyState != tournament.CopyIntended {
		t.Errorf("got %+v", got)
	}
	if e := f.entryOf(report.Entry); e.State != tournament.EntrySeated || e.Seat != report.Seat {
		t.Errorf("got %+v", e)
	}
	if f.count(CaseOpened) != 0 {
		t.Errorf("cases: %v", f.cases())
	}
	before := len(f.events())
	f.reports(report) // under another key: exported and brought by hand
	if len(f.events()) != before {
		t.Error("a seat was recorded twice")
	}
	done[wire.Accepted](f, PrintOutcome{Ticket: string(report.Ticket), State: tournament.CopyPrinted, Kiosk: "kiosk-1"})
	if again := f.asks("kiosk-1", 1); len(machinesOf(again, at14)) != 2 || slices.Contains(machinesOf(again, at14), 39) {
		t.Errorf("machine 39 was given, and granted are %v", machinesOf(again, at14))
	}
}

func TestReportsAreRecordedWhateverHasHappenedSince(t *testing.T) {
	override := func(f *floor, who tournament.PersonID) {
		override := Override{Person: who, Operator: "pat", Why: "silent"}
		f.refusedAt("desk-1", override, tournament.TooSoon)
		f.now = f.now.Add(2 * time.Minute)
		doneAt[wire.Accepted](f, "desk-1", override)
	}
	cases := []struct {
		name      string
		meanwhile func(f *floor, who tournament.PersonID)
		kinds     []string
		seat      tournament.SeatState
		entry     tournament.EntryState
	}{
		{"nothing", func(*floor, tournament.PersonID) {}, nil, tournament.SeatIssued, tournament.EntrySeated},
		{"the player was excluded", func(f *floor, who tournament.PersonID) {
			exclude(f, who)
		}, []string{"excluded-meanwhile", "excluded-meanwhile"}, tournament.SeatVoid, tournament.EntryHeld},
		{"the player was excluded, and the heat is on", func(f *floor, who tournament.PersonID) {
			exclude(f, who)
			f.now = f.now.Add(2 * time.Hour)
		}, []string{"excluded-meanwhile", "excluded-meanwhile"}, tournament.SeatIssued, tournament.EntryHeld},
		{"the heat was cancelled", func(f *floor, _ tournament.PersonID) {
			done[wire.Accepted](f, CancelHeat{Heat: at14, Why: "power"})
		}, []string{"heat-cancelled"}, tournament.SeatVoid, tournament.EntryUnused},
		{"the heat was moved", func(f *floor, _ tournament.PersonID) {
			done[wire.Accepted](f, MoveHeat{Heat: at14, Start: noon.Add(150 * time.Minute), Why: "late band"})
		}, []string{"heat-moved"}, tournament.SeatIssued, tournament.EntrySeated},
		{"the machine went out of service", func(f *floor, _ tournament.PersonID) {
			done[wire.Accepted](f, MachineService{Machine: 39, Out: true, Operator: "tech", Reason: "door"})
		}, []string{"machine-out-of-service"}, tournament.SeatIssued, tournament.EntrySeated},
		{"a host spent the entry in another heat", func(f *floor, who tournament.PersonID) {
			override(f, who)
			doneAt[wire.Seat](f, "desk-1", registration(who, at20))
		}, []string{"given-twice"}, tournament.SeatIssued, tournament.EntrySeated},
		{"a host gave a seat in the same heat", func(f *floor, who tournament.PersonID) {
			override(f, who)
			doneAt[wire.Seat](f, "desk-1", registration(who, at14))
		}, []string{"given-twice"}, tournament.SeatIssued, tournament.EntrySeated},
		{"its grants were ended and its machine given to others", func(f *floor, _ tournament.PersonID) {
			f.now = f.now.Add(2 * time.Minute)
			doneAt[wire.Accepted](f, "desk-1", EndGrants{Kiosk: "kiosk-1", Why: "fell over"})
			for range 40 {
				doneAt[wire.Seat](f, "desk-1", registration(f.playerOf("kiosk-1", 1), at14))
			}
		}, []string{"given-twice"}, tournament.SeatIssued, tournament.EntrySeated},
		{"its grants were ended and nobody has the machine", func(f *floor, _ tournament.PersonID) {
			f.now = f.now.Add(2 * time.Minute)
			doneAt[wire.Accepted](f, "desk-1", EndGrants{Kiosk: "kiosk-1", Why: "fell over"})
		}, nil, tournament.SeatIssued, tournament.EntrySeated},
		{"its grants were ended and its machine granted to another kiosk", func(f *floor, _ tournament.PersonID) {
			f.now = f.now.Add(2 * time.Minute)
			doneAt[wire.Accepted](f, "desk-1", EndGrants{Kiosk: "kiosk-1", Why: "fell over"})
			f.asks("kiosk-2", 0) // which sees by the feed that it is taken
		}, nil, tournament.SeatIssued, tournament.EntrySeated},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f, who, report := givenAlone(t)
			c.meanwhile(f, who)
			f.reports(report)
			if got := f.cases(); !slices.Equal(got, c.kinds) {
				t.Errorf("cases %v, want %v", got, c.kinds)
			}
			if got := f.seatOf(report.Seat).State; got != c.seat {
				t.Errorf("the seat is %s, want %s", got, c.seat)
			}
			if got := f.entryOf(report.Entry).State; got != c.entry {
				t.Errorf("the entry is %s, want %s", got, c.entry)
			}
			if id, err := name[tournament.SeatID](f.view, join(prefixTicket, string(report.Ticket))); id != report.Seat || err != nil {
				t.Errorf("the ticket leads to %q, %v", id, err)
			}
		})
	}
}

// exclude excludes a player of playerOf, whose number follows from the name.
func exclude(f *floor, who tournament.PersonID) {
	f.Helper()
	known, err := (&state{f.books, f.view}).identity(who)
	if err != nil {
		f.Fatal(err)
	}
	f.imports(ImportExclusions{Rows: []wire.Exclusion{{Reference: "R-1", Kind: "self-excluded", IDNumber: known.IDNumber}}})
}

func TestASeatGivenTwiceKeepsToItselfWhenItIsVoid(t *testing.T) {
	f, who, report := givenAlone(t)
	f.now = f.now.Add(2 * time.Minute)
	f.refusedAt("desk-1", Override{Person: who, Operator: "pat", Why: "silent"}, tournament.TooSoon)
	f.now = f.now.Add(2 * time.Minute)
	doneAt[wire.Accepted](f, "desk-1", Override{Person: who, Operator: "pat", Why: "silent"})
	first := doneAt[wire.Seat](f, "desk-1", registration(who, at14))
	f.reports(report)
	detail := func() string {
		all, err := f.books.Cases(f.view)
		if err != nil || len(all) != 1 {
			t.Fatalf("got %+v, %v", all, err)
		}
		return all[0].Detail
	}()
	for _, want := range []string{string(first.ID), string(report.Seat), `"kiosk":"kiosk-1"`, `"overridden":true`, string(report.Entry)} {
		if !strings.Contains(detail, want) {
			t.Errorf("the evidence %s lacks %s", detail, want)
		}
	}
	exclude(f, who)
	if e := f.entryOf(first.Entry); e.State != tournament.EntryHeld {
		t.Errorf("got %+v", e)
	}
	if s := f.seatOf(first.ID); s.State != tournament.SeatVoid {
		t.Errorf("the first seat is %s", s.State)
	}
}

func TestAPlayerWhoseEntryWasSpentTwiceIsExcluded(t *testing.T) {
	f, who, report := givenAlone(t)
	f.refusedAt("desk-1", Override{Person: who, Operator: "pat", Why: "silent"}, tournament.TooSoon)
	f.now = f.now.Add(2 * time.Minute)
	doneAt[wire.Accepted](f, "desk-1", Override{Person: who, Operator: "pat", Why: "silent"})
	first := doneAt[wire.Seat](f, "desk-1", registration(who, at20))
	f.reports(report)
	exclude(f, who)
	for _, id := range []tournament.SeatID{first.ID, report.Seat} {
		if s := f.seatOf(id); s.State != tournament.SeatVoid {
			t.Errorf("seat %s is %s", id, s.State)
		}
	}
	if e := f.entryOf(first.Entry); first.Entry != report.Entry || e.State != tournament.EntryHeld {
		t.Errorf("got %+v", e)
	}
}

func TestReportsThatCannotBeOfTheseBooks(t *testing.T) {
	f, _, report := givenAlone(t)
	for name, edit := range map[string]func(*wire.SeatReport){
		"another kiosk's":   func(r *wire.SeatReport) { r.Kiosk = "kiosk-2" },
		"an unknown heat":   func(r *wire.SeatReport) { r.Heat = "qualifying-1999-01-01-1" },
		"an unknown person": func(r *wire.SeatReport) { r.Person = "nobody" },
		"an unknown entry":  func(r *wire.SeatReport) { r.Entry = "none" },
		"no machine":        func(r *wire.SeatReport) { r.Machine = 999 },
		"no ticket number":  func(r *wire.SeatReport) { r.Ticket = "ABC" },
		"no way":            func(r *wire.SeatReport) { r.By = "guess" },
	} {
		wrong := report
		edit(&wrong)
		if _, err := f.at("kiosk-1", ReportSeat(wrong)); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// A kiosk that is cut off refuses for the same reasons as central, and for those of grants and homes.
func TestWhatAKioskThatIsCutOffRefuses(t *testing.T) {
	f := newFloor(t, granting)
	f.enlists("kiosk-1", "kiosk-2")
	who, other := f.playerOf("kiosk-1", 3), f.playerOf("kiosk-2", 1)
	poor := f.meets(thandi).ID
	doneAt[wire.Seat](f, "kiosk-1", registration(who, at13))
	grant := f.asks("kiosk-1", 0)
	view := kv.NewOverlay(f.view)
	by := Alone{Kiosk: "kiosk-1", Grant: &grant, Gone: func(tournament.TicketNumber) bool { return false }}
	ask := func(edit func(*Register, *Request)) error {
		act := registration(who, at14)
		request := f.request(act)
		if edit != nil {
			edit(&act, &request)
		}
		request.Act = act
		_, _, err := f.books.SeatAlone(view, request, by)
		return err
	}
	cases := []struct {
		name string
		edit func(*Register, *Request)
		want tournament.Reason
	}{
		{"a player of another home", func(a *Register, _ *Request) { a.Person = other }, tournament.NotHome},
		{"a stranger", func(a *Register, _ *Request) { a.Person = "nobody" }, tournament.UnknownPerson},
		{"a second seat in the heat", func(a *Register, _ *Request) { a.Heat = at13 }, tournament.AlreadySeated},
		{"the rules not accepted", func(a *Register, _ *Request) { a.Rules = "rules-0" }, tournament.NotAccepted},
		{"not declared", func(a *Register, _ *Request) { a.Declared = false }, tournament.NotDeclared},
		{"before it opens", func(a *Register, _ *Request) { a.Heat = heatID(today.AddDays(1), 20) }, tournament.NotOpen},
		{"no such heat", func(a *Register, _ *Request) { a.Heat = "none" }, tournament.UnknownHeat},
		{"within the margin", func(_ *Register, r *Request) { r.At = noon.Add(110 * time.Minute) }, tournament.BlockUsed},
		{"after closing", func(_ *Register, r *Request) { r.At = noon.Add(115 * time.Minute) }, tournament.Closed},
		{"a heat of which it has nothing", func(a *Register, r *Request) {
			a.Heat, r.At = heatID(today.AddDays(1), 13), noon.Add(time.Hour)
		}, tournament.BlockUsed},
	}
	for _, c := range cases {
		if got := reasonOfError(ask(c.edit)); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	if poorHome := homeOf([]string{"kiosk-1", "kiosk-2"}, poor); poorHome == "kiosk-1" {
		if got := reasonOfError(ask(func(a *Register, _ *Request) { a.Person = poor })); got != tournament.NoEntries {
			t.Errorf("without entries: got %q", got)
		}
	}
	// Both machines of its block, to two of its own.
	second := f.playerOf("kiosk-1", 1)
	if err := errors.Join(ask(nil), ask(func(a *Register, _ *Request) { a.Person = second })); err != nil {
		t.Error(err)
	}
	third := f.playerOf("kiosk-1", 1)
	if got := reasonOfError(ask(func(a *Register, _ *Request) { a.Person = third })); got != tournament.BlockUsed {
		t.Errorf("a third machine of two: got %q", got)
	}
	if got := reasonOfError(ask(nil)); got != tournament.AlreadySeated {
		t.Errorf("the same player again: got %q", got)
	}
	before := view.Batch().Len()
	exclude(f, who)
	if got := reasonOfError(ask(func(a *Register, _ *Request) { a.Heat = at20 })); got != tournament.Excluded {
		t.Errorf("excluded: got %q", got)
	}
	if view.Batch().Len() != before {
		t.Error("a refusal wrote something")
	}
}

// A kiosk starts again and lays what it gave over its copy, whatever the copy has learnt meanwhile.
func TestSeatsAreLaidOverACopy(t *testing.T) {
	f, who, report := givenAlone(t)
	view := kv.NewOverlay(f.view)
	for range 2 {
		if err := f.books.Lay(view, &report); err != nil {
			t.Fatal(err)
		}
	}
	if held, err := name[tournament.SeatID](view, seatedKey(who, at14)); held != report.Seat || err != nil {
		t.Errorf("got %q, %v", held, err)
	}
	f.now = f.now.Add(2 * time.Minute)
	doneAt[wire.Accepted](f, "desk-1", EndGrants{Kiosk: "kiosk-1", Why: "fell over"})
	first := doneAt[wire.Seat](f, "desk-1", registration(who, at14))
	view = kv.NewOverlay(f.view)
	if err := f.books.Lay(view, &report); err != nil {
		t.Fatal(err)
	}
	if held, err := name[tournament.SeatID](view, seatedKey(who, at14)); held != first.ID || err != nil {
		t.Errorf("got %q, %v", held, err)
	}
	f.reports(report)
	if has, err := HasSeat(f.view, report.Seat); !has || err != nil {
		t.Errorf("got %v, %v", has, err)
	}
	if ended, err := f.books.GrantsEnded(f.view, "kiosk-1"); ended != 1 || err != nil {
		t.Errorf("grants ended up to %d, %v", ended, err)
	}
}
