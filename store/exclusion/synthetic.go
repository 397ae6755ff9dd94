package exclusion

import (
	"encoding/binary"
	"iter"

	"reelkiosk/store/vault"
)

// Synthetic yields so many entries of nobody, in the order of SyntheticHash and so not in that of a list. It is for
// measuring: a list of ten million is Build(path, 1, vault.KeyCheck{}, Synthetic(10_000_000)).
func Synthetic(count int) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for i := range count {
			if !yield(Entry{SyntheticHash(i), RefusalOfEntry + Kind(i%int(Connected))}, nil) {
				return
			}
		}
	}
}

// SyntheticHash returns the hash of the synthetic entry with that number, from 0. It is spread as evenly as a keyed hash
// is, and no two numbers share one.
func SyntheticHash(number int) (hash vault.Hash) {
	binary.BigEndian.PutUint64(hash[:], mix(uint64(number)+1))
	binary.BigEndian.PutUint64(hash[8:], mix(^uint64(number)))
	return hash
}

// mix is the finaliser of SplitMix64 (Steele, Lea and Flood, 2014), a bijection.
func mix(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}
