package ledger

import (
	"fmt"
	"time"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// noticed is the outcome of Noticed.
type noticed struct {
	Kind   wire.NoticeKind     `json:"kind"`
	Person tournament.PersonID `json:"person,omitempty"`
	// Said is the kiosk's own time.
	Said   time.Time `json:"said,omitzero"`
	Screen string    `json:"screen,omitempty"`
	Detail string    `json:"detail,omitempty"`
}

func (*noticed) what() What { return Noticed }

// apply changes nothing: a notice is an event and no more.
func (*noticed) apply(*state, *Event) error { return nil }

func (a Notice) decide(t *turn) (any, error) {
	switch a.Kind {
	case wire.HelpCalled, wire.VisitAbandoned, wire.Fault, wire.DeclaredConnected, wire.ClockConfirmed, wire.ExclusionsListed:
	default:
		return nil, fmt.Errorf("%w: no notice %q", ErrInvalid, a.Kind)
	}
	if len(a.Screen) > mostText || len(a.Detail) > mostText {
		return nil, fmt.Errorf("%w: a notice's texts have at most %d bytes", ErrInvalid, mostText)
	}
	var who *person
	if a.Person != "" {
		var err error
		if who, err = load[person](t.view, join(prefixPerson, string(a.Person))); err != nil {
			return nil, err
		}
		if who == nil {
			return nil, tournament.UnknownPerson.Refuse()
		}
	}
	err := t.record("", &noticed{Kind: a.Kind, Person: a.Person, Said: a.At, Screen: a.Screen, Detail: a.Detail})
	if err != nil {
		return nil, err
	}
	if a.Kind == wire.DeclaredConnected && who != nil {
		if err := t.declared(a.Person, who, a.Detail); err != nil {
			return nil, err
		}
	}
	return wire.Accepted{Sequence: t.last.sequence}, nil
}

// declared bars a player who declared to be connected or was not sure, until a host has decided (clause 3).
func (t *turn) declared(id tournament.PersonID, who *person, said string) error {
	if who.Barred == "" {
		if err := t.record("", &personBarred{Person: id, Reason: tournament.Connected}); err != nil {
			return err
		}
	}
	return t.openCase(CaseConnected, id, Evidence{Reason: tournament.Connected, Said: said})
}
