package ledger

import (
	"fmt"
	"slices"
	"time"

	"reelkiosk/store/exclusion"
	"reelkiosk/store/kv"
	"reelkiosk/store/tournament"
	"reelkiosk/store/vault"
)

// barredBy returns why somebody with these numbers and cards may not take part, by the exclusion list (clauses 2 and 3).
func (s *state) barredBy(hashes []vault.Hash) (*tournament.Refusal, error) {
	for _, hash := range hashes {
		kind, listed, err := s.exclusions.Lookup(s.view, hash)
		if err != nil {
			return nil, fmt.Errorf("looking at the exclusion list: %w", err)
		}
		if listed && kind != exclusion.Possible {
			return reasonOf(kind).Refuse(), nil
		}
	}
	return nil, nil
}

// possibly reports whether the exclusion list has somebody of this name and birth date.
func (s *state) possibly(named vault.Hash) (bool, error) {
	if named.IsZero() {
		return false, nil
	}
	_, listed, err := s.exclusions.Lookup(s.view, named)
	if err != nil {
		return false, fmt.Errorf("looking at the exclusion list: %w", err)
	}
	return listed, nil
}

// reasonOf returns the reason for which an exclusion of that kind refuses.
func reasonOf(kind exclusion.Kind) tournament.Reason {
	if kind == exclusion.Connected {
		return tournament.Connected
	}
	return tournament.Excluded
}

// checkVisitor returns why the rules do not let a visitor take part at all, or nil: clauses 1 to 3, on what is known
// together with what was just presented.
func (t *turn) checkVisitor(v *visitor) (*tournament.Refusal, error) {
	marks := t.marks(&v.who)
	record := v.record
	if record == nil {
		record = &person{}
	}
	known, err := record.Name.list()
	if err != nil {
		return nil, err
	}
	hashes := slices.Concat(v.shown, marks.numbers, marks.cards)
	if refusal, err := t.checkRecord(record, hashes, append(known, v.names...)...); refusal != nil || err != nil {
		return refusal, err
	}
	return t.definition.Rules.CheckAge(v.who.Born, t.definition.Zone, t.at), nil
}

// checkPerson is checkVisitor for somebody who was identified before, at the act and on the day of each of the heats.
func (t *turn) checkPerson(id tournament.PersonID, record *person, heats ...tournament.Heat) (*tournament.Refusal, error) {
	marks, err := record.Marks.list()
	if err != nil {
		return nil, err
	}
	names, err := record.Name.list()
	if err != nil {
		return nil, err
	}
	if refusal, err := t.checkRecord(record, marks, names...); refusal != nil || err != nil || record.Adult {
		return refusal, err
	}
	who, err := t.identity(id)
	if err != nil {
		return nil, err
	}
	if refusal := t.definition.Rules.CheckAge(who.Born, t.definition.Zone, t.at); refusal != nil {
		return refusal, nil
	}
	for _, heat := range heats {
		if refusal := t.definition.Rules.CheckAge(who.Born, t.definition.Zone, t.at, heat.Start); refusal != nil {
			return refusal, nil
		}
	}
	return nil, nil
}

// Barred returns why a person may not take part as the books stand at that time, or nil: for somebody who was identified
// before and is still there. Somebody whom the books do not know is not barred.
func (b *Books) Barred(view kv.Reader, id tournament.PersonID, at time.Time) (*tournament.Refusal, error) {
	t, err := b.turn(kv.NewOverlay(view), &Request{At: at})
	if err != nil {
		return nil, err
	}
	record, err := load[person](view, join(prefixPerson, string(id)))
	if err != nil || record == nil {
		return nil, err
	}
	return t.checkPerson(id, record)
}

// checkRecord returns why somebody is barred: by number or card first, then by what the books have against the person,
// then by name and birth date alone: those known, which a host may have cleared, and any other that was presented.
func (t *turn) checkRecord(record *person, hashes []vault.Hash, names ...vault.Hash) (*tournament.Refusal, error) {
	if refusal, err := t.barredBy(hashes); refusal != nil || err != nil {
		return refusal, err
	}
	if record.Barred != "" {
		return record.Barred.Refuse(), nil
	}
	if record.Disqualified {
		return tournament.Disqualified.Refuse(), nil
	}
	known, err := record.Name.list()
	if err != nil {
		return nil, err
	}
	for _, named := range names {
		if record.Cleared && slices.Contains(known, named) {
			continue
		}
		possible, err := t.possibly(named)
		if err != nil {
			return nil, err
		}
		if possible {
			return tournament.PossibleMatch.Refuse(), nil
		}
	}
	return nil, nil
}
