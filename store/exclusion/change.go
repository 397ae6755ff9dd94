package exclusion

import (
	"errors"
	"fmt"
	"sync/atomic"

	"reelkiosk/store/kv"
	"reelkiosk/store/vault"
)

// ChangePrefix begins the keys of the changes since a list was built: the prefix and the 16 bytes of the hash. The value
// is one byte, the kind, or lifted.
const ChangePrefix = "excluded/"

// lifted is the value of a change by which a hash is listed no more.
const lifted = 0

// Set is the list and the changes since, which is who is excluded now. It may be used by several goroutines.
type Set struct {
	list atomic.Pointer[List]
}

// NewSet returns a set with a list, which may be nil: then there are the changes alone.
func NewSet(list *List) *Set {
	set := &Set{}
	set.list.Store(list)
	return set
}

// List returns the list, or nil.
func (s *Set) List() *List { return s.list.Load() }

// Replace puts another list in place and returns the one before, which may be closed when the look-ups in flight have
// ended. The changes stay: one that is in the new list already says the same.
func (s *Set) Replace(list *List) (before *List) { return s.list.Swap(list) }

// Lookup returns the kind of a hash and whether it is listed: by the changes, or else by the list. The zero hash is not.
// Any error means that it is not known, and nobody may be let in on it.
func (s *Set) Lookup(changes kv.Reader, hash vault.Hash) (Kind, bool, error) {
	if hash.IsZero() {
		return 0, false, nil
	}
	value, err := changes.Get(changeKey(hash))
	switch {
	case errors.Is(err, kv.ErrNotFound):
		if list := s.list.Load(); list != nil {
			return list.Lookup(hash)
		}
		return 0, false, nil
	case err != nil:
		return 0, false, fmt.Errorf("looking up an exclusion: %w", err)
	case len(value) == 1 && value[0] == lifted:
		return 0, false, nil
	case len(value) == 1 && Kind(value[0]).Valid():
		return Kind(value[0]), true, nil
	}
	return 0, false, fmt.Errorf("looking up an exclusion: %w: a change of %d bytes", ErrDamaged, len(value))
}

// PutChange writes that a hash is listed from now on, with this kind. Where a person is listed for several reasons, the
// caller gives the lowest that is left. The zero hash and an unknown kind are a programmer's mistake and panic.
func PutChange(changes *kv.Overlay, hash vault.Hash, kind Kind) {
	if hash.IsZero() || !kind.Valid() {
		panic(fmt.Sprintf("exclusion: a change to kind %d", kind))
	}
	changes.Put(changeKey(hash), []byte{byte(kind)})
}

// PutLifted writes that a hash is not listed any more, whatever the list says.
func PutLifted(changes *kv.Overlay, hash vault.Hash) {
	changes.Put(changeKey(hash), []byte{lifted})
}

func changeKey(hash vault.Hash) []byte { return append([]byte(ChangePrefix), hash[:]...) }
