package identity

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"reelkiosk/store/tournament"
)

// AAMVA is what the PDF417 symbol of a North American driving licence or identity card says (AAMVA DL/ID Card Design
// Standard, annex D).
type AAMVA struct {
	Kind       Kind   `json:"-"`       // KindAAMVALicence or KindAAMVACard
	IIN        string `json:"iin"`     // issuer identification number, six digits
	Version    int    `json:"version"` // of the standard
	Surname    string `json:"surname"`
	GivenNames string `json:"given_names"` // first and middle names
	Suffix     string `json:"suffix"`      // JR, II
	Number     string `json:"number"`
	Birth
	Expiry
	Sex     string `json:"sex,omitempty"`     // M, F, or X if not specified
	Country string `json:"country,omitempty"` // USA or CAN; version 01 does not say
	Flags   []Flag `json:"flags,omitempty"`   // where the card disagrees with itself
}

// aamvaHeader finds the header in whatever stands in front of it: the file type (AAMVA in the oldest), the issuer and
// the version; then, of no use, the version of the jurisdiction and the number of entries, which version 01 and some
// issuers have otherwise than they should; then the entries, ten characters for each subfile. Their offsets are often
// wrong. The subfiles follow at once.
var aamvaHeader = regexp.MustCompile(`(?:ANSI ?|AAMVA ?)([0-9]{6})([0-9]{2})[0-9]{0,4}((?:[A-Z]{2}[0-9]{8})*)`)

// ParseAAMVA reads a card on a day. Elements are found by their three-letter ids at the beginnings of lines. It returns
// ErrNotAAMVA if there is no header, ErrNumber without a number, ErrBirthDate without a birth date or with one that cannot
// be, and ErrSurname without any element for a surname: the first that applies. With the last three comes the kind.
//
// Dates are MMDDCCYY in the United States, CCYYMMDD in Canada and in version 01. On a card that names no country they
// are whichever the birth date shows.
func ParseAAMVA(scan []byte, on tournament.Date) (AAMVA, error) {
	text := decoded(bare(scan))
	header := aamvaHeader.FindStringSubmatchIndex(text)
	if header == nil {
		return AAMVA{}, ErrNotAAMVA
	}
	version, _ := strconv.Atoi(text[header[4]:header[5]])
	subfiles, entries := text[header[1]:], text[header[6]:header[7]]
	elements, differ := aamvaElements(aamvaHeader.ReplaceAllString(subfiles, "\n")) // of a second card in the read
	card := AAMVA{
		Kind: aamvaKind(entries, subfiles), IIN: text[header[2]:header[3]], Version: version,
		Number: elements["DAQ"], Suffix: nameIn(elements, "DCU", "DAE"), Country: elements["DCG"],
	}
	refused := AAMVA{Kind: card.Kind}
	if card.Number == "" {
		return refused, ErrNumber
	}
	yearFirst := version <= 1 || card.Country == "CAN"
	birthDate, exists := aamvaDate(elements["DBB"], yearFirst)
	if !exists && card.Country == "" { // no day reads as a date both ways: no month is 19 or 20
		yearFirst = !yearFirst
		birthDate, exists = aamvaDate(elements["DBB"], yearFirst)
	}
	birth, past := bornOn(birthDate, on)
	if !exists || !past {
		return refused, ErrBirthDate
	}
	card.Birth = birth
	if differ {
		card.Flags = append(card.Flags, FlagCopiesDiffer)
	}
	if until, exists := aamvaDate(elements["DDH"], yearFirst); exists && until.After(on) && birth.AgeClass == Adult {
		card.Flags = append(card.Flags, FlagBirthMismatch) // DDH: until when the holder is under eighteen
	}
	if !card.readNames(elements) {
		return refused, ErrSurname
	}
	if expiry, exists := aamvaDate(elements["DBA"], yearFirst); exists {
		card.Expiry = expiresOn(expiry, on)
	}
	switch elements["DBC"] {
	case "":
	case "1", "M":
		card.Sex = "M"
	case "2", "F":
		card.Sex = "F"
	default:
		card.Sex = "X"
	}
	return card, nil
}

