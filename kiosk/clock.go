package kiosk

import (
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// Clock is a kiosk's time: the last time heard from central, plus what has passed since on a clock that only counts and
// runs through sleep (design decision 9). The machine's own wall clock has no say. It is safe for use by several goroutines.
type Clock struct {
	boot func() time.Duration
	// wall is the machine's own clock, which is looked at and not gone by.
	wall func() time.Time

	// mu guards everything that follows.
	mu    sync.Mutex
	heard time.Time
	at    time.Duration
	zone  *time.Location
	// unsure is how far heard may be off: half of the way there and back. trip is the last way there and back.
	unsure, trip time.Duration
}

const (
	// drift is by how much less than this part clocks that count differ: a hundred parts in a million, as for cheap quartz.
	drift = 10_000
	// resumedUnsure is how far a time may be off that was kept over a start of the program.
	resumedUnsure = 2 * time.Second
)

// NewClock returns a clock that knows no time yet. boot counts since the machine's start, SinceBoot in production.
func NewClock(boot func() time.Duration) *Clock {
	return &Clock{boot: boot, wall: time.Now, zone: time.UTC}
}

// SinceBoot counts on from the machine's start, also while it sleeps (CLOCK_BOOTTIME, clock_gettime(2)).
func SinceBoot() time.Duration {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &now); err != nil {
		panic("kiosk: CLOCK_BOOTTIME: " + err.Error()) // Linux has it since 2.6.39
	}
	return time.Duration(now.Nano())
}

// Now returns the time in the tournament's zone, and whether any was heard.
func (c *Clock) Now() (time.Time, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.heard.IsZero() {
		return time.Time{}, false
	}
	return c.heard.Add(c.boot() - c.at).In(c.zone), true
}

// Hear takes the time that central put into an answer to a request sent at the given count. It was that time somewhere
// between the sending and now: the middle is off by half the way there and back at most. An answer that took its time
// changes nothing where a quicker one said the same more exactly.
func (c *Clock) Hear(server time.Time, sent time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.boot()
	c.trip = now - sent
	told, unsure := server.Round(0).Add(c.trip/2), c.trip/2
	if !c.heard.IsZero() {
		counted := now - c.at
		known := c.unsure + counted/drift
		if unsure > known && told.Sub(c.heard.Add(counted)).Abs() <= unsure+known {
			return
		}
	}
	c.heard, c.at, c.unsure = told, now, unsure
}

// Offset returns by how much the machine's own clock is ahead of central's time, and how long the last answer that told the
// time was on its way there and back; false where none was heard.
func (c *Clock) Offset() (ahead, trip time.Duration, known bool) {
	now, known := c.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	if !known {
		return 0, c.trip, false
	}
	return c.wall().Round(0).Sub(now), c.trip, true
}

// Resume takes the time that was heard at a count before the program was started again, in the same boot. What was heard since
// stays.
func (c *Clock) Resume(told time.Time, at time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.heard.IsZero() {
		c.heard, c.at, c.unsure = told.Round(0), at, resumedUnsure
	}
}

// In sets the tournament's zone.
func (c *Clock) In(zone *time.Location) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.zone = zone
}
