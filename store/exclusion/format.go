package exclusion

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"reelkiosk/store/vault"
)

// The file is a header page and pages of entries, each of 4,096 bytes; numbers are big-endian.
//
//	header: magic (8), version (8), entries (8), SHA-256 of all pages of entries (32), check value of the lookup key (8),
//	        zeros, CRC-32C (4)
//	page:   240 entries of hash (16) and kind (1), the last page filled up with zeros, then zeros, CRC-32C (4)
//
// Entries are in the order of their hashes, each hash once. The CRC of a page covers the page, its number and the list's
// version, so that a page of another place or of an older list does not pass for one of this.
const (
	magic     = "RKEXCL1\n"
	pageSize  = 4096
	entrySize = len(vault.Hash{}) + 1
	perPage   = 240
	crcAt     = pageSize - 4
	sumAt     = len(magic) + 16
	keyAt     = sumAt + sha256.Size
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// entry is an Entry in a form that sorts fast: the hash as two numbers.
type entry struct {
	high, low uint64
	kind      Kind
}

func (e Entry) entry() entry {
	return entry{binary.BigEndian.Uint64(e.Hash[:]), binary.BigEndian.Uint64(e.Hash[8:]), e.Kind}
}

// put writes the entry as it lies in a file.
func (e entry) put(to []byte) {
	binary.BigEndian.PutUint64(to, e.high)
	binary.BigEndian.PutUint64(to[8:], e.low)
	to[16] = byte(e.kind)
}

func getEntry(from []byte) entry {
	return entry{binary.BigEndian.Uint64(from), binary.BigEndian.Uint64(from[8:]), Kind(from[16])}
}

// compareHashes orders entries as the bytes of their hashes do.
func compareHashes(left, right entry) int {
	if left.high != right.high {
		return cmp.Compare(left.high, right.high)
	}
	return cmp.Compare(left.low, right.low)
}

// compareEntries puts the lowest kind first where the hashes are equal.
func compareEntries(left, right entry) int {
	if order := compareHashes(left, right); order != 0 {
		return order
	}
	return cmp.Compare(left.kind, right.kind)
}

// page is a page of the file.
type page [pageSize]byte

// seal writes the page's checksum. The header is page 0.
func (p *page) seal(version, number uint64) {
	binary.BigEndian.PutUint32(p[crcAt:], p.sum(version, number))
}

// check returns an error that wraps ErrDamaged where the page is not the one that was sealed.
func (p *page) check(version, number uint64) error {
	if binary.BigEndian.Uint32(p[crcAt:]) != p.sum(version, number) {
		return fmt.Errorf("%w: page %d does not have its checksum", ErrDamaged, number)
	}
	return nil
}

func (p *page) sum(version, number uint64) uint32 {
	var place [16]byte
	binary.BigEndian.PutUint64(place[:], version)
	binary.BigEndian.PutUint64(place[8:], number)
	return crc32.Update(crc32.Update(0, castagnoli, place[:]), castagnoli, p[:crcAt])
}

func (p *page) entry(index int) entry { return getEntry(p[index*entrySize:]) }

// header is what the first page says.
type header struct {
	version, entries uint64
	sum              [sha256.Size]byte
	key              vault.KeyCheck
}

func (h header) page() *page {
	var p page
	copy(p[:], magic)
	binary.BigEndian.PutUint64(p[len(magic):], h.version)
	binary.BigEndian.PutUint64(p[len(magic)+8:], h.entries)
	copy(p[sumAt:], h.sum[:])
	copy(p[keyAt:], h.key[:])
	p.seal(h.version, 0)
	return &p
}

// parseHeader reads the first page. The error wraps ErrDamaged.
func parseHeader(p *page) (header, error) {
	if string(p[:len(magic)]) != magic {
		return header{}, fmt.Errorf("%w: it does not begin as one", ErrDamaged)
	}
	read := header{
		version: binary.BigEndian.Uint64(p[len(magic):]),
		entries: binary.BigEndian.Uint64(p[len(magic)+8:]),
	}
	copy(read.sum[:], p[sumAt:])
	copy(read.key[:], p[keyAt:])
	return read, p.check(read.version, 0)
}

// pages returns how many pages of entries there are.
func (h header) pages() uint64 {
	whole := h.entries / perPage
	if h.entries%perPage > 0 {
		whole++
	}
	return whole
}

// on returns how many entries the page with that number, from 1, has.
func (h header) on(number uint64) int {
	return int(min(h.entries-(number-1)*perPage, perPage))
}
