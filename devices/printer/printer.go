package printer

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"reelkiosk/devices/port"
	"reelkiosk/devices/printer/escpos"
)

// Printer owns one ticket printer. Its methods may be called from several goroutines; jobs are done one after another.
type Printer struct {
	profile  Profile
	conn     port.Conn
	poll     time.Duration
	patience time.Duration

	requests      chan func()
	changes       chan Status
	confirmations chan JobID
	stop          context.CancelFunc
	life          context.Context // ends with Close
	ended         chan struct{}   // closed when the owning goroutine has ended

	// Everything below belongs to the goroutine of run.

	events  <-chan port.Event
	open    bool // the port is open
	lost    bool // the port was lost since the job, or whatever was begun, began
	decoder escpos.Decoder
	answer  escpos.Message // the last answer to a DLE EOT
	stale   bool           // an answer was given up on, and may still come
	held    bool           // XOFF
	pushing bool           // the printer was told to tell of changes
	due     bool           // the state should be asked for now
	status  Status         // as last known
	asked   time.Time      // a caller was told 'ready' then, and nothing else was heard since

	marks     []*mark          // that are out, in order
	nextID    uint32           // of a process id
	late      map[string]JobID // unconfirmed jobs by the process id that would confirm them
	processed *JobID           // an unconfirmed job, processed as GS r said; it counts once the printer is well
	torn      torn             // what the last job left behind

	unsaid    *Status // a change that nobody has been told of
	confirmed []JobID // late confirmations that nobody has been told of
}

// Option changes how a printer is driven.
type Option func(*Printer)

// Poll sets how often the printer is asked how it is while nothing else is done; 2 s is the default.
func Poll(every time.Duration) Option { return func(p *Printer) { p.poll = every } }

// Patience sets how long the printer may take to report a job, beyond the times on the line and of the mechanism; 5 s
// is the default.
func Patience(beyond time.Duration) Option { return func(p *Printer) { p.patience = beyond } }

// AfterCrash says that the program ended before while a job was out, so that the printer may be in the middle of it.
func AfterCrash() Option { return func(p *Printer) { p.torn.needed = true } }

// ErrClosed is in the outcome of a job that was asked for after Close, or that Close ended.
var ErrClosed = errors.New("printer closed")

// New drives the printer at conn, which it owns from now on, until Close.
func New(profile Profile, conn port.Conn, options ...Option) *Printer {
	life, stop := context.WithCancel(context.Background())
	p := &Printer{
		profile:       profile,
		conn:          conn,
		poll:          2 * time.Second,
		patience:      5 * time.Second,
		requests:      make(chan func()),
		changes:       make(chan Status),
		confirmations: make(chan JobID),
		stop:          stop,
		life:          life,
		ended:         make(chan struct{}),
		events:        conn.Events(),
		// An answer to a job of an earlier life must not be taken for one of this.
		nextID: rand.Uint32N(processIDs),
		late:   map[string]JobID{},
		status: Status{State: Unknown, At: time.Now()},
	}
	for _, option := range options {
		option(p)
	}
	go p.run()
	return p
}

// Status asks the printer how it is, now. It returns Unknown, with the context's error, if ctx ends first or the printer
// is closed.
func (p *Printer) Status(ctx context.Context) Status {
	status := Status{State: Unknown, At: time.Now()}
	err := p.do(ctx, func() {
		if status = p.check(ctx); status.State == Ready {
			p.asked = status.At
		}
	})
	if err != nil {
		status.Err = err
	}
	return status
}

// Print prints a document and waits until the printer has reported it, or will not. It returns NotStarted, and has sent
// nothing of it, if the printer cannot print now or the document cannot be printed. If ctx ends in the middle, the job
// breaks off and is Unconfirmed.
func (p *Printer) Print(ctx context.Context, job JobID, document Document) Outcome {
	outcome := Outcome{Result: NotStarted, Status: Status{State: Unknown, At: time.Now()}}
	if err := p.do(ctx, func() { outcome = p.print(ctx, job, document) }); err != nil {
		outcome.Err = err
	}
	return outcome
}

// Changes delivers the printer's state whenever it changes. A listener that is slow gets the newest one only. It is
// closed by Close.
func (p *Printer) Changes() <-chan Status { return p.changes }

// Confirmations delivers the jobs that were Unconfirmed and that the printer has reported as printed since. None is
// dropped while the printer is open. It is closed by Close.
func (p *Printer) Confirmations() <-chan JobID { return p.confirmations }

// Close ends a job that is under way, which is then Unconfirmed, and closes the port.
func (p *Printer) Close() error {
	p.stop()
	<-p.ended
	return p.conn.Close()
}

// do has the owning goroutine do something, and waits until it is done. It returns an error if it was never begun.
func (p *Printer) do(ctx context.Context, what func()) error {
	done := make(chan struct{})
	select {
	case p.requests <- func() { defer close(done); what() }:
		<-done
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-p.ended:
		return ErrClosed
	}
}

