package kiosk

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"reelkiosk/devices/printer"
	"reelkiosk/kiosk/visit"
)

func TestARunningKioskPrintsATestPage(t *testing.T) {
	h := newHouse(t)
	parts := h.parts()
	parts.Control = filepath.Join(t.TempDir(), "kiosk.sock")
	if _, err := RunningTestPage(t.Context(), parts.Control, TestAsked{}); !errors.Is(err, ErrNotRunning) {
		t.Errorf("before it runs: %v", err)
	}
	h.sellThandi(1)
	h.run(parts)
	h.until("a card reader", func(s visit.State) bool { return s.Ready.Card && len(s.Floor.Heats) > 0 && s.Paper == visit.PrinterOK })
	h.swipe().on("greeting")
	var printed TestPrinted
	var err error
	for { // the socket is there a moment after the kiosk has begun
		if printed, err = RunningTestPage(t.Context(), parts.Control, TestAsked{"The Ridge", "epson-48"}); !errors.Is(err, ErrNotRunning) {
			break
		}
	}
	if err != nil || !printed.Right() || printed.Do != "" {
		t.Errorf("%+v, %v", printed, err)
	}
	if page := h.paper().Text; !strings.Contains(page, "epson-48") || !strings.Contains(page, "ḓ") && !strings.Contains(page, "áàâ") {
		t.Errorf("the page:\n%s", page)
	}
	if state := h.State(); state.Screen != "greeting" {
		t.Errorf("the player's visit went to %s", state.Screen)
	}
	health, err := RunningHealth(t.Context(), parts.Control)
	for ; err != nil && strings.Contains(err.Error(), "just begun"); health, err = RunningHealth(t.Context(), parts.Control) {
	}
	if err != nil || health.Kiosk != parts.Name || health.Card != "ready" {
		t.Errorf("%+v, %v", health, err)
	}
}

func TestATestPageThatCannotBePrintedSaysWhatToDo(t *testing.T) {
	for state, want := range map[printer.State]string{
		printer.PaperOut: "Put a roll in", printer.CoverOpen: "Close", printer.Gone: "Plug", printer.Unknown: "off and on", printer.Ready: "", printer.Untold: "",
	} {
		if got := PrinterAdvice(state); !strings.Contains(got, want) || (got == "") != (want == "") {
			t.Errorf("%v: %q", state, got)
		}
	}
}
