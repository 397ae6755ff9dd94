package ledger

import (
	"fmt"
	"slices"
	"time"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

const (
	// LongSilence is how long a kiosk may have been silent and still get its keys after a reboot without anybody's looking
	// (design decision 6): kiosks that are switched off overnight come back by themselves.
	LongSilence = 14 * time.Hour
	// pastInstances is how many of a kiosk's earlier starts are remembered, to tell a clone from a stranger.
	pastInstances = 8
)

type (
	// Hello is what a kiosk says once after each start; the answer is a Kiosk, to which central adds the keys. It is the
	// refusal ApprovalNeeded while the kiosk waits for a technician, and KioskCloned where an instance comes back of which
	// a later one has taken the place.
	Hello struct {
		Kiosk, Instance, Boot, Version, Enrolment string
		// Holds says that it proved to have the keys still; Silent is how long nothing was heard of it.
		Holds  bool
		Silent time.Duration
	}
	// Approve lets a kiosk that waits have its keys; the answer is a wire.Accepted.
	Approve struct{ Kiosk, Why string }
	// Cloned says that two live kiosks have one identity: an instance called after a later one had said hello. The answer is
	// a wire.Accepted; both are refused from then on.
	Cloned struct{ Kiosk, Instance string }
)

// kioskStarted is the outcome of KioskStarted.
type kioskStarted struct {
	Kiosk    string `json:"kiosk"`
	Instance string `json:"instance"`
	Boot     string `json:"boot"`
	Version  string `json:"version,omitempty"`
	// Waits says that it gets no keys until it is approved; Offers is the enrolment that it comes with, if that is another.
	Waits  bool   `json:"waits,omitempty"`
	Offers string `json:"offers,omitempty"`
}

// kioskApproved is the outcome of KioskApproved.
type kioskApproved struct {
	Kiosk     string `json:"kiosk"`
	Instance  string `json:"instance"`
	Enrolment string `json:"enrolment"`
}

func (*kioskStarted) what() What  { return KioskStarted }
func (*kioskApproved) what() What { return KioskApproved }

func (o *kioskStarted) apply(s *state, event *Event) error {
	return change(s, join(prefixKiosk, o.Kiosk), func(k *Kiosk) error {
		if k.Instance != "" {
			k.Past = slices.Insert(k.Past, 0, k.Instance)
			k.Past = k.Past[:min(len(k.Past), pastInstances)]
		}
		k.Instance, k.Boot, k.Version, k.Started, k.Offers = o.Instance, o.Boot, o.Version, event.At, o.Offers
		k.State = wire.KioskEnrolled
		if o.Waits {
			k.State = wire.KioskWaiting
		}
		return nil
	})
}

func (o *kioskApproved) apply(s *state, _ *Event) error {
	return change(s, join(prefixKiosk, o.Kiosk), func(k *Kiosk) error {
		k.State, k.Enrolment, k.Offers = wire.KioskEnrolled, o.Enrolment, ""
		return nil
	})
}

func (a Hello) decide(t *turn) (any, error) {
	known, err := load[Kiosk](t.view, join(prefixKiosk, a.Kiosk))
	if err != nil {
		return nil, err
	}
	if known == nil {
		return nil, tournament.NotEnrolled.Refuse()
	}
	if refusal := known.Refusal(); refusal != nil {
		return nil, refusal
	}
	if a.Instance == "" || len(a.Instance)+len(a.Boot)+len(a.Version)+len(a.Enrolment) > mostText {
		return nil, fmt.Errorf("%w: a hello's words are too long, or it has no instance", ErrInvalid)
	}
	if slices.Contains(known.Past, a.Instance) {
		if _, err := (Cloned{a.Kiosk, a.Instance}).decide(t); err != nil {
			return nil, err
		}
		return nil, tournament.KioskCloned.Refuse()
	}
	if known.Instance != a.Instance {
		started := &kioskStarted{Kiosk: a.Kiosk, Instance: a.Instance, Boot: a.Boot, Version: a.Version}
		if a.Enrolment != "" && a.Enrolment != known.Enrolment {
			started.Offers = a.Enrolment
		}
		started.Waits = started.Offers != "" || !a.Holds && (known.State == wire.KioskWaiting || a.Silent >= LongSilence)
		if err := t.record("", started); err != nil {
			return nil, err
		}
		if known, err = need[Kiosk](t.view, join(prefixKiosk, a.Kiosk)); err != nil {
			return nil, err
		}
	}
	if known.State == wire.KioskWaiting {
		return nil, tournament.ApprovalNeeded.Refuse()
	}
	return known, nil
}

func (a Approve) decide(t *turn) (any, error) {
	known, err := load[Kiosk](t.view, join(prefixKiosk, a.Kiosk))
	if err != nil {
		return nil, err
	}
	if known == nil {
		return nil, tournament.NotEnrolled.Refuse()
	}
	if refusal := known.Refusal(); refusal != nil {
		return nil, refusal
	}
	if known.State == wire.KioskWaiting {
		approved := &kioskApproved{Kiosk: a.Kiosk, Instance: known.Instance, Enrolment: known.Enrolment}
		if known.Offers != "" {
			approved.Enrolment = known.Offers
		}
		if err := t.record(a.Why, approved); err != nil {
			return nil, err
		}
	}
	return wire.Accepted{Sequence: t.last.sequence}, nil
}

func (a Cloned) decide(t *turn) (any, error) {
	known, err := load[Kiosk](t.view, join(prefixKiosk, a.Kiosk))
	if err != nil {
		return nil, err
	}
	if known != nil && known.Refusal() == nil && slices.Contains(known.Past, a.Instance) {
		if err := t.record("", &kioskEnded{Kiosk: a.Kiosk, Role: known.Role, State: wire.KioskCloned}); err != nil {
			return nil, err
		}
		said := fmt.Sprintf("%s: instance %s called after %s had started", a.Kiosk, a.Instance, known.Instance)
		if err := t.openCloned(a.Kiosk, said); err != nil {
			return nil, err
		}
		if err := t.delist(a.Kiosk, said); err != nil {
			return nil, err
		}
	}
	return wire.Accepted{Sequence: t.last.sequence}, nil
}

// openCloned opens a case about a kiosk of which there are two, unless there is one.
func (t *turn) openCloned(kiosk, said string) error {
	subject := string(CaseCloned) + "/" + kiosk
	open, err := name[tournament.CaseID](t.view, join(prefixSubject, subject))
	if err != nil || open != "" {
		return err
	}
	id, err := newID[tournament.CaseID](t.request.Random)
	if err != nil {
		return err
	}
	return t.record("", &caseOpened{Case: id, Kind: CaseCloned, Evidence: Evidence{Said: said, Reference: kiosk}, Subject: subject})
}
