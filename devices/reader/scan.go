package reader

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"reelkiosk/devices/identity"
	"reelkiosk/store/tournament"
)

// Scan is one read of a scanner that sends AIM identifiers (ISO/IEC 15424): ] and a letter for the symbology and a
// modifier, then what the symbol holds.
type Scan struct {
	Symbology string
	Modifier  string
	Text      string // unchanged; may hold any byte
	Addon     string // of a UPC or EAN: two or five digits beside it
	Fault     ScanFault
	Result    identity.Result // the document that the symbol is of; its fault is ErrUnknown if it is none

	differs bool // another document came in the same read
}

// ScanFault is why there is no text. Without its identifier no scan is taken: what its bytes mean would be a guess, and
// the vendors' own identifiers contradict each other.
type ScanFault string

// The faults of a scan.
const (
	ScanNoAIMID      ScanFault = "no-aim-id"
	ScanUnknownAIMID ScanFault = "unknown-aim-id"
	ScanEmpty        ScanFault = "empty"
	ScanHalf         ScanFault = "half"      // the suffix that the scanner should send did not come
	ScanBankCard     ScanFault = "bank-card" // a payment card's number stands in the symbol: nothing of it is kept
)

// symbologies are the letters of AIM identifiers that scanners in use send.
var symbologies = map[byte]string{
	'A': code39, 'B': "telepen", 'C': code128, 'E': upcEAN, 'F': "codabar", 'G': "code-93", 'H': "code-11",
	'I': "interleaved-2-of-5", 'K': "code-16k", 'L': pdf417, 'M': "msi", 'O': "codablock", 'P': "plessey", 'Q': "qr",
	'R': "2-of-5", 'S': "2-of-5", 'T': "code-49", 'U': "maxicode", 'X': "other", 'd': "data-matrix", 'e': "gs1-databar",
	'h': "han-xin", 'o': ocr, 'z': "aztec",
}

// The symbologies that are looked into.
const (
	code39  = "code-39"
	code128 = "code-128"
	gs1128  = "gs1-128" // a Code 128 with modifier 1: FNC1 stands in front
	upcEAN  = "upc-ean"
	pdf417  = "pdf417"
	ocr     = "ocr" // printed text, such as a machine-readable zone
)

// identifierLength is that of ] and two characters.
const identifierLength = 3

// parseScan reads one frame. The suffix CR stands for CR LF too. A frame that does not begin with an identifier is a fault,
// and no part of it is data; but where another read follows the garbage in it, or a read that is no document, that one is
// read as well. A capture is one read, and its suffix may be missing.
func parseScan(frame []byte, profile Profile, capture bool, on tournament.Date) (scans []Scan) {
	if capture {
		if !hasIdentifier(frame) {
			return []Scan{{Fault: ScanNoAIMID}}
		}
		return []Scan{parseIdentified(frame, profile, capture, on)}
	}
	var results []identity.Result
	for _, part := range runTogether(frame) {
		scan := Scan{Fault: ScanNoAIMID}
		if hasIdentifier(part) {
			scan = parseIdentified(part, profile, capture, on)
		}
		scans = append(scans, scan)
		if at := lastInside(part); at > 0 && (scan.Fault != "" || scan.Result.Fault != nil) {
			scans = append(scans, parseIdentified(part[at:], profile, capture, on))
		}
	}
	for _, scan := range scans {
		results = append(results, scan.Result)
	}
	if differ(results) {
		for index := range scans {
			scans[index].differs = true
		}
	}
	return scans
}

func hasIdentifier(frame []byte) bool {
	return len(frame) >= identifierLength && frame[0] == ']' && isLetter(frame[1]) &&
		(isLetter(frame[2]) || '0' <= frame[2] && frame[2] <= '9')
}

func isLetter(char byte) bool { return 'A' <= char&^0x20 && char&^0x20 <= 'Z' }

func parseIdentified(frame []byte, profile Profile, capture bool, on tournament.Date) Scan {
	scan := Scan{Symbology: symbologies[frame[1]], Modifier: string(frame[2:3])}
	if scan.Symbology == "" {
		return Scan{Fault: ScanUnknownAIMID}
	}
	if scan.Symbology == code128 && scan.Modifier == "1" {
		scan.Symbology = gs1128
	}
	data, whole := withoutSuffix(frame[identifierLength:], profile)
	if licence := frame[identifierLength:]; identity.IsLicence(licence) && len(licence) >= identity.LicenceLength {
		if more, _ := withoutSuffix(licence[identity.LicenceLength:], profile); len(more) == 0 {
			data, whole = licence[:identity.LicenceLength], true // its last byte may be that of a suffix
		}
	}
	if !whole && !capture {
		return Scan{Fault: ScanHalf}
	}
	if len(data) == 0 {
		return Scan{Fault: ScanEmpty}
	}
	if scan.Symbology == upcEAN {
		data, scan.Addon = splitAddon(data, scan.Modifier, profile)
	}
	scan.Text = string(data)
	scan.Result = scan.document(profile, on)
	if scan.isBankCard(data, profile.Members) {
		return Scan{Fault: ScanBankCard}
	}
	return scan
}

