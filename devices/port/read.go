package port

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"
)

// readTimeout is what tarm/serial rounds everything up to 199 ms to (VTIME 1).
const readTimeout = 100 * time.Millisecond

// tooQuick is when a read that brought nothing cannot have waited for its time-out.
const tooQuick = readTimeout / 2

// listen reads until the port is lost, and returns why, or until Close, and returns nil.
func (p *Port) listen(l *line) error {
	buffer := make([]byte, 4096)
	for !p.isClosing() {
		began := time.Now()
		n, err := l.wire.Read(buffer)
		if n > 0 {
			p.tell(Event{Kind: Data, Data: bytes.Clone(buffer[:n])})
			clear(buffer[:n])
			continue
		}
		switch {
		case err != nil && !errors.Is(err, io.EOF):
			return fmt.Errorf("%w: %w", ErrUnplugged, err)
		case l.side.hungUp():
			return ErrUnplugged
		case l.isCondemned():
			return ErrStuck
		}
		// The read ended early and yet the port lives. Nothing known does this, and it must not become a busy loop.
		if time.Since(began) < tooQuick {
			p.pause(tooQuick)
		}
	}
	p.readLast(l, buffer)
	return nil
}

// readLast delivers what had come when Close was called; a terminal holds no more than one read takes.
func (p *Port) readLast(l *line, buffer []byte) {
	if l.side.waiting() == 0 {
		return
	}
	if n, _ := l.wire.Read(buffer); n > 0 {
		p.tell(Event{Kind: Data, Data: bytes.Clone(buffer[:n])})
		clear(buffer[:n])
	}
}
