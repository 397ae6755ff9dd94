package reader

import (
	"bytes"
	"slices"

	"reelkiosk/devices/identity"
)

// network is a range of the numbers that a payment network issues: the first digits (ISO/IEC 7812-1: the issuer
// identification number), as many in from as in to, and the lengths of the numbers.
type network struct {
	from, to string
	lengths  []int
	// usual is the length that nearly all of them have, if the range is narrow or much used: such a number is looked for at
	// any place in a row of digits. Of others a long row holds some by chance.
	usual int
}

var (
	anyLength    = []int{13, 14, 15, 16, 17, 18, 19}
	longerLength = []int{16, 17, 18, 19}
)

// networks are the ranges that ISO/IEC 7812 numbers of payment cards are in, as the networks publish them.
var networks = []network{
	{"4", "4", []int{13, 16, 19}, 16},  // Visa
	{"51", "55", []int{16}, 16},        // Mastercard
	{"2221", "2720", []int{16}, 16},    // Mastercard
	{"34", "34", []int{15}, 15},        // American Express
	{"37", "37", []int{15}, 15},        // American Express
	{"300", "305", anyLength[1:], 0},   // Diners Club
	{"3095", "3095", anyLength[1:], 0}, // Diners Club
	{"36", "36", anyLength[1:], 0},     // Diners Club
	{"38", "39", anyLength[1:], 0},     // Diners Club
	{"3528", "3589", longerLength, 16}, // JCB
	{"6011", "6011", longerLength, 16}, // Discover
	{"644", "659", longerLength, 16},   // Discover, RuPay, Verve
	{"62", "62", anyLength, 16},        // UnionPay
	{"2200", "2204", longerLength, 16}, // Mir
	{"50", "50", anyLength, 0},         // Maestro, Verve, RuPay
	{"56", "58", anyLength, 0},         // Maestro
	{"60", "69", anyLength, 0},         // Maestro and many others
	{"81", "82", longerLength, 0},      // UnionPay, RuPay
	{"9792", "9792", []int{16}, 16},    // Troy
}

// has reports whether a number may be of the network; loose says that it may be of a length that is not usual.
func (n network) has(number []byte, loose bool) bool {
	first := string(number[:min(len(n.from), len(number))])
	return n.from <= first && first <= n.to && (loose && slices.Contains(n.lengths, len(number)) || len(number) == n.usual)
}

const (
	shortestBankNumber, longestBankNumber = 13, 19 // ISO/IEC 7812-1, section 4; no payment card has fewer than 13
	formatCode                            = 2      // digits before the number on track 3 (ISO/IEC 4909)
	expiryAndService                      = 7      // digits before the issuer's own data on tracks 1 and 2 (ISO/IEC 7813)
)

// isBankNumber reports whether a field is the number of a bank's card: 13 to 19 digits with a right check digit (ISO/IEC
// 7812-1). It leaves spaces out of account, which some cards have in track 1.
func isBankNumber(field []byte) bool {
	var digits [longestBankNumber]byte
	defer clear(digits[:])
	count := 0
	for _, char := range field {
		switch {
		case char == ' ':
		case char < '0' || char > '9' || count == len(digits):
			return false
		default:
			digits[count] = char
			count++
		}
	}
	return count >= shortestBankNumber && identity.Luhn(digits[:count])
}

// holdsBankNumber reports whether a payment card's number stands in a row of digits of a text, perhaps with a space or a
// hyphen between them: at the beginning of a row, behind what a track has before it, at the end, or anywhere if it is of a
// usual length. Misread separators make one row of a number and what follows. Numbers that begin as the club's do are
// none.
func holdsBankNumber(text []byte, ours Members) bool {
	return digitRows(text, func(row []byte) bool {
		for start := range row {
			for length := shortestBankNumber; length <= longestBankNumber && start+length <= len(row); length++ {
				loose := beginsNumber(start) || start+length == len(row)
				if isPaymentNumber(row[start:start+length], loose, ours) {
					return true
				}
			}
		}
		return false
	})
}

// isBankNumberByItself is holdsBankNumber for a text that is known to be something else, such as a member's card: only a
// row that has nothing else in it counts, but for what a track has before a number.
func isBankNumberByItself(text []byte, ours Members) bool {
	return digitRows(text, func(row []byte) bool {
		for start := range row {
			if beginsNumber(start) && isPaymentNumber(row[start:], true, ours) {
				return true
			}
		}
		return false
	})
}

func beginsNumber(start int) bool {
	return start == 0 || start == formatCode || start == expiryAndService
}

func isPaymentNumber(digits []byte, loose bool, ours Members) bool {
	return slices.ContainsFunc(networks, func(n network) bool { return n.has(digits, loose) }) &&
		!bytes.HasPrefix(digits, ours.beginning()) && identity.Luhn(digits) && !isIdentityNumber(digits)
}

// isIdentityNumber reports whether digits that pass Luhn have the shape of a South African identity number: a day of a
// month, and a status that is issued. One number of thirteen digits in a hundred has it by chance.
func isIdentityNumber(digits []byte) bool {
	const month, day, status = 2, 4, 10
	return len(digits) == 13 && twoDigits(digits[month:]) >= 1 && twoDigits(digits[month:]) <= 12 &&
		twoDigits(digits[day:]) >= 1 && twoDigits(digits[day:]) <= 31 && digits[status] <= '2'
}

func twoDigits(digits []byte) int { return int(digits[0]-'0')*10 + int(digits[1]-'0') }

// beginning is what all of the club's numbers begin with; it is never empty, since nothing begins with a NUL.
func (m Members) beginning() []byte {
	same := 0
	for same < len(m.From) && m.From[same] == m.To[same] {
		same++
	}
	if same == 0 {
		return []byte{0}
	}
	return []byte(m.From[:same])
}

// digitRows gives every row of digits in a text to a function until that returns true, and reports whether it did. Single
// spaces and hyphens between digits are left out. The row is wiped afterwards.
func digitRows(text []byte, found func(row []byte) bool) bool {
	row := make([]byte, 0, len(text))
	defer clear(row[:cap(row)])
	for index, char := range text {
		switch {
		case isDigit(char):
			row = append(row, char)
			continue
		case joinsDigits(text, index):
			continue
		}
		if len(row) >= shortestBankNumber && found(row) {
			return true
		}
		row = row[:0]
	}
	return len(row) >= shortestBankNumber && found(row)
}

func joinsDigits(text []byte, index int) bool {
	return (text[index] == ' ' || text[index] == '-') && index > 0 && index+1 < len(text) &&
		isDigit(text[index-1]) && isDigit(text[index+1])
}

func isDigit(char byte) bool { return '0' <= char && char <= '9' }
