package emulator

import (
	"bytes"
	"context"
	"io"
	"sync"
	"time"

	"reelkiosk/devices/printer"
)

// Printer plays a thermal ticket printer on a line. It takes ESC/POS as the bytes come, at the speed of its line and of
// its mechanism, into a buffer that overflows; it prints on paper that can be looked at, dot by dot; it answers as its
// model would. Until FS . comes it is in the Chinese mode in which cheap printers start.
type Printer struct {
	line    io.ReadWriter
	profile printer.Profile
	haste   float64 // times faster than life; 0: at once
	finite  bool    // what is in the buffer is all there will be
	tickets chan Ticket
	paper   *paper
	ended   sync.WaitGroup
	life    context.Context
	stop    context.CancelFunc

	mu       sync.Mutex // guards what follows
	closed   bool
	change   chan struct{} // closed and made anew when anything below changes that somebody may wait for
	buffer   []byte
	tail     []byte // the last bytes received, for commands that are taken at once
	working  context.CancelFunc
	troubled [troubles]bool
	byBytes  []trigger
	byRows   []trigger
	pushMask byte
	pushed   []byte
	lost     int
	strange  []string
	waiting  []Ticket // cut and not fetched
	answers  [][]byte // to be sent
}

// PrinterOption changes how a printer is played.
type PrinterOption func(*Printer)

// Haste makes line and mechanism that many times as fast as the profile says. 0 does everything at once, and has the line
// wait for the mechanism, so that nothing is lost.
func Haste(times float64) PrinterOption { return func(p *Printer) { p.haste = times } }

// headToKnife is how many rows of paper lie between the head and the knife. Real printers have up to a hundred: the top
// of every ticket is blank by that much.
const headToKnife = 24

// NewPrinter puts a printer of the profile's model on a line, switched on and with paper. It reads the line until that
// ends.
func NewPrinter(line io.ReadWriter, profile printer.Profile, options ...PrinterOption) *Printer {
	life, stop := context.WithCancel(context.Background())
	p := &Printer{
		line:    line,
		profile: profile,
		haste:   1,
		tickets: make(chan Ticket),
		paper:   newPaper(profile.Dots, headToKnife),
		life:    life,
		stop:    stop,
		change:  make(chan struct{}),
	}
	for _, option := range options {
		option(p)
	}
	p.ended.Go(p.hand)
	p.ended.Go(p.answer)
	p.ended.Go(p.receive)
	p.mu.Lock()
	p.start()
	p.mu.Unlock()
	return p
}

// Tickets delivers each piece of paper that is cut or torn off, blank ones too. It is closed by Close.
func (p *Printer) Tickets() <-chan Ticket { return p.tickets }

// Lost returns how many bytes came while the buffer was full. A printer that lost any has printed something else than
// what it was sent.
func (p *Printer) Lost() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lost
}

// Strange returns the commands that the printer did not understand, in hexadecimal. A real one would have printed their
// parameters.
func (p *Printer) Strange() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.strange...)
}

// Held returns how many bytes wait in the printer's buffer.
func (p *Printer) Held() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.buffer)
}

// Close ends the printer. The line must be closed before, since that is what ends the reading of it.
func (p *Printer) Close() {
	p.mu.Lock()
	p.closed = true
	p.halt()
	p.changed()
	p.mu.Unlock()
	p.stop()
	p.ended.Wait()
}

// start switches the mechanism on. mu is held.
func (p *Printer) start() {
	if p.closed || p.troubled[PowerOff] {
		return
	}
	working, halt := context.WithCancel(p.life)
	p.working = halt
	p.ended.Go(func() { newMechanism(p, working).work() })
}

// halt switches the mechanism off; what it held is lost. mu is held.
func (p *Printer) halt() {
	if p.working != nil {
		p.working()
		p.working = nil
	}
	p.buffer, p.tail = nil, nil
}

