package ledger

import (
	"fmt"
	"slices"

	"reelkiosk/store/tournament"
	"reelkiosk/store/vault"
	"reelkiosk/store/wire"
)

// visitor is who stands there, as far as the books and what was presented tell.
type visitor struct {
	// id is empty and record nil while the person has never been met.
	id     tournament.PersonID
	record *person
	// who is all that is known by now; grown says that the books do not know all of it yet.
	who   identity
	grown bool
	// members are the verified memberships that are the person's.
	members []MemberID
	// shown are the hashes of all that was presented, and of the names on it: they are looked up in the exclusion list
	// whoever it turns out to be, besides what is known of the person.
	shown, names []vault.Hash
	// mismatch says that not all that was presented is one human's, nil that it may be: the card is of another membership
	// than the document, or one of its numbers is another's (clause 4).
	mismatch *Evidence
	// collides says that the mismatch lies within the document, or within the membership of the card: nothing of it is
	// learned, and nobody is who is not found by the identity number.
	collides bool
	// double is another person who may be the same human.
	double tournament.PersonID
	// expired says that the document is past its expiry.
	expired bool
	// card is the presented card, where it is the person's. holds says that the card's member, verified or not, is the human
	// of the document.
	card  string
	holds bool
}

// membership is a member whose row could be read.
type membership struct {
	id     MemberID
	record *member
	row    wire.Member
}

// resolve finds out who stands there by a card, a document or both (clause 4). It changes nothing.
func (t *turn) resolve(card string, document *wire.Document) (*visitor, error) {
	if card == "" && document == nil {
		return nil, fmt.Errorf("%w: neither a card nor a document", ErrInvalid)
	}
	var holder *membership
	var err error
	if card != "" {
		if holder, err = t.memberUnder(hashKey(prefixCard, t.vault.Card(card))); err != nil {
			return nil, err
		}
	}
	if document == nil {
		return t.byCard(card, holder)
	}
	v, err := t.byDocument(document)
	if err != nil || card == "" {
		return v, err
	}
	v.shown = append(v.shown, t.vault.Card(card))
	if holder == nil || v.collides {
		return v, nil
	}
	return v, t.withCard(v, card, holder)
}

// byCard resolves a card alone, which is enough only for a member whose identity was verified.
func (t *turn) byCard(card string, holder *membership) (*visitor, error) {
	if holder == nil {
		refusal, err := t.barredBy([]vault.Hash{t.vault.Card(card)})
		if err != nil {
			return nil, err
		}
		if refusal == nil {
			refusal = tournament.UnknownCard.Refuse()
		}
		return nil, refusal
	}
	never := t.definition.Rules.CardSuffices == tournament.CardNever
	if never || !holder.record.Verified {
		who := memberIdentity(&holder.row)
		marks := t.marks(&who)
		refusal, err := t.barredBy(slices.Concat(marks.numbers, marks.cards))
		switch {
		case err != nil:
			return nil, err
		case refusal != nil:
			return nil, refusal
		case never:
			return nil, tournament.DocumentNeeded.Refuse()
		}
		return nil, tournament.Unverified.Refuse()
	}
	return t.byMember(card, holder)
}

// byMember resolves a verified member: the person who the member joined, or whose number the member has.
func (t *turn) byMember(card string, holder *membership) (*visitor, error) {
	v := &visitor{card: card}
	row := memberIdentity(&holder.row)
	v.shows(t.marks(&row))
	id := holder.record.Person
	for i := 0; id == "" && i < len(holder.record.Numbers); i++ {
		found, err := name[tournament.PersonID](t.view, join(prefixNumber, holder.record.Numbers[i]))
		if err != nil {
			return nil, err
		}
		apart, err := t.apartFrom(&row, found)
		if err != nil {
			return nil, err
		}
		if apart {
			v.collide(Evidence{Member: holder.id, Other: found})
			v.card, v.who = "", row
			return v, nil
		}
		id = found
	}
	if err := t.take(v, id); err != nil {
		return nil, err
	}
	return v, t.join(v, holder)
}

