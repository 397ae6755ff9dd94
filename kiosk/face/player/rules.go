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

// question draws the title of a screen with rows above them; in landscape over both columns, for it is about both. It returns
// the y below.
func (s *screen) question(text string) float32 {
	if s.wide {
		return s.titleAt(wideQuestionTop, column{s.matter.x, s.W - 2*face.Margin}, text)
	}
	return s.title(s.matter, text)
}

// wideQuestionTop is where the title of rows stands in landscape: higher than others, for the rows take the rest.
const wideQuestionTop float32 = 180

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

// rowStyles are the styles that rows may be set in, the first that has room is taken: the usual one, and in larger text
// four of which the last is the usual one again. Sizes are final.
var (
	rowStyle        = face.RuleLine
	largerRowStyles = []face.Style{rowStyleOf(50, 60), rowStyleOf(50, 56), rowStyleOf(50, 53), rowStyleOf(45, 51), rowStyle}
)

func rowStyleOf(size, line float32) face.Style {
	return face.Style{Size: size, Line: line, Letters: face.Regular, Role: face.Paper}
}

// rows draws rows with a thin line between them: in portrait below the title and above the actions, in landscape beside
// both. They stand at their usual pitch, or where that has no room, share the height by their lines.
func (s *screen) rows(above, actions float32, rows []row) {
	floor := actions - face.Gap
	if s.wide {
		floor = s.foot - 36
	}
	s.rowsTo(above, floor, rows, rows)
}

// rowsTo draws some of all rows in the matter's column between two heights, in a style in which any would fit there.
func (s *screen) rowsTo(above, floor float32, all, rows []row) {
	top, pitch, w := float32(336), rowPitch, s.matter.w-rowTextLeft
	if s.wide {
		top, pitch = above+face.Gap, wideRowPitch
	}
	usual := float32(len(rows))*pitch - face.Gap
	tight := !s.wide && above > top || top+usual > floor+face.Gap
	if tight {
		top = above + 12
		if !s.wide {
			top = max(336, above+12)
		}
	}
	style, heights, sum := rowStyle, []float32(nil), float32(0)
	styles := []face.Style{rowStyle}
	if s.Larger {
		styles = largerRowStyles
	}
	for _, style = range styles {
		fits := true
		for i := 0; i < len(all); i += len(rows) {
			_, sum = rowHeights(all[i:i+len(rows)], w, style)
			fits = fits && sum+float32(len(rows)-1)*face.Gap <= floor-top
		}
		if fits {
			break
		}
	}
	heights, sum = rowHeights(rows, w, style)
	for _, height := range heights {
		tight = tight || height > pitch-face.Gap
	}
	space := (floor + face.Gap - top - sum) / float32(len(rows))
	for i, row := range rows {
		height := pitch
		if tight {
			height = heights[i] + min(space, pitch-signSize)
		}
		s.row(top, height, w, row, style)
		top += height
		if i+1 < len(rows) {
			s.Hairline(s.matter.x+rowTextLeft, top-13, w)
		}
	}
}

// rowHeights returns how high each row is without the gap below it, and all together.
func rowHeights(rows []row, w float32, style face.Style) (heights []float32, sum float32) {
	for _, row := range rows {
		lines := row.styled(style).Letters.Wrap(row.text, style.Size, w)
		height := max(float32(len(lines))*style.Line, signSize)
		heights, sum = append(heights, height), sum+height
	}
	return heights, sum
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
	s.Block(s.matter.x+rowTextLeft, y, w, height-face.Gap, row.text, row.styled(style), face.Left)
}
