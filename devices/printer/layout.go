package printer

import (
	"fmt"
	"strings"

	"reelkiosk/devices/dots"
	"reelkiosk/devices/printer/escpos"
)

// layout puts blocks on the paper of one profile, as commands to the printer.
type layout struct {
	profile Profile
	steps   []step

	// What the printer was last told, so that nothing is told twice.
	page    escpos.Page
	align   escpos.Alignment
	size    int
	bold    bool
	reverse bool
}

// step is one command and the rows of paper that it moves.
type step struct {
	command escpos.Command
	rows    int
}

// run is part of a line, all of one kind.
type run struct {
	text    string
	size    int
	bold    bool
	reverse bool
}

// lay returns the steps that print the document, from the reset to the last cut.
func lay(profile Profile, document Document) ([]step, error) {
	l := &layout{profile: profile, size: 1, page: profile.Pages[0]}
	l.add(escpos.Initialise{}, escpos.SingleByteMode{}, escpos.CodePage{Page: l.page})
	if profile.Push {
		l.add(escpos.StatusBack{Mask: 0xFF})
	}
	l.add(escpos.LineSpacing{Units: letterHeight * profile.UnitsPerDot})
	if profile.Smoothing {
		l.add(escpos.Smoothing{On: true})
	}
	for at, block := range document {
		if err := block.place(l); err != nil {
			return nil, fmt.Errorf("block %d: %w", at+1, err)
		}
	}
	return l.steps, nil
}

func (l *layout) add(commands ...escpos.Command) {
	for _, command := range commands {
		l.steps = append(l.steps, step{command: command})
	}
}

// columns are the columns for text: all but one at each side.
func (l *layout) columns() int { return l.profile.Columns - 2 }

func (b Text) place(l *layout) error {
	text, size := clean(b.Text), min(max(b.Size, 1), 8)
	for b.Shrink && size > 1 && len([]rune(text)) > l.columns()/size {
		size--
	}
	if b.Flow {
		text = flow(text, l.columns()/size)
	}
	for _, line := range wrap(text, l.columns()/size) {
		letters := run{text: line, size: size, bold: b.Bold}
		switch {
		case line == "":
			l.line(Left, 1, nil)
		case b.Align == Centre:
			l.line(Centre, size, []run{letters})
		case b.Align == Right:
			// Not by ESC a: the last column need not be at the edge of the paper.
			l.line(Left, size, []run{l.before(l.columns() - size*len([]rune(line))), letters})
		default:
			l.line(Left, size, []run{l.before(0), letters})
		}
	}
	return nil
}

func (b Pair) place(l *layout) error {
	size := min(max(b.Size, 1), 8)
	left, right := clean(b.Left), clean(b.Right)
	between := l.columns() - size*(len([]rune(left))+len([]rune(right)))
	if between < 2*size && left != "" && right != "" {
		_ = Text{Text: left, Bold: b.Bold, Size: size}.place(l)
		return Text{Text: right, Align: Right, Bold: b.Bold, Size: size}.place(l)
	}
	l.line(Left, size, []run{
		l.before(0),
		{text: left, size: size, bold: b.Bold},
		{text: strings.Repeat(" ", max(between, 0)), size: 1},
		{text: right, size: size, bold: b.Bold},
	})
	return nil
}

// before is the free column at the left, and so many more.
func (l *layout) before(columns int) run {
	return run{text: strings.Repeat(" ", 1+max(columns, 0)), size: 1}
}

func (b Bar) place(l *layout) error {
	text, size := clean(strings.ReplaceAll(b.Text, "\n", " ")), 2
	if len([]rune(text)) > l.profile.Columns/size {
		size = 1
	}
	letters := []rune(text)
	letters = letters[:min(len(letters), l.profile.Columns/size)]
	spare := l.profile.Columns/size - len(letters)
	padded := strings.Repeat(" ", spare/2) + string(letters) + strings.Repeat(" ", spare-spare/2)
	l.line(Centre, size, []run{{text: padded, size: size, bold: true, reverse: true}})
	return nil
}

func (b Space) place(l *layout) error {
	if b.Dots > 0 {
		l.steps = append(l.steps, step{escpos.FeedUnits{Units: b.Dots * l.profile.UnitsPerDot}, b.Dots})
	}
	return nil
}

