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
func (b *Books) unusedEntries(view kv.Reader, who tournament.PersonID) ([]tournament.Entry, error) {
	list, err := loadUnused(view, who)
	return list.all(b.definition.Zone), err
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
func (t *turn) chooseEntry(who tournament.PersonID, into tournament.Heat) (tournament.EntryID, error) {
	list, err := loadUnused(t.view, who)
	if err != nil {
		return "", err
	}
	// The first in the order that is valid is the one.
	for i := range list.len() {
		e := list.at(i, who, t.definition.Zone)
		if id := list.id(i); t.definition.Rules.CheckEntry(e.rules(id), into) == nil {
			return id, nil
		}
	}
	_, refusal := t.definition.Rules.ChooseEntry(list.all(t.definition.Zone), into)
	return "", asError(refusal, nil)
}

// setEntry changes an entry's state, as its life allows, and keeps the list of unused entries in step.
func (s *state) setEntry(id tournament.EntryID, edit func(*entry), states ...tournament.EntryState) error {
	key := join(prefixEntry, string(id))
	e, err := need[entry](s.view, key)
	if err != nil {
		return err
	}
	if e.State == tournament.EntryUnused {
		if err := s.dropUnused(id, e); err != nil {
			return err
		}
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
	if e.State == tournament.EntryUnused {
		if err := s.addUnused(id, e); err != nil {
			return err
		}
	}
	return s.put(key, e)
}
