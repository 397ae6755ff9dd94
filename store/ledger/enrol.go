package ledger

import (
	"bytes"
	"fmt"
	"time"

	"reelkiosk/store/kv"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// Who may speak to central is in the books like everything else: codes, enrolments and their ends are events. Of a code
// the books hold the id that is derived from it (store/trust) and what central makes it again from; with neither of them can
// anybody else make it. Whether a proof is right, and how long a kiosk was silent, is found out by who asks.
//
// What is called a kiosk here may also be a desk.

const (
	// CodeLife is how long an enrolment code is good.
	CodeLife = 15 * time.Minute
	// codeTries is how many false proofs end a code.
	codeTries = 5
)

type (
	// IssueCode makes the code by which a kiosk is enrolled, in place of an earlier one for that name; the answer is a
	// CodeMade. ID names the code, and it is made from Seed and central's keys.
	IssueCode struct {
		Kiosk    string
		Role     wire.Role
		ID       string
		Seed     []byte
		Operator string
	}
	// Enrol takes a kiosk in by a code; the answer is a Kiosk. Proven says whether its sender proved to know the code. The
	// same key again is answered again, also after the code's time: the first answer may have been lost.
	Enrol struct {
		Code string
		// Key is the fingerprint of the kiosk's public key, Enrolment the first half of its request keys.
		Key, Enrolment string
		Proven         bool
	}
	// Revoke takes a kiosk's right to speak; the answer is a wire.Accepted. It may be enrolled again. An operator, whom no
	// code enrolled, is revoked by name and for good.
	Revoke struct{ Kiosk, Why string }
	// Retire takes a kiosk out of use and ends its grants; the answer is a wire.Accepted.
	Retire struct{ Kiosk, Why string }
)

// CodeMade answers IssueCode. It holds no secret: it is kept under the request's key.
type CodeMade struct {
	Seed     []byte    `json:"seed"`
	Until    time.Time `json:"until"`
	Replaces bool      `json:"replaces,omitempty"`
}

// Kiosk is a kiosk as the books know it.
type Kiosk struct {
	Name      string          `json:"name"`
	Role      wire.Role       `json:"role"`
	State     wire.KioskState `json:"state"`
	Key       string          `json:"key,omitempty"`
	Enrolment string          `json:"enrolment,omitempty"`
	Enrolled  time.Time       `json:"enrolled,omitzero"`
	Why       string          `json:"why,omitempty"`
	// Instance, Boot and Version are those of the last hello, at Started. Past are the instances before, the newest first.
	Instance string    `json:"instance,omitempty"`
	Past     []string  `json:"past,omitempty"`
	Boot     string    `json:"boot,omitempty"`
	Version  string    `json:"version,omitempty"`
	Started  time.Time `json:"started,omitzero"`
	// Offers is another enrolment that the last hello came with, to be taken over when the kiosk is approved.
	Offers string `json:"offers,omitempty"`
}

// Refusal returns why the kiosk may not speak at all, or nil.
func (k *Kiosk) Refusal() *tournament.Refusal {
	switch k.State {
	case wire.KioskRevoked:
		return tournament.KioskRevoked.Refuse()
	case wire.KioskRetired:
		return tournament.KioskRetired.Refuse()
	case wire.KioskCloned:
		return tournament.KioskCloned.Refuse()
	}
	return nil
}

// code is the record of a code.
type code struct {
	Kiosk string    `json:"kiosk"`
	Role  wire.Role `json:"role"`
	Seed  []byte    `json:"seed"`
	Until time.Time `json:"until"`
	Tries int       `json:"tries,omitempty"`
	// Key is that of the kiosk that it enrolled.
	Key string `json:"key,omitempty"`
}

// codeIssued is the outcome of CodeIssued.
type codeIssued struct {
	Code  string    `json:"code"`
	Kiosk string    `json:"kiosk"`
	Role  wire.Role `json:"role"`
	Seed  []byte    `json:"seed"`
	Until time.Time `json:"until"`
	// Ends are the codes that it takes the place of.
	Ends []string `json:"ends,omitempty"`
}

// codeFailed is the outcome of CodeFailed.
type codeFailed struct {
	Code string `json:"code"`
}

// kioskEnrolled is the outcome of KioskEnrolled.
type kioskEnrolled struct {
	Kiosk     string    `json:"kiosk"`
	Role      wire.Role `json:"role"`
	Code      string    `json:"code"`
	Key       string    `json:"key"`
	Enrolment string    `json:"enrolment"`
}

// kioskEnded is the outcome of KioskEnded.
type kioskEnded struct {
	Kiosk string          `json:"kiosk"`
	Role  wire.Role       `json:"role"`
	State wire.KioskState `json:"state"`
}

func (*codeIssued) what() What    { return CodeIssued }
func (*codeFailed) what() What    { return CodeFailed }
func (*kioskEnrolled) what() What { return KioskEnrolled }
func (*kioskEnded) what() What    { return KioskEnded }

func (o *codeIssued) apply(s *state, _ *Event) error {
	for _, id := range o.Ends {
		s.view.Delete(join(prefixCode, id))
	}
	return s.put(join(prefixCode, o.Code), &code{Kiosk: o.Kiosk, Role: o.Role, Seed: o.Seed, Until: o.Until})
}

func (o *codeFailed) apply(s *state, _ *Event) error {
	return change(s, join(prefixCode, o.Code), func(c *code) error { c.Tries++; return nil })
}

func (o *kioskEnrolled) apply(s *state, event *Event) error {
	err := change(s, join(prefixCode, o.Code), func(c *code) error { c.Key = o.Key; return nil })
	if err != nil {
		return err
	}
	return s.put(join(prefixKiosk, o.Kiosk), &Kiosk{
		Name: o.Kiosk, Role: o.Role, State: wire.KioskEnrolled, Key: o.Key, Enrolment: o.Enrolment, Enrolled: event.At,
	})
}

func (o *kioskEnded) apply(s *state, event *Event) error {
	record, err := load[Kiosk](s.view, join(prefixKiosk, o.Kiosk))
	if err != nil {
		return err
	}
	if record == nil {
		record = &Kiosk{Name: o.Kiosk, Role: o.Role}
	}
	record.State, record.Why = o.State, event.Why
	return s.put(join(prefixKiosk, o.Kiosk), record)
}

func (a IssueCode) decide(t *turn) (any, error) {
	if a.Kiosk == "" || len(a.Kiosk) > mostText || a.ID == "" || len(a.Seed) == 0 || a.Role != wire.RoleKiosk && a.Role != wire.RoleDesk {
		return nil, fmt.Errorf("%w: a code is for a kiosk or a desk with a name", ErrInvalid)
	}
	ends, err := codesFor(t.view, a.Kiosk)
	if err != nil {
		return nil, err
	}
	known, err := load[Kiosk](t.view, join(prefixKiosk, a.Kiosk))
	if err != nil {
		return nil, err
	}
	if known != nil && known.Role == wire.RoleOperator {
		return nil, fmt.Errorf("%w: %s is an operator who was revoked; take another name", ErrInvalid, a.Kiosk)
	}
	made := CodeMade{Seed: a.Seed, Until: t.at.Add(CodeLife), Replaces: known != nil && known.Refusal() == nil}
	err = t.record("", &codeIssued{Code: a.ID, Kiosk: a.Kiosk, Role: a.Role, Seed: a.Seed, Until: made.Until, Ends: ends})
	return made, err
}

// codesFor returns the codes that were made for a name: the last one, if any.
func codesFor(view kv.Reader, kiosk string) (codes []string, err error) {
	err = each(view, prefixCode, func(id string, record *code) {
		if record.Kiosk == kiosk {
			codes = append(codes, id)
		}
	})
	return codes, err
}

func (a Enrol) decide(t *turn) (any, error) {
	record, err := load[code](t.view, join(prefixCode, a.Code))
	if err != nil {
		return nil, err
	}
	switch {
	case record == nil:
		return nil, tournament.CodeUnknown.Refuse()
	case record.Tries >= codeTries:
		return nil, tournament.CodeSpent.Refuse()
	case !a.Proven:
		if err := t.record("", &codeFailed{Code: a.Code}); err != nil {
			return nil, err
		}
		return nil, tournament.CodeUnknown.Refuse()
	case record.Key != "":
		return t.enrolledAgain(record, a)
	case !t.at.Before(record.Until):
		return nil, tournament.CodeExpired.Refuse().At(record.Until)
	}
	err = t.record("", &kioskEnrolled{Kiosk: record.Kiosk, Role: record.Role, Code: a.Code, Key: a.Key, Enrolment: a.Enrolment})
	if err == nil && record.Role == wire.RoleKiosk {
		err = t.enlist(record.Kiosk)
	} else if err == nil {
		err = t.delist(record.Kiosk, "it is a desk now")
	}
	if err != nil {
		return nil, err
	}
	return need[Kiosk](t.view, join(prefixKiosk, record.Kiosk))
}

// enrolledAgain answers a used code: its own kiosk may ask again.
func (t *turn) enrolledAgain(used *code, a Enrol) (any, error) {
	known, err := need[Kiosk](t.view, join(prefixKiosk, used.Kiosk))
	if err != nil {
		return nil, err
	}
	if known.Key != a.Key || used.Key != a.Key || known.Enrolment != a.Enrolment {
		return nil, tournament.CodeUsed.Refuse()
	}
	if refusal := known.Refusal(); refusal != nil {
		return nil, refusal
	}
	return known, nil
}

func (a Revoke) decide(t *turn) (any, error) { return t.endKiosk(a.Kiosk, a.Why, wire.KioskRevoked) }

func (a Retire) decide(t *turn) (any, error) { return t.endKiosk(a.Kiosk, a.Why, wire.KioskRetired) }

// endKiosk takes a kiosk's right to speak. A kiosk that is revoked may still be retired.
func (t *turn) endKiosk(kiosk, why string, end wire.KioskState) (any, error) {
	if kiosk == "" || len(kiosk) > mostText || why == "" || len(why) > mostText {
		return nil, fmt.Errorf("%w: which kiosk, and why, in 1 to %d bytes", ErrInvalid, mostText)
	}
	known, err := load[Kiosk](t.view, join(prefixKiosk, kiosk))
	if err != nil {
		return nil, err
	}
	role := wire.RoleOperator
	if known != nil {
		role = known.Role
	} else if end == wire.KioskRetired {
		return nil, tournament.NotEnrolled.Refuse()
	}
	if known == nil || known.State != end {
		if err := t.record(why, &kioskEnded{Kiosk: kiosk, Role: role, State: end}); err != nil {
			return nil, err
		}
	}
	// What was granted to a kiosk that is revoked may be in use, and reported once it is let in again.
	err = t.delist(kiosk, why)
	if err == nil && end == wire.KioskRetired {
		err = t.endGrants(kiosk, why)
	}
	return wire.Accepted{Sequence: t.last.sequence}, err
}

// KioskNamed returns what the books know of a kiosk, or nil. An error wraps ErrBooks or is the view's.
func (b *Books) KioskNamed(view kv.Reader, name string) (*Kiosk, error) {
	return load[Kiosk](view, join(prefixKiosk, name))
}

// Kiosks returns all kiosks that are or were enrolled, by name. An error wraps ErrBooks or is the view's.
func (b *Books) Kiosks(view kv.Reader) (kiosks []Kiosk, err error) {
	err = each(view, prefixKiosk, func(_ string, record *Kiosk) { kiosks = append(kiosks, *record) })
	return kiosks, err
}

// CodeSeed returns what central makes a code from, or nil where there is no such code.
func (b *Books) CodeSeed(view kv.Reader, id string) ([]byte, error) {
	record, err := load[code](view, join(prefixCode, id))
	if err != nil || record == nil {
		return nil, err
	}
	return record.Seed, nil
}

// each calls take with each record under a prefix, in the order of their keys, and the rest of its key.
func each[T any](view kv.Reader, prefix string, take func(name string, record *T)) error {
	low := []byte(prefix)
	var keys [][]byte
	found, failed := view.Range(low, after(low))
	for key := range found {
		keys = append(keys, bytes.Clone(key))
	}
	if err := failed(); err != nil {
		return fmt.Errorf("reading %c: %w", prefix[0], err)
	}
	for _, key := range keys {
		record, err := need[T](view, key)
		if err != nil {
			return err
		}
		take(string(key[len(prefix):]), record)
	}
	return nil
}
