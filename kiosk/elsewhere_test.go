package kiosk

import (
	"errors"
	"testing"
	"time"

	"reelkiosk/store/replica"
	"reelkiosk/store/tournament"
)

func TestASilentKioskIsNeverNamed(t *testing.T) {
	boot := time.Hour
	said := func(silent ...string) *silence { return &silence{silent, boot} }
	for name, test := range map[string]struct {
		refused error
		said    *silence
		passed  time.Duration
		want    string
	}{
		"alive a moment ago":             {&replica.NotHomeError{Home: "kiosk-2"}, said("kiosk-3"), time.Minute, "kiosk-2"},
		"silent":                         {&replica.NotHomeError{Home: "kiosk-2"}, said("kiosk-2", "kiosk-3"), time.Minute, ""},
		"alive, and central gone since":  {&replica.NotHomeError{Home: "kiosk-2"}, said(), aliveFor + time.Second, ""},
		"central has said nothing yet":   {&replica.NotHomeError{Home: "kiosk-2"}, nil, 0, ""},
		"nobody knows the player":        {&replica.NotHomeError{}, said(), 0, ""},
		"her home, by a list of another": {&replica.NotHomeError{Home: "kiosk-1"}, said(), 0, ""},
		"another reason":                 {tournament.NoGrant.Refuse(), said(), 0, ""},
		"no refusal at all":              {errors.New("the disk"), said(), 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			c := &Conductor{Parts: Parts{Name: "kiosk-1", Clock: NewClock(func() time.Duration { return time.Hour + test.passed })}}
			c.silence.Store(test.said)
			if got := c.elsewhere(test.refused); got != test.want {
				t.Errorf("sent to %q, want %q", got, test.want)
			}
		})
	}
}
