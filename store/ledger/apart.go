package ledger

import (
	"slices"

	"reelkiosk/store/tournament"
	"reelkiosk/store/vault"
)

// apart reports whether two identities cannot be of one human. Two identity numbers are two people, one is one, unless
// neither name nor birth date is the same; without two to compare, birth dates must agree, and something of the name.
func (b *Books) apart(one, two *identity) bool {
	born := !one.Born.IsZero() && !two.Born.IsZero() && one.Born != two.Born
	named := b.namedApart(one, two)
	first, second := b.vault.IDNumber(one.IDNumber), b.vault.IDNumber(two.IDNumber)
	switch {
	case first.IsZero(), second.IsZero():
		return born || named
	case first == second:
		return born && named
	}
	return true
}

// namedApart reports whether neither surname nor first name are the same. Either changes in a life, or is spelt otherwise.
func (b *Books) namedApart(one, two *identity) bool {
	if one.Surname == "" || two.Surname == "" || one.Given == "" || two.Given == "" {
		return false
	}
	day := tournament.Date{Year: 2000, Month: 1, Day: 1} // any: only the names are compared
	surname := func(who *identity) vault.Hash { return b.vault.NameAndBirth(who.Surname, "X", day) }
	given := func(who *identity) vault.Hash { return b.vault.NameAndBirth("X", who.Given, day) }
	return surname(one) != surname(two) && given(one) != given(two)
}

// apartFrom reports whether somebody cannot be the person of that id; "" is nobody.
func (t *turn) apartFrom(who *identity, id tournament.PersonID) (bool, error) {
	if id == "" {
		return false, nil
	}
	known, err := t.identity(id)
	return err == nil && t.apart(who, &known), err
}

// oneHuman reports whether what a document says and a member's row can be of one human: their numbers of the same kind
// are equal, or, where they have none of the same kind, their names and birth dates; and nobody who is not joined the member.
func (t *turn) oneHuman(who *identity, holder *membership) (bool, error) {
	row := memberIdentity(&holder.row)
	apart, err := t.apartFrom(who, holder.record.Person)
	if err != nil || apart || t.apart(who, &row) {
		return false, err
	}
	if who.IDNumber != "" && row.IDNumber != "" {
		return true, nil
	}
	for _, theirs := range row.Papers {
		for _, ours := range who.Papers {
			if t.paperHash(theirs) == t.paperHash(ours) {
				return true, nil
			}
		}
	}
	theirs := t.marks(&row).name
	if theirs.IsZero() {
		return !holder.record.Verified, nil
	}
	return theirs == t.marks(who).name, nil
}

// shows adds what was presented.
func (v *visitor) shows(presented marks) {
	v.shown = slices.Concat(v.shown, presented.numbers, presented.cards)
	if !presented.name.IsZero() {
		v.names = append(v.names, presented.name)
	}
}

// collide notes that what was presented as one human's is not.
func (v *visitor) collide(evidence Evidence) {
	v.collides = true
	if v.mismatch == nil {
		v.mismatch = &evidence
	}
}
