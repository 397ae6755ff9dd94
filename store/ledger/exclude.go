package ledger

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"reelkiosk/store/exclusion"
	"reelkiosk/store/kv"
	"reelkiosk/store/tournament"
	"reelkiosk/store/vault"
	"reelkiosk/store/wire"
)

// exclusionRecorded is the outcome of ExclusionRecorded.
type exclusionRecorded struct {
	Reference string `json:"reference"`
	// ID names the key under which Sealed, the wire.Exclusion, lies. The hashes on the list are rebuilt from it.
	ID     string `json:"id"`
	Kind   string `json:"kind"`
	Sealed []byte `json:"sealed"`
	// Hits are people whom the books know and who are barred by it.
	Hits []hit `json:"hits,omitempty"`
	// Doubted are people of the same name and birth date, whom a host may have cleared before.
	Doubted []tournament.PersonID `json:"doubted,omitempty"`
}

// hit is what an exclusion does to a person whom the books know (clause 2).
type hit struct {
	Person tournament.PersonID `json:"person"`
	// Seats not yet played are void; Entries, those of the seats too, are held for the director.
	Seats   []tournament.SeatID  `json:"seats,omitempty"`
	Entries []tournament.EntryID `json:"entries,omitempty"`
}

func (*exclusionRecorded) what() What { return ExclusionRecorded }

func (o *exclusionRecorded) apply(s *state, _ *Event) error {
	row, readable, err := open[wire.Exclusion](s.view, s.vault, o.ID, o.Sealed)
	if err != nil {
		return err
	}
	if readable {
		if err := s.listExclusion(&row); err != nil {
			return err
		}
	}
	for _, who := range o.Hits {
		if err := s.disqualify(who); err != nil {
			return err
		}
	}
	for _, who := range o.Doubted {
		err := change(s, join(prefixPerson, string(who)), func(known *person) error {
			known.Cleared = false
			return nil
		})
		if err != nil {
			return err
		}
	}
	return s.put(join(prefixExclusion, o.Reference), &exclusionRecord{ID: o.ID, Kind: o.Kind, Sealed: o.Sealed})
}

// listExclusion puts the hashes of an exclusion on the list. A name with a birth date is only ever a possible match.
func (s *state) listExclusion(row *wire.Exclusion) error {
	kind, err := exclusion.ParseKind(row.Kind)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrBooks, err)
	}
	marks := s.exclusionMarks(row)
	for _, hash := range slices.Concat(marks.numbers, marks.cards) {
		if err := s.list(hash, kind); err != nil {
			return err
		}
	}
	if marks.name.IsZero() {
		return nil
	}
	return s.list(marks.name, exclusion.Possible)
}

// list puts a hash on the list, unless a change since the list was built has it there for a reason that goes before. The
// list itself is not asked: it may be another one when the books are replayed.
func (s *state) list(hash vault.Hash, kind exclusion.Kind) error {
	before, listed, err := exclusion.NewSet(nil).Lookup(s.view, hash)
	if err == nil && !(listed && before <= kind) {
		exclusion.PutChange(s.view, hash, kind)
	}
	return err
}

func (b *Books) exclusionMarks(row *wire.Exclusion) marks {
	who := identity{Surname: row.Surname, Given: row.Given, Born: row.BirthDate, IDNumber: row.IDNumber}
	if row.Passport != "" {
		who.Papers = []paper{{Issuer: row.Issuer, Number: row.Passport}}
	}
	if row.Card != "" {
		who.Cards = []string{row.Card}
	}
	return b.marks(&who)
}

// disqualify does to a person what an exclusion during the tournament does (clause 2).
func (s *state) disqualify(who hit) error {
	err := change(s, join(prefixPerson, string(who.Person)), func(known *person) error {
		known.Disqualified = true
		return nil
	})
	if err != nil {
		return err
	}
	for _, id := range who.Seats {
		if err := s.voidSeat(id, nil, tournament.EntryUnused); err != nil {
			return err
		}
	}
	for _, id := range who.Entries {
		if err := s.setEntry(id, nil, tournament.EntryHeld); err != nil {
			return err
		}
	}
	return nil
}

