package player

import (
	"fmt"

	"reelkiosk/kiosk/face"
	"reelkiosk/kiosk/visit"
)

// stillThere asks whether anybody is there. Any touch beside the buttons means yes.
func (s *screen) stillThere() {
	s.head(0)
	at := s.matter
	s.title(at, s.said.Say("still.title"))
	numeral, unit := face.Numeral(360), s.Scaled(face.Title)
	end := at.x + s.Number(at.x, 300, at.w, fmt.Sprint(s.Left), numeral)
	if s.Left < 10 { // the word stands still while the figure changes
		end = at.x + face.SemiBold.Width("4", numeral.Size)
	}
	word := s.said.Count("still.seconds", s.Left)
	if unit.Letters.Width(word, unit.Size) > at.x+at.w-end-12 {
		unit = face.TitleFor(word, at.x+at.w-end-12)
	}
	s.Say(end+12, face.OnBaseline(300, numeral, unit), at.x+at.w-end-12, word, unit, face.Left)
	s.Bar(at.x, 720, at.w, 24, s.leftShare())
	then := "still.then"
	if s.hasSeat() {
		then = "still.seat"
	}
	s.Paragraph(at.x, 780, at.w, s.said.Say(then), face.Body.In(face.Quiet), face.Left)
	s.Answer(face.Touch{W: s.W, H: s.H, Event: act(visit.ButtonStillHere), Behind: true})
	s.actions(s.press("still.yes", visit.ButtonStillHere), s.press("still.end", visit.ButtonCancel))
}

// hasSeat reports whether a seat was taken in this visit.
func (s *screen) hasSeat() bool {
	for _, ticket := range s.Tickets {
		if ticket.State == visit.TicketPrinted || ticket.State == visit.TicketUnconfirmed {
			return true
		}
	}
	return false
}
