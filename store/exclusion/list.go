package exclusion

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"sort"
	"sync"

	"reelkiosk/store/vault"
)

// List is a file of exclusions, open for looking up. It may be used by several goroutines.
type List struct {
	file   storage
	header header
	// fence holds, for each page of entries, the first eight bytes of its first hash: 8 bytes for 240 entries.
	fence []uint64
	pages sync.Pool
}

// storage is a list's file, or what plays one in a test.
type storage interface {
	io.ReaderAt
	io.Closer
}

// OpenList opens a list and reads all of it once, which takes half a second for ten million entries from a warm disk. The
// error wraps fs.ErrNotExist or ErrDamaged.
func OpenList(path string) (*List, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("opening exclusion list: %w", err)
	}
	found, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("opening exclusion list: %w", err)
	}
	list, err := openStorage(file, found.Size())
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("opening exclusion list %s: %w", path, err)
	}
	return list, nil
}

func openStorage(file storage, size int64) (*List, error) {
	var first page
	if size < pageSize || size%pageSize != 0 {
		return nil, fmt.Errorf("%w: it is cut off at %d bytes", ErrDamaged, size)
	}
	if _, err := file.ReadAt(first[:], 0); err != nil {
		return nil, err
	}
	header, err := parseHeader(&first)
	if err != nil {
		return nil, err
	}
	if pages := uint64(size/pageSize) - 1; pages != header.pages() {
		return nil, fmt.Errorf("%w: it has %d pages, %d entries need %d", ErrDamaged, pages, header.entries, header.pages())
	}
	list := &List{file: file, header: header, pages: sync.Pool{New: func() any { return new(page) }}}
	return list, list.readAll(io.NewSectionReader(file, pageSize, size-pageSize))
}

// readAll checks every page and the order of all entries, and fills the fence.
func (l *List) readAll(entries io.Reader) error {
	const chunk = 64
	buffer := make([]byte, chunk*pageSize)
	all := sha256.New()
	l.fence = make([]uint64, 0, l.header.pages())
	var last entry
	for number := uint64(1); number <= l.header.pages(); {
		n, err := io.ReadFull(entries, buffer)
		if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
			return err
		}
		all.Write(buffer[:n])
		for at := 0; at < n; at += pageSize {
			if err := l.readPage((*page)(buffer[at:]), number, &last); err != nil {
				return err
			}
			number++
		}
	}
	if !bytes.Equal(all.Sum(nil), l.header.sum[:]) {
		return fmt.Errorf("%w: its pages do not have its checksum", ErrDamaged)
	}
	return nil
}

func (l *List) readPage(p *page, number uint64, last *entry) error {
	if err := p.check(l.header.version, number); err != nil {
		return err
	}
	for i := range l.header.on(number) {
		this := p.entry(i)
		// The zero hash, with which last begins, is on no list.
		if compareHashes(*last, this) >= 0 || !this.kind.Valid() {
			return fmt.Errorf("%w: page %d is out of order", ErrDamaged, number)
		}
		*last = this
	}
	l.fence = append(l.fence, p.entry(0).high)
	return nil
}

// Version returns the version that the list was built as.
func (l *List) Version() uint64 { return l.header.version }

// Len returns the number of hashes.
func (l *List) Len() int { return int(l.header.entries) }

// Sum returns the SHA-256 of all entries, by which two places can tell that they have the same list.
func (l *List) Sum() [sha256.Size]byte { return l.header.sum }

// Key returns the check value of the lookup key that its hashes were made with. Under another key nobody would be found on
// it: whoever opens a list MUST compare.
func (l *List) Key() vault.KeyCheck { return l.header.key }

// Close releases the file.
func (l *List) Close() error { return l.file.Close() }

// Lookup returns the kind of a hash and whether it is listed. It reads one page, or two in the rare case that the first
// eight bytes of two hashes are the same. Any error means that it is not known, and wraps ErrDamaged or comes from the
// disk.
func (l *List) Lookup(hash vault.Hash) (Kind, bool, error) {
	sought := Entry{Hash: hash}.entry()
	// The last page that begins at or before the hash; where several begin with the same eight bytes, from the last back.
	for at := sort.Search(len(l.fence), func(i int) bool { return l.fence[i] > sought.high }) - 1; at >= 0; at-- {
		kind, listed, err := l.onPage(uint64(at)+1, sought)
		if listed || err != nil {
			return kind, listed, err
		}
		if l.fence[at] < sought.high {
			break
		}
	}
	return 0, false, nil
}

func (l *List) onPage(number uint64, sought entry) (Kind, bool, error) {
	p := l.pages.Get().(*page)
	defer l.pages.Put(p)
	if _, err := l.file.ReadAt(p[:], int64(number)*pageSize); err != nil {
		return 0, false, fmt.Errorf("reading exclusion list, page %d: %w", number, err)
	}
	if err := p.check(l.header.version, number); err != nil {
		return 0, false, err
	}
	at, found := sort.Find(l.header.on(number), func(i int) int { return compareHashes(sought, p.entry(i)) })
	if !found {
		return 0, false, nil
	}
	return p.entry(at).kind, true, nil
}
