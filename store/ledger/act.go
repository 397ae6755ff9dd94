package ledger

import (
	"time"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// Act is something that can be asked of the books. The types of this file are all there are.
type Act interface {
	// decide reads the state through the turn, refuses or records events, and returns the answer.
	decide(t *turn) (any, error)
}

type (
	// Identify says who stands there; the answer is a wire.Person. A person met for the first time gets an id, and a
	// card and a document that belong to two people open a case; otherwise nothing changes.
	Identify wire.Identify
	// Register takes a seat; the answer is a wire.Seat.
	Register wire.Register
	// Purchase sells entries; the answer is a wire.Bought.
	Purchase wire.Purchase
	// Claim makes a purchase without a name its claimant's; the answer is a wire.Claimed.
	Claim wire.Claim
	// Reprint makes the next copy of a seat's ticket; the answer is a wire.Seat.
	Reprint wire.Reprint
	// PrintOutcome says what became of a copy; the answer is a wire.Accepted.
	PrintOutcome wire.PrintOutcome
	// Notice is what a kiosk tells; the answer is a wire.Accepted.
	Notice wire.Notice
	// MachineService takes a machine out of service or back; the answer is a wire.Accepted.
	MachineService wire.MachineService
)

// MoveHeat moves a heat to another time (clause 10); the answer is a wire.Accepted. Seats stay with the heat.
type MoveHeat struct {
	Heat  tournament.HeatID
	Start time.Time
	Why   string
}

// CancelHeat cancels a heat (clause 10); the answer is a wire.Accepted. Its seats are void, and their entries are free and
// do not expire.
type CancelHeat struct {
	Heat tournament.HeatID
	Why  string
}

// Resolve closes a case by a decision (clause 23); the answer is a wire.Accepted. To clear a possible match, or a player
// who had declared to be connected or was not sure, is remembered for the person.
type Resolve struct {
	Case tournament.CaseID
	// Clear says that nothing stands against the person after all.
	Clear bool
	Why   string
}

// UseList says that the exclusion list of that version, a file beside the books, is in use from now on; the answer is a
// wire.Accepted.
type UseList struct {
	Version uint64
	Detail  string
}

// Grants and homes (design decision 4).
type (
	// AskGrant gives a kiosk what it may give while it is cut off; the answer is a wire.Grant.
	AskGrant wire.AskGrant
	// GiveBack takes back what a kiosk has not given; the answer is a wire.Accepted.
	GiveBack wire.GiveBack
	// LetGo says that a kiosk gives a player nothing by itself until its next grant; the answer is a wire.Accepted.
	LetGo wire.LetGo
	// Override lets others act for a player whose home is silent (clause 23); the answer is a wire.Accepted.
	Override wire.Override
	// ReportSeat records a seat that a kiosk gave while it was cut off; the answer is a wire.Accepted.
	ReportSeat wire.SeatReport
)

// AskLetGo asks the kiosks that may give a player seats by themselves to let him go; the answer is a wire.Accepted.
type AskLetGo struct{ Person tournament.PersonID }

// EndGrants makes what was granted to a silent kiosk central's again (clause 23); the answer is a wire.Accepted.
type EndGrants struct {
	Kiosk, Why string
	// Heard is when central last heard of the kiosk, where it knows better than the books.
	Heard time.Time
}

// Imports take rows in chunks; all chunks of a file belong into one batch, so that the file takes effect whole or not at
// all. The answer is a wire.ImportDone. Rows that cannot be taken give a *RowsError that lists them.
type (
	// ImportMembers adds members, or replaces what is known of them, by member number.
	ImportMembers struct{ Rows []wire.Member }
	// ImportExclusions adds exclusions by reference, with their effects on people whom the books know.
	ImportExclusions struct{ Rows []wire.Exclusion }
	// ImportPurchases adds purchases made elsewhere, by the number that the other register gave them.
	ImportPurchases struct{ Rows []wire.PurchaseRecord }
)

// RowsError is the error of an import with rows that cannot be taken. Nothing was written.
type RowsError struct {
	Problems []wire.RowProblem
}

// Error says what is wrong with the first row, and how many there are.
func (e *RowsError) Error() string {
	if len(e.Problems) == 1 {
		return e.Problems[0].String()
	}
	return e.Problems[0].String() + " (and more)"
}
