package emulator

import (
	"fmt"
	"strings"

	"reelkiosk/store/tournament"
)

// IdentityNumber makes a South African identity number, YYMMDD SSSS C A Z: serial from 0 to 9999, from 5000 for men; a
// citizen; A is 8; Z is the check digit (Luhn).
func IdentityNumber(born tournament.Date, serial int) string {
	digits := fmt.Sprintf("%02d%02d%02d%04d08", born.Year%100, born.Month, born.Day, serial%10000)
	sum := 0
	for index, digit := range digits {
		value := int(digit - '0')
		if index%2 == 1 { // the check digit is the 13th: every second one before it is doubled
			value *= 2
			value = value/10 + value%10
		}
		sum += value
	}
	return digits + string(rune('0'+(10-sum%10)%10))
}

// GreenBook is the green identity book, whose symbol holds the number alone.
func GreenBook(number string) Symbol { return Code39(number) }

// SmartCard is what stands in the symbol of a South African smart identity card.
type SmartCard struct {
	Surname, GivenNames string
	Sex                 string // M or F
	Number              string // identity number
	Born, Issued        tournament.Date
	CardNumber          string
}

// Symbol returns the card's PDF417: twelve fields between bars. Letters beyond ASCII are UTF-8.
func (c SmartCard) Symbol() Symbol {
	return PDF417([]byte(strings.Join([]string{
		c.Surname, c.GivenNames, c.Sex, "RSA", c.Number, dayMonthYear(c.Born), "RSA", "CITIZEN", dayMonthYear(c.Issued),
		"23370", c.CardNumber, strings.Repeat("1234567890", 10),
	}, "|")))
}

func dayMonthYear(date tournament.Date) string {
	return fmt.Sprintf("%02d %s %04d", date.Day, strings.ToUpper(date.Month.String()[:3]), date.Year)
}

// Passport is what stands in the machine-readable zone of a passport (ICAO 9303 part 4, TD3). Names are in the letters A
// to Z and spaces.
type Passport struct {
	Issuer, Nationality string // three letters
	Surname, GivenNames string
	Number              string // up to nine characters
	Born, Expires       tournament.Date
	Sex                 string // M, F or <
	Optional            string // up to fourteen characters
}

// Lines returns the two lines of 44 characters.
func (p Passport) Lines() []string {
	names := strings.ReplaceAll(p.Surname+"  "+p.GivenNames, " ", "<")
	number := withCheck(fill(p.Number, 9))
	born, expires := withCheck(sixDigits(p.Born)), withCheck(sixDigits(p.Expires))
	optional := withCheck(fill(p.Optional, 14))
	whole := number + born + expires + optional
	return []string{
		fill("P<"+fill(p.Issuer, 3)+names, 44),
		number + fill(p.Nationality, 3) + born + fill(p.Sex, 1) + expires + optional + checkDigit(whole),
	}
}

// Symbol returns the zone as a scanner that reads text sends it.
func (p Passport) Symbol() Symbol { return OCRB(p.Lines()...) }

func sixDigits(date tournament.Date) string {
	return fmt.Sprintf("%02d%02d%02d", date.Year%100, date.Month, date.Day)
}

func fill(text string, width int) string {
	return (text + strings.Repeat("<", width))[:width]
}

func withCheck(field string) string { return field + checkDigit(field) }

// checkDigit returns the sum of a field's characters, weighted 7, 3, 1 over and over, modulo ten (ICAO 9303 part 3, 4.9).
func checkDigit(field string) string {
	sum := 0
	for index, character := range field {
		value := 0
		switch {
		case character >= '0' && character <= '9':
			value = int(character - '0')
		case character >= 'A' && character <= 'Z':
			value = int(character-'A') + 10
		}
		sum += value * [...]int{7, 3, 1}[index%3]
	}
	return string(rune('0' + sum%10))
}
