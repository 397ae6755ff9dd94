// Package wire is what crosses the network between a kiosk, the desk, the operator's command line and central: the
// requests, the answers and the problems of the API under /v1, with their JSON.
//
// Both ends use these types, so that they cannot drift apart. Times are RFC 3339 with offset, in the tournament's zone;
// civil dates are YYYY-MM-DD; money is in cents with its currency beside it. A refusal by the rules is a problem (RFC
// 9457) whose type is ProblemBase followed by the tournament.Reason.
//
// A request that changes the books carries a key (design decision 3): HeaderKey holds the enrolment of the sender and a
// sequence number as "ENROLMENT/17", made and persisted before the request is sent. The same key with the same body gets
// the first answer; HeaderSettled says below which sequence the sender has settled all.
package wire

import (
	"time"

	"reelkiosk/store/tournament"
)

// Headers of the API.
const (
	// HeaderCentral stands on every answer that central itself gives, with its version. What comes without it is from
	// somebody else (a proxy, a captive portal) and never an answer.
	HeaderCentral = "Reelkiosk-Central"
	// HeaderKey carries the request's key, "ENROLMENT/SEQUENCE".
	HeaderKey = "Reelkiosk-Key"
	// HeaderSettled carries the sequence below which the sender needs no answer any more.
	HeaderSettled = "Reelkiosk-Settled"
)

// Tournament answers GET /v1/tournament: what a kiosk has to know to greet.
type Tournament struct {
	ID              string           `json:"id"`
	Name            string           `json:"name"`
	Property        string           `json:"property"`
	Zone            string           `json:"zone" doc:"IANA name of the time zone in which heats start"`
	First           tournament.Date  `json:"first"`
	Last            tournament.Date  `json:"last"`
	MinAge          int              `json:"min_age"`
	SeatPrice       tournament.Money `json:"seat_price"`
	OpensBefore     int              `json:"opens_before_seconds"`
	ClosesBefore    int              `json:"closes_before_seconds"`
	Rules           RulesText        `json:"rules"`
	ServerTime      time.Time        `json:"server_time"`
	CardSuffices    string           `json:"card_suffices" enum:"verified,never"`
	GamingDayStarts int              `json:"gaming_day_starts_minutes"`
}

// RulesText is the published text that a player accepts (clause 25).
type RulesText struct {
	Version int    `json:"version"`
	Hash    string `json:"hash" doc:"SHA-256 of the text in hexadecimal"`
	Body    string `json:"body"`
}

// Heat is one heat with its fill, in GET /v1/heats.
type Heat struct {
	ID       tournament.HeatID    `json:"id"`
	Stage    tournament.StageKind `json:"stage"`
	Day      tournament.Date      `json:"day"`
	Number   int                  `json:"number"`
	Start    time.Time            `json:"start"`
	Opens    time.Time            `json:"opens"`
	Closes   time.Time            `json:"closes"`
	Size     int                  `json:"size" doc:"seats in service"`
	Free     int                  `json:"free" doc:"seats still free"`
	State    string               `json:"state" enum:"scheduled,held,called,started,finished,cancelled"`
	Place    string               `json:"place" doc:"where its machines stand"`
	Machines [2]int               `json:"machines" doc:"lowest and highest machine number"`
}

// Heats answers GET /v1/heats?from=TIME&limit=N: heats that start at or after from, in order.
type Heats struct {
	Heats      []Heat    `json:"heats"`
	ServerTime time.Time `json:"server_time"`
}

// Document is what a kiosk read from an identity document and central needs to decide.
type Document struct {
	Kind      string          `json:"kind" doc:"sa-id-book, sa-smart-id, sa-driving-licence, passport, id-card, foreign-licence or typed"`
	IDNumber  string          `json:"id_number,omitempty" doc:"South African identity number"`
	Number    string          `json:"number,omitempty" doc:"passport or card number where there is no identity number"`
	Issuer    string          `json:"issuer,omitempty" doc:"ICAO or ISO code of the issuing state"`
	Surname   string          `json:"surname,omitempty"`
	Given     string          `json:"given_names,omitempty"`
	BirthDate tournament.Date `json:"birth_date,omitzero"`
	Expiry    tournament.Date `json:"expiry,omitzero"`
}

