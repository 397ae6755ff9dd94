// Package identity says what an identity document says, from the bytes that a scanner sends of it: names, numbers, birth
// date, expiry. It is pure: no clock but the day of reading that the caller gives, nothing read, nothing kept.
//
// One function stands for each kind of document:
//
//   - [ParseNumber], [ParseBook]: the South African identity number, and the green book's bar code, which holds nothing else
//   - [ParseSmartCard]: the South African smart identity card
//   - [ParseLicence]: the South African driving licence, with public keys that are configuration ([ParseLicenceKeys])
//   - [ParseMRZ]: passports and identity cards with a machine-readable zone (ICAO 9303: TD1, TD2, TD3)
//   - [ParseAAMVA]: North American licences and identity cards
//
// [Read] finds out which of these a scan is. Each returns its own type, whose JSON form is what support staff see, and
// which a [Document] sums up for the kiosk: what is needed to find a person and to know her age, and no more. Sex,
// citizenship and the digit that once stood for race are decoded to check a number; no Document has them.
//
// A document that cannot be taken is refused with a [Fault], which never holds any of its text. A parser that finds a
// well-formed document proves nothing about who carries it.
//
// Ages are counted on the day of reading: eighteen is of age, and who was born on 29 February comes of age on 1 March
// (clause 1). A year of two digits may leave the age open; such a person is for a host to judge.
package identity

import "reelkiosk/store/tournament"

// Kind is a kind of document.
type Kind string

// The kinds of document that are taken. The last two are the words of North American cards.
const (
	KindBook         Kind = "sa-id-book"
	KindSmartCard    Kind = "sa-smart-id"
	KindLicence      Kind = "sa-driving-licence"
	KindPassport     Kind = "passport"
	KindTD1          Kind = "td1"
	KindTD2          Kind = "td2"
	KindAAMVALicence Kind = "driving-licence"
	KindAAMVACard    Kind = "identity-card"
)

// Document is what the kiosk needs of a document. What the document does not say is empty or zero.
type Document struct {
	Kind       Kind
	Surname    string
	GivenNames string // first and middle names, or initials on a South African driving licence
	IDNumber   string // South African identity number, 13 digits, its check digit right
	Number     string // of the passport, card or licence
	Issuer     string // country of issue by the document's own code, mostly ICAO's three letters

	BirthDate           tournament.Date   // zero if unknown or open
	BirthDateCandidates []tournament.Date // what it may be, if the century is open
	AgeClass            AgeClass

	Expiry tournament.Date // the last day on which the document is valid; zero if it names none
	Flags  []Flag          // why a host should look at it
}

// String returns the kind alone, so that a document that strays into a log leaves nothing there.
func (d Document) String() string { return string(d.Kind) }

// Flag is something about a document that a host should see.
type Flag string

// The flags. The first two are about a South African number itself; a mismatch is between such a number and what else
// the document says. Whoever takes documents decides about each of them.
const (
	FlagStatusDigit    Flag = "unknown-status-digit"
	FlagOldADigit      Flag = "old-a-digit"
	FlagBirthMismatch  Flag = "birth-date-mismatch"
	FlagSexMismatch    Flag = "sex-mismatch"
	FlagStatusMismatch Flag = "status-mismatch"
	FlagNumberDigit    Flag = "number-check-digit" // a South African passport's identity number fails its check digit
	FlagCopiesDiffer   Flag = "copies-differ"      // what the document says twice, it says in two ways
)

// Fault is why a document is refused. Faults are constants: compare them with errors.Is.
type Fault string

// The faults. They say which part of the document is wrong, never what stands there.
const (
	ErrUnknown     Fault = "unknown-document"     // nothing that Read knows
	ErrCharacters  Fault = "characters"           // characters that the document cannot hold
	ErrLength      Fault = "length"               // too short or too long: perhaps half a scan
	ErrDate        Fault = "date"                 // a date that the calendar does not have
	ErrCheckDigit  Fault = "check-digit"          // a check digit is wrong
	ErrFieldCount  Fault = "field-count"          // not the right number of fields: perhaps half a scan
	ErrSurname     Fault = "surname"              // no surname
	ErrIDNumber    Fault = "id-number"            // the South African number in it is wrong
	ErrBirthDate   Fault = "birth-date"           // no birth date, or one that cannot be
	ErrIssueDate   Fault = "issue-date"           // no date of issue, or one that cannot be
	ErrNumber      Fault = "number"               // the document's own number is missing
	ErrNotAAMVA    Fault = "not-aamva"            // no header of the AAMVA standard
	ErrLicenceDisc Fault = "vehicle-licence-disc" // a vehicle's licence disc: the player should scan an ID
	ErrNotRaw      Fault = "scanner-not-raw"      // the scanner turned bytes into UTF-8: set it to raw
	ErrNoKey       Fault = "no-licence-key"       // no public key is configured for this licence
	ErrContent     Fault = "licence-content"      // deciphered, it makes no sense: misread, or another key is needed
)

// Error returns the fault's word behind what it is about.
func (f Fault) Error() string { return "document refused: " + string(f) }

// Paper is a parsed document of any kind.
type Paper interface {
	// Document returns what the kiosk needs of it.
	Document() Document
}
