package central

import (
	"errors"
	"testing"
	"time"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

func suspect(err error) bool {
	refusal, ok := errors.AsType[*tournament.Refusal](err)
	return ok && refusal.Reason == tournament.ClockSuspect
}

func TestWhenTheClockIsSuspect(t *testing.T) {
	type step struct {
		wall, elapsed time.Duration // since noon, and since the start
		suspect       bool
	}
	for name, test := range map[string]struct {
		last  time.Duration // the last event before the start, since noon
		steps []step
	}{
		"well":                                    {-time.Minute, []step{{0, 0, false}, {time.Hour, time.Hour, false}}},
		"started a little behind the last event":  {4 * time.Second, []step{{0, 0, false}}},
		"started behind the last event":           {6 * time.Second, []step{{0, 0, true}, {7 * time.Second, 7 * time.Second, false}}},
		"started half a day past the last event":  {-12*time.Hour - time.Second, []step{{0, 0, true}}},
		"started a night after the last event":    {-11 * time.Hour, []step{{0, 0, false}}},
		"a quiet weekend while it runs":           {0, []step{{0, 0, false}, {60 * time.Hour, 60 * time.Hour, false}}},
		"set back while it runs":                  {0, []step{{0, 0, false}, {time.Hour, 2 * time.Hour, true}}},
		"set back a little at a time":             {0, []step{{0, 0, false}, {-4 * time.Second, 0, false}, {-8 * time.Second, 0, true}}},
		"set forward by a day while it runs":      {0, []step{{0, 0, false}, {25 * time.Hour, time.Hour, true}}},
		"set to rights again":                     {0, []step{{0, 0, false}, {25 * time.Hour, time.Hour, true}, {time.Hour, time.Hour, false}}},
		"1970, as after a battery died":           {0, []step{{time.Unix(0, 0).Sub(noon), 0, true}}},
		"a little off, as time servers put right": {0, []step{{0, 0, false}, {time.Minute - 2*time.Second, time.Minute, false}}},
	} {
		t.Run(name, func(t *testing.T) {
			var wall time.Time
			var elapsed time.Duration
			c := newClock(func() time.Time { return wall }, func() time.Duration { return elapsed }, time.UTC, time.Time{}, noon.Add(test.last))
			for i, step := range test.steps {
				wall, elapsed = noon.Add(step.wall), step.elapsed
				at, err := c.check()
				if suspect(err) != step.suspect {
					t.Errorf("step %d: %v", i, err)
				}
				if err == nil {
					c.wrote(at)
				}
			}
		})
	}
}

func TestEmptyBooksBelieveAnyClock(t *testing.T) {
	c := newClock(func() time.Time { return time.Unix(0, 0) }, func() time.Duration { return 0 }, time.UTC, time.Time{}, time.Time{})
	if _, err := c.check(); err != nil {
		t.Error(err)
	}
}

// TestEmptyBooksBelieveNoClockFromBeforeTheProgram: on the first evening there is no event to hold the clock against.
func TestEmptyBooksBelieveNoClockFromBeforeTheProgram(t *testing.T) {
	h := newHouse(t, func(o *Options) { o.Built = noon.Add(time.Hour) })
	if _, err := h.client.Purchase(t.Context(), h.key(), wire.Purchase{
		Kind: tournament.CashBuyIn, Seats: 1, Operator: "Lindiwe", Desk: "cash-desk",
	}); !suspect(err) {
		t.Errorf("a purchase: %v", err)
	}
	if h.sequence() != 0 {
		t.Error("something was written")
	}
	if _, err := h.client.ConfirmClock(t.Context(), wire.ConfirmClock{Operator: "Sipho", Note: "the build machine was wrong"}); err != nil {
		t.Fatal(err)
	}
	h.player(1)
	h.stop()
	h.start()
	h.player(1)
}

// TestASuspectClockWritesNothingUntilConfirmed is gokrazy#392: the clock was set back at a start.
func TestASuspectClockWritesNothingUntilConfirmed(t *testing.T) {
	for name, jump := range map[string]time.Duration{
		"behind": -time.Hour, "ahead": 13 * time.Hour, "1970": time.Unix(0, 0).Sub(noon), "four days ahead": 4 * 24 * time.Hour,
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			person := h.player(2)
			before := h.sequence()
			h.stop()
			h.set(noon.Add(jump))
			h.start()
			health, err := h.client.Health(t.Context())
			if err != nil || health.Status != "suspect" {
				t.Errorf("health %+v, %v", health, err)
			}
			if _, err := h.client.Register(t.Context(), h.key(), h.registration(person, h.nextHeat())); !suspect(err) {
				t.Errorf("a registration: %v", err)
			}
			if _, err := h.client.Identify(t.Context(), wire.Identify{Document: document(1), Kiosk: "kiosk-1"}); !suspect(err) {
				t.Errorf("an identification: %v", err)
			}
			if _, err := h.tryImport(wire.Rows{Members: []wire.Member{{Line: 2, Number: "M1", Surname: "Nel", Given: "Piet"}}}); !suspect(err) {
				t.Errorf("an import: %v", err)
			}
			if h.sequence() != before {
				t.Error("something was written")
			}
			if _, err := h.client.ConfirmClock(t.Context(), wire.ConfirmClock{Operator: "Sipho", Note: "battery replaced"}); err != nil {
				t.Fatal(err)
			}
			if h.sequence() != before+1 {
				t.Error("the confirmation left no event")
			}
			if _, err := h.client.Notice(t.Context(), h.key(), wire.Notice{Kind: wire.HelpCalled, Kiosk: "kiosk-1", At: noon}); err != nil {
				t.Errorf("after the confirmation: %v", err)
			}
			h.stop()
			h.start()
			if health, err := h.client.Health(t.Context()); err != nil || health.Status != "ok" {
				t.Errorf("after another start: %+v, %v", health, err)
			}
		})
	}
}
