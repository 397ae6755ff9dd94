// Package visit is one visit of a player to the kiosk, as a state machine: events go in (a card or a document read, a
// touch, a reply, the printer's answer, the time), the next state and the effects to carry out come out.
//
// It does no I/O, keeps no clock and knows nothing of Fyne: Machine.Step is a pure function of a State and an Event. The
// conductor (package kiosk) carries out the effects and hands each State to the face, which shows it and sends events
// back. Every visit has an ID; a reply that names another visit than the present one is dropped, so that nobody is shown
// what belongs to somebody else.
package visit

import (
	"fmt"
	"time"

	"reelkiosk/store/tournament"
)

// ID tells one visit from the next; 0 is no visit, the attract screen.
type ID uint64

// State is all that a face needs to show. It is a value: a face never changes it, and compares two to see what changed.
type State struct {
	// Visit is the visit in progress, 0 on the attract screen.
	Visit ID
	// Screen is what is shown; Over is laid over it, or OverNothing.
	Screen Screen
	Over   Over
	// Look is how it is shown; it resets between visits.
	Look Look
	// Now is the time of the kiosk, in the tournament's zone; it changes once a second at most.
	Now time.Time
	// Floor is what everybody may see: the tournament and its next heats.
	Floor Floor
	// Player is who was identified; zero before. On screens that must greet nobody it is zero, whoever stands there.
	Player Player
	// Entries are the unused entries that may still be played, the one to be used first first; Expired counts those whose
	// window is over.
	Entries []Entry
	Expired int
	// Offer are the heats the player may have a seat in, in order: the first is the one offered, the rest is behind
	// 'Another heat'. Together is how many consecutive offers could be taken at one touch (0 or 1: none).
	Offer    []Heat
	Together int
	// Tickets are the seats taken in this visit, in the order of printing, and those still to come.
	Tickets []Ticket
	// Paper is what the printer says while printing, PrinterOK where nothing is to be said.
	Paper Printer
	// Trouble is why the visit cannot go on, on ScreenTrouble; TroubleUntil is a moment that matters (a window's end).
	Trouble      Trouble
	TroubleUntil time.Time
	// Elsewhere is another kiosk that can give her a seat, with TroubleElsewhere; empty where only the desk can.
	Elsewhere string
	// Hint is a short message over the present screen (a bank card, a licence disc, read again); empty is none.
	Hint Hint
	// Asked is what the player must still show on ScreenAskID: a document or a card.
	Asked Asked
	// Left is the seconds until the present screen ends by itself (still there, done, trouble); 0 where it does not.
	Left int
	// HelpCalled says that a host was called during this visit. Calls is what becomes of a call at present.
	HelpCalled bool
	Calls      Calls
	// ReprintLeft says that the player may print an unconfirmed ticket once more.
	ReprintLeft bool
	// Ready says which readers can be used; the attract screen shows only those.
	Ready Readers
	// OutOfOrder is why no seats are given at all, empty where they are: shown on the attract screen.
	OutOfOrder Trouble

	// memory is the machine's own, of no use to a face.
	memory memory
}

// Format writes which visit is on which screen and nothing else, whatever the verb: a State holds a player's name, card
// and document, and no log may.
func (s State) Format(f fmt.State, _ rune) {
	fmt.Fprintf(f, "visit %d on %s", s.Visit, s.Screen)
	if s.Over != OverNothing {
		fmt.Fprintf(f, " under %s", s.Over)
	}
	if s.Trouble != TroubleNone {
		fmt.Fprintf(f, " (%s)", s.Trouble)
	}
}

// Look is how the screens are shown to this player.
type Look struct {
	// Language is a BCP 47 tag of a phrase file: en, af, zu.
	Language string
	// Larger is text at 1.25 times the size; Contrast is the high-contrast palette.
	Larger, Contrast bool
}

// Screen is one screen of the player's face.
type Screen string

