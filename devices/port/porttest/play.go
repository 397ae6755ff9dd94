// Package porttest stands in for a serial port in the tests of drivers: it plays a script, and records one.
//
// A script is what passes between a driver and its device: what the driver must write, and what then happens on the
// port. A driver that writes something else fails the test at once, and Close fails it if part of the script did not
// happen:
//
//	conn := porttest.Play(t,
//		porttest.Happens(porttest.Opened()),
//		porttest.Answers("\x10\x04\x02", "\x12"),
//		porttest.Happens(porttest.Gone(port.ErrUnplugged)),
//	)
//
// [Record] puts itself between a driver and a real port, and gives what passed as such a script.
package porttest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"reelkiosk/devices/port"
)

// Exchange is one step of a script.
type Exchange struct {
	Written []byte       // what the driver must write, in one piece or in several; empty: it need not write
	Events  []port.Event // what then happens; an event without a time is stamped when it is delivered
	Err     error        // what the write that completes Written returns
}

// Opened is the event of a port that opens.
func Opened() port.Event { return port.Event{Kind: port.Opened} }

// Data is the event of bytes that come.
func Data(bytes string) port.Event { return port.Event{Kind: port.Data, Data: []byte(bytes)} }

// Gone is the event of a port that is lost for a reason.
func Gone(reason error) port.Event { return port.Event{Kind: port.Gone, Err: reason} }

// Happens is a step in which the driver need not write.
func Happens(events ...port.Event) Exchange { return Exchange{Events: events} }

// Answers is a step in which the device answers what the driver writes.
func Answers(written, answer string) Exchange {
	return Exchange{Written: []byte(written), Events: []port.Event{Data(answer)}}
}

// Writes is a step in which the driver writes and the device says nothing.
func Writes(written string) Exchange { return Exchange{Written: []byte(written)} }

// ErrUnexpected is wrapped by what Write returns for bytes that the script has not.
var ErrUnexpected = errors.New("not in the script")

// Conn is a port.Conn that plays a script.
type Conn struct {
	t      testing.TB
	events chan port.Event

	mu     sync.Mutex // guards what follows
	script []Exchange // what has not happened yet
	done   int        // steps that have
	part   int        // bytes of the first one that the driver has written
	closed bool
}

var _ port.Conn = (*Conn)(nil)

// Play returns a Conn whose script begins at once. It is closed at the end of the test, if the driver did not.
func Play(t testing.TB, script ...Exchange) *Conn {
	const beyond = 256 // events that Deliver may add
	room := beyond
	for _, step := range script {
		room += len(step.Events)
	}
	c := &Conn{t: t, events: make(chan port.Event, room), script: script}
	c.advance()
	t.Cleanup(func() { c.Close() })
	return c
}

// Events implements port.Conn.
func (c *Conn) Events() <-chan port.Event { return c.events }

// Write implements port.Conn. Bytes that the script has not fail the test.
func (c *Conn) Write(ctx context.Context, p []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	fail := func(written int, err error) error { return &port.WriteError{Written: written, Of: len(p), Err: err} }
	switch {
	case c.closed:
		return fail(0, port.ErrClosed)
	case ctx.Err() != nil:
		return fail(0, ctx.Err())
	}
	for written := 0; written < len(p); {
		if len(c.script) == 0 {
			c.t.Errorf("driver wrote %q after the end of the script", p[written:])
			return fail(written, ErrUnexpected)
		}
		step := c.script[0]
		wanted := step.Written[c.part:]
		n := min(len(wanted), len(p)-written)
		if !bytes.Equal(p[written:written+n], wanted[:n]) {
			c.t.Errorf("driver wrote %q, step %d of the script wants %q", p[written:], c.done+1, wanted)
			return fail(written, ErrUnexpected)
		}
		written += n
		c.part += n
		if c.part < len(step.Written) {
			break
		}
		c.advance()
		if step.Err != nil {
			return fail(written, step.Err)
		}
	}
	return nil
}

// advance lets the events of steps whose bytes were written happen, up to the next step that wants bytes. mu is held.
func (c *Conn) advance() {
	for len(c.script) > 0 && c.part == len(c.script[0].Written) {
		c.deliver(c.script[0].Events)
		c.script, c.part = c.script[1:], 0
		c.done++
	}
}

// Deliver lets events happen now, beside the script.
func (c *Conn) Deliver(events ...port.Event) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		c.t.Errorf("%d events for a port that the driver closed", len(events))
		return
	}
	c.deliver(events)
}

func (c *Conn) deliver(events []port.Event) {
	for _, event := range events {
		event.Data = bytes.Clone(event.Data) // the driver may wipe its own
		if event.At.IsZero() {
			event.At = time.Now()
		}
		select {
		case c.events <- event:
		default:
			c.t.Errorf("the driver reads no events: %d wait", len(c.events))
		}
	}
}

// Close implements port.Conn. It fails the test, and returns an error, if part of the script did not happen.
func (c *Conn) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil
	}
	c.closed = true
	close(c.events)
	if len(c.script) == 0 {
		return nil
	}
	next := c.script[0].Written
	err := fmt.Errorf("%d steps of the script did not happen; the next wants %q and got %q",
		len(c.script), next, next[:c.part])
	c.t.Error(err)
	return err
}
