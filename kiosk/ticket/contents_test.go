package ticket_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"reelkiosk/assets"
	"reelkiosk/devices/dots"
	"reelkiosk/devices/emulator"
	"reelkiosk/devices/printer"
	"reelkiosk/devices/printer/escpos"
	"reelkiosk/kiosk/ticket"
	"reelkiosk/store/tournament"
)

// words joins the lines of a ticket, so that what wraps is found.
func words(text string) string { return strings.Join(strings.Fields(text), " ") }

// everywhere runs a test for each language on each profile.
func everywhere(t *testing.T, test func(t *testing.T, say ticket.Say, profile printer.Profile)) {
	for _, tag := range languages {
		for _, profile := range printer.Profiles() {
			t.Run(tag+" "+profile.Name, func(t *testing.T) { test(t, speak(t, tag), profile) })
		}
	}
}

func TestASeatTicketSaysAllThatItMust(t *testing.T) {
	everywhere(t, func(t *testing.T, say ticket.Say, profile printer.Profile) {
		s := secondCopy()
		text := words(onPaper(t, profile, s.Document(say)).Text)
		wanted := []string{
			s.Property, s.Tournament, "19:40", "2026", s.Place, "7K3M P2QX 9RTC 4HWN5", s.Player, s.Card, s.RulesVersion,
			say("ticket.heat", map[string]any{"Heat": 14}), say("ticket.machine", map[string]any{"Machine": 23}),
			say("ticket.copy", map[string]any{"Copy": 2}), say("day.long.monday", nil), say("month.3", nil),
			say("ticket.entry.ends", nil), "14:05",
			say("ticket.kiosk", map[string]any{"Kiosk": 2}), "19:18",
			say("ticket.before", map[string]any{"Minutes": 5}), "18+", "0800 006 008",
		}
		for _, id := range []string{
			"ticket.rules", "ticket.terms.adults", "ticket.terms.absent", "ticket.terms.unpaid", "ticket.terms.points",
			"ticket.gambling.name",
		} {
			wanted = append(wanted, say(id, nil))
		}
		for _, want := range wanted {
			if !drawnIn(profile, want) && !strings.Contains(text, words(want)) {
				t.Errorf("the ticket does not say %q:\n%s", want, text)
			}
		}
		if bars := strings.Count(text, "█ "+say("ticket.copy", map[string]any{"Copy": 2})+" █"); bars != 2 {
			t.Errorf("%d bars say that this is copy 2, want one at each end", bars)
		}
	})
}

// drawnIn reports whether a printer draws a text as a picture, since none of its code pages has all of it.
func drawnIn(profile printer.Profile, text string) bool {
	for _, letter := range text {
		if letter != '\n' && !slices.ContainsFunc(profile.Pages, func(page escpos.Page) bool { return page.Has(letter) }) {
			return true
		}
	}
	return false
}

func TestTheMachineIsTheLargestThingAndTheHeatNext(t *testing.T) {
	for _, tag := range languages {
		say := speak(t, tag)
		for _, machine := range []int{1, 23, 123, 4711} {
			s := seat()
			s.Machine = machine
			for _, columns := range []string{"epson-48", "epson-42"} {
				picture := onPaper(t, profile(t, columns), s.Document(say)).Image
				// The tallest run of letters, and the word itself at whatever size fits.
				size := 4
				label := say("ticket.machine", map[string]any{"Machine": machine})
				for size > 3 && len([]rune(label))*size > profile(t, columns).Columns-2 {
					size--
				}
				centre := (picture.Width() - len([]rune(label))*12*size) / 2
				if !contains(picture, label, size, centre) {
					t.Errorf("%s: %q is not there at %d times the size on %s", tag, label, size, columns)
				}
				if !contains(picture, say("ticket.heat", map[string]any{"Heat": 14}), 2, 12) {
					t.Errorf("%s: the heat is not there at twice the size on %s", tag, columns)
				}
			}
		}
	}
}

// contains reports whether a picture shows bold text of a size, beginning in some column of dots.
func contains(picture *dots.Bitmap, text string, size, x int) bool {
	style := dots.Style{Bold: true, Width: size, Height: size}
	width, height := style.Cell()
	word := dots.New(len([]rune(text))*width, height)
	for at, letter := range []rune(text) {
		word.Draw(dots.Glyph(letter, style), at*width, 0)
	}
	for y := 0; y+height <= picture.Height(); y++ {
		if shows(picture, word, x, y) {
			return true
		}
	}
	return false
}

func shows(picture, part *dots.Bitmap, x, y int) bool {
	for row := range part.Height() {
		for column := range part.Width() {
			if picture.Black(x+column, y+row) != part.Black(column, row) {
				return false
			}
		}
	}
	return true
}

