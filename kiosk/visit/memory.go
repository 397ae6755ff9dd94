package visit

import (
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// memory is what the machine remembers between two events and no face needs.
type memory struct {
	// last is the highest visit so far, calls the number of the last Call.
	last  ID
	calls uint64
	// call is the reply that is waited for, as waiting says; waited counts the ticks since.
	call    Call
	waiting waiting
	waited  int
	// idle counts the ticks since the player's last sign of life, hint those since a hint came.
	idle, hint int

	// card and document are what was read in this visit, and by how the player was identified with them.
	card     string
	document *wire.Document
	by       string
	// receipts were scanned and wait to be claimed; the first is the one being claimed.
	receipts []string

	// person is who was identified; entries are the unused ones, the one to be used first first.
	person  tournament.PersonID
	entries []wire.Entry
	// kinds says how each entry was paid for, also of those that were used since.
	kinds map[tournament.EntryID]tournament.EntryKind
	// seated are the heats in which the player has a seat; heats are those that the entries may reach.
	seated map[tournament.HeatID]bool
	heats  []Heat
	// earlier are seats of earlier visits whose ticket is still unconfirmed; returning says that one is being dealt with.
	earlier   []wire.Seat
	returning bool

	// accepted is the hash of the rules text that was accepted, declared whether clause 3 was answered with yes.
	accepted string
	declared bool
	// chosen is the heat that is offered although it is not the next one.
	chosen tournament.HeatID

	// at is the ticket being dealt with, from the first one that was asked for with it; seat is its seat, once issued.
	at, from int
	seat     wire.Seat
	// stopping says that the player cancelled while a seat was being taken or printed: no further one is.
	stopping bool
	// lacking counts the ticks that the seat's ticket has waited for a printer that takes nothing.
	lacking int
	// helped counts down the ticks for which a call from the attract screen counts.
	helped int
	// rules is the call of a printing of the rules, zero while none prints; rulesPrinted says that they were printed in this
	// visit.
	rules        Call
	rulesPrinted bool
}

// kept is what outlives a visit: nothing of anybody.
func (m memory) kept() memory { return memory{last: m.last, calls: m.calls, helped: m.helped} }

// waiting is what reply the machine waits for.
type waiting int

const (
	waitNothing  waiting = iota
	waitIdentify         // who is it
	waitClaim            // are the receipt's entries hers
	waitPrinter          // can the printer print, before a seat is taken
	waitRegister         // the seat
	waitAgain            // can the printer print, before the player's own reprint
	waitReprint          // the copy of the reprint
	waitPrint            // the end of a print
	waitPaper            // the printer, which took no byte of a seat that is already taken
)

// Awaits reports whether the state waits for the reply to the call. A reply that is not awaited concerns a visit that
// ended or went on without it; the conductor settles what it brings on its own.
func (s State) Awaits(call Call) bool {
	return s.memory.waiting != waitNothing && s.memory.call == call && call != Call{}
}

// Busy reports whether the state waits for any reply.
func (s State) Busy() bool { return s.memory.waiting != waitNothing }

// expect makes the next call and waits for its reply.
func (t *turn) expect(what waiting) Call {
	t.memory.waiting, t.memory.waited, t.memory.call = what, 0, t.nextCall()
	return t.memory.call
}

func (t *turn) nextCall() Call {
	t.memory.calls++
	return Call{Visit: t.Visit, Number: t.memory.calls}
}

// settle ends the waiting.
func (t *turn) settle() {
	t.memory.waiting, t.memory.waited, t.memory.call = waitNothing, 0, Call{}
}