// isBankCard reports whether a payment card's number stands in what was scanned. In documents, articles and South African
// identity numbers there is none, though their digits may look like one; in what is left of a document that is misread or
// cut, only a number that stands there by itself is one. Tickets and receipts are no exception: their numbers are random in
// base 32, and one in millions has so many digits in a row, but every sixteenth row of seventeen digits passes for one.
func (s Scan) isBankCard(data []byte, ours Members) bool {
	if !holdsBankNumber(data, ours) || s.Result.Fault == nil || s.Symbology == upcEAN && isArticle(data) {
		return false
	}
	return s.Result.Kind == "" || isBankNumberByItself(data, ours)
}

// isArticle reports whether digits are an article's number of thirteen digits with its check digit (GS1 General
// Specifications, section 7.9).
func isArticle(digits []byte) bool {
	sum := 0
	for index, char := range digits {
		sum += int(char-'0') * [...]int{1, 3}[index%2]
	}
	return len(digits) == 13 && allDigits(digits) && sum%10 == 0
}

// withoutSuffix takes off what the scanner sends behind a scan, and reports whether it was there.
func withoutSuffix(data []byte, profile Profile) ([]byte, bool) {
	if profile.Frame.Suffix == "\r" && bytes.HasSuffix(data, []byte("\r\n")) {
		return data[:len(data)-2], true
	}
	return bytes.CutSuffix(data, []byte(profile.Frame.Suffix))
}

// splitAddon takes apart a UPC or EAN and the two or five digits beside it. They come in one block if the modifier is
// 3, thirteen digits and then the others, or else in a second block with an identifier of its own, ]E1 or ]E2.
func splitAddon(data []byte, modifier string, profile Profile) (text []byte, addon string) {
	const whole = 13
	if modifier == "3" && (len(data) == whole+2 || len(data) == whole+5) {
		return data[:whole], string(data[whole:])
	}
	for identifier, length := range map[string]int{"]E1": 2, "]E2": 5} {
		at := len(data) - length - len(identifier)
		if at > 0 && bytes.HasPrefix(data[at:], []byte(identifier)) && allDigits(data[at+len(identifier):]) {
			text, _ = withoutSuffix(data[:at], profile)
			return text, string(data[at+len(identifier):])
		}
	}
	return data, ""
}

// document reads the document that the symbol is of. Each kind of document is taken from its own symbology alone: a
// text in a QR code does not make an identity card.
func (s Scan) document(profile Profile, on tournament.Date) identity.Result {
	switch s.Symbology {
	case pdf417:
		return identity.ReadPDF417([]byte(s.Text), profile.LicenceKeys, on)
	case ocr:
		return identity.ReadMRZ([]byte(s.Text), on)
	case code39, code128:
		if identity.IsBook(s.Text) {
			return identity.ReadBook(s.Text, on)
		}
	}
	return identity.Result{Fault: identity.ErrUnknown}
}

// MarshalJSON writes what the scanner read, the text as such if it is printable, in hexadecimal as text_hex if it is not
// printable ASCII, and the fields of the document if it is one.
func (s Scan) MarshalJSON() ([]byte, error) {
	if s.Fault != "" {
		return json.Marshal(struct {
			Error ScanFault `json:"error"`
		}{s.Fault})
	}
	own := struct {
		Symbology string `json:"symbology"`
		Modifier  string `json:"modifier"`
		Text      string `json:"text,omitempty"`
		TextHex   string `json:"text_hex,omitempty"`
		Addon     string `json:"addon,omitempty"`
	}{Symbology: s.Symbology, Modifier: s.Modifier, Addon: s.Addon}
	if strings.ContainsFunc(s.Text, func(char rune) bool { return char < ' ' || char > '~' }) {
		own.TextHex = hex.EncodeToString([]byte(s.Text))
	}
	if utf8.ValidString(s.Text) && !strings.ContainsFunc(s.Text, func(char rune) bool { return !unicode.IsPrint(char) }) {
		own.Text = s.Text
	}
	if s.Result.Fault == identity.ErrUnknown {
		return json.Marshal(own)
	}
	return joinObjects(own, s.Result)
}

// joinObjects writes several values as one JSON object with the fields of all.
func joinObjects(values ...any) ([]byte, error) {
	joined := []byte("{")
	for _, value := range values {
		object, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		if fields := bytes.TrimSuffix(bytes.TrimPrefix(object, []byte("{")), []byte("}")); len(fields) > 0 {
			if len(joined) > 1 {
				joined = append(joined, ',')
			}
			joined = append(joined, fields...)
		}
	}
	return append(joined, '}'), nil
}
