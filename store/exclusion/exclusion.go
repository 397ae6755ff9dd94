// Package exclusion keeps the list of those who may not take part (clauses 2 and 3): keyed hashes of identity numbers,
// passports, cards, and names with birth dates, each with its kind and nothing else. Central and kiosks use the same code.
//
// A List is an immutable file, built once in the order of its hashes, swapped by renaming, and shipped to kiosks as it is.
// Looking a hash up reads one page of it, so that ten million people cost neither memory nor time. What changed since it
// was built lies in the books' own store (change.go). A Set is both together, and what everybody asks.
//
// A damaged file is refused when it is opened, and a page that was damaged later when it is read: the answer is an error,
// never 'not listed'. An exclusion does not expire by itself; it ends when somebody lifts it.
package exclusion

import (
	"errors"
	"fmt"

	"reelkiosk/store/vault"
)

// ErrDamaged is wrapped where a list's file is not what was built.
var ErrDamaged = errors.New("exclusion list is damaged")

// Kind says why a hash is on the list. Where there are several reasons, the lowest stands.
type Kind byte

const (
	// RefusalOfEntry is an order by the regulator or the house (clause 2).
	RefusalOfEntry Kind = 1 + iota
	// SelfExcluded is somebody who asked to be kept out (clause 2).
	SelfExcluded
	// Category is somebody in an excluded category (clause 2).
	Category
	// Connected is a connected person (clause 3).
	Connected
	// Possible is a name with a birth date that a listed person has: it may be somebody else, and a host looks (clause 2).
	Possible
)

// words are the kinds as imports and people write them.
var words = map[Kind]string{
	RefusalOfEntry: "refusal-of-entry",
	SelfExcluded:   "self-excluded",
	Category:       "category",
	Connected:      "connected",
	Possible:       "possible",
}

// ErrKind is wrapped by ParseKind where there is no such kind.
var ErrKind = errors.New(`not "refusal-of-entry", "self-excluded", "category" or "connected"`)

// ParseKind reads the kind of an exclusion of a person. A possible match is none: it follows from the others. The error
// wraps ErrKind.
func ParseKind(text string) (Kind, error) {
	for kind, word := range words {
		if word == text && kind != Possible {
			return kind, nil
		}
	}
	return 0, fmt.Errorf("%q: %w", text, ErrKind)
}

// String returns the kind's word, as in "self-excluded".
func (k Kind) String() string {
	if word, known := words[k]; known {
		return word
	}
	return fmt.Sprintf("kind %d", byte(k))
}

// Valid reports whether it is one of the kinds.
func (k Kind) Valid() bool { return k >= RefusalOfEntry && k <= Possible }

// Entry is one hash of the list.
type Entry struct {
	Hash vault.Hash
	Kind Kind
}
