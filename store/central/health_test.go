package central

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"reelkiosk/store/condition"
	"reelkiosk/store/wire"
)

func names(conditions []wire.Condition) (names []condition.Name) {
	for _, one := range conditions {
		names = append(names, one.Name)
	}
	return names
}

// wellKiosk is how a well kiosk is.
func wellKiosk(kiosk string) wire.KioskHealth {
	return wire.KioskHealth{Kiosk: kiosk, Version: "1", Printer: "ready", Card: "ready", Document: "none", Conditions: []wire.Condition{}}
}

func TestWhatAKioskSaysOfItselfOutlivesCentral(t *testing.T) {
	h := newHouse(t)
	said := wellKiosk("kiosk-1")
	said.Outbox = wire.HealthOutbox{Waiting: 3, Oldest: 61, Dead: 1}
	if _, err := h.client.Report(t.Context(), said); err != nil {
		t.Fatal(err)
	}
	h.stop()
	h.start()
	if kept, at := h.reports.of("kiosk-1"); kept == nil || kept.Outbox != said.Outbox || !at.Equal(noon) {
		t.Errorf("kept %+v at %v", kept, at)
	}
	before := h.sequence()
	h.pass(time.Minute)
	if _, err := h.client.Report(t.Context(), said); err != nil || h.sequence() != before {
		t.Errorf("%v; the books went from %d to %d", err, before, h.sequence())
	}
}

func TestAFileOfWhatKiosksSaidThatIsSpoiltIsAsGoodAsNone(t *testing.T) {
	h := newHouse(t)
	h.stop()
	if err := replaceFile(h.options.Folder+"/"+HealthFile, []byte(`{"kiosk-1": {"at"`)); err != nil {
		t.Fatal(err)
	}
	h.start()
	if _, err := h.client.Report(t.Context(), wellKiosk("kiosk-1")); err != nil {
		t.Error(err)
	}
	if !strings.Contains(h.log.String(), "beginning without what was kept") {
		t.Error("nobody was told")
	}
}

func TestWhatIsLessThanWellWithCentral(t *testing.T) {
	free, failure := 0.5, error(nil)
	h := newHouse(t, func(o *Options) { o.DiskFree = func() (float64, error) { return free, failure } })
	h.player(1)
	expect := func(want ...condition.Name) {
		t.Helper()
		listed, err := h.client.Kiosks(t.Context())
		if got := names(listed.Central); err != nil || !slices.Equal(got, want) {
			t.Errorf("got %v, %v, want %v", got, err, want)
		}
	}
	expect(condition.ListMissing)
	excluded := wire.Exclusion{Line: 2, Reference: "ROE-1", Kind: "refusal-of-entry", From: document(9).BirthDate, IDNumber: document(9).IDNumber}
	if _, err := h.tryImport(wire.Rows{Exclusions: []wire.Exclusion{excluded}}); err != nil {
		t.Fatal(err)
	}
	expect()
	free = 0.04
	expect(condition.DiskLow)
	failure = errors.New("no such disk")
	expect()
	h.set(noon.Add(13 * time.Hour))
	expect(condition.CentralSuspect)
}
