package face

import (
	"fmt"
	"testing"
)

func TestEveryPairThatIsReadHasContrast(t *testing.T) {
	palettes := map[string]Palette{"dark": Dark, "high contrast": HighContrast}
	for name, palette := range palettes {
		for _, ground := range []Role{Ground, Surface, Raised} {
			for _, words := range []Role{Paper, Quiet, Good, Warn, Bad, Gold} {
				if ground == Raised && words == Bad {
					continue // 6.5:1, and never used: what is bad is said on the ground or a card
				}
				check(t, fmt.Sprintf("%s: words %d on %d", name, words, ground), palette, words, ground, 7)
			}
		}
		check(t, name+": ink on gold", palette, Ink, Gold, 7)
		check(t, name+": the ticket's words on paper", palette, Ground, Paper, 7)
		check(t, name+": outlines", palette, Line, Ground, 3)
	}
}

func check(t *testing.T, what string, palette Palette, one, other Role, least float64) {
	t.Helper()
	if ratio := Contrast(palette.Colour(one), palette.Colour(other)); ratio < least {
		t.Errorf("%s: %.2f:1, want %.0f:1", what, ratio, least)
	}
}

func TestContrastIsMeasuredAsPublished(t *testing.T) {
	// The ends of the scale are given by WCAG 2.1 itself, the third by the design that the palette is taken from.
	for _, c := range []struct {
		one, other uint32
		want       float64
	}{{0x000000, 0xFFFFFF, 21}, {0x777777, 0x777777, 1}, {0xFFC247, 0x0B1020, 11.8}} {
		if got := Contrast(rgb(c.one), rgb(c.other)); got < c.want-0.05 || got > c.want+0.05 {
			t.Errorf("contrast of %06X and %06X is %.2f, want %.2f", c.one, c.other, got, c.want)
		}
	}
}

func TestColoursAreReadStrictly(t *testing.T) {
	if colour, err := ParseColour("#5A6796"); err != nil || colour != rgb(0x5A6796) {
		t.Errorf("got %v, %v", colour, err)
	}
	for _, text := range []string{"", "#", "5A6796", "#5A679", "#5A67967", "#5A679G", "#+A6796", "gold"} {
		if colour, err := ParseColour(text); err == nil {
			t.Errorf("%q was read as %v", text, colour)
		}
	}
}
