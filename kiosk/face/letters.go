package face

import (
	"fmt"
	"math"
	"strings"
	"sync"

	"fyne.io/fyne/v2"
	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/unicode/norm"

	"reelkiosk/assets"
)

// Letters is one of the embedded faces.
type Letters uint8

// The faces. The figures faces hold what a clock shows and nothing else; all their figures are of one width.
const (
	Regular Letters = iota
	SemiBold
	Figures
	SemiBoldFigures
	faces
)

// files are the faces' files in assets.Fonts, in the order of the constants.
var files = [faces]string{
	"fonts/Inter-Regular.otf", "fonts/Inter-SemiBold.otf", "fonts/InterFigures-Regular.otf", "fonts/InterFigures-SemiBold.otf",
}

// outlines is a face as Fyne draws it and as its glyphs can be asked about.
type outlines struct {
	resource fyne.Resource
	parsed   *sfnt.Font
}

var loaded = sync.OnceValue(func() (all [faces]outlines) {
	for letters, file := range files {
		content, err := assets.Fonts.ReadFile(file)
		if err != nil {
			panic(err)
		}
		parsed, err := sfnt.Parse(content)
		if err != nil {
			panic(fmt.Errorf("%s: %w", file, err))
		}
		all[letters] = outlines{fyne.NewStaticResource(file, content), parsed}
	}
	return all
})

// Resource returns the face's file for canvas.Text and fyne.Theme.
func (l Letters) Resource() fyne.Resource { return loaded()[l].resource }

// Width returns how many pixels a line of text takes from pen to pen. It asks Fyne's driver, so an app must exist.
func (l Letters) Width(text string, size float32) float32 {
	extent, _ := fyne.CurrentApp().Driver().RenderedTextSize(text, size, fyne.TextStyle{}, l.Resource())
	return extent.Width
}

// ascent is how many pixels below the top of its canvas.Text the baseline is drawn.
func (l Letters) ascent(size float32) float32 {
	_, baseline := fyne.CurrentApp().Driver().RenderedTextSize("x", size, fyne.TextStyle{}, l.Resource())
	return float32(math.Ceil(float64(baseline)))
}

// Bearing returns how far right of the pen the ink of a rune begins: large figures are moved left by it, so that their
// ink and not their empty side stands on the margin.
func (l Letters) Bearing(r rune, size float32) float32 {
	var buffer sfnt.Buffer
	parsed := loaded()[l].parsed
	glyph, err := parsed.GlyphIndex(&buffer, r)
	if err != nil || glyph == 0 {
		return 0
	}
	bounds, _, err := parsed.GlyphBounds(&buffer, glyph, fixed.Int26_6(size*64), font.HintingNone)
	if err != nil {
		return 0
	}
	return float32(bounds.Min.X) / 64
}

// Has reports whether the face has a glyph for every rune of the text, as it would be drawn (Draws).
func (l Letters) Has(text string) bool {
	var buffer sfnt.Buffer
	for _, r := range text {
		if glyph, err := loaded()[l].parsed.GlyphIndex(&buffer, r); err != nil || glyph == 0 {
			return false
		}
	}
	return true
}

// Printable returns a name as the screens can show it: composed letters, single spaces, and nothing at all where a rune
// is outside the embedded faces, since half a name is worse than none.
func Printable(name string) string {
	name = strings.Join(strings.Fields(norm.NFC.String(name)), " ")
	if !Regular.Has(name) || !SemiBold.Has(name) {
		return ""
	}
	return name
}

// Wrap breaks a text into lines of at most width pixels, as few as it can, and then as even as it can. A line feed in the
// text is a place where a phrase would rather break: it is followed where that costs no further line. A word wider than
// the width is broken.
func (l Letters) Wrap(text string, size, width float32) []string {
	flat := l.even(strings.ReplaceAll(text, "\n", " "), size, width)
	if !strings.Contains(text, "\n") {
		return flat
	}
	preferred := strings.Split(text, "\n")
	if len(preferred) > len(flat) {
		return flat
	}
	for _, line := range preferred {
		if l.Width(line, size) > width {
			return flat
		}
	}
	return preferred
}

// Fill breaks a text into lines that are as full as can be, as a page of reading is set.
func (l Letters) Fill(text string, size, width float32) []string { return l.greedy(text, size, width) }

// even wraps greedily, then narrows the measure for as long as the number of lines stays the same; never so far that a
// word would have to be broken.
func (l Letters) even(text string, size, width float32) []string {
	lines := l.greedy(text, size, width)
	if len(lines) < 2 {
		return lines
	}
	low, high := max(width/float32(len(lines)), min(l.widest(strings.Fields(text), size), width)), width
	for high-low > 2 {
		middle := (low + high) / 2
		if narrower := l.greedy(text, size, middle); len(narrower) == len(lines) && l.widest(narrower, size) <= middle {
			lines, high = narrower, middle
		} else {
			low = middle
		}
	}
	return lines
}

func (l Letters) greedy(text string, size, width float32) (lines []string) {
	line := ""
	for _, word := range l.pieces(text, size, width) {
		longer := line + word.before + word.text
		if line == "" {
			longer = word.text
		} else if l.Width(longer, size) > width {
			lines, longer = append(lines, line), word.text
		}
		line = longer
	}
	if line == "" && len(lines) > 0 {
		return lines
	}
	return append(lines, line)
}

// piece is a word, or a part of one too long for a line, and what stands between it and the piece before.
type piece struct{ before, text string }

// pieces splits a text at its spaces; a word wider than the line after its hyphens, and where that is not enough,
// anywhere: a name of any length must not stick out of its box.
func (l Letters) pieces(text string, size, width float32) (pieces []piece) {
	for _, word := range strings.Fields(text) {
		before := " "
		if l.Width(word, size) > width {
			for _, part := range strings.SplitAfter(word, "-") {
				for l.Width(part, size) > width {
					runes := []rune(part)
					cut := len(runes) - 1
					for cut > 1 && l.Width(string(runes[:cut]), size) > width {
						cut--
					}
					pieces, before = append(pieces, piece{before, string(runes[:cut])}), ""
					part = string(runes[cut:])
					if cut == 0 || len(runes) < 2 {
						break
					}
				}
				pieces, before = append(pieces, piece{before, part}), ""
			}
			continue
		}
		pieces = append(pieces, piece{before, word})
	}
	return pieces
}

func (l Letters) widest(lines []string, size float32) (widest float32) {
	for _, line := range lines {
		widest = max(widest, l.Width(line, size))
	}
	return widest
}