// Document sums up the card. Its issuer is the country, or the issuer's number where the card names none.
func (a AAMVA) Document() Document {
	document := Document{
		Kind: a.Kind, Surname: a.Surname, GivenNames: a.GivenNames, Number: a.Number, Issuer: a.Country,
		BirthDate: a.BirthDate, AgeClass: a.AgeClass, Expiry: a.ExpiryDate, Flags: a.Flags,
	}
	if document.Issuer == "" {
		document.Issuer = a.IIN
	}
	return document
}

// aamvaKind is the card's kind by the first subfile that is of a card: DL or EN (a licence), or ID.
func aamvaKind(entries, subfiles string) Kind {
	for ; len(entries) > 0; entries = entries[10:] {
		switch entries[:2] {
		case "DL", "EN":
			return KindAAMVALicence
		case "ID":
			return KindAAMVACard
		}
	}
	if strings.HasPrefix(subfiles, "ID") {
		return KindAAMVACard
	}
	return KindAAMVALicence
}

// aamvaElements are a card's elements by id. Each stands on a line of its own, the first of a subfile behind the two
// letters of the subfile. Of an id that comes twice the first counts; it reports whether the other one says something
// else of who the holder is and until when the card is valid, as where two cards came in one read.
func aamvaElements(subfiles string) (elements map[string]string, differ bool) {
	elements = map[string]string{}
	for _, line := range strings.FieldsFunc(subfiles, func(char rune) bool { return char == '\n' || char == '\r' }) {
		for _, subfile := range []string{"DL", "ID", "EN"} {
			if after, found := strings.CutPrefix(line, subfile); found && len(after) >= 3 && after[0] == 'D' {
				line = after
			}
		}
		if len(line) < 3 {
			continue
		}
		id, said := line[:3], strings.TrimFunc(line[3:], isMargin)
		first, twice := elements[id]
		if !twice {
			elements[id] = said
			continue
		}
		switch id {
		case "DAQ", "DBB", "DBA", "DCS", "DAB", "DAA":
			differ = differ || said != first
		}
	}
	return elements, differ
}

// readNames fills in the names. Version 01 may have them all in DAA: surname, first, middle, suffix; versions 02 and
// 03 have the given names together in DCT. It reports false if the card has no element for a surname.
func (a *AAMVA) readNames(elements map[string]string) bool {
	if whole, found := elements["DAA"]; found {
		separator := ","
		if at := strings.IndexAny(whole, ",$@"); at >= 0 { // the others are from magnetic stripes
			separator = whole[at : at+1]
		}
		parts := append(strings.Split(whole, separator), "", "", "")
		elements = map[string]string{"DCS": parts[0], "DAC": parts[1], "DAD": parts[2], "DCU": parts[3]}
		a.Suffix = nameIn(elements, "DCU")
	}
	_, hasSurname := elements["DCS"]
	_, hasOldSurname := elements["DAB"]
	a.Surname = nameIn(elements, "DCS", "DAB")
	a.GivenNames = strings.TrimSpace(nameIn(elements, "DAC") + " " + nameIn(elements, "DAD"))
	if a.GivenNames == "" {
		a.GivenNames = nameIn(elements, "DCT")
	}
	return hasSurname || hasOldSurname
}

// nameIn is the first of some elements that holds a name: NONE, and UNAVL for what was not recorded, are none. Commas
// stand for spaces between several names.
func nameIn(elements map[string]string, ids ...string) string {
	for _, id := range ids {
		words := strings.FieldsFunc(elements[id], func(char rune) bool { return char == ',' || char == ' ' })
		switch found := strings.Join(words, " "); strings.ToUpper(found) {
		case "", "NONE", "UNAVL":
		default:
			return found
		}
	}
	return ""
}

// aamvaDate reads eight digits; it reports false if they are none, or a day that does not exist.
func aamvaDate(text string, yearFirst bool) (tournament.Date, bool) {
	if len(text) != 8 || !allDigits(text) {
		return tournament.Date{}, false
	}
	year, month, day := text[4:8], text[0:2], text[2:4]
	if yearFirst {
		year, month, day = text[0:4], text[4:6], text[6:8]
	}
	return tournament.NewDate(decimal(year), time.Month(decimal(month)), decimal(day))
}
