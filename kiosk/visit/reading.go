package visit

import (
	"slices"
	"time"

	"reelkiosk/store/wire"
)

// mostReceipts is how many receipts are held before somebody is identified.
const mostReceipts = 10

// read takes a card or a document.
func (t *turn) read(card string, document *wire.Document) {
	switch {
	case t.Screen == ScreenAttract:
		t.begin()
		t.gather(card, document)
	case t.Screen == ScreenAskID:
		t.readAsked(card, document)
	case t.Screen == ScreenTrouble && !t.Busy() && (t.resumable() || t.same(card, document)):
		t.gather(card, document)
	case t.Screen == ScreenTrouble && t.Busy() && card != "" && card == t.memory.card:
		t.again() // her own card, while her request waits for central
	case t.Screen == ScreenDone, t.Screen == ScreenSeeHost, t.Screen == ScreenTrouble:
		t.end()
		t.read(card, document)
	case t.same(card, document):
		// read twice
	default:
		t.hint(HintSecondCard)
	}
}

// resumable reports whether the trouble is one in front of which the same player tries another card or document: the
// visit goes on, in her language.
func (t *turn) resumable() bool {
	if t.memory.person != "" {
		return false
	}
	switch t.Trouble {
	case TroubleUnknownCard, TroubleDocumentExpired, TroubleReader, TroubleCentral:
		return true
	}
	return false
}

// readAsked takes what was asked for. Another one of what was already read is somebody else's, or the same again.
func (t *turn) readAsked(card string, document *wire.Document) {
	asked := t.Asked == AskedCard && card != "" || t.Asked == AskedDocument && document != nil
	switch {
	case asked:
		t.gather(card, document)
	case !t.same(card, document):
		t.hint(HintSecondCard)
	}
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

// symbol takes a barcode that is no document. A receipt is claimed by whoever is identified, or held until somebody is.
func (t *turn) symbol(read SymbolRead) {
	switch {
	case t.Screen == ScreenPrinting || t.Screen == ScreenSeeHost || t.Screen == ScreenUnconfirmed:
		// nothing that could be done with it now
	case read.Kind == SymbolTicket:
		t.hint(HintTicket)
	case read.Kind != SymbolReceipt || read.Number == "":
		t.hint(HintUnreadable)
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
	case t.Screen == ScreenAskID, t.Screen == ScreenTrouble && t.resumable():
		t.seeHost()
	case t.Screen == ScreenDone, t.Screen == ScreenSeeHost, t.Screen == ScreenTrouble && !t.Busy():
		t.end()
		t.refusedRead(read)
	default:
		t.hint(HintSecondCard)
	}
}

func (t *turn) hint(hint Hint) {
	t.Hint, t.memory.hint = hint, 0
	t.alive()
}

// alive notes a sign of life: what counts down starts again, 'still there?' goes.
func (t *turn) alive() {
	t.memory.idle = 0
	if t.Over == OverStillThere {
		t.Over = OverNothing
	}
	t.Left = t.stays()
}
