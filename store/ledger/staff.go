package ledger

import (
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"time"

	"golang.org/x/crypto/argon2"

	"reelkiosk/store/kv"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

const (
	// mostTries is after how many wrong PINs in a row an operator is locked, and lockTime for how long.
	mostTries = 5
	lockTime  = 15 * time.Minute
	// proofTime is how long after a director's PIN a decision may follow it.
	proofTime = time.Minute
	// shiftTime is after how long an operator has to sign in again, whatever the desk thinks.
	shiftTime = 16 * time.Hour
)

// The parameters of argon2id (RFC 9106): the second recommendation of the OWASP Password Storage Cheat Sheet. A PIN is hashed
// outside of the writer, which would be held up for some twenty milliseconds.
const (
	pinPasses  = 2
	pinMemory  = 19 << 10 // KiB
	pinThreads = 1
	pinBytes   = 32
	saltBytes  = 16
)

// CaseLocked: an operator is locked after too many wrong PINs (Reference is the name).
const CaseLocked CaseKind = "operator-locked"

type (
	// SetStaff has an operator begin, gives other duties or another PIN, or ends; the answer is a wire.Accepted.
	SetStaff struct {
		Name   string
		Duties []wire.Duty
		// Verifier is that of the PIN; as it was if nil.
		Verifier *Verifier
		Why      string
	}
	// SignIn signs an operator in at the desk that asks, or proves a director there; the answer is a wire.SignedIn.
	SignIn struct {
		Operator string
		// Proof is what Prove made of the PIN.
		Proof   []byte
		Decides bool
	}
	// SignOut ends an operator's work at the desk that asks; the answer is a wire.Accepted.
	SignOut struct{ Operator string }
)

// Verifier is what is kept of a PIN.
type Verifier struct {
	Salt []byte `json:"salt"`
	Hash []byte `json:"hash"`
}

// ErrPIN is wrapped by NewVerifier where the text is no PIN.
var ErrPIN = errors.New("a PIN has 4 to 12 digits")

var pinForm = regexp.MustCompile(`^[0-9]{4,12}$`)

// NewVerifier returns what is kept of a PIN. The error wraps ErrPIN or is random's.
func NewVerifier(pin string, random io.Reader) (*Verifier, error) {
	if !pinForm.MatchString(pin) {
		return nil, ErrPIN
	}
	salt := make([]byte, saltBytes)
	if _, err := io.ReadFull(random, salt); err != nil {
		return nil, fmt.Errorf("salting a PIN: %w", err)
	}
	return &Verifier{salt, hashPIN(pin, salt)}, nil
}

func hashPIN(pin string, salt []byte) []byte {
	return argon2.IDKey([]byte(pin), salt, pinPasses, pinMemory, pinThreads, pinBytes)
}

// Salt returns what a PIN that an operator typed is hashed with; of somebody unknown a fixed one, so that it takes as long.
func (b *Books) Salt(view kv.Reader, operator string) ([]byte, error) {
	record, err := load[operatorRecord](view, join(prefixOperator, operator))
	if err != nil || record == nil {
		return make([]byte, saltBytes), err
	}
	kept, _, err := open[Verifier](view, b.vault, record.Owner, record.Sealed)
	return kept.Salt, err
}

// Prove makes of a PIN and an operator's salt what SignIn takes.
func Prove(pin string, salt []byte) []byte { return hashPIN(pin, salt) }

// operatorRecord is one operator.
type operatorRecord struct {
	// Duties are none once the operator's work has ended.
	Duties []wire.Duty `json:"duties,omitempty"`
	// Sealed is the Verifier, under a key of Owner that never leaves central.
	Owner  string `json:"owner"`
	Sealed []byte `json:"sealed"`
	// Failures counts wrong PINs in a row; Locked is until when they lock.
	Failures int       `json:"failures,omitempty"`
	Locked   time.Time `json:"locked,omitzero"`
	// Desks are where the operator is signed in, since when.
	Desks map[string]time.Time `json:"desks,omitempty"`
	// Proved is when a decision was last proved by the PIN, and ProvedAt where.
	Proved   time.Time `json:"proved,omitzero"`
	ProvedAt string    `json:"proved_at,omitempty"`
}

// staffSet is the outcome of StaffSet.
type staffSet struct {
	Operator string      `json:"operator"`
	Duties   []wire.Duty `json:"duties,omitempty"`
	Owner    string      `json:"owner"`
	Sealed   []byte      `json:"sealed"`
}

// signedIn is the outcome of SignedIn.
type signedIn struct {
	Operator string `json:"operator"`
	Desk     string `json:"desk"`
	Decides  bool   `json:"decides,omitempty"`
}

// signedOut is the outcome of SignedOut.
type signedOut struct {
	Operator string `json:"operator"`
	Desk     string `json:"desk"`
}

// signInFailed is the outcome of SignInFailed.
type signInFailed struct {
	Operator string `json:"operator"`
	// Locked is until when the operator is locked by it.
	Locked time.Time `json:"locked,omitzero"`
}

func (*staffSet) what() What     { return StaffSet }
func (*signedIn) what() What     { return SignedIn }
func (*signedOut) what() What    { return SignedOut }
func (*signInFailed) what() What { return SignInFailed }

func (o *staffSet) apply(s *state, _ *Event) error {
	return s.put(join(prefixOperator, o.Operator), &operatorRecord{Duties: o.Duties, Owner: o.Owner, Sealed: o.Sealed})
}

func (o *signedIn) apply(s *state, event *Event) error {
	return change(s, join(prefixOperator, o.Operator), func(record *operatorRecord) error {
		record.Failures, record.Locked = 0, time.Time{}
		if o.Decides {
			record.Proved, record.ProvedAt = event.At, o.Desk
			return nil
		}
		record.Desks = maps.Clone(record.Desks)
		if record.Desks == nil {
			record.Desks = map[string]time.Time{}
		}
		record.Desks[o.Desk] = event.At
		return nil
	})
}

func (o *signedOut) apply(s *state, _ *Event) error {
	return change(s, join(prefixOperator, o.Operator), func(record *operatorRecord) error {
		delete(record.Desks, o.Desk)
		return nil
	})
}

func (o *signInFailed) apply(s *state, _ *Event) error {
	return change(s, join(prefixOperator, o.Operator), func(record *operatorRecord) error {
		record.Failures++
		if !o.Locked.IsZero() {
			record.Failures, record.Locked = 0, o.Locked
		}
		return nil
	})
}

var duties = []wire.Duty{wire.DutyHost, wire.DutyCashier, wire.DutyDirector, wire.DutyTechnician}

func (a SetStaff) decide(t *turn) (any, error) {
	if a.Name == "" || len(a.Name) > mostText || a.Why == "" || len(a.Why) > mostText {
		return nil, fmt.Errorf("%w: an operator has a name, and the books a reason", ErrInvalid)
	}
	for _, duty := range a.Duties {
		if !slices.Contains(duties, duty) {
			return nil, fmt.Errorf("%w: no duty %q", ErrInvalid, duty)
		}
	}
	before, err := load[operatorRecord](t.view, join(prefixOperator, a.Name))
	if err != nil {
		return nil, err
	}
	came := staffSet{Operator: a.Name, Duties: a.Duties}
	switch {
	case before == nil && a.Verifier == nil:
		return nil, fmt.Errorf("%w: an operator begins with a PIN", ErrInvalid)
	case before == nil:
		if came.Owner, err = newID[string](t.request.Random); err != nil {
			return nil, err
		}
		came.Owner = secretOwner + came.Owner
		if err := t.makeKey(came.Owner, t.request.Random); err != nil {
			return nil, err
		}
	default:
		came.Owner, came.Sealed = before.Owner, before.Sealed
	}
	if a.Verifier != nil {
		if came.Sealed, err = t.seal(came.Owner, a.Verifier, t.request.Random); err != nil {
			return nil, err
		}
	}
	return t.accept(a.Why, &came)
}

func (a SignIn) decide(t *turn) (any, error) {
	record, err := t.operator(a.Operator)
	if err != nil {
		return nil, err
	}
	if t.at.Before(record.Locked) {
		return nil, tournament.OperatorLocked.Refuse().At(record.Locked)
	}
	kept, _, err := open[Verifier](t.view, t.vault, record.Owner, record.Sealed)
	if err != nil {
		return nil, err
	}
	if subtle.ConstantTimeCompare(kept.Hash, a.Proof) != 1 {
		return nil, t.failSignIn(a.Operator, record)
	}
	if err := t.record("", &signedIn{Operator: a.Operator, Desk: t.request.Where, Decides: a.Decides}); err != nil {
		return nil, err
	}
	return wire.SignedIn{Operator: a.Operator, Duties: record.Duties}, nil
}

// failSignIn records a wrong PIN, and returns the refusal. The fifth in a row locks, which the director sees as a case.
func (t *turn) failSignIn(operator string, record *operatorRecord) error {
	came := signInFailed{Operator: operator}
	refusal := tournament.WrongPIN.Refuse()
	if record.Failures+1 >= mostTries {
		came.Locked = t.at.Add(lockTime)
		refusal = tournament.OperatorLocked.Refuse().At(came.Locked)
	}
	if err := t.record("", &came); err != nil || came.Locked.IsZero() {
		return asError(refusal, err)
	}
	subject := string(CaseLocked) + "/" + operator
	known, err := name[tournament.CaseID](t.view, join(prefixSubject, subject))
	if err != nil || known != "" {
		return asError(refusal, err)
	}
	id, err := newID[tournament.CaseID](t.request.Random)
	if err == nil {
		err = t.record("", &caseOpened{Case: id, Kind: CaseLocked, Evidence: Evidence{Reference: operator}, Subject: subject})
	}
	return asError(refusal, err)
}

func (a SignOut) decide(t *turn) (any, error) {
	record, err := t.operator(a.Operator)
	if err != nil {
		return nil, err
	}
	if record.Desks[t.request.Where].IsZero() {
		return wire.Accepted{Sequence: t.last.sequence}, nil
	}
	return t.accept("", &signedOut{Operator: a.Operator, Desk: t.request.Where})
}

// operator returns the record of an operator who works here, or UnknownOperator.
func (t *turn) operator(named string) (*operatorRecord, error) {
	record, err := load[operatorRecord](t.view, join(prefixOperator, named))
	if err == nil && (record == nil || len(record.Duties) == 0) {
		err = tournament.UnknownOperator.Refuse()
	}
	return record, err
}

// Staffed is an act that an operator with one of some duties may do who is signed in at the desk that asks. A decision needs
// the operator's PIN at that moment. Its answer is the act's.
type Staffed struct {
	Act    Act
	Duties []wire.Duty
	// Decides says that it is a decision (clause 23).
	Decides bool
	// Proved says that the caller's certificate is the operator's own: then no PIN is asked for.
	Proved bool
}

func (a Staffed) decide(t *turn) (any, error) {
	record, err := t.operator(t.request.Who)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(a.Duties, func(duty wire.Duty) bool { return slices.Contains(record.Duties, duty) }) {
		return nil, tournament.RoleNeeded.Refuse()
	}
	switch since := record.Desks[t.request.Where]; {
	case a.Proved:
	case a.Decides && (record.ProvedAt != t.request.Where || t.at.After(record.Proved.Add(proofTime))):
		return nil, tournament.PINNeeded.Refuse()
	case !a.Decides && (since.IsZero() || t.at.After(since.Add(shiftTime))):
		return nil, tournament.NotSignedIn.Refuse()
	}
	return a.Act.decide(t)
}

// Staff returns all operators who work here.
func (b *Books) Staff(view kv.Reader) (wire.Staff, error) {
	answer := wire.Staff{Staff: []wire.StaffMember{}}
	err := each(view, prefixOperator, func(named string, record *operatorRecord) {
		if len(record.Duties) > 0 {
			answer.Staff = append(answer.Staff, wire.StaffMember{
				Name: named, Duties: record.Duties, Locked: record.Locked, Desks: slices.Sorted(maps.Keys(record.Desks)),
			})
		}
	})
	for i := range answer.Staff {
		answer.Staff[i].Desks = orEmpty(answer.Staff[i].Desks)
	}
	return answer, err
}