// changed wakes whoever waits, and tells the computer of changes if it asked for that. mu is held.
func (p *Printer) changed() {
	if status := p.automatic(); p.pushMask != 0 && !bytes.Equal(status, p.pushed) {
		p.pushed = status
		p.say(status)
	}
	close(p.change)
	p.change = make(chan struct{})
}

// receive reads the line, no faster than its speed.
func (p *Printer) receive() {
	piece := make([]byte, 16)
	for {
		n, err := p.line.Read(piece)
		for _, octet := range piece[:n] {
			if p.haste == 0 {
				p.awaitRoom()
			}
			p.accept(octet)
		}
		if err != nil {
			return
		}
		p.spend(p.life, time.Duration(n)*10*time.Second/time.Duration(p.profile.Baud))
	}
}

// awaitRoom waits until the buffer has room, or nothing is taken out of it.
func (p *Printer) awaitRoom() {
	for {
		p.mu.Lock()
		room, change := len(p.buffer) < p.profile.Buffer || p.stopped() || p.closed, p.change
		p.mu.Unlock()
		if room {
			return
		}
		<-change
	}
}

// spend lets time pass, as fast as the printer is played.
func (p *Printer) spend(ctx context.Context, real time.Duration) {
	if p.haste == 0 {
		return
	}
	timer := time.NewTimer(time.Duration(float64(real) / p.haste))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// clearCommand is DLE DC4, function 8.
var clearCommand = []byte{0x10, 0x14, 8, 1, 3, 20, 1, 6, 2, 8}

// accept takes one byte off the line.
func (p *Printer) accept(octet byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.count(&p.byBytes)
	if p.troubled[PowerOff] {
		return
	}
	p.tail = append(p.tail[max(len(p.tail)+1-len(clearCommand), 0):], octet)
	if len(p.buffer) < p.profile.Buffer {
		p.buffer = append(p.buffer, octet)
	} else {
		p.lost++
	}
	// These are taken as they come, whatever waits before them, and even from the middle of another command. They stay in
	// the buffer, where they are read over, or are part of what they stand in.
	at := len(p.tail)
	switch {
	case at >= 3 && p.tail[at-3] == 0x10 && p.tail[at-2] == 0x04 && octet >= 1 && octet <= 4 && p.profile.Asked:
		p.say([]byte{p.realtime(octet)})
	case bytes.Equal(p.tail, clearCommand) && p.profile.Clear:
		p.halt()
		p.start()
		p.say([]byte{0x37, 0x25, 0x00})
	}
	p.changed()
}

// say sends an answer, unless the printer is mute or off. mu is held.
func (p *Printer) say(answer []byte) {
	if len(answer) == 0 || p.troubled[Mute] || p.troubled[PowerOff] {
		return
	}
	p.answers = append(p.answers, bytes.Clone(answer))
}

// answer sends what the printer says. Nobody may be listening: that is not the printer's affair.
func (p *Printer) answer() {
	for {
		p.mu.Lock()
		answers, change, closed := p.answers, p.change, p.closed
		p.answers = nil
		p.mu.Unlock()
		if closed {
			return
		}
		for _, answer := range answers {
			_, _ = p.line.Write(answer)
		}
		if len(answers) == 0 {
			<-change
		}
	}
}

// deliver puts a piece of paper where it is fetched from. mu is held.
func (p *Printer) deliver(piece Ticket) {
	p.waiting = append(p.waiting, piece)
	p.changed()
}

// hand hands out the pieces of paper.
func (p *Printer) hand() {
	defer close(p.tickets)
	for {
		p.mu.Lock()
		var next *Ticket
		if len(p.waiting) > 0 {
			next = &p.waiting[0]
		}
		change, closed := p.change, p.closed
		p.mu.Unlock()
		switch {
		case closed:
			return
		case next == nil:
			<-change
			continue
		}
		select {
		case p.tickets <- *next:
			p.mu.Lock()
			p.waiting = p.waiting[1:]
			p.mu.Unlock()
		case <-p.life.Done():
			return
		}
	}
}
