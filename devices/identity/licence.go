package identity

import (
	"bytes"
	"math/big"
	"strings"
	"time"

	"reelkiosk/store/tournament"
)

// Licence is what the PDF417 symbol of a South African driving licence says, its picture left out.
type Licence struct {
	Surname        string `json:"surname"`
	Initials       string `json:"initials"`
	IDNumber       string `json:"id_number,omitempty"`       // South African identity number
	ForeignNumber  string `json:"foreign_number,omitempty"`  // the holder's number, if it is no South African one
	ForeignCountry string `json:"foreign_country,omitempty"` // where that was issued
	Number         string `json:"number"`                    // the licence's
	Birth
	ValidFrom tournament.Date `json:"valid_from,omitzero"`
	Expiry
	Sex   string `json:"sex"`   // M, F or X
	Flags []Flag `json:"flags"` // where the licence disagrees with the identity number

	number Number // zero for a foreigner
	agreed Birth  // by which age is counted: the number's, where the licence's own cannot be
}

// The shape of the symbol. It has six bytes of header, the first four of which say which keys are needed, then five
// blocks of 128 bytes and one of 74, each enciphered by itself. Each block deciphered begins with five marker bytes,
// which are no content.
const (
	licenceHeader  = 6
	licenceVersion = 4
	longBlock      = 128
	longBlocks     = 5
	shortBlock     = 74
	blockMarker    = 5
)

// LicenceLength is how many bytes the symbol of a South African driving licence holds.
const LicenceLength = licenceHeader + longBlocks*longBlock + shortBlock

// licenceVersions are the headers that licences begin with, of the older and the newer keys.
var licenceVersions = [][licenceVersion]byte{{0x01, 0xe1, 0x02, 0x45}, {0x01, 0x9b, 0x09, 0x45}}

// IsLicence reports whether a scan begins as a South African driving licence does, if the scanner sends bytes as they
// are.
func IsLicence(scan []byte) bool {
	for _, version := range licenceVersions {
		if bytes.HasPrefix(scan, version[:]) {
			return true
		}
	}
	return false
}

// isConvertedLicence reports whether a scan begins as a driving licence does on a scanner that turns each byte into a
// character of UTF-8: 720 bytes become about 1,063, and what it takes for no character is lost.
func isConvertedLicence(scan []byte) bool {
	for _, version := range licenceVersions {
		char := version[1]
		for _, second := range []string{string(rune(char)), "\ufffd"} {
			if bytes.HasPrefix(scan, append(append([]byte{version[0]}, second...), version[2:]...)) {
				return true
			}
		}
	}
	return false
}

// ParseLicence reads the bytes of a driving licence on a day. It returns ErrNotRaw for bytes turned into UTF-8,
// ErrContent for a header of neither version, ErrLength unless there are 720 bytes, ErrNoKey if the keys lack those of
// the version, ErrContent if what the keys give is no licence, ErrIDNumber for a wrong South African number and
// ErrBirthDate.
//
// The layout is public by the work of those who read their own licences; there is no standard.
func ParseLicence(scan []byte, keys LicenceKeys, on tournament.Date) (Licence, error) {
	switch {
	case isConvertedLicence(scan):
		return Licence{}, ErrNotRaw
	case !IsLicence(scan):
		return Licence{}, ErrContent
	case len(scan) != LicenceLength:
		return Licence{}, ErrLength
	}
	pair := keys[[licenceVersion]byte(scan)]
	if pair.Long == nil || pair.Short == nil {
		return Licence{}, ErrNoKey
	}
	content := make([]byte, 0, LicenceLength)
	for rest := scan[licenceHeader:]; len(rest) > 0; {
		key, size := pair.Long, longBlock
		if len(rest) == shortBlock {
			key, size = pair.Short, shortBlock
		}
		block := make([]byte, size)
		plain := new(big.Int).Exp(new(big.Int).SetBytes(rest[:size]), key.Exponent, key.Modulus)
		if plain.BitLen() > 8*size {
			return Licence{}, ErrContent
		}
		content = append(content, plain.FillBytes(block)[blockMarker:]...)
		rest = rest[size:]
	}
	return parseLicenceContent(content, on)
}

// The head of the content: ten bytes, of which the sixth, the eighth and the low twelve bits of the last two are the
// lengths of three sections: strings, nibbles, picture.
const (
	contentHead    = 10
	stringsLength  = 5
	nibblesLength  = 7
	licenceStrings = 15
)

// The places of the strings that are used. Four codes of vehicles stand first.
const (
	licenceSurname   = 4
	licenceInitials  = 5
	licenceIDCountry = 7
	licenceNumber    = 13
	licenceIDNumber  = 14
)

// idTypeSouthAfrican says that the holder's number is a South African one; others are of foreigners.
const idTypeSouthAfrican = 2

