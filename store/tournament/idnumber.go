package tournament

import (
	"errors"
	"strings"
	"time"
)

var (
	// ErrIDNumber is returned where a text cannot be a South African identity number: it has not thirteen digits, begins with
	// a day that no calendar has, or its check digit is wrong.
	ErrIDNumber = errors.New("no South African identity number")
	// ErrIDBirth is returned where an identity number begins with another day than its holder's birth date.
	ErrIDBirth = errors.New("an identity number of another birth date")
)

// idNumberLength is how many digits an identity number has.
const idNumberLength = 13

// CheckIDNumber returns nil where a text can be the South African identity number (YYMMDD SSSS C A Z, Z being a check digit)
// of somebody who was born on that day, which may be zero, and otherwise ErrIDNumber or ErrIDBirth. The number does not say
// the century; spaces and hyphens do not matter.
func CheckIDNumber(number string, born Date) error {
	number = strings.NewReplacer(" ", "", "-", "").Replace(number)
	if len(number) != idNumberLength || !digits(number) || !Luhn(number) {
		return ErrIDNumber
	}
	two := func(at int) int { return int(number[at]-'0')*10 + int(number[at+1]-'0') }
	year, month, day := two(0), time.Month(two(2)), two(4)
	_, early := NewDate(1900+year, month, day)
	_, late := NewDate(2000+year, month, day)
	switch {
	case !early && !late:
		return ErrIDNumber
	case !born.IsZero() && (born.Year%100 != year || born.Month != month || born.Day != day):
		return ErrIDBirth
	}
	return nil
}

// Luhn reports whether the last of some digits is the right check digit over them (ISO/IEC 7812-1, annex B): from the
// right, every second digit is doubled, and the digits of it all must sum to a multiple of ten. The text must hold
// nothing but digits.
func Luhn[Text ~string | ~[]byte](digits Text) bool {
	sum := 0
	for index := range len(digits) {
		digit := int(digits[len(digits)-1-index] - '0')
		if index%2 == 1 {
			digit = digit*2/10 + digit*2%10
		}
		sum += digit
	}
	return len(digits) > 0 && sum%10 == 0
}

func digits(text string) bool {
	for index := range len(text) {
		if text[index] < '0' || text[index] > '9' {
			return false
		}
	}
	return true
}
