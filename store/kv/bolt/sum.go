package bolt

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"reelkiosk/store/kv"
)

// bbolt's own checks are of the pages' shape: a flipped bit in a key or a value would be read as the truth. Each value lies
// behind a checksum of its key and of itself: CRC-32C (RFC 3720, section 12.1) in four bytes, big-endian.
const sumSize = 4

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func sumOf(key, value []byte) uint32 {
	return crc32.Update(crc32.Update(0, castagnoli, key), castagnoli, value)
}

// summed returns a value as it is stored.
func summed(key, value []byte) []byte {
	stored := make([]byte, sumSize, sumSize+len(value))
	binary.BigEndian.PutUint32(stored, sumOf(key, value))
	return append(stored, value...)
}

// verified returns the value behind its checksum. The error wraps kv.ErrDamaged, and says nothing of what is stored but
// its kind: keys may be numbers of other registers.
func verified(key, stored []byte) ([]byte, error) {
	if len(stored) < sumSize || binary.BigEndian.Uint32(stored) != sumOf(key, stored[sumSize:]) {
		return nil, fmt.Errorf("%w: a record under %q does not have its checksum", kv.ErrDamaged, key[:min(1, len(key))])
	}
	return stored[sumSize:], nil
}
