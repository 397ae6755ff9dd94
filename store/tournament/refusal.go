package tournament

import (
	"fmt"
	"time"
)

// Reason is why an act was refused. Each is distinct, so that whoever asked can say what to do next; what a person reads
// comes from the phrases, by Reason.
type Reason string

// The reasons. The first group shares one screen before players, 'Please see a host' (rules.md, 'What a player is told').
const (
	// Excluded: under a Refusal of Entry order, self-excluded or in an excluded category (clause 2).
	Excluded Reason = "excluded"
	// Connected: barred as a connected person (clause 3), by the list or by the person's own declaration.
	Connected Reason = "connected"
	// UnderAge: below the minimum age now or on the day of the heat (clause 1).
	UnderAge Reason = "under-age"
	// AgeUnknown: the document does not settle the birth date (clause 1).
	AgeUnknown Reason = "age-unknown"
	// PossibleMatch: name and birth date match an exclusion, the number does not; a host clears or confirms (clause 2).
	PossibleMatch Reason = "possible-match"
	// Mismatch: card and document belong to two people (clause 4).
	Mismatch Reason = "mismatch"
	// Unverified: the identity behind the card was never verified, and no document was given (clause 4).
	Unverified Reason = "unverified"
	// Disqualified: barred from the tournament by a decision.
	Disqualified Reason = "disqualified"

	// DocumentExpired: the document is past its expiry.
	DocumentExpired Reason = "document-expired"
	// DocumentNeeded: the card alone is not enough; scan a document (clause 4).
	DocumentNeeded Reason = "document-needed"
	// UnknownCard: no member has this card; an identity document alone is enough (clause 4).
	UnknownCard Reason = "unknown-card"
	// UnknownPerson: the books know no such person.
	UnknownPerson Reason = "unknown-person"
	// NoEntries: the person has no unused entry.
	NoEntries Reason = "no-entries"
	// WindowOver: there are unused entries, but none whose window holds the heat's start (clauses 5 to 8).
	WindowOver Reason = "window-over"
	// HeatFull: no machine of the heat is free (clause 11).
	HeatFull Reason = "heat-full"
	// NoFreeSeat: no heat inside the window has a free seat; said before money is taken (clauses 5 to 8).
	NoFreeSeat Reason = "no-free-seat"
	// NotOpen: registration for the heat has not opened (clause 11).
	NotOpen Reason = "not-open"
	// Closed: registration for the heat has closed (clause 11).
	Closed Reason = "closed"
	// UnknownHeat: there is no such heat.
	UnknownHeat Reason = "unknown-heat"
	// HeatGone: the heat was cancelled or is over (clause 10).
	HeatGone Reason = "heat-gone"
	// AlreadySeated: the person holds a seat in this qualifying heat (clause 16).
	AlreadySeated Reason = "already-seated"
	// BoughtTooLate: the entry was bought after the heat's registration closed (clause 9).
	BoughtTooLate Reason = "bought-too-late"
	// NotAccepted: the rules, or the version in force, were not accepted (clause 25).
	NotAccepted Reason = "rules-not-accepted"
	// NotDeclared: the declaration of clause 3 was not made.
	NotDeclared Reason = "not-declared"

	// UnknownReceipt: no purchase has this receipt number, or its check symbol is wrong.
	UnknownReceipt Reason = "unknown-receipt"
	// ReceiptOwned: the purchase already has an owner.
	ReceiptOwned Reason = "receipt-owned"
	// UnknownPackage, CashOnly and MembersOnly refuse a purchase (clause 6).
	UnknownPackage Reason = "unknown-package"
	// CashOnly: packages are sold for cash only.
	CashOnly Reason = "cash-only"
	// MembersOnly: casino credit needs Rewards membership.
	MembersOnly Reason = "members-only"
	// UnknownTicket: no copy has this ticket number.
	UnknownTicket Reason = "unknown-ticket"
	// ReprintUsed: the player's own reprint was used; a host decides on another (design decision 5).
	ReprintUsed Reason = "reprint-used"
	// NotReprintable: the last copy was printed or is being printed, or the seat is no longer issued.
	NotReprintable Reason = "not-reprintable"

	// KeyReused: the request key was used with another body; KeySettled: it lies below what was settled (decision 3).
	KeyReused Reason = "key-reused"
	// KeySettled: the key is below what its owner said was settled.
	KeySettled Reason = "key-settled"
	// ClockSuspect: central's clock is impossible and it writes nothing (design decision 9).
	ClockSuspect Reason = "clock-suspect"

	// CodeUnknown: central gave no such enrolment code, or it was replaced by another.
	CodeUnknown Reason = "code-unknown"
	// CodeExpired, CodeUsed and CodeSpent: the code's time is over; it has enrolled a kiosk; there were too many false tries.
	CodeExpired Reason = "code-expired"
	// CodeUsed: see CodeExpired.
	CodeUsed Reason = "code-used"
	// CodeSpent: see CodeExpired.
	CodeSpent Reason = "code-spent"
	// NotEnrolled: central does not know this kiosk, or knows another by its name.
	NotEnrolled Reason = "not-enrolled"
	// KioskRevoked: an operator took the kiosk's right to speak; KioskRetired: it is out of use for good.
	KioskRevoked Reason = "kiosk-revoked"
	// KioskRetired: see KioskRevoked.
	KioskRetired Reason = "kiosk-retired"
	// KioskCloned: two live kiosks had one identity; both are refused until one is enrolled anew.
	KioskCloned Reason = "kiosk-cloned"
	// ApprovalNeeded: central gives no keys after this start until a technician approves (design decision 6).
	ApprovalNeeded Reason = "approval-needed"
	// CertificateExpired: the certificate was not renewed in time; the kiosk has to be enrolled anew.
	CertificateExpired Reason = "certificate-expired"
	// NotAllowed: the role of the caller's certificate does not allow this call, or the request names another kiosk.
	NotAllowed Reason = "not-allowed"
)

