package ledger

import "math/bits"

// bitset is a set of small numbers, one bit each: the machines taken in a heat.
type bitset []byte

// has reports whether the number is in the set.
func (b bitset) has(number int) bool { return number/8 < len(b) && b[number/8]&(1<<(number%8)) != 0 }

// with returns the set with the number in it.
func (b bitset) with(number int) bitset {
	grown := make(bitset, max(len(b), number/8+1))
	copy(grown, b)
	grown[number/8] |= 1 << (number % 8)
	return grown
}

// without returns the set without the number. A set that is empty is nil, so that equal sets are stored alike.
func (b bitset) without(number int) bitset {
	if !b.has(number) {
		return b
	}
	shrunk := append(bitset(nil), b...)
	shrunk[number/8] &^= 1 << (number % 8)
	for len(shrunk) > 0 && shrunk[len(shrunk)-1] == 0 {
		shrunk = shrunk[:len(shrunk)-1]
	}
	if len(shrunk) == 0 {
		return nil
	}
	return shrunk
}

// count returns how many numbers are in the set.
func (b bitset) count() (total int) {
	for _, eight := range b {
		total += bits.OnesCount8(eight)
	}
	return total
}
