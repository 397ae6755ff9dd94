package tournament

// The reasons that come up at the desk while hosts run the day.
const (
	// HeatHeld: a host holds the heat; nobody is registered for it until it goes on.
	HeatHeld Reason = "heat-held"
	// HeatStarted: the heat has started, and what was asked for had to be done before (clause 22).
	HeatStarted Reason = "heat-started"
	// HeatNotStarted: the heat has not started, and what was asked for comes after that.
	HeatNotStarted Reason = "heat-not-started"
	// StartsLater: a heat is not started before its time, since those who come in time would forfeit (clause 22).
	StartsLater Reason = "starts-later"
	// HeatsOverlap: another heat holds the machines at that time (clause 11).
	HeatsOverlap Reason = "heats-overlap"
	// SeatsUnmarked: a seat that is not checked in was marked neither present nor absent (clause 22).
	SeatsUnmarked Reason = "seats-unmarked"

	// WrongHeat: the ticket is for another heat than the one that is checked in.
	WrongHeat Reason = "wrong-heat"
	// VoidCopy: the ticket was printed again, and this copy is void.
	VoidCopy Reason = "void-copy"
	// CheckedInTwice: somebody is checked in on this seat already.
	CheckedInTwice Reason = "checked-in-twice"
	// NotHolder: the seat is another person's (clause 12: no substitution).
	NotHolder Reason = "not-holder"
	// HolderUnseen: the holder was identified neither by a document nor by a host's eyes (clause 12).
	HolderUnseen Reason = "holder-unseen"
	// SeatVoidNow: the seat is void, and its ticket admits nobody.
	SeatVoidNow Reason = "seat-void"
	// SeatForfeit: the holder was absent at the start (clause 22).
	SeatForfeit Reason = "seat-forfeited"
	// SeatOver: the seat was played, broke down or was never to be played: what was asked for comes too late.
	SeatOver Reason = "seat-over"
	// UnknownSeat: the books have no such seat.
	UnknownSeat Reason = "unknown-seat"
	// UndoOver: the time in which the act could be undone is over.
	UndoOver Reason = "undo-over"

	// NotCheckedIn: the seat was never checked in; a score for it is a case.
	NotCheckedIn Reason = "not-checked-in"
	// ScoreStands: the seat has its score; only a decision corrects it.
	ScoreStands Reason = "score-stands"
	// ScoreDiffers: the second typing of the score differs from the first.
	ScoreDiffers Reason = "score-differs"
	// SecondNeeded: a second operator, another than the first, has to do it.
	SecondNeeded Reason = "second-operator-needed"

	// EntryUsed: the entry is not unused, so that it can be neither refunded nor reversed.
	EntryUsed Reason = "entry-used"
	// EntryNotHeld: the entry waits for no decision.
	EntryNotHeld Reason = "entry-not-held"
	// UnknownEntry and UnknownPurchase: the books have no such entry or purchase.
	UnknownEntry Reason = "unknown-entry"
	// UnknownPurchase: see UnknownEntry.
	UnknownPurchase Reason = "unknown-purchase"
	// UnknownRefund: nobody authorised such a refund. RefundPaid: it was paid.
	UnknownRefund Reason = "unknown-refund"
	// RefundPaid: see UnknownRefund.
	RefundPaid Reason = "refund-paid"
	// UnknownExclusion: the books have no such paper. ExclusionLifted: it was lifted before.
	UnknownExclusion Reason = "unknown-exclusion"
	// ExclusionLifted: see UnknownExclusion.
	ExclusionLifted Reason = "exclusion-lifted"
)

// The reasons that come up between the stages.
const (
	// StageOpen: heats of the stage are still to be played, or scores missing (clauses 13, 14 and 17).
	StageOpen Reason = "stage-not-over"
	// TiesOpen: a tie that decides something is not resolved by cards (clause 19).
	TiesOpen Reason = "ties-open"
	// WrongCards: the cards are not one for each tied score, from one set, without replacement (clause 19).
	WrongCards Reason = "wrong-cards"
	// ListDeclared: the list was declared, and changes by cases only. ListNotDeclared: it has to be declared first (clause 14).
	ListDeclared Reason = "list-declared"
	// ListNotDeclared: see ListDeclared.
	ListNotDeclared Reason = "list-not-declared"
	// UnknownPlace: the declared list has no such place, or it was struck off.
	UnknownPlace Reason = "unknown-place"
	// SeatsDrawn: the seats were drawn, once and for all. NotCommitted: the draw has to begin with its commitment.
	SeatsDrawn Reason = "seats-drawn"
	// NotCommitted: see SeatsDrawn.
	NotCommitted Reason = "not-committed"
	// TooFewSeats: the stage's heats have fewer seats than places.
	TooFewSeats Reason = "too-few-seats"

	// NoExtraSeat: the player has no other seat in that heat, and plays himself (clause 16).
	NoExtraSeat Reason = "no-extra-seat"
	// ProxyPlays: the proxy is a participant of the stage himself. ProxyServes: he serves another seat in that heat.
	ProxyPlays Reason = "proxy-plays"
	// ProxyServes: see ProxyPlays.
	ProxyServes Reason = "proxy-serves-another"

	// PrizeHanded: the prize was handed out. PrizeBelow: it is below the advertised minimum (clause 15).
	PrizeHanded Reason = "prize-handed"
	// PrizeBelow: see PrizeHanded.
	PrizeBelow Reason = "prize-below-minimum"
	// FICANeeded: a prize of that value needs the full identification (Financial Intelligence Centre Act).
	FICANeeded Reason = "fica-needed"
)

// The reasons that concern the staff.
const (
	// UnknownOperator: the books have no operator of that name. WrongPIN: the PIN is another.
	UnknownOperator Reason = "unknown-operator"
	// WrongPIN: see UnknownOperator.
	WrongPIN Reason = "wrong-pin"
	// OperatorLocked: too many wrong PINs; Until says for how long.
	OperatorLocked Reason = "operator-locked"
	// NotSignedIn: the operator is not signed in at that desk.
	NotSignedIn Reason = "not-signed-in"
	// PINNeeded: the decision needs the director's own PIN at this moment.
	PINNeeded Reason = "pin-needed"
	// RoleNeeded: the operator does not have the role that the act needs.
	RoleNeeded Reason = "role-needed"
)
