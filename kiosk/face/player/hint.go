package player

import (
	"reelkiosk/kiosk/face"
)

// hintBanner draws a hint over the head, at the same place on every screen of a visit.
func (s *screen) hintBanner() {
	x, w := face.Margin, s.W-2*face.Margin
	s.LitCard(x, 48, w, 132, true)
	s.Label(x+24, 66, w-48, 48, s.said.Say("hint."+string(s.Hint)), face.BodyBold, face.Left)
	s.Label(x+24, 114, w-48, 48, s.said.Say("hint."+string(s.Hint)+".do"), face.Body, face.Left)
}

// hintCard draws a hint on the attract screen, where the next heat stands otherwise: whoever holds a card that did not
// work looks there.
func (s *screen) hintCard() {
	x, y, w, h := s.matter.x, float32(72), s.matter.w, float32(624)
	if s.wide {
		h = 600
	}
	s.LitCard(x, y, w, h, true)
	title, do := s.said.Say("hint."+string(s.Hint)), s.said.Say("hint."+string(s.Hint)+".do")
	_, first := s.Lines(w-96, title, face.Title)
	_, second := s.Lines(w-96, do, face.CardTitle)
	if s.Larger && first+second+36 > h-48 {
		s.Larger = false
		defer func() { s.Larger = true }()
		_, first = s.Lines(w-96, title, face.Title)
		_, second = s.Lines(w-96, do, face.CardTitle)
	}
	top := y + (h-first-second-36)/2
	bottom := s.Paragraph(x+48, top, w-96, title, face.Title, face.Left)
	s.Paragraph(x+48, bottom+36, w-96, do, face.CardTitle.In(face.Quiet), face.Left)
}
