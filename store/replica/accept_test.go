package replica

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"reelkiosk/store/kv"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// furnished makes a file with something of each kind, and returns the bodies of what it tells, in order.
func furnished(t *testing.T, path string) (told []string) {
	t.Helper()
	r := open1(t, path)
	tell := func(path string, body any) Request {
		request, err := r.Ask(path, body)
		if err != nil {
			t.Fatal(err)
		}
		return request
	}
	for i := range 40 {
		told = append(told, string(tell(wire.PathNotices, wire.Notice{Kind: wire.HelpCalled, Detail: fmt.Sprint("n", i)}).Body))
		if i%4 == 0 {
			ask(t, r, fmt.Sprint("h", i))
		}
	}
	asked := ask(t, r, "printed")
	if err := r.Settle(asked, &Intent{Ticket: "T1", Seat: "s1"}); err != nil {
		t.Fatal(err)
	}
	buried := tell(wire.PathNotices, wire.Notice{Kind: wire.HelpCalled, Detail: "dead"})
	if err := r.Bury(buried, "it makes no sense", time.Time{}); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	return told
}

// aside has Open put a file aside.
func aside(t *testing.T, path string) *DamagedError {
	t.Helper()
	_, err := Open(path, rand.Reader)
	damaged, is := errors.AsType[*DamagedError](err)
	if !is || !errors.Is(err, kv.ErrDamaged) {
		t.Fatalf("a damaged file opens: %v", err)
	}
	if _, err := os.Stat(damaged.Kept); err != nil {
		t.Fatal(err)
	}
	return damaged
}

func TestADamagedFileIsAcceptedAndItsOutboxSalvaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kiosk.db")
	if _, err := Accept(path, "kiosk-1", rand.Reader); !errors.Is(err, ErrNothingKept) {
		t.Errorf("where nothing is: %v", err)
	}
	told := furnished(t, path)
	before := open1(t, path)
	enrolment := before.Enrolment()
	before.Close()
	overwrite(t, path, func(text []byte) []byte { clear(text[:2*os.Getpagesize()]); return text }) // both meta pages
	damaged := aside(t, path)
	aside(t, path) // and stays so until somebody says yes
	if seen, err := Look(path); err != nil || len(seen.Told) < len(told) {
		t.Fatalf("%+v, %v", seen, err)
	}
	found, err := Accept(path, "kiosk-1", rand.Reader)
	if err != nil || found.Kept != damaged.Kept {
		t.Fatal(found, err)
	}
	r := open1(t, path)
	if r.Enrolment() == enrolment {
		t.Error("it goes on under the keys of the damaged file")
	}
	requests := r.Requests()
	if len(requests) != len(found.Told)+len(found.Owed) || len(r.Intents()) != 0 {
		t.Errorf("%d requests of %d told and %d owed", len(requests), len(found.Told), len(found.Owed))
	}
	bodies := map[string]int{}
	for _, request := range requests {
		bodies[string(request.Body)]++
		if asking[request.Path] {
			t.Error("what was asked under an old key is asked again under a new one")
		}
	}
	for _, body := range told {
		if bodies[body] != 1 {
			t.Errorf("%s is told %d times", body, bodies[body])
		}
	}
	var outcome wire.PrintOutcome
	last := requests[len(requests)-1]
	if err := json.Unmarshal(last.Body, &outcome); err != nil || outcome.Ticket != "T1" || outcome.State != tournament.CopyUnconfirmed {
		t.Errorf("the ticket that was printing: %+v, %v", outcome, err)
	}
	if len(found.Asked) < 10 || len(r.Dead()) != 1 || requests[0].Sequence <= r.Dead()[0].Number {
		t.Errorf("asked %d, dead %+v, first %d", len(found.Asked), r.Dead(), requests[0].Sequence)
	}
	var listed Salvaged
	text, err := os.ReadFile(found.Listed)
	if err := errors.Join(err, json.Unmarshal(text, &listed)); err != nil || len(listed.Asked) != len(found.Asked) {
		t.Errorf("the list for hosts: %v, %v", listed, err)
	}
	if _, err := os.Stat(damaged.Kept); err != nil {
		t.Error("the evidence is gone: ", err)
	}
	if _, err := Accept(path, "kiosk-1", rand.Reader); !errors.Is(err, ErrNothingKept) {
		t.Errorf("once more: %v", err)
	}
	// Another damage later is another matter.
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	overwrite(t, path, func(text []byte) []byte { return text[:100] })
	if again := aside(t, path); again.Kept == damaged.Kept {
		t.Error("the second damaged file took the place of the first")
	}
	if found, err := Accept(path, "kiosk-1", rand.Reader); err != nil || len(found.Told) != 0 {
		t.Errorf("nothing can be read: %+v, %v", found, err)
	}
}

func overwrite(t *testing.T, path string, damage func([]byte) []byte) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, damage(text), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestAFileWithFlippedBitsIsFoundOut damages files at random, 300 times with REELKIOSK_LONG=1 and a tenth of that otherwise:
// each opens as it was, or is put aside and accepted; nothing is ever told that was not in it.
func TestAFileWithFlippedBitsIsFoundOut(t *testing.T) {
	random := mathrand.New(mathrand.NewPCG(givenSeed(t), 0))
	sound := filepath.Join(t.TempDir(), "kiosk.db")
	told := map[string]bool{}
	for _, body := range furnished(t, sound) {
		told[body] = true
	}
	whole, err := os.ReadFile(sound)
	if err != nil {
		t.Fatal(err)
	}
	before := open1(t, sound)
	used := len(bytes.TrimRight(whole, "\x00")) // the file grows in large steps
	counts, salvaged := map[string]int{}, 0
	for range cuts(300) {
		path := filepath.Join(t.TempDir(), "kiosk.db")
		text := append([]byte(nil), whole...)
		for range 1 + random.IntN(20) {
			text[random.IntN(used)] ^= 1 << random.IntN(8)
		}
		if random.IntN(5) == 0 {
			text = text[:random.IntN(used)]
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := Open(path, rand.Reader)
		if errors.Is(err, kv.ErrDamaged) {
			counts["put aside"]++
			found, err := Accept(path, "kiosk-1", rand.Reader)
			if err != nil {
				t.Fatal(err)
			}
			for _, request := range found.Told {
				if salvaged++; !told[string(request.Body)] && string(request.Body) != deadBody(before) {
					t.Errorf("salvaged is what was never told: %s", request.Body)
				}
			}
			r, err = Open(path, rand.Reader)
			if err != nil {
				t.Fatal(err)
			}
		} else if err != nil {
			t.Fatal(err)
		} else if counts["sound"]++; fmt.Sprint(r.Requests(), r.Intents(), r.Dead()) != fmt.Sprint(before.Requests(), before.Intents(), before.Dead()) {
			// A torn write of the newest meta page leads to the commit before; nothing else may be believed.
			if counts["a commit earlier"]++; len(r.Requests())-len(before.Requests()) != 1 {
				t.Error("a damaged file is believed")
			}
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
	t.Logf("%v, %d requests salvaged", counts, salvaged)
}

func deadBody(r *Replica) string { return string(r.Dead()[0].Body) }
