package kiosk

import (
	"context"
	"slices"
	"time"

	"reelkiosk/kiosk/visit"
	"reelkiosk/store/condition"
	"reelkiosk/store/wire"
)

const (
	// reportEvery is how often a kiosk tells central how it is, and reportPause how long after one report the next comes at
	// the soonest.
	reportEvery = 15 * time.Second
	reportPause = time.Second
)

// wellbeing is what only the owner knows of how the kiosk is.
type wellbeing struct {
	conditions []condition.Condition
	printer    string
	ready      visit.Readers
	waits      int64
	dead       int
	alone      bool
	followed   bool
}

// same reports whether nothing has changed that somebody would want to know at once. What a condition says besides its name
// may change every second.
func (w *wellbeing) same(other *wellbeing) bool {
	return w.printer == other.printer && w.ready == other.ready && (w.waits > 0) == (other.waits > 0) && w.dead == other.dead &&
		w.alone == other.alone && w.followed == other.followed && slices.EqualFunc(w.conditions, other.conditions,
		func(one, another condition.Condition) bool { return one.Name == another.Name })
}

// tellHealth notes, on the owning goroutine, how the kiosk is, and has it told where that has changed.
func (c *Conductor) tellHealth() {
	now := &wellbeing{printer: "none", ready: c.ready, alone: c.alone.Load(), followed: c.followed.Load()}
	if c.Printer != nil {
		now.printer = c.printer.State.String()
	}
	for _, shown := range c.health.counts.All() {
		if held, is := c.health.set.Held(shown.Name); is {
			if held.Since.Before(c.began) { // what is not configured has no grace
				held.Since = c.began
			}
			now.conditions = append(now.conditions, held)
		}
	}
	if c.courier != nil {
		now.waits, now.dead = c.courier.waits.Load(), len(c.Replica.Dead())
	}
	before := c.well.Swap(now)
	if before != nil && before.same(now) {
		return
	}
	select {
	case c.unwell <- struct{}{}:
	default:
	}
}

// report tells central how the kiosk is, now and then and whenever that has changed. What does not come through is not
// repeated: the next report is newer.
func (c *Conductor) report(ctx context.Context) {
	timer := time.NewTimer(reportEvery)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		case <-c.unwell:
		}
		if well := c.well.Load(); well != nil {
			sent := c.Clock.boot()
			taken, err := c.Central.Report(ctx, c.healthNow(ctx, well))
			if err == nil {
				c.Clock.Hear(taken.ServerTime, sent)
				c.silence.Store(&silence{taken.Silent, c.Clock.boot()})
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(reportPause):
		}
		timer.Reset(reportEvery)
	}
}

// healthNow says how the kiosk is.
func (c *Conductor) healthNow(ctx context.Context, well *wellbeing) wire.KioskHealth {
	now := time.Now()
	told := wire.KioskHealth{
		Kiosk: c.Name, Version: c.Version, Runs: seconds(now.Sub(c.began)), Printer: well.printer,
		Card:     readerWord(c.Card != nil, well.ready.Card),
		Document: readerWord(c.Document != nil, well.ready.Document), Conditions: wire.ConditionsOf(well.conditions, now),
	}
	if c.courier != nil {
		told.Outbox = c.courier.told(now)
	}
	if c.Alone != nil {
		machines, left := c.Alone.Held()
		told.Alone = wire.HealthAlone{Machines: machines, Lives: seconds(left)}
		err := c.Alone.Ready(ctx)
		told.Alone.Ready, told.Alone.Why = err == nil, because(err)
	}
	if c.Mirror != nil {
		// A copy that cannot be read is a condition by itself.
		position, _ := c.Mirror.Position(ctx)
		age, known := c.Mirror.Age()
		told.Copy = wire.HealthCopy{Sequence: position.Sequence, Known: known, Most: seconds(c.Mirror.MaxAge())}
		if known {
			told.Copy.Age = seconds(age)
		}
	}
	ahead, trip, known := c.Clock.Offset()
	told.Clock = wire.HealthClock{Known: known, Offset: ahead.Milliseconds(), RoundTrip: trip.Milliseconds()}
	if c.DiskFree != nil {
		if free, err := c.DiskFree(); err == nil {
			told.DiskFree = &free
		}
	}
	return told
}

// seconds are whole ones, and none that are less than nothing.
func seconds(span time.Duration) int { return int(max(0, span).Seconds()) }

func readerWord(configured, ready bool) string {
	switch {
	case !configured:
		return "none"
	case ready:
		return "ready"
	}
	return "gone"
}

// told says what waits in the outbox.
func (c *courier) told(now time.Time) wire.HealthOutbox {
	outbox := c.outbox()
	told := wire.HealthOutbox{Waiting: len(outbox.Waiting), Dead: len(outbox.Dead)}
	if len(outbox.Waiting) > 0 {
		oldest := outbox.Waiting[0]
		told.Oldest, told.Why = seconds(now.Sub(oldest.Since)), oldest.Why
	}
	return told
}
