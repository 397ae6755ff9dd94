package tournament

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// A ticket or receipt number is 80 random bits as sixteen symbols of Crockford's base 32 (0 to 9 and A to Z without
// I, L, O and U), followed by a check symbol. People read them out and type them, so that I and L are read as 1, O as 0,
// and case, spaces and hyphens do not matter.
//
// The check symbol makes the word a codeword over GF(32), the field of x^5 + x^2 + 1, whose elements are the symbols'
// values: the sum of symbol i times a^i over all seventeen is a constant, where a is a primitive element. A single misread
// changes one term, and two neighbours that change places change the sum by their difference times a^i (a + 1), which are
// never 0 in a field. So each single misread and each transposition of different symbols is caught, and so is any swap of
// two symbols wherever they stand, since the seventeen powers of a are all different. Tickets and receipts have different
// constants: one never passes for the other.

// NumberLength is the number of symbols of a ticket or receipt number, the check symbol included.
const NumberLength = 17

// randomBytes is how many random bytes a number holds: 80 bits (design decision 5).
const randomBytes = 10

// crockford lists the symbols in the order of their values (Douglas Crockford, Base 32).
const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// The constants that tell a ticket's number from a receipt's.
const (
	ticketConstant  = 10
	receiptConstant = 21
)

// ErrNumber is wrapped by ParseTicketNumber and ParseReceiptNumber where the text is no such number: wrong length, a
// symbol that does not exist, or a check symbol that does not fit.
var ErrNumber = errors.New("not a valid number")

// TicketNumber is the number of one copy of a seat's ticket, in its canonical form: seventeen symbols, upper case.
type TicketNumber string

// ReceiptNumber is the number on the receipt of a purchase, in its canonical form: seventeen symbols, upper case. It is
// the only claim to a purchase for which no name was taken.
type ReceiptNumber string

// NewTicketNumber makes a ticket number from 80 bits of random. The error is random's.
func NewTicketNumber(random io.Reader) (TicketNumber, error) {
	text, err := newNumber(random, ticketConstant)
	return TicketNumber(text), err
}

// NewReceiptNumber makes a receipt number from 80 bits of random. The error is random's.
func NewReceiptNumber(random io.Reader) (ReceiptNumber, error) {
	text, err := newNumber(random, receiptConstant)
	return ReceiptNumber(text), err
}

// ParseTicketNumber reads a ticket number as typed or scanned, and returns its canonical form. The error wraps ErrNumber
// and never repeats the text.
func ParseTicketNumber(text string) (TicketNumber, error) {
	canonical, err := parseNumber(text, ticketConstant)
	return TicketNumber(canonical), err
}

// ParseReceiptNumber reads a receipt number as typed or scanned, and returns its canonical form. The error wraps
// ErrNumber and never repeats the text.
func ParseReceiptNumber(text string) (ReceiptNumber, error) {
	canonical, err := parseNumber(text, receiptConstant)
	return ReceiptNumber(canonical), err
}

// Grouped returns the number as it is printed for people: "XXXX XXXX XXXX XXXX X".
func (n TicketNumber) Grouped() string { return grouped(string(n)) }

// Grouped returns the number as it is printed for people: "XXXX XXXX XXXX XXXX X".
func (n ReceiptNumber) Grouped() string { return grouped(string(n)) }

func grouped(number string) string {
	var text strings.Builder
	for i, symbol := range number {
		if i > 0 && i%4 == 0 {
			text.WriteByte(' ')
		}
		text.WriteRune(symbol)
	}
	return text.String()
}

func newNumber(random io.Reader, constant byte) (string, error) {
	var bits [randomBytes]byte
	if _, err := io.ReadFull(random, bits[:]); err != nil {
		return "", fmt.Errorf("drawing a number: %w", err)
	}
	var values [NumberLength]byte
	for i := range values[:NumberLength-1] {
		// Symbol i is bits 5i to 5i+4, the most significant first.
		at := i * 5
		pair := uint16(bits[at/8]) << 8
		if at/8+1 < randomBytes {
			pair |= uint16(bits[at/8+1])
		}
		values[i] = byte(pair>>(11-at%8)) & 31
	}
	// The check symbol's own power is a^16; dividing by it is multiplying by a^15, since a^31 is 1.
	values[NumberLength-1] = times(sum(values[:NumberLength-1])^constant, powers[15])
	text := make([]byte, NumberLength)
	for i, value := range values {
		text[i] = crockford[value]
	}
	return string(text), nil
}

func parseNumber(text string, constant byte) (string, error) {
	canonical := make([]byte, 0, NumberLength)
	values := make([]byte, 0, NumberLength)
	for _, c := range []byte(text) {
		if c == ' ' || c == '-' {
			continue
		}
		value := symbolValue(c)
		if value < 0 {
			return "", fmt.Errorf("%w: it holds a character that no number has", ErrNumber)
		}
		if len(values) == NumberLength {
			return "", fmt.Errorf("%w: longer than %d symbols", ErrNumber, NumberLength)
		}
		values = append(values, byte(value))
		canonical = append(canonical, crockford[value])
	}
	if len(values) < NumberLength {
		return "", fmt.Errorf("%w: %d symbols of %d", ErrNumber, len(values), NumberLength)
	}
	if sum(values) != constant {
		return "", fmt.Errorf("%w: the check symbol does not fit", ErrNumber)
	}
	return string(canonical), nil
}

// symbolValue returns the value of a symbol as people write it, or -1.
func symbolValue(c byte) int {
	if c >= 'a' && c <= 'z' {
		c -= 'a' - 'A'
	}
	switch c {
	case 'I', 'L':
		return 1
	case 'O':
		return 0
	}
	return strings.IndexByte(crockford, c)
}

// sum adds up symbol i times a^i in GF(32).
func sum(values []byte) byte {
	var total byte
	for i, value := range values {
		total ^= times(value, powers[i])
	}
	return total
}

// powers are a^0 to a^30 for a = x, a primitive element.
var powers = func() (table [31]byte) {
	value := byte(1)
	for i := range table {
		table[i] = value
		value = times(value, 2)
	}
	return table
}()

// times multiplies in GF(32), the polynomials over GF(2) modulo x^5 + x^2 + 1.
func times(left, right byte) byte {
	const modulus = 0b100101
	var product byte
	for ; right > 0; right >>= 1 {
		if right&1 == 1 {
			product ^= left
		}
		if left <<= 1; left&0b100000 != 0 {
			left ^= modulus
		}
	}
	return product
}
