package ledger

import (
	"fmt"
	"slices"
	"strings"

	"reelkiosk/store/tournament"
	"reelkiosk/store/vault"
	"reelkiosk/store/wire"
)

// personMet is the outcome of PersonMet.
type personMet struct {
	Person tournament.PersonID `json:"person"`
	// Sealed is the identity under the person's key. The indexes by number are rebuilt from it.
	Sealed  []byte     `json:"sealed"`
	Adult   bool       `json:"adult,omitempty"`
	Members []MemberID `json:"members,omitempty"`
}

// personLearned is the outcome of PersonLearned: the whole identity as it is known now.
type personLearned personMet

// personBarred is the outcome of PersonBarred.
type personBarred struct {
	Person tournament.PersonID `json:"person"`
	Reason tournament.Reason   `json:"reason"`
}

func (*personMet) what() What     { return PersonMet }
func (*personLearned) what() What { return PersonLearned }
func (*personBarred) what() What  { return PersonBarred }

func (o *personMet) apply(s *state, _ *Event) error {
	return s.know(o.Person, &person{}, o)
}

func (o *personLearned) apply(s *state, _ *Event) error {
	known, err := need[person](s.view, join(prefixPerson, string(o.Person)))
	if err != nil {
		return err
	}
	return s.know(o.Person, known, (*personMet)(o))
}

func (o *personBarred) apply(s *state, _ *Event) error {
	return change(s, join(prefixPerson, string(o.Person)), func(known *person) error {
		known.Barred = o.Reason
		return nil
	})
}

// know writes what is known of a person and the indexes that lead to it. Where the person's key was erased, nothing leads
// there any more.
func (s *state) know(id tournament.PersonID, known *person, met *personMet) error {
	known.Adult, known.Members = met.Adult, met.Members
	s.view.Put(join(prefixIdentity, string(id)), met.Sealed)
	who, readable, err := open[identity](s.view, s.vault, string(id), met.Sealed)
	if err != nil {
		return err
	}
	if readable {
		marks := s.marks(&who)
		for _, number := range marks.numbers {
			// A number stays whose it first was; that two people show one is a case.
			key := hashKey(prefixNumber, number)
			holder, err := name[tournament.PersonID](s.view, key)
			if err != nil {
				return err
			}
			if holder == "" {
				s.view.Put(key, []byte(id))
			}
		}
		if err := s.nameIndex(marks.name, id); err != nil {
			return err
		}
		known.Marks = hashesOf(append(marks.numbers, marks.cards...))
		if err := known.named(marks.name); err != nil {
			return err
		}
	}
	for _, member := range met.Members {
		if err := s.joinMember(member, id); err != nil {
			return err
		}
	}
	return s.put(join(prefixPerson, string(id)), known)
}

// named adds a name with a birth date to those that the person was known by: an exclusion may name any of them. What a host
// cleared was another name.
func (p *person) named(hash vault.Hash) error {
	known, err := p.Name.list()
	if err != nil || hash.IsZero() || slices.Contains(known, hash) {
		return err
	}
	if len(known) > 0 {
		p.Cleared = false
	}
	p.Name = hashesOf(append(known, hash))
	return nil
}

// identity returns what is known of a person; nothing where the person's key was erased.
func (s *state) identity(id tournament.PersonID) (identity, error) {
	sealed, err := s.view.Get(join(prefixIdentity, string(id)))
	if err != nil {
		return identity{}, fmt.Errorf("reading an identity: %w", err)
	}
	who, _, err := open[identity](s.view, s.vault, string(id), sealed)
	return who, err
}

// nameIndex adds the person to those with this name and birth date.
func (s *state) nameIndex(named vault.Hash, id tournament.PersonID) error {
	if named.IsZero() {
		return nil
	}
	key := hashKey(prefixNamed, named)
	namesakes, err := load[[]tournament.PersonID](s.view, key)
	if err != nil {
		return err
	}
	if namesakes == nil {
		namesakes = &[]tournament.PersonID{}
	}
	if slices.Contains(*namesakes, id) {
		return nil
	}
	return s.put(key, append(*namesakes, id))
}

// marks are the hashes by which somebody is found.
type marks struct {
	// numbers are those of identity and document numbers: they are the person.
	numbers []vault.Hash
	cards   []vault.Hash
	// name is that of name and birth date, zero where either is missing: it may be somebody else.
	name vault.Hash
}

// marks returns the hashes by which an identity is found.
func (b *Books) marks(who *identity) marks {
	var m marks
	add := func(list *[]vault.Hash, hash vault.Hash) {
		if !hash.IsZero() && !slices.Contains(*list, hash) {
			*list = append(*list, hash)
		}
	}
	add(&m.numbers, b.vault.IDNumber(who.IDNumber))
	for _, document := range who.Papers {
		add(&m.numbers, b.paperHash(document))
	}
	for _, card := range who.Cards {
		add(&m.cards, b.vault.Card(card))
	}
	m.name = b.vault.NameAndBirth(who.Surname, who.Given, who.Born)
	return m
}

// paperHash returns the hash of a document's own number. Only passports are looked up as passports: a licence that
// happens to have a passport's number is somebody else's.
func (b *Books) paperHash(document paper) vault.Hash {
	return b.vault.Passport(strings.TrimSpace(document.Kind+" "+document.Issuer), document.Number)
}

// identityOf returns what a document says of its holder.
func identityOf(document *wire.Document) identity {
	who := identity{
		Surname: document.Surname, Given: document.Given, Born: document.BirthDate, IDNumber: document.IDNumber,
	}
	if document.Number != "" {
		who.Papers = []paper{{Kind: paperKind(document.Kind), Issuer: document.Issuer, Number: document.Number}}
	}
	return who
}

// paperKind is empty for passports and for what an operator typed, which is a passport where it has a number of its own.
func paperKind(kind string) string {
	if kind == "passport" || kind == "typed" {
		return ""
	}
	return kind
}

// hashesOf writes hashes as records hold them; the zero hash, of nothing, is left out.
func hashesOf(list []vault.Hash) (text hashes) {
	for _, hash := range list {
		if !hash.IsZero() {
			text = append(text, hash[:]...)
		}
	}
	return text
}

// list reads hashes as records hold them.
func (h hashes) list() ([]vault.Hash, error) {
	const size = len(vault.Hash{})
	if len(h)%size != 0 {
		return nil, fmt.Errorf("%w: hashes of %d bytes", ErrBooks, len(h))
	}
	list := make([]vault.Hash, len(h)/size)
	for i := range list {
		copy(list[i][:], h[i*size:])
	}
	return list, nil
}
