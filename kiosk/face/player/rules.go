package player

import (
	"fmt"

	"reelkiosk/kiosk/face"
	"reelkiosk/kiosk/visit"
)

// rules draws the five lines that a player accepts, the one that costs money in bold. The button is the acceptance.
func (s *screen) rules() {
	s.head(1)
	years := fmt.Sprintf("%d+", s.years())
	rows := []row{
		{sign: "rule-age", inside: years, text: s.said.Say("rules.age", face.Fields{"Years": s.years()})},
		{sign: "rule-clock", text: s.said.Say("rules.absent"), bold: true},
		{sign: "rule-person", text: s.said.Say("rules.alone")},
		{sign: "rule-unpaid", text: s.said.Say("rules.unpaid")},
		{sign: "rule-star", text: s.said.Say("rules.points")},
	}
	s.question(s.said.Say("rules.title"))
	s.rows(rows)
	read, decline := s.press("rules.read", visit.ButtonReadRules), s.press("rules.decline", visit.ButtonDecline)
	accept := s.press("rules.accept", visit.ButtonAccept)
	if s.pair(s.gold-120, read, decline) {
		s.actions(accept)
		return
	}
	s.actions(accept, read, decline)
}

// declaration draws the four sentences of clause 3, and three answers of one height.
func (s *screen) declaration() {
	s.head(2)
	var rows []row
	for i := 1; i <= 4; i++ {
		rows = append(rows, row{sign: "rule-number", inside: fmt.Sprint(i), text: s.said.Say(fmt.Sprintf("declare.%d", i))})
	}
	s.question(s.said.Say("declare.title"))
	s.rows(rows)
	answers := s.gold - face.Gap - face.GoldHeight
	_, height := s.Lines(s.acts.w, s.said.Say("declare.help"), face.Body)
	s.Paragraph(s.acts.x, answers-face.Gap*3/2-height-36, s.acts.w, s.said.Say("declare.help"), face.Body.In(face.Quiet), face.Left)
	s.QuietButton(s.acts.x, answers, half, face.GoldHeight, s.said.Say("declare.no"), act(visit.ButtonNo))
	s.QuietButton(s.acts.x+half+face.Gap, answers, half, face.GoldHeight, s.said.Say("declare.unsure"), act(visit.ButtonNotSure))
	s.goldShape(s.press("declare.yes", visit.ButtonYes))
}

// question draws the title of a screen whose rows stand in the matter's column: above them, or beside them in landscape.
func (s *screen) question(text string) { s.title(s.acts, text) }

// row is a sign and a sentence.
type row struct {
	sign, inside, text string
	bold               bool
}

// rows draws rows with a thin line between them.
func (s *screen) rows(rows []row) {
	y, pitch, height := float32(336), float32(168), float32(144)
	if s.wide {
		y, pitch, height = 192, 144, 132
	}
	const textLeft float32 = 144
	for i, row := range rows {
		sign := y + (height-96)/2
		s.Draw(row.sign, s.matter.x, sign, 96, 96)
		if row.inside != "" {
			inside := face.Small.In(face.Paper).Bold()
			if len(row.inside) == 1 {
				inside = face.BodyBold
			}
			s.Say(s.matter.x, sign+48-inside.Line/2, 96, row.inside, inside, face.Centre)
		}
		style := face.RuleLine
		if row.bold {
			style = style.Bold()
		}
		x, w := s.matter.x+textLeft, s.matter.w-textLeft
		_, high := s.Lines(w, row.text, style)
		s.Paragraph(x, y+(height-high)/2, w, row.text, style, face.Left)
		if i+1 < len(rows) {
			s.Hairline(x, y+(height+pitch)/2-1, w)
		}
		y += pitch
	}
}
