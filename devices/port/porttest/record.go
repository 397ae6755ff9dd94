package porttest

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"

	"reelkiosk/devices/port"
)

// Recorder is a port.Conn that passes everything on to another and writes it down. Its owner must Close it.
type Recorder struct {
	under  port.Conn
	events chan port.Event
	ending chan struct{}
	ended  chan struct{}
	end    func()

	mu     sync.Mutex // guards what follows
	script []Exchange
}

var _ port.Conn = (*Recorder)(nil)

// Record returns a Recorder in front of a port, whose events it takes over.
func Record(under port.Conn) *Recorder {
	ending := make(chan struct{})
	r := &Recorder{
		under:  under,
		events: make(chan port.Event),
		ending: ending,
		ended:  make(chan struct{}),
		end:    sync.OnceFunc(func() { close(ending) }),
	}
	go r.pass()
	return r
}

func (r *Recorder) pass() {
	defer close(r.ended)
	defer close(r.events)
	for event := range r.under.Events() {
		r.note(event)
		select {
		case r.events <- event:
		case <-r.ending:
		}
	}
}

// note adds an event to the step that it follows. Bytes that come piece by piece are one event.
func (r *Recorder) note(event port.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.script) == 0 {
		r.script = append(r.script, Exchange{})
	}
	step := &r.script[len(r.script)-1]
	if last := len(step.Events) - 1; event.Kind == port.Data && last >= 0 && step.Events[last].Kind == port.Data {
		step.Events[last].Data = append(step.Events[last].Data, event.Data...)
		return
	}
	step.Events = append(step.Events, port.Event{Kind: event.Kind, Data: bytes.Clone(event.Data), Err: event.Err})
}

// Events implements port.Conn.
func (r *Recorder) Events() <-chan port.Event { return r.events }

// Write implements port.Conn. It is noted before it is passed on, so that the answer comes after it.
func (r *Recorder) Write(ctx context.Context, p []byte) error {
	r.mu.Lock()
	if last := len(r.script) - 1; last >= 0 && len(r.script[last].Events) == 0 && r.script[last].Err == nil {
		r.script[last].Written = append(r.script[last].Written, p...)
	} else {
		r.script = append(r.script, Exchange{Written: bytes.Clone(p)})
	}
	at := len(r.script) - 1
	r.mu.Unlock()
	err := r.under.Write(ctx, p)
	if err != nil {
		r.mu.Lock()
		r.script[at].Err = err
		r.mu.Unlock()
	}
	return err
}

// Close implements port.Conn.
func (r *Recorder) Close() error {
	r.end()
	err := r.under.Close()
	<-r.ended
	return err
}

// Script returns what has passed so far, ready to be played.
func (r *Recorder) Script() []Exchange {
	r.mu.Lock()
	defer r.mu.Unlock()
	script := make([]Exchange, len(r.script))
	for i, step := range r.script {
		script[i] = Exchange{Written: bytes.Clone(step.Written), Err: step.Err}
		for _, event := range step.Events {
			event.Data = bytes.Clone(event.Data)
			script[i].Events = append(script[i].Events, event)
		}
	}
	return script
}

// String returns what has passed so far, a step to a line.
func (r *Recorder) String() string {
	var text strings.Builder
	for _, step := range r.Script() {
		fmt.Fprintf(&text, "write %q", step.Written)
		if step.Err != nil {
			fmt.Fprintf(&text, " (%v)", step.Err)
		}
		for _, event := range step.Events {
			switch event.Kind {
			case port.Data:
				fmt.Fprintf(&text, ", data %q", event.Data)
			case port.Gone:
				fmt.Fprintf(&text, ", gone (%v)", event.Err)
			default:
				fmt.Fprintf(&text, ", %v", event.Kind)
			}
		}
		text.WriteByte('\n')
	}
	return text.String()
}
