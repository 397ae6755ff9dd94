package kvtest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"reelkiosk/store/kv"
)

func testLimits(t *testing.T, open Open) {
	store := opened(t, open)
	leader := led(t, store)
	limits := store.Limits()
	apply(t, leader, batch("kept", "1"))
	refuse := func(situation string, changes *kv.Batch) {
		t.Helper()
		if err := leader.Apply(t.Context(), changes); !errors.Is(err, kv.ErrLimit) {
			t.Errorf("%s: %v, want %v", situation, err, kv.ErrLimit)
		}
		want(t, store, situation, map[string]string{"kept": "1"})
	}
	if limits.Operations > 0 {
		changes := batch("kept", "2")
		for i := range limits.Operations {
			changes.Delete(fmt.Appendf(nil, "%d", i))
		}
		refuse("one operation too many", changes)
	}
	if limits.Bytes > 0 && limits.Bytes < 1<<24 {
		refuse("too many bytes", batch("kept", "2", "large", strings.Repeat("x", limits.Bytes)))
	}
	if limits.Key > 0 && limits.Key < 1<<24 {
		refuse("too long a key", batch("kept", "2", strings.Repeat("k", limits.Key+1), ""))
	}
	if limits.Value > 0 && limits.Value < 1<<24 {
		refuse("too long a value", batch("kept", "2", "large", strings.Repeat("x", limits.Value+1)))
	}
	// Whoever was refused is still the writer.
	apply(t, leader, batch("kept", "3"))
	want(t, store, "after the refusals", map[string]string{"kept": "3"})
}

func testContexts(t *testing.T, open Open) {
	store := opened(t, open)
	ended, end := context.WithCancel(t.Context())
	end()
	if err := store.View(ended, func(kv.Reader) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("a view: %v, want %v", err, context.Canceled)
	}
	if _, err := store.Lead(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("becoming the writer: %v, want %v", err, context.Canceled)
	}
	leader := led(t, store)
	if err := leader.Apply(ended, batch("a", "1")); !errors.Is(err, context.Canceled) {
		t.Errorf("applying: %v, want %v", err, context.Canceled)
	}
	want(t, store, "after that", nil)

	waiting, stop := context.WithCancel(t.Context())
	failed := make(chan error, 1)
	go func() {
		_, err := store.Lead(waiting)
		failed <- err
	}()
	stop()
	if err := soon(t, "giving up to become the writer", failed); !errors.Is(err, context.Canceled) {
		t.Errorf("waiting to become the writer: %v, want %v", err, context.Canceled)
	}

	most := store.Limits().Operations
	if most == 0 {
		most = 10_000
	}
	for next := 0; next < 10_000; {
		changes := &kv.Batch{}
		for ; next < 10_000 && changes.Len() < most; next++ {
			changes.Put(fmt.Appendf(nil, "%08d", next), nil)
		}
		apply(t, leader, changes)
	}
	walking, stop := context.WithCancel(t.Context())
	passed := 0
	err := store.View(walking, func(reader kv.Reader) error {
		walk, failed := reader.Range(nil, nil)
		for range walk {
			passed++
			stop()
		}
		return failed()
	})
	if !errors.Is(err, context.Canceled) || passed == 10_000 {
		t.Errorf("a range whose context ends at its first key: %d of 10000 keys, %v; want %v", passed, err, context.Canceled)
	}
}

