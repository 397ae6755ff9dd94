package player

import (
	"reelkiosk/kiosk/face"
	"reelkiosk/kiosk/visit"
)

// begin draws how to begin: the band, the two drawings, why an ID is read.
func (s *screen) begin() {
	x, y := s.acts.x, float32(720)
	if s.wide {
		y = 72
	}
	gold := s.bandOf(s.Ready)
	if gold.pointer != "" {
		s.GoldBand(x, y, full, gold.text, gold.pointer, gold.event)
	} else {
		s.GoldButton(x, y, full, gold.text, gold.event)
	}
	cards := y + face.GoldHeight + face.Gap
	height := s.howCard(x, cards, cardReader, s.Ready.Card)
	s.howCard(x+half+face.Gap, cards, idScanner, s.Ready.Document)
	s.whyID(x, cards+height+face.Gap)
}

// whyID draws why an ID is read, and the button of the privacy notice.
func (s *screen) whyID(x, y float32) {
	why := s.said.Say("attract.why")
	if s.Larger && !s.wide {
		s.Paragraph(x, y+6, full, why, face.Small, face.Left)
		s.QuietButton(x, 1512, full, face.QuietHeight, s.said.Say("privacy"), act(visit.ButtonPrivacy))
		return
	}
	if s.wide {
		y += face.Gap
	}
	_, height := s.Lines(half, why, face.Small)
	s.Paragraph(x, y+(face.QuietHeight-height)/2, half, why, face.Small, face.Left)
	s.QuietButton(x+half+face.Gap, y, half, face.QuietHeight, s.said.Say("privacy"), act(visit.ButtonPrivacy))
}

// reader is one of the two readers, as the screens speak of it.
type reader struct{ drawing, phrase, sign string }

var (
	cardReader = reader{"swipe", "how.card", "sign-card"}
	idScanner  = reader{"scan", "how.id", "sign-document"}
)

// side is where the house has the reader.
func (s *screen) side(which reader) face.Side {
	if which == cardReader {
		return s.house.Card
	}
	return s.house.Document
}

// drawingOf is the drawing of a reader's use. On the left the card is swiped the other way.
func (s *screen) drawingOf(which reader) string {
	if which == cardReader && s.house.Card == face.SideLeft {
		return "swipe-left"
	}
	return which.drawing
}

// howCard draws one way to begin, or that it does not work now, and returns how high its card is.
func (s *screen) howCard(x, y float32, which reader, works bool) float32 {
	height := float32(408)
	name, hint := face.BodyBold, face.Small
	nameLine, hintLine := float32(36), float32(36)
	if s.Larger {
		height, nameLine, hintLine = 432, 48, 45
	}
	s.Card(x, y, half, height, false)
	if !works {
		s.Draw(which.sign, x+24, y+24, 120, 120)
		top := s.Paragraph(x+24, y+168, half-48, s.said.Say(which.phrase), name, face.Left)
		s.Paragraph(x+24, top, half-48, s.said.Say(which.phrase+".off"), face.Body.In(face.Quiet), face.Left)
		return height
	}
	s.Draw(s.drawingOf(which), x+24, y+24, 408, 264)
	s.Label(x+24, y+312, 312, nameLine, s.said.Say(which.phrase), name, face.Left)
	s.Label(x+24, y+312+nameLine, 312, hintLine, s.said.Say(which.phrase+".hint"), hint, face.Left)
	s.Draw("where-"+string(s.side(which)), x+half-24-72, y+height-24-78, 72, 78)
	return height
}

// bandOf is the gold shape for the readers that work: swipe, scan, or both; and where none does, call a host.
func (s *screen) bandOf(ready visit.Readers) button {
	where := act(visit.ButtonWhere)
	switch {
	case ready.Card && ready.Document:
		return button{s.said.Say("attract.both"), where, pointer(s.house.Card, s.house.Document)}
	case ready.Card:
		return button{s.said.Say("attract.card"), where, pointer(s.house.Card, s.house.Card)}
	case ready.Document:
		return button{s.said.Say("attract.document"), where, pointer(s.house.Document, s.house.Document)}
	}
	return s.callHost()
}

