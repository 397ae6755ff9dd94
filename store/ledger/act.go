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
