package wire

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"reelkiosk/store/tournament"
)

func TestARefusalSurvivesTheWire(t *testing.T) {
	until := time.Date(2026, 11, 30, 14, 5, 0, 0, time.FixedZone("SAST", 2*3600))
	for _, sent := range []*tournament.Refusal{
		{Reason: tournament.WindowOver, Clause: 5, Until: until},
		{Reason: tournament.HeatFull, Clause: 11},
		{Reason: tournament.KeyReused},
		{Reason: tournament.ClockSuspect},
	} {
		body, err := json.Marshal(OfRefusal(sent))
		if err != nil {
			t.Fatal(err)
		}
		var problem Problem
		if err := json.Unmarshal(body, &problem); err != nil {
			t.Fatal(err)
		}
		got := problem.Refusal()
		if got == nil || got.Reason != sent.Reason || got.Clause != sent.Clause || !got.Until.Equal(sent.Until) {
			t.Errorf("sent %+v, got %+v from %s", sent, got, body)
		}
	}
}

func TestReasonsThatShareTheHostsScreenDifferOnlyInTheirType(t *testing.T) {
	shared := []tournament.Reason{
		tournament.Excluded, tournament.Connected, tournament.UnderAge, tournament.AgeUnknown,
		tournament.PossibleMatch, tournament.Mismatch, tournament.Unverified, tournament.Disqualified,
	}
	var length int
	for _, reason := range shared {
		refusal := &tournament.Refusal{Reason: reason, Clause: 2, Until: time.Now()}
		problem := OfRefusal(refusal)
		body, err := json.Marshal(problem)
		if err != nil {
			t.Fatal(err)
		}
		if length == 0 {
			length = len(body)
		}
		if len(body) != length {
			t.Errorf("%s: %d bytes, want %d: %s", reason, len(body), length, body)
		}
		if problem.Status != 403 || problem.Title != "Please see a host" || problem.Clause != 0 || problem.Until != nil {
			t.Errorf("%s can be told apart: %s", reason, body)
		}
	}
}

func TestProblemsThatAreNoRefusals(t *testing.T) {
	for _, kind := range []string{ProblemInvalid, ProblemBusy, ProblemInternal, ProblemRows, ProblemUnknown} {
		if refusal := NewProblem(kind, 400, "x").Refusal(); refusal != nil {
			t.Errorf("%s became the refusal %v", kind, refusal)
		}
	}
	if refusal := (&Problem{Type: "about:blank", Status: 502}).Refusal(); refusal != nil {
		t.Errorf("somebody else's problem became the refusal %v", refusal)
	}
}

func TestKeys(t *testing.T) {
	for text, want := range map[string]Key{
		"kiosk-3/17":             {"kiosk-3", 17},
		"a/18446744073709551615": {"a", 1<<64 - 1},
		"":                       {},
		"kiosk-3":                {},
		"kiosk-3/0":              {},
		"kiosk-3/-1":             {},
		"kiosk 3/1":              {},
		"/1":                     {},
		"a/18446744073709551616": {},
		"a/1/2":                  {},
		"kiosk\n/1":              {},
		string(make([]byte, 65)): {},
		"kiosk-3/0x11":           {},
	} {
		got, err := ParseKey(text)
		if got != want || (err == nil) != (want != Key{}) || err != nil && !errors.Is(err, ErrKey) {
			t.Errorf("%q: got %v, %v", text, got, err)
		}
		if err == nil && got.String() != text {
			t.Errorf("%q is written as %q", text, got)
		}
	}
}

func FuzzParseKey(f *testing.F) {
	f.Add("kiosk-3/17")
	f.Add("a/0/1")
	f.Fuzz(func(t *testing.T, text string) {
		key, err := ParseKey(text)
		if err != nil {
			return
		}
		if again, err := ParseKey(key.String()); err != nil || again != key {
			t.Errorf("%q is %v, which reads as %v, %v", text, key, again, err)
		}
	})
}
