package emulator

import (
	"errors"
	"fmt"
	"strings"
)

// Trouble is something that an emulated printer suffers from until it ends.
type Trouble int

const (
	// PaperLow: the roll is near its end. It prints.
	PaperLow Trouble = iota + 1
	// PaperOut: there is no paper. When it ends, what stood on the old roll is torn off, and the printer goes on.
	PaperOut
	// CoverOpen: it does not print, and goes on once the cover is closed.
	CoverOpen
	// KnifeStuck: a cutter error. It does not print, and goes on once it is freed.
	KnifeStuck
	// HeadFault: an error that nothing but repair ends.
	HeadFault
	// Mute: it prints, and answers nothing.
	Mute
	// PowerOff: it does nothing, and what it held is lost. Its cable is still plugged in.
	PowerOff
	// Sluggish: everything takes twenty times as long, as with a hot head.
	Sluggish

	troubles // how many there are, and one
)

var troubleWords = [troubles]struct{ word, help string }{
	PaperLow:   {"paper low", "the roll is near its end"},
	PaperOut:   {"paper out", "no paper"},
	CoverOpen:  {"cover open", "the cover is open"},
	KnifeStuck: {"cutter stuck", "a cutter error"},
	HeadFault:  {"head fault", "an error that only repair ends"},
	Mute:       {"silent", "prints, and answers nothing"},
	PowerOff:   {"off", "no power; what it held is lost"},
	Sluggish:   {"slow", "everything takes twenty times as long"},
}

// ErrTrouble is wrapped by ParseTrouble for words that are no trouble.
var ErrTrouble = errors.New("no such trouble")

// String returns the words that ParseTrouble reads.
func (t Trouble) String() string {
	if t <= 0 || t >= troubles {
		return fmt.Sprintf("trouble %d", int(t))
	}
	return troubleWords[t].word
}

// ParseTrouble reads a trouble as it is typed: paper low, paper out, cover open, cutter stuck, head fault, silent, off,
// slow. The error wraps ErrTrouble.
func ParseTrouble(words string) (Trouble, error) {
	for t := PaperLow; t < troubles; t++ {
		if troubleWords[t].word == strings.Join(strings.Fields(words), " ") {
			return t, nil
		}
	}
	return 0, fmt.Errorf("%w: %q; there are\n%s", ErrTrouble, words, TroubleHelp())
}

// TroubleHelp returns a line for each trouble that ParseTrouble reads.
func TroubleHelp() string {
	var text strings.Builder
	for t := PaperLow; t < troubles; t++ {
		fmt.Fprintf(&text, "%-12s  %s\n", troubleWords[t].word, troubleWords[t].help)
	}
	return text.String()
}

// stops reports whether a printer with the trouble does not print.
func (t Trouble) stops() bool {
	return t == PaperOut || t == CoverOpen || t == KnifeStuck || t == HeadFault || t == PowerOff
}

// trigger is a trouble that begins by itself once so much was received, or printed.
type trigger struct {
	trouble Trouble
	left    int
}

// Begin begins a trouble now.
func (p *Printer) Begin(t Trouble) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.begin(t)
}

// BeginAfterBytes begins a trouble once the printer has received so many more bytes.
func (p *Printer) BeginAfterBytes(t Trouble, bytes int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.byBytes = append(p.byBytes, trigger{t, bytes})
}

// BeginAfterRows begins a trouble once the paper has moved so many more rows.
func (p *Printer) BeginAfterRows(t Trouble, rows int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.byRows = append(p.byRows, trigger{t, rows})
}

// End ends a trouble: the roll is changed, the cover closed, the power on again.
func (p *Printer) End(t Trouble) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.troubled[t] {
		return
	}
	p.troubled[t] = false
	switch t {
	case PaperOut:
		if piece, any := p.paper.tear(); any {
			p.deliver(piece)
		}
	case PowerOff:
		p.start()
	}
	p.changed()
}

// begin begins a trouble. mu is held.
func (p *Printer) begin(t Trouble) {
	if p.troubled[t] {
		return
	}
	p.troubled[t] = true
	if t == PowerOff {
		p.halt()
		p.pushMask = 0
	}
	p.changed()
}

// count lets triggers come one step nearer, and begins what is due. mu is held.
func (p *Printer) count(triggers *[]trigger) {
	kept := (*triggers)[:0]
	var due []Trouble
	for _, waiting := range *triggers {
		if waiting.left--; waiting.left > 0 {
			kept = append(kept, waiting)
		} else {
			due = append(due, waiting.trouble)
		}
	}
	*triggers = kept
	for _, t := range due {
		p.begin(t)
	}
}

// stopped reports whether the printer does not print. mu is held.
func (p *Printer) stopped() bool {
	for t := PaperLow; t < troubles; t++ {
		if p.troubled[t] && t.stops() {
			return true
		}
	}
	return false
}
