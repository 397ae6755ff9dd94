package tournament

import "io"

// codeConstant tells an enrolment code from a ticket's and a receipt's number.
const codeConstant = 27

// EnrolmentCode is what a technician types to enrol a kiosk, in its canonical form: seventeen symbols, upper case, made
// as ticket numbers are. It is a secret: whoever has it within its time becomes that kiosk.
type EnrolmentCode string

// NewEnrolmentCode makes an enrolment code from 80 bits of random. The error is random's.
func NewEnrolmentCode(random io.Reader) (EnrolmentCode, error) {
	text, err := newNumber(random, codeConstant)
	return EnrolmentCode(text), err
}

// ParseEnrolmentCode reads an enrolment code as typed, and returns its canonical form. The error wraps ErrNumber and never
// repeats the text.
func ParseEnrolmentCode(text string) (EnrolmentCode, error) {
	canonical, err := parseNumber(text, codeConstant)
	return EnrolmentCode(canonical), err
}

// Grouped returns the code as it is shown to people: "XXXX XXXX XXXX XXXX X".
func (c EnrolmentCode) Grouped() string { return grouped(string(c)) }

// CodeSymbol returns the canonical symbol for one as people type it, and whether it is one that a code may have.
func CodeSymbol(typed rune) (rune, bool) {
	if typed < '0' || typed > 'z' {
		return 0, false
	}
	value := symbolValue(byte(typed))
	if value < 0 {
		return 0, false
	}
	return rune(crockford[value]), true
}
