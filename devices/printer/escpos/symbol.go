package escpos

import (
	"fmt"
	"strings"
)

// Level is how much damage a QR code bears.
type Level byte

// The levels, with the parameters of GS ( k, function 169: 7, 15, 25 and 30 % of the code words.
const (
	LevelL Level = iota + 48
	LevelM
	LevelQ
	LevelH
)

// String returns L, M, Q or H.
func (l Level) String() string {
	if l < LevelL || l > LevelH {
		return fmt.Sprintf("level %d", byte(l))
	}
	return "LMQH"[l-LevelL:][:1]
}

// QR has the printer make a QR code (GS ( k, functions 165, 167, 169, 180 and 181), model 2, in the smallest version
// that holds the data. No white margin is printed with it.
type QR struct {
	Data   string // 1 to 7,089 bytes; best ASCII, since readers do not agree on anything else
	Module int    // dots a side of a module, 1 to 16
	Level  Level
}

func (c QR) encode(_ *state, to []byte) ([]byte, error) {
	switch {
	case len(c.Data) == 0 || len(c.Data) > 7089:
		return nil, fmt.Errorf("QR code of %d bytes: %w: 1 to 7089", len(c.Data), ErrRange)
	case c.Module < 1 || c.Module > 16:
		return nil, fmt.Errorf("QR module of %d dots: %w: 1 to 16", c.Module, ErrRange)
	case c.Level < LevelL || c.Level > LevelH:
		return nil, fmt.Errorf("QR %v: %w: L, M, Q or H", c.Level, ErrRange)
	}
	to = appendSymbol(to, 65, 50, 0)
	to = appendSymbol(to, 67, byte(c.Module))
	to = appendSymbol(to, 69, byte(c.Level))
	to = appendSymbol(to, 80, append([]byte{48}, c.Data...)...)
	return appendSymbol(to, 81, 48), nil
}

// appendSymbol appends GS ( k for a QR code (cn = 49). The length counts the two bytes cn and fn.
func appendSymbol(to []byte, function byte, parameters ...byte) []byte {
	length := len(parameters) + 2
	to = append(to, gs, '(', 'k', byte(length), byte(length>>8), 49, function)
	return append(to, parameters...)
}

// Code128 prints a Code 128 in code set B, without the text under it (GS h, GS w, GS H, GS k 73).
type Code128 struct {
	Data   string // characters 20 to 7E
	Height int    // dots, 1 to 255
	Width  int    // dots of a module, 2 to 6
}

// Dots returns how wide the symbol is, without its white margins of 10 modules: 11 modules each for the start, every
// character and the check, 13 for the stop (ISO/IEC 15417).
func (c Code128) Dots() int { return (11*(len(c.Data)+2) + 13) * c.Width }

func (c Code128) encode(_ *state, to []byte) ([]byte, error) {
	if c.Height < 1 || c.Height > 255 || c.Width < 2 || c.Width > 6 {
		return nil, fmt.Errorf("Code 128 of height %d, width %d: %w: 1 to 255, 2 to 6", c.Height, c.Width, ErrRange)
	}
	for at := range len(c.Data) {
		if !inProcessID(c.Data[at]) {
			return nil, fmt.Errorf("Code 128 %q: %w: characters 20 to 7E", c.Data, ErrRange)
		}
	}
	// A brace announces a code set; two are one brace.
	data := "{B" + strings.ReplaceAll(c.Data, "{", "{{")
	if len(c.Data) == 0 || len(data) > 255 {
		return nil, fmt.Errorf("Code 128 of %d characters: %w: 1 to 253 bytes", len(c.Data), ErrRange)
	}
	to = append(to, gs, 'h', byte(c.Height), gs, 'w', byte(c.Width), gs, 'H', 0, gs, 'k', 73, byte(len(data)))
	return append(to, data...), nil
}
