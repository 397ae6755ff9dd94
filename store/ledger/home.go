package ledger

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"reelkiosk/store/kv"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// The list of homes has the kiosks that players can have as their home; desks are not on it. Each version of it is kept:
// a kiosk that was cut off goes by the version that its grant names.

// Enlist puts a kiosk on the list of homes, and Delist takes it off; the answer is a wire.Accepted. Neither ends a grant.
type (
	Enlist struct{ Kiosk string }
	Delist struct{ Kiosk, Why string }
)

// homesListed is the outcome of HomesListed.
type homesListed struct {
	// Version counts the lists from 1. Kiosks are in order.
	Version uint64   `json:"version"`
	Kiosks  []string `json:"kiosks"`
}

func (*homesListed) what() What { return HomesListed }

func (o *homesListed) apply(s *state, _ *Event) error {
	s.view.Put([]byte(prefixHomes), binary.BigEndian.AppendUint64(nil, o.Version))
	return s.put(homesKey(o.Version), o.Kiosks)
}

func homesKey(version uint64) []byte { return fmt.Appendf(nil, "%s/%020d", prefixHomes, version) }

// homes returns the newest list of homes and its version, 0 where there is none.
func homes(view kv.Reader) (version uint64, list []string, err error) {
	text, err := view.Get([]byte(prefixHomes))
	switch {
	case errors.Is(err, kv.ErrNotFound):
		return 0, nil, nil
	case err != nil:
		return 0, nil, fmt.Errorf("reading the version of the homes: %w", err)
	case len(text) != 8:
		return 0, nil, fmt.Errorf("%w: the version of the homes has %d bytes", ErrBooks, len(text))
	}
	version = binary.BigEndian.Uint64(text)
	list, err = homesAt(view, version)
	return version, list, err
}

// Homes returns the kiosks that players can have as their home, in order.
func Homes(view kv.Reader) ([]string, error) {
	_, list, err := homes(view)
	return list, err
}

func homesAt(view kv.Reader, version uint64) ([]string, error) {
	list, err := need[[]string](view, homesKey(version))
	if err != nil {
		return nil, err
	}
	return *list, nil
}

// homeOf returns the kiosk that is a person's home by a list: the one of the highest weight, which is the SHA-256 of its
// name, a zero byte and the person. So a kiosk that comes or goes moves only the players that it gets or had.
func homeOf(list []string, who tournament.PersonID) string {
	home, highest := "", uint64(0)
	for _, kiosk := range list {
		if weight := weigh(kiosk, string(who)); home == "" || weight > highest {
			home, highest = kiosk, weight
		}
	}
	return home
}

func weigh(kiosk, what string) uint64 {
	sum := sha256.Sum256(append(append([]byte(kiosk), 0), what...))
	return binary.BigEndian.Uint64(sum[:])
}

// enlist puts a kiosk on the list of homes, if it is not on it.
func (t *turn) enlist(kiosk string) error {
	version, list, err := homes(t.view)
	if err != nil || slices.Contains(list, kiosk) {
		return err
	}
	list = append(slices.Clone(list), kiosk)
	slices.Sort(list)
	return t.record("", &homesListed{Version: version + 1, Kiosks: list})
}

// delist takes a kiosk off the list of homes, if it is on it.
func (t *turn) delist(kiosk, why string) error {
	version, list, err := homes(t.view)
	at := slices.Index(list, kiosk)
	if err != nil || at < 0 {
		return err
	}
	return t.record(why, &homesListed{Version: version + 1, Kiosks: slices.Delete(slices.Clone(list), at, at+1)})
}

func (a Enlist) decide(t *turn) (any, error) {
	if a.Kiosk == "" || len(a.Kiosk) > mostText {
		return nil, fmt.Errorf("%w: a kiosk's name has 1 to %d bytes", ErrInvalid, mostText)
	}
	err := t.enlist(a.Kiosk)
	return wire.Accepted{Sequence: t.last.sequence}, err
}

func (a Delist) decide(t *turn) (any, error) {
	err := t.delist(a.Kiosk, a.Why)
	return wire.Accepted{Sequence: t.last.sequence}, err
}

// use says which kiosks may still use a version of the list of homes. There is one for each such version.
type use struct {
	List   uint64   `json:"list"`
	Kiosks []string `json:"kiosks"`
}

func loadUses(view kv.Reader) ([]use, error) {
	uses, err := load[[]use](view, []byte(prefixUses))
	if err != nil || uses == nil {
		return nil, err
	}
	return *uses, nil
}

// setUses says which lists a kiosk may use from now on.
func (s *state) setUses(kiosk string, lists []uint64) error {
	before, err := loadUses(s.view)
	if err != nil {
		return err
	}
	var uses []use
	for _, one := range before {
		one.Kiosks = slices.DeleteFunc(slices.Clone(one.Kiosks), func(name string) bool { return name == kiosk })
		if len(one.Kiosks) > 0 {
			uses = append(uses, one)
		}
	}
	for _, list := range lists {
		at := slices.IndexFunc(uses, func(one use) bool { return one.List == list })
		if at < 0 {
			at = len(uses)
			uses = append(uses, use{List: list})
		}
		uses[at].Kiosks = append(uses[at].Kiosks, kiosk)
		slices.Sort(uses[at].Kiosks)
	}
	if len(uses) == 0 {
		s.view.Delete([]byte(prefixUses))
		return nil
	}
	slices.SortFunc(uses, func(left, right use) int { return int(left.List) - int(right.List) })
	return s.put([]byte(prefixUses), uses)
}

// holders returns the kiosks that may give a person seats by themselves: those whose home the person is by a list that
// they may still use.
func (s *state) holders(who tournament.PersonID) ([]string, error) {
	uses, err := loadUses(s.view)
	if err != nil {
		return nil, err
	}
	var holders []string
	for _, one := range uses {
		list, err := homesAt(s.view, one.List)
		if err != nil {
			return nil, err
		}
		if home := homeOf(list, who); slices.Contains(one.Kiosks, home) && !slices.Contains(holders, home) {
			holders = append(holders, home)
		}
	}
	return holders, nil
}