func TestSmallPrintIsAtMostEightLines(t *testing.T) {
	everywhere(t, func(t *testing.T, say ticket.Say, profile printer.Profile) {
		text := onPaper(t, profile, seat().Document(say)).Text
		parts := strings.Split(text, "─\n")
		small := 0
		for line := range strings.SplitSeq(parts[len(parts)-1], "\n") {
			if strings.TrimSpace(line) != "" {
				small++
			}
		}
		if small > 8 || small < 6 {
			t.Errorf("%d lines of small print:\n%s", small, parts[len(parts)-1])
		}
	})
}

func TestPointsAreNeverMoney(t *testing.T) {
	money := regexp.MustCompile(`(?i)\bR ?\d|ZAR|€|\$|credit|krediet|khredithi`)
	everywhere(t, func(t *testing.T, say ticket.Say, profile printer.Profile) {
		text := onPaper(t, profile, secondCopy().Document(say)).Text
		if found := money.FindString(text); found != "" {
			t.Errorf("a seat's ticket says %q:\n%s", found, text)
		}
		for name, text := range map[string]string{
			"slip":    onPaper(t, profile, credit().Document(say)).Text,
			"receipt": onPaper(t, profile, receipt().Document(say)).Text,
		} {
			if points := say("ticket.terms.points", nil); strings.Contains(text, strings.Fields(points)[0]) {
				t.Errorf("the %s speaks of points beside money:\n%s", name, text)
			}
		}
	})
}

func TestWhatIsNotKnownHasNoLine(t *testing.T) {
	say := speak(t, "en")
	for name, test := range map[string]struct {
		change    func(*ticket.Seat)
		not, must string
	}{
		"no card":                     {func(s *ticket.Seat) { s.Card = "" }, "Card", "T***** M***"},
		"a final stage uses no entry": {func(s *ticket.Seat) { s.FinalStage = true }, "Entry", "Rules accepted"},
		"an entry without end":        {func(s *ticket.Seat) { s.EntryEnds = time.Time{} }, "ends", "no time limit"},
		"the third copy":              {func(s *ticket.Seat) { s.Copy = 3 }, "copy 1", "replaces all earlier copies"},
		"the first copy":              {func(*ticket.Seat) {}, "COPY", "copy 1"},
		"ten minutes before":          {func(s *ticket.Seat) { s.Before = 10 }, "5 minutes", "10 minutes before"},
	} {
		t.Run(name, func(t *testing.T) {
			s := seat()
			test.change(&s)
			text := onPaper(t, profile(t, "epson-48"), s.Document(say)).Text
			if strings.Contains(text, test.not) || !strings.Contains(text, test.must) {
				t.Errorf("want %q and not %q:\n%s", test.must, test.not, text)
			}
		})
	}
}

func TestWhatPeopleTypeIsNeverACommand(t *testing.T) {
	s := seat()
	s.Property = "The \x1b@Ridge\x1dV\x00 Casino"
	s.Tournament = "Reel\x10\x04\x02 Tournament\u0085\x7f"
	s.Player = "T***\x1d(k"
	onPaper(t, profile(t, "epson-48"), s.Document(speak(t, "en"))) // one piece, nothing strange
}

func TestEverySymbolIsReadBackFromThePaper(t *testing.T) {
	for _, profile := range printer.Profiles() {
		t.Run(profile.Name, func(t *testing.T) {
			say := speak(t, "en")
			for name, test := range map[string]struct {
				document printer.Document
				want     []string
			}{
				"seat":    {seat().Document(say), []string{"QRCode 7K3MP2QX9RTC4HWN5"}},
				"copy":    {secondCopy().Document(say), []string{"QRCode 7K3MP2QX9RTC4HWN5"}},
				"credit":  {credit().Document(say), []string{"QRCode 2B7QXK40ZD9MTC6VR"}},
				"receipt": {receipt().Document(say), []string{"Code128 2B7QXK40ZD9MTC6VR", "QRCode 2B7QXK40ZD9MTC6VR"}},
			} {
				if got := scan(t, onPaper(t, profile, test.document)); !slices.Equal(got, test.want) {
					t.Errorf("%s: a scanner reads %q, want %q", name, got, test.want)
				}
			}
		})
	}
}

// scan reads the symbols of a ticket with ZXing, which shares nothing with what drew them.
func scan(t *testing.T, paper emulator.Ticket) []string {
	t.Helper()
	folder := t.TempDir()
	if err := paper.Save(folder, "ticket"); err != nil {
		t.Fatal(err)
	}
	picture := filepath.Join(folder, "ticket.png")
	output, err := exec.Command("ZXingReader", "-1", picture).Output()
	if err != nil {
		t.Fatalf("ZXingReader (Debian: zxing-cpp-tools): %v", err)
	}
	var read []string
	for line := range strings.Lines(string(output)) {
		line = strings.TrimPrefix(strings.TrimSpace(line), picture+" ")
		read = append(read, strings.ReplaceAll(line, `"`, ""))
	}
	slices.Sort(read)
	return read
}