// pointer is the drawing of an arrow towards one or two sides of the panel.
func pointer(first, second face.Side) string {
	has := func(side face.Side) bool { return first == side || second == side }
	switch {
	case has(face.SideBottom) && has(face.SideRight):
		return "point-down-right"
	case has(face.SideBottom) && has(face.SideLeft):
		return "point-down-left"
	case has(face.SideBottom), has(face.SideLeft) && has(face.SideRight):
		return "point-down"
	case has(face.SideLeft):
		return "point-left"
	}
	return "point-right"
}

// asked is the reader for what is still needed on the ask-ID screen.
func (s *screen) asked() reader {
	if s.Asked == visit.AskedCard {
		return cardReader
	}
	return idScanner
}

// askID draws the wish for the other one of card and document.
func (s *screen) askID() {
	s.head(0)
	which, asked := s.asked(), "ask."+string(s.Asked)
	bottom := s.title(s.matter, s.said.Say(asked))
	bottom = s.Paragraph(s.matter.x, below(300, bottom, 12), s.matter.w, s.said.Say(asked+".why"), face.Body, face.Left)
	if s.wide {
		s.bigHowCard(titleTop, which)
	} else {
		bottom = s.bigHowCard(below(432, bottom, 36), which)
	}
	gold := s.bandOf(visit.Readers{Card: which == cardReader, Document: which == idScanner})
	if which == cardReader {
		s.goldShape(gold)
		return
	}
	s.Paragraph(s.matter.x, bottom+36, s.matter.w, s.said.Say("attract.why"), face.Small, face.Left)
	s.actions(gold, s.press("privacy", visit.ButtonPrivacy))
}

// bigHowCard draws the use of one reader over the whole column, and returns the y below it.
func (s *screen) bigHowCard(y float32, which reader) float32 {
	x, h := s.acts.x, float32(624)
	drawing := struct{ x, y, w, h float32 }{x + 111, y + 24, 714, 462}
	left, top := x+48, y+510
	if s.wide {
		h = 312
		drawing.x, drawing.w, drawing.h = x+24, 408, 264
		left, top = x+480, y+84
	}
	s.Card(x, y, full, h, false)
	s.Draw(s.drawingOf(which), drawing.x, drawing.y, drawing.w, drawing.h)
	mark := x + full - 48 - 72
	s.Label(left, top, mark-12-left, 48, s.said.Say(which.phrase), face.BodyBold, face.Left)
	s.Label(left, top+48, mark-12-left, 42, s.said.Say(which.phrase+".hint"), face.Small, face.Left)
	s.Draw("where-"+string(s.side(which)), mark, y+h-24-78, 72, 78)
	return y + h
}

// where answers a touch of the gold band: words and drawings of where the readers are, or the slot while printing.
func (s *screen) where() {
	s.head(0)
	s.actions(s.press("close", visit.ButtonClose))
	bottom := s.title(s.matter, s.said.Say("where.title"))
	say := func(y float32, phrase string) {
		bottom = s.Paragraph(s.matter.x, below(y, bottom, 12), s.matter.w, s.said.Say(phrase), face.CardTitle, face.Left)
	}
	if s.Screen == visit.ScreenPrinting {
		say(312, "where.slot."+string(s.house.Slot))
		s.Draw("arrow-"+arrowTo[s.house.Slot], s.matter.x, below(480, bottom, 24), 240, 240)
		return
	}
	card, document := s.wanted()
	y := float32(720)
	if s.wide {
		y = titleTop
	}
	if card {
		say(312, "where.card."+string(s.house.Card))
	}
	if document {
		say(312, "where.id."+string(s.house.Document))
	}
	switch {
	case card && document:
		s.howCard(s.acts.x, y, cardReader, true)
		s.howCard(s.acts.x+half+face.Gap, y, idScanner, true)
	case card:
		s.bigHowCard(y, cardReader)
	default:
		s.bigHowCard(y, idScanner)
	}
}

// arrowTo is the large arrow towards a side.
var arrowTo = map[face.Side]string{face.SideLeft: "left", face.SideRight: "right", face.SideBottom: "down"}

// wanted says which readers the screen underneath speaks of.
func (s *screen) wanted() (card, document bool) {
	switch {
	case s.Screen == visit.ScreenAskID:
		return s.Asked == visit.AskedCard, s.Asked == visit.AskedDocument
	case s.Screen == visit.ScreenTrouble && s.Trouble == visit.TroubleUnknownCard:
		return false, true
	case !s.Ready.Card && !s.Ready.Document:
		return true, true
	}
	return s.Ready.Card, s.Ready.Document
}