// Identify is the body of POST /v1/people/identify: a card, a document, or both. It changes nothing but that a person
// met for the first time gets an id, and so needs no key.
type Identify struct {
	Card     string    `json:"card,omitempty" doc:"the club card's number"`
	Document *Document `json:"document,omitempty"`
	// Both says that the house wants a card and a document of one person: a card that is nobody's is a mismatch then.
	Both  bool   `json:"both,omitempty" doc:"card and document must be of one person"`
	Kiosk string `json:"kiosk"`
}

// Person answers Identify: who it is and what is left to play. Where the person may not take part, or something is
// missing, the answer is a Problem instead, and says no name.
type Person struct {
	ID          tournament.PersonID `json:"id"`
	FirstName   string              `json:"first_name"`
	MaskedName  string              `json:"masked_name" doc:"initials and stars, as on the ticket"`
	MaskedCard  string              `json:"masked_card,omitempty"`
	Entries     []Entry             `json:"entries" doc:"unused entries, the one whose window ends first first"`
	Expired     int                 `json:"expired" doc:"unused entries whose window is over"`
	Seats       []Seat              `json:"seats" doc:"seats of heats that have not started"`
	Unconfirmed []Seat              `json:"unconfirmed,omitempty" doc:"seats whose last copy is unconfirmed and may be printed again by the player"`
}

// Entry is an unused entry of a person.
type Entry struct {
	ID   tournament.EntryID   `json:"id"`
	Kind tournament.EntryKind `json:"kind"`
	Ends time.Time            `json:"ends" doc:"end of its window, not included"`
	// Heats are the heats, of those now open, that this entry may be used for and in which the person has no seat.
	Bought time.Time `json:"bought"`
}

// Register is the body of POST /v1/registrations: one seat in one heat.
type Register struct {
	Person   tournament.PersonID `json:"person"`
	Heat     tournament.HeatID   `json:"heat"`
	Kiosk    string              `json:"kiosk"`
	Rules    string              `json:"rules_hash" doc:"hash of the rules text that was accepted, clause 25"`
	Declared bool                `json:"declared" doc:"the person declared not to be connected, clause 3"`
	// By says how the person was identified, for the record.
	By string `json:"identified_by" enum:"card,document,both,host"`
}

// Seat is a seat with the copy of its ticket to be printed, in the answer to Register and Reprint and in lists.
type Seat struct {
	ID      tournament.SeatID    `json:"id"`
	Heat    tournament.HeatID    `json:"heat"`
	Number  int                  `json:"heat_number"`
	Start   time.Time            `json:"start"`
	Machine int                  `json:"machine"`
	Place   string               `json:"place"`
	State   tournament.SeatState `json:"state"`
	Entry   tournament.EntryID   `json:"entry"`
	// EntryIndex of EntryCount is which of the purchase's entries it uses, from 1.
	EntryIndex int       `json:"entry_index"`
	EntryCount int       `json:"entry_count"`
	EntryEnds  time.Time `json:"entry_ends"`
	// Ticket is the number of the copy, 17 symbols, and Copy counts copies from 1.
	Ticket    string               `json:"ticket"`
	Copy      int                  `json:"copy"`
	CopyState tournament.CopyState `json:"copy_state"`
	Rules     string               `json:"rules_hash"`
	Issued    time.Time            `json:"issued"`
	// Person and Kiosk are filled in lists for operators.
	Person tournament.PersonID `json:"person,omitempty"`
	Kiosk  string              `json:"kiosk,omitempty"`
	// Proxy plays the seat for the person (clause 16); Disqualified says that the holder was, from this seat.
	Proxy        tournament.PersonID `json:"proxy,omitempty"`
	Disqualified bool                `json:"disqualified,omitempty"`
}

// PrintOutcome is the body of POST /v1/prints: what became of a copy.
type PrintOutcome struct {
	Ticket string `json:"ticket"`
	// State is printed, unconfirmed or lost (never started).
	State  tournament.CopyState `json:"state" enum:"printed,unconfirmed,lost"`
	Reason string               `json:"reason,omitempty" doc:"what the printer said, in the printer's words"`
	Kiosk  string               `json:"kiosk"`
}

// Reprint is the body of POST /v1/reprints: the player's own second printing of an unconfirmed copy, once.
type Reprint struct {
	Person tournament.PersonID `json:"person"`
	Seat   tournament.SeatID   `json:"seat"`
	Kiosk  string              `json:"kiosk"`
}

