package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"reelkiosk/store/kv"
	"reelkiosk/store/wire"
)

func TestEventsAreNumberedAndSayWhoWhereAndWhat(t *testing.T) {
	f := newFloor(t)
	bought, _ := f.seated(thandi)
	events := f.events()
	var kinds []What
	for i, event := range events {
		if event.Sequence != uint64(i+1) || !event.At.Equal(noon) || event.Who != "player" || event.Where != "kiosk-1" {
			t.Errorf("got %+v", event)
		}
		kinds = append(kinds, event.What)
	}
	if len(kinds) != 3 || kinds[0] != PersonMet || kinds[1] != Purchased || kinds[2] != Registered {
		t.Errorf("got %v", kinds)
	}
	var came registered
	if err := json.Unmarshal(events[2].Outcome, &came); err != nil || came.Person != bought.Person || came.Machine != 1 || came.Rules != "rules-1" {
		t.Errorf("got %+v, %v", came, err)
	}
	some, err := f.books.Events(f.view, 1, 1)
	if err != nil || len(some) != 1 || some[0].Sequence != 2 {
		t.Errorf("got %+v, %v", some, err)
	}
	sequence, at, err := Last(f.view)
	if err != nil || sequence != 3 || !at.Equal(noon) {
		t.Errorf("got %d, %s, %v", sequence, at, err)
	}
}

func TestTimesAreKeptInTheTournamentsZone(t *testing.T) {
	f := newFloor(t)
	f.now = noon.UTC().Add(123456789 * time.Nanosecond)
	f.meets(thandi)
	if at := f.events()[0].At.Format(time.RFC3339Nano); at != "2026-11-30T12:00:00.123+02:00" {
		t.Errorf("got %s", at)
	}
}

func TestEmptyBooks(t *testing.T) {
	f := newFloor(t)
	sequence, at, err := Last(f.view)
	cases, casesErr := f.books.Cases(f.view)
	if sequence != 0 || !at.IsZero() || errors.Join(err, casesErr) != nil || cases == nil || len(f.events()) != 0 {
		t.Errorf("got %d, %s, %v, %v", sequence, at, cases, err)
	}
}

func TestEachKindOfEventReadsItsOwnOutcome(t *testing.T) {
	for kind, made := range outcomes {
		if got := made().what(); got != kind {
			t.Errorf("%s reads the outcome of %s", kind, got)
		}
	}
}

func TestNotices(t *testing.T) {
	f := newFloor(t)
	who := f.meets(thandi)
	for _, notice := range []Notice{
		{Kind: wire.HelpCalled, Kiosk: "kiosk-1", At: f.now, Screen: "offer", Person: who.ID},
		{Kind: wire.VisitAbandoned, Kiosk: "kiosk-1"}, {Kind: wire.Fault, Kiosk: "kiosk-1", Detail: "printer: paper out"},
		{Kind: wire.DeclaredConnected, Kiosk: "kiosk-1"}, {Kind: wire.ClockConfirmed}, {Kind: wire.ExclusionsListed},
	} {
		before := len(f.events())
		accepted := done[wire.Accepted](f, notice)
		events := f.events()
		if len(events) != before+1 || accepted.Sequence != events[before].Sequence || events[before].What != Noticed {
			t.Errorf("%s: got %+v and %d events", notice.Kind, accepted, len(events)-before)
		}
	}
	for _, notice := range []Notice{{Kind: "gossip"}, {Kind: wire.Fault, Detail: strings.Repeat("x", 501)}} {
		if _, err := f.ask(notice); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: got %v", notice.Kind, err)
		}
	}
}

// Books that were tampered with come out otherwise when they are replayed, or not at all.
func TestTamperedBooksAreNoticed(t *testing.T) {
	tamper := map[string]func(f *floor){
		"a seat on another machine": func(f *floor) {
			for i, event := range f.events() {
				if event.What == Registered {
					event.Outcome = json.RawMessage(strings.Replace(string(event.Outcome), `"machine":1`, `"machine":2`, 1))
					put(f, eventKey(uint64(i+1)), event)
				}
			}
		},
		"an event missing":      func(f *floor) { f.view.Delete(eventKey(2)) },
		"an event of no kind":   func(f *floor) { put(f, eventKey(2), Event{Sequence: 2, What: "magic", Outcome: []byte("{}")}) },
		"an outcome that grew":  func(f *floor) { put(f, eventKey(2), Event{Sequence: 2, What: Noticed, Outcome: []byte(`{"x":1}`)}) },
		"an event that is none": func(f *floor) { f.view.Put(eventKey(2), []byte("{")) },
		"an entry given back": func(f *floor) {
			low := []byte(prefixEntry)
			keys, _ := f.view.Range(low, after(low))
			for key := range keys {
				f.view.Delete(key)
				break
			}
		},
		"a copy that the seat does not have": func(f *floor) {
			_, seat := f.seated(sipho)
			f.view.Put(eventKey(uint64(len(f.events())+1)), fmt.Appendf(nil,
				`{"seq":%d,"at":"2026-11-30T12:00:00+02:00","what":"copy-reported","outcome":{"seat":%q,"copy":9,"state":"printed"}}`,
				len(f.events())+1, seat.ID))
		},
		"a seat added": func(f *floor) { f.view.Put(takenKey(at13, 3), []byte("nobody")) },
	}
	for name, edit := range tamper {
		t.Run(name, func(t *testing.T) {
			f := newFloor(t)
			f.rough = true
			f.seated(thandi)
			edit(f)
			again := kv.NewOverlay(nothing{})
			err := f.books.Replay(f.view, again)
			if err == nil {
				err = Same(f.view, again)
			}
			if !errors.Is(err, ErrBooks) {
				t.Errorf("got %v, want ErrBooks", err)
			}
		})
	}
}

func put(f *floor, key []byte, record any) {
	f.Helper()
	if err := (&state{f.books, f.view}).put(key, record); err != nil {
		f.Fatal(err)
	}
}

func TestResolvingNeedsAReasonAndACase(t *testing.T) {
	f := newFloor(t)
	for _, wrong := range []Resolve{{Case: "x"}, {Case: "x", Why: "because"}} {
		if _, err := f.ask(wrong); !errors.Is(err, ErrInvalid) {
			t.Errorf("%+v: got %v", wrong, err)
		}
	}
}
