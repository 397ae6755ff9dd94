package face

import "strings"

// Piece is one flat thing on a sheet: a filled box, a line of words, or a drawing. Pieces are values; two that are equal
// look the same.
type Piece struct {
	Kind Kind
	// X, Y, W and H are the box in pixels; of words the line, whose width is that of the words.
	X, Y, W, H float32
	// Role is the colour of a box or of words.
	Role Role
	// Radius rounds a box's corners.
	Radius float32
	// Text, Letters and Size are of words.
	Text    string
	Letters Letters
	Size    float32
	// Room is how wide words may be at most; a test compares.
	Room float32
	// Drawing names a drawing of assets.Drawings, or is the text of an SVG file that is not one of them: a house's logo.
	Drawing string
	// Loose says that the piece lies over the edge of another on purpose: paper in a slot, the filled part of a bar.
	Loose bool
}

// Kind is what a piece is.
type Kind uint8

// The kinds of pieces.
const (
	Box Kind = iota
	Words
	Drawing
)

// Touch is a place that answers a finger.
type Touch struct {
	X, Y, W, H, Radius float32
	// Ring is the colour of the outline shown while the finger is down; Nothing shows none.
	Ring Role
	// Event is what the panel sends.
	Event any
	// Behind says that the touch lies behind all others and covers the whole panel.
	Behind bool
}

// Sheet is one whole screen as a list of pieces and touches, made anew from each state: making one takes a millisecond,
// showing one repaints what differs from the last (Panel).
type Sheet struct {
	W, H    float32
	Larger  bool
	Palette Palette
	Pieces  []Piece
	Touches []Touch
}

// Measures every part is built from, in pixels.
const (
	// Margin is the space beside the matter; Gap is the grid, and the least space between two targets.
	Margin, Gap float32 = 72, 24
	// Radius rounds boxes; Stroke outlines them; ChosenStroke outlines what is chosen.
	Radius, Stroke, ChosenStroke float32 = 24, 3, 4
	// LeastTarget is the least height and width of a target; LeastText is the least size of text.
	LeastTarget, LeastText float32 = 96, 28
)

// Style is how words are set: the size and the height of a line at normal size, the face and the colour.
type Style struct {
	Size, Line float32
	Letters    Letters
	Role       Role
}

// The styles of words.
var (
	Small     = Style{28, 36, Regular, Quiet}
	Body      = Style{36, 48, Regular, Paper}
	BodyBold  = Style{36, 48, SemiBold, Paper}
	RuleLine  = Style{40, 48, Regular, Paper}
	CardTitle = Style{48, 60, SemiBold, Paper}
	Title     = Style{64, 72, SemiBold, Paper}
)

// In returns the style in another colour.
func (s Style) In(role Role) Style { s.Role = role; return s }

// Bold returns the style in the heavier face.
func (s Style) Bold() Style { s.Letters = SemiBold; return s }

// Tabular returns the style with figures of one width.
func (s Style) Tabular() Style {
	if s.Letters == SemiBold || s.Letters == SemiBoldFigures {
		s.Letters = SemiBoldFigures
	} else {
		s.Letters = Figures
	}
	return s
}

// Numeral returns the style of a number set alone: line and size are the same, and larger text leaves it as it is.
func Numeral(size float32) Style { return Style{size, size, SemiBold, Paper} }

// Scaled returns the style at the size of the sheet: 1.25 times for larger text.
func (s *Sheet) Scaled(style Style) Style {
	if s.Larger && style.Size < 100 {
		style.Size, style.Line = style.Size*1.25, style.Line*1.25
	}
	return style
}

// Align says where a line stands in its room.
type Align uint8

// The alignments.
const (
	Left Align = iota
	Centre
	Right
)

// Fill adds a box of one colour.
func (s *Sheet) Fill(x, y, w, h, radius float32, role Role) *Piece {
	s.Pieces = append(s.Pieces, Piece{Kind: Box, X: x, Y: y, W: w, H: h, Radius: min(radius, w/2, h/2), Role: role})
	return &s.Pieces[len(s.Pieces)-1]
}

