package dots

import (
	"fmt"
	"image"
	"image/draw"
	"sync"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"

	"reelkiosk/assets"
)

// Style says how a letter is drawn. The zero value is font A, regular, at its own size.
type Style struct {
	Narrow bool // font B, of 9×17 dots, instead of font A, of 12×24
	Bold   bool
	Width  int // how many times as wide, 1 to 8; 0 counts as 1
	Height int // how many times as high, 1 to 8; 0 counts as 1
	// Coarse enlarges the dots of the small letter, as a printer without smoothing does. Else the outline is drawn
	// anew at the larger size.
	Coarse bool
}

// Cell returns the size, in dots, of the cell that every letter of the style fills.
func (s Style) Cell() (width, height int) {
	s = s.whole()
	base := s.metrics()
	return base.width * s.Width, base.height * s.Height
}

// Has reports whether the font has the letter. Glyph draws an empty box for one that it lacks.
func Has(letter rune) bool {
	index, err := outlines(false).GlyphIndex(nil, letter)
	return err == nil && index != 0
}

// Glyph returns the letter, in a bitmap as large as the style's cell. The bitmap is shared: it must not be drawn on.
func Glyph(letter rune, style Style) *Bitmap {
	style = style.whole()
	key := glyphKey{letter, style}
	if drawn, found := glyphs.Load(key); found {
		return drawn.(*Bitmap)
	}
	var drawn *Bitmap
	if style.Coarse && (style.Width > 1 || style.Height > 1) {
		small := style
		small.Width, small.Height = 1, 1
		drawn = Glyph(letter, small).Scaled(style.Width, style.Height)
	} else {
		drawn = rasterise(letter, style)
	}
	glyphs.Store(key, drawn)
	return drawn
}

type glyphKey struct {
	letter rune
	style  Style
}

// glyphs holds what was drawn before: glyphKey to *Bitmap. The fonts have some 440 letters, so it stays small.
var glyphs sync.Map

// metrics are the measures of a font at its own size, in dots.
type metrics struct {
	width, height int
	baseline      int // rows above the baseline
	em            float64
}

var (
	fontA = metrics{width: 12, height: 24, baseline: 19, em: 20}
	fontB = metrics{width: 9, height: 17, baseline: 14, em: 15}
)

func (s Style) metrics() metrics {
	if s.Narrow {
		return fontB
	}
	return fontA
}

func (s Style) whole() Style {
	s.Width, s.Height = min(max(s.Width, 1), 8), min(max(s.Height, 1), 8)
	return s
}

// unitsPerEm is the size that outlines are loaded at before they are scaled to dots. It is that of DejaVu Sans Mono,
// so that nothing is rounded on the way.
const unitsPerEm = 2048

// half is the coverage, of 255, from which a dot is black.
const half = 128

func rasterise(letter rune, style Style) *Bitmap {
	width, height := style.Cell()
	base := style.metrics()
	across := base.em * float64(style.Width) / unitsPerEm / 64
	down := base.em * float64(style.Height) / unitsPerEm / 64
	baseline := float64(base.baseline * style.Height)
	point := func(at fixed.Point26_6) (x, y float32) {
		return float32(float64(at.X) * across), float32(float64(at.Y)*down + baseline)
	}

	pen := vector.NewRasterizer(width, height)
	pen.DrawOp = draw.Src
	for _, segment := range outline(letter, style.Bold) {
		x, y := point(segment.Args[0])
		switch segment.Op {
		case sfnt.SegmentOpMoveTo:
			pen.ClosePath()
			pen.MoveTo(x, y)
		case sfnt.SegmentOpLineTo:
			pen.LineTo(x, y)
		case sfnt.SegmentOpQuadTo:
			x1, y1 := point(segment.Args[1])
			pen.QuadTo(x, y, x1, y1)
		case sfnt.SegmentOpCubeTo:
			x1, y1 := point(segment.Args[1])
			x2, y2 := point(segment.Args[2])
			pen.CubeTo(x, y, x1, y1, x2, y2)
		}
	}
	pen.ClosePath()
	coverage := image.NewAlpha(image.Rect(0, 0, width, height))
	pen.Draw(coverage, coverage.Bounds(), image.Opaque, image.Point{})

	drawn := New(width, height)
	for y := range height {
		for x := range width {
			drawn.Set(x, y, coverage.Pix[y*coverage.Stride+x] >= half)
		}
	}
	return drawn
}

func outline(letter rune, bold bool) sfnt.Segments {
	font := outlines(bold)
	index, err := font.GlyphIndex(nil, letter)
	if err != nil {
		panic(fmt.Sprintf("embedded font: %v", err))
	}
	segments, err := font.LoadGlyph(nil, index, fixed.I(unitsPerEm), nil)
	if err != nil {
		panic(fmt.Sprintf("embedded font: letter %q: %v", letter, err))
	}
	return segments
}

var (
	regularOutlines = sync.OnceValue(func() *sfnt.Font { return parse(assets.DotFont) })
	boldOutlines    = sync.OnceValue(func() *sfnt.Font { return parse(assets.DotFontBold) })
)

func outlines(bold bool) *sfnt.Font {
	if bold {
		return boldOutlines()
	}
	return regularOutlines()
}

func parse(file []byte) *sfnt.Font {
	font, err := sfnt.Parse(file)
	if err != nil {
		panic(fmt.Sprintf("embedded font: %v", err))
	}
	return font
}
