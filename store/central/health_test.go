package central

import (
	"crypto/rand"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"reelkiosk/store/condition"
	"reelkiosk/store/kv"
	"reelkiosk/store/ledger"
	"reelkiosk/store/tournament"
	"reelkiosk/store/trust"
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

// TestSilentKiosksAreNamed: those of which nothing was heard, or that central gives no keys, are nobody's way out.
func TestSilentKiosksAreNamed(t *testing.T) {
	h := newHouse(t)
	for _, name := range []string{"kiosk-1", "kiosk-2"} {
		if _, err := apply[wire.Accepted](t.Context(), h.Central, ledger.Request{Act: ledger.Enlist{Kiosk: name}}); err != nil {
			t.Fatal(err)
		}
	}
	enrols := func(name string) {
		code, err := tournament.NewEnrolmentCode(rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		id := trust.SecretsOf(code).ID
		for _, act := range []ledger.Act{
			ledger.IssueCode{Kiosk: name, Role: wire.RoleKiosk, ID: id, Seed: make([]byte, 16), Operator: "Lindiwe"},
			ledger.Enrol{Code: id, Key: "key of " + name, Enrolment: strings.ToLower(rand.Text()), Proven: true},
		} {
			if _, err := h.writer.do(t.Context(), func(view *kv.Overlay, at time.Time) (any, error) {
				return h.books.Apply(view, ledger.Request{At: at, Random: rand.Reader, Who: "Lindiwe", Act: act})
			}); err != nil {
				t.Fatal(err)
			}
		}
	}
	silent := func(want ...string) {
		t.Helper()
		h.pass(lookedAfter)
		taken, err := h.client.Report(t.Context(), wellKiosk("kiosk-1"))
		if err != nil || !slices.Equal(taken.Silent, want) {
			t.Errorf("silent are %v, %v, want %v", taken.Silent, err, want)
		}
	}
	silent("kiosk-1", "kiosk-2") // on the list, and never enrolled
	enrols("kiosk-1")
	enrols("kiosk-2")
	h.present.heard("kiosk-1", h.now())
	h.present.heard("kiosk-2", h.now())
	silent()
	h.pass(silentAfter)
	h.present.heard("kiosk-1", h.now())
	silent("kiosk-2")
}
