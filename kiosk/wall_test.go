package kiosk

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"reelkiosk/store/condition"
)

func TestWhatIsWrongWithTheMachinesOwnClock(t *testing.T) {
	noon := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	type step struct {
		wall, boot time.Duration // since noon, and since the boot
		by         string
		early      bool
	}
	for name, steps := range map[string][]step{
		"well":                           {{0, 0, "", false}, {time.Hour, time.Hour, "", false}},
		"corrected a little":             {{0, 0, "", false}, {6 * time.Second, time.Second, "", false}},
		"set forward":                    {{0, 0, "", false}, {7 * time.Second, time.Second, "forward by 6s", false}},
		"set back":                       {{0, 0, "", false}, {-time.Hour, time.Second, "back by 1h0m1s", false}},
		"shown for an hour":              {{0, 0, "", false}, {time.Minute, 0, "forward by 1m0s", false}, {time.Hour, 59 * time.Minute, "forward by 1m0s", false}, {time.Hour + time.Minute, time.Hour, "", false}},
		"asleep, as both clocks say":     {{0, 0, "", false}, {8 * time.Hour, 8 * time.Hour, "", false}},
		"a battery died":                 {{time.Unix(0, 0).Sub(noon), 0, "", true}},
		"the morning before it was made": {{-25 * time.Hour, 0, "", true}, {-23 * time.Hour, 2 * time.Hour, "", false}},
	} {
		t.Run(name, func(t *testing.T) {
			w := wallWatch{built: noon.Add(-24 * time.Hour)}
			for i, step := range steps {
				w.look(noon.Add(step.wall), step.boot)
				if w.by != step.by || w.early() != step.early {
					t.Errorf("step %d: set %q, early %v", i, w.by, w.early())
				}
			}
		})
	}
}

func TestAProgramOfUnknownAgeIsNeverTooYoung(t *testing.T) {
	var w wallWatch
	if w.look(time.Unix(0, 0), 0); w.early() {
		t.Error("before a day that nobody knows")
	}
}

// TestAWrongClockIsAConditionAndChangesNothingElse: the machine's own clock is set while the kiosk runs, in every way.
func TestAWrongClockIsAConditionAndChangesNothingElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began, off := time.Now(), time.Duration(0)
		clock := NewClock(func() time.Duration { return time.Since(began) })
		c := New(Parts{Name: "kiosk-1", Machine: everyday, Clock: clock, Log: slog.New(slog.DiscardHandler), Built: began.Add(-time.Hour)})
		clock.wall = func() time.Time { return time.Now().Add(off) } // off is the owner's from here on
		clock.Hear(began, clock.boot())
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { defer close(ended); _ = c.Run(ctx) }()
		owner := func(act func()) {
			done := make(chan struct{})
			c.turns <- func() { act(); close(done) }
			<-done
		}
		set := func(by time.Duration) { owner(func() { off = by }) }
		expect := func(after time.Duration, want ...condition.Name) {
			t.Helper()
			time.Sleep(after)
			synctest.Wait()
			owner(func() {
				for _, name := range []condition.Name{condition.ClockOff, condition.ClockJumped, condition.ClockBeforeBuild} {
					holds, wanted := c.health.counts.Holds(name), false
					for _, one := range want {
						wanted = wanted || one == name
					}
					if holds != wanted {
						t.Errorf("%s: %v", name, holds)
					}
				}
				if now, known := clock.Now(); !known || !now.Equal(began.Add(time.Since(began))) {
					t.Errorf("its time is %v", now)
				}
			})
		}
		expect(time.Minute)
		before := c.State().OutOfOrder
		set(4 * time.Second)
		expect(2 * time.Minute)
		set(10 * time.Second)
		expect(2*time.Second, condition.ClockJumped)
		expect(time.Minute, condition.ClockJumped, condition.ClockOff)
		set(0)
		expect(2*time.Second, condition.ClockJumped)
		expect(time.Hour)
		set(-50 * 365 * 24 * time.Hour)
		expect(2*time.Minute, condition.ClockJumped, condition.ClockOff, condition.ClockBeforeBuild)
		if after := c.State().OutOfOrder; after != before {
			t.Errorf("out of order by %q, and by %q before", after, before)
		}
		for _, name := range []condition.Name{condition.ClockOff, condition.ClockJumped, condition.ClockBeforeBuild} {
			if kind := condition.KindOf(name); len(kind.Withdraws) > 0 {
				t.Errorf("%s withdraws %v", name, kind.Withdraws)
			}
		}
		cancel()
		<-ended
	})
}

func TestASlowAnswerDoesNotSpoilTheTime(t *testing.T) {
	noon := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for name, step := range map[string]struct {
		told   time.Duration // since noon, when the answer was made
		trip   time.Duration
		want   time.Duration // since noon, when it comes
		asleep time.Duration
	}{
		"not as exact as the first":   {10 * time.Second, 20 * time.Millisecond, 10*time.Second + 20*time.Millisecond, 0},
		"four seconds, made at once":  {10 * time.Second, 4 * time.Second, 14 * time.Second, 0},
		"four seconds, made late":     {14 * time.Second, 4 * time.Second, 14 * time.Second, 0},
		"central's clock was set":     {time.Hour, 4 * time.Second, time.Hour + 2*time.Second, 0},
		"slow, but the first in days": {120*time.Hour + 40*time.Second, 4 * time.Second, 120*time.Hour + 42*time.Second, 120 * time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			boot := time.Hour
			clock := NewClock(func() time.Duration { return boot })
			clock.wall = func() time.Time { return noon.Add(step.want + 3*time.Second) }
			clock.Hear(noon, boot)
			sent := boot + step.asleep + 10*time.Second
			boot = sent + step.trip
			clock.Hear(noon.Add(step.told), sent)
			if now, _ := clock.Now(); !now.Equal(noon.Add(step.want)) {
				t.Errorf("it is %v, want %v", now.Sub(noon), step.want)
			}
			if ahead, trip, known := clock.Offset(); !known || ahead != 3*time.Second || trip != step.trip {
				t.Errorf("ahead by %v, %v there and back", ahead, trip)
			}
		})
	}
}