func (a ImportExclusions) decide(t *turn) (any, error) {
	if err := t.refuseRows(wire.Rows{Exclusions: a.Rows}); err != nil {
		return nil, err
	}
	var done wire.ImportDone
	for _, row := range a.Rows {
		row.Line = 0
		before, err := load[exclusionRecord](t.view, join(prefixExclusion, row.Reference))
		if err != nil {
			return nil, err
		}
		count := &done.Added
		if before != nil && !before.Lifted.IsZero() {
			// A paper that was lifted bars nobody any more, however often a file still has it.
			done.Unchanged++
			continue
		}
		if before != nil {
			known, readable, err := open[wire.Exclusion](t.view, t.vault, before.ID, before.Sealed)
			if err != nil {
				return nil, err
			}
			if readable {
				row = withKnown(row, known)
			}
			if count = &done.Changed; readable && reflect.DeepEqual(known, row) {
				count = &done.Unchanged
			}
		}
		*count++
		if count == &done.Unchanged {
			continue
		}
		if err := t.exclude(&row, before); err != nil {
			return nil, err
		}
	}
	return done, nil
}

// withKnown fills what a row leaves out and the books know of the same paper: nothing that bars somebody is ever dropped
// by a shorter file.
func withKnown(row, known wire.Exclusion) wire.Exclusion {
	for _, pair := range [][2]*string{
		{&row.Surname, &known.Surname}, {&row.Given, &known.Given}, {&row.IDNumber, &known.IDNumber},
		{&row.Passport, &known.Passport}, {&row.Issuer, &known.Issuer}, {&row.Card, &known.Card},
	} {
		if *pair[0] == "" {
			*pair[0] = *pair[1]
		}
	}
	if row.BirthDate.IsZero() {
		row.BirthDate = known.BirthDate
	}
	return row
}

// Concerns reports whether an exclusion says something of somebody whom the books know, or of a paper that is in them. One
// that does not may take effect by the list alone, without an event of its own.
func (b *Books) Concerns(view kv.Reader, row *wire.Exclusion) (bool, error) {
	if _, err := view.Get(join(prefixExclusion, row.Reference)); !errors.Is(err, kv.ErrNotFound) {
		return err == nil, err
	}
	s := state{b, kv.NewOverlay(view)}
	marks := b.exclusionMarks(row)
	barred, err := s.peopleWith(marks)
	if err != nil || len(barred) > 0 {
		return err == nil, err
	}
	namesakes, err := s.namesakes(marks.name, nil)
	return len(namesakes) > 0, err
}

// exclude records an exclusion and what it does to people whom the books know.
func (t *turn) exclude(row *wire.Exclusion, before *exclusionRecord) (err error) {
	came := exclusionRecorded{Reference: row.Reference, Kind: row.Kind}
	if before != nil {
		came.ID = before.ID
	} else {
		if came.ID, err = newID[string](t.request.Random); err != nil {
			return err
		}
		if err := t.makeKey(came.ID, t.request.Random); err != nil {
			return err
		}
	}
	if came.Sealed, err = t.seal(came.ID, row, t.request.Random); err != nil {
		return err
	}
	marks := t.exclusionMarks(row)
	barred, err := t.peopleWith(marks)
	if err != nil {
		return err
	}
	for _, id := range barred {
		who, err := t.hitOf(id)
		if err != nil {
			return err
		}
		came.Hits = append(came.Hits, who)
	}
	if came.Doubted, err = t.namesakes(marks.name, barred); err != nil {
		return err
	}
	if err := t.record("", &came); err != nil {
		return err
	}
	for _, who := range came.Hits {
		if len(who.Seats)+len(who.Entries) == 0 {
			continue
		}
		evidence := Evidence{Seats: who.Seats, Entries: who.Entries, Reference: row.Reference}
		if err := t.openCase(CaseExcluded, who.Person, evidence); err != nil {
			return err
		}
	}
	for _, who := range came.Hits {
		if err := t.caseForLists(who.Person, "", tournament.Excluded); err != nil {
			return err
		}
	}
	for _, id := range came.Doubted {
		evidence := Evidence{Reason: tournament.PossibleMatch, Reference: row.Reference}
		if err := t.openCase(CasePossibleMatch, id, evidence); err != nil {
			return err
		}
	}
	return nil
}

// peopleWith returns the people of the books whom numbers name, or a card whose member is known (clause 2).
func (s *state) peopleWith(marks marks) ([]tournament.PersonID, error) {
	var people []tournament.PersonID
	add := func(id tournament.PersonID, err error) error {
		if err == nil && id != "" && !slices.Contains(people, id) {
			people = append(people, id)
		}
		return err
	}
	for _, hash := range marks.numbers {
		if err := add(name[tournament.PersonID](s.view, hashKey(prefixNumber, hash))); err != nil {
			return nil, err
		}
		if err := s.addMember(add, hashKey(prefixVerified, hash)); err != nil {
			return nil, err
		}
	}
	for _, hash := range marks.cards {
		if err := s.addMember(add, hashKey(prefixCard, hash)); err != nil {
			return nil, err
		}
	}
	return people, nil
}

