package identity

import (
	"strings"
	"time"

	"reelkiosk/store/tournament"
)

// Number is what a South African identity number says: YYMMDD SSSS C A Z. Serials SSSS from 5000 are men's; C is the
// status; A was once the holder's race and is now 8 or 9; Z is a check digit over all thirteen (Luhn, ISO/IEC 7812-1
// annex B). The check digit misses 09 typed for 90, and 22 for 55, 33 for 66 and 44 for 77.
type Number struct {
	Digits string `json:"-"`
	Birth
	Sex    string `json:"sex"`    // M or F
	Status string `json:"status"` // citizen, permanent-resident, refugee or unknown
	Flags  []Flag `json:"flags"`
}

// numberLength is how many digits an identity number has.
const numberLength = 13

// ParseNumber reads an identity number on a day. It returns ErrCharacters if the text holds anything but the digits 0
// to 9, ErrLength unless there are thirteen, ErrDate if neither century has the day, and ErrCheckDigit: the first that
// applies.
func ParseNumber(text string, on tournament.Date) (Number, error) {
	if !allDigits(text) {
		return Number{}, ErrCharacters
	}
	if len(text) != numberLength {
		return Number{}, ErrLength
	}
	birth, exists := bornInYear(decimal(text[0:2]), time.Month(decimal(text[2:4])), decimal(text[4:6]), on)
	if !exists {
		return Number{}, ErrDate
	}
	if !Luhn(text) {
		return Number{}, ErrCheckDigit
	}
	number := Number{Digits: text, Birth: birth, Sex: "F", Flags: []Flag{}}
	if decimal(text[6:10]) >= 5000 {
		number.Sex = "M"
	}
	switch text[10] {
	case '0':
		number.Status = "citizen"
	case '1':
		number.Status = "permanent-resident"
	case '2':
		number.Status = "refugee"
	default:
		number.Status = "unknown"
		number.Flags = append(number.Flags, FlagStatusDigit)
	}
	if text[11] < '8' {
		number.Flags = append(number.Flags, FlagOldADigit)
	}
	return number, nil
}

// ParseBook reads the bar code of a green identity book: the number alone, in Code 39, whose asterisks (the start and
// stop characters) some scanners send. The errors are those of ParseNumber.
func ParseBook(text string, on tournament.Date) (Number, error) {
	if inner, found := strings.CutPrefix(text, "*"); found {
		if inner, found = strings.CutSuffix(inner, "*"); found {
			text = inner
		}
	}
	return ParseNumber(text, on)
}

// Document sums up the number as a green book, which has no names and no expiry.
func (n Number) Document() Document {
	return Document{
		Kind: KindBook, IDNumber: n.Digits, Issuer: "ZAF",
		BirthDate: n.BirthDate, BirthDateCandidates: n.BirthDateCandidates, AgeClass: n.AgeClass, Flags: n.Flags,
	}
}

// Luhn reports whether the last of some digits is the right check digit over them (tournament.Luhn).
func Luhn[Text ~string | ~[]byte](digits Text) bool { return tournament.Luhn(digits) }

func allDigits(text string) bool {
	for index := range len(text) {
		if text[index] < '0' || text[index] > '9' {
			return false
		}
	}
	return true
}

// decimal is the value of a few digits.
func decimal(digits string) int {
	value := 0
	for index := range len(digits) {
		value = value*10 + int(digits[index]-'0')
	}
	return value
}
