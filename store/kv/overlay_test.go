package kv

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// plain is a store as a map: what an overlay has to look like, and what lies below it.
type plain map[string]string

func (p plain) Get(key []byte) ([]byte, error) {
	if value, there := p[string(key)]; there {
		return []byte(value), nil
	}
	return nil, ErrNotFound
}

func (p plain) Range(low, high []byte) (iter.Seq2[[]byte, []byte], func() error) {
	walk := func(yield func([]byte, []byte) bool) {
		for _, key := range slices.Sorted(maps.Keys(p)) {
			if key >= string(low) && (high == nil || key < string(high)) && !yield([]byte(key), []byte(p[key])) {
				return
			}
		}
	}
	return walk, func() error { return nil }
}

// list returns what a range yields, at most so many.
func list(t interface{ Fatalf(string, ...any) }, reader Reader, low, high []byte, most int) (all []string) {
	walk, failed := reader.Range(low, high)
	for key, value := range walk {
		if len(all) == most {
			break
		}
		all = append(all, fmt.Sprintf("%q=%q", key, value))
	}
	if err := failed(); err != nil {
		t.Fatalf("range: %v", err)
	}
	return all
}

// TestOverlayLooksAsAPlainMapDoes plays puts, deletes, nesting, keeping and dropping on overlays and on maps side by side.
func TestOverlayLooksAsAPlainMapDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// The padding takes some runs past the number of changes from which all are put in order.
		padding := rapid.SampledFrom([]int{0, 0, many + 1}).Draw(t, "padding")
		keys := rapid.SampledFrom([]string{"a", "a\x00", "aa", "ab", "b", "b\xff", "b\xff\x00", "c", "\x00", "\xff", "\xff\xff"})
		bounds := rapid.OneOf(rapid.Just[[]byte](nil), rapid.Map(keys, func(key string) []byte { return []byte(key) }))
		below := plain(rapid.MapOf(keys, rapid.StringN(0, 2, -1)).Draw(t, "below"))
		overlays := []*Overlay{NewOverlay(below)}
		for i := range padding {
			overlays[0].Put(fmt.Appendf(nil, "aa%04d", i), nil)
			overlays[0].Delete(fmt.Appendf(nil, "aa%04d", i))
		}
		models := []plain{maps.Clone(below)}
		top := func() (*Overlay, plain) { return overlays[len(overlays)-1], models[len(models)-1] }
		t.Repeat(map[string]func(*rapid.T){
			"put": func(t *rapid.T) {
				overlay, model := top()
				key, value := keys.Draw(t, "key"), rapid.StringN(0, 2, -1).Draw(t, "value")
				overlay.Put([]byte(key), []byte(value))
				model[key] = value
			},
			"delete": func(t *rapid.T) {
				overlay, model := top()
				key := keys.Draw(t, "key")
				overlay.Delete([]byte(key))
				delete(model, key)
			},
			"nest": func(t *rapid.T) {
				overlay, model := top()
				overlays, models = append(overlays, overlay.Nest()), append(models, maps.Clone(model))
			},
			"keep": func(t *rapid.T) {
				overlay, model := top()
				if len(overlays) == 1 {
					t.Skip("nothing is nested")
				}
				overlay.Keep()
				models[len(models)-2] = maps.Clone(model)
			},
			"drop": func(t *rapid.T) {
				if len(overlays) == 1 {
					t.Skip("nothing is nested")
				}
				overlays, models = overlays[:len(overlays)-1], models[:len(models)-1]
			},
			"": func(t *rapid.T) {
				overlay, model := top()
				key := []byte(keys.Draw(t, "key"))
				got, err := overlay.Get(key)
				want, wantErr := model.Get(key)
				if !bytes.Equal(got, want) || !errors.Is(err, wantErr) {
					t.Fatalf("get %q: %q, %v; want %q, %v", key, got, err, want, wantErr)
				}
				low, high := bounds.Draw(t, "low"), bounds.Draw(t, "high")
				most := rapid.IntRange(1, 12).Draw(t, "most")
				if got, want := list(t, overlay, low, high, most), list(t, model, low, high, most); !slices.Equal(got, want) {
					t.Fatalf("range %q to %q: %v, want %v", low, high, got, want)
				}
			},
		})
		checkBatch(t, overlays[0].Batch(), below, models[0])
	})
}

// checkBatch fails unless a batch makes of one map the other, and counts itself.
func checkBatch(t *rapid.T, batch *Batch, from, to plain) {
	made, total, length, last := maps.Clone(from), 0, 0, ""
	for change := range batch.All() {
		key := string(change.Key)
		if key <= last {
			t.Fatalf("the batch has %q after %q", key, last)
		}
		last = key
		length++
		total += len(change.Key) + len(change.Value)
		if change.Delete {
			delete(made, key)
		} else {
			made[key] = string(change.Value)
		}
	}
	if !maps.Equal(made, to) {
		t.Fatalf("the batch makes %v, want %v", made, to)
	}
	if batch.Len() != length || batch.Bytes() != total {
		t.Fatalf("the batch counts %d changes of %d bytes, want %d of %d", batch.Len(), batch.Bytes(), length, total)
	}
}

