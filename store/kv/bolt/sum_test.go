package bolt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"reelkiosk/store/kv"
)

// marked makes a store with some records, and returns where the marked key and the marked value stand in its file.
func marked(t *testing.T) (path string, places map[string]int64) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "books.db")
	err := Build(path, func(put func(key, value []byte) error) error {
		for i := range 1000 {
			if err := put(fmt.Appendf(nil, "E/%04d", i), fmt.Appendf(nil, "entry %d", i)); err != nil {
				return err
			}
		}
		if err := put([]byte("E/marked-key"), []byte("seated, marked value")); err != nil {
			return err
		}
		return put([]byte("S/1"), bytes.Repeat([]byte("a long value "), 5000))
	})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	places = map[string]int64{}
	for _, mark := range []string{"marked-key", "marked value", "long value"} {
		places[mark] = int64(bytes.LastIndex(text, []byte(mark)))
		if places[mark] < 0 {
			t.Fatalf("no %q", mark)
		}
	}
	return path, places
}

// flip turns a bit over where it lies.
func flip(t *testing.T, path string, at int64) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	var letter [1]byte
	_, err = file.ReadAt(letter[:], at)
	letter[0] ^= 1
	_, err2 := file.WriteAt(letter[:], at)
	if err := errors.Join(err, err2, file.Close()); err != nil {
		t.Fatal(err)
	}
}

// readEvery reads every record, by its own key too, and returns the first error.
func readEvery(view kv.Reader) error {
	records, failed := view.Range([]byte("E/"), nil)
	for key, value := range records {
		if again, err := view.Get(key); err != nil || !bytes.Equal(again, value) {
			return fmt.Errorf("%s: %q, %w", key, again, err)
		}
	}
	return failed()
}

func TestFlippedBitInARecordWasServedAsTheTruth(t *testing.T) {
	for _, mark := range []string{"marked-key", "marked value", "long value"} {
		t.Run("before a start, in "+mark, func(t *testing.T) {
			path, places := marked(t)
			flip(t, path, places[mark])
			if store, err := Open(path, Options{}); !errors.Is(err, kv.ErrDamaged) {
				t.Errorf("opened: %v", err)
				store.Close()
			}
		})
		t.Run("while it is open, in "+mark, func(t *testing.T) {
			path, places := marked(t)
			store, err := Open(path, Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer store.Close()
			if err := store.View(t.Context(), readEvery); err != nil {
				t.Fatal(err)
			}
			flip(t, path, places[mark])
			if err := store.View(t.Context(), readEvery); !errors.Is(err, kv.ErrDamaged) {
				t.Errorf("read: %v", err)
			}
			if err := store.Copied(context.Background(), path+".copy", readEvery); !errors.Is(err, kv.ErrDamaged) {
				t.Errorf("read from a copy: %v", err)
			}
			if mark != "marked value" {
				return
			}
			err = store.View(t.Context(), func(view kv.Reader) error {
				_, err := view.Get([]byte("E/marked-key"))
				return err
			})
			if !errors.Is(err, kv.ErrDamaged) {
				t.Errorf("got: %v", err)
			}
			flip(t, path, places[mark]) // as it was: the checksum is of what stands there
			if err := store.View(t.Context(), readEvery); err != nil {
				t.Errorf("whole again: %v", err)
			}
		})
	}
}

func BenchmarkGet(b *testing.B) {
	path := filepath.Join(b.TempDir(), "books.db")
	err := Build(path, func(put func(key, value []byte) error) error {
		for i := range 100_000 {
			if err := put(fmt.Appendf(nil, "E/%08d", i), bytes.Repeat([]byte{byte(i)}, 120)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	store, err := Open(path, Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer store.Close()
	err = store.View(b.Context(), func(view kv.Reader) error {
		for i := 0; b.Loop(); i++ {
			if _, err := view.Get(fmt.Appendf(nil, "E/%08d", i*7919%100_000)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
}
