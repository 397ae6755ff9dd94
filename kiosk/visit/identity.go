package visit

import (
	"maps"
	"time"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// identify asks central who it is. Who it was before, if anybody, is forgotten.
func (t *turn) identify() {
	read := t.memory
	t.forget()
	t.memory.card, t.memory.document, t.memory.receipts = read.card, read.document, read.receipts
	t.memory.rules, t.memory.rulesPrinted = read.rules, read.rulesPrinted
	switch {
	case t.memory.document == nil:
		t.memory.by = "card"
	case t.memory.card == "":
		t.memory.by = "document"
	default:
		t.memory.by = "both"
	}
	t.show(ScreenOneMoment)
	// Where the house wants a card, one that is nobody's must not pass for it beside a document.
	wanted := t.Identification == Both || t.Identification == Card
	t.do(Identify{
		Call: t.expect(waitIdentify), Card: t.memory.card, Document: t.memory.document, Both: wanted && t.memory.by == "both",
	})
}

// identified takes the answer: the player may take part.
func (t *turn) identified(reply Identified) {
	person := reply.Person
	t.settle()
	t.Player = Player{
		ID: person.ID, FirstName: person.FirstName, MaskedName: person.MaskedName, MaskedCard: person.MaskedCard,
	}
	t.memory.person = person.ID
	t.memory.earlier = person.Unconfirmed
	t.memory.heats = reply.Heats
	if len(reply.Heats) == 0 {
		t.memory.heats = t.Floor.Heats
	}
	seated := map[tournament.HeatID]bool{}
	for _, seat := range person.Seats {
		seated[seat.Heat] = true
	}
	t.memory.seated = seated
	t.Expired = person.Expired
	t.setEntries(person.Entries)
	if len(t.memory.receipts) > 0 {
		t.claim()
		return
	}
	t.arrive()
}

// claim asks for the entries of the first receipt.
func (t *turn) claim() {
	t.show(ScreenOneMoment)
	t.do(Claim{Call: t.expect(waitClaim), Person: t.memory.person, Receipt: t.memory.receipts[0]})
}

// claimed takes the answer to a claim.
func (t *turn) claimed(entries []wire.Entry) {
	t.settle()
	t.memory.receipts = t.memory.receipts[1:]
	t.setEntries(entries)
	if len(t.memory.receipts) > 0 {
		t.claim()
		return
	}
	t.arrive()
	if t.Screen != ScreenTrouble {
		t.Hint = HintClaimed
	}
}

// arrive goes to what an identified player sees first: a ticket of an earlier visit that may not have come out, else
// the way to a seat.
func (t *turn) arrive() {
	if len(t.memory.earlier) == 0 {
		t.proceed()
		return
	}
	seat := t.memory.earlier[0]
	t.memory.earlier = t.memory.earlier[1:]
	t.memory.returning, t.memory.seat, t.memory.at = true, seat, len(t.Tickets)
	t.Tickets = append(t.Tickets[:len(t.Tickets):len(t.Tickets)], ticketOf(seat, TicketUnconfirmed))
	t.ReprintLeft = true
	t.show(ScreenUnconfirmed)
}

// proceed goes to the next step that is not done yet, or says why there is none.
func (t *turn) proceed() {
	t.memory.returning = false
	t.refresh()
	switch why, until := t.nothingToOffer(); {
	case why != TroubleNone:
		t.trouble(why, until)
	case t.memory.accepted == "":
		t.show(ScreenGreeting)
	case t.memory.accepted != t.Floor.RulesHash:
		t.show(ScreenRules) // another text came into force meanwhile (clause 25)
	case !t.memory.declared:
		t.show(ScreenDeclaration)
	default:
		t.show(ScreenOffer)
	}
}

func (t *turn) setEntries(entries []wire.Entry) {
	t.memory.entries, t.Entries = entries, entriesOf(entries)
	kinds := maps.Clone(t.memory.kinds)
	if kinds == nil {
		kinds = map[tournament.EntryID]tournament.EntryKind{}
	}
	for _, entry := range entries {
		kinds[entry.ID] = entry.Kind
	}
	t.memory.kinds = kinds
	t.refresh()
}

// seat notes a seat that was taken: its entry is used, its heat is no longer offered.
func (t *turn) seat(seat wire.Seat) {
	var left []wire.Entry
	for _, entry := range t.memory.entries {
		if entry.ID != seat.Entry {
			left = append(left, entry)
		}
	}
	t.setEntries(left)
	t.holdsSeat(seat.Heat)
}

func (t *turn) holdsSeat(heat tournament.HeatID) {
	seated := maps.Clone(t.memory.seated)
	if seated == nil {
		seated = map[tournament.HeatID]bool{}
	}
	seated[heat] = true
	t.memory.seated = seated
	t.refresh()
}

// notIdentified takes a refusal to identify.
func (t *turn) notIdentified(reason tournament.Reason) {
	t.settle()
	switch {
	case reason == tournament.DocumentNeeded && t.memory.document == nil:
		t.ask(AskedDocument)
	case reason == tournament.UnknownCard && t.memory.document == nil && t.Identification == Either:
		t.memory.card = ""
		t.trouble(TroubleUnknownCard, time.Time{})
	case reason == tournament.DocumentExpired:
		t.memory.document = nil
		t.trouble(TroubleDocumentExpired, time.Time{})
	case reason == tournament.NotHome:
		t.trouble(TroubleElsewhere, time.Time{})
	case reason == tournament.ClockSuspect:
		t.trouble(TroubleOutOfService, time.Time{})
	default:
		// The reasons that share this screen (rules.md), and whatever only a host can sort out.
		t.seeHost()
	}
}

// notClaimed takes a refusal of a receipt: the other receipts are still claimed, after the player has read it.
func (t *turn) notClaimed(reason tournament.Reason) {
	t.settle()
	t.memory.receipts = t.memory.receipts[1:]
	if reason.SeesHost() {
		t.seeHost()
		return
	}
	t.trouble(TroubleReceipt, time.Time{})
}
