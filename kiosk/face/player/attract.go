package player

import (
	"strings"

	"reelkiosk/kiosk/face"
	"reelkiosk/kiosk/visit"
)

// mark stands in a phrase where ticking figures go; no phrase holds it otherwise.
const mark = "\x00"

// attract draws the screen that waits for somebody: the next heat, how to begin, the heats after it.
func (s *screen) attract() {
	s.head(0)
	s.nextHeat()
	s.begin()
	if !s.wide {
		if !s.Larger {
			s.laterHeats(1488)
		}
	} else {
		s.laterHeats(756)
	}
}

// nextHeat draws number, time, seats and closing of the next heat.
func (s *screen) nextHeat() {
	at := s.matter
	if len(s.Floor.Heats) == 0 {
		below := s.title(at, s.said.Say("attract.none"))
		s.Paragraph(at.x, below+24, at.w, s.said.Say("attract.none.then"), face.Body.In(face.Quiet), face.Left)
		return
	}
	heat := s.Floor.Heats[0]
	name := s.said.Say("attract.next", face.Fields{"Heat": heat.Number})
	if heat.Start.YearDay() != s.Now.YearDay() && !s.Now.IsZero() {
		name = s.said.Say("attract.next.day", face.Fields{"Heat": heat.Number, "Day": s.said.DayShort(heat.Start)})
	}
	s.title(at, name)
	s.Number(at.x, 276, at.w, s.said.Clock(heat.Start), face.Numeral(264))
	seats, bold := s.seatsLeft(heat), s.Scaled(face.BodyBold)
	closing, body := s.closing(heat), s.Scaled(face.Body)
	pair := bold.Letters.Width(seats, bold.Size) + body.Letters.Width(strings.Replace(closing.text, mark, closing.figures, 1), body.Size)
	if !s.wide && !s.Larger && pair+face.Gap <= at.w {
		s.Say(at.x, 552, at.w, seats, bold, face.Left)
		s.tick(at.x, 552, at.w, closing, body, face.Right)
		s.seatBar(at.x, 612, at.w, heat)
		return
	}
	bar := float32(600)
	if s.wide {
		bar = 612
	}
	s.Say(at.x, bar-12-bold.Line, at.w, seats, bold, face.Left)
	s.seatBar(at.x, bar, at.w, heat)
	s.tick(at.x, bar+36, at.w, closing, body, face.Left)
}

// seatBar draws the free seats of a heat as a share.
func (s *screen) seatBar(x, y, w float32, heat visit.Heat) {
	s.Bar(x, y, w, 24, float64(heat.Free)/float64(max(heat.Size, 1)))
}

func (s *screen) seatsLeft(heat visit.Heat) string {
	if heat.Free == 0 {
		return s.said.Say("seats.none")
	}
	return s.said.Count("seats.left", heat.Free, face.Fields{"Free": heat.Free, "Size": heat.Size})
}

// ticking is a phrase with the figures that tick in it.
type ticking struct{ text, figures string }

// closing says how long registration stays open.
func (s *screen) closing(heat visit.Heat) ticking {
	return ticking{s.said.Say("attract.closes", face.Fields{"Time": mark}), face.Countdown(heat.Closes, s.Now)}
}

func (s *screen) tick(x, y, w float32, phrase ticking, style face.Style, align face.Align) {
	before, after, _ := strings.Cut(phrase.text, mark)
	s.Ticking(x, y, w, before, phrase.figures, after, style, align)
}

// begin draws how to begin: the band, the two drawings, why an ID is read.
func (s *screen) begin() {
	x, y := s.acts.x, float32(720)
	if s.wide {
		y = 72
	}
	s.GoldBand(x, y, full, s.said.Say("attract.both"), s.pointer(s.house.Card, s.house.Document), act(visit.ButtonWhere))
	cards := y + 192
	height := s.howCard(x, cards, "swipe", "how.card", s.house.Card)
	s.howCard(x+half+face.Gap, cards, "scan", "how.id", s.house.Document)
	s.privacy(x, cards+height+24)
}

// privacy draws why an ID is read, and the button of the privacy notice.
func (s *screen) privacy(x, y float32) {
	small := face.Small
	if s.Larger && !s.wide {
		s.Paragraph(x, y+6, full, s.said.Say("attract.why"), small, face.Left)
		s.QuietButton(x, 1512, full, face.QuietHeight, s.said.Say("privacy"), act(visit.ButtonPrivacy))
		return
	}
	if s.wide {
		y += 24
	}
	_, height := s.Lines(half, s.said.Say("attract.why"), small)
	s.Paragraph(x, y+(face.QuietHeight-height)/2, half, s.said.Say("attract.why"), small, face.Left)
	s.QuietButton(x+half+face.Gap, y, half, face.QuietHeight, s.said.Say("privacy"), act(visit.ButtonPrivacy))
}

// howCard draws one way to begin and returns how high its card is.
func (s *screen) howCard(x, y float32, drawing, phrase string, side face.Side) float32 {
	height := float32(408)
	name, hint := s.Scaled(face.BodyBold), s.Scaled(face.Small)
	name.Line, hint.Line = 36, 36
	if s.Larger {
		height, name.Line, hint.Line = 432, 48, 45
	}
	s.Card(x, y, half, height, false)
	s.Draw(drawing, x+24, y+24, 408, 264)
	s.Say(x+24, y+312, 312, s.said.Say(phrase), name, face.Left)
	s.Say(x+24, y+312+name.Line, 312, s.said.Say(phrase+".hint"), hint, face.Left)
	s.Draw("where-"+string(side), x+half-24-72, y+height-24-78, 72, 78)
	return height
}

// pointer is the drawing of an arrow towards one or two sides of the panel.
func (s *screen) pointer(sides ...face.Side) string {
	first, last := sides[0], sides[len(sides)-1]
	if first == last {
		return map[face.Side]string{face.SideLeft: "point-left", face.SideRight: "point-right", face.SideBottom: "point-down"}[first]
	}
	both := map[face.Side]bool{first: true, last: true}
	switch {
	case both[face.SideBottom] && both[face.SideRight]:
		return "point-down-right"
	case both[face.SideBottom] && both[face.SideLeft]:
		return "point-down-left"
	}
	return "point-down"
}

// laterHeats draws up to three heats after the next one.
func (s *screen) laterHeats(y float32) {
	pitch := s.matter.w/3 + 8
	for i, heat := range s.Floor.Heats[min(1, len(s.Floor.Heats)):] {
		if i == 3 {
			break
		}
		x := s.matter.x + float32(i)*pitch
		s.Say(x, y, pitch-24, s.said.Say("heat", face.Fields{"Heat": heat.Number}), face.Small, face.Left)
		s.Say(x, y+36, pitch-24, s.said.Clock(heat.Start), face.CardTitle, face.Left)
		s.Say(x, y+96, pitch-24, s.said.Count("seats.free", heat.Free), face.Small, face.Left)
	}
}
