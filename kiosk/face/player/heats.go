package player

import (
	"reelkiosk/kiosk/face"
	"reelkiosk/kiosk/visit"
)

// heats draws the other heats to choose from. Nothing is taken by a touch: the heat is offered first.
func (s *screen) heats() {
	s.head(3)
	bottom := s.title(s.matter, s.said.Say("heats.title"))
	how := s.said.Say("heats.how")
	const pitch float32 = face.QuietHeight + face.Gap
	top, floor := float32(720), s.gold-2*(face.QuietHeight+face.Gap)+face.Gap
	if s.wide {
		s.Paragraph(s.acts.x, titleTop, s.acts.w, how, face.Body.In(face.Quiet), face.Left)
		top, floor = below(312, bottom, face.Gap), s.foot-face.Gap
	} else {
		bottom = s.Paragraph(s.matter.x, below(300, bottom, 12), s.matter.w, how, face.Body.In(face.Quiet), face.Left)
	}
	if len(s.Offer) == 0 {
		s.goldShape(s.press("close", visit.ButtonBack))
		return
	}
	if !s.wide { // no finger of a seated player reaches up here
		s.offered(bottom+36, top-36, s.Offer[0])
	}
	others, rows := s.Offer[1:], int((floor-top)/pitch)
	last := max(0, (len(others)-1)/rows)
	page := min(max(s.pages.text, 0), last)
	for i, heat := range others[min(page*rows, len(others)):min((page+1)*rows, len(others))] {
		s.heatRow(s.matter.x, top+float32(i)*pitch, s.matter.w, heat)
	}
	s.heatActions(page, last)
}

// offered draws the heat on offer between two heights, small, to compare the others with.
func (s *screen) offered(top, bottom float32, heat visit.Heat) {
	x, w := s.matter.x, s.matter.w
	s.Card(x, top, w, bottom-top, true)
	middle := (top + bottom) / 2
	s.cardHead(x+48, middle-96, w-96, heat)
	clock := face.Numeral(96)
	end := x + 48 + s.Number(x+48, middle-18, w-96, s.said.Clock(heat.Start), clock)
	long, room := s.howLong(heat.Start), x+w-48-end-36
	style := face.TitleFor(long, room)
	s.Say(end+36, face.OnBaseline(middle-18, clock, style), room, long, style, face.Left)
}

// heatActions draws the way back to the heat on offer, and the pages where there are several.
func (s *screen) heatActions(page, last int) {
	back := button{s.said.Say("heats.back", face.Fields{"Heat": s.Offer[0].Number}), act(visit.ButtonBack), ""}
	earlier, later := s.press("heats.earlier", ButtonPreviousPage), s.press("heats.later", ButtonNextPage)
	switch {
	case last == 0:
		s.actions(back)
	case page == 0:
		s.actions(back, later)
	case page == last:
		s.actions(back, earlier)
	case s.pair(s.gold-120, earlier, later):
		s.actions(back)
	default:
		s.actions(back, later, earlier)
	}
}

// heatRow draws one heat to touch: its time, its number, its seats.
func (s *screen) heatRow(x, y, w float32, heat visit.Heat) {
	const h = face.QuietHeight
	s.LitCard(x, y, w, h, false)
	name := s.said.Say("heat", face.Fields{"Heat": heat.Number})
	if day := s.anotherDay(heat); day != "" {
		name = s.said.Say("heat.day", face.Fields{"Heat": heat.Number, "Day": day})
	}
	clock := face.CardTitle
	s.Number(x+face.Gap, y+(h-clock.Line)/2, 180, s.said.Clock(heat.Start), clock)
	middle := x + 204
	seats := s.said.Count("seats.free", heat.Free)
	small := s.Scaled(face.Small)
	third := small.Letters.Width(seats, small.Size) + 1
	s.Label(middle, y, x+w-2*face.Gap-third-middle, h, name, face.BodyBold, face.Left)
	s.Label(x+w-face.Gap-third, y, third, h, seats, face.Small, face.Right)
	s.Answer(face.Touch{X: x, Y: y, W: w, H: h, Radius: face.Radius, Ring: face.Paper,
		Event: visit.Tapped{Button: visit.ButtonTake, Heat: heat.ID}})
}
