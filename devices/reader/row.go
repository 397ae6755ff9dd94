package reader

import (
	"fmt"
	"strings"
	"time"
)

// Row is some bytes of a burst as a technician sees them.
type Row struct {
	// After is when they came, from the beginning of the burst.
	After time.Duration `json:"after"`
	// Hex are two digits a byte, or •• for one that is hidden; Text is what they stand for, # for a hidden digit, A for a
	// hidden letter, · for a hidden byte of another kind.
	Hex  string `json:"hex"`
	Text string `json:"text"`
}

// Rows returns the bytes in rows of so many. Digits and letters are hidden unless whole is set: they may be anybody's number
// or name. What was heard at a wrong speed is hidden altogether, since it is not known what it would give away.
func (b Burst) Rows(width int, whole bool) (rows []Row) {
	hideAll := !whole && garbled(b.Bytes())
	after := time.Duration(0)
	for _, piece := range b.Pieces {
		after += piece.After
		for from := 0; from < len(piece.Data); from += width {
			row := Row{After: after}
			var hexes []string
			for _, char := range piece.Data[from:min(from+width, len(piece.Data))] {
				hex, text := shown(char, hideAll, whole)
				hexes = append(hexes, hex)
				row.Text += text
			}
			row.Hex = strings.Join(hexes, " ")
			rows = append(rows, row)
		}
	}
	return rows
}

var controls = map[byte]string{'\r': "␍", '\n': "␊", '\t': "␉", 0x02: "␂", 0x03: "␃", 0x1b: "␛", 0: "␀"}

// shown is a byte in hexadecimal and as text.
func shown(char byte, hideAll, whole bool) (hex, text string) {
	low := char & 0x7F
	hex = fmt.Sprintf("%02x", char)
	switch {
	case whole && ' ' <= char && char <= '~':
		return hex, string(rune(char))
	case hideAll:
		return "••", "·"
	case !whole && isDigit(low):
		return "••", "#"
	case !whole && isLetter(low):
		return "••", "A"
	case controls[char] != "":
		return hex, controls[char]
	case ' ' <= char && char <= '~':
		return hex, string(rune(char))
	}
	return hex, "·"
}