// run owns the printer.
func (p *Printer) run() {
	defer close(p.ended)
	defer close(p.changes)
	defer close(p.confirmations)
	p.expectAgain()
	for p.life.Err() == nil {
		timer := time.NewTimer(p.poll)
		_ = p.serve(p.life, timer.C, p.requests, func() bool { return p.due })
		timer.Stop()
		if p.life.Err() == nil {
			p.look(p.life)
		}
	}
}

// look asks the printer how it is, and does what was waiting for it to be ready.
func (p *Printer) look(ctx context.Context) {
	p.due = false
	status := p.check(ctx)
	p.lost = false
	if !status.CanPrint() || status.State == Untold {
		return
	}
	p.confirmProcessed()
	if p.torn.needed && !p.torn.whole {
		_ = p.recover(ctx) // tried again when next looked at, and before the next job
	}
	if p.profile.Push && !p.pushing && !p.torn.needed {
		_, err := p.write(ctx, mustEncode(escpos.StatusBack{Mask: 0xFF}))
		p.pushing = err == nil
	}
}

// confirmProcessed confirms the job whose answer to GS r came late, now that the printer is known to be well.
func (p *Printer) confirmProcessed() {
	if p.processed != nil {
		p.confirm(*p.processed)
		p.processed = nil
	}
}

// errTime says that what was waited for did not come in time.
var errTime = errors.New("not in time")

// serve takes what comes from the port, and from callers where requests is not nil, until done reports true. It returns
// errTime when the limit passes, or the context's error.
func (p *Printer) serve(ctx context.Context, limit <-chan time.Time, requests <-chan func(), done func() bool) error {
	for !done() {
		var changes chan<- Status
		var change Status
		if p.unsaid != nil {
			changes, change = p.changes, *p.unsaid
		}
		var confirmations chan<- JobID
		var confirmed JobID
		if len(p.confirmed) > 0 {
			confirmations, confirmed = p.confirmations, p.confirmed[0]
		}
		select {
		case <-p.life.Done():
			return ErrClosed
		case <-ctx.Done():
			return ctx.Err()
		case <-limit:
			return errTime
		case event, open := <-p.events:
			p.take(event, open)
		case request := <-requests:
			request()
		case changes <- change:
			p.unsaid = nil
		case confirmations <- confirmed:
			p.confirmed = p.confirmed[1:]
		}
	}
	return nil
}

// wait serves until done reports true or the time has passed.
func (p *Printer) wait(ctx context.Context, most time.Duration, done func() bool) error {
	timer := time.NewTimer(most)
	defer timer.Stop()
	return p.serve(ctx, timer.C, nil, done)
}

// drain takes what has come already, without waiting.
func (p *Printer) drain() {
	for {
		select {
		case event, open := <-p.events:
			p.take(event, open)
		default:
			return
		}
	}
}

func (p *Printer) take(event port.Event, open bool) {
	if !open {
		p.events = nil
		event = port.Event{Kind: port.Gone, At: time.Now(), Err: port.ErrClosed}
	}
	switch event.Kind {
	case port.Opened:
		p.open, p.due, p.torn.headed = true, true, false
		p.expectAgain()
		p.tell(Unknown, nil)
	case port.Gone:
		p.open, p.lost = false, true
		p.expectAgain()
		p.tell(Gone, event.Err)
	case port.Data:
		for _, message := range p.decoder.Decode(event.Data) {
			p.hear(message)
		}
	}
}

// expectAgain begins a connection: nothing that was asked before is answered on it, except that a printer which kept its
// power may still report a job by its id.
func (p *Printer) expectAgain() {
	p.decoder.Reset()
	p.marks, p.processed = nil, nil
	p.held, p.pushing, p.stale = false, false, false
	p.decoder.Expect(escpos.AskProcessID)
}

func (p *Printer) hear(message escpos.Message) {
	switch message.Kind {
	case escpos.KindXON:
		p.held = false
	case escpos.KindXOFF:
		p.held = true
	case escpos.KindProcessID:
		p.reported(message.ID)
	case escpos.KindPaperQueued:
		p.answeredQueued()
	case escpos.KindStatusBack:
		p.tell(stateOf(message), nil)
	default:
		p.answer = message
	}
}

// tell keeps the state, and has listeners told if it changed.
func (p *Printer) tell(state State, err error) Status {
	if state != Ready {
		p.asked = time.Time{}
	}
	old := p.status
	p.status = Status{State: state, At: time.Now(), Err: err}
	if state != old.State || reasonText(err) != reasonText(old.Err) {
		change := p.status
		p.unsaid = &change
	}
	return p.status
}

func reasonText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func mustEncode(commands ...escpos.Command) []byte {
	encoded, err := escpos.Encode(commands...)
	if err != nil {
		panic("printer: " + err.Error())
	}
	return encoded
}
