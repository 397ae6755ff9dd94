package ledger

import (
	"fmt"
	"time"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// CaseKind is a kind of case.
type CaseKind string

// The kinds of cases.
const (
	// CaseMismatch: a card was presented with a document of somebody else (clause 4).
	CaseMismatch CaseKind = "mismatch"
	// CasePossibleMatch: name and birth date are those of an exclusion, the number is not (clause 2).
	CasePossibleMatch CaseKind = "possible-match"
	// CasePossibleDouble: two persons of the books may be one human (clause 4).
	CasePossibleDouble CaseKind = "possible-double"
	// CaseConnected: a player declared to be connected, or was not sure (clause 3).
	CaseConnected CaseKind = "declared-connected"
	// CaseClaim: somebody who may not take part, or to whom it does not belong, claimed a purchase.
	CaseClaim CaseKind = "claim-refused"
	// CaseExcluded: somebody with seats or entries was excluded: unused entries are held (clause 2).
	CaseExcluded CaseKind = "excluded-meanwhile"
	// CasePurchase: a purchase made elsewhere is somebody's who may not take part; its entries are held.
	CasePurchase CaseKind = "purchase-held"
	// CaseCopy: a copy that was given up as never started was reported as printed.
	CaseCopy CaseKind = "copy-contradiction"
	// CaseMachine: a machine went out of service on which seats are issued (clause 20).
	CaseMachine CaseKind = "machine-out-of-service"
	// CaseHeat: a heat was moved while seats in it are issued (clause 10).
	CaseHeat CaseKind = "heat-moved"
	// CaseCloned: two live kiosks had one identity; both are refused (Reference is its name).
	CaseCloned CaseKind = "kiosk-cloned"
	// CaseCancelled: a kiosk that was cut off gave a seat in a heat that was cancelled meanwhile (clause 10).
	CaseCancelled CaseKind = "heat-cancelled"
	// CaseTwice: a kiosk that was cut off gave what had been given to others by a decision, or was given twice: a machine, an
	// entry, a second seat of a player in a heat. Both seats are evidence; the first keeps what both would have.
	CaseTwice CaseKind = "given-twice"
	// CaseUnreported: a ticket was checked in that was granted to a kiosk which had not reported it (Said is its number).
	CaseUnreported CaseKind = "ticket-not-reported"
	// CaseUnprinted: the holder was absent at the start, and no ticket was ever confirmed as printed (clause 22).
	CaseUnprinted CaseKind = "print-unconfirmed"
	// CaseUnplaced: after a malfunction no later heat had a seat: a refund (clause 20), or an additional heat (clause 21).
	CaseUnplaced CaseKind = "no-replacement"
	// CaseScore: a score was typed for a seat that was never checked in, or the two who typed it differ.
	CaseScore CaseKind = "score-doubtful"
	// CaseList: something was found about a declared list (clause 14).
	CaseList CaseKind = "declared-list"
)

// Evidence is what a case rests on, in ids; nothing in it says who somebody is.
type Evidence struct {
	// Reason is the refusal that opened the case, where one did.
	Reason tournament.Reason `json:"reason,omitempty"`
	// Other is another person, Member a membership that is concerned.
	Other    tournament.PersonID   `json:"other,omitempty"`
	Member   MemberID              `json:"member,omitempty"`
	Purchase tournament.PurchaseID `json:"purchase,omitempty"`
	Heat     tournament.HeatID     `json:"heat,omitempty"`
	Machine  int                   `json:"machine,omitempty"`
	Seats    []tournament.SeatID   `json:"seats,omitempty"`
	Entries  []tournament.EntryID  `json:"entries,omitempty"`
	// Copy is the number of a seat's copy.
	Copy int `json:"copy,omitempty"`
	// Reference is that of an exclusion.
	Reference string `json:"reference,omitempty"`
	// Kiosk is the one that gave a seat while it was cut off, Issued when by its time, and Known how far its copy of the
	// books was. Overridden says that a host had acted for the player in its place.
	Kiosk      string    `json:"kiosk,omitempty"`
	Issued     time.Time `json:"issued,omitzero"`
	Known      uint64    `json:"known,omitempty"`
	Overridden bool      `json:"overridden,omitempty"`
	// Said is what was reported in words.
	Said string `json:"said,omitempty"`
}

// caseOpened is the outcome of CaseOpened.
type caseOpened struct {
	Case     tournament.CaseID   `json:"case"`
	Kind     CaseKind            `json:"kind"`
	Person   tournament.PersonID `json:"person,omitempty"`
	Evidence Evidence            `json:"evidence"`
	Subject  string              `json:"subject"`
}

// caseClosed is the outcome of CaseClosed.
type caseClosed struct {
	Case tournament.CaseID `json:"case"`
	// Clear says that nothing stands against the person after all.
	Clear bool `json:"clear,omitempty"`
}

func (*caseOpened) what() What { return CaseOpened }
func (*caseClosed) what() What { return CaseClosed }

func (o *caseOpened) apply(s *state, event *Event) error {
	s.view.Put(join(prefixSubject, o.Subject), []byte(o.Case))
	return s.put(join(prefixCase, string(o.Case)), &caseRecord{
		Opened: event.Sequence, At: event.At, Kind: o.Kind, Person: o.Person, Where: event.Where, Evidence: o.Evidence,
		Subject: o.Subject,
	})
}

func (o *caseClosed) apply(s *state, _ *Event) error {
	var closed *caseRecord
	err := change(s, join(prefixCase, string(o.Case)), func(record *caseRecord) error {
		record.Closed, closed = true, record
		return nil
	})
	if err != nil {
		return err
	}
	s.view.Delete(join(prefixSubject, closed.Subject))
	if !o.Clear || closed.Person == "" {
		return nil
	}
	return change(s, join(prefixPerson, string(closed.Person)), func(known *person) error {
		switch closed.Kind {
		case CasePossibleMatch:
			known.Cleared = true
		case CaseConnected:
			known.Barred = ""
		}
		return nil
	})
}

// openCase opens a case about a person, unless the same one is open already: the same thing seen again is no other case.
func (t *turn) openCase(kind CaseKind, who tournament.PersonID, evidence Evidence) error {
	subject := fmt.Sprintf("%s/%s/%s%s%s%s/%d/%d", kind, who, evidence.Other, evidence.Member, evidence.Purchase,
		evidence.Heat, evidence.Machine, evidence.Copy)
	open, err := name[tournament.CaseID](t.view, join(prefixSubject, subject))
	if err != nil || open != "" {
		return err
	}
	id, err := newID[tournament.CaseID](t.request.Random)
	if err != nil {
		return err
	}
	return t.record("", &caseOpened{Case: id, Kind: kind, Person: who, Evidence: evidence, Subject: subject})
}

func (a Resolve) decide(t *turn) (any, error) {
	if a.Why == "" {
		return nil, fmt.Errorf("%w: a decision without a reason", ErrInvalid)
	}
	record, err := load[caseRecord](t.view, join(prefixCase, string(a.Case)))
	if err != nil {
		return nil, err
	}
	if record == nil {
		return nil, fmt.Errorf("%w: no case %s", ErrInvalid, a.Case)
	}
	if record.Closed {
		return wire.Accepted{Sequence: t.last.sequence}, nil
	}
	if err := t.record(a.Why, &caseClosed{Case: a.Case, Clear: a.Clear}); err != nil {
		return nil, err
	}
	return wire.Accepted{Sequence: t.last.sequence}, nil
}
