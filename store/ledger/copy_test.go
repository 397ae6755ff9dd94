package ledger

import (
	"errors"
	"slices"
	"testing"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// Each row is a copy's reports one after another, and what is known of it in the end (design decision 5).
func TestPrintOutcomes(t *testing.T) {
	const printed, unconfirmed, lost = tournament.CopyPrinted, tournament.CopyUnconfirmed, tournament.CopyLost
	cases := []struct {
		name    string
		reports []tournament.CopyState
		want    tournament.CopyState
		// events are those of the reports that changed something, cases the open ones.
		events int
		cases  []string
	}{
		{"none", nil, tournament.CopyIntended, 0, nil},
		{"printed", []tournament.CopyState{printed}, printed, 1, nil},
		{"printed, reported twice", []tournament.CopyState{printed, printed}, printed, 1, nil},
		{"unconfirmed", []tournament.CopyState{unconfirmed}, unconfirmed, 1, nil},
		{"unconfirmed, and the printer's answer comes late", []tournament.CopyState{unconfirmed, printed}, printed, 2, nil},
		{"printed, and an older report comes late", []tournament.CopyState{printed, unconfirmed}, printed, 1, nil},
		{"lost", []tournament.CopyState{lost}, lost, 1, nil},
		{"lost, reported twice", []tournament.CopyState{lost, lost}, lost, 1, nil},
		{"unconfirmed is not lost: there may be paper", []tournament.CopyState{unconfirmed, lost}, unconfirmed, 1, nil},
		{"given up as lost, and yet printed: a case", []tournament.CopyState{lost, printed, printed}, lost, 2, []string{"copy-contradiction"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := newFloor(t)
			_, seat := f.seated(thandi)
			before := len(f.events())
			for _, state := range c.reports {
				done[wire.Accepted](f, PrintOutcome{Ticket: seat.Ticket, State: state, Reason: "said the printer", Kiosk: "kiosk-1"})
			}
			seats, err := f.books.Seats(f.view, at13)
			if err != nil || seats[0].CopyState != c.want {
				t.Errorf("got %s, %v; want %s", seats[0].CopyState, err, c.want)
			}
			if events := len(f.events()) - before; events != c.events {
				t.Errorf("%d events, want %d", events, c.events)
			}
			if open := f.cases(); !slices.Equal(open, c.cases) {
				t.Errorf("open cases %v, want %v", open, c.cases)
			}
		})
	}
}

func TestReprintVoidsEarlierCopiesOnceItIsPrinted(t *testing.T) {
	f := newFloor(t)
	bought, seat := f.seated(thandi)
	done[wire.Accepted](f, PrintOutcome{Ticket: seat.Ticket, State: tournament.CopyUnconfirmed})
	if who := f.meets(thandi); len(who.Unconfirmed) != 1 || who.Unconfirmed[0].ID != seat.ID {
		t.Fatalf("the unconfirmed seat is not offered: %+v", who.Unconfirmed)
	}
	second := done[wire.Seat](f, Reprint{Person: bought.Person, Seat: seat.ID, Kiosk: "kiosk-2"})
	if second.Copy != 2 || second.Ticket == seat.Ticket || second.CopyState != tournament.CopyIntended || second.Machine != seat.Machine {
		t.Fatalf("got %+v", second)
	}
	if states := copyStates(f, seat.ID); !slices.Equal(states, []tournament.CopyState{tournament.CopyUnconfirmed, tournament.CopyIntended}) {
		t.Errorf("before it is printed: %v", states)
	}
	done[wire.Accepted](f, PrintOutcome{Ticket: second.Ticket, State: tournament.CopyPrinted})
	if states := copyStates(f, seat.ID); !slices.Equal(states, []tournament.CopyState{tournament.CopyVoid, tournament.CopyPrinted}) {
		t.Errorf("after it is printed: %v", states)
	}
	// The first copy's late answer changes nothing any more.
	done[wire.Accepted](f, PrintOutcome{Ticket: seat.Ticket, State: tournament.CopyPrinted})
	if states := copyStates(f, seat.ID); states[0] != tournament.CopyVoid {
		t.Errorf("a void copy became %s", states[0])
	}
	if who := f.meets(thandi); len(who.Unconfirmed) != 0 {
		t.Errorf("still offered: %+v", who.Unconfirmed)
	}
}

// woocommerce-pos#1790: an old job's late 'done' while the reprint is on its way.
func TestLateAnswerOfTheFirstCopyWhileTheSecondPrints(t *testing.T) {
	f := newFloor(t)
	bought, seat := f.seated(thandi)
	done[wire.Accepted](f, PrintOutcome{Ticket: seat.Ticket, State: tournament.CopyUnconfirmed})
	second := done[wire.Seat](f, Reprint{Person: bought.Person, Seat: seat.ID})
	done[wire.Accepted](f, PrintOutcome{Ticket: seat.Ticket, State: tournament.CopyPrinted})
	if states := copyStates(f, seat.ID); !slices.Equal(states, []tournament.CopyState{tournament.CopyPrinted, tournament.CopyIntended}) {
		t.Errorf("got %v", states)
	}
	done[wire.Accepted](f, PrintOutcome{Ticket: second.Ticket, State: tournament.CopyPrinted})
	if states := copyStates(f, seat.ID); !slices.Equal(states, []tournament.CopyState{tournament.CopyVoid, tournament.CopyPrinted}) {
		t.Errorf("got %v", states)
	}
}

func TestCopyThatNeverStartedMayBePrintedAgain(t *testing.T) {
	f := newFloor(t)
	bought, seat := f.seated(thandi)
	ticket := seat.Ticket
	for copies := 2; copies <= 4; copies++ {
		done[wire.Accepted](f, PrintOutcome{Ticket: ticket, State: tournament.CopyLost})
		again := done[wire.Seat](f, Reprint{Person: bought.Person, Seat: seat.ID})
		if again.Copy != copies {
			t.Fatalf("got copy %d, want %d", again.Copy, copies)
		}
		ticket = again.Ticket
	}
	// It does not use up the reprint of a copy that may be on paper.
	done[wire.Accepted](f, PrintOutcome{Ticket: ticket, State: tournament.CopyUnconfirmed})
	done[wire.Seat](f, Reprint{Person: bought.Person, Seat: seat.ID})
}

func TestPrintOutcomesThatMakeNoSense(t *testing.T) {
	f := newFloor(t)
	_, seat := f.seated(thandi)
	for _, outcome := range []PrintOutcome{
		{Ticket: seat.Ticket, State: "eaten"}, {Ticket: seat.Ticket, State: tournament.CopyIntended},
		{Ticket: seat.Ticket, State: tournament.CopyVoid}, {Ticket: seat.Ticket, State: tournament.CopyPrinted, Reason: string(make([]byte, 501))},
	} {
		if _, err := f.ask(outcome); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: got %v, want ErrInvalid", outcome.State, err)
		}
	}
}

func copyStates(f *floor, id tournament.SeatID) (states []tournament.CopyState) {
	f.Helper()
	held, err := need[seat](f.view, join(prefixSeat, string(id)))
	if err != nil {
		f.Fatal(err)
	}
	for _, one := range held.Copies {
		states = append(states, one.State)
	}
	return states
}
