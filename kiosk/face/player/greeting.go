package player

import (
	"fmt"

	"reelkiosk/kiosk/face"
	"reelkiosk/kiosk/visit"
	"reelkiosk/store/tournament"
)

// greeting draws the first name and no more of it, for people stand behind her, the number of entries, and when each ends.
// While no ticket can be printed it goes no further.
func (s *screen) greeting() {
	s.head(0)
	name := face.Printable(s.Player.FirstName)
	hello, other := s.said.Say("greeting.noname"), s.said.Say("greeting.other.noname")
	if name != "" {
		hello = s.said.Say("greeting", face.Fields{"Name": name})
		if named := s.said.Say("greeting.other", face.Fields{"Name": name}); face.FitsLine(named, face.BodyBold, s.acts.w-48) {
			other = named
		}
	}
	bottom := s.title(s.matter, hello)
	bottom = s.bigCount(below(300, bottom, 0), len(s.Entries), s.said.Count("entries", len(s.Entries)))
	bottom = below(600, bottom, 24)
	if s.OutOfOrder == visit.TroublePrinter {
		// Her entries are hers to see, but the way to a seat would end in front of the printer.
		bottom = s.Paragraph(s.matter.x, bottom, s.matter.w, s.said.Say("trouble.printer-not-ready"), face.BodyBold, face.Left)
		bottom = s.Paragraph(s.matter.x, bottom, s.matter.w, s.said.Say("trouble.printer-not-ready.do"), face.Body, face.Left)
	} else {
		use := s.said.Count("greeting.use", len(s.Entries))
		bottom = s.Paragraph(s.matter.x, bottom, s.matter.w, use, face.Body.In(face.Quiet), face.Left)
	}
	y := below(744, bottom, 24)
	if s.wide {
		y = titleTop
	}
	s.entryChips(y)
	gold := s.press("continue", visit.ButtonContinue)
	if s.OutOfOrder == visit.TroublePrinter {
		gold = s.callHost()
	}
	s.actions(gold, button{other, act(visit.ButtonNotMe), ""})
}

// bigCount draws a number and its word on one baseline, and returns the y below them.
func (s *screen) bigCount(y float32, count int, word string) float32 {
	numeral, unit := face.Numeral(264), s.Scaled(face.Title)
	number := fmt.Sprint(count)
	end := s.matter.x + s.Number(s.matter.x, y, s.matter.w, number, numeral)
	s.Say(end+12, face.OnBaseline(y, numeral, unit), s.matter.x+s.matter.w-end-12, word, unit, face.Left)
	return y + numeral.Line
}

// entryChips draws the entries as tickets in a row; of more than three the last chip stands for the rest.
func (s *screen) entryChips(y float32) {
	for i, entry := range s.Entries {
		x := s.acts.x + float32(i)*(third+face.Gap)
		if i == 2 && len(s.Entries) > 3 {
			s.restChip(x, y)
			return
		}
		lit := i == 0
		word, style := s.kindOf(entry), face.Small
		if lit && len(s.Entries) > 1 {
			word = s.said.Say("entry.first")
		}
		if lit {
			style = face.Small.In(face.Paper).Bold()
		}
		s.chip(x, y, lit, lit && len(s.Entries) > 1, s.said.Say("entry.ends"), s.said.DayShort(entry.Ends), s.said.Clock(entry.Ends), word, style)
	}
}

// restChip stands for the third entry and all after it.
func (s *screen) restChip(x, y float32) {
	last := s.Entries[len(s.Entries)-1].Ends
	s.LitCard(x, y, third, 312, false)
	const w = third - 48
	until := s.said.Say("entry.last", face.Fields{"Day": s.said.DayShort(last), "Time": s.said.Clock(last)})
	s.caption(x+24, y+12, w, 90, s.said.Say("entry.more"), face.Small)
	s.Number(x+24, y+126, w, fmt.Sprintf("+%d", len(s.Entries)-2), face.Numeral(64))
	s.perforation(x+24, y+216, false)
	s.caption(x+24, y+222, w, 84, until, face.Small)
}

// chip draws one entry. The word of the one to be used first stands in a box of the other colours: by its outline alone it
// would hardly be told from the others in high contrast.
func (s *screen) chip(x, y float32, lit, first bool, label, day, clock, word string, style face.Style) {
	s.LitCard(x, y, third, 312, lit)
	const w = third - 48
	labelled := face.Small
	if lit {
		labelled = labelled.In(face.Paper)
	}
	s.Label(x+24, y+24, w, 36, label, labelled, face.Left)
	s.Label(x+24, y+72, w, 48, day, face.BodyBold, face.Left)
	s.Number(x+24, y+126, w, clock, face.Numeral(64))
	s.perforation(x+24, y+216, lit)
	if !first {
		s.caption(x+24, y+222, w, 84, word, style)
		return
	}
	s.Fill(x+12, y+228, third-24, 72, 16, face.Paper)
	s.caption(x+24, y+228, w, 72, word, style.In(face.Ground))
}

// perforation draws eleven dashes, 14 by 3, at a pitch of 23.4.
func (s *screen) perforation(x, y float32, lit bool) {
	role := face.Line
	if lit {
		role = face.Quiet
	}
	for i := range 11 {
		s.Fill(x+23.4*float32(i), y, 14, 3, 0, role)
	}
}

func (s *screen) kindOf(entry visit.Entry) string {
	switch entry.Kind {
	case tournament.Complimentary:
		return s.said.Say("entry.free")
	case tournament.PackageBuyIn:
		return s.said.Say("entry.package")
	}
	return s.said.Say("entry.bought")
}
