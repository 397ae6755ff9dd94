package central

import (
	"context"
	"crypto/sha256"
	"errors"
	"testing"

	"reelkiosk/store/exclusion"
	"reelkiosk/store/kv"
	"reelkiosk/store/vault"
)

// otherKeys are well formed, and others than those of a house.
func otherKeys(lookup, data string) *vault.Vault {
	return vault.New(vault.Keys{Lookup: sha256.Sum256([]byte(lookup)), Data: sha256.Sum256([]byte(data))})
}

// To wrong keys nobody is excluded: the whole list let everybody in.
func TestWrongButWellFormedKeysWereTakenInSilence(t *testing.T) {
	for _, entries := range []int{0, 1} {
		h := newHouse(t)
		if entries > 0 {
			h.player(entries)
		}
		h.stop()
		for name, wrong := range map[string]*vault.Vault{
			"both others":        otherKeys("other", "another"),
			"another lookup key": otherKeys("other", "data"),
			"another data key":   otherKeys("lookup", "other"),
		} {
			options := h.options
			options.Vault = wrong
			if _, err := New(options); !errors.Is(err, ErrOtherKeys) {
				t.Errorf("%s, %d entries: central started: %v", name, entries, err)
			}
			if _, err := options.OpenBooks(); !errors.Is(err, ErrOtherKeys) {
				t.Errorf("%s, %d entries: the books were opened: %v", name, entries, err)
			}
		}
		h.start()
	}
}

// unbind takes the check values out of books, as those have it that were begun before there were any.
func (h *house) unbind() {
	h.Helper()
	store, err := h.options.OpenBooks()
	if err != nil {
		h.Fatal(err)
	}
	leader, err := store.Lead(context.Background())
	if err != nil {
		h.Fatal(err)
	}
	var batch kv.Batch
	batch.Delete([]byte(keysKey))
	if err := errors.Join(leader.Apply(context.Background(), &batch), store.Close()); err != nil {
		h.Fatal(err)
	}
}

func TestBooksOfBeforeTakeTheKeysThatOpenWhatIsInThem(t *testing.T) {
	h := newHouse(t)
	h.player(1)
	h.stop()
	h.unbind()
	options := h.options
	options.Vault = otherKeys("other", "another")
	if _, err := New(options); !errors.Is(err, ErrOtherKeys) {
		t.Errorf("keys that open nothing were taken: %v", err)
	}
	h.start()
	h.stop()
	if _, err := New(options); !errors.Is(err, ErrOtherKeys) {
		t.Errorf("the books were not bound: %v", err)
	}
}

func TestExclusionListOfOtherKeysIsNotTaken(t *testing.T) {
	h := newHouse(t)
	h.mostEntered = 5
	h.bringIn(exclusions(0, 10))
	path := h.lists.listPath(h.lists.version())
	h.stop()
	err := exclusion.Build(path, 1, otherKeys("other", "data").CheckLookup(), exclusion.Synthetic(5))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := New(h.options); !errors.Is(err, ErrOtherKeys) {
		t.Errorf("central started with a list on which it finds nobody: %v", err)
	}
}
