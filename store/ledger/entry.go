package ledger

import (
	"fmt"
	"time"

	"reelkiosk/store/kv"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// rules returns what the rules need to know of an entry.
func (e *entry) rules(id tournament.EntryID) tournament.Entry {
	return tournament.Entry{ID: id, Kind: e.Kind, Bought: e.Bought, Ends: e.Ends, Freed: e.Freed, Index: e.Index}
}

// wireEntry returns an entry as it is answered.
func wireEntry(e tournament.Entry) wire.Entry {
	return wire.Entry{ID: e.ID, Kind: e.Kind, Ends: e.Ends, Bought: e.Bought}
}

// unusedEntries returns a person's unused entries, expired ones too, in the order in which they are used up.
func unusedEntries(view kv.Reader, who tournament.PersonID) ([]tournament.Entry, error) {
	var entries []tournament.Entry
	err := eachUnused(view, who, time.Time{}, func(id tournament.EntryID, e *entry) bool {
		entries = append(entries, e.rules(id))
		return true
	})
	return entries, err
}

// eachUnused yields a person's unused entries whose window ends at that moment or later, in the order in which they are
// used up, until yield returns false.
func eachUnused(view kv.Reader, who tournament.PersonID, ends time.Time, yield func(tournament.EntryID, *entry) bool) error {
	low := append(join(prefixUnused, string(who)), '/')
	high := after(low)
	if !ends.IsZero() {
		low = unusedFrom(who, ends)
	}
	keys, failed := view.Range(low, high)
	for _, id := range keys {
		e, err := need[entry](view, join(prefixEntry, string(id)))
		if err != nil {
			return err
		}
		if !yield(tournament.EntryID(id), e) {
			break
		}
	}
	if err := failed(); err != nil {
		return fmt.Errorf("reading unused entries: %w", err)
	}
	return nil
}

// stillValid returns those entries whose window is not over, and how many others there are.
func stillValid(unused []tournament.Entry, now time.Time) (valid []wire.Entry, expired int) {
	valid = []wire.Entry{}
	for _, e := range unused {
		if e.Expired(now) {
			expired++
			continue
		}
		valid = append(valid, wireEntry(e))
	}
	return valid, expired
}

// chooseEntry returns the entry that is used for a heat, or why none is (clauses 5 to 9).
func (t *turn) chooseEntry(who tournament.PersonID, into tournament.Heat) (tournament.EntryID, *entry, error) {
	var chosen *entry
	var id tournament.EntryID
	// The first in the order that is valid is the one; a window that ends with the heat's start does not hold it.
	err := eachUnused(t.view, who, into.Start.Add(time.Millisecond), func(next tournament.EntryID, e *entry) bool {
		if t.definition.Rules.CheckEntry(e.rules(next), into) == nil {
			id, chosen = next, e
		}
		return chosen == nil
	})
	if err != nil || chosen != nil {
		return id, chosen, err
	}
	unused, err := unusedEntries(t.view, who)
	if err != nil {
		return "", nil, err
	}
	_, refusal := t.definition.Rules.ChooseEntry(unused, into)
	if refusal == nil {
		return "", nil, fmt.Errorf("%w: unused entries are out of order", ErrBooks)
	}
	return "", nil, refusal
}

// setEntry changes an entry's state, as its life allows, and keeps the index of unused entries in step.
func (s *state) setEntry(id tournament.EntryID, edit func(*entry), states ...tournament.EntryState) error {
	return change(s, join(prefixEntry, string(id)), func(e *entry) error {
		if e.Person != "" && e.State == tournament.EntryUnused {
			s.view.Delete(unusedKey(e.Person, e.rules(id)))
		}
		for _, next := range states {
			if !e.State.MayBecome(next) {
				return fmt.Errorf("%w: an entry cannot go from %s to %s", ErrBooks, e.State, next)
			}
			e.State = next
		}
		if edit != nil {
			edit(e)
		}
		if e.Person != "" && e.State == tournament.EntryUnused {
			s.view.Put(unusedKey(e.Person, e.rules(id)), []byte(id))
		}
		return nil
	})
}