// The screens (look.md).
const (
	ScreenAttract     Screen = "attract"
	ScreenOneMoment   Screen = "one-moment"  // something is being looked up or, where there are Tickets, booked
	ScreenAskID       Screen = "ask-id"      // one of card and document was read, the other is needed: Asked says which
	ScreenGreeting    Screen = "greeting"    // Hello Thandi, entries as tickets in a row
	ScreenRules       Screen = "rules"       // five lines and acceptance
	ScreenDeclaration Screen = "declaration" // clause 3: yes, no, not sure
	ScreenOffer       Screen = "offer"       // the next heat
	ScreenHeats       Screen = "heats"       // 'Another heat': a heat touched here is offered next
	ScreenPrinting    Screen = "printing"
	ScreenDone        Screen = "done"
	ScreenSeeHost     Screen = "see-host"    // excluded, connected, under age, mismatch, unverified: one and the same
	ScreenTrouble     Screen = "trouble"     // every other refusal or fault: Trouble says which
	ScreenUnconfirmed Screen = "unconfirmed" // a print without an answer, the last of Tickets, of this or an earlier visit
)

// Over is what lies over a screen.
type Over string

// The overlays.
const (
	OverNothing    Over = ""
	OverStillThere Over = "still-there" // Left seconds to answer
	OverRulesText  Over = "rules-text"  // the full text, which also prints
	OverPrivacy    Over = "privacy"     // the privacy notice
	OverHelp       Over = "help"        // a host is called, or where to go instead: Calls says which
	OverUnprinted  Over = "unprinted"   // the rules could not be printed
	OverWhere      Over = "where"       // the gold band was touched: where the readers are
)

// Calls is what becomes of a call for a host.
type Calls string

// What may become of a call.
const (
	CallsGo    Calls = ""      // central hears of it at once
	CallsLater Calls = "later" // central hears of it when the line is back
	CallsNever Calls = "never" // nothing can be sent, and nothing is kept to be
)

// Floor is what anybody may see.
type Floor struct {
	// Property and Name are the house and the tournament; empty before anything is known.
	Property, Name string
	// Heats are the next heats, in order; the first is the next one whose registration is open.
	Heats []Heat
	// RulesVersion, RulesHash and RulesBody are the text that is accepted (clause 25).
	RulesVersion int
	RulesHash    string
	RulesBody    string
	// SeatPrice is for the screen without entries.
	SeatPrice tournament.Money
	// MinAge is shown as '18+'.
	MinAge int
}

// Heat is a heat as players see it.
type Heat struct {
	ID     tournament.HeatID
	Number int
	Start  time.Time
	// Opens and Closes are when its registration opens and closes (clause 11).
	Opens, Closes time.Time
	Free, Size    int
	Place         string
	// Lowest and Highest are the machine numbers.
	Lowest, Highest int
	// Seated says that the player holds a seat in it.
	Seated bool
	// EntryIndex is which of State.Entries would be used, from 0.
	EntryIndex int
}

// Player is who was identified.
type Player struct {
	ID        tournament.PersonID
	FirstName string
	// MaskedName and MaskedCard are as on the ticket.
	MaskedName, MaskedCard string
}

// Entry is one unused entry.
type Entry struct {
	ID   tournament.EntryID
	Kind tournament.EntryKind
	Ends time.Time
}

// Ticket is a seat of this visit and what became of its print.
type Ticket struct {
	Heat  Heat
	State TicketState
	// Machine, Place, Number and Copy are known once the seat is.
	Machine int
	Place   string
	Number  string
	Copy    int
}

// TicketState is how far a ticket is.
type TicketState string

// The states of a ticket on the printing screen.
const (
	TicketWaiting     TicketState = "waiting"
	TicketBooking     TicketState = "booking"
	TicketPrinting    TicketState = "printing"
	TicketPrinted     TicketState = "printed"
	TicketUnconfirmed TicketState = "unconfirmed"
	TicketNotTaken    TicketState = "not-taken" // no seat was taken after all: full, or the visit stopped
)

