package ledger

import (
	"time"

	"reelkiosk/store/tournament"
)

// The records of the state, under the keys of keys.go, as JSON or, where registrations need them, as compact.go writes
// them: who adds a field to one of those adds it there too. Hashes of numbers stand here and never in
// an event; what is readable about a person is sealed.

// MemberID names a club member in the books; it says nothing of the member number.
type MemberID string

// person is one human. The identity lies apart, sealed, since most acts need no name.
type person struct {
	// Marks are the hashes of the numbers and cards by which an exclusion would name the person; Name are those of each name
	// with a birth date that the person was known by, by which it might.
	Marks hashes `json:"marks,omitempty"`
	Name  hashes `json:"name,omitempty"`
	// Adult says that the minimum age was reached when the birth date was last looked at; nobody grows younger. A person
	// without it is asked for it again at every act (clause 1).
	Adult bool `json:"adult,omitempty"`
	// Members are the verified memberships that joined the person (clause 4).
	Members []MemberID `json:"members,omitempty"`
	// Barred is why the person may not take part whatever the list says: Excluded or Connected while the tournament ran,
	// or the person's own declaration (clauses 2 and 3). Disqualified is a decision, or the effect of an exclusion.
	Barred       tournament.Reason `json:"barred,omitempty"`
	Disqualified bool              `json:"disqualified,omitempty"`
	// Cleared says that a host found a possible match by those names to be another person (clause 2).
	Cleared bool `json:"cleared,omitempty"`
}

// hashes are the bytes of several hashes, one after another.
type hashes []byte

// identity is what is known of a person, and is only ever stored sealed.
type identity struct {
	Surname  string          `json:"surname,omitempty"`
	Given    string          `json:"given,omitempty"`
	Born     tournament.Date `json:"born,omitzero"`
	IDNumber string          `json:"id_number,omitempty"`
	// Papers are documents with a number of their own.
	Papers []paper `json:"papers,omitempty"`
	// Cards are the cards of the memberships that joined.
	Cards []string `json:"cards,omitempty"`
}

// paper is a document that identifies by its own number and issuer.
type paper struct {
	// Kind is empty for a passport, and otherwise wire.Document's kind: the numbers of different kinds are different.
	Kind   string `json:"kind,omitempty"`
	Issuer string `json:"issuer"`
	Number string `json:"number"`
}

// member is a club member as last imported.
type member struct {
	// Sealed is the wire.Member, under the member's key.
	Sealed   []byte `json:"sealed"`
	Verified bool   `json:"verified,omitempty"`
	// Cards and Numbers are hashes.
	Cards   []string `json:"cards,omitempty"`
	Numbers []string `json:"numbers,omitempty"`
	// Person is whom a verified member joined.
	Person tournament.PersonID `json:"person,omitempty"`
}

// exclusionRecord is one paper by which somebody is barred.
type exclusionRecord struct {
	// ID names the key under which Sealed, the wire.Exclusion, lies.
	ID     string `json:"id"`
	Kind   string `json:"kind"`
	Sealed []byte `json:"sealed"`
	// Lifted is when it ended, by another paper.
	Lifted time.Time `json:"lifted,omitzero"`
}

// purchase is one Entry Purchase.
type purchase struct {
	Kind    tournament.EntryKind `json:"kind"`
	Package string               `json:"package,omitempty"`
	Amount  tournament.Money     `json:"amount"`
	// Credit is the casino-credit part; it must be played before Ends too (clauses 6 and 8).
	Credit tournament.Money     `json:"credit,omitzero"`
	Bought time.Time            `json:"bought"`
	Ends   time.Time            `json:"ends"`
	IDs    []tournament.EntryID `json:"entries"`
	// Buyer is who was named when it was sold, Owner whose it is; both are empty until an unnamed purchase is claimed.
	Buyer tournament.PersonID `json:"buyer,omitempty"`
	Owner tournament.PersonID `json:"owner,omitempty"`
	// Receipt is the receipt number, sealed under the purchase's key; empty where another register gave its own.
	Receipt  []byte `json:"receipt,omitempty"`
	External string `json:"external,omitempty"`
	// Refused are claimants who never get it, whatever becomes of them later.
	Refused map[tournament.PersonID]tournament.Reason `json:"refused,omitempty"`
	// By is who sold it; Reversed says that another operator took it back (clauses 5 to 8).
	By       string `json:"by,omitempty"`
	Reversed bool   `json:"reversed,omitempty"`
	// CreditPlayed is when its casino credit was (clauses 6 and 8).
	CreditPlayed time.Time `json:"credit_played,omitzero"`
}