// clauses says on which clause each reason rests; a reason without one rests on how the product works, not on the rules.
var clauses = map[Reason]int{
	UnderAge: 1, AgeUnknown: 1,
	Excluded: 2, PossibleMatch: 2, Disqualified: 2,
	Connected: 3, NotDeclared: 3,
	Mismatch: 4, Unverified: 4, DocumentNeeded: 4, DocumentExpired: 4, UnknownCard: 4,
	NoEntries: 5, WindowOver: 5, NoFreeSeat: 5, UnknownReceipt: 5, ReceiptOwned: 5,
	UnknownPackage: 6, CashOnly: 6, MembersOnly: 6,
	BoughtTooLate: 9, HeatGone: 10, HeatFull: 11, NotOpen: 11, Closed: 11,
	AlreadySeated: 16, NotAccepted: 25,
	HeatHeld: 10, HeatsOverlap: 11,
	WrongHeat: 12, VoidCopy: 12, CheckedInTwice: 12, NotHolder: 12, HolderUnseen: 12, NotCheckedIn: 12,
	HeatStarted: 22, StartsLater: 22, SeatsUnmarked: 22, SeatForfeit: 22, EntryUsed: 5,
	StageOpen: 14, ListDeclared: 14, ListNotDeclared: 14, UnknownPlace: 14, TiesOpen: 19, WrongCards: 19,
	NoExtraSeat: 16, ProxyPlays: 16, ProxyServes: 16, PrizeBelow: 15,
}

// Clause returns the clause that a reason rests on, 0 where none does.
func (r Reason) Clause() int { return clauses[r] }

// Refuse returns the refusal for a reason, with its clause.
func (r Reason) Refuse() *Refusal { return Refuse(r, r.Clause()) }

// SeesHost reports whether a player is told nothing but 'Please see a host' (rules.md).
func (r Reason) SeesHost() bool {
	switch r {
	case Excluded, Connected, UnderAge, AgeUnknown, PossibleMatch, Mismatch, Unverified, Disqualified:
		return true
	}
	return false
}

// Distrusts reports whether central refused whoever asked, and not what was asked: the same request may be allowed once the
// kiosk is enrolled, approved or let in again.
func (r Reason) Distrusts() bool {
	switch r {
	case NotEnrolled, KioskRevoked, KioskRetired, KioskCloned, ApprovalNeeded, CertificateExpired, NotAllowed:
		return true
	}
	return false
}

// Refusal is the error of an act that the rules do not allow. Nothing was changed, but for a case that it may have opened.
type Refusal struct {
	// Reason says why.
	Reason Reason
	// Clause is the clause that it rests on, 0 where none does.
	Clause int
	// Until is the moment that matters, where one does: the end of a window, the closing of registration.
	Until time.Time
}

// Refuse returns a refusal as another program told it, with the clause it named. Who decides calls Reason.Refuse.
func Refuse(reason Reason, clause int) *Refusal { return &Refusal{Reason: reason, Clause: clause} }

// At returns the refusal with the moment that matters.
func (r *Refusal) At(moment time.Time) *Refusal {
	r.Until = moment
	return r
}

// Error names the reason and the clause; it is for logs, never for a player's screen.
func (r *Refusal) Error() string {
	if r.Clause == 0 {
		return "refused: " + string(r.Reason)
	}
	return fmt.Sprintf("refused: %s (clause %d)", r.Reason, r.Clause)
}
