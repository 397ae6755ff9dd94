package emulator

import (
	"image/png"
	"os"
	"path/filepath"
	"sync"
	"time"

	"reelkiosk/devices/dots"
)

// Ticket is one piece of paper that came out of an emulated printer.
type Ticket struct {
	Image *dots.Bitmap // every dot; an image.Image, black on white
	Text  string       // what a person would read, in lines; symbols and pictures in brackets
	Torn  bool         // torn off where a roll ended, not cut
	At    time.Time
}

// Save writes the ticket as NAME.png and NAME.txt.
func (t Ticket) Save(folder, name string) error {
	picture, err := os.Create(filepath.Join(folder, name+".png"))
	if err != nil {
		return err
	}
	if err := png.Encode(picture, t.Image); err != nil {
		picture.Close()
		return err
	}
	if err := picture.Close(); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, name+".txt"), []byte(t.Text), 0o666)
}

// paper is the web of paper from the last cut to the head. It grows row by row.
type paper struct {
	dots int // a row
	gap  int // rows between the head and the knife

	mu     sync.Mutex // guards what follows
	rows   *dots.Bitmap
	legend []caption
}

// caption is what stands in some rows, for a ticket's text.
type caption struct {
	from, to int // rows, to not included
	text     string
	picture  int // width of a picture in dots; 0 for everything else
}

// newPaper returns a new roll: the paper reaches to the knife.
func newPaper(width, gap int) *paper {
	return &paper{dots: width, gap: gap, rows: dots.New(width, gap)}
}

// advance moves the paper by one row and prints a row of dots on it: row y of printed, or nothing where printed is nil.
func (p *paper) advance(printed *dots.Bitmap, y int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rows.Grow(1)
	if printed != nil {
		copy(p.rows.Row(p.rows.Height()-1), printed.Row(y))
	}
}

// height returns how many rows there are.
func (p *paper) height() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.rows.Height()
}

// caption notes what stands in the rows that end at the head.
func (p *paper) caption(rows int, text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if text != "" {
		p.legend = append(p.legend, caption{from: p.rows.Height() - rows, to: p.rows.Height(), text: text})
	}
}

// captionPicture notes a picture in the rows that end at the head. One that goes on right under another, as the slices of
// a raster do, is the same.
func (p *paper) captionPicture(rows, width int, text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	end := p.rows.Height()
	if last := len(p.legend) - 1; last >= 0 && p.legend[last].picture == width && p.legend[last].to == end-rows {
		p.legend[last].to = end
		return
	}
	p.legend = append(p.legend, caption{end - rows, end, text, width})
}

// cut cuts the paper at the knife and returns what falls off. What lies between knife and head stays.
func (p *paper) cut() Ticket {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.sever(max(p.rows.Height()-p.gap, 0), false)
}

// tear ends the roll and begins a new one. It reports whether anything stood on the old one.
func (p *paper) tear() (Ticket, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.rows.Blank() {
		return Ticket{}, false
	}
	piece := p.sever(p.rows.Height(), true)
	p.rows = dots.New(p.dots, p.gap)
	return piece, true
}

// sever takes off the rows above one. mu is held.
func (p *paper) sever(at int, torn bool) Ticket {
	off, stays := splitLegend(p.legend, at)
	piece := Ticket{Image: p.rows.Rows(0, at), Text: legendText(off), Torn: torn, At: time.Now()}
	p.rows, p.legend = p.rows.Rows(at, p.rows.Height()), stays
	return piece
}

// splitLegend parts captions at a row. One that the cut goes through stays with the part above.
func splitLegend(legend []caption, at int) (off, stays []caption) {
	for _, entry := range legend {
		if entry.from < at {
			off = append(off, entry)
			continue
		}
		entry.from, entry.to = entry.from-at, entry.to-at
		stays = append(stays, entry)
	}
	return off, stays
}
