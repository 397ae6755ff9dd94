package ledger

import (
	"slices"
	"testing"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// Clause 20: before the start the next free machine, and the old ticket still scans.
func TestAMachineThatFailsBeforeTheHeatIsReplacedAndTheTicketStillScans(t *testing.T) {
	f := newFloor(t)
	_, seat := f.seated(thandi)
	f.seated(sipho)
	done[wire.Accepted](f, MachineService{Machine: 1, Out: true, Operator: "tech", Reason: "frozen"})
	came := done[wire.Replaced](f, ReplaceSeat{because, seat.ID})
	if !came.Moved || came.Seat.Machine != 3 || came.Seat.ID != seat.ID {
		t.Errorf("got %+v", came)
	}
	if in := f.checksIn(seat, thandi); in.Machine != 3 {
		t.Errorf("got %+v", in)
	}
	seats, err := f.books.Seats(f.view, at13)
	if err != nil || len(seats) != 2 || seats[0].Machine != 2 || seats[1].Machine != 3 {
		t.Errorf("got %+v, %v", seats, err)
	}
}

// Clause 20: during the heat the first seat in a later heat, whatever the window says.
func TestAMachineThatFailsDuringTheHeatGivesASeatInALaterOne(t *testing.T) {
	f := newFloor(t)
	bought, seat := f.seated(thandi)
	next := done[wire.Seat](f, registration(bought.Person, at14)) // so that at14 is not the one
	f.checksIn(seat, thandi)
	f.starts(at13)
	came := done[wire.Replaced](f, ReplaceSeat{because, seat.ID})
	if came.Moved || came.Seat == nil || came.Seat.Heat != heatID(today, 15) || came.Seat.Machine != 1 || came.Seat.Ticket == seat.Ticket {
		t.Fatalf("got %+v", came)
	}
	if state := f.seatOf(seat.ID).State; state != tournament.SeatMalfunction {
		t.Errorf("the broken seat is %s", state)
	}
	if old, carries := f.entryOf(seat.Entry), f.entryOf(came.Seat.Entry); old.State != tournament.EntryReplaced ||
		carries.State != tournament.EntrySeated || !carries.Freed || carries.Purchase != old.Purchase {
		t.Errorf("got %+v and %+v", old, carries)
	}
	f.refused(ReplaceSeat{because, seat.ID}, tournament.SeatOver, 0)
	f.refused(EnterScore{By: pat, Seat: seat.ID, Points: 5}, tournament.SeatOver, 0)
	// The seat that carries it on goes through life as any other.
	done[wire.Accepted](f, CancelHeat{Heat: came.Seat.Heat, Why: "power"})
	if who := f.meets(thandi); len(who.Entries) != 1 || who.Entries[0].ID != came.Seat.Entry {
		t.Errorf("got %+v", who.Entries)
	}
	_ = next
}

func TestAMachineThatFailsInAFullHeatBeforeTheStartGivesASeatInALaterOne(t *testing.T) {
	f := newFloor(t)
	_, seat := f.seated(thandi)
	done[wire.Accepted](f, MachineService{Machine: 2, Out: true, Operator: "tech", Reason: "x"})
	done[wire.Accepted](f, MachineService{Machine: 3, Out: true, Operator: "tech", Reason: "x"})
	came := done[wire.Replaced](f, ReplaceSeat{because, seat.ID})
	if came.Moved || came.Seat.Heat != at14 {
		t.Errorf("got %+v", came)
	}
	if state := f.seatOf(seat.ID).State; state != tournament.SeatVoid {
		t.Errorf("got %s", state)
	}
}

// Clause 20: a refund where the player cannot be accommodated; the director authorises it, and the cashier pays.
func TestWithoutALaterHeatTheEntryWaitsForARefund(t *testing.T) {
	f := newFloor(t)
	f.now = today.AddDays(5).At(12, 0, johannesburg)
	last := heatID(today.AddDays(5), 20)
	bought := f.buys(thandi, 1)
	seat := done[wire.Seat](f, registration(bought.Person, last))
	f.checksIn(seat, thandi)
	f.starts(last)
	came := done[wire.Replaced](f, ReplaceSeat{because, seat.ID})
	if !came.Case || came.Seat != nil {
		t.Errorf("got %+v", came)
	}
	if e := f.entryOf(seat.Entry); e.State != tournament.EntryUnused || !e.Freed {
		t.Errorf("got %+v", e)
	}
	if open := f.cases(); !slices.Equal(open, []string{"no-replacement"}) {
		t.Errorf("cases %v", open)
	}
}

// Clause 20: by his own fault, the seat is disqualified and the buy-in forfeited; the tournament goes on for him.
func TestAPlayerAtFaultIsDisqualifiedFromTheSeatAlone(t *testing.T) {
	f := newFloor(t)
	bought, seat := f.seated(thandi)
	f.refused(DisqualifySeat{because, seat.ID}, tournament.SeatOver, 0)
	f.checksIn(seat, thandi)
	f.starts(at13)
	done[wire.Accepted](f, DisqualifySeat{because, seat.ID})
	done[wire.Accepted](f, DisqualifySeat{because, seat.ID})
	if state := f.entryOf(seat.Entry).State; state != tournament.EntryForfeited {
		t.Errorf("the entry is %s", state)
	}
	done[wire.Seat](f, registration(bought.Person, at14))
	// After a score the same, and the score leaves the ranking.
	_, scored := f.seated2(sipho, at14)
	f.checksIn(scored, sipho)
	f.starts(at14)
	f.scores(scored.ID, 500)
	done[wire.Accepted](f, DisqualifySeat{because, scored.ID})
	if ranked := f.ranking(tournament.Qualifying); len(ranked) != 0 {
		t.Errorf("got %+v", ranked)
	}
}

func TestAPlayerDisqualifiedFromTheTournamentLosesSeatsAndEntriesAndRank(t *testing.T) {
	f := newFloor(t)
	bought, seat := f.seated(thandi)
	f.checksIn(seat, thandi)
	f.starts(at13)
	f.scores(seat.ID, 700)
	done[wire.Accepted](f, DisqualifyPlayer{because, bought.Person})
	if ranked := f.ranking(tournament.Qualifying); len(ranked) != 0 {
		t.Errorf("got %+v", ranked)
	}
	f.refused(identify(thandi), tournament.Disqualified, 2)
	if state := f.entryOf(bought.Entries[1].ID).State; state != tournament.EntryHeld && f.entryOf(bought.Entries[0].ID).State != tournament.EntryHeld {
		t.Errorf("the unused entry is %s", state)
	}
	f.refused(DisqualifyPlayer{because, "nobody"}, tournament.UnknownPerson, 0)
}
