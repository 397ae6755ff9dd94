package player

import (
	"fmt"

	"reelkiosk/kiosk/face"
	"reelkiosk/kiosk/visit"
)

// column is where matter or actions stand.
type column struct{ x, w float32 }

// screen is one sheet in the making.
type screen struct {
	*face.Sheet
	visit.State
	said    *face.Said
	phrases *face.Phrases
	house   face.House
	pages   pages
	// wide is landscape. matter and acts are the same column in portrait.
	wide         bool
	matter, acts column
	// gold is the top of the gold shape; foot is where the foot begins.
	gold, foot float32
}

// The sheets' sizes, and where things stand in them (pixels).
const (
	shortSide, longSide float32 = 1080, 1920
	titleTop            float32 = 204
	portraitGold        float32 = 1440
	landscapeGold       float32 = 672
	portraitFoot        float32 = 1656
	landscapeFoot       float32 = 936
	full                float32 = 936
	half                float32 = 456
	third               float32 = 296
)

// compose makes the sheet of a state.
func compose(state visit.State, phrases *face.Phrases, house face.House, pages pages, wide bool) *face.Sheet {
	s := &screen{State: state, phrases: phrases, said: phrases.For(state.Look.Language), house: house, pages: pages, wide: wide}
	s.Sheet = &face.Sheet{W: shortSide, H: longSide, Larger: state.Look.Larger, Palette: house.Palette(state.Look.Contrast)}
	s.matter, s.acts = column{face.Margin, full}, column{face.Margin, full}
	s.gold, s.foot = portraitGold, portraitFoot
	if wide {
		s.W, s.H = longSide, shortSide
		s.matter, s.acts = column{face.Margin, 792}, column{912, full}
		s.gold, s.foot = landscapeGold, landscapeFoot
	}
	s.over()
	s.drawFoot()
	return s.Sheet
}

// over draws what lies over the screen, or the screen.
func (s *screen) over() {
	switch s.Over {
	default:
		s.screens()
	}
}

func (s *screen) screens() {
	switch s.Screen {
	default:
		s.attract()
	}
}

// act is the event of a button.
func act(button visit.Button) visit.Tapped { return visit.Tapped{Button: button} }

// head draws the house's mark and the names of house and tournament; step is 0 where the visit has no steps.
func (s *screen) head(step int) {
	s.Draw(s.house.Logo, face.Margin, 72, 72, 72)
	property, name := s.Floor.Property, s.Floor.Name
	if property == "" {
		property = s.house.Name
	}
	small, bold := s.Scaled(face.Small), s.Scaled(face.BodyBold)
	bold.Line = small.Line
	const x = face.Margin + 96
	width := s.W - x - face.Margin
	if step > 0 {
		text := s.said.Say("step", face.Fields{"Step": step, "Steps": 3})
		width -= s.Say(x, 108, width, text, small, face.Right) + face.Gap
	}
	if name == "" {
		s.Say(x, 108-bold.Line/2, width, property, bold, face.Left)
		return
	}
	s.Say(x, 108-small.Line, width, property, small, face.Left)
	s.Say(x, 108, width, name, bold, face.Left)
}

// title draws the first words of a screen, and returns the y below them.
func (s *screen) title(at column, text string) float32 {
	line := s.Scaled(face.Title).Line
	return s.Paragraph(at.x, titleTop+(face.Title.Line-line)/2, at.w, text, face.Title, face.Left)
}

// foot draws the buttons that are on every screen, the responsible-gambling line and the clock.
func (s *screen) drawFoot() {
	s.Fill(0, s.foot, s.W, footLine(s.Palette), 0, face.Rule)
	y := s.foot + 24
	x := face.Margin
	for _, button := range s.languageButtons() {
		s.FootButton(x, y, 96, button.text, button.drawing, button.chosen, button.event)
		x += 96 + face.Gap
	}
	s.FootButton(x, y, 96, "", "larger", s.Larger, act(visit.ButtonLarger))
	s.FootButton(x+120, y, 96, "", "contrast", s.Look.Contrast, act(visit.ButtonContrast))
	s.FootButton(x+240, y, 144, s.said.Say("foot.help"), "", false, act(visit.ButtonHelp))
	s.FootButton(x+408, y, 168, s.said.Say("foot.cancel"), "", false, act(visit.ButtonCancel))
	left, middle, clock := face.Margin, s.foot+180, face.CardTitle
	if s.wide {
		left, middle, clock = 1032, s.foot+72, face.BodyBold
	}
	clock = s.Scaled(clock.Tabular())
	if !s.Now.IsZero() {
		s.Say(left, middle-clock.Line/2, s.W-face.Margin-left, s.said.Clock(s.Now), clock, face.Right)
	}
	small := s.Scaled(face.Small)
	width := s.W - face.Margin - left - clock.Letters.Width("00:00", clock.Size) - face.Gap
	first := s.said.Say("gambling.first", face.Fields{"Age": s.age()})
	second := s.said.Say("gambling.second")
	if small.Letters.Width(first, small.Size) > width {
		first = s.said.Say("gambling.narrow.first", face.Fields{"Age": s.age()})
		second = s.said.Say("gambling.narrow.second")
	}
	top := middle - face.Small.Line/2 - small.Line/2
	s.Say(left, top, width, first, small, face.Left)
	s.Say(left, top+small.Line, width, second, small, face.Left)
}

// footLine is how thick the line over the foot is.
func footLine(palette face.Palette) float32 {
	if palette.Outlined {
		return 3
	}
	return 2
}

// age is the least age as it is shown: '18+'.
func (s *screen) age() string {
	if s.Floor.MinAge == 0 {
		return "18+"
	}
	return fmt.Sprintf("%d+", s.Floor.MinAge)
}

type footButton struct {
	text, drawing string
	chosen        bool
	event         visit.Tapped
}

// languageButtons are the three places for languages. Where there are more than three, two of them show two languages
// and the third the next two: at first those of which one is chosen.
func (s *screen) languageButtons() []footButton {
	all := s.phrases.Languages()
	var buttons []footButton
	add := func(language face.Language) {
		buttons = append(buttons, footButton{language.Short, "", language.Tag == s.said.Language(),
			visit.Tapped{Button: visit.ButtonLanguage, Language: language.Tag}})
	}
	if len(all) <= 3 {
		for _, language := range all {
			add(language)
		}
		return buttons
	}
	chosen := 0
	for i, language := range all {
		if language.Tag == s.said.Language() {
			chosen = i
		}
	}
	pairs := (len(all) + 1) / 2
	first := (chosen/2 + s.pages.languages) % pairs * 2
	for _, language := range all[first:min(first+2, len(all))] {
		add(language)
	}
	for len(buttons) < 2 {
		add(all[0])
	}
	return append(buttons, footButton{drawing: "more", event: act(ButtonLanguages)})
}
