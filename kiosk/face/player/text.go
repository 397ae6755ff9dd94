package player

import (
	"fmt"
	"strings"

	"reelkiosk/kiosk/face"
	"reelkiosk/kiosk/visit"
)

// reading is how the full text of the rules is set, small and with air between its lines; largerReading grows more than other
// words do, since it begins as the least.
var (
	reading       = face.Style{Size: face.LeastText, Line: 40, Letters: face.Regular, Role: face.Paper}
	largerReading = face.Style{Size: 42, Line: 56, Letters: face.Regular, Role: face.Paper}
)

// readingStyle is how the text is set on this sheet.
func (s *screen) readingStyle() face.Style {
	if s.Larger {
		return largerReading
	}
	return reading
}

// rulesText draws a page of the published rules. The gold button turns the page, and closes after the last.
func (s *screen) rulesText() {
	body := strings.TrimSpace(s.Floor.RulesBody)
	if body == "" {
		s.notice(notice{sign: "sign-rules", title: s.said.Say("text.title"), text: s.said.Say("text.none"), place: &s.house.Desk})
		s.actions(s.press("close", visit.ButtonClose))
		return
	}
	s.head(0)
	bottom := s.title(s.matter, s.said.Say("text.title"))
	top, floor := below(300, bottom, 12), s.gold-2*120-24
	if s.wide {
		floor = s.foot - 24
	}
	pages := s.paginate(body, floor-top)
	page := min(max(s.pages.text, 0), len(pages)-1)
	y, style := top, s.readingStyle()
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

// paginate breaks the rules into pages of lines; an empty line stands between two clauses. A clause is not broken unless
// it is longer than half a page.
func (s *screen) paginate(body string, height float32) (pages [][]string) {
	style := s.readingStyle()
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
		lines := style.Letters.Fill(clause, style.Size, s.matter.w)
		if len(page)+1+len(lines) > most && len(lines) <= most/2 {
			turn()
		}
		if len(page) > 0 && len(page) < most {
			page = append(page, "")
		}
		for _, line := range lines {
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
	bottom := s.question(s.said.Say("privacy"))
	var rows []row
	for _, each := range []row{{sign: "rule-card", text: "read"}, {sign: "rule-age", text: "check"}, {sign: "rule-lock", text: "keep"},
		{sign: "rule-photo", text: "picture"}, {sign: "rule-eye", text: "show"}, {sign: "rule-host", text: "ask"}} {
		each.text = s.said.Say("privacy." + each.text)
		if each.sign == "rule-age" {
			each.inside = fmt.Sprintf("%d+", s.years())
		}
		rows = append(rows, each)
	}
	if s.wide { // half of them over the button
		if s.Larger {
			s.gold += 48
		}
		matter, floor := s.matter, s.gold-face.Gap
		s.rowsTo(bottom, floor, rows, rows[:3])
		s.matter = column{s.acts.x, matter.w}
		s.rowsTo(bottom, floor, rows, rows[3:])
		s.matter = matter
	} else {
		s.rows(bottom, s.gold, rows)
	}
	s.actions(s.press("close", visit.ButtonClose))
}
