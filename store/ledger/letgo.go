package ledger

import (
	"fmt"
	"slices"
	"time"

	"reelkiosk/store/kv"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// letting is whether a kiosk lets a player go whom it may give seats by itself.
type letting struct {
	// Asked is when it was asked to, by the event Ask.
	Asked time.Time `json:"asked"`
	Ask   uint64    `json:"ask"`
	// Grant is the kiosk's newest grant when it did, or when a host decided so in its place (Overridden); 0 before. With the
	// next grant the player is the kiosk's again.
	Grant      uint64 `json:"grant,omitempty"`
	Overridden bool   `json:"overridden,omitempty"`
}

// letGoAsked is the outcome of LetGoAsked.
type letGoAsked struct {
	Person tournament.PersonID `json:"person"`
	Kiosk  string              `json:"kiosk"`
}

// letGone is the outcome of LetGone.
type letGone struct {
	Person tournament.PersonID `json:"person"`
	Kiosk  string              `json:"kiosk"`
	Grant  uint64              `json:"grant"`
}

// overridden is the outcome of Overridden.
type overridden letGone

func (*letGoAsked) what() What { return LetGoAsked }
func (*letGone) what() What    { return LetGone }
func (*overridden) what() What { return Overridden }

func lettingKey(kiosk string, who tournament.PersonID) []byte {
	return append(append(join(prefixLetting, kiosk), '/'), who...)
}

func (o *letGoAsked) apply(s *state, event *Event) error {
	return s.put(lettingKey(o.Kiosk, o.Person), &letting{Asked: event.At, Ask: event.Sequence})
}

func (o *letGone) apply(s *state, _ *Event) error { return s.letGo(o, false) }

func (o *overridden) apply(s *state, _ *Event) error { return s.letGo((*letGone)(o), true) }

func (s *state) letGo(o *letGone, byHost bool) error {
	record, err := load[letting](s.view, lettingKey(o.Kiosk, o.Person))
	if err != nil {
		return err
	}
	if record == nil {
		record = &letting{}
	}
	record.Grant, record.Overridden = o.Grant, byHost
	return s.put(lettingKey(o.Kiosk, o.Person), record)
}

// LetGoAsk is a player whom a kiosk is asked to let go, by the event Ask.
type LetGoAsk struct {
	Person tournament.PersonID
	Ask    uint64
}

// LetGoAsked returns whom a kiosk is asked to let go and has not.
func (b *Books) LetGoAsked(view kv.Reader, kiosk string) ([]LetGoAsk, error) {
	var asked []LetGoAsk
	err := each(view, string(lettingKey(kiosk, "")), func(who string, record *letting) {
		if record.Grant == 0 {
			asked = append(asked, LetGoAsk{tournament.PersonID(who), record.Ask})
		}
	})
	return asked, err
}

// held is a kiosk that may give a player seats by itself and has not let him go.
type held struct {
	kiosk string
	grant uint64
	// asked is nil while it was not asked to.
	asked *letting
}

// heldBy returns the kiosks but for one that may give the player seats by themselves now.
func (t *turn) heldBy(who tournament.PersonID, but string) (kiosks []held, err error) {
	holders, err := t.holders(who)
	if err != nil {
		return nil, err
	}
	for _, kiosk := range holders {
		if kiosk == but {
			continue
		}
		has, err := need[grant](t.view, join(prefixGrant, kiosk))
		if err != nil {
			return nil, err
		}
		record, err := load[letting](t.view, lettingKey(kiosk, who))
		if err != nil {
			return nil, err
		}
		switch {
		case record == nil || record.Grant != 0 && record.Grant != has.Number:
			kiosks = append(kiosks, held{kiosk: kiosk, grant: has.Number})
		case record.Grant == 0:
			kiosks = append(kiosks, held{kiosk, has.Number, record})
		}
	}
	return kiosks, nil
}

// needLetGo must be asked by every act that spends an entry or occupies a heat for a player (registration, refund,
// cancellation, replacement, the merging of persons) before it decides. It refuses with HomeSilent, and asks the home, where
// another kiosk than the one that acts may give the player seats by itself.
func (t *turn) needLetGo(who tournament.PersonID) error {
	kiosks, err := t.askLetGo(who)
	if err != nil || len(kiosks) == 0 {
		return err
	}
	return tournament.HomeSilent.Refuse()
}

// askLetGo asks the kiosks that may give the player seats by themselves to let him go, and returns them.
func (t *turn) askLetGo(who tournament.PersonID) ([]held, error) {
	kiosks, err := t.heldBy(who, t.request.Where)
	if err != nil {
		return nil, err
	}
	for _, one := range kiosks {
		if one.asked != nil {
			continue
		}
		if err := t.record("", &letGoAsked{Person: who, Kiosk: one.kiosk}); err != nil {
			return nil, err
		}
	}
	return kiosks, nil
}

// Held reports whether somebody else than that kiosk or desk may give the person seats by itself: an act for the person
// has to wait for it.
func (b *Books) Held(view kv.Reader, who tournament.PersonID, where string) (bool, error) {
	t := turn{state: state{b, kv.NewOverlay(view)}}
	kiosks, err := t.heldBy(who, where)
	return len(kiosks) > 0, err
}

func (a AskLetGo) decide(t *turn) (any, error) {
	if _, err := t.askLetGo(a.Person); err != nil {
		return nil, err
	}
	return wire.Accepted{Sequence: t.last.sequence}, nil
}

func (a LetGo) decide(t *turn) (any, error) {
	if a.Kiosk != t.request.Where {
		return nil, fmt.Errorf("%w: a kiosk lets its own players go", ErrInvalid)
	}
	has, err := load[grant](t.view, join(prefixGrant, a.Kiosk))
	if err != nil {
		return nil, err
	}
	record, err := load[letting](t.view, lettingKey(a.Kiosk, a.Person))
	if err != nil {
		return nil, err
	}
	if has != nil && record != nil && record.Grant != has.Number {
		err = t.record("", &letGone{Person: a.Person, Kiosk: a.Kiosk, Grant: has.Number})
	}
	return wire.Accepted{Sequence: t.last.sequence}, err
}

func (a Override) decide(t *turn) (any, error) {
	if a.Why == "" || len(a.Why) > mostText {
		return nil, fmt.Errorf("%w: a decision without a reason", ErrInvalid)
	}
	kiosks, err := t.askLetGo(a.Person)
	if err != nil {
		return nil, err
	}
	soonest := t.at
	for _, one := range kiosks {
		asked := t.at
		if one.asked != nil {
			asked = one.asked.Asked
		}
		if until := asked.Add(silence); until.After(soonest) {
			soonest = until
		}
	}
	if soonest.After(t.at) {
		return nil, tournament.TooSoon.Refuse().At(soonest)
	}
	for _, one := range kiosks {
		if err := t.record(a.Why, &overridden{Person: a.Person, Kiosk: one.kiosk, Grant: one.grant}); err != nil {
			return nil, err
		}
	}
	return wire.Accepted{Sequence: t.last.sequence}, nil
}

// wasOverridden reports whether a host acted for a player of this kiosk in its place.
func (t *turn) wasOverridden(kiosk string, who tournament.PersonID) (bool, error) {
	record, err := load[letting](t.view, lettingKey(kiosk, who))
	return record != nil && record.Overridden, err
}

// serves reports whether a kiosk may give a person seats by a grant: it is the home by the grant's list, and no kiosk that
// may still go by another list is.
func serves(view kv.Reader, kiosk string, by *wire.Grant, who tournament.PersonID) (home string, own bool, err error) {
	list, err := homesAt(view, by.List)
	if err != nil {
		return "", false, err
	}
	if home = homeOf(list, who); home != kiosk {
		return home, false, nil
	}
	var lists []uint64
	for _, other := range by.Others {
		if !slices.Contains(lists, other.List) {
			lists = append(lists, other.List)
		}
	}
	for _, version := range lists {
		earlier, err := homesAt(view, version)
		if err != nil {
			return "", false, err
		}
		home := homeOf(earlier, who)
		if slices.Contains(by.Others, wire.Elsewhere{Kiosk: home, List: version}) {
			return home, false, nil
		}
	}
	return home, true, nil
}