// byDocument resolves a document by its numbers. The identity number is the person, before any other (clause 4): a
// document's own number joins only somebody whose identity number it does not contradict, and where it is another's, a host
// decides, and nothing is learned from it.
func (t *turn) byDocument(document *wire.Document) (*visitor, error) {
	presented := identityOf(document)
	if t.mayBeMinor(document) {
		presented.Born = tournament.Date{} // a host looks at the person
	}
	if contradicts(&presented) {
		return nil, tournament.Mismatch.Refuse()
	}
	marks := t.marks(&presented)
	if len(marks.numbers) == 0 {
		return nil, tournament.Unverified.Refuse()
	}
	v := &visitor{expired: !document.Expiry.IsZero() && document.Expiry.Before(tournament.DateOf(t.at))}
	v.shows(marks)
	var id tournament.PersonID
	for _, number := range marks.numbers {
		found, err := name[tournament.PersonID](t.view, hashKey(prefixNumber, number))
		if err != nil {
			return nil, err
		}
		apart, err := t.apartFrom(&presented, found)
		switch {
		case err != nil:
			return nil, err
		case apart:
			v.collide(Evidence{Other: found})
		case id == "":
			id = found
		case found != "" && found != id:
			v.double = found
		}
	}
	if err := t.take(v, id); err != nil {
		return nil, err
	}
	holders, err := t.verifiedUnder(v, &presented, marks.numbers)
	if err != nil {
		return nil, err
	}
	if v.collides {
		if v.id == "" {
			v.who = presented
		}
		return v, nil
	}
	v.learn(&presented, t.vault)
	if contradicts(&v.who) {
		return nil, tournament.Mismatch.Refuse()
	}
	for _, holder := range holders {
		if other := holder.record.Person; other != "" && other != v.id {
			if v.id != "" {
				v.double = other
				continue
			}
			if err := t.adopt(v, other); err != nil {
				return nil, err
			}
		}
		if err := t.join(v, holder); err != nil {
			return nil, err
		}
	}
	return v, t.suspectDouble(v, marks.name)
}

// verifiedUnder returns the verified members who have one of the numbers. One who is not the human of the document, or
// joined somebody who is not, collides.
func (t *turn) verifiedUnder(v *visitor, presented *identity, numbers []vault.Hash) ([]*membership, error) {
	var holders []*membership
	for _, number := range numbers {
		holder, err := t.memberUnder(hashKey(prefixVerified, number))
		if err != nil {
			return nil, err
		}
		if holder == nil {
			continue
		}
		row := memberIdentity(&holder.row)
		apart, err := t.apartFrom(presented, holder.record.Person)
		if err != nil {
			return nil, err
		}
		if apart || t.apart(presented, &row) || v.id != "" && t.apart(&v.who, &row) {
			v.collide(Evidence{Member: holder.id, Other: holder.record.Person})
			continue
		}
		holders = append(holders, holder)
	}
	return holders, nil
}

// contradicts reports whether an identity number is none, or its holder was not born on the day that it begins with: a
// misreading or a forgery, which a host looks at. An under-age player's date of another year makes no adult of him.
func contradicts(who *identity) bool {
	return who.IDNumber != "" && tournament.CheckIDNumber(who.IDNumber, who.Born) != nil
}

// mayBeMinor reports whether a document that says nothing but an identity number, which has no century, is of somebody who
// is over a hundred or under age.
func (t *turn) mayBeMinor(document *wire.Document) bool {
	today := tournament.DateOf(t.at)
	late, exists := tournament.NewDate(document.BirthDate.Year+100, document.BirthDate.Month, document.BirthDate.Day)
	return document.Kind == numberAlone && exists && !late.After(today) && late.AgeOn(today) < t.definition.Rules.MinAge
}

// numberAlone is the kind of the green identity book, whose bar code is the number alone.
const numberAlone = "sa-id-book"

// withCard adds a card to a visitor who is known by a document. A verified member's card joins; that of an unverified
// member adds nothing, but must not contradict the document.
func (t *turn) withCard(v *visitor, card string, holder *membership) error {
	if slices.Contains(v.members, holder.id) {
		v.card, v.holds = card, true
		return nil
	}
	if holder.record.Person != "" && holder.record.Person == v.id {
		v.card, v.holds = card, true
		return t.join(v, holder)
	}
	one, err := t.oneHuman(&v.who, holder)
	if err != nil {
		return err
	}
	if !one {
		v.mismatch = &Evidence{Member: holder.id}
		return nil
	}
	row := memberIdentity(&holder.row)
	v.shows(t.marks(&row))
	v.holds = true
	if !holder.record.Verified {
		return nil
	}
	v.card = card
	if other := holder.record.Person; other != "" {
		if v.id != "" {
			v.double = other
			return nil
		}
		if err := t.adopt(v, other); err != nil {
			return err
		}
	}
	return t.join(v, holder)
}

