package visit

import (
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// Effect is something that the conductor has to do. An effect with a Call is answered by exactly one of the replies that
// its comment names, sooner or later. The types of this file are all there are.
type Effect interface{ effect() }

// Identify asks central who it is: by card, by document, or by both. Replies: Identified, Refused, Away, Failed.
type Identify struct {
	Call     Call
	Card     string
	Document *wire.Document
	// Both says that card and document must be of one person.
	Both bool
}

// Claim asks for the entries of a receipt that was bought without a name. Replies: Claimed, Refused, Away, Failed.
type Claim struct {
	Call    Call
	Person  tournament.PersonID
	Receipt string
}

// AskPrinter asks whether the printer can print, before a seat is taken. Reply: PrinterSaid.
type AskPrinter struct{ Call Call }

// Register takes a seat. The request is on the disk before it is sent. Replies: Issued, Refused, Away (and then, after
// all, Issued or Refused), Failed.
type Register struct {
	Call   Call
	Person tournament.PersonID
	Heat   tournament.HeatID
	// Rules is the hash of the text that was accepted (clause 25).
	Rules string
	// By says how the person was identified: card, document or both.
	By string
}

// Reprint takes another copy of a seat whose last copy is unconfirmed: the player's own reprint. Replies as for Register.
type Reprint struct {
	Call   Call
	Person tournament.PersonID
	Seat   tournament.SeatID
}

// Print prints the copy of a seat that Issued gave. Replies: PrintEnded, Failed.
type Print struct {
	Call   Call
	Seat   wire.Seat
	Player Player
	// Kind is how the entry was paid for, empty where that is not known.
	Kind tournament.EntryKind
	// Language is that of the player.
	Language string
}

// GiveUp says that a copy will not be printed: the visit ended before the printer took a byte of it. No reply.
type GiveUp struct {
	Visit  ID
	Ticket string
}

// PrintRules prints the full text of the rules (clause 27). Reply: PrinterSaid.
type PrintRules struct {
	Call     Call
	Language string
}

// TryNow asks to send unanswered requests again at once: the player does not want to wait for the next try. No reply of
// its own.
type TryNow struct{ Visit ID }

// Notify tells central something that is no act of the books. No reply.
type Notify struct {
	Visit  ID
	Kind   wire.NoticeKind
	Screen Screen
	Person tournament.PersonID
}

func (Identify) effect()   {}
func (Claim) effect()      {}
func (AskPrinter) effect() {}
func (Register) effect()   {}
func (Reprint) effect()    {}
func (Print) effect()      {}
func (GiveUp) effect()     {}
func (PrintRules) effect() {}
func (TryNow) effect()     {}
func (Notify) effect()     {}
