package printer_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"reelkiosk/devices/emulator"
	"reelkiosk/devices/port"
	"reelkiosk/devices/printer"
	"reelkiosk/kiosk/ticket"
)

// wire is a cable in memory, for tests in a synctest bubble, where a minute takes no time. The computer's end is a
// port.Conn that behaves as a kept port does: what is written to an open port is on its way at once, and what the
// device has not read when the cable comes out is lost. The device's end is an io.ReadWriter.
type wire struct {
	events chan port.Event

	mu      sync.Mutex // guards what follows
	change  chan struct{}
	plugged bool
	closed  bool
	to      []byte       // on its way to the device
	written bytes.Buffer // everything that the computer ever wrote
	pullAt  int          // the cable comes out once the device has read so many more bytes; 0: it does not
	bounce  int          // the cable is out for a moment once the computer has written so many bytes; 0: it is not
	stuck   bool         // the device takes no bytes
}

func newWire() *wire {
	w := &wire{events: make(chan port.Event, 1024), change: make(chan struct{})}
	w.plug()
	return w
}

func (w *wire) changed() {
	close(w.change)
	w.change = make(chan struct{})
}

func (w *wire) plug() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.plugNow()
}

func (w *wire) plugNow() {
	w.plugged = true
	w.events <- port.Event{Kind: port.Opened, At: time.Now()}
	w.changed()
}

func (w *wire) pull() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pullNow()
}

func (w *wire) pullNow() {
	w.plugged, w.to = false, nil
	w.events <- port.Event{Kind: port.Gone, At: time.Now(), Err: port.ErrUnplugged}
	w.changed()
}

// count returns how many bytes the computer ever wrote.
func (w *wire) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.written.Len()
}

// since returns what the computer wrote after that many bytes.
func (w *wire) since(count int) []byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	return bytes.Clone(w.written.Bytes()[count:])
}

// pullAfter has the cable come out once the device has read so many more bytes.
func (w *wire) pullAfter(count int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pullAt = count
}

// bounceAfter has the cable come out and in again in the moment when the computer has written so many more bytes.
func (w *wire) bounceAfter(count int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.bounce = w.written.Len() + count
}

// jam has the device take no bytes.
func (w *wire) jam(stuck bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stuck = stuck
}

// send puts bytes on their way to the device that no driver wrote.
func (w *wire) send(p []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.to = append(w.to, p...)
	w.changed()
}

func (w *wire) Events() <-chan port.Event { return w.events }

func (w *wire) Write(ctx context.Context, p []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case ctx.Err() != nil:
		return &port.WriteError{Of: len(p), Err: ctx.Err()}
	case !w.plugged:
		return &port.WriteError{Of: len(p), Err: port.ErrGone}
	case w.stuck:
		return &port.WriteError{Of: len(p), Err: port.ErrStuck}
	}
	w.written.Write(p)
	w.to = append(w.to, p...)
	w.changed()
	if w.bounce > 0 && w.written.Len() >= w.bounce {
		w.bounce = 0
		w.pullNow()
		w.plugNow()
	}
	return nil
}

func (w *wire) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.closed {
		w.closed = true
		close(w.events)
		w.changed()
	}
	return nil
}

// device is the other end of a wire.
type device struct{ *wire }

func (d device) Read(p []byte) (int, error) {
	w := d.wire
	for {
		w.mu.Lock()
		if w.closed {
			w.mu.Unlock()
			return 0, io.EOF
		}
		if len(w.to) > 0 {
			n := len(p)
			if w.pullAt > 0 {
				n = min(n, w.pullAt)
			}
			n = copy(p[:n], w.to)
			w.to = w.to[n:]
			if w.pullAt > 0 {
				if w.pullAt -= n; w.pullAt == 0 {
					w.pullNow()
				}
			}
			w.mu.Unlock()
			return n, nil
		}
		change := w.change
		w.mu.Unlock()
		<-change
	}
}

func (d device) Write(p []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed || !d.plugged {
		return 0, io.ErrClosedPipe
	}
	d.events <- port.Event{Kind: port.Data, At: time.Now(), Data: bytes.Clone(p)}
	return len(p), nil
}

// bench is a printer under test, the emulated one at its other end, and the cable between.
type bench struct {
	t       *testing.T
	profile printer.Profile
	wire    *wire
	printer *printer.Printer
	device  *emulator.Printer
	papers  []emulator.Ticket
	changes []printer.State
	late    []printer.JobID
	torn    bool // commands are cut short, so that the printer may see strange ones
	readers sync.WaitGroup
	mu      sync.Mutex // guards papers, changes and late
}

