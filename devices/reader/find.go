package reader

import (
	"context"
	"errors"
	"time"

	"reelkiosk/devices/port"
)

const (
	// burstQuiet is the silence that ends a burst: longer than any gap inside a swipe, shorter than a hand takes.
	burstQuiet = 400 * time.Millisecond
	// burstLast and burstMost end a burst that does not: a tag lies on the reader, or a line that is never quiet.
	burstLast = 3 * time.Second
	burstMost = frameLimit
)

// Listen gathers bursts from a port, which was set as line says, until ctx ends or the port is closed. It tells how the port
// is and each burst, on the calling goroutine; the burst is the receiver's own. It does not close the port.
func Listen(ctx context.Context, conn port.Conn, line port.Settings, state func(State), heard func(Burst)) {
	var burst Burst
	var began, last time.Time
	size := 0
	quiet := time.NewTimer(burstQuiet)
	defer quiet.Stop()
	end := func() {
		if size > 0 {
			heard(burst)
		}
		burst, size = Burst{}, 0
	}
	for {
		select {
		case <-ctx.Done():
			burst.Wipe()
			return
		case <-quiet.C:
			end()
		case event, open := <-conn.Events():
			switch {
			case !open:
				burst.Wipe()
				return
			case event.Kind != port.Data:
				end() // a half frame tells something too
				state(State{At: event.At, Ready: event.Kind == port.Opened, Err: event.Err})
				continue
			}
			if size == 0 {
				burst.Line, began, last = unnamed(line), event.At, event.At
			}
			burst.Pieces = append(burst.Pieces, Piece{event.At.Sub(last), event.Data})
			last, size = event.At, size+len(event.Data)
			quiet.Reset(burstQuiet)
			if size >= burstMost || event.At.Sub(began) >= burstLast {
				end()
			}
		}
	}
}

// Progress is how far a search on a port has come.
type Progress struct {
	// Line is how the port is set now.
	Line port.Settings
	// State is how the port is.
	State State
	// Burst is what has just come, nil where nothing has. It is the search's: do not keep it.
	Burst *Burst
	// Guesses are the best so far.
	Guesses []Guessed
	// Found says that the best of them has read well often enough.
	Found bool
}

// Proven is how many right reads prove a guess.
const Proven = 3

// nothingCame is how long nobody's swipe is waited for before the port is set otherwise: at a wrong speed a swipe may leave
// nothing.
const nothingCame = 8 * time.Second

// Run searches on a port, which it opens and closes as it needs, until the best guess is proven or ctx ends. It tells how
// far it has come on the calling goroutine. Somebody must swipe a card now and then. The error is the context's, or the
// port's where it cannot be had: it wraps port.ErrInUse, port.ErrForbidden or port.ErrNotSerial.
func (s *Search) Run(ctx context.Context, open func(port.Settings) port.Conn, tell func(Progress)) error {
	for {
		found, err := s.listenOnce(ctx, open, tell)
		if found || err != nil {
			return err
		}
	}
}

// listenOnce listens with one setting of the port, until another is better.
func (s *Search) listenOnce(ctx context.Context, open func(port.Settings) port.Conn, tell func(Progress)) (found bool, failed error) {
	line := s.Listen()
	conn := open(line)
	defer conn.Close()
	listening, stop := context.WithTimeout(ctx, nothingCame)
	defer stop()
	progress := Progress{Line: line}
	heard := false
	Listen(listening, conn, line, func(state State) {
		progress.State, progress.Guesses = state, s.Guesses()
		tell(progress)
		if state.Err != nil && !transient(state.Err) {
			failed = state.Err
			stop()
		}
	}, func(burst Burst) {
		heard = true
		s.Hear(burst)
		progress.Burst, progress.Guesses = &burst, s.Guesses()
		found = len(progress.Guesses) > 0 && progress.Guesses[0].Right >= Proven
		progress.Found = found
		tell(progress)
		progress.Burst = nil
		if found || s.Listen() != line {
			stop()
		}
	})
	switch {
	case failed != nil:
		return false, failed
	case ctx.Err() != nil && !found:
		return false, ctx.Err()
	case !heard && len(s.Guesses()) == 0 && progress.State.Ready:
		s.Nothing()
	}
	return found, nil
}

// transient reports whether a port that is not there may come back by itself.
func transient(err error) bool {
	return errors.Is(err, port.ErrAbsent) || errors.Is(err, port.ErrUnplugged)
}
