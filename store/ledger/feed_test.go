package ledger

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"reelkiosk/store/exclusion"
	"reelkiosk/store/kv"
	"reelkiosk/store/tournament"
	"reelkiosk/store/vault"
	"reelkiosk/store/wire"
)

// floorNumber is the number of the floor key in the tests.
const floorNumber = 3

// kioskBooks are the books of a kiosk, which has the floor key and not the data key.
func kioskBooks(b *Books) *Books {
	return New(b.definition, vault.New(b.vault.Floor(floorNumber)), exclusion.NewSet(nil))
}

// follow brings a kiosk's view up to central's, page by page.
func follow(central *Books, from kv.Reader, kiosk *Books, into *kv.Overlay) error {
	for {
		after, _, err := Last(into)
		if err != nil {
			return err
		}
		items, err := central.Feed(from, after, 7, central.vault.Rewrapper(floorNumber))
		if err != nil || len(items) == 0 {
			return err
		}
		for i := range items {
			if event, err := kiosk.Follow(into, &items[i]); err != nil || event == nil {
				return fmt.Errorf("item %d: %v, %w", items[i].Sequence, event, err)
			}
		}
	}
}

// sameState compares what a kiosk has with what central has: all but the events and the keys, which are wrapped otherwise.
func sameState(central, kiosk kv.Reader) error {
	return same(central, kiosk, slices.DeleteFunc(slices.Clone(statePrefixes), func(prefix string) bool { return prefix == prefixKey }))
}

// followed checks that books followed through the feed, and books filled from a snapshot, are central's.
func followed(central *Books, view kv.Reader) error {
	kiosk, into := kioskBooks(central), kv.NewOverlay(nothing{})
	if err := follow(central, view, kiosk, into); err != nil {
		return err
	}
	if err := sameState(view, into); err != nil {
		return fmt.Errorf("followed: %w", err)
	}
	var file bytes.Buffer
	if _, err := central.WriteSnapshot(view, &file, floorNumber); err != nil {
		return err
	}
	filled, err := filledFrom(file.Bytes())
	if err != nil {
		return err
	}
	if err := same(into, filled, statePrefixes); err != nil {
		return fmt.Errorf("filled from a snapshot: %w", err)
	}
	return nil
}

