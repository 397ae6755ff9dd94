package visit

import (
	"time"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// Event is something that happened: Machine.Step turns a State and an Event into the next State. The types of this file
// are all there are.
type Event interface{ event() }

// Tapped is a touch on the player's face. The face fills in Button, and Language or Heat where the button has one.
type Tapped struct {
	Button Button
	// Language is the language of ButtonLanguage, a BCP 47 tag.
	Language string
	// Heat is the heat that was touched, for ButtonTake; empty on ScreenOffer means the heat offered.
	Heat tournament.HeatID
	// Seen is what stood on the screen when it was touched. The face fills it in, or else the conductor; a touch that was
	// meant for another screen than the present one is dropped. The zero value claims nothing and is not checked.
	Seen Seen
}

// Seen names what a face shows: enough to tell whether a touch was meant for the present screen.
type Seen struct {
	Visit  ID
	Screen Screen
	Over   Over
}

// Tick comes once a second. The machine counts ticks for its time limits, so that a clock that is set right in the middle
// of a visit ends no visit; Now is only shown and compared with the times of heats.
type Tick struct{ Now time.Time }

// CardRead is a club card, by the canonical number under which members are known.
type CardRead struct{ Number string }

// DocumentRead is an identity document.
type DocumentRead struct{ Document wire.Document }

// SymbolRead is a barcode that is no identity document: a receipt, a seat ticket or something unknown.
type SymbolRead struct {
	Kind SymbolKind
	// Number is the receipt's number; empty for other kinds.
	Number string
}

// SymbolKind says what a barcode is.
type SymbolKind string

// The kinds of symbols.
const (
	SymbolReceipt SymbolKind = "receipt"
	SymbolTicket  SymbolKind = "ticket"
	SymbolUnknown SymbolKind = "unknown"
)

// ReadRefused is a read that gave nothing: a bank card, a licence disc, noise. Why says what to tell the player.
type ReadRefused struct {
	Why Hint
	// Host says that it is a document which only a host can judge: well read, with a number or a date that cannot be.
	Host bool
}

// FloorSeen is the newest state of the tournament and its heats, from central. Heats are in order of their start, only
// those that may still be registered for, now or later. Now is the time that came with them, zero where none did: the first
// that a kiosk hears must not wait for the next tick.
type FloorSeen struct {
	Floor Floor
	Now   time.Time
}

// DevicesSeen is what the kiosk can do at present.
type DevicesSeen struct {
	Ready   Readers
	Printer Printer
	// OutOfOrder is why no seats are given at all, or TroubleNone.
	OutOfOrder Trouble
	// Calls is what becomes of a call for a host.
	Calls Calls
}

// Call names one request of a visit that wants a reply. An effect carries the Call, its reply carries it back, and a
// reply to another Call than the one waited for is dropped.
type Call struct {
	Visit ID
	// Number counts the calls of the kiosk since its start.
	Number uint64
}

// Identified replies to Identify: the player may take part.
type Identified struct {
	Call   Call
	Person wire.Person
	// Heats are all heats that the player's entries may be used for and perhaps more, in order of their start. Where it
	// is empty, those of the floor are taken.
	Heats []Heat
}

// Claimed replies to Claim: the receipt's entries are the player's.
type Claimed struct {
	Call    Call
	Entries []wire.Entry
}

// Issued replies to Register and Reprint: a seat is taken, with the copy of its ticket that is to be printed. The
// intention to print it is on the disk already.
type Issued struct {
	Call Call
	Seat wire.Seat
}

// Refused replies to Identify, Claim, Register and Reprint: the rules do not allow it, nothing was changed.
type Refused struct {
	Call   Call
	Reason tournament.Reason
	// Until is the moment that matters, where one does.
	Until time.Time
	// Elsewhere is another kiosk that can give her a seat, where one is known to; empty is none.
	Elsewhere string
}

// Away replies to Identify, Claim, Register and Reprint: central did not answer. What was asked for may have happened: a
// request with a key is sent again until it is answered, and its reply may still come after Away.
type Away struct{ Call Call }

// Failed replies to any effect: the kiosk itself cannot do it (its disk, an answer that makes no sense).
type Failed struct{ Call Call }

// PrinterSaid replies to AskPrinter and PrintRules: PrinterOK and PrinterLow can print, all others cannot.
type PrinterSaid struct {
	Call    Call
	Printer Printer
}

// PrintEnded replies to Print.
type PrintEnded struct {
	Call    Call
	Outcome Outcome
	// Printer is what the printer said, where it did not print.
	Printer Printer
}

// Outcome is what became of a print (design decision 5).
type Outcome string

// The outcomes of a print.
const (
	// Printed: the printer said that this job is done.
	Printed Outcome = "printed"
	// Unconfirmed: bytes were sent, and it is not known what came of them.
	Unconfirmed Outcome = "unconfirmed"
	// NotStarted: no byte was sent, nothing can have been printed.
	NotStarted Outcome = "not-started"
)

// PrintConfirmed is the printer's late word that an unconfirmed copy was printed after all.
type PrintConfirmed struct{ Ticket string }

// Barred says that a person may not take part any more: an exclusion came while the visit was in progress (clause 2).
type Barred struct{ Person tournament.PersonID }

func (Tapped) event()         {}
func (Tick) event()           {}
func (CardRead) event()       {}
func (DocumentRead) event()   {}
func (SymbolRead) event()     {}
func (ReadRefused) event()    {}
func (FloorSeen) event()      {}
func (DevicesSeen) event()    {}
func (Identified) event()     {}
func (Claimed) event()        {}
func (Issued) event()         {}
func (Refused) event()        {}
func (Away) event()           {}
func (Failed) event()         {}
func (PrinterSaid) event()    {}
func (PrintEnded) event()     {}
func (PrintConfirmed) event() {}
func (Barred) event()         {}