// Purchase is the body of POST /v1/purchases, for the Cash Desk. Card and Document name the player; with neither, the
// receipt's number is the only claim to it.
type Purchase struct {
	Kind     tournament.EntryKind `json:"kind" enum:"cash,card,package,complimentary"`
	Package  string               `json:"package,omitempty"`
	Seats    int                  `json:"seats,omitempty" doc:"seats bought by buy-in; a package says its own"`
	Card     string               `json:"card,omitempty"`
	Document *Document            `json:"document,omitempty"`
	Operator string               `json:"operator"`
	Desk     string               `json:"desk"`
	// External is the number that a cash register of another make gave it, its natural key.
	External string `json:"external,omitempty"`
}

// Bought answers Purchase.
type Bought struct {
	ID       tournament.PurchaseID `json:"id"`
	Receipt  string                `json:"receipt" doc:"17 symbols, with a check symbol"`
	Entries  []Entry               `json:"entries"`
	Amount   tournament.Money      `json:"amount"`
	Credit   tournament.Money      `json:"credit" doc:"casino-credit part of a package, members only"`
	Person   tournament.PersonID   `json:"person,omitempty"`
	Property string                `json:"property"`
	At       time.Time             `json:"at"`
}

// Claim is the body of POST /v1/claims: an identified person scans the receipt of a purchase without a name.
type Claim struct {
	Person  tournament.PersonID `json:"person"`
	Receipt string              `json:"receipt"`
	Kiosk   string              `json:"kiosk"`
}

// Claimed answers Claim with the person's entries after it.
type Claimed struct {
	Entries []Entry `json:"entries"`
}

// Notice is the body of POST /v1/notices: what a kiosk tells that is no act of the books.
type Notice struct {
	Kind   NoticeKind          `json:"kind" enum:"help,abandoned,fault,declared-connected"`
	Kiosk  string              `json:"kiosk"`
	At     time.Time           `json:"at"`
	Screen string              `json:"screen,omitempty"`
	Detail string              `json:"detail,omitempty" doc:"never a name or a number of a person"`
	Person tournament.PersonID `json:"person,omitempty"`
}

// NoticeKind is the kind of a Notice.
type NoticeKind string

// The kinds of notices.
const (
	// HelpCalled: a player touched 'Help'.
	HelpCalled NoticeKind = "help"
	// VisitAbandoned: nobody answered 'still there?'.
	VisitAbandoned NoticeKind = "abandoned"
	// Fault: a device or the kiosk itself is out of order, or well again.
	Fault NoticeKind = "fault"
	// DeclaredConnected: the person did not declare to be unconnected, or was not sure (clause 3).
	DeclaredConnected NoticeKind = "declared-connected"
	// ClockConfirmed: an operator looked at central's clock after it was suspect, and it is right (design decision 9).
	ClockConfirmed NoticeKind = "clock-confirmed"
	// ExclusionsListed: a long list of exclusions was imported as a file of its own; Detail names it.
	ExclusionsListed NoticeKind = "exclusions-listed"
	// DefinitionChanged: the books go by another definition from now on; Detail has the hashes of both.
	DefinitionChanged NoticeKind = "definition-changed"
)

// Accepted answers a request that has nothing else to say.
type Accepted struct {
	// Sequence is that of the event in the books.
	Sequence uint64 `json:"sequence"`
}

// Case is something that a person has to decide, in GET /v1/cases.
type Case struct {
	ID     tournament.CaseID   `json:"id"`
	Kind   string              `json:"kind"`
	Opened time.Time           `json:"opened"`
	Person tournament.PersonID `json:"person,omitempty"`
	Detail string              `json:"detail"`
	Closed bool                `json:"closed"`
}

// Cases answers GET /v1/cases.
type Cases struct {
	Cases []Case `json:"cases"`
}

// Seats answers GET /v1/seats?heat=ID.
type Seats struct {
	Seats []Seat `json:"seats"`
}

// Health answers GET /v1/health.
type Health struct {
	Status     string    `json:"status" enum:"ok,suspect,stopping"`
	Version    string    `json:"version"`
	Sequence   uint64    `json:"sequence"`
	ServerTime time.Time `json:"server_time"`
}
