package service

import (
	"strings"

	"reelkiosk/kiosk/face"
	"reelkiosk/kiosk/firststart"
	"reelkiosk/store/tournament"
)

// The sheets' sizes, and where things stand in them (pixels).
const (
	shortSide, longSide float32 = 1080, 1920
	headTop, titleTop   float32 = 72, 204
	textTop             float32 = 288
	fieldTop            float32 = 372
	fieldHeight         float32 = 120
	portraitGold        float32 = 1440
	landscapeGold       float32 = 744
	portraitNext        float32 = 1704
	landscapeNext       float32 = 936
	nextHeight          float32 = 96
)

// column is where matter or keys stand.
type column struct{ x, w float32 }

// screen is one sheet in the making.
type screen struct {
	*face.Sheet
	firststart.State
	said *face.Said
	logo string
	// wide is landscape. matter and keys are the same column in portrait.
	wide         bool
	matter, keys column
	// gold is the top of the gold button, next that of the line at the bottom.
	gold, next float32
}

// compose makes the sheet of a state.
func compose(state firststart.State, said *face.Said, logo string, wide bool) *face.Sheet {
	s := &screen{State: state, said: said, logo: logo, wide: wide}
	s.Sheet = &face.Sheet{W: shortSide, H: longSide, Palette: face.Dark}
	s.matter, s.keys = column{face.Margin, 936}, column{face.Margin, 936}
	s.gold, s.next = portraitGold, portraitNext
	if wide {
		s.W, s.H = longSide, shortSide
		s.matter, s.keys = column{face.Margin, 792}, column{912, 936}
		s.gold, s.next = landscapeGold, landscapeNext
	}
	switch state.Screen {
	case firststart.ScreenAddress:
		s.address()
	case firststart.ScreenCode:
		s.code()
	case firststart.ScreenFailed:
		s.failed()
	case firststart.ScreenOtherName:
		s.otherName()
	default:
		s.asking()
	}
	return s.Sheet
}

func pressed(button firststart.Button) firststart.Event { return firststart.Pressed{Button: button} }

// name is the kiosk's.
func (s *screen) name() string {
	if s.Name == "" {
		return s.said.Say("first.nameless")
	}
	return s.Name
}

// head draws which kiosk it is, and which step of two; step 0 is none.
func (s *screen) head(step int) {
	s.Draw(s.logo, face.Margin, headTop, 72, 72)
	x, w := face.Margin+96, s.matter.w-96
	if step > 0 {
		text := s.said.Say("first.step", face.Fields{"Step": step})
		s.Say(s.matter.x, 108, s.matter.w, text, face.Small, face.Right)
		w -= face.Small.Letters.Width(text, face.Small.Size) + face.Gap
	}
	head := s.said.Say("first.head", face.Fields{"Name": s.name()})
	s.Say(x, 72, w, s.said.Say("first.out"), face.Small, face.Left)
	s.Say(x, 108, w, face.Shortened(head, face.BodyBold, w), face.BodyBold, face.Left)
}

// question draws what is asked, and a sentence under it.
func (s *screen) question(id string) {
	s.Paragraph(s.matter.x, titleTop, s.matter.w, s.said.Say(id+".title"), face.Title, face.Left)
	s.Label(s.matter.x, textTop, s.matter.w, 48, s.said.Say(id+".text"), face.Body.In(face.Quiet), face.Left)
}

// verdict says under the field what is thought of what was typed: nothing yet, good or bad, with its sign and its word.
func (s *screen) verdict(sign, text string) {
	y, x, style := fieldTop+fieldHeight+face.Gap, s.matter.x, face.Body.In(face.Quiet)
	if sign != "" {
		style = face.BodyBold.In(map[string]face.Role{"good": face.Good, "bad": face.Bad}[sign])
		s.Draw("says-"+sign, x, y+6, 36, 36)
		x += 48
	}
	s.Label(x, y, s.matter.x+s.matter.w-x, 48, text, style, face.Left)
}

