// Package kvtest is what every engine of store/kv has to pass: one suite, run by an engine's own test in a few lines.
//
//	func TestSuite(t *testing.T) {
//		kvtest.Run(t, func(t testing.TB, where string) kv.Store {
//			store, err := bolt.Open(filepath.Join(where, "books"), bolt.Options{})
//			if err != nil {
//				t.Fatal(err)
//			}
//			return store
//		})
//	}
//
// Memory is an engine that keeps nothing over a restart, for tests that need a store and not a disk. The suite's own test
// runs it on Memory, and on Memories with one fault each, which it must find.
package kvtest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"reelkiosk/store/kv"
)

// Open opens the store that belongs to a folder, which the suite makes: the same folder is the same store, opened again
// after it was closed. It fails the test where it cannot.
type Open func(t testing.TB, where string) kv.Store

// Run runs the suite on an engine. Its random parts print a seed when they fail, and REELKIOSK_SEED repeats it;
// REELKIOSK_LONG=1 runs ten times as much.
func Run(t *testing.T, open Open) {
	for _, part := range []struct {
		name string
		test func(*testing.T, Open)
	}{
		{"reads", testReads},
		{"ranges", testRanges},
		{"against a plain map", testModel},
		{"a view keeps its revision", testIsolation},
		{"a batch is seen whole or not at all", testAtomic},
		{"a long scan", testLongScan},
		{"limits", testLimits},
		{"ended contexts", testContexts},
		{"one writer at a time", testOneWriter},
		{"a deposed writer", testFence},
		{"closing", testClose},
		{"opening again", testReopen},
	} {
		t.Run(part.name, func(t *testing.T) { part.test(t, open) })
	}
}

// patience is how long anything may take that does not hang.
const patience = 20 * time.Second

// times returns a number of repetitions: the stated one where REELKIOSK_LONG=1 asks for it, otherwise a tenth.
func times(stated int) int {
	if os.Getenv("REELKIOSK_LONG") == "1" {
		return stated
	}
	return stated / 10
}

// seed returns the seed of a random part and prints it should the test fail.
func seed(t *testing.T) uint64 {
	value := uint64(time.Now().UnixNano())
	if given, err := strconv.ParseUint(os.Getenv("REELKIOSK_SEED"), 10, 64); err == nil {
		value = given
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("REELKIOSK_SEED=%d repeats this", value)
		}
	})
	return value
}

// opened opens a new store that is closed when the test ends.
func opened(t *testing.T, open Open) kv.Store {
	t.Helper()
	store := open(t, t.TempDir())
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Errorf("closing: %v", err)
		}
	})
	return store
}

// led returns the writer of a store.
func led(t *testing.T, store kv.Store) kv.Leader {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	leader, err := store.Lead(ctx)
	if err != nil {
		t.Fatalf("becoming the writer: %v", err)
	}
	return leader
}

// batch returns a batch that puts keys and values: key, value, key, value…
func batch(pairs ...string) *kv.Batch {
	made := &kv.Batch{}
	for i := 0; i < len(pairs); i += 2 {
		made.Put([]byte(pairs[i]), []byte(pairs[i+1]))
	}
	return made
}

func apply(t *testing.T, leader kv.Leader, batch *kv.Batch) {
	t.Helper()
	if err := leader.Apply(t.Context(), batch); err != nil {
		t.Fatalf("applying: %v", err)
	}
}

// view calls read with a view and fails the test where that fails.
func view(t *testing.T, store kv.Store, read func(kv.Reader) error) {
	t.Helper()
	if err := store.View(t.Context(), read); err != nil {
		t.Errorf("viewing: %v", err)
	}
}

// contents returns everything in a range.
func contents(reader kv.Reader, low, high []byte) (map[string]string, []string, error) {
	found, order := map[string]string{}, []string{}
	walk, failed := reader.Range(low, high)
	for key, value := range walk {
		order = append(order, string(key))
		found[string(key)] = string(value)
	}
	return found, order, failed()
}

// want fails unless the store holds exactly this.
func want(t *testing.T, store kv.Store, situation string, all map[string]string) {
	t.Helper()
	view(t, store, func(reader kv.Reader) error {
		found, order, err := contents(reader, nil, nil)
		if err == nil && !maps.Equal(found, all) {
			t.Errorf("%s: the store holds %v, want %v", situation, found, all)
		}
		if !slices.IsSorted(order) {
			t.Errorf("%s: the keys are not in order: %q", situation, order)
		}
		return err
	})
}

// wantGet fails unless a key has a value, or is absent where the value is "absent".
func wantGet(reader kv.Reader, key, value string) error {
	got, err := reader.Get([]byte(key))
	switch {
	case value == absent && !errors.Is(err, kv.ErrNotFound):
		return fmt.Errorf("get %q: %q, %v; want %w", key, got, err, kv.ErrNotFound)
	case value != absent && (err != nil || string(got) != value):
		return fmt.Errorf("get %q: %q, %v; want %q", key, got, err, value)
	}
	return nil
}

const absent = "absent"

// soon fails unless the channel is closed, or gets a value, before patience ends.
func soon[T any](t *testing.T, what string, from <-chan T) (got T) {
	t.Helper()
	select {
	case got = <-from:
	case <-time.After(patience):
		t.Fatalf("%s did not happen within %v", what, patience)
	}
	return got
}
