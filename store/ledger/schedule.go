package ledger

import (
	"fmt"
	"time"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

type (
	// AddHeat adds a heat to a stage (clauses 10 and 21); the answer is a wire.Heat.
	AddHeat wire.AddHeat
	// PostponeHeat gives a heat that has not finished another start, whatever was done with it (clauses 10, 20 and 21); the
	// answer is a wire.Affected, of the seats that stay with it. Their entries do not expire any more.
	PostponeHeat wire.MoveHeat
)

// heatAdded is the outcome of HeatAdded.
type heatAdded struct {
	Heat   tournament.HeatID    `json:"heat"`
	Stage  tournament.StageKind `json:"stage"`
	Day    string               `json:"day"`
	Number int                  `json:"number"`
	Start  time.Time            `json:"start"`
	Size   int                  `json:"size"`
}

// heatPostponed is the outcome of HeatPostponed.
type heatPostponed struct {
	Heat  tournament.HeatID `json:"heat"`
	Start time.Time         `json:"start"`
	// Played were played in a run that does not count; Waiting, those too, are to be checked in again; Free are the live seats'
	// entries, which do not expire any more.
	Played  []tournament.SeatID  `json:"played,omitempty"`
	Waiting []tournament.SeatID  `json:"waiting,omitempty"`
	Free    []tournament.EntryID `json:"free,omitempty"`
}

func (*heatAdded) what() What     { return HeatAdded }
func (*heatPostponed) what() What { return HeatPostponed }

func (o *heatAdded) apply(s *state, _ *Event) error {
	s.view.Put(join(prefixMoved, string(o.Heat)), []byte(o.Start.UTC().Format(time.RFC3339)))
	return s.setHeat(o.Heat, func(h *heat) {
		h.Start, h.Added = o.Start, added{Stage: o.Stage, Day: o.Day, Number: o.Number, Size: o.Size}
	})
}

func (o *heatPostponed) apply(s *state, _ *Event) error {
	for _, id := range o.Played {
		if err := s.playAgain(id); err != nil {
			return err
		}
	}
	for _, id := range o.Waiting {
		err := s.setSeat(id, tournament.SeatIssued, func(held *seat) { held.CheckedIn = time.Time{} })
		if err != nil {
			return err
		}
	}
	for _, id := range o.Free {
		if err := s.setEntry(id, func(e *entry) { e.Freed = true }); err != nil {
			return err
		}
	}
	s.view.Put(join(prefixMoved, string(o.Heat)), []byte(o.Start.UTC().Format(time.RFC3339)))
	return s.setHeat(o.Heat, func(h *heat) { h.Start, h.Phase, h.Held, h.Began = o.Start, "", false, time.Time{} })
}

func (a AddHeat) decide(t *turn) (any, error) {
	start := a.Start.In(t.definition.Zone).Truncate(time.Second)
	if !t.at.Before(start) {
		return nil, fmt.Errorf("%w: a heat cannot be added in the past", ErrInvalid)
	}
	size, found := 0, false
	for _, stage := range t.definition.Stages {
		if stage.Kind == a.Stage {
			size, found = stage.Size, true
		}
	}
	switch {
	case !found:
		return nil, fmt.Errorf("%w: the tournament has no such stage", ErrInvalid)
	case a.Size < 0 || a.Size > len(t.definition.Machines):
		return nil, fmt.Errorf("%w: a heat of %d seats; there are %d machines", ErrInvalid, a.Size, len(t.definition.Machines))
	case a.Size > 0:
		size = a.Size
	}
	if a.Stage == tournament.Qualifying {
		if err := t.refuseDeclared(a.Stage); err != nil {
			return nil, err
		}
	}
	if err := t.refuseClash("", start); err != nil {
		return nil, err
	}
	day := tournament.GamingDay(start, t.definition.Rules.GamingDayStarts, t.definition.Zone)
	came := heatAdded{Stage: a.Stage, Day: day.String(), Start: start, Size: size}
	for known := true; known; {
		came.Number++
		came.Heat = tournament.HeatID(fmt.Sprintf("%s-%s-%d", a.Stage, day, came.Number))
		var err error
		if _, known, err = t.heat(t.view, came.Heat); err != nil {
			return nil, err
		}
	}
	if err := t.record(a.Why, &came); err != nil {
		return nil, err
	}
	now, _, err := t.heat(t.view, came.Heat)
	if err != nil {
		return nil, err
	}
	out, err := t.outOfService(t.view)
	return t.wireHeat(now, out), err
}

// refuseClash refuses a start at which another heat holds the machines (clause 11), with the other's start.
func (t *turn) refuseClash(but tournament.HeatID, start time.Time) error {
	length := t.definition.Rules.HeatLength
	return t.heatsFrom(t.view, start.Add(-length+time.Nanosecond), func(other playing) (bool, error) {
		switch {
		case !other.Heat.Start.Before(start.Add(length)):
			return false, nil
		case other.ID == but || other.Cancelled:
			return true, nil
		}
		return false, tournament.HeatsOverlap.Refuse().At(other.Heat.Start)
	})
}

func (a PostponeHeat) decide(t *turn) (any, error) {
	now, err := t.needHeat(a.Heat)
	if err != nil {
		return nil, err
	}
	start := a.Start.In(t.definition.Zone).Truncate(time.Second)
	switch {
	case now.Phase == phaseFinished:
		return nil, tournament.HeatGone.Refuse()
	case !t.at.Before(start) || start.Before(now.Heat.Start):
		return nil, fmt.Errorf("%w: a heat is postponed to a later time", ErrInvalid)
	case start.Sub(now.Heat.Start) > longestMove:
		return nil, fmt.Errorf("%w: a heat can be moved by at most %d days", ErrInvalid, longestMove/(24*time.Hour))
	}
	if err := t.refuseClash(a.Heat, start); err != nil {
		return nil, err
	}
	came := heatPostponed{Heat: a.Heat, Start: start}
	if came.Played, err = t.playedSeats(a.Heat); err != nil {
		return nil, err
	}
	affected, err := t.Affected(t.view, a.Heat, start)
	if err != nil {
		return nil, err
	}
	err = eachSeat(t.view, a.Heat, func(id tournament.SeatID, held *seat) {
		played := held.State == tournament.SeatPlayed && !held.Disqualified
		if played || held.State == tournament.SeatCheckedIn {
			came.Waiting = append(came.Waiting, id)
		}
		if (played || held.live()) && held.Entry != "" {
			came.Free = append(came.Free, held.Entry)
		}
	})
	if err != nil {
		return nil, err
	}
	if err := t.record(a.Why, &came); err != nil {
		return nil, err
	}
	if len(affected.Seats) > 0 {
		evidence := Evidence{Heat: a.Heat}
		for _, one := range affected.Seats {
			evidence.Seats = append(evidence.Seats, one.Seat)
		}
		if err := t.openCase(CaseHeat, "", evidence); err != nil {
			return nil, err
		}
	}
	return affected, nil
}
