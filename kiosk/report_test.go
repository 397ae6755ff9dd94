package kiosk

import (
	"testing"
	"time"

	"reelkiosk/store/condition"
	"reelkiosk/store/wire"
)

// TestCentralKnowsHowAKioskIs: what a kiosk lacks is told as it is, and what changes is told soon.
func TestCentralKnowsHowAKioskIs(t *testing.T) {
	leaveNothing(t)
	c := newCastle(t)
	c.enrols("kiosk-3")
	l := c.runs("kiosk-3", nil)
	l.works()
	told := func(reached func(wire.KioskHealth) bool) (last wire.KioskHealth) {
		t.Helper()
		l.await("what central should know", func() bool {
			kiosks, err := c.operator.Kiosks(t.Context())
			c.must(err)
			if len(kiosks.Kiosks) != 1 || kiosks.Kiosks[0].Health == nil {
				return false
			}
			if last = *kiosks.Kiosks[0].Health; kiosks.ServerTime.Sub(kiosks.Kiosks[0].Told) > time.Minute {
				t.Error("told when nobody was there")
			}
			return reached(last)
		})
		return last
	}
	well := told(func(h wire.KioskHealth) bool { return h.Copy.Known && h.Outbox.Waiting == 0 && h.Clock.Known })
	if well.Printer != "none" || well.Card != "none" || well.Document != "none" || well.Copy.Sequence == 0 || well.Copy.Most != 1800 {
		t.Errorf("told %+v", well)
	}
	if off := time.Duration(well.Clock.Offset) * time.Millisecond; off.Abs() > 2*time.Second {
		t.Errorf("its clock is %v ahead", off)
	}
	has := func(name condition.Name) func(wire.KioskHealth) bool {
		return func(h wire.KioskHealth) bool {
			for _, one := range h.Conditions {
				if one.Name == name {
					return one.Do != "" && one.Severity != ""
				}
			}
			return false
		}
	}
	told(has(condition.PrinterGone))
	if has(condition.DisplayGone)(well) {
		t.Error("told of a monitor that is there")
	}
	l.turns <- func() { l.note(condition.PaperOut, true, "") }
	told(has(condition.PaperOut))
}
