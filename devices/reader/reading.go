package reader

import (
	"fmt"
	"slices"
	"time"

	"reelkiosk/devices/identity"
)

// Reading is one thing that a person did at a reader.
type Reading struct {
	At   time.Time
	Kind Kind

	Card     *Card              // KindCard: the club card
	Document *identity.Document // KindDocument: what the document says
	Symbol   *Symbol            // KindSymbol: what the symbol holds
	Present  bool               // KindPresence: whether a card is in the slot

	Refusal Refusal        // KindRefused: why
	Fault   identity.Fault // KindRefused: what is wrong with a document, for a host to see; may be empty
}

// Kind says what a reading is.
type Kind string

// The kinds of reading.
const (
	KindCard     Kind = "card"     // a club card
	KindDocument Kind = "document" // an identity document, well formed
	KindSymbol   Kind = "symbol"   // a bar code that is no document, such as a ticket's or a receipt's
	KindPresence Kind = "presence" // a card was put into an insert reader's slot, or pulled out of it
	KindRefused  Kind = "refused"  // anything else
)

// Card is a club card.
type Card struct {
	// Number is what the member is known by: the digits of a magnetic stripe, the ten hexadecimal digits of a tag, or the
	// UID of a 13.56 MHz card, in capitals.
	Number string
}

// Symbol is what a scanner read that is no document.
type Symbol struct {
	Symbology string // qr, code-128 and so on
	Text      string // unchanged; may hold any byte
}

// String returns the kind, so that a reading that strays into a log leaves nothing there.
func (r Reading) String() string {
	if r.Kind == KindRefused {
		return fmt.Sprintf("%s: %s", r.Kind, r.Refusal)
	}
	return string(r.Kind)
}

// String returns no number.
func (Card) String() string { return "club card" }

// String returns no text.
func (s Symbol) String() string { return s.Symbology }

// Refusal is why what a person did was not taken. Each is to be answered with its own message.
type Refusal string

// The refusals.
const (
	BankCard    Refusal = "bank-card"           // a bank card: nothing of it is kept
	OtherCard   Refusal = "other-card"          // a card that is not the club's
	PhoneCard   Refusal = "random-uid"          // a telephone, which shows another number each time
	SwipeAgain  Refusal = "swipe-again"         // misread; the next try may go better
	Unreadable  Refusal = "unreadable"          // nothing that this reader reads
	ReaderSetUp Refusal = "reader-set-up-wrong" // it will not go better: call a technician

	NoAIMID     Refusal = "no-aim-id"            // a scan without its AIM identifier: the scanner is set up wrong
	UnknownCode Refusal = "unknown-aim-id"       // a symbol of a kind that is not used here
	ScannerSet  Refusal = "scanner-set-up-wrong" // the scanner changes the bytes of what it reads, or lacks keys

	LicenceDisc   Refusal = "licence-disc"        // a vehicle's licence disc: the player should scan an ID
	ScanAgain     Refusal = "scan-again"          // half a document, or misread
	DocumentWrong Refusal = "document-see-a-host" // well read, but a number, a date or a check digit in it cannot be
)

// refuse is a reading that says why there is none.
func refuse(why Refusal) Reading { return Reading{Kind: KindRefused, Refusal: why} }

// documentReading is what the kiosk makes of a document; differs says that another one came in the same read.
func documentReading(result identity.Result, differs bool) Reading {
	if document, ok := result.Document(); ok {
		if differs {
			document.Flags = append(slices.Clone(document.Flags), identity.FlagCopiesDiffer)
		}
		return Reading{Kind: KindDocument, Document: &document}
	}
	reading := refuse(ScanAgain)
	reading.Fault, _ = result.Fault.(identity.Fault)
	switch reading.Fault {
	case identity.ErrUnknown:
		reading.Refusal = Unreadable
	case identity.ErrLicenceDisc:
		reading.Refusal = LicenceDisc
	case identity.ErrNotRaw, identity.ErrNoKey:
		reading.Refusal = ScannerSet
	case identity.ErrIDNumber, identity.ErrBirthDate, identity.ErrIssueDate, identity.ErrDate, identity.ErrCheckDigit:
		reading.Refusal = DocumentWrong // printed letters may be misread; the next scan is taken all the same
	}
	return reading
}
