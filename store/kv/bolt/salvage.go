package bolt

import (
	"encoding/binary"
	"fmt"
	"os"
)

// What Salvage must know of bbolt's files (go.etcd.io/bbolt/internal/common, page.go and meta.go): all numbers are in the
// machine's own order. A page begins with its id (8 bytes), flags (2), count (2) and overflow (4). The count elements of a
// leaf follow, each flags (4), position (4), key size (4) and value size (4); the position of the key counts from the
// element, and the value follows the key.
const (
	pageHeader, leafElement = 16, 16
	leafFlag                = 0x02
	// metaMagic stands behind the header of a meta page, and the page size after it and the version.
	metaMagic = 0xED0CDAED
)

// Salvage calls found with whatever records can still be read in a file, damaged as it may be, and returns the first error
// of found, or that of reading the file. It goes by the pages themselves and not by the tree: what is found may be records
// of earlier revisions, deleted since, in no order and more than once. Each has the checksum that it was written with.
//
// The file is read and not mapped: nothing in it can end the program.
func Salvage(path string, found func(key, value []byte) error) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("salvaging %s: %w", path, err)
	}
	size := pageSize(text)
	for at := 0; at+pageHeader <= len(text); at += size {
		if err := salvagePage(text[at:], found); err != nil {
			return err
		}
	}
	return nil
}

// pageSize returns the size of a file's pages, that of the system's where no meta page says it.
func pageSize(text []byte) int {
	for size := 4096; size <= 64<<10; size *= 2 {
		for _, at := range []int{0, size} {
			if at+pageHeader+12 > len(text) {
				continue
			}
			meta := text[at+pageHeader:]
			if binary.NativeEndian.Uint32(meta) == metaMagic && int(binary.NativeEndian.Uint32(meta[8:])) == size {
				return size
			}
		}
	}
	return os.Getpagesize()
}

// salvagePage finds the records of a leaf, which may go on over the pages behind it.
func salvagePage(page []byte, found func(key, value []byte) error) error {
	if binary.NativeEndian.Uint16(page[8:]) != leafFlag {
		return nil
	}
	count := int(binary.NativeEndian.Uint16(page[10:]))
	for i := range count {
		at := pageHeader + i*leafElement
		if at+leafElement > len(page) {
			return nil
		}
		element := page[at:]
		from := uint64(binary.NativeEndian.Uint32(element[4:]))
		keySize := uint64(binary.NativeEndian.Uint32(element[8:]))
		end := from + keySize + uint64(binary.NativeEndian.Uint32(element[12:]))
		if binary.NativeEndian.Uint32(element) != 0 || end > uint64(len(element)) {
			continue // a bucket, or damaged
		}
		key := element[from : from+keySize]
		value, err := verified(key, element[from+keySize:end])
		if err != nil {
			continue
		}
		if err := found(append([]byte(nil), key...), append([]byte{}, value...)); err != nil {
			return err
		}
	}
	return nil
}
