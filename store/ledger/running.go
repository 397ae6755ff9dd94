package ledger

import (
	"fmt"
	"slices"
	"time"

	"reelkiosk/store/kv"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// What hosts do with a whole heat.
type (
	// HoldHeat keeps players from being registered for a heat, or lets it go on; the answer is a wire.Accepted.
	HoldHeat wire.HoldHeat
	// CallHeat announces a heat (clause 22); the answer is a wire.Accepted.
	CallHeat wire.HeatAct
	// StartHeat starts a heat by a host's hand (clause 22); the answer is a wire.Started.
	StartHeat wire.StartHeat
	// RestartHeat starts a heat that broke down once more (clauses 20 and 21); the answer is a wire.Accepted. The scores of the
	// broken run are kept and do not count.
	RestartHeat wire.HeatDecision
	// FinishHeat says that a heat is over; the answer is a wire.Accepted.
	FinishHeat wire.HeatAct
)

// heatHeld is the outcome of HeatHeld.
type heatHeld struct {
	Heat tournament.HeatID `json:"heat"`
	Held bool              `json:"held"`
}

// heatCalled is the outcome of HeatCalled.
type heatCalled struct {
	Heat tournament.HeatID `json:"heat"`
}

// heatStarted is the outcome of HeatStarted.
type heatStarted struct {
	Heat tournament.HeatID `json:"heat"`
	Run  int               `json:"run"`
	// Forfeited are the seats of those who were absent, Present those of holders who are there and not checked in. Spared are
	// those of absent holders for whom no ticket was ever confirmed: cases, and no no-shows.
	Forfeited []tournament.SeatID `json:"forfeited,omitempty"`
	Present   []tournament.SeatID `json:"present,omitempty"`
	Spared    []tournament.SeatID `json:"spared,omitempty"`
}

// heatRestarted is the outcome of HeatRestarted.
type heatRestarted struct {
	Heat tournament.HeatID `json:"heat"`
	Run  int               `json:"run"`
	// Seats had been played in the run that does not count, and are to be played again.
	Seats []tournament.SeatID `json:"seats,omitempty"`
}

// heatFinished is the outcome of HeatFinished.
type heatFinished struct {
	Heat tournament.HeatID `json:"heat"`
}

func (*heatHeld) what() What      { return HeatHeld }
func (*heatCalled) what() What    { return HeatCalled }
func (*heatStarted) what() What   { return HeatStarted }
func (*heatRestarted) what() What { return HeatRestarted }
func (*heatFinished) what() What  { return HeatFinished }

func (o *heatHeld) apply(s *state, _ *Event) error {
	return s.setHeat(o.Heat, func(h *heat) { h.Held = o.Held })
}

func (o *heatCalled) apply(s *state, _ *Event) error {
	return s.setHeat(o.Heat, func(h *heat) { h.Phase = phaseCalled })
}

func (o *heatStarted) apply(s *state, event *Event) error {
	for _, id := range o.Forfeited {
		if err := s.forfeit(id); err != nil {
			return err
		}
	}
	for _, id := range o.Present {
		err := change(s, join(prefixSeat, string(id)), func(held *seat) error {
			held.Present = true
			return nil
		})
		if err != nil {
			return err
		}
	}
	return s.setHeat(o.Heat, func(h *heat) { h.Phase, h.Held, h.Run, h.Began = phaseRunning, false, o.Run, event.At })
}

func (o *heatRestarted) apply(s *state, event *Event) error {
	for _, id := range o.Seats {
		if err := s.playAgain(id); err != nil {
			return err
		}
	}
	return s.setHeat(o.Heat, func(h *heat) { h.Phase, h.Run, h.Began = phaseRunning, o.Run, event.At })
}

func (o *heatFinished) apply(s *state, _ *Event) error {
	return s.setHeat(o.Heat, func(h *heat) { h.Phase = phaseFinished })
}

// forfeit makes a seat and its entry forfeited (clause 22).
func (s *state) forfeit(id tournament.SeatID) error {
	var of tournament.EntryID
	err := s.setSeat(id, tournament.SeatForfeited, func(held *seat) { of = held.Entry })
	if err != nil || of == "" {
		return err
	}
	return s.setOwnEntry(of, id, nil, tournament.EntryForfeited)
}

// setOwnEntry is setEntry where the entry is this seat's: of a seat that was given twice it may be another's.
func (s *state) setOwnEntry(id tournament.EntryID, of tournament.SeatID, edit func(*entry), states ...tournament.EntryState) error {
	used, err := need[entry](s.view, join(prefixEntry, string(id)))
	if err != nil || used.Seat != of {
		return err
	}
	return s.setEntry(id, edit, states...)
}

// playAgain takes back that a seat was played: its run does not count (clause 20).
func (s *state) playAgain(id tournament.SeatID) error {
	if err := s.unrank(id); err != nil {
		return err
	}
	var of tournament.EntryID
	err := s.setSeat(id, tournament.SeatCheckedIn, func(held *seat) { of = held.Entry })
	if err != nil || of == "" {
		return err
	}
	return s.setOwnEntry(of, id, nil, tournament.EntrySeated)
}

func (a HoldHeat) decide(t *turn) (any, error) {
	now, err := t.needHeat(a.Heat)
	if err != nil {
		return nil, err
	}
	switch {
	case now.Phase.begun():
		return nil, tournament.HeatStarted.Refuse().At(now.Began)
	case now.Held == a.Hold:
		return wire.Accepted{Sequence: t.last.sequence}, nil
	}
	return t.accept(a.Why, &heatHeld{Heat: a.Heat, Held: a.Hold})
}

func (a CallHeat) decide(t *turn) (any, error) {
	now, err := t.needHeat(a.Heat)
	if err != nil {
		return nil, err
	}
	switch {
	case now.Phase == phaseCalled:
		return wire.Accepted{Sequence: t.last.sequence}, nil
	case now.Phase.begun():
		return nil, tournament.HeatStarted.Refuse().At(now.Began)
	case now.Held:
		return nil, tournament.HeatHeld.Refuse()
	case t.at.Before(now.Opens(t.definition.Rules)):
		return nil, tournament.NotOpen.Refuse().At(now.Opens(t.definition.Rules))
	}
	return t.accept("", &heatCalled{Heat: a.Heat})
}

func (a StartHeat) decide(t *turn) (any, error) {
	now, err := t.needHeat(a.Heat)
	if err != nil {
		return nil, err
	}
	switch {
	case now.Phase.begun():
		return nil, tournament.HeatStarted.Refuse().At(now.Began)
	case now.Held:
		return nil, tournament.HeatHeld.Refuse()
	case t.at.Before(now.Heat.Start):
		return nil, tournament.StartsLater.Refuse().At(now.Heat.Start)
	}
	came := heatStarted{Heat: a.Heat, Run: now.Run + 1, Present: a.Present}
	marked := map[tournament.SeatID]bool{}
	for _, id := range slices.Concat(a.Present, a.Absent) {
		if marked[id] {
			return nil, fmt.Errorf("%w: a seat is marked twice", ErrInvalid)
		}
		marked[id] = true
	}
	waiting := 0
	err = eachSeat(t.view, a.Heat, func(id tournament.SeatID, held *seat) {
		switch {
		case held.State != tournament.SeatIssued:
			return
		case marked[id]:
			waiting++
		default:
			waiting = -1 << 20
		}
		switch {
		case slices.Contains(a.Present, id):
		case held.confirmed() || held.Place > 0:
			// Of a final stage: its participant knows, and an extra seat without a proxy's form is forfeited (clause 16).
			came.Forfeited = append(came.Forfeited, id)
		default:
			came.Spared = append(came.Spared, id)
		}
	})
	if err != nil {
		return nil, err
	}
	// What is marked is just what is missing: a screen that is stale starts nothing.
	if waiting != len(marked) {
		return nil, tournament.SeatsUnmarked.Refuse()
	}
	if err := t.record("", &came); err != nil {
		return nil, err
	}
	for _, id := range came.Spared {
		held, err := t.seat(id)
		if err != nil {
			return nil, err
		}
		evidence := Evidence{Heat: a.Heat, Machine: held.Machine, Seats: []tournament.SeatID{id}}
		if err := t.openCase(CaseUnprinted, held.Person, evidence); err != nil {
			return nil, err
		}
	}
	return wire.Started{Forfeited: orEmpty(came.Forfeited), Cases: orEmpty(came.Spared), Run: came.Run}, nil
}

// orEmpty returns a list that is written as [] where there is none.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// confirmed reports whether a copy of the seat's ticket was ever confirmed as printed.
func (held *seat) confirmed() bool {
	return slices.ContainsFunc(held.Copies, func(one copyRecord) bool {
		return one.State == tournament.CopyPrinted || one.State == tournament.CopyVoid
	})
}

func (a RestartHeat) decide(t *turn) (any, error) {
	now, err := t.needHeat(a.Heat)
	if err != nil {
		return nil, err
	}
	if !now.Phase.begun() {
		return nil, tournament.HeatNotStarted.Refuse()
	}
	if err := t.refuseDeclared(now.Stage); err != nil {
		return nil, err
	}
	came := heatRestarted{Heat: a.Heat, Run: now.Run + 1}
	if came.Seats, err = t.playedSeats(a.Heat); err != nil {
		return nil, err
	}
	return t.accept(a.Why, &came)
}

// playedSeats returns the seats of a heat that were played, but for those that were disqualified.
func (t *turn) playedSeats(id tournament.HeatID) (played []tournament.SeatID, err error) {
	err = eachSeat(t.view, id, func(id tournament.SeatID, held *seat) {
		if held.State == tournament.SeatPlayed && !held.Disqualified {
			played = append(played, id)
		}
	})
	return played, err
}

func (a FinishHeat) decide(t *turn) (any, error) {
	now, err := t.needHeat(a.Heat)
	switch {
	case err != nil:
		return nil, err
	case now.Phase == phaseFinished:
		return wire.Accepted{Sequence: t.last.sequence}, nil
	case now.Phase != phaseRunning:
		return nil, tournament.HeatNotStarted.Refuse()
	}
	return t.accept("", &heatFinished{Heat: a.Heat})
}

// Affected returns who is concerned if a heat is moved to a start (clause 10), or cancelled where that is zero: the seats
// that are still to be played, each with what stands against the new time.
func (b *Books) Affected(view kv.Reader, id tournament.HeatID, start time.Time) (wire.Affected, error) {
	answer := wire.Affected{Seats: []wire.AffectedSeat{}}
	t, err := b.turn(kv.NewOverlay(view), &Request{})
	if err != nil {
		return answer, err
	}
	now, err := t.needHeat(id)
	if err != nil {
		return answer, err
	}
	live, err := t.liveSeats(id)
	if err != nil {
		return answer, err
	}
	for _, id := range live {
		held, err := t.seat(id)
		if err != nil {
			return answer, err
		}
		one := wire.AffectedSeat{Seat: id, Person: held.Person, Machine: held.Machine}
		if !start.IsZero() {
			if err := t.against(&one, held, now, start); err != nil {
				return answer, err
			}
		}
		answer.Seats = append(answer.Seats, one)
	}
	return answer, nil
}

// against says what stands against a new start of a seat's heat.
func (t *turn) against(one *wire.AffectedSeat, held *seat, now playing, start time.Time) error {
	if held.Entry != "" {
		used, err := need[entry](t.view, join(prefixEntry, string(held.Entry)))
		if err != nil {
			return err
		}
		one.Window = !used.Freed && !(tournament.Window{From: used.Bought, Ends: used.Ends}).Holds(start)
	}
	length := t.definition.Rules.HeatLength
	return t.heatsFrom(t.view, start.Add(-length+time.Nanosecond), func(other playing) (bool, error) {
		if !other.Heat.Start.Before(start.Add(length)) {
			return false, nil
		}
		has, err := t.holdsSeat(held.Person, other)
		if err == nil && has && other.ID != now.ID && !other.Cancelled {
			one.Clashes = append(one.Clashes, other.ID)
		}
		return true, err
	})
}
