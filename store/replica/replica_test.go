package replica

import (
	"bytes"
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"reelkiosk/store/kv"
	"reelkiosk/store/wire"
)

func TestMain(m *testing.M) {
	if order, asked := os.LookupEnv(keepVariable); asked {
		keepMain(order)
	}
	if order, asked := os.LookupEnv(busyVariable); asked {
		busyMain(order)
	}
	goleak.VerifyTestMain(m)
}

func open1(t testing.TB, path string) *Replica {
	t.Helper()
	r, err := Open(path, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// again closes the replica and opens the file anew.
func again(t testing.TB, r *Replica, path string) *Replica {
	t.Helper()
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	return open1(t, path)
}

func ask(t testing.TB, r *Replica, heat string) Request {
	t.Helper()
	request, err := r.Ask(wire.PathRegistrations, wire.Register{Heat: "h" + "<&>", Kiosk: heat})
	if err != nil {
		t.Fatal(err)
	}
	return request
}

func TestRequestOutlivesItsProcessByteForByte(t *testing.T) {
	path := filepath.Join(t.TempDir(), "replica")
	r := open1(t, path)
	first, second := ask(t, r, "one"), ask(t, r, "two")
	if first.Sequence != 1 || second.Sequence != 2 || r.Settled() != 1 {
		t.Errorf("sequences %d and %d, settled %d", first.Sequence, second.Sequence, r.Settled())
	}
	enrolment := r.Enrolment()
	r = again(t, r, path)
	if got := r.Requests(); !reflect.DeepEqual(got, []Request{first, second}) {
		t.Errorf("got %v, want %v", got, []Request{first, second})
	}
	if r.Enrolment() != enrolment {
		t.Errorf("enrolment %q became %q", enrolment, r.Enrolment())
	}
	if _, err := wire.ParseKey(wire.Key{Enrolment: enrolment, Sequence: 1}.String()); err != nil {
		t.Error(err)
	}
}

func TestKeyIsNeverGivenTwice(t *testing.T) {
	path := filepath.Join(t.TempDir(), "replica")
	r := open1(t, path)
	for range 3 {
		if err := r.Settle(ask(t, r, "x"), nil); err != nil {
			t.Fatal(err)
		}
	}
	if r.Settled() != 4 {
		t.Errorf("settled %d", r.Settled())
	}
	r = again(t, r, path)
	if next := ask(t, r, "x"); next.Sequence != 4 {
		t.Errorf("the sequence after a restart is %d", next.Sequence)
	}
}

func TestSettledStopsAtTheOldestUnsettledRequest(t *testing.T) {
	r := open1(t, filepath.Join(t.TempDir(), "replica"))
	first, second, third := ask(t, r, "1"), ask(t, r, "2"), ask(t, r, "3")
	for _, step := range []struct {
		settle Request
		want   uint64
	}{{second, 1}, {first, 3}, {first, 3}, {third, 4}} {
		if err := r.Settle(step.settle, nil); err != nil || r.Settled() != step.want {
			t.Errorf("after %d: settled %d, %v, want %d", step.settle.Sequence, r.Settled(), err, step.want)
		}
	}
}

func TestSeatAndItsPrintAreOneCommit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "replica")
	r := open1(t, path)
	if err := r.Settle(ask(t, r, "x"), &Intent{Ticket: "T1", Seat: "S1"}); err != nil {
		t.Fatal(err)
	}
	r = again(t, r, path)
	if got := r.Intents(); len(r.Requests()) != 0 || !reflect.DeepEqual(got, []Intent{{"T1", "S1"}}) {
		t.Errorf("requests %v, intents %v", r.Requests(), got)
	}
	report, err := r.Conclude(wire.PrintOutcome{Ticket: "T1", State: "printed"})
	if err != nil {
		t.Fatal(err)
	}
	r = again(t, r, path)
	if len(r.Intents()) != 0 || !reflect.DeepEqual(r.Requests(), []Request{report}) || report.Path != wire.PathPrints {
		t.Errorf("requests %v, intents %v", r.Requests(), r.Intents())
	}
	if _, err := r.Conclude(wire.PrintOutcome{Ticket: "T1", State: "printed"}); err != nil {
		t.Errorf("a late word: %v", err)
	}
}

func TestSecondProcessIsToldWhoHoldsTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "replica")
	open1(t, path)
	if _, err := Open(path, rand.Reader); !errors.Is(err, kv.ErrHeld) || !strings.Contains(err.Error(), "process") {
		t.Errorf("got %v", err)
	}
}

