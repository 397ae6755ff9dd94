package player

import (
	"strings"
	"time"

	"reelkiosk/kiosk/face"
	"reelkiosk/kiosk/visit"
)

// offer draws the heat that is offered and what a seat in it costs.
func (s *screen) offer() {
	s.head(3)
	if len(s.Offer) == 0 {
		s.oneMomentText("wait.any")
		return
	}
	heat := s.Offer[0]
	top := titleTop
	if s.wide && s.Larger { // what a seat costs needs the room
		top, s.gold = 192, s.gold+48
	}
	cost := s.titleAt(top, s.acts, s.said.Say("offer.title"))
	if s.wide {
		s.heatCard(s.matter.x, 216, s.matter.w, heat)
		cost = below(top+96, cost, 0)
	} else {
		title := cost
		cost = s.heatCard(s.matter.x, below(312, title, 24), s.matter.w, heat) + 36
		if s.Larger {
			cost -= 12
		}
	}
	take := button{s.said.Say("offer.take"), visit.Tapped{Button: visit.ButtonTake, Heat: heat.ID}, ""}
	var quiet []button
	if len(s.Offer) > 1 {
		quiet = append(quiet, s.press("offer.others", visit.ButtonOthers))
	}
	if s.Together > 1 {
		quiet = append(quiet, button{s.said.Count("offer.together", s.Together), act(visit.ButtonTogether), ""})
	}
	s.cost(cost, s.actions(take, quiet...)-cost, heat)
}

// cost draws which entry the seat uses, named by its end as on its chip and on the ticket, and what happens to
// the absent: as large as there is room for both, since neither may be left out.
func (s *screen) cost(y, room float32, heat visit.Heat) {
	uses, absent := "", s.said.Say("offer.absent")
	if heat.EntryIndex >= 0 && heat.EntryIndex < len(s.Entries) {
		ends := s.Entries[heat.EntryIndex].Ends
		uses = s.said.Say("offer.uses", face.Fields{"Day": s.said.DayShort(ends), "Time": s.said.Clock(ends)})
	}
	fitting, _ := s.grown(s.acts.w, room-12, paragraph{uses, face.Body}, paragraph{absent, face.BodyBold})
	s.stack(s.acts.x, y, s.acts.w, fitting)
}

// heatCard draws a heat's card and returns the y below it.
func (s *screen) heatCard(x, y, w float32, heat visit.Heat) float32 {
	const h float32 = 624
	s.Card(x, y, w, h, true)
	left, room := x+48, w-96
	s.cardHead(left, y+42, room, heat)
	size := float32(264)
	if s.wide {
		size = 248
	}
	up := float32(0)
	if s.Larger { // the facts below need the room
		up = 24
	}
	s.Number(left, y+120-up/2, room, s.said.Clock(heat.Start), face.Numeral(size))
	s.Label(left, y+384-up, room, 72, s.howLong(heat.Start), face.TitleFor(s.howLong(heat.Start), room), face.Left)
	s.Fill(left, y+480-up, room, 2, 0, face.Line)
	middle := x + w/2 + 12
	s.fact(left, y, middle-left-face.Gap, s.said.Say("offer.where"), heat.Place)
	s.fact(middle, y, x+w-48-middle, s.said.Say("offer.machines"), s.said.Say("offer.range", face.Fields{"From": heat.Lowest, "To": heat.Highest}))
	return y + h
}

// cardHead draws a heat's number and day at the left of a line and its seats at the right, as large as both fit; the day
// is left out rather than the seats, for it stands below as well.
func (s *screen) cardHead(x, y, room float32, heat visit.Heat) {
	seats, bare := s.seatsLeft(heat), s.said.Say("heat", face.Fields{"Heat": heat.Number})
	full := bare
	if day := s.anotherDay(heat); day != "" {
		full = s.said.Say("heat.day", face.Fields{"Heat": heat.Number, "Day": day})
	}
	scaled := s.Scaled(face.CardTitle)
	for _, try := range []struct {
		name         string
		title, seats face.Style
	}{{full, scaled, s.Scaled(face.Body)}, {full, scaled, face.Body}, {full, face.CardTitle, s.Scaled(face.Small)},
		{bare, face.CardTitle, s.Scaled(face.Small)}, {full, face.CardTitle, face.Small}, {bare, face.CardTitle, face.Small},
		{bare, face.BodyBold, face.Small}} {
		named := try.title.Letters.Width(try.name, try.title.Size) + face.Gap
		if named+try.seats.Letters.Width(seats, try.seats.Size) <= room || try.title.Size == face.BodyBold.Size {
			s.Say(x, y+30-try.title.Line/2, room, try.name, try.title, face.Left)
			s.Say(x+named, y+30-try.seats.Line/2, room-named, seats, try.seats.In(face.Quiet), face.Right)
			return
		}
	}
}

// fact draws a label and a value in the lower part of a heat card; a long value small, in two lines.
func (s *screen) fact(x, y, w float32, label, value string) {
	if s.Larger {
		s.Label(x, y+468, w, 45, label, face.Small, face.Left)
		s.largerFact(x, y+513, w, value)
		return
	}
	s.Label(x, y+504, w, 36, label, face.Small, face.Left)
	if face.FitsLine(value, face.BodyBold, w) {
		s.Label(x, y+540, w, 48, value, face.BodyBold, face.Left)
		return
	}
	small := face.Small.In(face.Paper).Bold()
	lines := small.Letters.Fill(value, small.Size, w)
	s.Say(x, y+540, w, lines[0], small, face.Left)
	if rest := strings.Join(lines[1:], " "); rest != "" {
		s.Say(x, y+540+small.Line, w, face.Shortened(rest, small, w), small, face.Left)
	}
}

// largerFact draws a value in larger text: as large as two lines have room for it.
func (s *screen) largerFact(x, y, w float32, value string) {
	small := face.Small.In(face.Paper).Bold()
	var style face.Style
	var lines []string
	for _, style = range []face.Style{s.Scaled(face.BodyBold), s.Scaled(small), face.BodyBold, small} {
		if lines = style.Letters.Wrap(value, style.Size, w); len(lines) <= 2 {
			break
		}
	}
	style.Line = min(style.Line, 48)
	s.Say(x, y, w, lines[0], style, face.Left)
	if rest := strings.Join(lines[1:], " "); rest != "" {
		s.Say(x, y+style.Line, w, face.Shortened(rest, style, w), style, face.Left)
	}
}

// howLong says how far away a start is: in minutes, in hours and minutes, and from tomorrow on by its day.
func (s *screen) howLong(start time.Time) string {
	left := start.Sub(s.Now)
	minutes := int((left + time.Minute - 1) / time.Minute)
	switch {
	case minutes <= 0:
		return s.said.Say("offer.now")
	case minutes < 60:
		return s.said.Count("offer.minutes", minutes)
	case minutes < 12*60:
		return s.said.Say("offer.hours", face.Fields{"Hours": minutes / 60, "Minutes": minutes % 60})
	}
	return s.said.Moment(start, s.Now)
}
