package ledger

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"reelkiosk/store/kv"
)

// Event is one change of the books, as it is stored and exported. It names people by their ids only; what it says about
// them in words is ciphertext under their keys.
type Event struct {
	// Sequence counts the events from 1 without gaps: order comes from it and never from At.
	Sequence uint64 `json:"seq"`
	// At is central's time in the tournament's zone, to the millisecond.
	At time.Time `json:"at"`
	// Who acted, Where, and Why, where there is a reason in words.
	Who   string `json:"who,omitempty"`
	Where string `json:"where,omitempty"`
	Why   string `json:"why,omitempty"`
	// What happened, one of the What constants, and what it came to.
	What    What            `json:"what"`
	Outcome json.RawMessage `json:"outcome"`
}

// What is a kind of event.
type What string

// The kinds of events. What each comes to is the outcome type of the same name in outcome*.go.
const (
	// PersonMet: somebody was identified for the first time and has an id now.
	PersonMet What = "person-met"
	// PersonLearned: more is known of a person: a number, a name, a membership.
	PersonLearned What = "person-learned"
	// PersonBarred: a person declared to be connected or was not sure (clause 3).
	PersonBarred What = "person-barred"
	// MemberRecorded: a member was imported, or what is known of one changed.
	MemberRecorded What = "member-recorded"
	// ExclusionRecorded: somebody was barred; what that did to people whom the books know is part of it (clauses 2, 3).
	ExclusionRecorded What = "exclusion-recorded"
	// Purchased: entries were bought (clauses 5 to 8).
	Purchased What = "purchased"
	// Claimed: a purchase without a name has an owner now.
	Claimed What = "claimed"
	// ClaimRefused: a claimant may never own the purchase.
	ClaimRefused What = "claim-refused"
	// Registered: a seat was issued, with copy 1 of its ticket intended (clause 11).
	Registered What = "registered"
	// CopyIntended: another copy of a seat's ticket is to be printed.
	CopyIntended What = "copy-intended"
	// CopyReported: what became of a copy (design decision 5).
	CopyReported What = "copy-reported"
	// CaseOpened and CaseClosed: something that a person has to decide, and its decision (clause 23).
	CaseOpened What = "case-opened"
	// CaseClosed: see CaseOpened.
	CaseClosed What = "case-closed"
	// Noticed: a kiosk told something: help called, a visit abandoned, a fault.
	Noticed What = "noticed"
	// MachineServiced: a machine went out of service or came back (clause 20).
	MachineServiced What = "machine-serviced"
	// HeatMoved: a heat has another start (clause 10).
	HeatMoved What = "heat-moved"
	// HeatCancelled: a heat will not be played; its entries are free (clause 10).
	HeatCancelled What = "heat-cancelled"
	// CodeIssued: a code was made by which a kiosk is enrolled. CodeFailed: somebody tried it without knowing it.
	CodeIssued What = "code-issued"
	// CodeFailed: see CodeIssued.
	CodeFailed What = "code-failed"
	// KioskEnrolled: a kiosk or a desk may speak to central from now on. KioskEnded: it may no more, and why.
	KioskEnrolled What = "kiosk-enrolled"
	// KioskEnded: see KioskEnrolled.
	KioskEnded What = "kiosk-ended"
	// KioskStarted: a kiosk said hello. KioskApproved: a technician let one have its keys (design decision 6).
	KioskStarted What = "kiosk-started"
	// KioskApproved: see KioskStarted.
	KioskApproved What = "kiosk-approved"
	// HomesListed: the list of kiosks that players can have as their home is another one (design decision 4).
	HomesListed What = "homes-listed"
	// Granted: a kiosk got machines that it may give while it is cut off, or more time.
	Granted What = "granted"
	// GivenBack: a kiosk gave machines back that it had not given to anybody.
	GivenBack What = "given-back"
	// CalledBack: kiosks were asked to give back what they have of a heat.
	CalledBack What = "called-back"
	// GrantsEnded: what was granted to a kiosk is central's again, by a decision.
	GrantsEnded What = "grants-ended"
	// LetGoAsked: a kiosk was asked to let a player go. LetGone: it did. Overridden: a host decided so in its place.
	LetGoAsked What = "let-go-asked"
	// LetGone: see LetGoAsked.
	LetGone What = "let-go"
	// Overridden: see LetGoAsked.
	Overridden What = "overridden"
	// SeatReported: a kiosk gave a seat while it was cut off.
	SeatReported What = "seat-reported"

	// SeatCancelled: a host cancelled a seat before its heat closed.
	SeatCancelled What = "seat-cancelled"
	// CheckedIn: a holder was identified and checked in (clause 12). CheckInUndone: that was a mistake. Admitted: the ticket's
	// kiosk had not reported it yet.
	CheckedIn What = "checked-in"
	// CheckInUndone and Admitted: see CheckedIn.
	CheckInUndone What = "check-in-undone"
	// Admitted: see CheckedIn.
	Admitted What = "admitted"
	// HeatAdded, HeatPostponed and HeatHeld: the timetable is another one (clauses 10 and 21).
	HeatAdded What = "heat-added"
	// HeatPostponed: see HeatAdded.
	HeatPostponed What = "heat-postponed"
	// HeatHeld: see HeatAdded.
	HeatHeld What = "heat-held"
	// HeatCalled, HeatStarted, HeatRestarted and HeatFinished: what hosts did with a heat on its day (clauses 20 and 22).
	HeatCalled What = "heat-called"
	// HeatStarted: see HeatCalled.
	HeatStarted What = "heat-started"
	// HeatRestarted: see HeatCalled.
	HeatRestarted What = "heat-restarted"
	// HeatFinished: see HeatCalled.
	HeatFinished What = "heat-finished"
	// SeatMoved, SeatReplaced and SeatBroken: what became of a seat whose machine is out of order (clauses 20 and 21).
	SeatMoved What = "seat-moved"
	// SeatReplaced: see SeatMoved.
	SeatReplaced What = "seat-replaced"
	// SeatBroken: see SeatMoved.
	SeatBroken What = "seat-broken"
	// SeatDisqualified: a player was disqualified from a seat. PlayerDisqualified: from the tournament (clause 20).
	SeatDisqualified What = "seat-disqualified"
	// PlayerDisqualified: see SeatDisqualified.
	PlayerDisqualified What = "player-disqualified"
	// SeatDecided: what becomes of a seat that was a case when its heat began.
	SeatDecided What = "seat-decided"

	// ScoreTyped: a score was typed. ScoreCorrected: the director decided what a seat earned.
	ScoreTyped What = "score-typed"
	// ScoreCorrected: see ScoreTyped.
	ScoreCorrected What = "score-corrected"
	// CardsDrawn: cards were drawn in a tie (clause 19).
	CardsDrawn What = "cards-drawn"
	// ListDeclared: the director declared a list. PlacesStruck: places of it stay empty (clause 14).
	ListDeclared What = "list-declared"
	// PlacesStruck: see ListDeclared.
	PlacesStruck What = "places-struck"
	// DrawCommitted: central committed to a secret. SeatsDrawn: the seats of a final stage were drawn (clause 14).
	DrawCommitted What = "draw-committed"
	// SeatsDrawn: see DrawCommitted.
	SeatsDrawn What = "seats-drawn"
	// ProxyNamed: somebody plays a seat for a participant (clause 16).
	ProxyNamed What = "proxy-named"
	// PrizeHanded: a prize was handed to its winner.
	PrizeHanded What = "prize-handed"
	// RefundAuthorised and RefundPaid: entries were refunded, and the money was paid (clause 20).
	RefundAuthorised What = "refund-authorised"
	// RefundPaid: see RefundAuthorised.
	RefundPaid What = "refund-paid"
	// PurchaseReversed: a purchase was taken back. CreditPlayed: its casino credit was played (clauses 6 and 8).
	PurchaseReversed What = "purchase-reversed"
	// CreditPlayed: see PurchaseReversed.
	CreditPlayed What = "credit-played"
	// EntriesDecided: entries that were held or had expired may be played, or are forfeited (clause 2).
	EntriesDecided What = "entries-decided"
	// ExclusionLifted: an exclusion ended (clause 2).
	ExclusionLifted What = "exclusion-lifted"
	// StaffSet: an operator began, ended, or has other duties or another PIN.
	StaffSet What = "staff-set"
	// SignedIn, SignedOut and SignInFailed: an operator at a desk.
	SignedIn What = "signed-in"
	// SignedOut: see SignedIn.
	SignedOut What = "signed-out"
	// SignInFailed: see SignedIn.
	SignInFailed What = "sign-in-failed"
)

