package bolt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"reelkiosk/store/kv"
)

func TestACopyIsOfOneRevisionAndHoldsUpNobody(t *testing.T) {
	folder := t.TempDir()
	store, err := Open(filepath.Join(folder, "books.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	leader, err := store.Lead(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	put := func(key, value string) {
		var batch kv.Batch
		batch.Put([]byte(key), []byte(value))
		if err := leader.Apply(t.Context(), &batch); err != nil {
			t.Fatal(err)
		}
	}
	put("a", "before")
	copied := filepath.Join(folder, "copy")
	err = store.Copied(t.Context(), copied, func(view kv.Reader) error {
		put("a", "after")
		got, err := view.Get([]byte("a"))
		if string(got) != "before" {
			t.Errorf("the copy has %q", got)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(copied); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the copy is left over: %v", err)
	}
}

func TestBuildMakesAStoreThatOpens(t *testing.T) {
	path := filepath.Join(t.TempDir(), "books.db")
	value := make([]byte, 1000)
	const records = 40_000 // more than one transaction
	err := Build(path, func(put func(key, value []byte) error) error {
		for i := range records {
			if err := put(fmt.Appendf(nil, "%08d", i), value); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	store, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	count := 0
	err = store.View(context.Background(), func(view kv.Reader) error {
		all, end := view.Range(nil, nil)
		for range all {
			count++
		}
		return end()
	})
	if err != nil || count != records {
		t.Errorf("%d records: %v", count, err)
	}
	failed := errors.New("cut off")
	if err := Build(path, func(func(key, value []byte) error) error { return failed }); !errors.Is(err, failed) {
		t.Errorf("a failed build: %v", err)
	}
	if left, _ := filepath.Glob(path + ".*"); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}
