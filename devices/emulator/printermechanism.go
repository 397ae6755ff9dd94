package emulator

import (
	"context"
	"fmt"
	"time"

	"reelkiosk/devices/dots"
)

// mechanism takes commands out of the printer's buffer and prints. A new one begins whenever the printer is switched on
// or its buffers are cleared; the paper stays.
type mechanism struct {
	printer *Printer
	ctx     context.Context
	owed    time.Duration // of the rows moved and not yet waited for

	settings
	line  []letterOnLine
	width int // dots that the line takes
}

// settings are what ESC @ puts back.
type settings struct {
	doubleByte  bool // Chinese mode
	page        byte // the n of ESC t
	narrow      bool
	bold        bool
	reverse     bool
	underline   int // dots thick
	smooth      bool
	wide, high  int
	align       byte
	spacing     int // rows from line to line
	symbol      symbolSettings
	unitsPerDot int
}

func newMechanism(p *Printer, ctx context.Context) *mechanism {
	m := &mechanism{printer: p, ctx: ctx}
	m.reset()
	m.doubleByte = true
	return m
}

// reset is ESC @. It does not leave the Chinese mode: printers that start in it come back to it.
func (m *mechanism) reset() {
	m.line, m.width = nil, 0
	m.settings = settings{
		doubleByte: true, wide: 1, high: 1, spacing: 30, unitsPerDot: m.printer.profile.UnitsPerDot,
		symbol: symbolSettings{height: 162, width: 3, module: 3, level: 48},
	}
}

// work prints until the mechanism is switched off.
func (m *mechanism) work() {
	for m.awaitReady() {
		octet, there := m.next()
		if !there {
			return
		}
		m.take(octet)
	}
}

// next returns the next byte of the buffer, and waits for one. It returns false once the mechanism is switched off.
func (m *mechanism) next() (byte, bool) {
	p := m.printer
	for {
		p.mu.Lock()
		if m.ctx.Err() != nil {
			p.mu.Unlock()
			return 0, false
		}
		if len(p.buffer) > 0 {
			octet := p.buffer[0]
			p.buffer = p.buffer[1:]
			if p.haste == 0 {
				p.changed() // the line waits for room
			}
			p.mu.Unlock()
			return octet, true
		}
		change := p.change
		p.mu.Unlock()
		if p.finite {
			return 0, false
		}
		m.pay()
		select {
		case <-change:
		case <-m.ctx.Done():
		}
	}
}

// parameters returns the next n bytes.
func (m *mechanism) parameters(n int) ([]byte, bool) {
	taken := make([]byte, 0, min(n, 1<<16))
	for range n {
		octet, there := m.next()
		if !there {
			return nil, false
		}
		taken = append(taken, octet)
	}
	return taken, true
}

// awaitReady waits until nothing keeps the printer from printing. It returns false once the mechanism is switched off.
func (m *mechanism) awaitReady() bool {
	p := m.printer
	for {
		p.mu.Lock()
		stopped, change := p.stopped(), p.change
		p.mu.Unlock()
		switch {
		case m.ctx.Err() != nil:
			return false
		case !stopped:
			return true
		}
		select {
		case <-change:
		case <-m.ctx.Done():
		}
	}
}

// move prints the rows of a picture, as wide as the paper, and moves on so many rows in all.
func (m *mechanism) move(printed *dots.Bitmap, rows int) {
	p := m.printer
	for y := range rows {
		if !m.awaitReady() {
			return
		}
		if printed != nil && y < printed.Height() {
			p.paper.advance(printed, y)
		} else {
			p.paper.advance(nil, 0)
		}
		row := time.Second / time.Duration(p.profile.RowsPerSecond)
		p.mu.Lock()
		if p.troubled[Sluggish] {
			row *= 20
		}
		if len(p.byRows) > 0 {
			p.count(&p.byRows)
		}
		p.mu.Unlock()
		const atOnce = 5 * time.Millisecond
		if m.owed += row; m.owed >= atOnce {
			m.pay()
		}
	}
}

// pay waits for what was moved.
func (m *mechanism) pay() {
	if m.owed > 0 {
		m.printer.spend(m.ctx, m.owed)
		m.owed = 0
	}
}

