package player

import (
	"fmt"
	"time"

	"reelkiosk/kiosk/face"
	"reelkiosk/kiosk/visit"
)

// done draws the machine's number, the largest thing in the product, and what to do now.
func (s *screen) done() {
	s.head(0)
	mine, others := s.seatsTaken()
	if mine == nil {
		s.actions(s.press("done", visit.ButtonDone))
		return
	}
	s.title(s.matter, s.said.Say("done.title"))
	number := fmt.Sprint(mine.Machine)
	numeral := face.Numeral(528)
	for _, size := range []float32{528, 480, 420, 360, 300} {
		if numeral = face.Numeral(size); face.FitsLine(number, numeral, s.matter.w) {
			break
		}
	}
	s.Number(s.matter.x, 276+(528-numeral.Size)/2, s.matter.w, number, numeral)
	y, first := float32(792), float32(1056)
	if s.wide {
		y, first = titleTop, 396
	}
	rows := s.whenAndWhere(y, *mine)
	s.otherSeats(below(first, rows, 12), others)
	s.runsOut()
	if len(s.Offer) == 0 {
		s.goldShape(s.press("done", visit.ButtonDone))
		return
	}
	// She has entries left: another seat is as near as the end.
	s.QuietButton(s.acts.x, s.gold, half, face.GoldHeight, s.said.Say("done.another"), act(visit.ButtonOthers))
	s.GoldButton(s.acts.x+half+face.Gap, s.gold, half, s.said.Say("done"), act(visit.ButtonDone))
}

// seatsTaken returns the first seat that is to be played and all the other tickets of the visit.
func (s *screen) seatsTaken() (mine *visit.Ticket, others []visit.Ticket) {
	for i, ticket := range s.Tickets {
		if mine == nil && ticket.State == visit.TicketPrinted {
			mine = &s.Tickets[i]
			continue
		}
		others = append(others, ticket)
	}
	return mine, others
}

// whenAndWhere draws the heat, when to be there, and where that is; it returns the y below.
func (s *screen) whenAndWhere(y float32, ticket visit.Ticket) float32 {
	at := s.acts
	heat := s.said.Say("heat.at", face.Fields{"Heat": ticket.Heat.Number, "Time": s.said.Clock(ticket.Heat.Start)})
	if day := s.anotherDay(ticket.Heat); day != "" {
		heat += ", " + day
	}
	before := 5
	if !ticket.Heat.Closes.IsZero() {
		before = int(ticket.Heat.Start.Sub(ticket.Heat.Closes) / time.Minute)
	}
	bottom := s.titleAt(y, at, heat)
	bottom = s.Paragraph(at.x, below(y+84, bottom, 0), at.w, s.said.Count("done.before", before), face.Body, face.Left)
	place := ticket.Place
	if place == "" {
		place = ticket.Heat.Place
	}
	if place == "" {
		return bottom
	}
	return s.Paragraph(at.x, bottom, at.w, place, face.Body.In(face.Quiet), face.Left)
}

// otherSeats draws the other tickets of the visit as rows, as many as fit, and how many more there are.
func (s *screen) otherSeats(y float32, others []visit.Ticket) {
	if len(others) == 0 {
		return
	}
	pitch, floor := float32(96), s.gold-120
	if s.wide {
		pitch = 72
	}
	fit := int((floor - y) / pitch)
	shown := others
	if len(others) > fit {
		shown = others[:max(fit-1, 0)]
	}
	s.Hairline(s.acts.x, y, s.acts.w)
	for _, ticket := range shown {
		s.otherSeat(y, pitch, ticket)
		y += pitch
		s.Hairline(s.acts.x, y, s.acts.w)
	}
	if rest := len(others) - len(shown); rest > 0 {
		s.Label(s.acts.x, y, s.acts.w, pitch, s.said.Count("done.more", rest), face.Body.In(face.Quiet), face.Left)
	}
}

func (s *screen) otherSeat(y, h float32, ticket visit.Ticket) {
	x := s.acts.x
	s.Label(x, y, 228, h, s.said.Say("heat", face.Fields{"Heat": ticket.Heat.Number}), face.Body, face.Left)
	s.Label(x+240, y, 228, h, s.said.Clock(ticket.Heat.Start), face.Body, face.Left)
	text, style := s.said.Say("done.machine", face.Fields{"Machine": ticket.Machine}), face.BodyBold
	if ticket.State != visit.TicketPrinted {
		text, style = s.said.Say("ticket."+string(ticket.State)), face.Body.In(face.Quiet)
	}
	s.Label(x+480, y, s.acts.w-480, h, text, style, face.Left)
}

// runsOut draws the bar that runs out, above the gold button.
func (s *screen) runsOut() {
	if s.Left <= 0 {
		return
	}
	s.Label(s.acts.x, s.gold-108, s.acts.w, 36, s.said.Count("closes", s.Left), face.Small, face.Left)
	s.Bar(s.acts.x, s.gold-48, s.acts.w, 12, s.leftShare())
}

// leftShare is how much of the time that the screen began with is left.
func (s *screen) leftShare() float64 {
	return float64(s.Left) / float64(max(s.pages.longest, s.Left, 1))
}
