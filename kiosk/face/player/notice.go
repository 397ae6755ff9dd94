package player

import (
	"reelkiosk/kiosk/face"
	"reelkiosk/kiosk/visit"
)

// notice is the layout of every refusal, and of whatever else says one thing: a sign, a sentence, what to do, where, and
// what then.
type notice struct {
	sign, title, text string
	place             *face.Place
	then              string
}

// notice draws a notice, without its buttons.
func (s *screen) notice(n notice) {
	s.head(0)
	sign, title, text, place := float32(240), float32(540), float32(636), float32(768)
	if s.wide {
		sign, title, text, place = titleTop, 468, 564, titleTop
	}
	size := float32(240)
	if s.wide && s.Larger {
		size, title, text = 144, 372, 468
	}
	s.Draw(n.sign, s.matter.x, sign, size, size)
	bottom := s.titleAt(title, s.matter, n.title)
	bottom = s.Paragraph(s.matter.x, below(text, bottom, 24), s.matter.w, n.text, face.Body, face.Left)
	then := column{s.acts.x, s.acts.w}
	switch {
	case n.place == nil:
	case s.wide:
		s.whereCard(place, *n.place)
	default:
		bottom = s.whereCard(below(place, bottom, 36), *n.place)
	}
	if n.then == "" {
		return
	}
	anchor := place + 264
	if s.wide {
		then, anchor = s.matter, 0
	}
	s.Paragraph(then.x, below(anchor, bottom, 24), then.w, n.then, face.Body.In(face.Quiet), face.Left)
}

// whereCard draws where to go, with an arrow in the true direction, and returns the y below it.
func (s *screen) whereCard(y float32, place face.Place) float32 {
	name, way := place.Say(s.said.Language())
	x, w := s.acts.x+216, s.acts.w-216-48
	_, first := s.Lines(w, name, face.CardTitle)
	_, second := s.Lines(w, way, face.Body)
	h := max(216, first+second+12+2*36)
	s.Card(s.acts.x, y, s.acts.w, h, true)
	s.Draw("arrow-"+place.Arrow, s.acts.x+48, y+(h-120)/2, 120, 120)
	top := y + (h-first-second-6)/2
	bottom := s.Paragraph(x, top, w, name, face.CardTitle, face.Left)
	s.Paragraph(x, bottom+6, w, way, face.Body.In(face.Quiet), face.Left)
	return y + h
}

// seeHost draws the one screen of all reasons that a player is not told: no name, no reason, no warning colour.
func (s *screen) seeHost() {
	s.notice(notice{sign: "sign-host", title: s.said.Say("host.title"), text: s.said.Say("host.text"), place: &s.house.Desk})
	s.actions(s.callHost(), s.press("host.walk", visit.ButtonDone))
}

// help says that a host is called, or, where no call goes out, where to go instead: it never says what did not happen.
func (s *screen) help() {
	phrase := "help"
	if s.Calls != visit.CallsGo {
		phrase = "help." + string(s.Calls)
	}
	s.notice(notice{sign: "sign-host", title: s.said.Say(phrase + ".title"), text: s.said.Say(phrase + ".text"), place: &s.house.Desk})
	s.actions(s.press("help.on", visit.ButtonClose))
}

// unprinted says that the rules did not come out of the printer.
func (s *screen) unprinted() {
	s.notice(notice{sign: "sign-printer", title: s.said.Say("unprinted.title"), text: s.said.Say("unprinted.text"), place: &s.house.Desk})
	s.actions(s.press("unprinted.on", visit.ButtonClose))
}

// oneMoment says what is being looked up or booked.
func (s *screen) oneMoment() {
	what := "wait.any"
	switch at := s.currentTicket(); {
	case at >= 0 && s.Tickets[at].State == visit.TicketBooking:
		what = "wait.seat"
	case at >= 0 && s.Tickets[at].State == visit.TicketWaiting:
		what = "wait.printer"
	case s.Player.ID == "":
		what = "wait.person"
	}
	s.oneMomentText(what)
}

func (s *screen) oneMomentText(what string) {
	s.notice(notice{sign: "sign-wait", title: s.said.Say("wait.title"), text: s.said.Say(what)})
}

// unconfirmed asks about a print without an answer; the seat is hers whatever she says.
func (s *screen) unconfirmed() {
	text := ""
	for _, ticket := range s.Tickets {
		if ticket.State == visit.TicketUnconfirmed {
			text = s.said.Say("unconfirmed.text", face.Fields{"Machine": ticket.Machine, "Heat": ticket.Heat.Number,
				"Time": s.said.Clock(ticket.Heat.Start)})
		}
	}
	n := notice{sign: "sign-question", title: s.said.Say("unconfirmed.title"), text: text, place: &s.house.Desk}
	have := s.press("unconfirmed.have", visit.ButtonDone)
	if s.ReprintLeft {
		n.then = s.said.Say("unconfirmed.again")
		s.notice(n)
		s.actions(s.press("unconfirmed.print", visit.ButtonAgain), have)
		return
	}
	n.then = s.said.Say("unconfirmed.host")
	s.notice(n)
	s.actions(s.callHost(), have)
}
