package player

import (
	"reelkiosk/kiosk/face"
	"reelkiosk/kiosk/visit"
)

// tilesAPage is how many heats are shown at once, in two columns: as many as stand where a seated player reaches.
const tilesAPage = 6

// heats draws the other heats to choose from. Nothing is taken by a touch: the heat is offered first.
func (s *screen) heats() {
	s.head(3)
	bottom := s.title(s.matter, s.said.Say("heats.title"))
	how := column{s.matter.x, s.matter.w}
	if s.wide {
		how, bottom = s.acts, titleTop-12
	}
	s.Paragraph(how.x, below(how.anchor(s.wide), bottom, 12), how.w, s.said.Say("heats.how"), face.Body.In(face.Quiet), face.Left)
	if len(s.Offer) == 0 {
		s.goldShape(s.press("close", visit.ButtonBack))
		return
	}
	others := s.Offer[1:]
	last := max(0, (len(others)-1)/tilesAPage)
	page := min(max(s.pages.text, 0), last)
	top := float32(696)
	if s.wide {
		top = 336
	}
	for i, heat := range others[min(page*tilesAPage, len(others)):min((page+1)*tilesAPage, len(others))] {
		w := (s.matter.w - face.Gap) / 2
		s.heatTile(s.matter.x+float32(i%2)*(w+face.Gap), top+float32(i/2)*168, w, heat)
	}
	s.heatActions(page, last)
}

func (c column) anchor(wide bool) float32 {
	if wide {
		return titleTop
	}
	return 300
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

// heatTile draws one heat to touch.
func (s *screen) heatTile(x, y, w float32, heat visit.Heat) {
	const h float32 = 144
	s.Outline(x, y, w, h, face.Radius, face.Stroke, face.Raised, face.Line)
	name := s.said.Say("heat", face.Fields{"Heat": heat.Number})
	if day := s.anotherDay(heat); day != "" {
		name = s.said.Say("heat.day", face.Fields{"Heat": heat.Number, "Day": day})
	}
	end := x + 24 + s.Number(x+24, y+40, w-48, s.said.Clock(heat.Start), face.Numeral(64)) + face.Gap
	s.Label(end, y+30, x+w-24-end, 42, name, face.Small.In(face.Paper).Bold(), face.Left)
	s.Label(end, y+72, x+w-24-end, 42, s.said.Count("seats.free", heat.Free), face.Small, face.Left)
	s.Answer(face.Touch{X: x, Y: y, W: w, H: h, Radius: face.Radius, Ring: face.Paper,
		Event: visit.Tapped{Button: visit.ButtonTake, Heat: heat.ID}})
}
