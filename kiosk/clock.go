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

	// mu guards everything that follows.
	mu    sync.Mutex
	heard time.Time
	at    time.Duration
	zone  *time.Location
}

// NewClock returns a clock that knows no time yet. boot counts since the machine's start, SinceBoot in production.
func NewClock(boot func() time.Duration) *Clock { return &Clock{boot: boot, zone: time.UTC} }

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
// between the sending and now: the middle is off by half the way there and back at most.
func (c *Clock) Hear(server time.Time, sent time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.boot()
	c.heard, c.at = server.Round(0).Add((now-sent)/2), now
}

// Resume takes the time that was heard at a count before the program was started again, in the same boot. What was heard since
// stays.
func (c *Clock) Resume(told time.Time, at time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.heard.IsZero() {
		c.heard, c.at = told.Round(0), at
	}
}

// In sets the tournament's zone.
func (c *Clock) In(zone *time.Location) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.zone = zone
}