func testOneWriter(t *testing.T, open Open) {
	store := opened(t, open)
	var mu sync.Mutex
	var epochs []uint64
	leading := 0
	var writers sync.WaitGroup
	for range 8 {
		writers.Go(func() {
			for range 5 {
				leader, err := store.Lead(t.Context())
				if err != nil {
					t.Errorf("becoming the writer: %v", err)
					return
				}
				mu.Lock()
				epochs = append(epochs, leader.Epoch())
				if leading++; leading != 1 {
					t.Errorf("%d writers at a time", leading)
				}
				mu.Unlock()
				runtime.Gosched() // others may try now
				if err := leader.Apply(t.Context(), batch("epoch", fmt.Sprint(leader.Epoch()))); err != nil {
					t.Errorf("applying: %v", err)
				}
				mu.Lock()
				leading--
				mu.Unlock()
				if err := leader.Resign(); err != nil {
					t.Errorf("resigning: %v", err)
				}
			}
		})
	}
	writers.Wait()
	for i := 1; i < len(epochs); i++ {
		if epochs[i] <= epochs[i-1] {
			t.Fatalf("the epochs are %v, want each higher than the one before", epochs)
		}
	}
	if len(epochs) == 0 {
		t.Fatal("nobody led")
	}
	want(t, store, "at last", map[string]string{"epoch": fmt.Sprint(epochs[len(epochs)-1])})
}

func testFence(t *testing.T, open Open) {
	store := opened(t, open)
	old := led(t, store)
	apply(t, old, batch("by", "the old one"))
	select {
	case <-old.Lost():
		t.Error("the writer is told that it lost its right")
	default:
	}
	for range 2 {
		if err := old.Resign(); err != nil {
			t.Errorf("resigning: %v", err)
		}
	}
	soon(t, "the end of the right to write", old.Lost())
	if err := old.Apply(t.Context(), batch("by", "a ghost")); !errors.Is(err, kv.ErrFenced) {
		t.Errorf("applying after resigning: %v, want %v", err, kv.ErrFenced)
	}
	next := led(t, store)
	apply(t, next, batch("by", "the new one"))
	if err := old.Apply(t.Context(), batch("by", "a ghost")); !errors.Is(err, kv.ErrFenced) {
		t.Errorf("applying while another leads: %v, want %v", err, kv.ErrFenced)
	}
	// Resigning again must not take the right from the one who has it.
	if err := old.Resign(); err != nil {
		t.Errorf("resigning: %v", err)
	}
	apply(t, next, batch("still", "leading"))
	want(t, store, "at last", map[string]string{"by": "the new one", "still": "leading"})
}

func testClose(t *testing.T, open Open) {
	store := open(t, t.TempDir())
	leader := led(t, store)
	apply(t, leader, batch("a", "1"))
	waiting := make(chan error, 1)
	go func() {
		_, err := store.Lead(context.WithoutCancel(t.Context()))
		waiting <- err
	}()
	inside, leave, left := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		left <- store.View(context.WithoutCancel(t.Context()), func(reader kv.Reader) error {
			close(inside)
			<-leave
			return wantGet(reader, "a", "1")
		})
	}()
	soon(t, "a view", inside)
	closed := make(chan error, 1)
	go func() { closed <- store.Close() }()
	soon(t, "the end of the right to write", leader.Lost())
	if err := soon(t, "the end of waiting to become the writer", waiting); !errors.Is(err, kv.ErrClosed) {
		t.Errorf("waiting to become the writer: %v, want %v", err, kv.ErrClosed)
	}
	select {
	case err := <-closed:
		t.Errorf("closed during a view: %v", err)
	default:
	}
	close(leave)
	if err := soon(t, "the end of the view", left); err != nil {
		t.Errorf("the view during which the store was closed: %v", err)
	}
	if err := soon(t, "closing", closed); err != nil {
		t.Errorf("closing: %v", err)
	}
	if err := store.Close(); err != nil {
		t.Errorf("closing again: %v", err)
	}
	for situation, act := range map[string]func() error{
		"a view":              func() error { return store.View(t.Context(), func(kv.Reader) error { return nil }) },
		"becoming the writer": func() error { _, err := store.Lead(t.Context()); return err },
		"applying":            func() error { return leader.Apply(t.Context(), batch("a", "2")) },
	} {
		if err := act(); !errors.Is(err, kv.ErrClosed) {
			t.Errorf("%s after closing: %v, want %v", situation, err, kv.ErrClosed)
		}
	}
	if err := leader.Resign(); err != nil {
		t.Errorf("resigning after closing: %v", err)
	}
}
