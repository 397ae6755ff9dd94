package ledger

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
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
//	47  the purchase's id
//	73  how many entries the purchase has, big-endian
type unused []byte

// The bytes of an item, and of an id.
const (
	unusedItem = 75
	idSize     = 26
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
	for at := 46; at < len(list); at += unusedItem {
		if int(list[at]) >= len(unusedKinds) {
			return nil, fmt.Errorf("%w: an unused entry of kind %d", ErrBooks, list[at])
		}
	}
	return list, nil
}

// len returns how many entries there are.
func (u unused) len() int { return len(u) / unusedItem }

// id returns the id of one of the entries.
func (u unused) id(index int) tournament.EntryID {
	return tournament.EntryID(u[index*unusedItem+20:][:idSize])
}

// at returns one of a person's entries, with its times in the zone.
func (u unused) at(index int, who tournament.PersonID, zone *time.Location) entry {
	item := u[index*unusedItem:][:unusedItem]
	moment := func(at int) time.Time {
		return time.UnixMilli(int64(binary.BigEndian.Uint64(item[at:]))).In(zone)
	}
	return entry{
		Purchase: tournament.PurchaseID(item[47:][:idSize]), Person: who, Kind: unusedKinds[item[46]],
		State: tournament.EntryUnused, Bought: moment(10), Ends: moment(1), Freed: item[0] == 1,
		Index: int(binary.BigEndian.Uint16(item[18:])), Count: int(binary.BigEndian.Uint16(item[73:])),
	}
}

// all returns the entries in the order in which they are used up.
func (u unused) all(zone *time.Location) []tournament.Entry {
	entries := make([]tournament.Entry, u.len())
	for i := range entries {
		e := u.at(i, "", zone)
		entries[i] = e.rules(u.id(i))
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
func (u unused) with(id tournament.EntryID, e *entry) (unused, error) {
	item, err := itemOf(id, e)
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
func (u unused) without(id tournament.EntryID, e *entry) (unused, error) {
	item, err := itemOf(id, e)
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
func itemOf(id tournament.EntryID, e *entry) ([]byte, error) {
	kind := slices.Index(unusedKinds, e.Kind)
	if len(id) != idSize || len(e.Purchase) != idSize || kind < 0 {
		return nil, fmt.Errorf("%w: an entry %q of kind %q and purchase %q", ErrBooks, id, e.Kind, e.Purchase)
	}
	item := append(make([]byte, 0, unusedItem), boolByte(e.Freed))
	item = binary.BigEndian.AppendUint64(item, uint64(e.Ends.UnixMilli()))
	item = append(item, boolByte(e.Kind == tournament.Complimentary))
	item = binary.BigEndian.AppendUint64(item, uint64(e.Bought.UnixMilli()))
	item = binary.BigEndian.AppendUint16(item, uint16(e.Index))
	item = append(append(append(item, id...), byte(kind)), e.Purchase...)
	return binary.BigEndian.AppendUint16(item, uint16(e.Count)), nil
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
func (s *state) addUnused(id tournament.EntryID, e *entry) error {
	return s.editUnused(id, e, unused.with)
}

// dropUnused takes an entry from its person's unused ones, if it is anybody's.
func (s *state) dropUnused(id tournament.EntryID, e *entry) error {
	return s.editUnused(id, e, unused.without)
}

func (s *state) editUnused(id tournament.EntryID, e *entry, edit func(unused, tournament.EntryID, *entry) (unused, error)) error {
	if e.Person == "" {
		return nil
	}
	list, err := loadUnused(s.view, e.Person)
	if err != nil {
		return err
	}
	edited, err := edit(list, id, e)
	if err == nil {
		s.putUnused(e.Person, edited)
	}
	return err
}

// useEntry makes a person's unused entry a seat's. The list holds all that is known of it, so that this, which happens at
// every registration, reads nothing else.
func (s *state) useEntry(id tournament.EntryID, who tournament.PersonID, used tournament.SeatID) (*entry, error) {
	list, err := loadUnused(s.view, who)
	if err != nil {
		return nil, err
	}
	for i := range list.len() {
		if list.id(i) != id {
			continue
		}
		e := list.at(i, who, s.definition.Zone)
		s.putUnused(who, slices.Concat(list[:i*unusedItem], list[(i+1)*unusedItem:]))
		e.State, e.Seat = tournament.EntrySeated, used
		return &e, s.put(join(prefixEntry, string(id)), &e)
	}
	return nil, fmt.Errorf("%w: an entry that is used is not among the unused", ErrBooks)
}