// outcome is what an event came to. Applying it is all that changes the state, when the event happens as when it is
// replayed, and it decides nothing.
type outcome interface {
	what() What
	apply(s *state, event *Event) error
}

// outcomes makes an empty outcome of each kind, to be read into.
var outcomes = map[What]func() outcome{
	PersonMet:         func() outcome { return &personMet{} },
	PersonLearned:     func() outcome { return &personLearned{} },
	PersonBarred:      func() outcome { return &personBarred{} },
	MemberRecorded:    func() outcome { return &memberRecorded{} },
	ExclusionRecorded: func() outcome { return &exclusionRecorded{} },
	Purchased:         func() outcome { return &purchased{} },
	Claimed:           func() outcome { return &claimed{} },
	ClaimRefused:      func() outcome { return &claimRefused{} },
	Registered:        func() outcome { return &registered{} },
	CopyIntended:      func() outcome { return &copyIntended{} },
	CopyReported:      func() outcome { return &copyReported{} },
	CaseOpened:        func() outcome { return &caseOpened{} },
	CaseClosed:        func() outcome { return &caseClosed{} },
	Noticed:           func() outcome { return &noticed{} },
	MachineServiced:   func() outcome { return &machineServiced{} },
	HeatMoved:         func() outcome { return &heatMoved{} },
	HeatCancelled:     func() outcome { return &heatCancelled{} },
	CodeIssued:        func() outcome { return &codeIssued{} },
	CodeFailed:        func() outcome { return &codeFailed{} },
	KioskEnrolled:     func() outcome { return &kioskEnrolled{} },
	KioskEnded:        func() outcome { return &kioskEnded{} },
	KioskStarted:      func() outcome { return &kioskStarted{} },
	KioskApproved:     func() outcome { return &kioskApproved{} },
	HomesListed:       func() outcome { return &homesListed{} },
	Granted:           func() outcome { return &granted{} },
	GivenBack:         func() outcome { return &givenBack{} },
	CalledBack:        func() outcome { return &calledBack{} },
	GrantsEnded:       func() outcome { return &grantsEnded{} },
	LetGoAsked:        func() outcome { return &letGoAsked{} },
	LetGone:           func() outcome { return &letGone{} },
	Overridden:        func() outcome { return &overridden{} },
	SeatReported:      func() outcome { return &seatReported{} },

	SeatCancelled:      func() outcome { return &seatCancelled{} },
	CheckedIn:          func() outcome { return &checkedIn{} },
	CheckInUndone:      func() outcome { return &checkInUndone{} },
	Admitted:           func() outcome { return &admitted{} },
	HeatAdded:          func() outcome { return &heatAdded{} },
	HeatPostponed:      func() outcome { return &heatPostponed{} },
	HeatHeld:           func() outcome { return &heatHeld{} },
	HeatCalled:         func() outcome { return &heatCalled{} },
	HeatStarted:        func() outcome { return &heatStarted{} },
	HeatRestarted:      func() outcome { return &heatRestarted{} },
	HeatFinished:       func() outcome { return &heatFinished{} },
	SeatMoved:          func() outcome { return &seatMoved{} },
	SeatReplaced:       func() outcome { return &seatReplaced{} },
	SeatBroken:         func() outcome { return &seatBroken{} },
	SeatDisqualified:   func() outcome { return &seatDisqualified{} },
	PlayerDisqualified: func() outcome { return &playerDisqualified{} },
	SeatDecided:        func() outcome { return &seatDecided{} },
	ScoreTyped:         func() outcome { return &scoreTyped{} },
	ScoreCorrected:     func() outcome { return &scoreCorrected{} },
	CardsDrawn:         func() outcome { return &cardsDrawn{} },
	ListDeclared:       func() outcome { return &listDeclared{} },
	PlacesStruck:       func() outcome { return &placesStruck{} },
	DrawCommitted:      func() outcome { return &drawCommitted{} },
	SeatsDrawn:         func() outcome { return &seatsDrawn{} },
	ProxyNamed:         func() outcome { return &proxyNamed{} },
	PrizeHanded:        func() outcome { return &prizeHanded{} },
	RefundAuthorised:   func() outcome { return &refundAuthorised{} },
	RefundPaid:         func() outcome { return &refundPaid{} },
	PurchaseReversed:   func() outcome { return &purchaseReversed{} },
	CreditPlayed:       func() outcome { return &creditPlayed{} },
	EntriesDecided:     func() outcome { return &entriesDecided{} },
	ExclusionLifted:    func() outcome { return &exclusionLifted{} },
	StaffSet:           func() outcome { return &staffSet{} },
	SignedIn:           func() outcome { return &signedIn{} },
	SignedOut:          func() outcome { return &signedOut{} },
	SignInFailed:       func() outcome { return &signInFailed{} },
}