// place returns a picture as wide as the paper with another in it, where the alignment says.
func (m *mechanism) place(picture *dots.Bitmap) *dots.Bitmap {
	whole := dots.New(m.printer.profile.Dots, picture.Height())
	whole.Draw(picture, m.left(picture.Width()), 0)
	return whole
}

// left returns where something so wide begins.
func (m *mechanism) left(width int) int {
	spare := max(m.printer.profile.Dots-width, 0)
	switch m.align {
	case 1:
		return spare / 2
	case 2:
		return spare
	}
	return 0
}

// letter puts a letter into the line, and prints the line before if it is full.
func (m *mechanism) letter(letter rune) {
	glyph := dots.Glyph(letter, dots.Style{
		Narrow: m.narrow, Bold: m.bold, Width: m.wide, Height: m.high, Coarse: !m.smooth,
	})
	if m.underline > 0 {
		glyph = underlined(glyph, m.underline)
	}
	if m.reverse {
		glyph = glyph.Inverted()
	}
	if m.width+glyph.Width() > m.printer.profile.Dots {
		m.printLine()
	}
	m.line = append(m.line, letterOnLine{letter, glyph, m.wide, m.reverse})
	m.width += glyph.Width()
}

// underlined returns a letter with a line of so many dots at the foot of its cell.
func underlined(glyph *dots.Bitmap, thick int) *dots.Bitmap {
	line := dots.New(glyph.Width(), thick).Inverted()
	drawn := dots.New(glyph.Width(), glyph.Height())
	drawn.Draw(glyph, 0, 0)
	drawn.Draw(line, 0, glyph.Height()-thick)
	return drawn
}

// tab moves to the next of the columns 8, 16, 24…
func (m *mechanism) tab() {
	const stop = 8 * column
	for spaces := (stop - m.width%stop) / column; spaces > 0; spaces-- {
		m.letter(' ')
	}
}

// printLine prints what is in the line, and moves to the next.
func (m *mechanism) printLine() {
	height := 0
	for _, part := range m.line {
		height = max(height, part.glyph.Height())
	}
	whole := dots.New(m.printer.profile.Dots, height)
	x := m.left(m.width)
	text := lineText(m.line, x, m.printer.profile.Dots)
	for _, part := range m.line {
		whole.Draw(part.glyph, x, height-part.glyph.Height())
		x += part.glyph.Width()
	}
	m.line, m.width = nil, 0
	m.move(whole, height)
	m.printer.paper.caption(height, text)
	m.move(nil, m.spacing-height)
}

// printPicture prints a picture, which must begin a line; in the middle of one it is left out, as on the real thing.
func (m *mechanism) printPicture(picture *dots.Bitmap, text string) {
	if len(m.line) > 0 || picture.Width() > m.printer.profile.Dots {
		m.misunderstood("picture that does not fit")
		return
	}
	rule := ruleText(picture)
	m.move(m.place(picture), picture.Height())
	switch {
	case rule != "":
		m.printer.paper.caption(picture.Height(), rule)
	case text != "":
		middle := m.left(picture.Width()) + picture.Width()/2
		m.printer.paper.caption(picture.Height(), around(text, middle))
	default:
		m.printer.paper.captionPicture(picture.Height(), picture.Width(), "")
	}
}

// cut cuts the paper, after feeding what was printed past the knife if asked to.
func (m *mechanism) cut(feed bool, further int) {
	if len(m.line) > 0 {
		m.printLine()
	}
	if feed {
		m.move(nil, headToKnife+further)
	}
	if !m.awaitReady() {
		return
	}
	const stroke = 300 * time.Millisecond
	m.owed += stroke
	m.pay()
	if m.ctx.Err() != nil {
		return
	}
	p := m.printer
	piece := p.paper.cut()
	p.mu.Lock()
	p.deliver(piece)
	p.mu.Unlock()
}

// say sends an answer in its turn: when all before it is printed.
func (m *mechanism) say(answer func(*Printer) []byte) {
	m.pay()
	p := m.printer
	p.mu.Lock()
	defer p.mu.Unlock()
	if m.ctx.Err() == nil {
		p.say(answer(p))
		p.changed()
	}
}

// misunderstood notes what the printer cannot do.
func (m *mechanism) misunderstood(what string, octets ...byte) {
	p := m.printer
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(octets) > 0 {
		what = fmt.Sprintf("%s % X", what, octets)
	}
	p.strange = append(p.strange, what)
}
