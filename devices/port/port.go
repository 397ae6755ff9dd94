package port

import (
	"errors"
	"sync"
	"time"
)

// CloseLimit is how long Close waits at most before it returns ErrLate.
const CloseLimit = time.Second

// Port is a serial port that is kept open. It implements Conn.
type Port struct {
	settings Settings
	dev      string           // stands for /dev
	now      func() time.Time // stamps events
	told     func(Settings)
	patience time.Duration
	open     func(real string, settings Settings) (wire, error)

	events  chan Event
	turn    chan struct{} // holds a token while somebody writes
	closing chan struct{} // closed by Close
	ended   chan struct{} // closed when the keeping goroutine has ended

	once   sync.Once
	ending error // what Close returns

	mu   sync.Mutex // guards what follows
	line *line      // the open line, or nil
	late error      // ErrLate if the last line was not let go of in time
}

var _ Conn = (*Port)(nil)

// Option changes how a port is kept.
type Option func(*Port)

// DevRoot sets the folder that stands for /dev when a name is resolved, so that by-id names and replugging can be
// tried without devices. Names outside /dev are taken as they are.
func DevRoot(folder string) Option { return func(p *Port) { p.dev = folder } }

// Told sets a function that is told after each opening how the line was set. A pseudo-terminal hides parity and data
// bits; an emulated device learns them here, and garbles what a real line would garble.
func Told(hear func(Settings)) Option { return func(p *Port) { p.told = hear } }

// Clock sets the clock that stamps events; time.Now is the default.
func Clock(now func() time.Time) Option { return func(p *Port) { p.now = now } }

// Patience sets what a write is given beyond twice its time on the line; 3 s is the default. A printer may be busy
// with paper and cutter for that long before it takes the next byte.
func Patience(beyond time.Duration) Option { return func(p *Port) { p.patience = beyond } }

// Keep opens the port and keeps it open, for ever, until Close. It returns at once: whether the port is there is told
// by its events. Settings that do not Validate are reported as Gone like any other reason.
func Keep(settings Settings, options ...Option) *Port {
	p := &Port{
		settings: settings.Normal(),
		dev:      "/dev",
		now:      time.Now,
		told:     func(Settings) {},
		patience: 3 * time.Second,
		open:     openSerial,
		events:   make(chan Event, 64),
		turn:     make(chan struct{}, 1),
		closing:  make(chan struct{}),
		ended:    make(chan struct{}),
	}
	for _, option := range options {
		option(p)
	}
	go p.keep()
	return p
}

// Events implements Conn.
func (p *Port) Events() <-chan Event { return p.events }

// Close implements Conn.
func (p *Port) Close() error {
	p.once.Do(func() {
		close(p.closing)
		select {
		case <-p.ended:
			p.mu.Lock()
			p.ending = p.late
			p.mu.Unlock()
		case <-time.After(CloseLimit):
			p.ending = ErrLate
		}
	})
	return p.ending
}

// keep is the one goroutine that opens, reads and closes.
func (p *Port) keep() {
	defer close(p.ended)
	defer close(p.events)
	var retry backoff
	var reason error // of the last Gone since the port was last open
	for {
		line, err := p.connect()
		if err == nil {
			opened := time.Now()
			reason = nil
			p.tell(Event{Kind: Opened})
			err = p.listen(line)
			p.disconnect(line)
			retry.wasOpen(time.Since(opened))
		}
		if p.isClosing() {
			return
		}
		if !sameReason(reason, err) {
			p.tell(Event{Kind: Gone, Err: err})
			reason = err
		}
		if !p.pause(retry.next()) {
			return
		}
	}
}

// sameReason reports whether a second failure says nothing new. That a device is absent is no news once it was
// unplugged.
func sameReason(last, now error) bool {
	if last == nil {
		return false
	}
	return last.Error() == now.Error() || errors.Is(last, ErrUnplugged) && errors.Is(now, ErrAbsent)
}

func (p *Port) connect() (*line, error) {
	opened, err := p.openLine()
	if err != nil {
		return nil, err
	}
	p.told(p.settings)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.line = opened
	return opened, nil
}

func (p *Port) disconnect(l *line) {
	p.mu.Lock()
	p.line = nil
	p.mu.Unlock()
	late := l.release(p.isClosing())
	p.mu.Lock()
	p.late = late
	p.mu.Unlock()
}

func (p *Port) current() *line {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.line
}

// tell delivers an event. After Close it does so only while there is room, since perhaps nobody reads any more.
func (p *Port) tell(event Event) {
	event.At = p.now()
	select {
	case p.events <- event:
		return
	default:
	}
	select {
	case p.events <- event:
	case <-p.closing:
		clear(event.Data)
	}
}

// pause waits, and reports whether the port is still wanted.
func (p *Port) pause(wait time.Duration) bool {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-p.closing:
		return false
	}
}

func (p *Port) isClosing() bool {
	select {
	case <-p.closing:
		return true
	default:
		return false
	}
}
