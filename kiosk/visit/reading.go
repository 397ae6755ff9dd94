package visit

import (
	"slices"
	"time"

	"reelkiosk/store/wire"
)

// mostReceipts is how many receipts are held before somebody is identified.
const mostReceipts = 10

// read takes a card or a document. Whoever shows another one than was read before is another person, and nothing of the
// visit before is his: only while somebody is in the middle of hers is he asked to wait.
func (t *turn) read(card string, document *wire.Document) {
	switch same := t.same(card, document); {
	case t.Screen == ScreenAttract:
		t.begin()
		t.gather(card, document)
	case t.Over == OverStillThere && !same:
		t.leave() // nobody answered: this is the next person
		t.read(card, document)
	case t.Screen == ScreenDone, t.Screen == ScreenSeeHost:
		t.end()
		t.read(card, document)
	case t.Screen == ScreenAskID && t.asks(card, document):
		t.gather(card, document)
	case t.Screen == ScreenTrouble && t.Busy() && same:
		t.again() // her own card, while her request waits for central
	case t.Screen == ScreenTrouble && (same || t.Trouble == TroubleUnknownCard && document != nil):
		t.forget() // once more from the beginning, in her language; of an unknown card the screen asks for the document
		t.gather(card, document)
	case same:
		t.alive() // read twice
	case t.Screen == ScreenAskID, t.Screen == ScreenTrouble:
		t.end()
		t.read(card, document)
	default:
		t.hint(HintSecondCard)
	}
}

// asks reports whether a card or a document is what the screen asks for.
func (t *turn) asks(card string, document *wire.Document) bool {
	return t.Asked == AskedCard && card != "" || t.Asked == AskedDocument && document != nil
}

func (t *turn) same(card string, document *wire.Document) bool {
	if document == nil {
		return card == t.memory.card
	}
	return t.memory.document != nil && *document == *t.memory.document
}

// gather adds what was read, and identifies the player or asks for what is missing.
func (t *turn) gather(card string, document *wire.Document) {
	if t.OutOfOrder == TroubleOutOfService {
		t.trouble(TroubleOutOfService, time.Time{})
		return
	}
	if card != "" {
		t.memory.card = card
	}
	if document != nil {
		t.memory.document = document
	}
	switch {
	case t.memory.document == nil && (t.Identification == Document || t.Identification == Both):
		t.ask(AskedDocument)
	case t.memory.card == "" && (t.Identification == Card || t.Identification == Both):
		t.ask(AskedCard)
	default:
		t.identify()
	}
}

// ask asks for the other one of card and document.
func (t *turn) ask(what Asked) {
	if !t.canAsk(what) {
		t.trouble(TroubleReader, time.Time{})
		return
	}
	t.show(ScreenAskID)
	t.Asked = what
}

func (t *turn) canAsk(what Asked) bool {
	return what == AskedCard && t.Ready.Card || what == AskedDocument && t.Ready.Document
}

// symbol takes a barcode that is no document. A receipt is claimed by whoever is identified, or held until somebody is: on
// the attract screen while its hint is shown.
func (t *turn) symbol(read SymbolRead) {
	switch {
	case t.Screen == ScreenPrinting || t.Screen == ScreenSeeHost || t.Screen == ScreenUnconfirmed:
		// nothing that could be done with it now
	case read.Kind == SymbolTicket:
		t.hint(HintTicket)
	case read.Kind != SymbolReceipt || read.Number == "":
		t.hint(HintUnreadable)
	case t.Over == OverStillThere:
		t.leave() // nobody answered: it is the next person's
		t.symbol(read)
	case t.Screen == ScreenDone, t.Screen == ScreenTrouble && t.memory.person == "":
		t.end() // who was here is gone, or was nobody
		t.symbol(read)
	case t.Busy() && t.memory.waiting != waitIdentify && t.memory.waiting != waitClaim:
		// a seat is being taken
	case t.memory.person != "":
		t.hold(read.Number)
		if !t.Busy() {
			t.claim()
		}
	default:
		t.hold(read.Number)
		if !t.Busy() {
			t.hint(HintReceipt)
		}
	}
}

// release drops receipts that nobody claimed while their hint was shown: whoever comes next did not bring them.
func (t *turn) release() {
	if t.Screen == ScreenAttract && t.Hint != HintReceipt {
		t.memory.receipts = nil
	}
}

func (t *turn) hold(receipt string) {
	if !slices.Contains(t.memory.receipts, receipt) && len(t.memory.receipts) < mostReceipts {
		t.memory.receipts = append(slices.Clone(t.memory.receipts), receipt)
	}
	t.memory.idle = 0
}

// refusedRead says what was wrong with a read; while a ticket prints, nobody asks for one. A document that a host must
// judge ends the way of whoever is about to be identified by it.
func (t *turn) refusedRead(read ReadRefused) {
	switch {
	case t.Screen == ScreenPrinting || t.Screen == ScreenOneMoment:
	case !read.Host:
		t.hint(read.Why)
	case t.Screen == ScreenAttract:
		t.begin()
		t.seeHost()
	case t.Over == OverStillThere:
		t.leave()
		t.refusedRead(read)
	case t.Screen == ScreenAskID && t.Asked == AskedDocument, t.Screen == ScreenTrouble && t.Trouble == TroubleUnknownCard:
		t.seeHost()
	case t.Screen == ScreenAskID, t.Screen == ScreenDone, t.Screen == ScreenSeeHost, t.Screen == ScreenTrouble:
		t.end()
		t.refusedRead(read)
	default:
		t.hint(HintSecondCard)
	}
}

// hint shows a hint. It is no sign of life: noise would keep the screen of somebody who left.
func (t *turn) hint(hint Hint) { t.Hint, t.memory.hint = hint, 0 }

// alive notes a sign of life: what counts down starts again, 'still there?' goes.
func (t *turn) alive() {
	t.memory.idle = 0
	if t.Over == OverStillThere {
		t.Over = OverNothing
	}
	t.Left = t.stays()
}
