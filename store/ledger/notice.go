package ledger

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"reelkiosk/store/kv"
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
	// List is the version of the exclusion list that is in use from now on, with ExclusionsListed.
	List uint64 `json:"list,omitempty"`
}

func (*noticed) what() What { return Noticed }

// apply changes nothing but the version of the exclusion list: any other notice is an event and no more.
func (o *noticed) apply(s *state, _ *Event) error {
	if o.List > 0 {
		s.view.Put([]byte(prefixList), binary.BigEndian.AppendUint64(nil, o.List))
	}
	return nil
}

func (a UseList) decide(t *turn) (any, error) {
	if err := t.record("", &noticed{Kind: wire.ExclusionsListed, Detail: a.Detail, List: a.Version}); err != nil {
		return nil, err
	}
	return wire.Accepted{Sequence: t.last.sequence}, nil
}

// HasExclusions reports whether any exclusion was ever entered or imported row by row.
func HasExclusions(view kv.Reader) (bool, error) {
	records, end := view.Range([]byte(prefixExclusion), []byte{prefixExclusion[0], prefixExclusion[1] + 1})
	for range records {
		return true, end()
	}
	return false, end()
}

// ListVersion returns the version of the exclusion list in use, 0 where there is none.
func ListVersion(view kv.Reader) (uint64, error) {
	text, err := view.Get([]byte(prefixList))
	switch {
	case errors.Is(err, kv.ErrNotFound):
		return 0, nil
	case err != nil:
		return 0, fmt.Errorf("reading which exclusion list is in use: %w", err)
	case len(text) != 8:
		return 0, fmt.Errorf("%w: the version of a list has %d bytes", ErrBooks, len(text))
	}
	return binary.BigEndian.Uint64(text), nil
}

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
