package ledger

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"reelkiosk/store/kv"
	"reelkiosk/store/tournament"
)

// unused is the list of a person's unused entries, in the order in which they are used up. It is asked at each
// registration, and a player may have any number of entries (clause 9): so it is one record of items of a fixed size,
// whose bytes order as tournament.Entry.Compare does:
//
//	0   1 if the entry does not expire
//	1   end of its window, milliseconds since 1970, big-endian
//	9   1 if it is complimentary
//	10  moment of its purchase, likewise
//	18  its index in the purchase, big-endian
//	20  its id
//	46  its kind, as an index of unusedKinds
type unused []byte

const (
	unusedItem  = 47
	entryIDSize = 26
)

var unusedKinds = []tournament.EntryKind{
	tournament.CashBuyIn, tournament.CardBuyIn, tournament.PackageBuyIn, tournament.Complimentary,
}

// loadUnused returns a person's unused entries, expired ones too.
func loadUnused(view kv.Reader, who tournament.PersonID) (unused, error) {
	list, err := view.Get(join(prefixUnused, string(who)))
	if errors.Is(err, kv.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading unused entries: %w", err)
	}
	if len(list)%unusedItem != 0 {
		return nil, fmt.Errorf("%w: unused entries of %d bytes", ErrBooks, len(list))
	}
	for at := unusedItem - 1; at < len(list); at += unusedItem {
		if int(list[at]) >= len(unusedKinds) {
			return nil, fmt.Errorf("%w: an unused entry of kind %d", ErrBooks, list[at])
		}
	}
	return list, nil
}

// len returns how many entries there are.
func (u unused) len() int { return len(u) / unusedItem }

// at returns one of the entries, with its times in the zone.
func (u unused) at(index int, zone *time.Location) tournament.Entry {
	item := u[index*unusedItem:][:unusedItem]
	moment := func(at int) time.Time {
		return time.UnixMilli(int64(binary.BigEndian.Uint64(item[at:]))).In(zone)
	}
	return tournament.Entry{
		ID: tournament.EntryID(item[20:46]), Kind: unusedKinds[item[46]], Bought: moment(10), Ends: moment(1),
		Freed: item[0] == 1, Index: int(binary.BigEndian.Uint16(item[18:])),
	}
}

// all returns the entries in the order in which they are used up.
func (u unused) all(zone *time.Location) []tournament.Entry {
	entries := make([]tournament.Entry, u.len())
	for i := range entries {
		entries[i] = u.at(i, zone)
	}
	return entries
}

// find returns the place of an item, or the one that it belongs into.
func (u unused) find(item []byte) (index int, found bool) {
	low, high := 0, u.len()
	for low < high {
		middle := (low + high) / 2
		switch bytes.Compare(u[middle*unusedItem:][:unusedItem], item) {
		case 0:
			return middle, true
		case -1:
			low = middle + 1
		default:
			high = middle
		}
	}
	return low, false
}

// with returns the list with an entry; the list itself stays as it is.
func (u unused) with(e tournament.Entry) (unused, error) {
	item, err := itemOf(e)
	if err != nil {
		return nil, err
	}
	index, found := u.find(item)
	if found {
		return nil, fmt.Errorf("%w: an entry is unused twice", ErrBooks)
	}
	grown := make(unused, 0, len(u)+unusedItem)
	grown = append(append(grown, u[:index*unusedItem]...), item...)
	return append(grown, u[index*unusedItem:]...), nil
}

// without returns the list without an entry; the list itself stays as it is.
func (u unused) without(e tournament.Entry) (unused, error) {
	item, err := itemOf(e)
	if err != nil {
		return nil, err
	}
	index, found := u.find(item)
	if !found {
		return nil, fmt.Errorf("%w: an unused entry is not among them", ErrBooks)
	}
	shrunk := append(make(unused, 0, len(u)), u[:index*unusedItem]...)
	return append(shrunk, u[(index+1)*unusedItem:]...), nil
}

// itemOf writes an entry as an item of the list.
func itemOf(e tournament.Entry) ([]byte, error) {
	if len(e.ID) != entryIDSize {
		return nil, fmt.Errorf("%w: an entry's id of %d bytes", ErrBooks, len(e.ID))
	}
	item := append(make([]byte, 0, unusedItem), boolByte(e.Freed))
	item = binary.BigEndian.AppendUint64(item, uint64(e.Ends.UnixMilli()))
	item = append(item, boolByte(e.Kind == tournament.Complimentary))
	item = binary.BigEndian.AppendUint64(item, uint64(e.Bought.UnixMilli()))
	item = binary.BigEndian.AppendUint16(item, uint16(e.Index))
	item = append(item, e.ID...)
	for i, kind := range unusedKinds {
		if kind == e.Kind {
			return append(item, byte(i)), nil
		}
	}
	return nil, fmt.Errorf("%w: an entry of kind %q", ErrBooks, e.Kind)
}

func boolByte(value bool) byte {
	if value {
		return 1
	}
	return 0
}

// putUnused writes a person's unused entries; without any there is no record.
func (s *state) putUnused(who tournament.PersonID, list unused) {
	if key := join(prefixUnused, string(who)); list.len() == 0 {
		s.view.Delete(key)
	} else {
		s.view.Put(key, list)
	}
}

// addUnused adds an entry to its person's unused ones, if it is anybody's.
func (s *state) addUnused(who tournament.PersonID, e tournament.Entry) error {
	return s.editUnused(who, e, unused.with)
}

// dropUnused takes an entry from its person's unused ones, if it is anybody's.
func (s *state) dropUnused(who tournament.PersonID, e tournament.Entry) error {
	return s.editUnused(who, e, unused.without)
}

func (s *state) editUnused(who tournament.PersonID, e tournament.Entry, edit func(unused, tournament.Entry) (unused, error)) error {
	if who == "" {
		return nil
	}
	list, err := loadUnused(s.view, who)
	if err != nil {
		return err
	}
	edited, err := edit(list, e)
	if err == nil {
		s.putUnused(who, edited)
	}
	return err
}
