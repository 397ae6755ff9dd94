package player

import (
	"fmt"

	"reelkiosk/kiosk/face"
	"reelkiosk/kiosk/visit"
)

// footer draws the buttons that are on every screen, the responsible-gambling line and the clock.
func (s *screen) footer() {
	thick := float32(2)
	if s.Palette.Outlined {
		thick = face.Stroke
	}
	s.Fill(0, s.foot, s.W, thick, 0, face.Rule)
	x, y := face.Margin, s.foot+24
	languages := s.languageButtons()
	// Help and Cancel have the room that fewer languages leave, so that the row ends where it always does.
	wider := float32(3-len(languages)) * 60
	for _, button := range languages {
		s.FootButton(x, y, 96, button.text, button.drawing, button.chosen, button.event)
		x += 96 + face.Gap
	}
	s.FootButton(x, y, 96, "", "larger", s.Larger, act(visit.ButtonLarger))
	s.FootButton(x+120, y, 96, "", "contrast", s.Look.Contrast, act(visit.ButtonContrast))
	s.FootButton(x+240, y, 144+wider, s.said.Say("foot.help"), "", false, act(visit.ButtonHelp))
	s.FootButton(x+408+wider, y, 168+wider, s.said.Say("foot.cancel"), "", false, act(visit.ButtonCancel))
	s.footLines()
}

// footLines draws the two lines and the clock beside them.
func (s *screen) footLines() {
	left, middle, clock := face.Margin, s.foot+180, face.CardTitle
	if s.wide {
		left, middle, clock = 1056, s.foot+72, face.BodyBold
	}
	clock = s.Scaled(clock)
	if !s.Now.IsZero() {
		s.clock(s.W-face.Margin, middle-clock.Line/2, clock)
	}
	small := s.Scaled(face.Small)
	width := s.W - face.Margin - left - clock.Letters.Width("00:00", clock.Size) - face.Gap
	age := face.Fields{"Age": fmt.Sprintf("%d+", s.years())}
	first, second := s.said.Say("gambling.first", age), s.said.Say("gambling.second")
	if small.Letters.Width(first, small.Size) > width {
		first, second = s.said.Say("gambling.narrow.first", age), s.said.Say("gambling.narrow.second")
	}
	top := middle - face.Small.Line/2 - small.Line/2
	s.Say(left, top, width, first, small, face.Left)
	s.Say(left, top+small.Line, width, second, small, face.Left)
}

// clock draws the time of day up to a right edge. Its figures are of their own widths, since a narrow 1 in a wide place looks
// like a gap; its colon stands where it always does.
func (s *screen) clock(right, y float32, style face.Style) {
	time := s.said.Clock(s.Now)
	hours := style.Letters.Width(time[:2], style.Size)
	colon := right - style.Letters.Width(":44", style.Size)
	s.Say(colon-hours, y, right-colon+hours, time, style, face.Left)
}

// years is the least age; eighteen before the tournament is known (clause 1).
func (s *screen) years() int {
	if s.Floor.MinAge == 0 {
		return 18
	}
	return s.Floor.MinAge
}

type footButton struct {
	text, drawing string
	chosen        bool
	event         visit.Tapped
}

// languageButtons are the three places for languages; one language needs none. Where there are more than three, two of them show two languages
// and the third the next two: at first those of which one is chosen.
func (s *screen) languageButtons() []footButton {
	all := s.phrases.Languages()
	var buttons []footButton
	add := func(language face.Language) {
		buttons = append(buttons, footButton{language.Short, "", language.Tag == s.said.Language(),
			visit.Tapped{Button: visit.ButtonLanguage, Language: language.Tag}})
	}
	if len(all) < 2 {
		return nil
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
	add(all[first])
	add(all[(first+1)%len(all)])
	return append(buttons, footButton{drawing: "more", event: act(ButtonLanguages)})
}