func TestNumbersAreReadOutInGroups(t *testing.T) {
	for number, want := range map[string]string{
		"7K3MP2QX9RTC4HWN5": "7K3M P2QX 9RTC 4HWN5", "7K3M": "7K3M", "": "", "7K3MP": "7K3M P",
	} {
		if got := ticket.Grouped(number); got != want {
			t.Errorf("%q is grouped as %q, want %q", number, got, want)
		}
	}
}

func TestAReceiptSaysWhoseItIsAndWhatWasPaid(t *testing.T) {
	say := speak(t, "en")
	named := receipt()
	named.Player, named.Entries, named.Amount = "T***** M***", 1, tournament.Money{Cents: 49_50, Currency: "ZAR"}
	free := receipt()
	free.Paid, free.Amount = ticket.Complimentary, tournament.Money{Currency: "EUR"}
	for name, test := range map[string]struct {
		receipt   ticket.Receipt
		not, must []string
	}{
		"no name taken":                       {receipt(), []string{"Player", "named"}, []string{"4 ENTRIES", "R200", "Paid in cash", "first person"}},
		"for a player":                        {named, []string{"first person"}, []string{"1 ENTRY", "R49.50", "Player", "named above"}},
		"from the house, in another currency": {free, nil, []string{"Complimentary", "EUR 0"}},
	} {
		text := onPaper(t, profile(t, "epson-48"), test.receipt.Document(say)).Text
		for _, word := range test.must {
			if !strings.Contains(text, word) {
				t.Errorf("%s: does not say %q:\n%s", name, word, text)
			}
		}
		for _, word := range test.not {
			if strings.Contains(text, word) {
				t.Errorf("%s: says %q:\n%s", name, word, text)
			}
		}
	}
}

func TestPhrasesAreTheSameInEveryLanguageAndCanBePrinted(t *testing.T) {
	read := func(name string) map[string]any {
		text, err := assets.Phrases.ReadFile("phrases/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		phrases := map[string]any{}
		if err := json.Unmarshal(text, &phrases); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return phrases
	}
	place := regexp.MustCompile(`{{\.\w+}}`)
	english, face := read("ticket.en"), read("en")
	for id := range english {
		if face[id] != nil {
			t.Errorf("%s is a phrase of the screens as well", id)
		}
	}
	for _, tag := range languages {
		phrases := read("ticket." + tag)
		if got, want := slices.Sorted(maps.Keys(phrases)), slices.Sorted(maps.Keys(english)); !slices.Equal(got, want) {
			t.Errorf("%s has the phrases %q, English %q", tag, got, want)
		}
		for id, phrase := range phrases {
			places := func(text any) string {
				found := place.FindAllString(fmt.Sprint(text), -1)
				slices.Sort(found)
				return strings.Join(found, "")
			}
			if got, want := places(phrase), places(english[id]); got != want {
				t.Errorf("%s: %s has the places %s, in English %s", tag, id, got, want)
			}
			for _, letter := range fmt.Sprint(phrase) {
				if letter != '\n' && !dots.Has(letter) {
					t.Errorf("%s: %s has %q, which cannot be drawn", tag, id, letter)
				}
			}
		}
	}
}

// The isiZulu ticket broke kiosk, copy and time of printing over two lines, and the place stood alone at the right under the
// date.
func TestEveryParticularStandsInOneLine(t *testing.T) {
	everywhere(t, func(t *testing.T, say ticket.Say, profile printer.Profile) {
		s := seat()
		s.Kiosk, s.Place = "kiosk-1", "Upper gallery, row C"
		s.Issued = time.Date(2026, time.November, 30, 9, 52, 0, 0, time.UTC)
		lines := strings.Split(onPaper(t, profile, s.Document(say)).Text, "\n")
		for _, pair := range [][2]string{
			{say("ticket.kiosk", map[string]any{"Kiosk": s.Kiosk}), say("ticket.number", map[string]any{"Copy": 1})},
			{say("ticket.issued", nil), "09:52"},
			{say("ticket.entry.ends", nil), "14:05"},
		} {
			if !slices.ContainsFunc(lines, func(line string) bool {
				return strings.Contains(line, pair[0]) && strings.Contains(line, pair[1])
			}) {
				t.Errorf("no line has both %q and %q:\n%s", pair[0], pair[1], strings.Join(lines, "\n"))
			}
		}
		place := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, s.Place) })
		if place < 1 || !strings.Contains(lines[place-1], "23") && !drawnIn(profile, "23") {
			t.Errorf("the place does not stand under the machine:\n%s", strings.Join(lines, "\n"))
		}
	})
}
