package player

import (
	"strings"

	"reelkiosk/kiosk/face"
	"reelkiosk/kiosk/visit"
)

// mark stands in a phrase where ticking figures go; no phrase holds it otherwise.
const mark = "\x00"

// attract draws the screen that waits for somebody: the next heat, how to begin, the heats after it. It is the tightest
// of all; a hint takes the place of the heat.
func (s *screen) attract() {
	if s.OutOfOrder != visit.TroubleNone {
		s.trouble(s.OutOfOrder)
		return
	}
	if s.Hint != visit.HintNone {
		s.hintCard()
	} else {
		s.head(0)
		s.nextHeat()
		s.laterHeats()
	}
	s.begin()
}

// nextHeat draws number, time, seats and closing of the next heat.
func (s *screen) nextHeat() {
	at := s.matter
	if len(s.Floor.Heats) == 0 {
		none := "attract.none"
		if s.Floor.Name == "" {
			none = "attract.starting" // central has told nothing yet: whether a heat is planned is not known
		}
		below := s.title(at, s.said.Say(none))
		s.Paragraph(at.x, below+24, at.w, s.said.Say(none+".then"), face.Body.In(face.Quiet), face.Left)
		return
	}
	heat := s.Floor.Heats[0]
	name := s.said.Say("attract.next", face.Fields{"Heat": heat.Number})
	if day := s.anotherDay(heat); day != "" {
		name = s.said.Say("attract.next.day", face.Fields{"Heat": heat.Number, "Day": day})
	}
	s.Label(at.x, titleTop, at.w, face.Title.Line, name, face.TitleFor(name, at.w), face.Left)
	s.Number(at.x, 276, at.w, s.said.Clock(heat.Start), face.Numeral(264))
	s.seatsAndClosing(at, heat)
}

// anotherDay is the weekday of a heat that is not today, in short, and nothing otherwise.
func (s *screen) anotherDay(heat visit.Heat) string {
	year, month, day := s.Now.Date()
	otherYear, otherMonth, otherDay := heat.Start.Date()
	if s.Now.IsZero() || year == otherYear && month == otherMonth && day == otherDay {
		return ""
	}
	return s.said.DayShort(heat.Start)
}

// seatsAndClosing draws the seats left, as a number and a bar, and how long registration stays open: beside the seats
// where both fit, otherwise under the bar.
func (s *screen) seatsAndClosing(at column, heat visit.Heat) {
	seats, bold := s.seatsLeft(heat), s.Scaled(face.BodyBold)
	closing := s.closing(heat)
	pair := bold.Letters.Width(seats, bold.Size) + closing.width(s.Scaled(face.Body))
	if !s.wide && pair+2*face.Gap <= at.w {
		s.Say(at.x, 552, at.w, seats, bold, face.Left)
		s.tick(at.x, 552, at.w, closing, face.Body, face.Right)
		s.seatBar(at.x, 612, at.w, heat)
		return
	}
	bar := float32(600)
	if s.wide {
		bar = 612
	}
	s.Say(at.x, bar-12-bold.Line, at.w, seats, bold, face.Left)
	s.seatBar(at.x, bar, at.w, heat)
	s.tick(at.x, bar+36, at.w, closing, face.Body, face.Left)
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

// ticking is a phrase with the figures that tick in it, where there are any.
type ticking struct{ before, figures, after string }

// closing says how long registration stays open, or from when it is.
func (s *screen) closing(heat visit.Heat) ticking {
	switch {
	case s.Now.Before(heat.Opens):
		return ticking{before: s.said.Say("attract.opens", face.Fields{"Moment": s.said.Moment(heat.Opens, s.Now)})}
	case !s.Now.Before(heat.Closes):
		return ticking{before: s.said.Say("attract.closed")}
	}
	left, figures := s.said.Countdown(heat.Closes, s.Now)
	if !figures {
		return ticking{before: s.said.Say("attract.closes", face.Fields{"Time": left})}
	}
	before, after, _ := strings.Cut(s.said.Say("attract.closes", face.Fields{"Time": mark}), mark)
	return ticking{before, left, after}
}

func (t ticking) width(style face.Style) float32 {
	return style.Letters.Width(t.before+t.after, style.Size) + style.Tabular().Letters.Width(t.figures, style.Size)
}

// tick draws the phrase, with figures that do not dance where it has any.
func (s *screen) tick(x, y, w float32, phrase ticking, style face.Style, align face.Align) {
	scaled := s.Scaled(style)
	if phrase.figures == "" {
		s.Label(x, y, w, scaled.Line, phrase.before, style, align)
		return
	}
	s.Ticking(x, y, w, phrase.before, phrase.figures, phrase.after, scaled, align)
}

// laterHeats draws up to three heats after the next one. In portrait they give way to larger text.
func (s *screen) laterHeats() {
	y, heats := float32(1488), s.Floor.Heats
	if s.wide {
		y = 756
	} else if s.Larger {
		return
	}
	pitch := s.matter.w/3 + 8
	for i := 1; i < len(heats) && i < 4; i++ {
		x, w := s.matter.x+float32(i-1)*pitch, pitch-face.Gap
		name := s.said.Say("heat", face.Fields{"Heat": heats[i].Number})
		if day := s.anotherDay(heats[i]); day != "" {
			name = s.said.Say("heat.day", face.Fields{"Heat": heats[i].Number, "Day": day})
		}
		seats := s.said.Count("seats.free", heats[i].Free)
		if heats[i].Free == 0 {
			seats = s.said.Say("seats.full")
		}
		s.Label(x, y, w, 36, name, face.Small, face.Left)
		s.Label(x, y+36, w, 60, s.said.Clock(heats[i].Start), face.CardTitle, face.Left)
		s.Label(x, y+96, w, 36, seats, face.Small, face.Left)
	}
}
