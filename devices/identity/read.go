package identity

import (
	"bytes"
	"encoding/json"
	"strings"

	"reelkiosk/store/tournament"
)

// Result is what one scan turned out to be: a paper, or a fault. A paper with a fault could be read but must not be
// trusted, such as a machine-readable zone with a wrong check digit.
type Result struct {
	Kind  Kind
	Paper Paper // nil if nothing could be read
	Fault error // nil, or a Fault
}

// Read finds out which document a scan is and reads it on a day, where nothing says what kind of symbol it stood in. The
// fault is ErrUnknown if it is no document at all.
func Read(scan []byte, keys LicenceKeys, on tournament.Date) Result {
	text := bare(scan)
	switch {
	case isZone(text):
		return ReadMRZ([]byte(text), on)
	case IsBook(text):
		return ReadBook(text, on)
	}
	return ReadPDF417(scan, keys, on)
}

// ReadPDF417 reads what stands in a PDF417 symbol: a driving licence, a smart identity card, a North American card, or
// a vehicle's licence disc, which is refused. The scan is the symbol's content as a scanner sends it, byte for byte. The
// fault is ErrUnknown if it is none of them.
func ReadPDF417(scan []byte, keys LicenceKeys, on tournament.Date) Result {
	text := bare(scan)
	switch {
	case IsLicence(scan) || isConvertedLicence(scan):
		licence, err := ParseLicence(scan, keys, on)
		return ResultOf(KindLicence, licence, err)
	case isLicenceDisc(text):
		return Result{Fault: ErrLicenceDisc}
	case aamvaHeader.MatchString(text):
		card, err := ParseAAMVA(scan, on)
		return ResultOf(card.Kind, card, err)
	case strings.Count(text, "|") >= 4:
		card, err := ParseSmartCard(scan, on)
		return ResultOf(KindSmartCard, card, err)
	}
	return Result{Fault: ErrUnknown}
}

// ReadBook reads the bar code of a green identity book.
func ReadBook(text string, on tournament.Date) Result {
	number, err := ParseBook(text, on)
	return ResultOf(KindBook, number, err)
}

// ReadMRZ reads a machine-readable zone on a day.
func ReadMRZ(scan []byte, on tournament.Date) Result {
	mrz, err := ParseMRZ(scan, on)
	if mrz.Format == "" {
		return Result{Fault: err}
	}
	return Result{mrz.Document().Kind, mrz, err}
}

// IsBook reports whether a text has the shape of a green book's bar code: thirteen digits, perhaps between asterisks.
func IsBook(text string) bool {
	digits := strings.Trim(text, "*")
	return len(digits) == numberLength && allDigits(digits)
}

// isZone reports whether a text has the shape of a machine-readable zone.
func isZone(text string) bool {
	form, zone := layoutOf(strings.Fields(text))
	return form != nil && strings.Contains(zone, filler) && !strings.ContainsFunc(zone, notInZone)
}

// ResultOf is the result of a parser for one kind of document.
func ResultOf(kind Kind, paper Paper, err error) Result {
	if err != nil {
		return Result{Kind: kind, Fault: err}
	}
	return Result{Kind: kind, Paper: paper}
}

// Document returns what the kiosk needs of the document, and whether it may be trusted.
func (r Result) Document() (Document, bool) {
	if r.Paper == nil || r.Fault != nil {
		return Document{}, false
	}
	return r.Paper.Document(), true
}

// MarshalJSON writes the paper's own fields with kind, valid, and the fault as error if there is one.
func (r Result) MarshalJSON() ([]byte, error) {
	verdict, err := json.Marshal(struct {
		Kind  Kind  `json:"kind,omitempty"`
		Valid bool  `json:"valid"`
		Error error `json:"error,omitempty"`
	}{r.Kind, r.Fault == nil, r.Fault})
	if err != nil || r.Paper == nil {
		return verdict, err
	}
	fields, err := json.Marshal(r.Paper)
	if err != nil {
		return nil, err
	}
	return append(append(bytes.TrimSuffix(verdict, []byte("}")), ','), bytes.TrimPrefix(fields, []byte("{"))...), nil
}