// nextLine draws the line at the bottom: what to do next.
func (s *screen) nextLine(text string) {
	s.Card(s.matter.x, s.next, s.matter.w, nextHeight, false)
	s.Draw("arrow-right", s.matter.x+24, s.next+24, 48, 48)
	w := s.matter.w - 96 - 24
	style := face.Body
	if !face.FitsLine(text, style, w) {
		style = face.Small.In(face.Paper)
	}
	s.Block(s.matter.x+96, s.next, w, nextHeight, text, style, face.Left)
}

// makeLine says at the bottom how a code is made.
func (s *screen) makeLine() {
	if s.Name == "" {
		s.nextLine(s.said.Say("first.make.nameless"))
		return
	}
	s.nextLine(s.said.Say("first.make", face.Fields{"Name": s.Name}))
}

func (s *screen) goldButton(id string, button firststart.Button) {
	s.GoldButton(s.matter.x, s.gold, s.matter.w, s.said.Say(id), pressed(button))
}

// address asks for central's address.
func (s *screen) address() {
	s.head(1)
	s.question("first.address")
	s.Outline(s.matter.x, fieldTop, s.matter.w, fieldHeight, face.Radius, face.ChosenStroke, face.Surface, face.Paper)
	s.typed(s.matter.x+36, s.matter.w-72, "https://", s.Address)
	_, whole := s.Central()
	switch {
	case s.Address == "":
		s.verdict("", s.said.Say("first.address.empty"))
	case !whole:
		s.verdict("", s.said.Say("first.address.part"))
	case strings.Contains(s.Address, ":"):
		s.verdict("good", s.said.Say("first.address.right"))
	default:
		s.verdict("good", s.said.Say("first.address.port", face.Fields{"Port": firststart.DefaultPort}))
	}
	if whole {
		s.goldButton("first.address.gold", firststart.ButtonNext)
	}
	s.addressKeys()
	s.makeLine()
}

// typed draws what was typed into a field of one line, as large as it fits, with the place where the next symbol comes.
func (s *screen) typed(x, w float32, before, text string) {
	style := face.CardTitle
	for _, size := range []float32{40, 36, 32, 28} {
		if style.Letters.Width(before+text+"0", style.Size) <= w {
			break
		}
		style.Size = size
	}
	style.Line = fieldHeight
	x += s.Say(x, fieldTop, w, before, face.Style{Size: style.Size, Line: fieldHeight, Letters: face.Regular, Role: face.Quiet}, face.Left)
	if text != "" {
		x += s.Say(x, fieldTop, w, text, style, face.Left)
	}
	s.Fill(x+4, fieldTop+(fieldHeight-60)/2, 4, 60, 0, face.Paper)
}

// code asks for the code.
func (s *screen) code() {
	s.head(2)
	s.question("first.code")
	s.cells()
	_, right := s.Complete()
	switch {
	case right:
		s.verdict("good", s.said.Say("first.code.right"))
		s.goldButton("first.code.gold", firststart.ButtonNext)
	case s.Mistyped():
		s.verdict("bad", s.said.Say("first.code.wrong"))
	case s.Code == "":
		s.verdict("", s.said.Say("first.code.empty"))
	default:
		s.verdict("", s.said.Say("first.code.count", face.Fields{"Count": len(s.Code)}))
	}
	const change float32 = 216
	y := fieldTop + fieldHeight + 96
	s.Hairline(s.matter.x, y, s.matter.w)
	y += face.Gap
	central := s.said.Say("first.code.central", face.Fields{"Address": s.Address})
	w := s.matter.w - change - face.Gap
	style := face.Body
	if !face.FitsLine(central, style, w) {
		style = face.Small
	}
	s.Label(s.matter.x, y, w, face.QuietHeight, face.Shortened(central, style, w), style.In(face.Quiet), face.Left)
	s.QuietButton(s.matter.x+s.matter.w-change, y, change, face.QuietHeight, s.said.Say("first.code.change"), pressed(firststart.ButtonAddress))
	s.codeKeys()
	s.makeLine()
}

