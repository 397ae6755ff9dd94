package escpos

import (
	"fmt"

	"golang.org/x/text/encoding/charmap"
)

// Page is a code page as one printer has it. The same characters may stand under another number elsewhere.
type Page struct {
	Name   string // cp437, cp850, cp852, cp858 or cp1252
	Number byte   // the n of ESC t
}

// The code pages under Epson's numbers, which most others follow.
var (
	CP437  = Page{"cp437", 0}
	CP850  = Page{"cp850", 2}
	CP1252 = Page{"cp1252", 16}
	CP852  = Page{"cp852", 18}
	CP858  = Page{"cp858", 19}
)

// Pages are the code pages that this package can write, under Epson's numbers.
var Pages = []Page{CP437, CP850, CP1252, CP852, CP858}

// PageNamed returns the page of that name under Epson's number, and whether there is one.
func PageNamed(name string) (Page, bool) {
	for _, page := range Pages {
		if page.Name == name {
			return page, true
		}
	}
	return Page{}, false
}

var charmaps = map[string]*charmap.Charmap{
	"cp437":  charmap.CodePage437,
	"cp850":  charmap.CodePage850,
	"cp852":  charmap.CodePage852,
	"cp858":  charmap.CodePage858,
	"cp1252": charmap.Windows1252,
}

// Has reports whether the page can write the letter. Control characters are no letters.
func (p Page) Has(letter rune) bool {
	_, found := p.encode(letter)
	return found
}

func (p Page) encode(letter rune) (byte, bool) {
	switch {
	case letter < ' ' || letter == 0x7F || letter >= 0x80 && letter < 0xA0:
		return 0, false
	case letter < 0x7F:
		return byte(letter), true
	case letter == '\uFFFD':
		return 0, false
	}
	table, known := charmaps[p.Name]
	if !known {
		return 0, false
	}
	code, found := table.EncodeRune(letter)
	return code, found && code >= 0x80
}

// CodePage chooses the code page of the text that follows (ESC t).
type CodePage struct{ Page Page }

func (c CodePage) encode(state *state, to []byte) ([]byte, error) {
	if _, known := charmaps[c.Page.Name]; !known {
		return nil, fmt.Errorf("code page %q: %w: one of %v", c.Page.Name, ErrRange, Pages)
	}
	state.page = c.Page
	return append(to, esc, 't', c.Page.Number), nil
}

// Text prints letters, in the code page in force. Line breaks in it are LineFeeds; every other control character is
// refused, so that text can never be a command.
type Text struct{ Text string }

func (c Text) encode(state *state, to []byte) ([]byte, error) {
	page := state.page
	if page.Name == "" {
		page = CP437
	}
	for _, letter := range c.Text {
		if letter == '\n' {
			to = append(to, lf)
			continue
		}
		code, found := page.encode(letter)
		if !found {
			return nil, fmt.Errorf("%q in %s: %w", letter, page.Name, ErrCharacter)
		}
		to = append(to, code)
	}
	return to, nil
}
