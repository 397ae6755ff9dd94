package service

import (
	"reelkiosk/kiosk/face"
	"reelkiosk/kiosk/firststart"
)

// across is how many keys stand beside each other: as many as a panel of 1080 holds that are 96 wide and 24 apart.
const across = 8

// addressRows are the keys of an address, figures first: most addresses are of nothing else. A gap stands for what the two
// keys of deleting take.
var addressRows = []string{"12345678", "90.:-", "abcdefgh", "ijklmnop", "qrstuvwx", "yz"}

// codeRows are the symbols that a code may have (tournament.EnrolmentCode), in order.
var codeRows = []string{"01234567", "89ABCDEF", "GHJKMNPQ", "RSTVWXYZ"}

// keyboard is where keys stand.
type keyboard struct{ x, y, w, h float32 }

// board returns the keyboard of so many rows between the matter and the gold button; beside them in landscape. Rows are
// as high as fits.
func (s *screen) board(top float32, rows int) keyboard {
	bottom := s.gold - face.Gap
	if s.wide {
		top, bottom = headTop, s.next+nextHeight
	}
	w := (s.keys.w - (across-1)*face.Gap) / across
	h := (bottom-top+face.Gap)/float32(rows) - face.Gap
	return keyboard{s.keys.x, top, w, h}
}

// at returns where a key stands that is so many keys wide.
func (k keyboard) at(row, from, wide int) (x, y, w, h float32) {
	return k.x + float32(from)*(k.w+face.Gap), k.y + float32(row)*(k.h+face.Gap),
		float32(wide)*(k.w+face.Gap) - face.Gap, k.h
}

// key draws the key of a symbol.
func (s *screen) key(k keyboard, row, from int, symbol rune) {
	x, y, w, h := k.at(row, from, 1)
	s.Outline(x, y, w, h, face.Radius, face.Stroke, face.Raised, face.Line)
	s.Label(x, y, w, h, string(symbol), face.CardTitle, face.Centre)
	s.Answer(face.Touch{X: x, Y: y, W: w, H: h, Radius: face.Radius, Ring: face.Paper, Event: firststart.Symbol{Symbol: symbol}})
}

// wideKey draws a key with a word.
func (s *screen) wideKey(k keyboard, row, from, wide int, id string, button firststart.Button) {
	x, y, w, h := k.at(row, from, wide)
	s.Outline(x, y, w, h, face.Radius, face.Stroke, face.Nothing, face.Line)
	s.Label(x+12, y, w-24, h, s.said.Say(id), face.Body, face.Centre)
	s.Answer(face.Touch{X: x, Y: y, W: w, H: h, Radius: face.Radius, Ring: face.Paper, Event: pressed(button)})
}

func (s *screen) symbols(k keyboard, rows []string) {
	for row, symbols := range rows {
		for from, symbol := range symbols {
			s.key(k, row, from, symbol)
		}
	}
}

func (s *screen) addressKeys() {
	k := s.board(fieldTop+fieldHeight+120, len(addressRows))
	s.symbols(k, addressRows)
	s.wideKey(k, 1, 5, 3, "first.key.delete", firststart.ButtonDelete)
	s.wideKey(k, 5, 5, 3, "first.key.clear", firststart.ButtonClear)
}

func (s *screen) codeKeys() {
	k := s.board(fieldTop+fieldHeight+288, len(codeRows)+1)
	s.symbols(k, codeRows)
	s.wideKey(k, len(codeRows), 0, 4, "first.key.clear", firststart.ButtonClear)
	s.wideKey(k, len(codeRows), 4, 4, "first.key.delete", firststart.ButtonDelete)
}
