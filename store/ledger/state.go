package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"reelkiosk/store/kv"
	"reelkiosk/store/vault"
)

// state is what the events add up to, read and written through one view.
type state struct {
	*Books
	view *kv.Overlay
}

// load returns the record under a key, or nil where there is none.
func load[T any](view kv.Reader, key []byte) (*T, error) {
	text, err := view.Get(key)
	if errors.Is(err, kv.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading %c: %w", key[0], err)
	}
	record := new(T)
	if err := read(key, text, record); err != nil {
		return nil, err
	}
	return record, nil
}

// read reads a record as put wrote it.
func read(key, text []byte, record any) error {
	var err error
	if short, is := record.(compact); is {
		err = decode(text, short)
	} else {
		err = json.Unmarshal(text, record)
	}
	if err != nil {
		return fmt.Errorf("%w: a record under %c: %w", ErrBooks, key[0], err)
	}
	return nil
}

// need is load of a record that must exist, since another record names it.
func need[T any](view kv.Reader, key []byte) (*T, error) {
	record, err := load[T](view, key)
	if err == nil && record == nil {
		err = fmt.Errorf("%w: a record under %c is missing", ErrBooks, key[0])
	}
	return record, err
}

// name returns the name that an index has under a key, or "" where there is none.
func name[T ~string](view kv.Reader, key []byte) (T, error) {
	text, err := view.Get(key)
	if errors.Is(err, kv.ErrNotFound) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("reading %c: %w", key[0], err)
	}
	return T(text), nil
}

// put writes a record, given by its address, under a key: as JSON, unless it is compact.
func (s *state) put(key []byte, record any) error {
	if short, is := record.(compact); is {
		s.view.Put(key, encode(short))
		return nil
	}
	text, err := json.Marshal(record)
	if err != nil {
		return fmt.Errorf("writing %c: %w", key[0], err)
	}
	s.view.Put(key, text)
	return nil
}

// makeKey makes the key of an owner (a person, a member, an exclusion, a purchase), under which seal and open work.
func (s *state) makeKey(owner string, random io.Reader) error {
	wrapped, err := s.vault.NewPersonKey(random)
	if err != nil {
		return err
	}
	s.view.Put(ownerKey(owner), wrapped)
	return nil
}

// secretOwner begins the owners whose keys never leave central: neither the feed nor a snapshot has them.
const secretOwner = "secret/"

// ownerKey is where the key of an owner lies.
func ownerKey(owner string) []byte {
	if secret, is := strings.CutPrefix(owner, secretOwner); is {
		return join(prefixSecret, secret)
	}
	return join(prefixKey, owner)
}

// seal encrypts what is known of an owner under the owner's key.
func (s *state) seal(owner string, plain any, random io.Reader) ([]byte, error) {
	wrapped, err := s.view.Get(ownerKey(owner))
	if err != nil {
		return nil, fmt.Errorf("reading the key of %s: %w", owner, err)
	}
	text, err := json.Marshal(plain)
	if err != nil {
		return nil, fmt.Errorf("writing what is known of %s: %w", owner, err)
	}
	return s.vault.Seal(wrapped, text, []byte(owner), random)
}

// open decrypts what is known of an owner. It reports false where the owner's key was erased.
func open[T any](view kv.Reader, keys *vault.Vault, owner string, sealed []byte) (plain T, known bool, err error) {
	wrapped, err := view.Get(ownerKey(owner))
	if errors.Is(err, kv.ErrNotFound) {
		return plain, false, nil
	}
	if err != nil {
		return plain, false, fmt.Errorf("reading the key of %s: %w", owner, err)
	}
	text, err := keys.Open(wrapped, sealed, []byte(owner))
	if err != nil {
		return plain, false, fmt.Errorf("opening what is known of %s: %w", owner, err)
	}
	if err := json.Unmarshal(text, &plain); err != nil {
		return plain, false, fmt.Errorf("%w: what is known of %s: %w", ErrBooks, owner, err)
	}
	return plain, true, nil
}

// change reads the record under a key, which must exist, lets edit change it, and writes it back.
func change[T any](s *state, key []byte, edit func(*T) error) error {
	record, err := need[T](s.view, key)
	if err != nil {
		return err
	}
	if err := edit(record); err != nil {
		return err
	}
	return s.put(key, record)
}

// OpensWith returns nil where the books hold nothing that is sealed, or a vault opens what they hold, and otherwise an
// error that wraps vault.ErrSealed.
func OpensWith(view kv.Reader, keys *vault.Vault) error {
	low := []byte(prefixKey)
	wrapped, failed := view.Range(low, after(low))
	for _, first := range wrapped {
		if _, err := keys.Rewrapper(1).Rewrap(first); err != nil {
			return err
		}
		break
	}
	return failed()
}
