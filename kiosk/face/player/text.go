package player

import (
	"strings"

	"reelkiosk/kiosk/face"
	"reelkiosk/kiosk/visit"
)

// reading is how the full text of the rules is set: small, with air between its lines.
var reading = face.Style{Size: face.LeastText, Line: 40, Letters: face.Regular, Role: face.Paper}

// rulesText draws a page of the published rules. The gold button turns the page, and closes after the last.
func (s *screen) rulesText() {
	s.head(0)
	bottom := s.title(s.matter, s.said.Say("text.title"))
	top, floor := below(300, bottom, 12), s.gold-2*120-24
	if s.wide {
		floor = s.foot - 24
	}
	body := strings.TrimSpace(s.Floor.RulesBody)
	if body == "" {
		s.Paragraph(s.matter.x, top, s.matter.w, s.said.Say("text.none"), face.Body, face.Left)
		s.actions(s.press("close", visit.ButtonClose))
		return
	}
	pages := s.paginate(body, floor-top)
	page := min(max(s.pages.text, 0), len(pages)-1)
	y, style := top, s.Scaled(reading)
	for _, line := range pages[page] {
		if line != "" {
			s.Say(s.matter.x, y, s.matter.w, line, style, face.Left)
		}
		y += style.Line
	}
	s.pageNumber(page, len(pages))
	s.pageActions(page, len(pages)-1)
}

// pageNumber draws which page it is, at the right of the title's line in portrait, over the buttons in landscape.
func (s *screen) pageNumber(page, pages int) {
	text := s.said.Say("text.page", face.Fields{"Page": page + 1, "Pages": pages})
	if s.wide {
		s.Label(s.acts.x, titleTop, s.acts.w, face.Title.Line, text, face.Body.In(face.Quiet), face.Left)
		return
	}
	s.Label(s.acts.x+half, titleTop, half+face.Gap, face.Title.Line, text, face.Body.In(face.Quiet), face.Right)
}

// paginate breaks the rules into pages of lines; an empty line stands between two clauses, but not at a page's head.
func (s *screen) paginate(body string, height float32) (pages [][]string) {
	style := s.Scaled(reading)
	most := max(int(height/style.Line), 1)
	var page []string
	turn := func() {
		if len(page) > 0 {
			pages, page = append(pages, page), nil
		}
	}
	for _, clause := range strings.Split(body, "\n\n") {
		clause = strings.Join(strings.Fields(clause), " ")
		if clause == "" {
			continue
		}
		if len(page) > 0 && len(page) < most {
			page = append(page, "")
		}
		for _, line := range style.Letters.Fill(clause, style.Size, s.matter.w) {
			if len(page) == most {
				turn()
			}
			page = append(page, line)
		}
	}
	turn()
	return pages
}

// pageActions draws the buttons under a page: print, page before, close, next.
func (s *screen) pageActions(page, last int) {
	next, before := s.press("text.next", ButtonNextPage), s.press("text.previous", ButtonPreviousPage)
	shut, print := s.press("close", visit.ButtonClose), s.press("text.print", visit.ButtonPrintRules)
	gold, second := next, shut
	if page == last {
		gold, second = shut, print
	}
	y := s.gold - face.QuietHeight - face.Gap
	switch {
	case page == 0 || last == 0:
		if page == last {
			s.actions(gold, print)
		} else {
			s.actions(gold, shut, print)
		}
		return
	case s.pair(y, before, second):
		s.goldShape(gold)
	default:
		s.actions(gold, before, second)
		return
	}
	if page < last {
		s.QuietButton(s.acts.x, y-face.QuietHeight-face.Gap, s.acts.w, face.QuietHeight, print.text, print.event)
	}
}

// privacyNotice draws what is read, what for, and what is kept.
func (s *screen) privacyNotice() {
	s.head(0)
	bottom := s.title(s.matter, s.said.Say("privacy"))
	y := below(312, bottom, 24)
	at, gap := s.matter, face.Gap
	if s.wide {
		gap = 12
		y = below(300, bottom, 12)
	}
	for i, sentence := range []string{"read", "check", "keep", "picture", "show", "ask"} {
		if s.wide && i == 3 {
			at, y = s.acts, titleTop
		}
		y = s.Paragraph(at.x, y, at.w, s.said.Say("privacy."+sentence), face.Body, face.Left) + gap
	}
	s.actions(s.press("close", visit.ButtonClose))
}
