package kiosk

import (
	"fmt"
	"time"

	"reelkiosk/store/condition"
)

const (
	// clockTolerance is how far the machine's own clock may be off, or jump, before that is a condition (design decision 9).
	clockTolerance = 5 * time.Second
	// jumpShown is how long it is shown that the clock was set.
	jumpShown = time.Hour
)

// wallWatch looks at the machine's own clock. Nothing goes by that clock, but whoever reads the machine's logs does.
type wallWatch struct {
	// built is when the program was built, zero where that is not known.
	built time.Time
	// wall and at are what the clock and the count since boot showed when it was last looked at.
	wall time.Time
	at   time.Duration
	// jumped is when the clock was last set, by the count, and by says by how much; empty for never.
	jumped time.Duration
	by     string
}

// look notes whether the clock was set since it was last looked at.
func (w *wallWatch) look(wall time.Time, at time.Duration) {
	wall = wall.Round(0) // what the monotonic clock says is what at says
	if !w.wall.IsZero() {
		if by := wall.Sub(w.wall) - (at - w.at); by.Abs() > clockTolerance {
			w.jumped, w.by = at, fmt.Sprintf("forward by %v", by.Round(time.Second))
			if by < 0 {
				w.by = fmt.Sprintf("back by %v", (-by).Round(time.Second))
			}
		}
	}
	w.wall, w.at = wall, at
	if w.by != "" && at-w.jumped >= jumpShown {
		w.by = ""
	}
}

// early reports whether the clock stands before the day on which the program was built.
func (w *wallWatch) early() bool { return !w.built.IsZero() && w.wall.Before(w.built) }

// lookAtClocks notes what is wrong with the machine's own clock, and whether a time was heard from central.
func (c *Conductor) lookAtClocks() (now time.Time) {
	now, known := c.Clock.Now()
	c.note(condition.ClockUnknown, !known, "central has not told the time yet")
	if ahead, _, known := c.Clock.Offset(); known {
		detail := fmt.Sprintf("ahead by %v", ahead.Round(time.Second))
		if ahead < 0 {
			detail = fmt.Sprintf("behind by %v", (-ahead).Round(time.Second))
		}
		c.note(condition.ClockOff, ahead.Abs() > clockTolerance, detail)
	}
	c.wall.look(c.Clock.wall(), c.Clock.boot())
	c.note(condition.ClockJumped, c.wall.by != "", c.wall.by)
	c.note(condition.ClockBeforeBuild, c.wall.early(), "it says "+c.wall.wall.Format(time.DateTime))
	return now
}
