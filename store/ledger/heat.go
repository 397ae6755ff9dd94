package ledger

import (
	"fmt"
	"slices"
	"time"

	"reelkiosk/store/kv"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// longestMove bounds by how much a heat can be moved: what is farther away is another heat. It also bounds how far back
// a person's seats have to be looked through for those that are still to come.
const longestMove = 31 * 24 * time.Hour

// playing is a heat as it stands now: the definition's, and what became of it.
type playing struct {
	tournament.Heat
	heat
}

// heatMoved is the outcome of HeatMoved.
type heatMoved struct {
	Heat  tournament.HeatID `json:"heat"`
	Start time.Time         `json:"start"`
}

// heatCancelled is the outcome of HeatCancelled.
type heatCancelled struct {
	Heat  tournament.HeatID   `json:"heat"`
	Seats []tournament.SeatID `json:"seats,omitempty"`
}

func (*heatMoved) what() What     { return HeatMoved }
func (*heatCancelled) what() What { return HeatCancelled }

func (o *heatMoved) apply(s *state, _ *Event) error {
	s.view.Put(join(prefixMoved, string(o.Heat)), []byte(o.Start.UTC().Format(time.RFC3339)))
	return s.setHeat(o.Heat, func(h *heat) { h.Start = o.Start })
}

func (o *heatCancelled) apply(s *state, _ *Event) error {
	for _, id := range o.Seats {
		if err := s.voidSeat(id, func(e *entry) { e.Freed = true }, tournament.EntryUnused); err != nil {
			return err
		}
	}
	return s.setHeat(o.Heat, func(h *heat) { h.Cancelled = true })
}

// setHeat changes what became of a heat.
func (s *state) setHeat(id tournament.HeatID, edit func(*heat)) error {
	key := join(prefixHeat, string(id))
	record, err := load[heat](s.view, key)
	if err != nil {
		return err
	}
	if record == nil {
		record = &heat{}
	}
	edit(record)
	return s.put(key, record)
}

// heat returns a heat as it stands now, and whether there is one of that id.
func (b *Books) heat(view kv.Reader, id tournament.HeatID) (playing, bool, error) {
	at, known := b.byID[id]
	if !known {
		return b.addedHeat(view, id)
	}
	now, err := b.stands(view, b.heats[at])
	return now, true, err
}

// stands lays what became of a heat over its definition.
func (b *Books) stands(view kv.Reader, defined tournament.Heat) (playing, error) {
	now := playing{Heat: defined}
	became, err := load[heat](view, join(prefixHeat, string(defined.ID)))
	if err != nil || became == nil {
		return now, err
	}
	now.heat = *became
	if !became.Start.IsZero() {
		now.Heat.Start = became.Start.In(b.definition.Zone)
	}
	return now, nil
}

// heatsFrom calls yield with the heats that start at that moment or later, as they stand now and in the order of their
// starts, until it returns false.
func (b *Books) heatsFrom(view kv.Reader, from time.Time, yield func(playing) (bool, error)) error {
	moved, err := b.movedHeats(view)
	if err != nil {
		return err
	}
	isMoved := func(id tournament.HeatID) bool {
		return slices.ContainsFunc(moved, func(one playing) bool { return one.ID == id })
	}
	next, _ := slices.BinarySearchFunc(b.heats, from, func(one tournament.Heat, at time.Time) int { return one.Start.Compare(at) })
	late := slices.IndexFunc(moved, func(one playing) bool { return !one.Heat.Start.Before(from) })
	if late < 0 {
		late = len(moved)
	}
	for next < len(b.heats) || late < len(moved) {
		var now playing
		switch {
		case next < len(b.heats) && isMoved(b.heats[next].ID):
			next++
			continue
		case next == len(b.heats) || late < len(moved) && moved[late].Heat.Start.Before(b.heats[next].Start):
			now = moved[late]
			late++
		default:
			if now, err = b.stands(view, b.heats[next]); err != nil {
				return err
			}
			next++
		}
		if more, err := yield(now); err != nil || !more {
			return err
		}
	}
	return nil
}

// movedHeats returns the heats that were moved, by their new start.
func (b *Books) movedHeats(view kv.Reader) ([]playing, error) {
	var moved []playing
	low := []byte(prefixMoved)
	keys, failed := view.Range(low, after(low))
	for key := range keys {
		now, known, err := b.heat(view, tournament.HeatID(key[len(prefixMoved):]))
		if err != nil {
			return nil, err
		}
		if known {
			moved = append(moved, now)
		}
	}
	if err := failed(); err != nil {
		return nil, fmt.Errorf("reading moved heats: %w", err)
	}
	slices.SortFunc(moved, func(left, right playing) int { return left.Heat.Start.Compare(right.Heat.Start) })
	return moved, nil
}

// anyFreeSeat reports whether a qualifying heat inside the window, whose registration has not closed at the window's
// beginning, has a free seat (clauses 5 to 9).
func (t *turn) anyFreeSeat(window tournament.Window) (bool, error) {
	out, err := t.outOfService(t.view)
	if err != nil {
		return false, err
	}
	found := false
	err = t.heatsFrom(t.view, window.From, func(now playing) (bool, error) {
		if !window.Holds(now.Heat.Start) {
			return false, nil
		}
		if now.Stage == tournament.Qualifying && !now.Cancelled && window.From.Before(now.Closes(t.definition.Rules)) {
			_, found = t.lowestFree(now, out)
		}
		return !found, nil
	})
	return found, err
}

func (a MoveHeat) decide(t *turn) (any, error) {
	now, known, err := t.heat(t.view, a.Heat)
	switch {
	case err != nil:
		return nil, err
	case !known:
		return nil, tournament.UnknownHeat.Refuse()
	case now.Cancelled || now.Phase.begun() || !t.at.Before(now.Heat.Start):
		return nil, tournament.HeatGone.Refuse()
	case a.Why == "":
		return nil, fmt.Errorf("%w: a decision without a reason", ErrInvalid)
	case !t.at.Before(a.Start):
		return nil, fmt.Errorf("%w: a heat cannot be moved into the past", ErrInvalid)
	}
	defined := now.Heat.Start
	if at, planned := t.byID[a.Heat]; planned {
		defined = t.heats[at].Start
	}
	if far := a.Start.Sub(defined).Abs(); far > longestMove {
		return nil, fmt.Errorf("%w: a heat can be moved by at most %d days", ErrInvalid, longestMove/(24*time.Hour))
	}
	start := a.Start.In(t.definition.Zone).Truncate(time.Second)
	if err := t.refuseOverlap(now, start); err != nil {
		return nil, err
	}
	if err := t.record(a.Why, &heatMoved{Heat: a.Heat, Start: start}); err != nil {
		return nil, err
	}
	seats, err := t.liveSeats(a.Heat)
	if err != nil {
		return nil, err
	}
	if len(seats) > 0 {
		if err := t.openCase(CaseHeat, "", Evidence{Heat: a.Heat, Seats: seats}); err != nil {
			return nil, err
		}
	}
	return wire.Accepted{Sequence: t.last.sequence}, nil
}

// refuseOverlap refuses a start at which another heat holds the machines (clause 11).
func (t *turn) refuseOverlap(moving playing, start time.Time) error {
	length := t.definition.Rules.HeatLength
	return t.heatsFrom(t.view, start.Add(-length), func(other playing) (bool, error) {
		if other.ID == moving.ID || other.Cancelled {
			return true, nil
		}
		if !other.Heat.Start.Before(start.Add(length)) {
			return false, nil
		}
		if other.Heat.Start.After(start.Add(-length)) {
			return false, fmt.Errorf("%w: heat %s holds the machines at that time", ErrInvalid, other.ID)
		}
		return true, nil
	})
}

func (a CancelHeat) decide(t *turn) (any, error) {
	now, known, err := t.heat(t.view, a.Heat)
	switch {
	case err != nil:
		return nil, err
	case !known:
		return nil, tournament.UnknownHeat.Refuse()
	case a.Why == "":
		return nil, fmt.Errorf("%w: a decision without a reason", ErrInvalid)
	case now.Cancelled:
		return wire.Accepted{Sequence: t.last.sequence}, nil
	case now.Phase == phaseFinished, now.Phase == "" && !t.at.Before(now.Heat.Start.Add(t.definition.Rules.HeatLength)):
		return nil, tournament.HeatGone.Refuse()
	}
	seats, err := t.liveSeats(a.Heat)
	if err != nil {
		return nil, err
	}
	if err := t.record(a.Why, &heatCancelled{Heat: a.Heat, Seats: seats}); err != nil {
		return nil, err
	}
	return wire.Accepted{Sequence: t.last.sequence}, nil
}
