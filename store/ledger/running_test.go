package ledger

import (
	"errors"
	"slices"
	"testing"
	"time"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// at13Start is when the heat at 13:00 starts.
var at13Start = today.At(13, 0, johannesburg)

// starts starts a heat at its time with everybody who is not checked in marked absent.
func (f *floor) starts(id tournament.HeatID) wire.Started {
	f.Helper()
	now, _, err := f.books.heat(f.view, id)
	if err != nil {
		f.Fatal(err)
	}
	if f.now.Before(now.Heat.Start) {
		f.now = now.Heat.Start
	}
	var absent []tournament.SeatID
	err = eachSeat(f.view, id, func(id tournament.SeatID, held *seat) {
		if held.State == tournament.SeatIssued {
			absent = append(absent, id)
		}
	})
	if err != nil {
		f.Fatal(err)
	}
	return done[wire.Started](f, StartHeat{By: pat, Heat: id, Absent: absent})
}

func TestAHeatIsStartedByAHostOnceEachMissingSeatIsMarked(t *testing.T) {
	f := newFloor(t)
	_, first := f.seated(thandi)
	_, second := f.seated(sipho)
	f.printed(second)
	f.checksIn(first, thandi)
	start := StartHeat{By: pat, Heat: at13, Absent: []tournament.SeatID{second.ID}}
	f.refused(start, tournament.StartsLater, 22)
	f.now = at13Start.Add(2 * time.Minute)
	f.refused(StartHeat{By: pat, Heat: at13}, tournament.SeatsUnmarked, 22)
	f.refused(StartHeat{By: pat, Heat: at13, Absent: []tournament.SeatID{first.ID, second.ID}}, tournament.SeatsUnmarked, 22)
	if _, err := f.ask(StartHeat{By: pat, Heat: at13, Absent: start.Absent, Present: start.Absent}); !errors.Is(err, ErrInvalid) {
		t.Errorf("marked twice: %v", err)
	}
	came := done[wire.Started](f, start)
	if !slices.Equal(came.Forfeited, start.Absent) || len(came.Cases) != 0 || came.Run != 1 {
		t.Errorf("got %+v", came)
	}
	if state := f.entryOf(second.Entry).State; state != tournament.EntryForfeited {
		t.Errorf("the absent player's entry is %s", state)
	}
	f.refused(start, tournament.HeatStarted, 22)
	heats, err := f.books.Heats(f.view, at13Start, 1)
	if err != nil || heats[0].State != "started" || heats[0].Free != 0 {
		t.Errorf("got %+v, %v", heats, err)
	}
}

// Clause 22: who has no ticket for certain is no no-show.
func TestAnAbsentHolderWithoutAConfirmedTicketIsACase(t *testing.T) {
	f := newFloor(t)
	_, seat := f.seated(thandi)
	done[wire.Accepted](f, PrintOutcome{Ticket: seat.Ticket, State: tournament.CopyUnconfirmed})
	if came := f.starts(at13); len(came.Forfeited) != 0 || !slices.Equal(came.Cases, []tournament.SeatID{seat.ID}) {
		t.Errorf("got %+v", came)
	}
	if open := f.cases(); !slices.Equal(open, []string{"print-unconfirmed"}) {
		t.Errorf("cases %v", open)
	}
	done[wire.Accepted](f, DecideSeat{Decision: because, Seat: seat.ID, Free: true})
	if e := f.entryOf(seat.Entry); e.State != tournament.EntryUnused || !e.Freed {
		t.Errorf("got %+v", e)
	}
	f.refused(DecideSeat{Decision: because, Seat: seat.ID}, tournament.SeatOver, 0)
}

func TestADirectorForfeitsASeatThatWasACase(t *testing.T) {
	f := newFloor(t)
	_, seat := f.seated(thandi)
	f.refused(DecideSeat{Decision: because, Seat: seat.ID}, tournament.HeatNotStarted, 0)
	f.starts(at13)
	done[wire.Accepted](f, DecideSeat{Decision: because, Seat: seat.ID})
	if state := f.entryOf(seat.Entry).State; state != tournament.EntryForfeited {
		t.Errorf("got %s", state)
	}
}

func TestWhoWasMarkedPresentIsCheckedInAfterTheStart(t *testing.T) {
	f := newFloor(t)
	_, seat := f.seated(thandi)
	f.now = at13Start
	done[wire.Started](f, StartHeat{By: pat, Heat: at13, Present: []tournament.SeatID{seat.ID}})
	f.checksIn(seat, thandi)
	f.refused(UndoCheckIn{pat, seat.ID}, tournament.HeatStarted, 22)
}

func TestAHeatIsHeldCalledStartedAndFinished(t *testing.T) {
	f := newFloor(t)
	bought := f.buys(thandi, 2)
	done[wire.Accepted](f, HoldHeat{Decision: because, Heat: at13, Hold: true})
	f.refused(registration(bought.Person, at13), tournament.HeatHeld, 10)
	f.refused(CallHeat{By: pat, Heat: at13}, tournament.HeatHeld, 10)
	f.refused(StartHeat{By: pat, Heat: at13}, tournament.HeatHeld, 10)
	if heats, err := f.books.Heats(f.view, at13Start, 1); err != nil || heats[0].State != "held" {
		t.Errorf("got %+v, %v", heats, err)
	}
	done[wire.Accepted](f, HoldHeat{Decision: because, Heat: at13})
	seat := done[wire.Seat](f, registration(bought.Person, at13))
	f.refused(FinishHeat{By: pat, Heat: at13}, tournament.HeatNotStarted, 0)
	f.refused(RestartHeat{because, at13}, tournament.HeatNotStarted, 0)
	done[wire.Accepted](f, CallHeat{By: pat, Heat: at13})
	f.refused(CallHeat{By: pat, Heat: heatID(today.AddDays(3), 10)}, tournament.NotOpen, 11)
	f.checksIn(seat, thandi)
	f.starts(at13)
	f.refused(HoldHeat{Decision: because, Heat: at13, Hold: true}, tournament.HeatStarted, 22)
	f.refused(MoveHeat{Heat: at13, Start: at13Start.Add(30 * time.Minute), Why: "x"}, tournament.HeatGone, 10)
	done[wire.Accepted](f, FinishHeat{By: pat, Heat: at13})
	events := len(f.events())
	done[wire.Accepted](f, FinishHeat{By: pat, Heat: at13})
	if len(f.events()) != events {
		t.Error("a heat was finished twice")
	}
	f.refused(CancelHeat{Heat: at13, Why: "x"}, tournament.HeatGone, 10)
	f.refused(CheckIn{By: pat, Heat: at13, Ticket: seat.Ticket, Presence: seen}, tournament.HeatGone, 10)
	f.refused(CancelSeat{because, seat.ID}, tournament.SeatOver, 0)
}

// Clause 20: a system that fails restarts the heat; what the broken run earned is kept, and does not count.
func TestARestartedHeatKeepsTheScoresOfTheBrokenRunAndCountsTheNext(t *testing.T) {
	f := newFloor(t)
	_, seat := f.seated(thandi)
	f.checksIn(seat, thandi)
	f.starts(at13)
	f.scores(seat.ID, 900)
	done[wire.Accepted](f, RestartHeat{because, at13})
	if ranked := f.ranking(tournament.Qualifying); len(ranked) != 0 {
		t.Errorf("the broken run is ranked: %+v", ranked)
	}
	if held := f.seatOf(seat.ID); held.State != tournament.SeatCheckedIn || f.entryOf(seat.Entry).State != tournament.EntrySeated {
		t.Errorf("got %s", held.State)
	}
	f.scores(seat.ID, 100)
	if ranked := f.ranking(tournament.Qualifying); len(ranked) != 1 || ranked[0].Points != 100 {
		t.Errorf("got %+v", ranked)
	}
	typed, err := f.books.Scores(f.view, "", 10)
	if err != nil || len(typed) != 2 || typed[0].Points != 900 || typed[0].Stands || typed[0].Run != 1 || !typed[1].Stands || typed[1].Run != 2 {
		t.Errorf("got %+v, %v", typed, err)
	}
}

func TestAPostponedHeatKeepsItsSeatsAndTheirEntriesDoNotExpire(t *testing.T) {
	f := newFloor(t)
	_, seat := f.seated(thandi)
	_, absent := f.seated(sipho)
	f.printed(absent)
	f.checksIn(seat, thandi)
	f.starts(at13)
	f.scores(seat.ID, 900)
	later := today.AddDays(4).At(9, 0, johannesburg)
	f.now = f.now.Add(10 * time.Minute)
	came := done[wire.Affected](f, PostponeHeat{because, at13, later})
	if len(came.Seats) != 0 { // it was played, so nobody was waiting
		t.Errorf("got %+v", came)
	}
	held := f.seatOf(seat.ID)
	if held.State != tournament.SeatIssued || !held.CheckedIn.IsZero() || !f.entryOf(seat.Entry).Freed {
		t.Errorf("got %+v", held)
	}
	if state := f.seatOf(absent.ID).State; state != tournament.SeatForfeited {
		t.Errorf("who had been absent is %s", state)
	}
	f.now = later
	f.checksIn(seat, thandi)
	if came := f.starts(at13); came.Run != 2 {
		t.Errorf("got %+v", came)
	}
	f.refused(PostponeHeat{because, at14, later.Add(5 * time.Minute)}, tournament.HeatsOverlap, 11)
	for name, wrong := range map[string]PostponeHeat{
		"into the past": {because, at14, f.now.Add(-time.Hour)}, "by months": {because, at14, later.AddDate(0, 3, 0)},
	} {
		if _, err := f.ask(wrong); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Clause 10: who is concerned by a move is listed, with what stands against the new time.
func TestWhoIsAffectedByAMoveIsListedWithTheClashes(t *testing.T) {
	f := newFloor(t)
	bought, seat := f.seated(thandi)
	done[wire.Seat](f, registration(bought.Person, at14))
	_, other := f.seated(sipho)
	affected, err := f.books.Affected(f.view, at13, today.At(14, 10, johannesburg))
	if err != nil || len(affected.Seats) != 2 {
		t.Fatalf("got %+v, %v", affected, err)
	}
	if got := affected.Seats[0]; got.Seat != seat.ID || !slices.Equal(got.Clashes, []tournament.HeatID{at14}) || got.Window {
		t.Errorf("got %+v", got)
	}
	if got := affected.Seats[1]; got.Seat != other.ID || got.Clashes != nil {
		t.Errorf("got %+v", got)
	}
	affected, err = f.books.Affected(f.view, at13, today.AddDays(3).At(14, 10, johannesburg))
	if err != nil || !affected.Seats[0].Window || affected.Seats[0].Clashes != nil {
		t.Errorf("got %+v, %v", affected, err)
	}
	if affected, err = f.books.Affected(f.view, at13, time.Time{}); err != nil || len(affected.Seats) != 2 {
		t.Errorf("got %+v, %v", affected, err)
	}
}

func TestAnAddedHeatIsPlayedLikeAnyOther(t *testing.T) {
	f := newFloor(t)
	bought := f.buys(thandi, 2)
	start := today.At(13, 30, johannesburg)
	added := done[wire.Heat](f, AddHeat{Decision: because, Stage: tournament.Qualifying, Start: start, Size: 2})
	if added.ID != "qualifying-2026-11-30-12" || added.Number != 12 || added.Size != 2 || !added.Start.Equal(start) {
		t.Errorf("got %+v", added)
	}
	if again := done[wire.Heat](f, AddHeat{Decision: because, Stage: tournament.Qualifying, Start: today.At(13, 45, johannesburg)}); again.Number != 13 || again.Size != 3 {
		t.Errorf("got %+v", again)
	}
	heats, err := f.books.Heats(f.view, at13Start, 4)
	if err != nil || heats[1].ID != added.ID || heats[2].Number != 13 || heats[3].ID != at14 {
		t.Errorf("got %+v, %v", heats, err)
	}
	seat := done[wire.Seat](f, registration(bought.Person, added.ID))
	done[wire.Accepted](f, MoveHeat{Heat: added.ID, Start: today.At(15, 30, johannesburg), Why: "x"})
	if who := f.meets(thandi); len(who.Seats) != 1 || who.Seats[0].ID != seat.ID || who.Seats[0].Start.Hour() != 15 {
		t.Errorf("got %+v", who.Seats)
	}
	f.refused(AddHeat{Decision: because, Stage: tournament.Qualifying, Start: today.At(15, 40, johannesburg)}, tournament.HeatsOverlap, 11)
	for name, wrong := range map[string]AddHeat{
		"in the past":    {Stage: tournament.Qualifying, Start: f.now.Add(-time.Hour)},
		"of no stage":    {Stage: tournament.Final, Start: start.Add(100 * time.Hour)},
		"of fifty seats": {Stage: tournament.Qualifying, Start: today.At(18, 30, johannesburg), Size: 50},
	} {
		wrong.Decision = because
		if _, err := f.ask(wrong); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
