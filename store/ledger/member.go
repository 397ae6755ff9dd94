package ledger

import (
	"reflect"
	"slices"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// memberRecorded is the outcome of MemberRecorded.
type memberRecorded struct {
	Member MemberID `json:"member"`
	// Sealed is the wire.Member under the member's key. The indexes by number and card are rebuilt from it.
	Sealed []byte `json:"sealed"`
}

func (*memberRecorded) what() What { return MemberRecorded }

func (o *memberRecorded) apply(s *state, _ *Event) error {
	key := join(prefixMember, string(o.Member))
	before, err := load[member](s.view, key)
	if err != nil {
		return err
	}
	row, readable, err := open[wire.Member](s.view, s.vault, string(o.Member), o.Sealed)
	if err != nil {
		return err
	}
	now := member{Sealed: o.Sealed}
	if readable {
		now = s.memberOf(&row)
		now.Sealed = o.Sealed
		s.view.Put(hashKey(prefixMemberNo, s.vault.Member(row.Number)), []byte(o.Member))
	}
	if before != nil {
		if slices.Equal(before.Numbers, now.Numbers) && now.Verified {
			now.Person = before.Person
		}
		if err := s.dropMemberIndexes(o.Member, before); err != nil {
			return err
		}
	}
	for _, card := range now.Cards {
		s.view.Put(join(prefixCard, card), []byte(o.Member))
	}
	if now.Verified {
		for _, number := range now.Numbers {
			s.view.Put(join(prefixVerified, number), []byte(o.Member))
		}
	}
	return s.put(key, &now)
}

// dropMemberIndexes removes what leads to a member by what was known before. A card that is another member's by now stays
// that member's.
func (s *state) dropMemberIndexes(id MemberID, before *member) error {
	drop := func(key []byte) error {
		holder, err := name[MemberID](s.view, key)
		if err == nil && holder == id {
			s.view.Delete(key)
		}
		return err
	}
	for _, card := range before.Cards {
		if err := drop(join(prefixCard, card)); err != nil {
			return err
		}
	}
	for _, number := range before.Numbers {
		if err := drop(join(prefixVerified, number)); err != nil {
			return err
		}
	}
	return nil
}

// joinMember notes that a member is this person.
func (s *state) joinMember(id MemberID, who tournament.PersonID) error {
	return change(s, join(prefixMember, string(id)), func(joined *member) error {
		joined.Person = who
		return nil
	})
}

// memberOf returns the record of a member, without what is sealed.
func (b *Books) memberOf(row *wire.Member) member {
	who := memberIdentity(row)
	marks := b.marks(&who)
	m := member{Verified: row.Verified}
	for _, card := range marks.cards {
		m.Cards = append(m.Cards, card.String())
	}
	for _, number := range marks.numbers {
		m.Numbers = append(m.Numbers, number.String())
	}
	return m
}

// memberIdentity returns what a member's row says of the member.
func memberIdentity(row *wire.Member) identity {
	who := identity{
		Surname: row.Surname, Given: row.Given, Born: row.BirthDate, IDNumber: row.IDNumber, Cards: row.Cards,
	}
	if row.Passport != "" {
		who.Papers = []paper{{Issuer: row.Issuer, Number: row.Passport}}
	}
	return who
}

func (a ImportMembers) decide(t *turn) (any, error) {
	if err := t.refuseRows(wire.Rows{Members: a.Rows}); err != nil {
		return nil, err
	}
	var done wire.ImportDone
	for _, row := range a.Rows {
		row.Line = 0
		if len(row.Cards) == 0 {
			row.Cards = nil
		}
		id, err := name[MemberID](t.view, hashKey(prefixMemberNo, t.vault.Member(row.Number)))
		if err != nil {
			return nil, err
		}
		switch {
		case id == "":
			if id, err = newID[MemberID](t.request.Random); err != nil {
				return nil, err
			}
			if err := t.makeKey(string(id), t.request.Random); err != nil {
				return nil, err
			}
			done.Added++
		default:
			same, err := t.sameMember(id, &row)
			if err != nil {
				return nil, err
			}
			if same {
				done.Unchanged++
				continue
			}
			done.Changed++
		}
		sealed, err := t.seal(string(id), &row, t.request.Random)
		if err != nil {
			return nil, err
		}
		if err := t.record("", &memberRecorded{Member: id, Sealed: sealed}); err != nil {
			return nil, err
		}
	}
	return done, nil
}

// sameMember reports whether the books know just this of the member.
func (s *state) sameMember(id MemberID, row *wire.Member) (bool, error) {
	stored, err := need[member](s.view, join(prefixMember, string(id)))
	if err != nil {
		return false, err
	}
	before, readable, err := open[wire.Member](s.view, s.vault, string(id), stored.Sealed)
	return readable && reflect.DeepEqual(before, *row), err
}