// entry is one seat paid for.
type entry struct {
	Purchase tournament.PurchaseID `json:"purchase"`
	Person   tournament.PersonID   `json:"person,omitempty"`
	Kind     tournament.EntryKind  `json:"kind"`
	State    tournament.EntryState `json:"state"`
	Bought   time.Time             `json:"bought"`
	Ends     time.Time             `json:"ends"`
	Freed    bool                  `json:"freed,omitempty"`
	// Index of Count is which of its purchase's entries it is, from 1.
	Index int `json:"index"`
	Count int `json:"count"`
	// Seat is the seat it was last used for.
	Seat tournament.SeatID `json:"seat,omitempty"`
}

// heat is what became of a heat; without a record it is as the definition has it.
type heat struct {
	// Taken has a bit for the number of each machine that is taken.
	Taken bitset `json:"taken,omitempty"`
	// Start is the new start of a heat that was moved.
	Start     time.Time `json:"start,omitzero"`
	Cancelled bool      `json:"cancelled,omitempty"`
	// Granted has a bit for the number of each machine that is granted to a kiosk. Called says that kiosks were asked to give
	// theirs back, and get no others.
	Granted bitset `json:"granted,omitempty"`
	Called  bool   `json:"called,omitempty"`
	// Held says that a host holds it: nobody is registered. Phase is what hosts did with it, Run counts its starts, and Began
	// is the last of them (clauses 20 and 22).
	Held  bool      `json:"held,omitempty"`
	Phase phase     `json:"phase,omitempty"`
	Run   int       `json:"run,omitempty"`
	Began time.Time `json:"began,omitzero"`
	// Added is what the definition would say of a heat that was added (clause 10).
	Added added `json:"added,omitzero"`
}

// added is a heat that the definition does not have.
type added struct {
	Stage tournament.StageKind `json:"stage"`
	// Day is the gaming day, YYYY-MM-DD.
	Day    string `json:"day"`
	Number int    `json:"number"`
	Size   int    `json:"size"`
}

// seat is one seat in one heat, with the copies of its ticket.
type seat struct {
	Heat    tournament.HeatID    `json:"heat"`
	Machine int                  `json:"machine"`
	Person  tournament.PersonID  `json:"person"`
	Entry   tournament.EntryID   `json:"entry"`
	Index   int                  `json:"index"`
	Count   int                  `json:"count"`
	Ends    time.Time            `json:"ends"`
	State   tournament.SeatState `json:"state"`
	Issued  time.Time            `json:"issued"`
	Where   string               `json:"where,omitempty"`
	// Rules is the hash of the rules that were accepted (clause 25).
	Rules  string       `json:"rules"`
	Copies []copyRecord `json:"copies"`
	// CheckedIn is when its holder was; Present says that he was only marked present at the start (clause 22).
	CheckedIn time.Time `json:"checked_in,omitzero"`
	Present   bool      `json:"present,omitempty"`
	// Disqualified says that the holder was, from this seat (clause 20).
	Disqualified bool `json:"disqualified,omitempty"`
	// Instead is the seat that carries this one on after a malfunction (clauses 20 and 21).
	Instead tournament.SeatID `json:"instead,omitempty"`
	// Place is the place of the declared list that a seat of a final stage is for, from 1; it has no entry. Proxy plays it for
	// the participant (clause 16).
	Place int                 `json:"place,omitempty"`
	Proxy tournament.PersonID `json:"proxy,omitempty"`
}

// copyRecord is one printing of a seat's ticket; its number is its place in the seat's copies, from 1.
type copyRecord struct {
	Ticket tournament.TicketNumber `json:"ticket"`
	State  tournament.CopyState    `json:"state"`
	// Player says that the player made it, of an unconfirmed copy: that is allowed once (design decision 5).
	Player bool `json:"player,omitempty"`
}

// machines are the numbers of machines whose service differs from the definition.
type machines struct {
	Out  []int `json:"out,omitempty"`
	Back []int `json:"back,omitempty"`
}

// caseRecord is something that a person has to decide.
type caseRecord struct {
	// Opened is the sequence of the event that opened it.
	Opened   uint64              `json:"opened"`
	At       time.Time           `json:"at"`
	Kind     CaseKind            `json:"kind"`
	Person   tournament.PersonID `json:"person,omitempty"`
	Where    string              `json:"where,omitempty"`
	Evidence Evidence            `json:"evidence"`
	Subject  string              `json:"subject"`
	Closed   bool                `json:"closed,omitempty"`
}