func filledFrom(text []byte) (*kv.Overlay, error) {
	snapshot, err := ReadSnapshot(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	into := kv.NewOverlay(nothing{})
	records, end := snapshot.Records()
	for key, value := range records {
		into.Put(key, value)
	}
	return into, end()
}

func TestAKioskIdentifiesFromTheFeedWhomCentralKnows(t *testing.T) {
	f := newFloor(t)
	f.imports(ImportMembers{Rows: []wire.Member{{
		Line: 2, Number: "M1", Cards: []string{"6001"}, Surname: "Nkosi", Given: "Sipho", IDNumber: sipho.IDNumber,
		BirthDate: sipho.BirthDate, Verified: true,
	}}})
	f.buys(sipho, 2)
	f.buys(thandi, 1)
	f.imports(ImportExclusions{Rows: []wire.Exclusion{{Reference: "R1", Kind: "self-excluded", IDNumber: thandi.IDNumber}}})
	kiosk, view := kioskBooks(f.books), kv.NewOverlay(nothing{})
	if err := follow(f.books, f.view, kiosk, view); err != nil {
		t.Fatal(err)
	}
	answer, changes, err := kiosk.Look(view, f.request(Identify{Card: "6001", Kiosk: "kiosk-1"}))
	if err != nil || changes {
		t.Fatalf("the member: %v; something to learn: %v", err, changes)
	}
	if who := answer.Value.(wire.Person); who.FirstName != "Sipho" || len(who.Entries) != 2 {
		t.Errorf("the kiosk greets %+v", who)
	}
	_, _, err = kiosk.Look(view, f.request(Identify{Document: thandi, Kiosk: "kiosk-1"}))
	if refusal, is := errors.AsType[*tournament.Refusal](err); !is || refusal.Reason != tournament.Excluded {
		t.Errorf("somebody excluded: %v", err)
	}
}

func TestFeedItemsTwiceMissingOrForged(t *testing.T) {
	f := newFloor(t)
	f.buys(thandi, 1)
	f.buys(sipho, 1)
	items, err := f.books.Feed(f.view, 0, 100, f.books.vault.Rewrapper(floorNumber))
	if err != nil || len(items) != 4 {
		t.Fatal(len(items), err)
	}
	kiosk, view := kioskBooks(f.books), kv.NewOverlay(nothing{})
	if _, err := kiosk.Follow(view, &items[1]); !errors.Is(err, ErrGap) {
		t.Errorf("an item missing: %v", err)
	}
	if _, err := kiosk.Follow(view, &items[0]); err != nil {
		t.Fatal(err)
	}
	before := view.Batch().Len()
	if event, err := kiosk.Follow(view, &items[0]); event != nil || err != nil || view.Batch().Len() != before {
		t.Errorf("an item twice: %v, %v", event, err)
	}
	for situation, forged := range map[string]wire.FeedItem{
		"another event in it": {Sequence: 2, Event: items[2].Event},
		"no event":            {Sequence: 2, Event: []byte("{}")},
		"cut":                 {Sequence: 2, Event: items[1].Event[:20]},
		"an unknown event":    {Sequence: 2, Event: []byte(`{"seq":2,"what":"dreamt","outcome":{}}`)},
	} {
		if _, err := kiosk.Follow(view.Nest(), &forged); !errors.Is(err, ErrBooks) {
			t.Errorf("%s: %v", situation, err)
		}
	}
}

func TestAnErasedPersonIsNotInTheFeed(t *testing.T) {
	f := newFloor(t)
	f.rough = true
	who := f.meets(thandi).ID
	f.buys(sipho, 1)
	f.view.Delete(join(prefixKey, string(who)))
	kiosk, view := kioskBooks(f.books), kv.NewOverlay(nothing{})
	if err := follow(f.books, f.view, kiosk, view); err != nil {
		t.Fatal(err)
	}
	_, changes, err := kiosk.Look(view, f.request(Identify{Document: thandi, Kiosk: "kiosk-1"}))
	if err != nil || !changes {
		t.Errorf("the kiosk still knows somebody erased: %v", err)
	}
}

func TestASnapshotThatWasDamagedIsRefused(t *testing.T) {
	f := newFloor(t)
	f.buys(thandi, 1)
	var file bytes.Buffer
	stamp, err := f.books.WriteSnapshot(f.view, &file, floorNumber)
	if err != nil || stamp != (Stamp{2, floorNumber}) {
		t.Fatal(stamp, err)
	}
	whole := file.Bytes()
	for at := range whole {
		flipped := bytes.Clone(whole)
		flipped[at] ^= 0x10
		if _, err := filledFrom(flipped); !errors.Is(err, ErrSnapshot) {
			t.Fatalf("byte %d of %d: %v", at, len(whole), err)
		}
		if _, err := filledFrom(whole[:at]); !errors.Is(err, ErrSnapshot) {
			t.Fatalf("cut off at byte %d: %v", at, err)
		}
	}
	if _, err := filledFrom(append(bytes.Clone(whole), 0)); !errors.Is(err, ErrSnapshot) {
		t.Errorf("something appended: %v", err)
	}
}

func TestNoStatePrefixBeginsWithAnother(t *testing.T) {
	for i, prefix := range statePrefixes {
		if i > 0 && strings.HasPrefix(prefix, statePrefixes[i-1]) {
			t.Errorf("%q begins with %q: a snapshot would hold its records twice", prefix, statePrefixes[i-1])
		}
	}
}

func FuzzReadSnapshot(f *testing.F) {
	books := New(testDefinition(), testVault(), exclusion.NewSet(nil))
	view := kv.NewOverlay(nothing{})
	_, err := books.Apply(view, Request{At: noon, Random: rand.Reader, Act: Identify{Document: thandi, Kiosk: "kiosk-1"}})
	if err != nil {
		f.Fatal(err)
	}
	var file bytes.Buffer
	if _, err := books.WriteSnapshot(view, &file, floorNumber); err != nil {
		f.Fatal(err)
	}
	f.Add(file.Bytes())
	f.Add([]byte(snapshotMagic))
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 1<<16 {
			return
		}
		if _, err := filledFrom(text); err != nil && !errors.Is(err, ErrSnapshot) {
			t.Error(err)
		}
	})
}

// followedView returns the books of a kiosk that has followed everything.
func followedView(t *testing.T, f *floor) (*Books, *kv.Overlay) {
	t.Helper()
	kiosk, into := kioskBooks(f.books), kv.NewOverlay(nothing{})
	if err := follow(f.books, f.view, kiosk, into); err != nil {
		t.Fatal(err)
	}
	return kiosk, into
}