// Printer is what the printer says, for players.
type Printer string

// What a printer may say.
const (
	PrinterOK        Printer = ""
	PrinterLow       Printer = "paper-low"
	PrinterOut       Printer = "paper-out"
	PrinterOpen      Printer = "cover-open"
	PrinterError     Printer = "error"
	PrinterSilent    Printer = "silent"
	PrinterUnplugged Printer = "unplugged"
)

// ready reports whether the printer can print.
func (p Printer) ready() bool { return p == PrinterOK || p == PrinterLow }

// Trouble is why a visit cannot go on; each has its own screen that says what to do next.
type Trouble string

// The troubles. Reasons that share 'Please see a host' are ScreenSeeHost and no Trouble.
const (
	TroubleNone            Trouble = ""
	TroubleNoEntries       Trouble = "no-entries"
	TroubleWindowOver      Trouble = "window-over"
	TroubleHeatsFull       Trouble = "heats-full"
	TroubleHeatFull        Trouble = "heat-full"  // the one chosen filled up meanwhile: choose another
	TroubleNoHeats         Trouble = "no-heats"   // nothing open for registration at present
	TroubleAllSeated       Trouble = "all-seated" // a seat in every open heat already
	TroubleBlockUsed       Trouble = "block-used" // the kiosk is cut off, and has given what it may of this heat
	TroubleClosed          Trouble = "closed"     // registration closed in front of her
	TroubleDocumentExpired Trouble = "document-expired"
	TroubleUnknownCard     Trouble = "unknown-card" // scan your ID instead
	TroubleReader          Trouble = "reader-fault"
	TroublePrinter         Trouble = "printer-not-ready"
	TroubleCentral         Trouble = "central-away"
	TroubleElsewhere       Trouble = "elsewhere"       // while lines are cut, only the desk can give her a seat
	TroubleReceipt         Trouble = "receipt-refused" // unknown, or owned by somebody
	TroubleNotAccepted     Trouble = "not-accepted"    // she did not accept the rules
	TroubleOutOfService    Trouble = "out-of-service"
)

// Troubles lists every trouble but TroubleNone, in the order above.
var Troubles = []Trouble{
	TroubleNoEntries, TroubleWindowOver, TroubleHeatsFull, TroubleHeatFull, TroubleNoHeats, TroubleAllSeated,
	TroubleBlockUsed, TroubleClosed, TroubleDocumentExpired, TroubleUnknownCard, TroubleReader, TroublePrinter, TroubleCentral,
	TroubleElsewhere,
	TroubleReceipt, TroubleNotAccepted, TroubleOutOfService,
}

// Hint is a short message about what was just read; the screen stays.
type Hint string

// The hints.
const (
	HintNone        Hint = ""
	HintBankCard    Hint = "bank-card"
	HintSwipeAgain  Hint = "swipe-again"
	HintScanAgain   Hint = "scan-again"
	HintUnreadable  Hint = "unreadable"
	HintLicenceDisc Hint = "licence-disc"
	HintOtherCard   Hint = "other-card"   // a card, but not of this club
	HintReaderSetup Hint = "reader-setup" // the reader is set up wrong: call a host
	HintSecondCard  Hint = "second-card"  // somebody else's card during a visit: finish first
	HintReceipt     Hint = "receipt"      // a receipt was scanned before anybody was identified: now show card or ID
	HintTicket      Hint = "ticket"       // that is a seat ticket, not an ID
	HintClaimed     Hint = "claimed"      // the receipt's entries are now yours
)

// Asked is what is still needed on ScreenAskID.
type Asked string

// What may be asked for.
const (
	AskedNothing  Asked = ""
	AskedDocument Asked = "document"
	AskedCard     Asked = "card"
)

// Readers says what can be read at present.
type Readers struct{ Card, Document bool }
