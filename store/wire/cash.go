package wire

import (
	"reelkiosk/store/tournament"
)

// The paths of the Cash Desk.
const (
	PathRefunds     = "/v1/refunds"
	PathRefundsPay  = "/v1/refunds/pay"
	PathReversals   = "/v1/purchases/reverse"
	PathCredits     = "/v1/purchases/credit-played"
	PathEntriesHeld = "/v1/entries/decide"
	PathSurplus     = "/v1/entries/give"
	PathCashLines   = "/v1/cash"
	PathReconcile   = "/v1/cash/day"
	PathExclude     = "/v1/exclusions"
	PathExcludeLift = "/v1/exclusions/lift"
)

// AuthoriseRefund is the body of POST /v1/refunds: the director decides that entries are refunded.
type AuthoriseRefund struct {
	Decision
	Entries []tournament.EntryID `json:"entries" minItems:"1" maxItems:"200"`
}

// Refund answers AuthoriseRefund and PayRefund.
type Refund struct {
	ID      string               `json:"id"`
	Entries []tournament.EntryID `json:"entries"`
	Amount  tournament.Money     `json:"amount"`
	Paid    bool                 `json:"paid"`
}

// PayRefund is the body of POST /v1/refunds/pay: the cashier pays what was authorised by somebody else.
type PayRefund struct {
	By
	Refund string `json:"refund" minLength:"1" maxLength:"100"`
}

// PurchaseDecision names a purchase, by its id or its receipt.
type PurchaseDecision struct {
	Decision
	Purchase tournament.PurchaseID `json:"purchase,omitempty"`
	Receipt  string                `json:"receipt,omitempty" doc:"instead of the id"`
}

// Reversed answers the reversal of a purchase.
type Reversed struct {
	Purchase tournament.PurchaseID `json:"purchase"`
	Amount   tournament.Money      `json:"amount" doc:"what the cashier gives back"`
}

// DecideEntries is the body of POST /v1/entries/decide: what becomes of entries that are held, or have expired. A refund is
// decided by POST /v1/refunds.
type DecideEntries struct {
	Decision
	Entries []tournament.EntryID  `json:"entries" minItems:"1" maxItems:"200"`
	To      tournament.EntryState `json:"to" enum:"unused,forfeited" doc:"unused: they may be played, and do not expire"`
}

// GiveEntries is the body of POST /v1/entries/give: surplus entries that management gives out (clause 15).
type GiveEntries struct {
	Decision
	Person tournament.PersonID `json:"person"`
	Seats  int                 `json:"seats" minimum:"1" maximum:"200"`
}

// Day answers GET /v1/cash/day?day=DAY: a gaming day's money by kind and cashier, and what the house owes.
type Day struct {
	Day   tournament.Date `json:"day"`
	Lines []DayLine       `json:"lines"`
	// Unused and Held are liabilities as the books stand now; Expired were never played and are none any more. Due are refunds
	// that were authorised and not paid.
	Unused  Owed `json:"unused"`
	Held    Owed `json:"held"`
	Expired Owed `json:"expired"`
	Due     Owed `json:"refunds_due"`
}

// DayLine is one kind of movement of one cashier.
type DayLine struct {
	Kind    string           `json:"kind" enum:"cash,card,package,complimentary,reversal,refund,prize"`
	Cashier string           `json:"cashier"`
	Count   int              `json:"count"`
	Seats   int              `json:"seats"`
	Amount  tournament.Money `json:"amount" doc:"what was taken; negative is what was paid out"`
}

// Owed is how many entries there are, and what they are worth.
type Owed struct {
	Entries int              `json:"entries"`
	Amount  tournament.Money `json:"amount"`
}

// Exclude is the body of POST /v1/exclusions: somebody is barred from now on, from a paper that was scanned or typed.
type Exclude struct {
	Decision
	Exclusion Exclusion `json:"exclusion"`
}

// LiftExclusion is the body of POST /v1/exclusions/lift: an exclusion ends, by a paper of its own.
type LiftExclusion struct {
	Decision
	Reference string `json:"reference" minLength:"1" maxLength:"500" doc:"of the exclusion"`
	Paper     string `json:"paper" minLength:"1" maxLength:"200" doc:"reference of the paper by which it ends"`
	// Reinstate also ends the disqualification of those whom it concerned; their held entries are decided one by one.
	Reinstate bool `json:"reinstate"`
}
