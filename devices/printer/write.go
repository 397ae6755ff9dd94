package printer

import (
	"context"
	"errors"
	"time"

	"reelkiosk/devices/port"
)

// errStopped says that the printer said that it stopped.
var errStopped = errors.New("printer stopped")

// running reports whether there is any use in going on with what was begun.
func (p *Printer) running() bool {
	return p.open && !p.lost && (p.status.CanPrint() || p.status.State == Unknown)
}

// stopping returns why running is false.
func (p *Printer) stopping() error {
	if !p.open || p.lost {
		return port.ErrGone
	}
	return errStopped
}

// write writes bytes no faster than the line takes them, so that what the printer says meanwhile is heard in time. It
// stops when the port is lost or the printer says that it stopped, and returns how many bytes went out at most.
func (p *Printer) write(ctx context.Context, all []byte) (int, error) {
	const atOnce = 64
	sent := 0
	for start := time.Now(); sent < len(all); {
		if err := p.awaitXON(ctx); err != nil {
			return sent, err
		}
		next := all[sent:min(sent+atOnce, len(all))]
		if err := p.conn.Write(ctx, next); err != nil {
			var part *port.WriteError
			if errors.As(err, &part) {
				return sent + part.Written, err
			}
			return sent + len(next), err
		}
		sent += len(next)
		p.drain()
		if !p.running() {
			return sent, p.stopping()
		}
		if err := p.pause(ctx, time.Until(start.Add(p.onTheLine(sent)))); err != nil {
			return sent, err
		}
	}
	return sent, nil
}

// pause waits, and returns an error early if the printer stops.
func (p *Printer) pause(ctx context.Context, most time.Duration) error {
	err := p.wait(ctx, most, func() bool { return !p.running() })
	switch {
	case errors.Is(err, errTime):
		return nil
	case err == nil:
		return p.stopping()
	}
	return err
}

// awaitXON waits while the printer holds us up (XOFF). It must not be asked anything here, in the middle of a command.
func (p *Printer) awaitXON(ctx context.Context) error {
	err := p.wait(ctx, p.timeFor(p.marks), func() bool { return !p.held || !p.running() })
	if err == nil && p.held {
		err = p.stopping()
	}
	return err
}
