package main

import (
	"strings"
	"testing"
	"time"

	"reelkiosk/store/condition"
	"reelkiosk/store/wire"
)

func TestWhatIsSaidOfAKiosk(t *testing.T) {
	now := time.Date(2026, 11, 30, 21, 0, 0, 0, time.UTC)
	half := 0.5
	health := func(names ...condition.Name) *wire.KioskHealth {
		var holding []condition.Condition
		for _, name := range names {
			holding = append(holding, condition.Condition{Name: name, Since: now.Add(-90 * time.Minute), Detail: "unplugged"})
		}
		return &wire.KioskHealth{
			Kiosk: "kiosk-3", Runs: 100000, Printer: "ready", Card: "gone", Document: "none", DiskFree: &half,
			Outbox: wire.HealthOutbox{Waiting: 2, Oldest: 70, Why: "no answer from central", Dead: 1},
			Alone:  wire.HealthAlone{Machines: 1, Lives: 3000, Why: "no-grant"},
			Copy:   wire.HealthCopy{Sequence: 4711, Known: true, Age: 2},
			Clock:  wire.HealthClock{Known: true, Offset: -7000, RoundTrip: 3}, Conditions: wire.ConditionsOf(holding, now),
		}
	}
	kiosk := func(state wire.KioskState, contact time.Duration, health *wire.KioskHealth) wire.Kiosk {
		return wire.Kiosk{
			Name: "kiosk-3", Role: wire.RoleKiosk, State: state, Contact: now.Add(-contact), Told: now.Add(-contact), Granted: 4, Health: health,
		}
	}
	for name, test := range map[string]struct {
		kiosk   wire.Kiosk
		summary string
		shown   []string
	}{
		"well": {kiosk(wire.KioskEnrolled, time.Second, health()), "well", []string{
			"Nothing is wrong with it", "2 requests wait for central, the oldest for 1 min: no answer", "1 that central cannot take",
			"1 machine for 50 min; it would give none now: no-grant", "7s behind central's; an answer takes 3ms", "50 % free", "up to event 4711, complete 2 s ago",
			"now, 1 d 3 h after its program was started", "card reader   not connected", "scanner       none is configured"}},
		"one thing wrong": {kiosk(wire.KioskEnrolled, time.Second, health(condition.ReaderGone)), "Card reader not connected", []string{
			"Card reader not connected (warning, for 1 h 30 min): unplugged", "    Plug the card reader in"}},
		"several":      {kiosk(wire.KioskEnrolled, time.Second, health(condition.PaperOut, condition.ReaderGone)), "Paper is out (and 1 more)", []string{"2 conditions:"}},
		"silent":       {kiosk(wire.KioskEnrolled, time.Hour, health(condition.ReaderGone)), "silent", []string{"It is silent", "end-grants kiosk-3", "1 condition, when it was last heard:"}},
		"silent, well": {kiosk(wire.KioskEnrolled, time.Hour, health()), "silent", []string{"It is silent"}},
		"stopped as planned": {func() wire.Kiosk {
			stopped := kiosk(wire.KioskEnrolled, time.Hour, health(condition.PlannedStop))
			stopped.Granted = 0
			return stopped
		}(), "stopped as planned", []string{"It was stopped as planned, and holds nothing.", "1 condition, when it was last heard:"}},
		"never told": {kiosk(wire.KioskEnrolled, time.Second, nil), "has said nothing of itself", []string{"4 machines"}},
		"waits":      {kiosk(wire.KioskWaiting, time.Second, health(condition.KeysWithheld)), "Central waits for a technician to approve this kiosk", []string{"reelctl kiosks approve kiosk-3"}},
		"out of use": {wire.Kiosk{Name: "kiosk-3", Role: wire.RoleDesk, State: wire.KioskRevoked, Why: "stolen"}, "stolen", []string{"because       stolen", "reelctl enrol --kiosk kiosk-3 --role desk"}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := inShort(test.kiosk, now); got != test.summary {
				t.Errorf("in one line %q, want %q", got, test.summary)
			}
			var said strings.Builder
			showKiosk(&said, test.kiosk, now)
			for _, want := range test.shown {
				if !strings.Contains(said.String(), want) {
					t.Errorf("want %q in\n%s", want, said.String())
				}
			}
			if strings.Contains(said.String(), "%!") || strings.Contains(said.String(), "Nothing is wrong") != (name == "well") {
				t.Errorf("said\n%s", said.String())
			}
		})
	}
}