// Outline adds a box with an outline inside its edge. It is drawn as two boxes, one on the other, since Fyne's painters
// disagree on which side of the edge a stroke lies. A fill of Nothing is the ground.
func (s *Sheet) Outline(x, y, w, h, radius, stroke float32, fill, line Role) {
	if fill == Nothing {
		fill = Ground
	}
	s.Fill(x, y, w, h, radius, line)
	s.Fill(x+stroke, y+stroke, w-2*stroke, h-2*stroke, radius-stroke, fill)
}

// Draw adds a drawing.
func (s *Sheet) Draw(name string, x, y, w, h float32) {
	s.Pieces = append(s.Pieces, Piece{Kind: Drawing, X: x, Y: y, W: w, H: h, Drawing: name})
}

// Say adds one line of words in a room that begins at x and is width wide, at the style's size and no other; y is the top
// of the line. It returns how wide the words are.
func (s *Sheet) Say(x, y, width float32, text string, style Style, align Align) float32 {
	measured := style.Letters.Width(text, style.Size)
	left := x
	switch align {
	case Centre:
		left = x + (width-measured)/2
	case Right:
		left = x + width - measured
	}
	s.Pieces = append(s.Pieces, Piece{Kind: Words, X: left, Y: y, W: measured, H: style.Line, Role: style.Role, Text: text,
		Letters: style.Letters, Size: style.Size, Room: width})
	return measured
}

// Number adds a number whose ink, not whose pen, begins at x, and returns how wide it is from there.
func (s *Sheet) Number(x, y, width float32, text string, style Style) float32 {
	bearing := float32(0)
	for _, first := range text {
		bearing = style.Letters.Bearing(first, style.Size)
		break
	}
	return s.Say(x-bearing, y, width+bearing, text, style, Left) - bearing
}

// suited returns the scaled style, or the style as it is where a word would not fit into the width at the larger size.
func (s *Sheet) suited(text string, style Style, width float32) Style {
	scaled := s.Scaled(style)
	for _, word := range strings.Fields(text) {
		if scaled.Letters.Width(word, scaled.Size) > width {
			return style
		}
	}
	return scaled
}

// Paragraph adds a text, wrapped, and returns the y below it. The style is scaled here.
func (s *Sheet) Paragraph(x, y, width float32, text string, style Style, align Align) float32 {
	style = s.suited(text, style, width)
	for _, line := range style.Letters.Wrap(text, style.Size, width) {
		s.Say(x, y, width, line, style, align)
		y += style.Line
	}
	return y
}

// Lines returns how many lines a paragraph takes, and how high they are together.
func (s *Sheet) Lines(width float32, text string, style Style) (lines int, height float32) {
	style = s.suited(text, style, width)
	lines = len(style.Letters.Wrap(text, style.Size, width))
	return lines, float32(lines) * style.Line
}

// FitsLine reports whether a text fits into one line of a width at normal size, to which a Label falls back.
func FitsLine(text string, style Style, width float32) bool {
	return style.Letters.Width(text, style.Size) <= width
}

// TitleFor returns the largest style for a title that may take one line only.
func TitleFor(text string, width float32) Style {
	for _, style := range []Style{Title, CardTitle, BodyBold} {
		if FitsLine(text, style, width) {
			return style
		}
	}
	return Small.Bold().In(Paper)
}

// Shortened cuts a text that is no phrase of ours to one line of a width, with an ellipsis.
func Shortened(text string, style Style, width float32) string {
	if FitsLine(text, style, width) {
		return text
	}
	runes := []rune(text)
	for len(runes) > 0 {
		runes = runes[:len(runes)-1]
		if cut := strings.TrimRight(string(runes), " ") + "…"; FitsLine(cut, style, width) {
			return cut
		}
	}
	return ""
}

// OnBaseline returns the y of a line whose letters stand on the same baseline as those of another line at y.
func OnBaseline(y float32, style, beside Style) float32 {
	return y + style.Line/2 + baselineShare*style.Size - beside.Line/2 - baselineShare*beside.Size
}

// baselineShare is how far below the middle of a line its letters stand, in parts of their size: half the cap height.
const baselineShare = 0.364

// Answer adds a touch.
func (s *Sheet) Answer(touch Touch) { s.Touches = append(s.Touches, touch) }
