package floor

import (
	"bytes"
	"io"
	"sync"
	"time"
)

// watched is the printer's cable with somebody who looks for the beginning of a job.
type watched struct {
	io.ReadWriter

	mu    sync.Mutex // guards what follows
	first chan time.Time
	last  byte
}

// jobBegins is ESC @, with which every job begins and no question about the status does.
var jobBegins = []byte{0x1b, '@'}

// Read passes on what the computer sent, and notes when a job begins.
func (w *watched) Read(p []byte) (int, error) {
	count, err := w.ReadWriter.Read(p)
	at := time.Now()
	w.mu.Lock()
	defer w.mu.Unlock()
	if count > 0 {
		seen := append([]byte{w.last}, p[:count]...)
		if w.first != nil && bytes.Contains(seen, jobBegins) {
			w.first <- at
			w.first = nil
		}
		w.last = p[count-1]
	}
	return count, err
}

// FirstByte returns a channel that gets the moment at which the next job's first byte reaches the printer.
func (f *Floor) FirstByte() <-chan time.Time {
	first := make(chan time.Time, 1)
	f.cable.mu.Lock()
	defer f.cable.mu.Unlock()
	f.cable.first = first
	return first
}
