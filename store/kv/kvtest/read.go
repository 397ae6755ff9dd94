package kvtest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"reelkiosk/store/kv"
)

func testReads(t *testing.T, open Open) {
	store := opened(t, open)
	leader := led(t, store)
	want(t, store, "a new store", nil)
	changes := batch("empty", "", "zero", "\x00", "\x00", "a key of a zero", "\xff\xff", "the last", "long", strings.Repeat("x", 100_000))
	changes.Delete([]byte("was never there"))
	apply(t, leader, changes)
	view(t, store, func(reader kv.Reader) error {
		return errors.Join(wantGet(reader, "empty", ""), wantGet(reader, "zero", "\x00"), wantGet(reader, "\x00", "a key of a zero"),
			wantGet(reader, "\xff\xff", "the last"), wantGet(reader, "long", strings.Repeat("x", 100_000)),
			wantGet(reader, "none", absent), wantGet(reader, "", absent), wantGet(reader, "emp", absent))
	})
	changes = batch("empty", "no more")
	changes.Delete([]byte("zero"))
	apply(t, leader, changes)
	view(t, store, func(reader kv.Reader) error {
		return errors.Join(wantGet(reader, "empty", "no more"), wantGet(reader, "zero", absent))
	})
	apply(t, leader, &kv.Batch{})
	cause := errors.New("the reader's own")
	if err := store.View(t.Context(), func(kv.Reader) error { return cause }); !errors.Is(err, cause) {
		t.Errorf("a view whose reader fails: %v, want %v", err, cause)
	}
}

func testRanges(t *testing.T, open Open) {
	store := opened(t, open)
	apply(t, led(t, store), batch("a", "1", "a\x00", "2", "ab", "3", "b", "4", "\xff", "5", "\xff\xff", "6"))
	none := []byte(nil)
	for _, c := range []struct {
		low, high []byte
		want      []string
	}{
		{none, none, []string{"a", "a\x00", "ab", "b", "\xff", "\xff\xff"}},
		{[]byte{}, []byte("b"), []string{"a", "a\x00", "ab"}},
		{[]byte("a"), []byte("a\x00"), []string{"a"}},
		{[]byte("a\x00"), []byte("b"), []string{"a\x00", "ab"}},
		{[]byte("aa"), none, []string{"ab", "b", "\xff", "\xff\xff"}},
		{[]byte("\xff"), none, []string{"\xff", "\xff\xff"}},
		{[]byte("\xff\xff\xff"), none, nil},
		{[]byte("b"), []byte("b"), nil},
		{[]byte("b"), []byte("a"), nil},
		{[]byte("a"), []byte{}, nil},
	} {
		view(t, store, func(reader kv.Reader) error {
			_, got, err := contents(reader, c.low, c.high)
			if !slices.Equal(got, c.want) {
				t.Errorf("%q to %q has %q, want %q", c.low, c.high, got, c.want)
			}
			return err
		})
	}
	view(t, store, func(reader kv.Reader) error {
		walk, failed := reader.Range(nil, nil)
		for range 2 {
			for key := range walk {
				if string(key) != "a" {
					t.Errorf("the first key is %q", key)
				}
				break
			}
		}
		return failed()
	})
}

// testModel applies random batches to the store and to a map, and compares what both hold.
func testModel(t *testing.T, open Open) {
	store := opened(t, open)
	leader := led(t, store)
	random := rand.New(rand.NewPCG(seed(t), 0))
	model := map[string]string{}
	for round := range times(1000) {
		changes := &kv.Batch{}
		for range random.IntN(20) {
			key := fmt.Sprintf("%x", random.IntN(200))
			if random.IntN(3) == 0 {
				changes.Delete([]byte(key))
				delete(model, key)
			} else {
				value := strings.Repeat("v", random.IntN(300))
				changes.Put([]byte(key), []byte(value))
				model[key] = value
			}
		}
		apply(t, leader, changes)
		if round%10 == 0 {
			want(t, store, fmt.Sprintf("round %d", round), model)
		}
	}
	want(t, store, "after the last round", model)
}

