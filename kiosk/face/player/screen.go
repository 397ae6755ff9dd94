package player

import (
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
	slide   slide
	// wide is landscape. matter and acts are the same column in portrait.
	wide         bool
	matter, acts column
	// gold is the top of the gold shape; foot is where the foot begins.
	gold, foot float32
}

// The sheets' sizes, and where things stand in them (pixels).
const (
	shortSide, longSide float32 = 1080, 1920
	headTop             float32 = 72
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
func compose(state visit.State, phrases *face.Phrases, house face.House, pages pages, slide slide, wide bool) *face.Sheet {
	s := &screen{State: state, phrases: phrases, said: phrases.For(state.Look.Language), house: house,
		pages: pages, slide: slide, wide: wide}
	s.Sheet = &face.Sheet{W: shortSide, H: longSide, Larger: state.Look.Larger, Palette: house.Palette(state.Look.Contrast)}
	s.matter, s.acts = column{face.Margin, full}, column{face.Margin, full}
	s.gold, s.foot = portraitGold, portraitFoot
	if wide {
		s.W, s.H = longSide, shortSide
		s.matter, s.acts = column{face.Margin, 792}, column{912, full}
		s.gold, s.foot = landscapeGold, landscapeFoot
	}
	s.top()
	s.footer()
	return s.Sheet
}

// top draws what lies over the screen, or else the screen.
func (s *screen) top() {
	switch s.Over {
	case visit.OverStillThere:
		s.stillThere()
	case visit.OverRulesText:
		s.rulesText()
	case visit.OverPrivacy:
		s.privacyNotice()
	case visit.OverHelp:
		s.help()
	case visit.OverUnprinted:
		s.unprinted()
	case visit.OverWhere:
		s.where()
	default:
		s.under()
	}
}

// under draws the screen itself.
func (s *screen) under() {
	switch s.Screen {
	case visit.ScreenOneMoment:
		s.oneMoment()
	case visit.ScreenAskID:
		s.askID()
	case visit.ScreenGreeting:
		s.greeting()
	case visit.ScreenRules:
		s.rules()
	case visit.ScreenDeclaration:
		s.declaration()
	case visit.ScreenOffer:
		s.offer()
	case visit.ScreenHeats:
		s.heats()
	case visit.ScreenPrinting:
		s.printing()
	case visit.ScreenDone:
		s.done()
	case visit.ScreenSeeHost:
		s.seeHost()
	case visit.ScreenTrouble:
		s.trouble(s.Trouble)
	case visit.ScreenUnconfirmed:
		s.unconfirmed()
	default:
		s.attract()
	}
}

// act is the event of a button.
func act(button visit.Button) visit.Tapped { return visit.Tapped{Button: button} }

// button is a button in the making.
type button struct {
	text  string
	event visit.Tapped
	// pointer is the arrow of a gold band; a gold button has none.
	pointer string
}

// press is a button that sends no more than itself.
func (s *screen) press(phrase string, pressed visit.Button) button {
	return button{text: s.said.Say(phrase), event: act(pressed)}
}

// callHost is the button that calls a host.
func (s *screen) callHost() button { return s.press("host.call", visit.ButtonCallHost) }

// actions draws the gold shape and the quiet buttons above it, the first one nearest, and returns the top of the highest.
func (s *screen) actions(gold button, quiet ...button) float32 {
	s.goldShape(gold)
	y := s.gold
	for _, button := range quiet {
		y -= face.QuietHeight + face.Gap
		s.QuietButton(s.acts.x, y, s.acts.w, face.QuietHeight, button.text, button.event)
	}
	return y
}

func (s *screen) goldShape(gold button) {
	if gold.pointer != "" {
		s.GoldBand(s.acts.x, s.gold, s.acts.w, gold.text, gold.pointer, gold.event)
	} else {
		s.GoldButton(s.acts.x, s.gold, s.acts.w, gold.text, gold.event)
	}
}

// pair draws two quiet buttons beside each other, or returns false where the words do not fit into halves.
func (s *screen) pair(y float32, left, right button) bool {
	style := s.Scaled(face.BodyBold)
	for _, button := range []button{left, right} {
		if style.Letters.Width(button.text, style.Size) > half-2*face.Gap {
			return false
		}
	}
	s.QuietButton(s.acts.x, y, half, face.QuietHeight, left.text, left.event)
	s.QuietButton(s.acts.x+half+face.Gap, y, half, face.QuietHeight, right.text, right.event)
	return true
}

// head draws the house's mark and the names of house and tournament; step is 0 where the visit has no steps. A hint lies
// over it: it is short, and gone in a moment.
func (s *screen) head(step int) {
	if s.Hint != visit.HintNone {
		s.hintBanner()
		return
	}
	s.Draw(s.house.Logo, face.Margin, headTop, 72, 72)
	property, name := s.Floor.Property, s.Floor.Name
	if property == "" {
		property = s.house.Name
	}
	small, bold := s.Scaled(face.Small), s.Scaled(face.BodyBold)
	bold.Line = small.Line
	const x = face.Margin + 96
	width := s.matter.x + s.matter.w - x
	if step > 0 {
		text := s.said.Say("step", face.Fields{"Step": step, "Steps": 3})
		stepped := s.Say(s.acts.x, 108, s.acts.w, text, small, face.Right)
		if !s.wide {
			width -= stepped + face.Gap
		}
	}
	if name == "" {
		s.Say(x, 108-bold.Line/2, width, face.Shortened(property, bold, width), bold, face.Left)
		return
	}
	s.Say(x, 108-small.Line, width, face.Shortened(property, small, width), small, face.Left)
	s.Say(x, 108, width, face.Shortened(name, bold, width), bold, face.Left)
}

// title draws the first words of a screen at the usual place, and returns the y below them.
func (s *screen) title(at column, text string) float32 { return s.titleAt(titleTop, at, text) }

// titleAt draws a title whose first line is centred where one of normal size would be.
func (s *screen) titleAt(y float32, at column, text string) float32 {
	lines, height := s.Lines(at.w, text, face.Title)
	return s.Paragraph(at.x, y+(face.Title.Line-height/float32(lines))/2, at.w, text, face.Title, face.Left)
}

// below returns the y of the next part: where the pictures have it, or lower where what stands above has grown.
func below(anchor, bottom, gap float32) float32 { return max(anchor, bottom+gap) }
