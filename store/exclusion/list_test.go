package exclusion

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io/fs"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"reelkiosk/store/vault"
)

var testKey = vault.KeyCheck{1, 2, 3, 4, 5, 6, 7, 8}

// memory plays a list's file.
type memory struct{ *bytes.Reader }

func (memory) Close() error { return nil }

func each(entries []Entry) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for _, entry := range entries {
			if !yield(entry, nil) {
				return
			}
		}
	}
}

// built returns the bytes of a list of the entries.
func built(t testing.TB, version uint64, entries []Entry) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "list")
	if err := Build(path, version, testKey, each(entries)); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func synthetic(count int) (entries []Entry) {
	for entry := range Synthetic(count) {
		entries = append(entries, entry)
	}
	return entries
}

func openBytes(file []byte) (*List, error) {
	return openStorage(memory{bytes.NewReader(file)}, int64(len(file)))
}

// TestListAnswersAsAMapDoes: hashes that share their first bytes, and lists of every length around that of a page.
func TestListAnswersAsAMapDoes(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		hash := rapid.Custom(func(t *rapid.T) (hash vault.Hash) {
			hash[0] = rapid.Byte().Draw(t, "first byte")
			hash[12] = rapid.Byte().Draw(t, "a byte that the fence does not see")
			hash[15] = 1
			return hash
		})
		entry := rapid.Custom(func(t *rapid.T) Entry {
			return Entry{hash.Draw(t, "hash"), Kind(rapid.IntRange(1, int(Possible)).Draw(t, "kind"))}
		})
		entries := rapid.SliceOfN(entry, 0, 2000).Draw(t, "entries")
		want := map[vault.Hash]Kind{}
		for _, entry := range entries {
			if earlier, twice := want[entry.Hash]; !twice || entry.Kind < earlier {
				want[entry.Hash] = entry.Kind
			}
		}
		path := filepath.Join(folder, "list")
		if err := build(path, 7, testKey, each(entries), rapid.IntRange(1, 900).Draw(t, "run length")); err != nil {
			t.Fatal(err)
		}
		list, err := OpenList(path)
		if err != nil {
			t.Fatal(err)
		}
		defer list.Close()
		if list.Len() != len(want) || list.Version() != 7 {
			t.Fatalf("%d hashes of version %d, want %d of 7", list.Len(), list.Version(), len(want))
		}
		for hash, kind := range want {
			if got, listed, err := list.Lookup(hash); got != kind || !listed || err != nil {
				t.Fatalf("%s is %v, %v, %v; want %v", hash, got, listed, err, kind)
			}
		}
		for _, hash := range rapid.SliceOfN(hash, 20, 20).Draw(t, "hashes") {
			kind, wanted := want[hash]
			if got, listed, err := list.Lookup(hash); got != kind || listed != wanted || err != nil {
				t.Fatalf("%s is %v, %v, %v; want %v, %v", hash, got, listed, err, kind, wanted)
			}
		}
	})
}

func TestHashesThatShareMoreThanAPageAreFound(t *testing.T) {
	var entries []Entry
	for i := range 5 * perPage {
		hash := vault.Hash{9, 9, 9, 9, 9, 9, 9, 9, byte(i >> 8), byte(i)}
		entries = append(entries, Entry{hash, SelfExcluded})
	}
	list, err := openBytes(built(t, 1, entries))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if kind, listed, err := list.Lookup(entry.Hash); kind != SelfExcluded || !listed || err != nil {
			t.Errorf("%s is %v, %v, %v", entry.Hash, kind, listed, err)
		}
	}
	for _, hash := range []vault.Hash{{9, 9, 9, 9, 9, 9, 9, 9, 255}, {9, 9, 9, 9, 9, 9, 9, 8}, {}, {255}} {
		if kind, listed, err := list.Lookup(hash); listed || err != nil {
			t.Errorf("%s is %v, %v, %v; want not listed", hash, kind, listed, err)
		}
	}
}

func TestSameEntriesInAnyOrderAreTheSameFile(t *testing.T) {
	entries := synthetic(5000)
	want := built(t, 3, entries)
	rand.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
	entries = append(entries, entries[:100]...)
	path := filepath.Join(t.TempDir(), "list")
	if err := build(path, 3, testKey, each(entries), 700); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
		t.Errorf("built in runs from another order, the file differs, or %v", err)
	}
	if names, err := os.ReadDir(filepath.Dir(path)); err != nil || len(names) != 1 {
		t.Errorf("the folder holds %v, %v; want the list alone", names, err)
	}
}

