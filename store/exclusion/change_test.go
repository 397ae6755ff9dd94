package exclusion

import (
	"errors"
	"iter"
	"testing"

	"reelkiosk/store/kv"
	"reelkiosk/store/vault"
)

// nothing is a store without keys.
type nothing struct{}

func (nothing) Get([]byte) ([]byte, error) { return nil, kv.ErrNotFound }

func (nothing) Range(_, _ []byte) (iter.Seq2[[]byte, []byte], func() error) {
	return func(func([]byte, []byte) bool) {}, func() error { return nil }
}

// unreadable is a store on a broken disk.
type unreadable struct{ nothing }

var errDisk = errors.New("input/output error")

func (unreadable) Get([]byte) ([]byte, error) { return nil, errDisk }

func TestChangesGoBeforeTheList(t *testing.T) {
	listed, stranger, both := SyntheticHash(1), SyntheticHash(77), SyntheticHash(2)
	list, err := openBytes(built(t, 1, []Entry{{listed, SelfExcluded}, {both, Connected}}))
	if err != nil {
		t.Fatal(err)
	}
	set := NewSet(list)
	changes := kv.NewOverlay(nothing{})
	want := func(situation string, hash vault.Hash, kind Kind) {
		t.Helper()
		got, found, err := set.Lookup(changes, hash)
		if got != kind || found != (kind != 0) || err != nil {
			t.Errorf("%s: %v, %v, %v; want %v", situation, got, found, err, kind)
		}
	}
	want("on the list", listed, SelfExcluded)
	want("not on it", stranger, 0)
	PutChange(changes, stranger, RefusalOfEntry)
	want("excluded since", stranger, RefusalOfEntry)
	PutChange(changes, both, RefusalOfEntry)
	want("excluded for another reason since", both, RefusalOfEntry)
	PutLifted(changes, listed)
	want("lifted since", listed, 0)
	PutChange(changes, listed, Category)
	want("excluded again", listed, Category)
	want("the zero hash", vault.Hash{}, 0)

	if before := set.Replace(nil); before != list {
		t.Errorf("replaced %v, want the list", before)
	}
	want("without a list, changed", both, RefusalOfEntry)
	want("without a list, unknown", SyntheticHash(3), 0)
}

func TestWhatCannotBeReadIsNotTakenForNotListed(t *testing.T) {
	set := NewSet(nil)
	if _, _, err := set.Lookup(unreadable{}, SyntheticHash(1)); !errors.Is(err, errDisk) {
		t.Errorf("a broken disk: %v, want %v", err, errDisk)
	}
	for _, value := range [][]byte{{}, {99}, {1, 2}} {
		changes := kv.NewOverlay(nothing{})
		changes.Put(changeKey(SyntheticHash(1)), value)
		if _, _, err := set.Lookup(changes, SyntheticHash(1)); !errors.Is(err, ErrDamaged) {
			t.Errorf("a change %v: %v, want %v", value, err, ErrDamaged)
		}
	}
}

func TestChangesThatMakeNoSensePanic(t *testing.T) {
	for situation, act := range map[string]func(*kv.Overlay){
		"the zero hash": func(changes *kv.Overlay) { PutChange(changes, vault.Hash{}, Category) },
		"no kind":       func(changes *kv.Overlay) { PutChange(changes, SyntheticHash(1), 0) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", situation)
				}
			}()
			act(kv.NewOverlay(nothing{}))
		}()
	}
}

func TestKindsHaveWords(t *testing.T) {
	for _, word := range []string{"refusal-of-entry", "self-excluded", "category", "connected"} {
		if kind, err := ParseKind(word); err != nil || kind.String() != word || !kind.Valid() {
			t.Errorf("%q is %v, %v", word, kind, err)
		}
	}
	for _, word := range []string{"", "possible", "Self-Excluded", "banned"} {
		if kind, err := ParseKind(word); !errors.Is(err, ErrKind) {
			t.Errorf("%q is %v, %v; want %v", word, kind, err, ErrKind)
		}
	}
	if Kind(0).Valid() || Kind(6).Valid() {
		t.Error("a kind that does not exist is valid")
	}
}
