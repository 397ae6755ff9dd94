package player

import (
	"fmt"
	"strings"

	"reelkiosk/kiosk/face"
	"reelkiosk/kiosk/visit"
)

// printing draws the tickets of the visit one by one, the present one coming out of its slot.
func (s *screen) printing() {
	s.head(0)
	at := s.currentTicket()
	if at < 0 {
		s.oneMomentText("wait.any")
		return
	}
	bottom := s.title(s.acts, s.printingTitle(at))
	first, air := below(336, bottom, 12), 2*face.Gap
	if s.wide && len(s.Tickets) > 3 { // two rows of chips, and what the printer says below them
		first, air = bottom+12, face.Gap
		s.gold += 60
	}
	chips := s.ticketChips(first, at)
	slot := float32(576)
	if s.wide {
		slot = titleTop
	}
	if !s.wide {
		slot = below(slot, chips, face.Gap)
	}
	s.slot(slot, s.Tickets[at])
	s.printerSays(chips, s.gold-air, at)
}

// currentTicket is the one being dealt with: the first that is not settled, else the last; -1 where there is none.
func (s *screen) currentTicket() int {
	for i, ticket := range s.Tickets {
		switch ticket.State {
		case visit.TicketWaiting, visit.TicketBooking, visit.TicketPrinting:
			return i
		}
	}
	return len(s.Tickets) - 1
}

func (s *screen) printingTitle(at int) string {
	phrase := "printing.title"
	if state := s.Tickets[at].State; state == visit.TicketWaiting || state == visit.TicketBooking {
		phrase = "printing.booking"
	}
	if len(s.Tickets) == 1 {
		if phrase == "printing.title" {
			return s.said.Say("printing.one")
		}
		return s.said.Say("printing.booking.one")
	}
	return s.said.Say(phrase, face.Fields{"Seat": at + 1, "Seats": len(s.Tickets)})
}

// ticketChips draws the tickets' progress: up to three in a row, up to six in two lower ones, else six round the current. It
// returns the y below them.
func (s *screen) ticketChips(y float32, at int) float32 {
	if len(s.Tickets) < 2 {
		return y
	}
	const most = 6
	first := min(max(at-1, 0), max(len(s.Tickets)-most, 0))
	h, bottom := float32(120), y
	if len(s.Tickets) > 3 {
		h = 96
	}
	for i := first; i < len(s.Tickets) && i < first+most; i++ {
		x := s.acts.x + float32((i-first)%3)*(third+face.Gap)
		top := y + float32((i-first)/3)*(h+12)
		bottom = top + h
		ticket := s.Tickets[i]
		s.LitCard(x, top, third, h, i == at)
		text := top + (h-84)/2
		s.Label(x+24, text, third-48, 45, s.said.Say("heat", face.Fields{"Heat": ticket.Heat.Number}), face.BodyBold, face.Left)
		left := x + 24
		if ticket.State == visit.TicketPrinted {
			s.Draw("tick", left, text+51, 24, 24)
			left += 36
		}
		style := face.Small
		if i == at {
			style = style.In(face.Paper)
		}
		s.Label(left, text+45, x+third-24-left, 36, s.said.Say("ticket."+string(ticket.State)), style, face.Left)
	}
	return bottom
}

// slot draws the slot, and the paper as far as it has come out.
func (s *screen) slot(y float32, ticket visit.Ticket) {
	const slotWidth, paperWidth, paperHeight float32 = 672, 528, 600
	x := s.matter.x + (s.matter.w-slotWidth)/2
	s.Outline(x, y, slotWidth, 96, face.Radius, face.ChosenStroke, face.Raised, face.Paper)
	s.Fill(x+48, y+36, 576, 24, 12, face.Ground).Loose = true
	switch ticket.State {
	case visit.TicketPrinting, visit.TicketPrinted, visit.TicketUnconfirmed:
	default:
		return
	}
	whole := paperHeight
	if !s.wide { // what the printer says stands below
		whole = min(whole, s.gold-192-y)
	}
	out := whole * s.slide.share()
	left, top := x+(slotWidth-paperWidth)/2, y+48
	s.Fill(left, top, paperWidth, out, 0, face.Paper).Loose = true
	// What the paper's edge has passed is to be seen.
	before := len(s.Pieces)
	s.paper(left, top, paperWidth, ticket)
	shown := s.Pieces[:before]
	for _, piece := range s.Pieces[before:] {
		if piece.Y+piece.H <= top+out {
			shown = append(shown, piece)
		}
	}
	s.Pieces = shown
}

// paper draws what stands on the ticket, in the ground's colour on the paper's.
func (s *screen) paper(x, y, w float32, ticket visit.Ticket) {
	left, room := x+48, w-96
	heat := strings.ToUpper(s.said.Say("heat", face.Fields{"Heat": ticket.Heat.Number}))
	line := heat + "   " + s.said.Clock(ticket.Heat.Start)
	style := face.CardTitle.In(face.Ground)
	if !face.FitsLine(line, style, room) {
		style = face.BodyBold.In(face.Ground)
	}
	s.Say(left, y+72, room, line, style, face.Centre)
	s.Fill(left, y+168, room, 3, 0, face.Ground)
	s.Say(left, y+192, room, strings.ToUpper(s.said.Say("paper.machine")), face.BodyBold.In(face.Ground), face.Centre)
	number := fmt.Sprint(ticket.Machine)
	numeral := face.Numeral(288)
	for !face.FitsLine(number, numeral, room) {
		numeral = face.Numeral(numeral.Size - 24)
	}
	numeral.Role = face.Ground
	s.Say(left, y+240+(288-numeral.Size)/2, room, number, numeral, face.Centre)
}

// printerSays draws what the printer says, above bottom and below top, and what to do: take the tickets, or call a host where they do not
// come.
func (s *screen) printerSays(top, bottom float32, at int) {
	paper := s.Paper
	if paper == visit.PrinterOK {
		paper = "ok"
	}
	stuck := paper != "ok" && paper != visit.PrinterLow
	second := s.said.Say("printing.wait.one")
	if len(s.Tickets) > 1 {
		second = s.said.Count("printing.wait", len(s.Tickets))
	}
	if stuck {
		second = s.said.Say("printing.stuck")
	}
	first := s.said.Say("printer." + string(paper))
	fitting, height := s.grown(s.acts.w, bottom-top, paragraph{first, face.BodyBold}, paragraph{second, face.Body.In(face.Quiet)})
	s.stack(s.acts.x, bottom-height, s.acts.w, fitting)
	switch {
	case stuck:
		s.goldShape(s.callHost())
	case s.anyPrinted():
		s.slotIs(s.said.Say("printing.take"))
	case s.Tickets[at].State == visit.TicketPrinting:
		s.slotIs(s.said.Say("where.slot." + string(s.house.Slot)))
	}
}

// slotIs draws an arrow to the slot and a sentence where the gold shape stands otherwise, and is no button: while tickets are
// printed there is nothing to touch.
func (s *screen) slotIs(text string) {
	s.Draw("arrow-"+arrowTo[s.house.Slot], s.acts.x, s.gold+(face.GoldHeight-120)/2, 120, 120)
	fitting, height := s.grown(s.acts.w-168, face.GoldHeight, paragraph{text, face.CardTitle})
	s.stack(s.acts.x+168, s.gold+(face.GoldHeight-height)/2, s.acts.w-168, fitting)
}

func (s *screen) anyPrinted() bool {
	for _, ticket := range s.Tickets {
		if ticket.State == visit.TicketPrinted {
			return true
		}
	}
	return false
}