// atBench runs a test in a bubble with a printer of the profile.
func atBench(t *testing.T, name string, test func(*testing.T, *bench), options ...printer.Option) {
	t.Helper()
	atBenchOf(t, profileNamed(t, name), test, options...)
}

func atBenchOf(t *testing.T, profile printer.Profile, test func(*testing.T, *bench), options ...printer.Option) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b := &bench{t: t, profile: profile, wire: newWire()}
		b.device = emulator.NewPrinter(device{b.wire}, b.profile)
		b.printer = printer.New(b.profile, b.wire, options...)
		b.readers.Go(func() {
			for paper := range b.device.Tickets() {
				b.mu.Lock()
				b.papers = append(b.papers, paper)
				b.mu.Unlock()
			}
		})
		b.readers.Go(func() {
			for change := range b.printer.Changes() {
				b.mu.Lock()
				b.changes = append(b.changes, change.State)
				b.mu.Unlock()
			}
		})
		b.readers.Go(func() {
			for job := range b.printer.Confirmations() {
				b.mu.Lock()
				b.late = append(b.late, job)
				b.mu.Unlock()
			}
		})
		test(t, b)
		if err := b.printer.Close(); err != nil {
			t.Error(err)
		}
		b.device.Close()
		b.readers.Wait()
		if strange := b.device.Strange(); len(strange) > 0 && !b.torn {
			t.Errorf("the printer did not understand %q", strange)
		}
	})
}

// settle lets time pass until nothing more happens by itself.
func (b *bench) settle() {
	time.Sleep(time.Minute)
	synctest.Wait()
}

// number is the ticket number of a copy.
func number(copy int) string { return "7K3MP2QX9RTC4HWN" + string(rune('0'+copy)) }

// seatTicket is a copy of a seat's ticket, in English.
func seatTicket(copy int) printer.Document {
	start := time.Date(2026, 3, 9, 19, 40, 0, 0, time.UTC)
	return ticket.Seat{
		Property: "The Ridge Casino", Tournament: "Reel Tournament", Heat: 14, Start: start, Place: "Main floor, row C",
		Machine: 23, Number: number(copy), Copy: copy, Player: "T***** M***", Card: "**** **** 4821",
		EntryEnds: start.AddDate(0, 0, 1), RulesVersion: "3, 8F2C 41D0", Kiosk: "2", Issued: start,
	}.Document(func(id string, fields map[string]any) string { return id })
}

func (b *bench) print(copy int) printer.Outcome {
	b.t.Helper()
	return b.printer.Print(b.t.Context(), printer.JobID(number(copy)), seatTicket(copy))
}

// whole counts the pieces of paper that are the whole ticket of a copy.
func (b *bench) whole(copy int) int {
	b.t.Helper()
	want := b.wanted(copy)
	b.mu.Lock()
	defer b.mu.Unlock()
	count := 0
	for _, paper := range b.papers {
		// The rows above and below the print depend on what was cut before.
		if !paper.Torn && printed(paper) == want {
			count++
		}
	}
	return count
}

// printed is what is black on a piece of paper, from the first row to the last.
func printed(paper emulator.Ticket) string {
	var rows bytes.Buffer
	for y := range paper.Image.Height() {
		rows.Write(paper.Image.Row(y))
	}
	blank := string(make([]byte, (paper.Image.Width()+7)/8))
	print := rows.String()
	for strings.HasPrefix(print, blank) {
		print = print[len(blank):]
	}
	for strings.HasSuffix(print, blank) {
		print = print[:len(print)-len(blank)]
	}
	return print
}

// wanted is the print of a copy's ticket on a printer of the profile.
func (b *bench) wanted(copy int) string {
	key := fmt.Sprintf("%s at %d: %d", b.profile.Name, b.profile.Baud, copy)
	if print, made := prints.Load(key); made {
		return print.(string)
	}
	print := printed(onPaper(b.t, b.profile, seatTicket(copy)))
	prints.Store(key, print)
	return print
}

// prints keeps what wanted made.
var prints sync.Map

// anyOf counts the pieces that show the number of a copy, whole or not, as a host would find it.
func (b *bench) anyOf(copy int) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	count := 0
	for _, paper := range b.papers {
		if bytes.Contains([]byte(paper.Text), []byte("7K3M P2QX 9RTC 4HWN"+string(rune('0'+copy)))) {
			count++
		}
	}
	return count
}
