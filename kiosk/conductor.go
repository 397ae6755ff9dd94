package kiosk

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"reelkiosk/devices/printer"
	"reelkiosk/devices/reader"
	"reelkiosk/kiosk/ticket"
	"reelkiosk/kiosk/visit"
	"reelkiosk/store/client"
	"reelkiosk/store/condition"
	"reelkiosk/store/replica"
	"reelkiosk/store/vault"
	"reelkiosk/store/wire"
)

// Reader is a card reader or a document scanner, as devices/reader drives it.
type Reader interface {
	Readings() <-chan reader.Reading
	States() <-chan reader.State
}

// Printer is a ticket printer, as devices/printer drives it.
type Printer interface {
	Status(context.Context) printer.Status
	Print(context.Context, printer.JobID, printer.Document) printer.Outcome
	Changes() <-chan printer.Status
	Confirmations() <-chan printer.JobID
}

// Parts are what a kiosk is assembled from. The conductor closes none of them.
type Parts struct {
	// Name is the kiosk's, on tickets and in the books.
	Name string
	// Machine is the configuration of its visits.
	Machine visit.Machine
	// Central is the way to central; nil where none is configured.
	Central *client.Client
	// Trust is how central knows the kiosk; nil where it speaks without TLS, in a demonstration. Unenrolled says why there is
	// none though central wants one; empty for nothing.
	Trust      *Trust
	Unenrolled string
	// Replica is the kiosk's own file; nil where it cannot be used, and ReplicaError says why.
	Replica      *replica.Replica
	ReplicaError error
	// Mirror is the kiosk's copy of central's books, nil where it has none; Keys waits for the keys that open it.
	Mirror *replica.Mirror
	Keys   func(context.Context) (vault.Keys, uint32, error)
	// Alone is what the kiosk gives by itself while central is away, by the Replica and the Mirror; nil for nothing.
	Alone *replica.Alone
	// Card, Document and Printer are the devices; nil where none is configured.
	Card, Document Reader
	Printer        Printer
	// Say returns the phrases of tickets in a language.
	Say func(language string) ticket.Say
	// Clock is the kiosk's time.
	Clock *Clock
	// Refresh is how often central is asked for heats.
	Refresh time.Duration
	// Settling is how long a screen takes no touches after it came up and after each touch, the constant of that name in
	// production.
	Settling time.Duration
	// DiskFree returns which share of the disk is free, from 0 to 1; nil where nobody watches it.
	DiskFree func() (float64, error)
	// Out is why the kiosk gives no seats, whatever else works (its configuration is faulty); empty for nothing.
	Out string
	// Control is where the socket lies at which the kiosk can be asked for its outbox, how it is, and a test page; empty for none.
	Control string
	// Version is the program's, and Built when it was made; zero where that is not known.
	Version string
	Built   time.Time
	// Log gets what happens, without anybody's name or number.
	Log *slog.Logger
}

// Conductor runs a kiosk. Make it with New.
type Conductor struct {
	Parts
	screen  screen
	courier *courier
	// turns are functions for the owning goroutine to call.
	turns chan func()
	// now is the newest state, for others to look at.
	now atomic.Pointer[visit.State]
	// followed says that the copy of the books is all that central has, as far as the line tells.
	followed atomic.Bool
	// alone says that seats can be given by the kiosk itself, and lone is the visit that began so.
	alone atomic.Bool
	lone  atomic.Int64
	// stopping says that the kiosk was told to stop.
	stopping atomic.Bool
	// learnt says that the copy of the books has changed.
	learnt chan struct{}
	// soon asks for heats before their time.
	soon chan struct{}
	// unknown asks for a hello before its time.
	unknown chan struct{}

	// unwell asks for a report of how the kiosk is before its time; well is what the owner knows of that.
	unwell chan struct{}
	well   atomic.Pointer[wellbeing]
	began  time.Time
	// silence is what central said last of other kiosks.
	silence atomic.Pointer[silence]

	// What follows belongs to the owning goroutine.
	state   visit.State
	health  health
	wall    wallWatch
	ready   visit.Readers
	printer printer.Status
	// life ends with Run; presses outlives it by graceful, so that a ticket that is printing is finished and settled.
	life, presses context.Context
	work, prints  sync.WaitGroup
}

// graceful is how long Run waits, when it is to end, for a print that has begun.
const graceful = 4 * time.Second

// New returns a conductor that does nothing before Run.
func New(parts Parts) *Conductor {
	c := &Conductor{Parts: parts, turns: make(chan func(), 64), soon: make(chan struct{}, 1), learnt: make(chan struct{}, 1), unknown: make(chan struct{}, 1)}
	c.unwell, c.began, c.wall.built = make(chan struct{}, 1), time.Now(), parts.Built
	c.screen.settling = parts.Settling
	c.health = newHealth(parts.Log, c.tellCentral)
	c.state = parts.Machine.Start()
	c.now.Store(&c.state)
	if parts.Replica != nil && parts.Central != nil {
		c.courier = newCourier(parts)
		c.courier.awaited = func(call visit.Call) bool { return c.now.Load().Awaits(call) }
		c.courier.deliver, c.courier.broken, c.courier.well = c.happened, c.replicaBroken, c.replicaWell
		if parts.Clock != nil {
			c.courier.now = parts.Clock.Now
		}
	}
	return c
}

// Show has the face show every state from now on, on the goroutine of the ui function: fyne.Do in production.
func (c *Conductor) Show(face Face, ui func(func())) {
	c.screen.mu.Lock()
	c.screen.face, c.screen.ui = face, ui
	c.screen.mu.Unlock()
	c.screen.show(*c.now.Load())
}