func TestDamagedListIsRefused(t *testing.T) {
	file := built(t, 3, synthetic(3*perPage+5))
	older := built(t, 2, synthetic(3*perPage+5))
	swapped := slices.Concat(file[:pageSize], file[2*pageSize:3*pageSize], file[pageSize:2*pageSize], file[3*pageSize:])
	for _, c := range []struct {
		situation string
		file      []byte
	}{
		{"empty", nil},
		{"half a header", file[:100]},
		{"the header alone", file[:pageSize]},
		{"a page short", file[:4*pageSize]},
		{"half a page short", file[:4*pageSize+100]},
		{"a page more", slices.Concat(file, file[pageSize:2*pageSize])},
		{"two pages swapped", swapped},
		{"a page of an older list", slices.Concat(file[:pageSize], older[pageSize:2*pageSize], file[2*pageSize:])},
		{"the header of an older list", slices.Concat(older[:pageSize], file[pageSize:])},
		{"a page of zeros", slices.Concat(file[:2*pageSize], make([]byte, pageSize), file[3*pageSize:])},
		{"another program's file", make([]byte, 5*pageSize)},
	} {
		if list, err := openBytes(c.file); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: opened as %v, %v; want %v", c.situation, list, err, ErrDamaged)
		}
	}
	if _, err := OpenList(filepath.Join(t.TempDir(), "missing")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v, want %v", err, fs.ErrNotExist)
	}
}

func TestEachFlippedBitIsNoticed(t *testing.T) {
	file := built(t, 3, synthetic(perPage+5))
	for at := range file {
		file[at] ^= 1 << (at % 8)
		if _, err := openBytes(file); !errors.Is(err, ErrDamaged) {
			t.Errorf("byte %d changed: %v, want %v", at, err, ErrDamaged)
		}
		file[at] ^= 1 << (at % 8)
	}
}

// TestPageDamagedAfterOpeningIsNotTakenForNotListed: a disk may fail long after the kiosk was started.
func TestPageDamagedAfterOpeningIsNotTakenForNotListed(t *testing.T) {
	entries := synthetic(10 * perPage)
	file := built(t, 3, entries)
	list, err := openBytes(file)
	if err != nil {
		t.Fatal(err)
	}
	clear(file[3*pageSize : 4*pageSize])
	wrong := 0
	for _, entry := range entries {
		switch kind, listed, err := list.Lookup(entry.Hash); {
		case errors.Is(err, ErrDamaged):
			wrong++
		case err != nil || !listed || kind != entry.Kind:
			t.Errorf("%s is %v, %v, %v", entry.Hash, kind, listed, err)
		}
	}
	if wrong != perPage {
		t.Errorf("%d look-ups failed, want the %d of the damaged page", wrong, perPage)
	}
}

func TestBuildThatFailsLeavesTheOldList(t *testing.T) {
	path := filepath.Join(t.TempDir(), "list")
	if err := Build(path, 1, testKey, each(synthetic(10))); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("line 12 is unreadable")
	for _, c := range []struct {
		situation string
		entries   iter.Seq2[Entry, error]
		want      error
	}{
		{"the source breaks off", func(yield func(Entry, error) bool) {
			_ = yield(Entry{vault.Hash{1}, Category}, nil) && yield(Entry{}, broken)
		}, broken},
		{"a zero hash", each([]Entry{{vault.Hash{}, Category}}), errEntry},
		{"no kind", each([]Entry{{vault.Hash{1}, 0}}), errEntry},
		{"an unknown kind", each([]Entry{{vault.Hash{1}, 9}}), errEntry},
	} {
		if err := Build(path, 2, testKey, c.entries); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.situation, err, c.want)
		}
	}
	list, err := OpenList(path)
	if err != nil || list.Version() != 1 || list.Len() != 10 {
		t.Fatalf("the list is %v, %v; want the old one", list, err)
	}
	defer list.Close()
	if names, err := os.ReadDir(filepath.Dir(path)); err != nil || len(names) != 1 {
		t.Errorf("the folder holds %v, %v; want the list alone", names, err)
	}
}