// cells draws the symbols of the code in their groups of four, as reelctl prints them. The group that is being typed is lit.
func (s *screen) cells() {
	const group, between float32 = 4, 16
	count := float32(tournament.NumberLength)
	cell := (s.matter.w - between*4) / count
	letter := face.Style{Size: 44, Line: fieldHeight, Letters: face.SemiBold, Role: face.Paper}
	if s.wide {
		letter.Size = 36
	}
	for first, x := 0, s.matter.x; first < tournament.NumberLength; first += int(group) {
		size := min(group, count-float32(first))
		line, stroke := face.Line, face.Stroke
		typing := len(s.Code) >= first && len(s.Code) < first+int(size)
		switch {
		case s.Mistyped():
			line, stroke = face.Bad, face.ChosenStroke
		case typing:
			line, stroke = face.Paper, face.ChosenStroke
		}
		s.Outline(x, fieldTop, size*cell, fieldHeight, face.Radius, stroke, face.Surface, line)
		left, pitch := x, cell
		if size > 1 { // so that no letter touches the outline
			left, pitch = x+8, (size*cell-16)/size
		}
		for i := first; i < first+int(size) && i < len(s.Code); i++ {
			s.Say(left+float32(i-first)*pitch, fieldTop, pitch, s.Code[i:i+1], letter, face.Centre)
		}
		if typing {
			s.Fill(left+(float32(len(s.Code)-first)+0.5)*pitch-2, fieldTop+(fieldHeight-60)/2, 4, 60, 0, face.Paper)
		}
		x += size*cell + between
	}
}

// failedSigns are the drawings of the failures.
var failedSigns = map[firststart.Failure]string{
	firststart.FailureAway: "sign-link", firststart.FailureImposter: "sign-link", firststart.FailureExpired: "sign-clock",
	firststart.FailureClock: "sign-clock", firststart.FailureDisk: "sign-kiosk", firststart.FailureOther: "sign-kiosk",
}

// failed says why the kiosk is not enrolled, and what to do.
func (s *screen) failed() {
	s.head(0)
	id := "first.failed." + string(s.Failure)
	sign := failedSigns[s.Failure]
	if sign == "" {
		sign = "sign-receipt"
	}
	s.notice(sign, s.said.Say(id), s.said.Say(id+".why", face.Fields{"Address": s.Address}))
	s.nextLine(s.said.Say(id + ".do"))
	if s.Failure.Spoilt() {
		s.goldButton("first.other-code", firststart.ButtonOtherCode)
		s.quietButton(0, "first.to-address", firststart.ButtonAddress)
		return
	}
	s.goldButton("first.again", firststart.ButtonNext)
	s.quietButton(0, "first.to-address", firststart.ButtonAddress)
	s.quietButton(1, "first.to-code", firststart.ButtonCode)
}

// notice draws a sign, a sentence, and why.
func (s *screen) notice(sign, title, why string) {
	y, w := float32(300), s.matter.w
	if s.wide {
		y = titleTop
		s.Draw(sign, s.keys.x+(s.keys.w-480)/2, 300, 480, 480)
	} else {
		s.Draw(sign, s.matter.x, 240, 240, 240)
		y = 540
	}
	y = s.Paragraph(s.matter.x, y, w, title, face.Title, face.Left)
	s.Paragraph(s.matter.x, y+face.Gap, w, why, face.Body.In(face.Quiet), face.Left)
}

// quietButton draws the button that is so many above the gold one.
func (s *screen) quietButton(above int, id string, button firststart.Button) {
	y := s.gold - float32(above+1)*(face.QuietHeight+face.Gap)
	s.QuietButton(s.matter.x, y, s.matter.w, face.QuietHeight, s.said.Say(id), pressed(button))
}

// asking says that central is being asked.
func (s *screen) asking() {
	s.head(0)
	s.notice("sign-wait", s.said.Say("first.asking.title"), s.said.Say("first.asking.text", face.Fields{"Address": s.Address}))
	if s.Screen == firststart.ScreenAsking {
		s.quietButton(0, "first.asking.stop", firststart.ButtonStop)
	}
	s.nextLine(s.said.Say("first.asking.do"))
}

// otherName says that the kiosk is enrolled by another name than its configuration's.
func (s *screen) otherName() {
	s.head(0)
	fields := face.Fields{"As": s.As, "Name": s.name()}
	s.notice("sign-question", s.said.Say("first.name.title", fields), s.said.Say("first.name.why", fields))
	s.goldButton("first.name.gold", firststart.ButtonNext)
	s.nextLine(s.said.Say("first.name.do", fields))
}
