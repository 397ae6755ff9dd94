package wire

import (
	"time"

	"reelkiosk/store/tournament"
)

// The paths of grants and homes (design decision 4). All of them take a key.
const (
	PathGrants      = "/v1/grants"
	PathGivenBack   = "/v1/grants/given-back"
	PathGrantsEnded = "/v1/grants/ended"
	PathLetGo       = "/v1/people/let-go"
	PathOverrides   = "/v1/people/overrides"
	PathSeatReports = "/v1/seat-reports"
)

// AskGrant is the body of POST /v1/grants: a kiosk asks for what it may give while it is cut off, or for a longer time.
// Whatever it holds stays granted.
type AskGrant struct {
	Kiosk string `json:"kiosk" minLength:"1" maxLength:"100"`
	Holds uint64 `json:"holds" doc:"the lowest grant that it may still use or of which a seat is unreported; 0 is none"`
}

// Grant answers AskGrant: all that the kiosk may give.
type Grant struct {
	// Number counts the kiosk's grants from 1.
	Number uint64 `json:"number"`
	// List is the version of the list of homes that says whose home the kiosk is; those of whom another kiosk is the home
	// by Others are not among them.
	List   uint64      `json:"list"`
	Others []Elsewhere `json:"others,omitempty"`
	// Position is the event that the kiosk's copy must have applied before it uses the grant.
	Position uint64 `json:"position"`
	// Lives is how long it may be used, counted from the sending of the request for it.
	Lives  int     `json:"lives_seconds"`
	Blocks []Block `json:"blocks"`
	// Back are tickets among them that the kiosk is asked to give back, unless it has used them: other kiosks are to have
	// their share.
	Back []tournament.TicketNumber `json:"back,omitempty"`
}

// Elsewhere is another kiosk that may still use an earlier list of homes.
type Elsewhere struct {
	Kiosk string `json:"kiosk"`
	List  uint64 `json:"list"`
}

// Block is what is granted of a heat, in the order in which machines are given out.
type Block struct {
	Heat  tournament.HeatID `json:"heat"`
	Seats []GrantedSeat     `json:"seats"`
}

// GrantedSeat is a machine of a heat with the number of the only ticket that may be printed for it.
type GrantedSeat struct {
	Machine int                     `json:"machine"`
	Ticket  tournament.TicketNumber `json:"ticket"`
}

// GiveBack is the body of POST /v1/grants/given-back: machines that the kiosk has not given and, since before this was
// sent, never will. The answer is an Accepted.
type GiveBack struct {
	Kiosk   string                    `json:"kiosk" minLength:"1" maxLength:"100"`
	Tickets []tournament.TicketNumber `json:"tickets" maxItems:"20000"`
}

// EndGrants is the body of POST /v1/grants/ended: what was granted to a kiosk that is silent is central's again, by a
// decision (clause 23). The answer is an Accepted.
type EndGrants struct {
	Kiosk    string `json:"kiosk" minLength:"1" maxLength:"100"`
	Operator string `json:"operator" minLength:"1" maxLength:"100"`
	Why      string `json:"why" minLength:"1" maxLength:"500"`
}

// LetGo is the body of POST /v1/people/let-go: the player's home gives him nothing by itself until it has another grant.
// The answer is an Accepted.
type LetGo struct {
	Kiosk  string              `json:"kiosk" minLength:"1" maxLength:"100"`
	Person tournament.PersonID `json:"person" minLength:"1"`
}

// Override is the body of POST /v1/people/overrides: a host acts for a player whose home is silent (clause 23). The answer
// is an Accepted.
type Override struct {
	Person   tournament.PersonID `json:"person" minLength:"1"`
	Operator string              `json:"operator" minLength:"1" maxLength:"100"`
	Why      string              `json:"why" minLength:"1" maxLength:"500"`
}

// SeatReport is the body of POST /v1/seat-reports: a seat that a kiosk gave while it was cut off. It is a fact and is
// recorded whatever has happened since. The answer is an Accepted.
type SeatReport struct {
	Seat    tournament.SeatID       `json:"seat" minLength:"1"`
	Person  tournament.PersonID     `json:"person" minLength:"1"`
	Heat    tournament.HeatID       `json:"heat" minLength:"1"`
	Machine int                     `json:"machine" minimum:"1"`
	Entry   tournament.EntryID      `json:"entry" minLength:"1"`
	Ticket  tournament.TicketNumber `json:"ticket" minLength:"1"`
	Rules   string                  `json:"rules_hash" doc:"hash of the rules text that was accepted, clause 25"`
	By      string                  `json:"identified_by" enum:"card,document,both,host"`
	Kiosk   string                  `json:"kiosk" minLength:"1" maxLength:"100"`
	// What the kiosk went by: its time, the start it printed, its grant, and how far its copy was.
	Issued   time.Time `json:"issued"`
	Start    time.Time `json:"start"`
	Grant    uint64    `json:"grant"`
	Position uint64    `json:"position"`
}
