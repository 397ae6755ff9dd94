package ledger

import (
	"fmt"
	"time"

	"reelkiosk/store/kv"
	"reelkiosk/store/tournament"
)

// phase is what hosts have done with a heat on its day; "" is nothing yet.
type phase string

// The phases of a heat.
const (
	// phaseCalled: it was announced, and its seats are checked in.
	phaseCalled phase = "called"
	// phaseRunning: a host started it (clause 22).
	phaseRunning phase = "started"
	// phaseFinished: it is over.
	phaseFinished phase = "finished"
)

// begun reports whether the heat was started.
func (p phase) begun() bool { return p == phaseRunning || p == phaseFinished }

// state says how a heat stands, as it is listed; "" is scheduled.
func (now *playing) state() string {
	switch {
	case now.Cancelled:
		return "cancelled"
	case now.Held && !now.Phase.begun():
		return "held"
	}
	return string(now.Phase)
}

// addedHeat returns a heat that the definition does not have, and whether there is one of that id.
func (b *Books) addedHeat(view kv.Reader, id tournament.HeatID) (playing, bool, error) {
	became, err := load[heat](view, join(prefixHeat, string(id)))
	if err != nil || became == nil || became.Added.Number == 0 {
		return playing{}, false, err
	}
	day, err := tournament.ParseDate(became.Added.Day)
	if err != nil {
		return playing{}, false, fmt.Errorf("%w: an added heat: %w", ErrBooks, err)
	}
	return playing{heat: *became, Heat: tournament.Heat{
		ID: id, Stage: became.Added.Stage, Day: day, Number: became.Added.Number, Start: became.Start.In(b.definition.Zone),
		Size: became.Added.Size,
	}}, true, nil
}

// needHeat returns the heat of an act, which must exist and not be cancelled.
func (t *turn) needHeat(id tournament.HeatID) (playing, error) {
	now, known, err := t.heat(t.view, id)
	switch {
	case err != nil:
		return now, err
	case !known:
		return now, tournament.UnknownHeat.Refuse()
	case now.Cancelled:
		return now, tournament.HeatGone.Refuse()
	}
	return now, nil
}

// stageHeats returns all heats of a stage as they stand now, in the order of their starts.
func (b *Books) stageHeats(view kv.Reader, stage tournament.StageKind) ([]playing, error) {
	var heats []playing
	err := b.heatsFrom(view, time.Time{}, func(now playing) (bool, error) {
		if now.Stage == stage {
			heats = append(heats, now)
		}
		return true, nil
	})
	return heats, err
}