func TestListsInTwoPlacesCanBeCompared(t *testing.T) {
	left, err1 := openBytes(built(t, 1, synthetic(500)))
	same, err2 := openBytes(built(t, 1, synthetic(500)))
	other, err3 := openBytes(built(t, 1, synthetic(501)))
	if err := errors.Join(err1, err2, err3); err != nil {
		t.Fatal(err)
	}
	if left.Sum() != same.Sum() || left.Sum() == other.Sum() {
		t.Error("the sums of two same lists and a different one do not tell them apart")
	}
}

// TestLongListTakesLittleMemory: 300,000 entries here; BenchmarkLookupTenMillion has the stated number.
func TestLongListTakesLittleMemory(t *testing.T) {
	const count = 300_000
	path := filepath.Join(t.TempDir(), "list")
	if err := Build(path, 1, testKey, Synthetic(count)); err != nil {
		t.Fatal(err)
	}
	before := heapSize()
	list, err := OpenList(path)
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	for i := 0; i < count; i += 97 {
		if kind, listed, err := list.Lookup(SyntheticHash(i)); !listed || err != nil || kind != RefusalOfEntry+Kind(i%4) {
			t.Fatalf("entry %d is %v, %v, %v", i, kind, listed, err)
		}
		if kind, listed, err := list.Lookup(SyntheticHash(count + i)); listed || err != nil {
			t.Fatalf("a stranger is %v, %v, %v", kind, listed, err)
		}
	}
	// Twenty megabytes for ten million.
	if grown := int64(heapSize()) - int64(before); grown > 20<<20*count/10_000_000 {
		t.Errorf("the open list takes %d bytes of heap", grown)
	}
	runtime.KeepAlive(list)
}

func heapSize() uint64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.GC() // a pool lets go only at the second
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

// BenchmarkLookupTenMillion looks up among as many as REELKIOSK_LONG=1 asks for, a tenth otherwise; half are strangers.
func BenchmarkLookupTenMillion(b *testing.B) {
	count := 1_000_000
	if os.Getenv("REELKIOSK_LONG") == "1" {
		count = 10_000_000
	}
	path := filepath.Join(b.TempDir(), "list")
	if err := Build(path, 1, testKey, Synthetic(count)); err != nil {
		b.Fatal(err)
	}
	before := heapSize()
	list, err := OpenList(path)
	if err != nil {
		b.Fatal(err)
	}
	defer list.Close()
	grown := float64(heapSize()-before) / 1e6
	random := rand.New(rand.NewPCG(1, 2))
	for b.Loop() {
		i := random.IntN(2 * count)
		if _, listed, err := list.Lookup(SyntheticHash(i)); err != nil || listed != (i < count) {
			b.Fatalf("entry %d of %d: %v, %v", i, count, listed, err)
		}
	}
	b.ReportMetric(grown, "MB-heap")
}

// FuzzOpenList gives the reader files whose checksums fit, so that what they say is reached: whatever that is, opening them
// ends with the list or ErrDamaged, and a list finds each of its entries.
func FuzzOpenList(f *testing.F) {
	whole := built(f, 3, synthetic(perPage+5))
	f.Add(whole[pageSize:pageSize+10*entrySize], uint64(10), 0)
	f.Add(whole[pageSize:pageSize+perPage*entrySize], uint64(perPage), 0)
	f.Add([]byte{}, uint64(0), 1)
	f.Add([]byte{1}, ^uint64(0), 0)
	f.Fuzz(func(t *testing.T, content []byte, entries uint64, extra int) {
		header := header{version: 3, entries: entries}
		all := sha256.New()
		var pages []byte
		for number := uint64(1); len(content) > 0; number++ {
			var p page
			content = content[copy(p[:crcAt], content):]
			p.seal(header.version, number)
			all.Write(p[:])
			pages = append(pages, p[:]...)
		}
		all.Sum(header.sum[:0])
		file := append(header.page()[:], pages...)
		if extra > 0 {
			file = append(file, make([]byte, extra%(2*pageSize))...)
		}
		list, err := openBytes(file)
		if err != nil {
			if !errors.Is(err, ErrDamaged) {
				t.Errorf("%v, want %v", err, ErrDamaged)
			}
			return
		}
		for i := range list.Len() {
			hash := vault.Hash(file[pageSize*(1+i/perPage)+i%perPage*entrySize:])
			if _, listed, err := list.Lookup(hash); !listed || err != nil {
				t.Errorf("entry %d of %d is %v, %v", i, list.Len(), listed, err)
			}
		}
	})
}