func testIsolation(t *testing.T, open Open) {
	store := opened(t, open)
	leader := led(t, store)
	apply(t, leader, batch("a", "old", "b", "old"))
	view(t, store, func(reader kv.Reader) error {
		walk, failed := reader.Range(nil, nil)
		applied := make(chan error, 1)
		go func() {
			changes := batch("a", "new", "c", "new")
			changes.Delete([]byte("b"))
			applied <- leader.Apply(context.WithoutCancel(t.Context()), changes)
		}()
		if err := soon(t, "applying during a view", applied); err != nil {
			return err
		}
		var got []string
		for key, value := range walk {
			got = append(got, string(key)+"="+string(value))
		}
		if !slices.Equal(got, []string{"a=old", "b=old"}) {
			t.Errorf("the view's range is %v, want what was there before", got)
		}
		return errors.Join(failed(), wantGet(reader, "a", "old"), wantGet(reader, "b", "old"), wantGet(reader, "c", absent))
	})
	want(t, store, "afterwards", map[string]string{"a": "new", "c": "new"})
}

// testAtomic has views watch keys that every batch changes together, among many that it also changes.
func testAtomic(t *testing.T, open Open) {
	store := opened(t, open)
	leader := led(t, store)
	apply(t, leader, batch("first", "0", "last", "0"))
	done := make(chan struct{})
	var noticed atomic.Int64
	var watchers sync.WaitGroup
	defer watchers.Wait()
	defer close(done)
	for range 2 {
		watchers.Go(func() {
			seen := ""
			for {
				select {
				case <-done:
					return
				default:
				}
				view(t, store, func(reader kv.Reader) error {
					first, err1 := reader.Get([]byte("first"))
					last, err2 := reader.Get([]byte("last"))
					if string(first) != string(last) {
						t.Errorf("a view has %q and %q", first, last)
					}
					if string(last) != seen {
						seen = string(last)
						noticed.Add(1)
					}
					return errors.Join(err1, err2)
				})
			}
		})
	}
	// However they are scheduled, the watchers have to have seen batches come.
	for round := 0; round < times(500) || noticed.Load() < int64(times(500)); round++ {
		number := fmt.Sprint(round)
		changes := batch("first", number, "last", number)
		for i := range 20 {
			changes.Put(fmt.Appendf(nil, "k%d", i), []byte(strings.Repeat(number, 50)))
		}
		apply(t, leader, changes)
		view(t, store, func(reader kv.Reader) error { return wantGet(reader, "last", number) })
	}
}

func testLongScan(t *testing.T, open Open) {
	store := opened(t, open)
	leader := led(t, store)
	most := store.Limits().Operations
	if most == 0 {
		most = 5000
	}
	count := times(200_000)
	for next := 0; next < count; {
		changes := &kv.Batch{}
		for ; next < count && changes.Len() < most; next++ {
			changes.Put(fmt.Appendf(nil, "%08d", next), fmt.Appendf(nil, "value %d", next))
		}
		apply(t, leader, changes)
	}
	view(t, store, func(reader kv.Reader) error {
		walk, failed := reader.Range(fmt.Appendf(nil, "%08d", 10), fmt.Appendf(nil, "%08d", count-10))
		next := 10
		for key, value := range walk {
			if string(key) != fmt.Sprintf("%08d", next) || string(value) != fmt.Sprintf("value %d", next) {
				return fmt.Errorf("key %d of the scan is %q=%q", next, key, value)
			}
			next++
		}
		if next != count-10 {
			t.Errorf("the scan ended before %d, want %d", next, count-10)
		}
		return failed()
	})
}

func testReopen(t *testing.T, open Open) {
	where := t.TempDir()
	all := map[string]string{}
	var epoch uint64
	for round := range 5 {
		store := open(t, where)
		want(t, store, fmt.Sprintf("opened %d times before", round), all)
		leader := led(t, store)
		if leader.Epoch() <= epoch {
			t.Errorf("epoch %d after %d", leader.Epoch(), epoch)
		}
		epoch = leader.Epoch()
		number := fmt.Sprint(round)
		apply(t, leader, batch("round", number, "round "+number, ""))
		all["round"], all["round "+number] = number, ""
		if err := store.Close(); err != nil {
			t.Fatalf("closing: %v", err)
		}
	}
}
