package ledger

import (
	"errors"
	"slices"
	"testing"
	"time"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

func TestHeatsAreListedWithTheirFill(t *testing.T) {
	f := newFloor(t)
	f.seated(thandi)
	done[wire.Accepted](f, MachineService{Machine: 3, Out: true, Operator: "tech", Reason: "door"})
	heats, err := f.books.Heats(f.view, f.now, 2)
	if err != nil || len(heats) != 2 {
		t.Fatalf("got %+v, %v", heats, err)
	}
	noon, next := heats[0], heats[1]
	if noon.ID != heatID(today, 12) || noon.Size != 2 || noon.Free != 2 || noon.Machines != [2]int{1, 3} || noon.Place != "Main floor" {
		t.Errorf("got %+v", noon)
	}
	if next.ID != at13 || next.Number != 4 || next.Free != 1 || next.State != "scheduled" || !next.Closes.Equal(next.Start.Add(-5*time.Minute)) {
		t.Errorf("got %+v", next)
	}
	if all, err := f.books.Heats(f.view, time.Time{}, 1000); err != nil || len(all) != 7*11+1 {
		t.Errorf("%d heats, %v", len(all), err)
	}
	if none, err := f.books.Heats(f.view, f.now, 0); err != nil || none == nil || len(none) != 0 {
		t.Errorf("got %v, %v", none, err)
	}
}

func TestMachineComesBackIntoService(t *testing.T) {
	f := newFloor(t, func(d *tournament.Tournament) { d.Machines[0].OutOfService = true })
	bought := f.buys(thandi, 3)
	if seat := done[wire.Seat](f, registration(bought.Person, at13)); seat.Machine != 2 {
		t.Errorf("out of service by definition: got machine %d, want 2", seat.Machine)
	}
	back := MachineService{Machine: 1, Operator: "tech", Reason: "repaired"}
	done[wire.Accepted](f, back)
	events := len(f.events())
	done[wire.Accepted](f, back) // it is in service already
	if len(f.events()) != events {
		t.Error("what was so already left an event")
	}
	if seat := done[wire.Seat](f, registration(bought.Person, at14)); seat.Machine != 1 {
		t.Errorf("back in service: got machine %d, want 1", seat.Machine)
	}
	for _, wrong := range []MachineService{{Machine: 99, Out: true, Reason: "x"}, {Machine: 1, Out: true}} {
		if _, err := f.ask(wrong); !errors.Is(err, ErrInvalid) {
			t.Errorf("%+v: got %v", wrong, err)
		}
	}
}

func TestMachineOutOfServiceWithSeatsIsACase(t *testing.T) {
	f := newFloor(t)
	f.seated(thandi)
	done[wire.Accepted](f, MachineService{Machine: 2, Out: true, Operator: "tech", Reason: "door"})
	if open := f.cases(); len(open) != 0 {
		t.Errorf("open cases: %v", open)
	}
	done[wire.Accepted](f, MachineService{Machine: 1, Out: true, Operator: "tech", Reason: "door"})
	if open := f.cases(); !slices.Equal(open, []string{"machine-out-of-service"}) {
		t.Errorf("open cases: %v", open)
	}
}

func TestCancelledHeatFreesItsEntries(t *testing.T) {
	f := newFloor(t)
	bought, seat := f.seated(thandi)
	done[wire.Accepted](f, CancelHeat{Heat: at13, Why: "power cut"})
	events := len(f.events())
	done[wire.Accepted](f, CancelHeat{Heat: at13, Why: "again"})
	if len(f.events()) != events {
		t.Error("a heat was cancelled twice")
	}
	who := f.meets(thandi)
	if len(who.Entries) != 2 || len(who.Seats) != 0 {
		t.Fatalf("got %+v", who)
	}
	// What was not freed is used first; what was freed does not expire.
	other := done[wire.Seat](f, registration(bought.Person, at14))
	if other.Entry == seat.Entry {
		t.Error("the freed entry was used first")
	}
	f.now = f.now.Add(100 * time.Hour)
	late := done[wire.Seat](f, registration(bought.Person, heatID(today.AddDays(4), 18)))
	if late.Entry != seat.Entry {
		t.Errorf("got entry %s, want the freed one", late.Entry)
	}
	if seats, err := f.books.Seats(f.view, at13); err != nil || len(seats) != 0 {
		t.Errorf("the cancelled heat: %+v, %v", seats, err)
	}
	heats, err := f.books.Heats(f.view, noon.Add(time.Hour), 1)
	if err != nil || heats[0].State != "cancelled" || heats[0].Free != 0 {
		t.Errorf("got %+v, %v", heats, err)
	}
}

func TestMovedHeat(t *testing.T) {
	f := newFloor(t)
	bought, seat := f.seated(thandi)
	to := time.Date(2026, 11, 30, 16, 30, 0, 0, johannesburg)
	done[wire.Accepted](f, MoveHeat{Heat: at13, Start: to, Why: "late delivery"})
	if open := f.cases(); !slices.Equal(open, []string{"heat-moved"}) {
		t.Errorf("open cases: %v", open)
	}
	heats, err := f.books.Heats(f.view, f.now.Add(time.Minute), 5)
	if err != nil {
		t.Fatal(err)
	}
	var order []tournament.HeatID
	for _, one := range heats {
		order = append(order, one.ID)
	}
	if want := []tournament.HeatID{at14, heatID(today, 15), heatID(today, 16), at13, heatID(today, 17)}; !slices.Equal(order, want) {
		t.Errorf("got %v, want %v", order, want)
	}
	// The seat stays with the heat, and registration goes by the new time.
	if who := f.meets(thandi); len(who.Seats) != 1 || who.Seats[0].ID != seat.ID || !who.Seats[0].Start.Equal(to) {
		t.Errorf("got %+v", who.Seats)
	}
	f.now = time.Date(2026, 11, 30, 16, 24, 0, 0, johannesburg)
	done[wire.Seat](f, registration(f.buys(sipho, 1).Person, at13))
	f.now = f.now.Add(time.Minute)
	f.refused(registration(bought.Person, at13), tournament.Closed, 11)
	// Clause 11: heats of the same machines never overlap.
	for _, start := range []time.Time{to.Add(10 * time.Minute).Add(20 * time.Minute), to.Add(40 * time.Minute)} {
		if _, err := f.ask(MoveHeat{Heat: heatID(today, 18), Start: start, Why: "x"}); !errors.Is(err, ErrInvalid) {
			t.Errorf("moved to %s: got %v", start, err)
		}
	}
	for name, wrong := range map[string]MoveHeat{
		"without a reason": {Heat: at20, Start: to.Add(24 * time.Hour)},
		"into the past":    {Heat: at20, Start: f.now.Add(-time.Hour), Why: "x"},
		"by two months":    {Heat: at20, Start: f.now.Add(60 * 24 * time.Hour), Why: "x"},
	} {
		if _, err := f.ask(wrong); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	f.refused(MoveHeat{Heat: "nowhere", Start: to, Why: "x"}, tournament.UnknownHeat, 0)
	f.refused(MoveHeat{Heat: heatID(today, 10), Start: to, Why: "x"}, tournament.HeatGone, 10)
	f.refused(CancelHeat{Heat: "nowhere", Why: "x"}, tournament.UnknownHeat, 0)
	f.refused(CancelHeat{Heat: heatID(today, 10), Why: "x"}, tournament.HeatGone, 10)
}

func TestSeatsOfAnUnknownHeat(t *testing.T) {
	f := newFloor(t)
	_, err := f.books.Seats(f.view, "nowhere")
	if refusal, is := errors.AsType[*tournament.Refusal](err); !is || refusal.Reason != tournament.UnknownHeat {
		t.Errorf("got %v", err)
	}
}

func TestSeatsAreListedWithPlayerAndKiosk(t *testing.T) {
	f := newFloor(t)
	bought, seat := f.seated(thandi)
	f.seated(sipho)
	seats, err := f.books.Seats(f.view, at13)
	if err != nil || len(seats) != 2 || seats[0].ID != seat.ID || seats[0].Person != bought.Person || seats[0].Kiosk != "kiosk-1" || seats[1].Machine != 2 {
		t.Errorf("got %+v, %v", seats, err)
	}
}
