package ledger

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

func (a Identify) decide(t *turn) (any, error) {
	v, err := t.resolve(a.Card, a.Document)
	if err != nil {
		return nil, err
	}
	if a.Both && v.mismatch == nil && (a.Document == nil || !v.holds) {
		v.mismatch = &Evidence{} // the card is nobody's, or that of somebody of whom nothing shows that it is she
	}
	if v, err = t.let(v); err != nil {
		return nil, err
	}
	return t.greeting(v)
}

// admit finds out who stands there and lets the person take part, or refuses. Nobody who is refused is recorded, except
// where a host has to decide about the person: then there is a case.
func (t *turn) admit(card string, document *wire.Document) (*visitor, error) {
	v, err := t.resolve(card, document)
	if err != nil {
		return nil, err
	}
	return t.let(v)
}

// let lets a visitor take part, or refuses.
func (t *turn) let(v *visitor) (*visitor, error) {
	refusal, err := t.checkVisitor(v)
	if err != nil {
		return nil, err
	}
	if refusal != nil && refusal.Reason != tournament.PossibleMatch {
		return nil, refusal
	}
	if v.collides {
		refusal = tournament.Mismatch.Refuse()
		v.mismatch.Reason = refusal.Reason
		if err := t.openCase(CaseMismatch, v.id, *v.mismatch); err != nil {
			return nil, err
		}
		return nil, refusal
	}
	if refusal == nil && v.mismatch == nil && v.expired {
		return nil, tournament.DocumentExpired.Refuse()
	}
	if err := t.meet(v); err != nil {
		return nil, err
	}
	if refusal != nil {
		if err := t.openCase(CasePossibleMatch, v.id, Evidence{Reason: refusal.Reason}); err != nil {
			return nil, err
		}
	}
	if v.mismatch != nil {
		refusal = tournament.Mismatch.Refuse()
		v.mismatch.Reason = refusal.Reason
		if err := t.openCase(CaseMismatch, v.id, *v.mismatch); err != nil {
			return nil, err
		}
	}
	if refusal != nil {
		return nil, refusal
	}
	return v, nil
}

// meet records a visitor who is new, or of whom more is known now.
func (t *turn) meet(v *visitor) error {
	adult := t.definition.Rules.CheckAge(v.who.Born, t.definition.Zone, t.at) == nil
	if v.record != nil && !v.grown && adult == v.record.Adult {
		return nil
	}
	met := v.id == ""
	if met {
		id, err := newID[tournament.PersonID](t.request.Random)
		if err != nil {
			return err
		}
		if err := t.makeKey(string(id), t.request.Random); err != nil {
			return err
		}
		v.id = id
	}
	sealed, err := t.seal(string(v.id), &v.who, t.request.Random)
	if err != nil {
		return err
	}
	known := personMet{Person: v.id, Sealed: sealed, Adult: adult, Members: v.members}
	if met {
		err = t.record("", &known)
	} else {
		err = t.record("", (*personLearned)(&known))
	}
	if err != nil {
		return err
	}
	if v.record, err = need[person](t.view, join(prefixPerson, string(v.id))); err != nil || v.double == "" {
		return err
	}
	return t.openCase(CasePossibleDouble, v.id, Evidence{Other: v.double})
}

// greeting answers who it is and what is left to play.
func (t *turn) greeting(v *visitor) (wire.Person, error) {
	answer := wire.Person{
		ID: v.id, FirstName: firstName(v.who.Given), MaskedName: maskName(v.who.Given, v.who.Surname),
		MaskedCard: maskCard(v.card),
	}
	if v.card == "" && len(v.who.Cards) > 0 {
		answer.MaskedCard = maskCard(v.who.Cards[0])
	}
	unused, err := t.unusedEntries(t.view, v.id)
	if err != nil {
		return answer, err
	}
	answer.Entries, answer.Expired = stillValid(unused, t.at)
	seats, err := t.seatsOf(v.id)
	if err != nil {
		return answer, err
	}
	answer.Seats = []wire.Seat{}
	for _, held := range seats {
		if !held.Start.After(t.at) || held.State != tournament.SeatIssued && held.State != tournament.SeatCheckedIn {
			continue
		}
		answer.Seats = append(answer.Seats, held.Seat)
		if held.mayReprint() {
			answer.Unconfirmed = append(answer.Unconfirmed, held.Seat)
		}
	}
	return answer, nil
}

// firstName returns the first given name, written as a name where the document has it in capitals.
func firstName(given string) string {
	words := strings.Fields(given)
	if len(words) == 0 {
		return ""
	}
	first := words[0]
	if utf8.RuneCountInString(first) < 2 || strings.ContainsFunc(first, unicode.IsLower) {
		return first
	}
	start := true
	return strings.Map(func(letter rune) rune {
		upper := start
		start = !unicode.IsLetter(letter)
		if upper {
			return letter
		}
		return unicode.ToLower(letter)
	}, first)
}

// maskName returns initials and stars, always as many: "T*** M***".
func maskName(given, surname string) string {
	var parts []string
	for _, part := range []string{given, surname} {
		if initial, size := utf8.DecodeRuneInString(strings.TrimSpace(part)); size > 0 {
			parts = append(parts, string(unicode.ToUpper(initial))+"***")
		}
	}
	return strings.Join(parts, " ")
}

// maskCard returns a card's last four characters after stars; of a short number fewer, so that most of it stays hidden.
func maskCard(card string) string {
	symbols := []rune(card)
	if len(symbols) == 0 {
		return ""
	}
	shown := min(4, len(symbols)/3)
	return "**** " + string(symbols[len(symbols)-shown:])
}
