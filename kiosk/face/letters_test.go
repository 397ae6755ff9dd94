package face

import (
	"math"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"
)

func TestBearingsOfTheFigures(t *testing.T) {
	// Measured on the pictures that the screens are drawn after, in parts of the size.
	for figure, want := range map[rune]float32{'0': .053, '1': .054, '2': .060, '3': .059, '4': .051, '5': .066, '6': .053, '7': .042, '8': .053, '9': .055} {
		if got := SemiBold.Bearing(figure, 1000) / 1000; math.Abs(float64(got-want)) > 0.006 {
			t.Errorf("the ink of %c begins at %.3f of its size, want %.3f", figure, got, want)
		}
	}
	if SemiBold.Bearing('語', 100) != 0 {
		t.Error("a rune without a glyph has a bearing")
	}
}

func TestFiguresThatTickAreOfOneWidth(t *testing.T) {
	test.NewTempApp(t)
	for _, letters := range []Letters{Figures, SemiBoldFigures} {
		want := letters.Width("00:00", 48)
		for _, clock := range []string{"11:11", "19:18", "23:59", "07:41"} {
			if got := letters.Width(clock, 48); math.Abs(float64(got-want)) > 0.1 {
				t.Errorf("%s is %.1f wide, 00:00 %.1f", clock, got, want)
			}
		}
		if !letters.Has("0123456789:.,+- ") {
			t.Error("a figure is missing")
		}
	}
}

// TestCapitalIHasSerifs tells a capital I from a small l: with serifs it is about twice as wide.
func TestCapitalIHasSerifs(t *testing.T) {
	test.NewTempApp(t)
	for _, letters := range []Letters{Regular, SemiBold} {
		if i, l := letters.Width("I", 100), letters.Width("l", 100); i < 1.4*l {
			t.Errorf("I is %.1f wide, l %.1f: the serifs are not there", i, l)
		}
	}
}

func TestEveryLetterOfTheLanguages(t *testing.T) {
	text := "áàâäãåéèêëíìîïóòôöõúùûüýÿñçšžŋ" + // Afrikaans, Northern Sotho, Tswana and their neighbours; ’n is two runes, as Unicode advises
		"ḓḽṅṋṱ" + // Venda
		"ǀǁǂǃ" + "ąćęłńśźżčďěňřťůőűßæøœđðþğışţțăâîșķļņģēūīāėįųų" + "’‘“”–—…·•€£"
	for _, letters := range []Letters{Regular, SemiBold} {
		for _, r := range text + strings.ToUpper(text) {
			if !letters.Has(string(r)) {
				t.Errorf("face %d lacks %c (%U)", letters, r, r)
			}
		}
	}
}

func TestPrintableNames(t *testing.T) {
	for name, want := range map[string]string{
		"Thandi": "Thandi", "  Jan   Pieter ": "Jan Pieter", "Zoe\u0308": "Zoë", "Anaïs": "Anaïs", "Łukasz": "Łukasz",
		"Δημήτρης": "", "李": "", "Thandi 😀": "", "": "", "Nguyễn": "Nguyễn", "a\u202eb": "",
	} {
		if got := Printable(name); got != want {
			t.Errorf("%q is shown as %q, want %q", name, got, want)
		}
	}
}

func TestWrapping(t *testing.T) {
	test.NewTempApp(t)
	width := func(text string) float32 { return Regular.Width(text, 36) }
	cases := []struct {
		name, text string
		width      float32
		want       []string
	}{
		{"one line", "Take your ticket", 900, []string{"Take your ticket"}},
		{"nothing", "", 900, []string{""}},
		{"even lines", "aaa aaa aaa aaa", width("aaa aaa aaa"), []string{"aaa aaa", "aaa aaa"}},
		{"the place that the phrase prefers", "Swipe your card\nor scan it", width("Swipe your card or scan"), []string{"Swipe your card", "or scan it"}},
		{"a preferred place that would cost a line", "Swipe\nyour card", 900, []string{"Swipe your card"}},
		{"a preferred line that is too long", "Swipe your card or\nscan", width("Swipe your card"), []string{"Swipe your", "card or scan"}},
		{"a name broken at its hyphen", "Nkosinathi-Sibusisiwe", width("Nkosinathi-Sibusi"), []string{"Nkosinathi-", "Sibusisiwe"}},
		{"spaces run together", "a   b", 900, []string{"a b"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := Regular.Wrap(c.text, 36, c.width); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestNothingSticksOut wraps what no phrase holds but a name might.
func TestNothingSticksOut(t *testing.T) {
	test.NewTempApp(t)
	for _, text := range []string{strings.Repeat("W", 80), strings.Repeat("Wo-", 40), "a " + strings.Repeat("ê", 50) + " b", "-", "--- -"} {
		for _, width := range []float32{60, 200, 900} {
			lines := Regular.Wrap(text, 36, width)
			for _, line := range lines {
				if Regular.Width(line, 36) > width {
					t.Errorf("%q is wider than %.0f", line, width)
				}
			}
			if bare := strings.ReplaceAll(strings.Join(lines, ""), " ", ""); bare != strings.ReplaceAll(text, " ", "") {
				t.Errorf("%q became %q", text, lines)
			}
		}
	}
	if got := Shortened("The Ridge Casino and Entertainment Resort", Body, 300); !strings.HasSuffix(got, "…") || Regular.Width(got, 36) > 300 {
		t.Errorf("shortened to %q", got)
	}
}
