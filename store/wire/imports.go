package wire

import (
	"time"

	"reelkiosk/store/tournament"
)

// An import is staged in chunks and takes effect at once, whole, or not at all:
//
//	POST /v1/imports                 Import            -> Staged (id)
//	POST /v1/imports/{id}/rows       Rows              -> Staged, or a ProblemRows
//	POST /v1/imports/{id}/commit                       -> ImportDone, or a ProblemRows
//	DELETE /v1/imports/{id}                            gives it up
//
// A ProblemRows lists every faulty line of what was sent; after one the rest may still be sent, to hear what is wrong with
// it, but the import cannot be committed. An import that is not gone on with is dropped, and so is every one when central
// stops: it is simply sent again.
//
// Rows of a file that was imported before change nothing: they are known by their natural key (member number, exclusion
// reference, purchase number). A row that differs from the stored one replaces it, where that is allowed.

// Import is the body that opens an import.
type Import struct {
	Kind ImportKind `json:"kind" enum:"members,exclusions,purchases"`
	// Hash is the SHA-256 of the whole file in hexadecimal; Name is the file's name, for the record.
	Hash string `json:"hash" pattern:"^[0-9a-f]{64}$"`
	Name string `json:"name" maxLength:"255"`
	// Operator is who imports it.
	Operator string `json:"operator" minLength:"1" maxLength:"100"`
}

// ImportKind is what the rows of an import are.
type ImportKind string

// The kinds of imports.
const (
	ImportMembers    ImportKind = "members"
	ImportExclusions ImportKind = "exclusions"
	ImportPurchases  ImportKind = "purchases"
)

// Staged answers a step of an import.
type Staged struct {
	ID   string `json:"id"`
	Rows int    `json:"rows"`
}

// Rows are some lines of the file; only the list of the import's kind is filled.
type Rows struct {
	// After is how many rows were sent before these, so that rows whose answer was lost may be sent again.
	After      int              `json:"after" minimum:"0"`
	Members    []Member         `json:"members,omitempty"`
	Exclusions []Exclusion      `json:"exclusions,omitempty"`
	Purchases  []PurchaseRecord `json:"purchases,omitempty"`
}

// Member is a Rewards member.
type Member struct {
	Line int `json:"line"`
	// Number is the member number, the natural key; Cards are the numbers, tags or UIDs of the cards.
	Number    string          `json:"number"`
	Cards     []string        `json:"cards"`
	Surname   string          `json:"surname"`
	Given     string          `json:"given_names"`
	IDNumber  string          `json:"id_number,omitempty"`
	Passport  string          `json:"passport,omitempty"`
	Issuer    string          `json:"issuer,omitempty"`
	BirthDate tournament.Date `json:"birth_date,omitzero"`
	Verified  bool            `json:"verified"`
}

// Exclusion is an entry of the exclusion list (clauses 2 and 3).
type Exclusion struct {
	Line int `json:"line"`
	// Reference is the paper's reference, the natural key.
	Reference string          `json:"reference"`
	Kind      string          `json:"kind" enum:"refusal-of-entry,self-excluded,category,connected"`
	Surname   string          `json:"surname,omitempty"`
	Given     string          `json:"given_names,omitempty"`
	BirthDate tournament.Date `json:"birth_date,omitzero"`
	IDNumber  string          `json:"id_number,omitempty"`
	Passport  string          `json:"passport,omitempty"`
	Issuer    string          `json:"issuer,omitempty"`
	Card      string          `json:"card,omitempty"`
	From      tournament.Date `json:"from"`
}

// PurchaseRecord is a purchase made at a cash register of another make.
type PurchaseRecord struct {
	Line int `json:"line"`
	// Number is the register's own number, the natural key.
	Number   string               `json:"number"`
	Kind     tournament.EntryKind `json:"kind"`
	Package  string               `json:"package,omitempty"`
	Seats    int                  `json:"seats"`
	At       time.Time            `json:"at"`
	Card     string               `json:"card,omitempty"`
	IDNumber string               `json:"id_number,omitempty"`
	Passport string               `json:"passport,omitempty"`
	Issuer   string               `json:"issuer,omitempty"`
	Operator string               `json:"operator,omitempty"`
}

// RowProblem says what is wrong with one line.
type RowProblem struct {
	Line   int    `json:"line"`
	Column string `json:"column,omitempty"`
	Reason string `json:"reason"`
}

// ImportDone answers the commit of an import.
type ImportDone struct {
	Added     int `json:"added"`
	Changed   int `json:"changed"`
	Unchanged int `json:"unchanged"`
}

// Len returns the number of rows.
func (r Rows) Len() int { return len(r.Members) + len(r.Exclusions) + len(r.Purchases) }