func TestDamagedFileIsKeptAsideAndNothingTakesItsPlace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "replica [1]")
	r := open1(t, path)
	ask(t, r, "x")
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	garbage := bytes.Repeat([]byte("garbage "), 8192)
	if err := os.WriteFile(path, garbage, 0o600); err != nil {
		t.Fatal(err)
	}
	var damaged *DamagedError
	for range 3 {
		_, err := Open(path, rand.Reader)
		if !errors.As(err, &damaged) || !errors.Is(err, kv.ErrDamaged) || !strings.Contains(err.Error(), damaged.Kept) {
			t.Fatalf("got %v", err)
		}
	}
	if kept, err := os.ReadFile(damaged.Kept); err != nil || !bytes.Equal(kept, garbage) {
		t.Errorf("what was kept is another file: %v", err)
	}
	if err := os.Rename(damaged.Kept, filepath.Join(t.TempDir(), "looked at")); err != nil {
		t.Fatal(err)
	}
	open1(t, path)
}

func TestRecordThatIsNoRecordIsDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "replica")
	r := open1(t, path)
	var batch kv.Batch
	batch.Put([]byte(prefixIntent+"T1"), []byte("{"))
	if err := r.apply(&batch); err != nil {
		t.Fatal(err)
	}
	r.Close()
	var damaged *DamagedError
	if _, err := Open(path, rand.Reader); !errors.As(err, &damaged) {
		t.Errorf("got %v", err)
	}
}

func TestFolderThatIsNotThere(t *testing.T) {
	if _, err := Open(filepath.Join(t.TempDir(), "no", "replica"), rand.Reader); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

// TestAnyHistory compares a replica that is closed and opened at random with a plain model.
func TestAnyHistory(t *testing.T) {
	folder := t.TempDir()
	count := 0
	rapid.Check(t, func(rt *rapid.T) {
		count++
		path := filepath.Join(folder, string(rune('a'+count%26))+strings.Repeat("x", count/26))
		r, err := Open(path, rand.Reader)
		if err != nil {
			rt.Fatal(err)
		}
		defer func() { r.Close() }()
		var requests []Request
		intents := map[string]bool{}
		var dead []uint64
		for range rapid.IntRange(1, 12).Draw(rt, "length") {
			switch kind := rapid.IntRange(0, 11).Draw(rt, "kind"); {
			case kind < 3:
				request, err := r.Ask(wire.PathNotices, wire.Notice{Detail: "x"})
				if err != nil {
					rt.Fatal(err)
				}
				requests = append(requests, request)
			case kind < 6 && len(requests) > 0:
				at := rapid.IntRange(0, len(requests)-1).Draw(rt, "settled")
				ticket := rapid.StringMatching("T[0-9]").Draw(rt, "ticket")
				if err := r.Settle(requests[at], &Intent{Ticket: ticket}); err != nil {
					rt.Fatal(err)
				}
				requests = append(requests[:at:at], requests[at+1:]...)
				intents[ticket] = true
			case kind < 9:
				ticket := rapid.StringMatching("T[0-9]").Draw(rt, "ticket")
				request, err := r.Conclude(wire.PrintOutcome{Ticket: ticket})
				if err != nil {
					rt.Fatal(err)
				}
				requests = append(requests, request)
				delete(intents, ticket)
			case kind == 9:
				r.Close()
				if r, err = Open(path, rand.Reader); err != nil {
					rt.Fatal(err)
				}
			case kind == 10 && len(requests) > 0:
				at := rapid.IntRange(0, len(requests)-1).Draw(rt, "buried")
				if err := r.Bury(requests[at], "unknown-ticket", time.Time{}); err != nil {
					rt.Fatal(err)
				}
				dead = append(dead, requests[at].Sequence)
				requests = append(requests[:at:at], requests[at+1:]...)
			case kind == 11 && len(dead) > 0:
				request, err := r.Retry(dead[0])
				if err != nil {
					rt.Fatal(err)
				}
				requests, dead = append(requests, request), dead[1:]
			}
			slices.Sort(dead)
			var lie []uint64
			for _, letter := range r.Dead() {
				lie = append(lie, letter.Number)
			}
			if slices.Sort(lie); !slices.Equal(lie, dead) {
				rt.Fatalf("dead letters %v, want %v", lie, dead)
			}
			if got := r.Requests(); len(got) != len(requests) || len(got) > 0 && !reflect.DeepEqual(got, requests) {
				rt.Fatalf("requests %v, want %v", got, requests)
			}
			left := map[string]bool{}
			for _, intent := range r.Intents() {
				left[intent.Ticket] = true
			}
			if !reflect.DeepEqual(left, intents) {
				rt.Fatalf("intents %v, want %v", left, intents)
			}
		}
	})
}
