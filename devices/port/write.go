package port

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"
)

const (
	// chunkSize is how much is written at once. A line that is ready (POLLOUT) takes at least this much without
	// blocking: the kernel says ready while fewer than 256 characters wait (WAKEUP_CHARS) in a buffer of 4,096.
	chunkSize = 64
	// writeTick is how often a waiting write looks whether it is still wanted.
	writeTick = 20 * time.Millisecond
	// hangLimit is how long one chunk may stay inside the driver after the line said that it was ready.
	hangLimit = time.Second
)

// Write implements Conn.
func (p *Port) Write(ctx context.Context, b []byte) error {
	fail := func(written int, err error) error { return &WriteError{written, len(b), err} }
	select {
	case p.turn <- struct{}{}:
		defer func() { <-p.turn }()
	case <-ctx.Done():
		return fail(0, ctx.Err())
	case <-p.closing:
		return fail(0, ErrClosed)
	}
	l := p.current()
	switch {
	case p.isClosing():
		return fail(0, ErrClosed)
	case l == nil:
		return fail(0, ErrGone)
	}
	deadline := time.Now().Add(p.allowance(len(b)))
	written := 0
	for chunk := range slices.Chunk(b, chunkSize) {
		err := p.awaitReady(ctx, l, deadline)
		if err == nil {
			var n int
			n, err = l.send(chunk)
			written += n
		}
		if err != nil {
			l.side.discard()
			return fail(written, err)
		}
	}
	return nil
}

// allowance is how long n bytes may take: twice their time on the line, and the patience beyond.
func (p *Port) allowance(n int) time.Duration {
	bits := time.Duration(n * p.settings.CharacterBits())
	return p.patience + 2*bits*time.Second/time.Duration(p.settings.Baud)
}

// awaitReady waits until the line takes bytes.
func (p *Port) awaitReady(ctx context.Context, l *line, deadline time.Time) error {
	for {
		ready, err := l.side.takesBytes(writeTick)
		switch {
		case err != nil:
			return ErrGone
		case p.isClosing():
			return ErrClosed
		case ctx.Err() != nil:
			return ctx.Err()
		case l.isCondemned():
			return ErrStuck
		case ready:
			return nil
		case time.Now().After(deadline):
			return ErrStuck
		}
	}
}

// send writes one chunk. A driver that hangs although it said that it was ready condemns the line: the write is left
// behind with a copy of the bytes, and the reading goroutine closes the line and opens another.
func (l *line) send(chunk []byte) (int, error) {
	type result struct {
		n   int
		err error
	}
	sent := make(chan result, 1)
	mine := bytes.Clone(chunk)
	go func() {
		n, err := l.wire.Write(mine)
		sent <- result{n, err}
	}()
	limit := time.NewTimer(hangLimit)
	defer limit.Stop()
	select {
	case r := <-sent:
		if r.err != nil {
			return r.n, fmt.Errorf("%w: %w", ErrGone, r.err)
		}
		return r.n, nil
	case <-limit.C:
		l.condemn()
		return 0, ErrStuck
	}
}
