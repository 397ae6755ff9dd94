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
	bottom := s.question(s.said.Say("rules.title"))
	read, decline := s.press("rules.read", visit.ButtonReadRules), s.press("rules.decline", visit.ButtonDecline)
	accept := s.press("rules.accept", visit.ButtonAccept)
	top := s.gold - face.QuietHeight - face.Gap
	if s.pair(top, read, decline) {
		s.goldShape(accept)
	} else {
		top = s.actions(accept, read, decline)
	}
	s.rows(bottom, top, []row{
		{sign: "rule-age", inside: years, text: s.said.Say("rules.age", face.Fields{"Years": s.years()})},
		{sign: "rule-clock", text: s.said.Say("rules.absent"), bold: true},
		{sign: "rule-person", text: s.said.Say("rules.alone")},
		{sign: "rule-unpaid", text: s.said.Say("rules.unpaid")},
		{sign: "rule-star", text: s.said.Say("rules.points")},
	})
}

// declaration draws the four sentences of clause 3, and three answers of one height.
func (s *screen) declaration() {
	s.head(2)
	bottom := s.question(s.said.Say("declare.title"))
	answers := s.gold - face.Gap - face.GoldHeight
	_, height := s.Lines(s.acts.w, s.said.Say("declare.help"), face.Body)
	help := answers - 3*face.Gap - height
	s.Paragraph(s.acts.x, help, s.acts.w, s.said.Say("declare.help"), face.Body.In(face.Quiet), face.Left)
	s.QuietButton(s.acts.x, answers, half, face.GoldHeight, s.said.Say("declare.no"), act(visit.ButtonNo))
	s.QuietButton(s.acts.x+half+face.Gap, answers, half, face.GoldHeight, s.said.Say("declare.unsure"), act(visit.ButtonNotSure))
	s.goldShape(s.press("declare.yes", visit.ButtonYes))
	var rows []row
	for i := 1; i <= 4; i++ {
		rows = append(rows, row{sign: "rule-number", inside: fmt.Sprint(i), text: s.said.Say(fmt.Sprintf("declare.%d", i))})
	}
	s.rows(bottom, help, rows)
}

// question draws the title of a screen whose rows stand in the matter's column, above them, or beside them in landscape.
// It returns the y below.
func (s *screen) question(text string) float32 { return s.title(s.acts, text) }

// row is a sign and a sentence.
type row struct {
	sign, inside, text string
	bold               bool
}

const (
	rowPitch, wideRowPitch float32 = 168, 144
	rowTextLeft            float32 = 144
	signSize               float32 = 96
)

// rows draws rows with a thin line between them: in portrait below the title and above the actions, in landscape beside
// both. They stand at their usual pitch, or where larger text needs more, share the height by their lines.
func (s *screen) rows(above, actions float32, rows []row) {
	top, floor, pitch := float32(336), actions-face.Gap, rowPitch
	tight := above > top || !s.wide && top+float32(len(rows))*pitch > floor+2*face.Gap
	if s.wide {
		top, floor, pitch = 192, s.foot-face.Gap, wideRowPitch
		tight = top+float32(len(rows))*pitch > floor+face.Gap
	} else if tight {
		top = max(top, above+12)
	}
	w := s.matter.w - rowTextLeft
	heights := make([]float32, len(rows))
	style := face.RuleLine
	if s.Larger && (s.wide || tight) {
		style.Line = 45
	}
	var sum float32
	for i, row := range rows {
		_, height := s.Lines(w, row.text, row.styled(style))
		heights[i] = max(height, signSize)
		tight = tight || height > pitch-2*face.Gap
		sum += heights[i]
	}
	if tight && s.wide {
		top = 168
	}
	if needed := sum + float32(len(rows))*face.Gap; s.Larger && needed > floor-top+face.Gap {
		s.Larger = false
		defer func() { s.Larger = true }()
		s.rows(above, actions, rows)
		return
	}
	space := (floor - top - sum) / float32(len(rows))
	for i, row := range rows {
		height := pitch
		if tight {
			height = min(heights[i]+space, max(pitch, heights[i]+face.Gap))
		}
		s.row(top, height, w, row, row.styled(style))
		top += height
		if i+1 < len(rows) {
			s.Hairline(s.matter.x+rowTextLeft, top-13, w)
		}
	}
}

func (r row) styled(style face.Style) face.Style {
	if r.bold {
		return style.Bold()
	}
	return style
}

// row draws one row; the gap below it belongs to it.
func (s *screen) row(y, height, w float32, row row, style face.Style) {
	middle := y + (height-face.Gap)/2
	s.Draw(row.sign, s.matter.x, middle-signSize/2, signSize, signSize)
	if row.inside != "" {
		inside := face.Small.In(face.Paper).Bold()
		if len(row.inside) == 1 {
			inside = face.BodyBold
		}
		s.Say(s.matter.x, middle-inside.Line/2, signSize, row.inside, inside, face.Centre)
	}
	_, high := s.Lines(w, row.text, style)
	s.Paragraph(s.matter.x+rowTextLeft, middle-high/2, w, row.text, style, face.Left)
}