// addMember adds the person whom a verified member is, by having joined or by number.
func (s *state) addMember(add func(tournament.PersonID, error) error, key []byte) error {
	holder, err := s.memberUnder(key)
	if err != nil || holder == nil || !holder.record.Verified {
		return err
	}
	if holder.record.Person != "" {
		return add(holder.record.Person, nil)
	}
	for _, number := range holder.record.Numbers {
		if err := add(name[tournament.PersonID](s.view, join(prefixNumber, number))); err != nil {
			return err
		}
	}
	return nil
}

// namesakes returns the people of that name and birth date, but for those who are barred for certain.
func (s *state) namesakes(named vault.Hash, barred []tournament.PersonID) ([]tournament.PersonID, error) {
	if named.IsZero() {
		return nil, nil
	}
	all, err := load[[]tournament.PersonID](s.view, hashKey(prefixNamed, named))
	if err != nil || all == nil {
		return nil, err
	}
	return slices.DeleteFunc(*all, func(id tournament.PersonID) bool { return slices.Contains(barred, id) }), nil
}

// hitOf returns what an exclusion now does to a person: seats of heats that no host has started, whatever their time, and
// entries that are not expired.
func (t *turn) hitOf(id tournament.PersonID) (hit, error) {
	who := hit{Person: id}
	unused, err := t.unusedEntries(t.view, id)
	if err != nil {
		return who, err
	}
	for _, e := range unused {
		if !e.Expired(t.at) {
			who.Entries = append(who.Entries, e.ID)
		}
	}
	if who.Seats, err = t.finalSeatsOf(id); err != nil {
		return who, err
	}
	seats, err := t.seatsOf(id)
	if err != nil {
		return who, err
	}
	for _, held := range seats {
		now, _, err := t.heat(t.view, held.Heat)
		if err != nil {
			return who, err
		}
		if !now.Phase.begun() && held.record.live() {
			who.Seats = append(who.Seats, held.ID)
			// Of a seat that was given twice, the entry may be another seat's.
			used, err := need[entry](t.view, join(prefixEntry, string(held.Entry)))
			if err != nil {
				return who, err
			}
			if used.Seat == held.ID {
				who.Entries = append(who.Entries, held.Entry)
			}
		}
	}
	return who, nil
}

// checkExclusion says what is wrong with a row, or nothing.
func (t *turn) checkExclusion(row *wire.Exclusion) (column, reason string, err error) {
	if _, err := exclusion.ParseKind(row.Kind); err != nil {
		return "kind", "no such kind of exclusion", nil
	}
	if row.Reference == "" || len(row.Reference) > mostText {
		return "reference", fmt.Sprintf("a reference has 1 to %d bytes", mostText), nil
	}
	if column, reason := IDNumberProblem(row.IDNumber, row.BirthDate); reason != "" {
		return column, reason, nil
	}
	marks := t.exclusionMarks(row)
	if len(marks.numbers)+len(marks.cards) == 0 && marks.name.IsZero() {
		return "", "nobody can be recognised by this: an identity or passport number, a card, or name and birth date is needed", nil
	}
	before, err := load[exclusionRecord](t.view, join(prefixExclusion, row.Reference))
	if err != nil || before == nil {
		return "", "", err
	}
	known, readable, err := open[wire.Exclusion](t.view, t.vault, before.ID, before.Sealed)
	if err != nil || !readable {
		return "", "", err
	}
	for _, field := range []struct{ column, old, new string }{
		{"kind", known.Kind, row.Kind}, {"id_number", known.IDNumber, row.IDNumber},
		{"passport", known.Passport, row.Passport}, {"passport_issuer", known.Issuer, row.Issuer},
		{"card", known.Card, row.Card}, {"birth_date", known.BirthDate.String(), row.BirthDate.String()},
		{"surname", known.Surname, row.Surname}, {"given_names", known.Given, row.Given},
	} {
		if field.old != "" && field.new != "" && field.old != field.new {
			return field.column, "differs from what was imported under this reference; an exclusion ends only when it is lifted", nil
		}
	}
	return "", "", nil
}
