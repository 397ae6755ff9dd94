package kiosk

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"reelkiosk/kiosk/visit"
)

// given counts the events of a kind in the books.
func (h *house) given(what string) (count int) {
	h.Helper()
	events, err := h.desk.Events(h.Context(), 0, 10000)
	h.must(err)
	for _, event := range events {
		if strings.Contains(string(event), `"what":"`+what+`"`) {
			count++
		}
	}
	return count
}

// TestAPlannedStopGivesEverythingBack: and asks for nothing more, until the kiosk is started again.
func TestAPlannedStopGivesEverythingBack(t *testing.T) {
	h := newHouse(t)
	h.openAlone("a")
	h.eventually("a grant", func() bool { held, _ := h.Alone.Held(); return held > 0 && h.alone.Load() })
	held, _ := h.Alone.Held()
	stopped := h.stopPlanned(t.Context())
	if stopped.Returned != held || stopped.Waiting != 0 {
		t.Errorf("of %d machines: %+v", held, stopped)
	}
	h.until("an attract screen that is out of order", func(s visit.State) bool { return s.OutOfOrder == visit.TroubleOutOfService })
	if h.given("given-back") == 0 {
		t.Error("central has not heard of it")
	}
	before := h.given("granted")
	h.learn()
	h.learn()
	h.eventually("another look", func() bool { return len(h.learnt) == 0 })
	if after, _ := h.Alone.Held(); after != 0 || h.given("granted") != before {
		t.Errorf("%d machines were granted after it", after)
	}
	h.stop()
	h.openAlone("b")
	h.eventually("a grant after another start", func() bool { held, _ := h.Alone.Held(); return held > 0 })
}

func TestAKioskIsToldToStopAtItsSocket(t *testing.T) {
	h := newHouse(t)
	parts := h.parts()
	parts.Control = filepath.Join(t.TempDir(), "kiosk.sock")
	h.run(parts)
	h.until("heats", func(s visit.State) bool { return len(s.Floor.Heats) > 0 })
	var stopped Stopped
	h.eventually("an answer at the socket", func() (is bool) {
		var err error
		stopped, err = StopRunning(t.Context(), parts.Control)
		return err == nil
	})
	if stopped != (Stopped{}) {
		t.Errorf("a kiosk that had nothing: %+v", stopped)
	}
	h.until("an attract screen that is out of order", func(s visit.State) bool { return s.OutOfOrder == visit.TroubleOutOfService })
	if _, err := StopRunning(t.Context(), filepath.Join(t.TempDir(), "none.sock")); err != ErrNotRunning {
		t.Errorf("where none runs: %v", err)
	}
}

func TestAPlannedStopInACutSaysWhatWaits(t *testing.T) {
	h := newHouse(t)
	h.openAlone("a")
	h.eventually("a grant", func() bool { held, _ := h.Alone.Held(); return held > 0 })
	h.cut()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	if stopped := h.stopPlanned(ctx); stopped.Returned == 0 || stopped.Waiting == 0 {
		t.Errorf("%+v", stopped)
	}
	if err := h.Alone.Ready(t.Context()); err == nil {
		t.Error("it still gives seats by itself")
	}
	h.meanwhile(nil)
	h.eventually("central to hear of it", func() bool { return h.given("given-back") > 0 })
}