func TestRangeShowsWhatWasThereWhenItWasCalled(t *testing.T) {
	overlay := NewOverlay(plain{"b": "below", "d": "below"})
	overlay.Put([]byte("a"), []byte("1"))
	overlay.Put([]byte("c"), []byte("1"))
	walk, failed := overlay.Range(nil, nil)
	var got []string
	for key, value := range walk {
		got = append(got, string(key)+"="+string(value))
		overlay.Put([]byte("c"), []byte("2"))
		overlay.Put([]byte("e"), []byte("2"))
		overlay.Delete([]byte("d"))
	}
	if want := []string{"a=1", "b=below", "c=1", "d=below"}; !slices.Equal(got, want) || failed() != nil {
		t.Errorf("the range is %v, %v; want %v", got, failed(), want)
	}
	if got, want := list(t, overlay, nil, nil, 9), []string{`"a"="1"`, `"b"="below"`, `"c"="2"`, `"e"="2"`}; !slices.Equal(got, want) {
		t.Errorf("the next range is %v, want %v", got, want)
	}
}

func TestOverlayKeepsItsOwnCopies(t *testing.T) {
	overlay := NewOverlay(plain{})
	key, value := []byte("key"), []byte("value")
	overlay.Put(key, value)
	copy(key, "new")
	copy(value, "other")
	batch := overlay.Batch()
	overlay.Put([]byte("later"), nil)
	for change := range batch.All() {
		if string(change.Key) != "key" || string(change.Value) != "value" {
			t.Errorf("the batch has %q=%q", change.Key, change.Value)
		}
	}
	if batch.Len() != 1 {
		t.Errorf("a later change reached the batch: %d", batch.Len())
	}
}

// broken is a store whose disk fails after the first key of a range.
type broken struct{ plain }

var errDisk = errors.New("input/output error")

func (b broken) Range(low, high []byte) (iter.Seq2[[]byte, []byte], func() error) {
	walk, _ := b.plain.Range(low, high)
	return func(yield func([]byte, []byte) bool) {
		for key, value := range walk {
			yield(key, value)
			return
		}
	}, func() error { return errDisk }
}

func TestErrorBelowEndsTheRangeAndIsSaid(t *testing.T) {
	overlay := NewOverlay(broken{plain{"b": "", "d": ""}})
	overlay.Put([]byte("a"), nil)
	overlay.Put([]byte("z"), nil)
	walk, failed := overlay.Nest().Range(nil, nil)
	var got []string
	for key := range walk {
		got = append(got, string(key))
	}
	if want := []string{"a", "b"}; !slices.Equal(got, want) || !errors.Is(failed(), errDisk) {
		t.Errorf("the range is %v, %v; want %v and %v", got, failed(), want, errDisk)
	}
}

func TestProgrammersMistakesPanic(t *testing.T) {
	for situation, act := range map[string]func(){
		"an empty key put":           func() { NewOverlay(plain{}).Put(nil, nil) },
		"an empty key deleted":       func() { NewOverlay(plain{}).Delete([]byte{}) },
		"an empty key in a batch":    func() { new(Batch).Put(nil, nil) },
		"keeping what nests nowhere": func() { NewOverlay(plain{}).Keep() },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", situation)
				}
			}()
			act()
		}()
	}
}

func TestLimitsSayWhichWasExceeded(t *testing.T) {
	var batch Batch
	batch.Put([]byte("key"), []byte("value"))
	batch.Delete([]byte("a longer key"))
	for _, c := range []struct {
		situation string
		limits    Limits
		says      string
	}{
		{"no limits", Limits{}, ""},
		{"limits just met", Limits{Operations: 2, Bytes: 20, Key: 12, Value: 5}, ""},
		{"too many operations", Limits{Operations: 1}, "2 puts and deletes of at most 1"},
		{"too many bytes", Limits{Bytes: 19}, "20 bytes of at most 19"},
		{"too long a key", Limits{Key: 11}, "a key of 12 bytes of at most 11"},
		{"too long a value", Limits{Value: 4}, "a value of 5 bytes of at most 4"},
	} {
		err := c.limits.Check(&batch)
		if c.says == "" && err != nil || c.says != "" && (!errors.Is(err, ErrLimit) || err.Error() != ErrLimit.Error()+": "+c.says) {
			t.Errorf("%s: %v, want %q", c.situation, err, c.says)
		}
	}
}

func BenchmarkOverlay(b *testing.B) {
	for b.Loop() {
		batch := NewOverlay(plain{})
		for request := range 256 {
			trial := batch.Nest()
			for i := range 10 {
				trial.Put(fmt.Appendf(nil, "%d/%d", i, request), []byte("a record of some length"))
			}
			walk, _ := trial.Range([]byte("3/"), []byte("30"))
			for range walk {
				break
			}
			trial.Keep()
		}
		batch.Batch()
	}
}