// Touch takes a touch from the face, on the face's own goroutine, and never waits. A touch within Settling of the screen's
// coming up, or of another touch, is dropped.
func (c *Conductor) Touch(event visit.Event) {
	tap, is := event.(visit.Tapped)
	if !is || !c.screen.touched(&tap) {
		return
	}
	select {
	case c.turns <- func() { c.step(tap) }:
	default:
		// Dozens of touches are waiting already: nobody meant them one by one.
	}
}

// Monitor notes whether the window is on its monitor; wrong says why it is not, nil that it is. It never waits.
func (c *Conductor) Monitor(wrong error) {
	select {
	case c.turns <- func() { c.note(condition.DisplayGone, wrong != nil, because(wrong)) }:
	default: // it is placed again when a monitor comes
	}
}

// State returns the newest state.
func (c *Conductor) State() visit.State { return *c.now.Load() }

// Run runs the kiosk until ctx ends, then lets a ticket that is printing come to its end.
func (c *Conductor) Run(ctx context.Context) error {
	life, stop := context.WithCancel(ctx)
	defer stop()
	presses, halt := context.WithCancel(context.WithoutCancel(ctx))
	defer halt()
	c.life, c.presses = life, presses
	c.begin()
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case turn := <-c.turns:
			turn()
			continue
		case <-ticker.C:
			c.tick()
			continue
		case <-life.Done():
		}
		break
	}
	finished := make(chan struct{})
	go func() { defer close(finished); c.prints.Wait() }()
	select {
	case <-finished:
	case <-time.After(graceful):
		halt()
		<-finished
	}
	stop()
	c.work.Wait()
	return nil
}

// begin starts what runs beside the owner, and says what is missing from the start.
func (c *Conductor) begin() {
	c.missing()
	if c.courier != nil {
		c.work.Go(func() { c.courier.run(c.life, c.Name) })
	}
	if c.Control != "" {
		c.work.Go(func() { c.control(c.life) })
	}
	if c.Central != nil {
		c.work.Go(func() { c.watchCentral(c.life) })
		c.work.Go(func() { c.report(c.life) })
	}
	if c.Central != nil && c.Trust != nil {
		c.work.Go(func() { c.greet(c.life) })
	}
	if c.Central != nil && c.Mirror != nil && c.Keys != nil {
		c.work.Go(func() { c.follow(c.life) })
	}
	if c.courier != nil && c.Alone != nil {
		c.work.Go(func() { c.standAlone(c.life) })
	}
	if c.Card != nil {
		c.work.Go(func() { c.watchReader(c.Card, condition.ReaderGone, condition.ReaderSetUp) })
	}
	if c.Document != nil {
		c.work.Go(func() { c.watchReader(c.Document, condition.ScannerGone, condition.ScannerSetUp) })
	}
	if c.Printer != nil {
		c.work.Go(c.watchPrinter)
	}
	c.devices()
}

// post gives the owner a function to call. It waits until there is room, or until the kiosk ends.
func (c *Conductor) post(turn func()) {
	select {
	case c.turns <- turn:
	case <-c.life.Done():
	}
}

// happened gives the owner an event.
func (c *Conductor) happened(event visit.Event) { c.post(func() { c.step(event) }) }

// step gives an event to the machine, shows what follows and does what it asks for.
func (c *Conductor) step(event visit.Event) {
	if issued, is := event.(visit.Issued); is && !c.state.Awaits(issued.Call) {
		c.leftBehind(issued.Seat)
		return
	}
	switch event.(type) {
	case visit.Issued, visit.Refused:
		c.refresh()
	}
	if identified, is := event.(visit.Identified); is {
		// What came between the answer and now is looked for once she is known here.
		defer c.work.Go(func() { c.recheck(c.life, identified.Person.ID) })
	}
	before := c.state
	next, effects := c.Machine.Step(before, event)
	c.state = next
	c.now.Store(&next)
	c.log(before, next)
	for _, effect := range effects {
		c.carryOut(effect)
	}
	c.screen.show(next)
}

// log says which visit is on which screen, and nothing about whom.
func (c *Conductor) log(before, after visit.State) {
	if before.Visit == after.Visit && before.Screen == after.Screen && before.Over == after.Over {
		return
	}
	attributes := []any{"visit", after.Visit, "screen", after.Screen}
	if after.Over != visit.OverNothing {
		attributes = append(attributes, "over", after.Over)
	}
	if after.Trouble != visit.TroubleNone {
		attributes = append(attributes, "trouble", after.Trouble)
	}
	c.Log.Info("screen", attributes...)
}

// tick gives the machine its second.
func (c *Conductor) tick() {
	now := c.lookAtClocks()
	c.note(condition.RequestsWaiting, c.courier != nil && c.courier.waits.Load() > 0, "")
	c.refused()
	c.disk()
	c.stale()
	c.planned()
	c.health.tick(time.Now())
	c.devices()
	c.tellHealth()
	c.step(visit.Tick{Now: now})
}

// tellCentral has a change of a condition recorded in the books.
func (c *Conductor) tellCentral(detail string) {
	c.notify(wire.Notice{Kind: wire.Fault, Detail: detail})
}

// notify has a notice brought to central.
func (c *Conductor) notify(notice wire.Notice) {
	if c.courier == nil || c.life == nil {
		return
	}
	notice.Kiosk = c.Name
	notice.At, _ = c.Clock.Now()
	c.work.Go(func() { _ = c.courier.tell(c.life, wire.PathNotices, notice) }) // it said so already
}