// last is the sequence and the time of the newest event.
type last struct {
	sequence uint64
	at       time.Time
}

// written is an Event as it is being written: its fields are Event's, in the same order.
type written struct {
	Event
	Outcome outcome `json:"outcome"`
}

// record appends the event with this outcome to the books and applies it.
func (t *turn) record(why string, came outcome) error {
	event := Event{
		Sequence: t.last.sequence + 1, At: t.at, Who: t.request.Who, Where: t.request.Where, Why: why, What: came.what(),
	}
	if err := t.put(eventKey(event.Sequence), &written{event, came}); err != nil {
		return err
	}
	t.last = last{event.Sequence, event.At}
	return t.enter(&event, came)
}

// enter applies an event's outcome and takes it as the newest.
func (s *state) enter(event *Event, came outcome) error {
	if err := came.apply(s, event); err != nil {
		return fmt.Errorf("event %d, %s: %w", event.Sequence, event.What, err)
	}
	text := binary.BigEndian.AppendUint64(nil, event.Sequence)
	s.view.Put([]byte(prefixLast), binary.BigEndian.AppendUint64(text, uint64(event.At.UnixMilli())))
	return nil
}

// loadLast returns the newest event's sequence and time; zero in empty books.
func loadLast(view kv.Reader) (last, error) {
	text, err := view.Get([]byte(prefixLast))
	switch {
	case errors.Is(err, kv.ErrNotFound):
		return last{}, nil
	case err != nil:
		return last{}, fmt.Errorf("reading the last event: %w", err)
	case len(text) != 16:
		return last{}, fmt.Errorf("%w: the last event's record has %d bytes", ErrBooks, len(text))
	}
	return last{
		sequence: binary.BigEndian.Uint64(text),
		at:       time.UnixMilli(int64(binary.BigEndian.Uint64(text[8:]))),
	}, nil
}
