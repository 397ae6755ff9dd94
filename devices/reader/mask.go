package reader

import "strings"

// What support staff see of a read that was not recognised must not be a bank card's number with one byte wrong. Its
// digits are hidden where they stand together as in such a number.
const (
	hiddenRow   = 9  // so many digits in a row are hidden
	hiddenGroup = 12 // and so many with single spaces or hyphens between
	hidden      = '#'
)

// masked hides long rows of digits in a JSON text, in place. Escapes are no digits.
func masked(json []byte) []byte {
	for start := 0; start < len(json); {
		if json[start] == '\\' {
			start += 2
			if json[start-1] == 'u' {
				start += 4
			}
			continue
		}
		if !isDigit(json[start]) {
			start++
			continue
		}
		end, digits, row, longest := start, 0, 0, 0
		for end < len(json) && (isDigit(json[end]) || joinsDigits(json, end)) {
			row++
			if !isDigit(json[end]) {
				row = 0
			} else {
				digits++
			}
			longest = max(longest, row)
			end++
		}
		for ; start < end; start++ {
			if isDigit(json[start]) && (longest >= hiddenRow || digits >= hiddenGroup) {
				json[start] = hidden
			}
		}
	}
	return json
}

// hide is a text with every digit hidden.
func hide(text string) string {
	return strings.Map(func(char rune) rune {
		if '0' <= char && char <= '9' {
			return hidden
		}
		return char
	}, text)
}

// shape is what a track looks like: hidden digits, letters as A, all else as it is.
func shape(data []byte) string {
	drawn := make([]byte, len(data))
	for index, char := range data {
		switch {
		case isDigit(char):
			drawn[index] = hidden
		case isLetter(char):
			drawn[index] = 'A'
		default:
			drawn[index] = char
		}
	}
	return string(drawn)
}