// suspectDouble looks for another person with the same name and birth date when somebody is met by a number of another
// kind (a passport after an identity number, a new passport): a host merges suspected doubles (clause 4). Two identity
// numbers are two people.
func (t *turn) suspectDouble(v *visitor, named vault.Hash) error {
	if v.id != "" || named.IsZero() || v.double != "" {
		return nil
	}
	namesakes, err := load[[]tournament.PersonID](t.view, hashKey(prefixNamed, named))
	if err != nil || namesakes == nil {
		return err
	}
	for _, id := range *namesakes {
		var other visitor
		if err := t.take(&other, id); err != nil {
			return err
		}
		if v.who.IDNumber == "" || other.who.IDNumber == "" {
			v.double = id
		}
	}
	return nil
}

// take makes the visitor the person of that id; "" is somebody never met.
func (t *turn) take(v *visitor, id tournament.PersonID) error {
	if id == "" {
		return nil
	}
	record, err := need[person](t.view, join(prefixPerson, string(id)))
	if err != nil {
		return err
	}
	who, err := t.identity(id)
	v.id, v.record, v.who, v.members = id, record, who, slices.Clone(record.Members)
	return err
}

// adopt makes a visitor who seemed new the person of that id, who learns what was presented.
func (t *turn) adopt(v *visitor, id tournament.PersonID) error {
	presented, members := v.who, v.members
	if err := t.take(v, id); err != nil {
		return err
	}
	if v.double == id {
		v.double = ""
	}
	v.learn(&presented, t.vault)
	for _, member := range members {
		if !slices.Contains(v.members, member) {
			v.members = append(v.members, member)
		}
	}
	return nil
}

// learn adds what a document says. Names and birth date are taken over where they are new or of another name, so that
// the spelling does not change with each document.
func (v *visitor) learn(presented *identity, keys *vault.Vault) {
	hash := func(who *identity) vault.Hash { return keys.NameAndBirth(who.Surname, who.Given, who.Born) }
	if named := hash(presented); !named.IsZero() && named != hash(&v.who) {
		v.who.Surname, v.who.Given, v.who.Born = presented.Surname, presented.Given, presented.Born
		v.grown = true
	}
	v.fill(presented)
}

// fill adds what is not known yet.
func (v *visitor) fill(more *identity) {
	text := func(known *string, new string) {
		if *known == "" && new != "" {
			*known, v.grown = new, true
		}
	}
	text(&v.who.Surname, more.Surname)
	text(&v.who.Given, more.Given)
	text(&v.who.IDNumber, more.IDNumber)
	if v.who.Born.IsZero() && !more.Born.IsZero() {
		v.who.Born, v.grown = more.Born, true
	}
	for _, document := range more.Papers {
		if !slices.Contains(v.who.Papers, document) {
			v.who.Papers, v.grown = append(v.who.Papers, document), true
		}
	}
	for _, card := range more.Cards {
		if !slices.Contains(v.who.Cards, card) {
			v.who.Cards, v.grown = append(v.who.Cards, card), true
		}
	}
}

// join adds a verified membership, unless it is another human's, or one of its numbers another person's: then a host decides.
func (t *turn) join(v *visitor, holder *membership) error {
	if !holder.record.Verified {
		return nil
	}
	row := memberIdentity(&holder.row)
	if t.apart(&v.who, &row) {
		v.card, v.mismatch = "", &Evidence{Member: holder.id}
		return nil
	}
	for _, number := range holder.record.Numbers {
		other, err := name[tournament.PersonID](t.view, join(prefixNumber, number))
		if err != nil {
			return err
		}
		if other != "" && other != v.id {
			v.double = other
			return nil
		}
	}
	v.fill(&row)
	if !slices.Contains(v.members, holder.id) {
		v.members, v.grown = append(v.members, holder.id), true
	}
	return nil
}

// memberUnder returns the member that an index has under a key, or nil where there is none.
func (s *state) memberUnder(key []byte) (*membership, error) {
	id, err := name[MemberID](s.view, key)
	if err != nil || id == "" {
		return nil, err
	}
	record, err := need[member](s.view, join(prefixMember, string(id)))
	if err != nil {
		return nil, err
	}
	row, readable, err := open[wire.Member](s.view, s.vault, string(id), record.Sealed)
	if err != nil || !readable {
		return nil, err
	}
	return &membership{id, record, row}, nil
}