func parseLicenceContent(content []byte, on tournament.Date) (Licence, error) {
	nibblesAt := contentHead + int(content[stringsLength])
	pictureAt := nibblesAt + int(content[nibblesLength])
	if pictureAt > len(content) {
		return Licence{}, ErrContent
	}
	texts := licenceTexts(content[contentHead:nibblesAt])
	if len(texts) != licenceStrings {
		return Licence{}, ErrContent
	}
	nibbles := &nibbleReader{bytes: content[nibblesAt:pictureAt]}
	idType := nibbles.pair()
	for range 4 { // since when each code of vehicle is held
		nibbles.date()
	}
	nibbles.pair() // the driver's restrictions
	nibbles.date() // until when the professional permit is valid
	nibbles.pair() // how many licences were issued
	birthDate := nibbles.date()
	from := nibbles.date()
	to := nibbles.date()
	sex := nibbles.pair()
	if nibbles.wrong || texts[licenceSurname] == "" || texts[licenceNumber] == "" {
		return Licence{}, ErrContent
	}
	licence := Licence{
		Surname: texts[licenceSurname], Initials: texts[licenceInitials], Number: texts[licenceNumber],
		ValidFrom: from, Sex: map[int]string{1: "M", 2: "F"}[sex], Flags: []Flag{},
	}
	if licence.Sex == "" {
		licence.Sex = "X"
	}
	var born bool
	if licence.Birth, born = bornOn(birthDate, on); birthDate.IsZero() || !born {
		return Licence{}, ErrBirthDate
	}
	licence.agreed = licence.Birth
	if !to.IsZero() {
		licence.Expiry = expiresOn(to, on)
	}
	if idType != idTypeSouthAfrican {
		licence.ForeignNumber, licence.ForeignCountry = texts[licenceIDNumber], texts[licenceIDCountry]
		return licence, nil
	}
	number, err := ParseNumber(texts[licenceIDNumber], on)
	if err != nil {
		return Licence{}, ErrIDNumber
	}
	licence.IDNumber, licence.number = number.Digits, number
	var mismatch []Flag
	licence.agreed, mismatch = licence.Birth.agreedWith(number.Birth)
	licence.Flags, licence.AgeClass = append(licence.Flags, mismatch...), licence.agreed.AgeClass
	if licence.Sex != number.Sex {
		licence.Flags = append(licence.Flags, FlagSexMismatch)
	}
	return licence, nil
}

// Document sums up the licence. Age is counted from the identity number, whatever the licence says beside it.
func (l Licence) Document() Document {
	return Document{
		Kind: KindLicence, Surname: l.Surname, GivenNames: l.Initials, IDNumber: l.IDNumber, Number: l.Number,
		Issuer: "ZAF", BirthDate: l.agreed.BirthDate, BirthDateCandidates: l.agreed.BirthDateCandidates,
		AgeClass: l.agreed.AgeClass, Expiry: l.ExpiryDate, Flags: append(append([]Flag{}, l.Flags...), l.number.Flags...),
	}
}

// licenceTexts divides the section of strings. E0 stands between two strings; E1 does too, and says that the next
// one is empty and has no separator of its own behind it. The strings are in Latin-1.
func licenceTexts(section []byte) []string {
	var texts []string
	start := 0
	for index, char := range section {
		if char != 0xe0 && char != 0xe1 {
			continue
		}
		if char == 0xe0 || index == 0 || section[index-1] != 0xe1 {
			texts = append(texts, decoded(string(section[start:index])))
		}
		if char == 0xe1 {
			texts = append(texts, "")
		}
		start = index + 1
	}
	return append(texts, strings.TrimRight(decoded(string(section[start:])), "\x00"))
}

// nibbleReader reads half bytes, the higher half first. It is wrong once it was asked for what is not there.
type nibbleReader struct {
	bytes []byte
	at    int
	wrong bool
}

func (r *nibbleReader) next() int {
	if r.at/2 >= len(r.bytes) {
		r.wrong = true
		return 0
	}
	char := r.bytes[r.at/2]
	r.at++
	if r.at%2 == 1 {
		return int(char >> 4)
	}
	return int(char & 0xf)
}

// pair is a number of two digits.
func (r *nibbleReader) pair() int { return r.next()*10 + r.next() }

// date is YYYYMMDD, a digit in each nibble, or the one nibble A if there is no date.
func (r *nibbleReader) date() tournament.Date {
	first := r.next()
	if first == 0xa {
		return tournament.Date{}
	}
	digits := [8]int{first}
	for index := 1; index < len(digits); index++ {
		digits[index] = r.next()
	}
	year := digits[0]*1000 + digits[1]*100 + digits[2]*10 + digits[3]
	date, exists := tournament.NewDate(year, time.Month(digits[4]*10+digits[5]), digits[6]*10+digits[7])
	r.wrong = r.wrong || !exists
	return date
}