func (b Rule) place(l *layout) error {
	rule := dots.New(l.profile.Dots, 2)
	for x := letterWidth; x < (1+l.columns())*letterWidth; x++ {
		rule.Set(x, 0, true)
		rule.Set(x, 1, true)
	}
	l.aligned(Left)
	l.picture(rule)
	return nil
}

func (b Picture) place(l *layout) error {
	if b.Picture == nil || b.Picture.Width() > l.profile.Dots {
		return fmt.Errorf("%w: picture wider than %d dots, or none", ErrDocument, l.profile.Dots)
	}
	l.aligned(Centre)
	l.picture(b.Picture)
	return nil
}

func (b Cut) place(l *layout) error {
	switch l.profile.Cutter {
	case NoCutter:
		const pastTheEdge = 5 // lines
		l.steps = append(l.steps, step{escpos.FeedLines{Lines: pastTheEdge}, pastTheEdge * letterHeight})
	default:
		l.steps = append(l.steps, step{escpos.Cut{Partial: l.profile.Cutter == PartialCutter, Feed: true}, cutRows})
	}
	return nil
}

// cutRows is about how many rows a printer could print in the time of a feed to the knife and a cut.
const cutRows = 240

// line prints runs side by side, as letters where a code page has them all, else as a raster.
func (l *layout) line(align escpos.Alignment, size int, runs []run) {
	l.aligned(align)
	for _, part := range runs {
		for _, letter := range part.text {
			if _, found := l.profile.page(letter, l.page); !found {
				l.picture(l.drawn(align, runs))
				return
			}
		}
	}
	for _, part := range runs {
		if part.text != "" {
			l.letters(part)
		}
	}
	l.steps = append(l.steps, step{escpos.LineFeed{}, size * letterHeight})
}

// letters tells the printer how and in which page, no more than it must, and then the text.
func (l *layout) letters(part run) {
	if l.size != part.size {
		l.size = part.size
		l.add(escpos.Size{Width: part.size, Height: part.size})
	}
	if l.bold != part.bold {
		l.bold = part.bold
		l.add(escpos.Bold{On: part.bold})
	}
	if l.reverse != part.reverse {
		l.reverse = part.reverse
		l.add(escpos.Reverse{On: part.reverse})
	}
	var pending []rune
	for _, letter := range part.text {
		if page, _ := l.profile.page(letter, l.page); page != l.page {
			if len(pending) > 0 {
				l.add(escpos.Text{Text: string(pending)})
				pending = nil
			}
			l.page = page
			l.add(escpos.CodePage{Page: page})
		}
		pending = append(pending, letter)
	}
	l.add(escpos.Text{Text: string(pending)})
}

// drawn draws a line as the printer would have printed it.
func (l *layout) drawn(align escpos.Alignment, runs []run) *dots.Bitmap {
	width, height := 0, 0
	for _, part := range runs {
		width += len([]rune(part.text)) * part.size * letterWidth
		height = max(height, part.size*letterHeight)
	}
	drawn := dots.New(width, height)
	x := 0
	for _, part := range runs {
		for _, letter := range part.text {
			glyph := dots.Glyph(letter, dots.Style{
				Bold: part.bold, Width: part.size, Height: part.size, Coarse: !l.profile.Smoothing,
			})
			if part.reverse {
				glyph = glyph.Inverted()
			}
			drawn.Draw(glyph, x, height-glyph.Height())
			x += glyph.Width()
		}
	}
	return drawn
}

func (l *layout) aligned(to escpos.Alignment) {
	if l.align != to {
		l.align = to
		l.add(escpos.Align{To: to})
	}
}

// picture sends dots, in commands that are each a part of what the printer can hold.
func (l *layout) picture(picture *dots.Bitmap) {
	const head = 8 // bytes of a raster command before its dots
	bytesARow := (picture.Width() + 7) / 8
	slice := min(max((l.profile.window()-head)/bytesARow, 1), 255)
	for from := 0; from < picture.Height(); from += slice {
		rows := picture.Rows(from, from+slice)
		l.steps = append(l.steps, step{escpos.Raster{Picture: rows}, rows.Height()})
	}
}
