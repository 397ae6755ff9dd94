package central

import (
	"sync"
	"time"

	"reelkiosk/store/tournament"
)

const (
	// clockTolerance is how far the clock may stand behind the last event: what a time server corrects in passing.
	clockTolerance = 5 * time.Second
	// clockGap is how far it may stand past the last event before somebody has to look (design decision 9).
	clockGap = 12 * time.Hour
)

// clock is central's clock and the guard over it (design decision 9): nothing is written at a time that lies before the
// last event, or half a day past it, until somebody has looked at the clock and confirmed it.
//
// While central runs it also knows, from the clock that only counts, how much time has passed since it last believed the
// wall clock. So a quiet night does not make the clock suspect, and one that is set back is noticed at once.
type clock struct {
	// wall is the wall clock; elapsed counts on, whatever the wall clock is set to.
	wall    func() time.Time
	elapsed func() time.Duration
	zone    *time.Location
	// built is when the program was built, zero where that is not known: no clock that is right stands before it. Books
	// without an event have nothing else to hold it against.
	built time.Time

	// mu guards everything that follows.
	mu sync.Mutex
	// believed is the last wall time that was believed, and when that was by elapsed; zero if there was none. At the start
	// it is the time of the last event, of which it is not known how long ago it was: running says that it is later.
	believed   time.Time
	believedAt time.Duration
	running    bool
	// newest is the time of the newest event.
	newest time.Time
}

// newClock returns the clock of a program built at that time, over books whose last event happened at last; zero where
// there is none.
func newClock(wall func() time.Time, elapsed func() time.Duration, zone *time.Location, built, last time.Time) *clock {
	return &clock{wall: wall, elapsed: elapsed, zone: zone, built: built, believed: last, believedAt: elapsed(), newest: last}
}

// check returns the time, in the tournament's zone, or the refusal that says that the clock is suspect.
func (c *clock) check() (time.Time, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.wall().In(c.zone)
	passed := c.elapsed() - c.believedAt
	switch {
	case c.believed.IsZero() && !now.Before(c.built):
	case c.believed.IsZero(),
		now.Before(c.newest.Add(-clockTolerance)),
		c.running && now.Before(c.believed.Add(passed-clockTolerance)),
		now.After(c.believed.Add(passed + clockGap)):
		return now, tournament.Refuse(tournament.ClockSuspect, 0)
	}
	c.believe(now)
	return now, nil
}

// wrote notes that an event was written.
func (c *clock) wrote(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at.After(c.newest) {
		c.newest = at
	}
}

// confirm believes the wall clock as it is.
func (c *clock) confirm() {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.wall().In(c.zone)
	c.newest = now
	c.believe(now)
}

// believe is called with mu held.
func (c *clock) believe(now time.Time) {
	c.believed, c.believedAt, c.running = now, c.elapsed(), true
}
