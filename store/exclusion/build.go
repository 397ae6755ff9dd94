package exclusion

import (
	"bufio"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"iter"
	"os"
	"slices"

	"reelkiosk/store/durable"
	"reelkiosk/store/vault"
)

// runLength is how many entries are sorted in memory at a time: 12 MB. Longer lists are sorted in runs that lie in files
// beside the list until they are merged.
const runLength = 1 << 19

// Build writes a list from entries in any order and gives it the place of the one that is there, whole or not at all. The
// key's check value is that of the lookup key that made the hashes.
// Where a hash comes more than once, its lowest kind stands. An error among the entries ends it, is returned, and leaves
// the old list; so does an entry whose hash is zero or whose kind is none, which is a mistake of the caller.
//
// Whoever has the old list open keeps reading it: open the new one and Set.Replace it.
func Build(path string, version uint64, key vault.KeyCheck, entries iter.Seq2[Entry, error]) error {
	return build(path, version, key, entries, runLength)
}

func build(path string, version uint64, key vault.KeyCheck, entries iter.Seq2[Entry, error], runLength int) error {
	err := durable.Replace(path, 0o600, func(file *os.File) error {
		runs := runs{length: runLength}
		defer runs.close()
		sorted, err := runs.sort(file, entries)
		if err != nil {
			return err
		}
		return write(file, header{version: version, key: key}, sorted)
	})
	if err != nil {
		return fmt.Errorf("building exclusion list %s: %w", path, err)
	}
	return nil
}

// errEntry is returned for an entry that cannot be on a list.
var errEntry = errors.New("an entry without a hash or a kind")

// write writes the pages of a list, the header last, since it has their checksum.
func write(file *os.File, begun header, sorted source) error {
	writer := pageWriter{to: bufio.NewWriterSize(file, 1<<18), all: sha256.New(), header: begun}
	if _, err := file.Seek(pageSize, io.SeekStart); err != nil {
		return err
	}
	var last entry
	for {
		next, err := sorted()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		// The first of several with one hash has the lowest kind.
		if compareHashes(next, last) == 0 {
			continue
		}
		if err := writer.add(next); err != nil {
			return err
		}
		last = next
	}
	if err := writer.flush(); err != nil {
		return err
	}
	if err := writer.to.Flush(); err != nil {
		return err
	}
	writer.all.Sum(writer.header.sum[:0])
	_, err := file.WriteAt(writer.header.page()[:], 0)
	return err
}

// pageWriter fills page after page.
type pageWriter struct {
	to     *bufio.Writer
	all    hash.Hash
	header header
	page   page
	on     int
}

func (w *pageWriter) add(next entry) error {
	next.put(w.page[w.on*entrySize:])
	w.on++
	w.header.entries++
	if w.on == perPage {
		return w.flush()
	}
	return nil
}

// flush writes the page that is begun, if one is.
func (w *pageWriter) flush() error {
	if w.on == 0 {
		return nil
	}
	w.page.seal(w.header.version, w.header.pages())
	w.all.Write(w.page[:])
	_, err := w.to.Write(w.page[:])
	w.page, w.on = page{}, 0
	return err
}

// runs are sorted parts of a list that is too long for memory, each in a file without a name.
type runs struct {
	// length is how many entries are sorted in memory.
	length int
	files  []*os.File
}

func (r *runs) close() {
	for _, file := range r.files {
		file.Close()
	}
}

// sort returns the entries in order. What does not fit into memory goes into files in the folder of the one given.
func (r *runs) sort(beside *os.File, entries iter.Seq2[Entry, error]) (source, error) {
	var run []entry
	for next, err := range entries {
		if err != nil {
			return nil, err
		}
		if next.Hash.IsZero() || !next.Kind.Valid() {
			return nil, errEntry
		}
		if len(run) == r.length {
			if err := r.spill(beside, run); err != nil {
				return nil, err
			}
			run = run[:0]
		}
		run = append(run, next.entry())
	}
	slices.SortFunc(run, compareEntries)
	sources := []source{inMemory(run)}
	for _, file := range r.files {
		sources = append(sources, inFile(file))
	}
	return merge(sources)
}

// spill writes a run, sorted, into a file that vanishes when it is closed, also by a crash.
func (r *runs) spill(beside *os.File, run []entry) error {
	file, err := os.Create(fmt.Sprintf("%s.run-%d", beside.Name(), len(r.files)))
	if err != nil {
		return err
	}
	r.files = append(r.files, file)
	if err := os.Remove(file.Name()); err != nil {
		return err
	}
	slices.SortFunc(run, compareEntries)
	writer := bufio.NewWriterSize(file, 1<<18)
	var packed [entrySize]byte
	for _, each := range run {
		each.put(packed[:])
		if _, err := writer.Write(packed[:]); err != nil {
			return err
		}
	}
	if err := writer.Flush(); err != nil {
		return err
	}
	_, err = file.Seek(0, io.SeekStart)
	return err
}
