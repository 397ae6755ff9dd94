package kiosk

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"reelkiosk/kiosk/visit"
	"reelkiosk/store/client"
	"reelkiosk/store/replica"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// How long the courier waits between tries while central is away: the first wait, which doubles, up to the longest.
const (
	firstWait   = 250 * time.Millisecond
	longestWait = 10 * time.Second
)

// courier brings requests that change the books to central, in the order of their keys, and each until it is answered. A
// request is in the replica before the courier has it and leaves the replica with its answer.
type courier struct {
	replica *replica.Replica
	// alone takes answers about what the kiosk may give by itself; nil where it gives nothing.
	alone   *replica.Alone
	central *client.Client
	log     *slog.Logger
	// awaited reports whether the visit in progress still waits for a call; deliver brings it the reply.
	awaited func(visit.Call) bool
	deliver func(visit.Event)
	// broken is told when the replica cannot be written, well when it can be again after the disk was full.
	broken func(error)
	well   func()
	owed   owed

	post chan errand
	asks chan chan<- error
	hurl chan struct{}
	// waits is how many requests are not answered yet, waiting says which; now is the kiosk's time, nil where there is none.
	waits   atomic.Int64
	waiting atomic.Pointer[[]Waiting]
	now     func() (time.Time, bool)
	// bag holds what is not answered yet, oldest first; it belongs to run.
	bag []errand
}

// errand is one request, and the call of a visit that waits for its answer; the zero call is nobody's.
type errand struct {
	request replica.Request
	call    visit.Call
	// told says that its visit was told that central is away.
	told bool
	// tries is how often it was sent, why what came of the last time, since when it has waited in this run of the program.
	tries int
	why   string
	since time.Time
}

// Settle brings to central what an earlier run left unanswered, without running a kiosk: it needs a central and a replica.
// It returns when nothing is left, or when ctx ends, with an error that says how much is.
func Settle(ctx context.Context, parts Parts) error {
	life, stop := context.WithCancel(ctx)
	c := newCourier(parts)
	c.awaited, c.deliver = func(visit.Call) bool { return false }, func(visit.Event) {}
	c.broken, c.well = func(err error) { parts.Log.Error("the kiosk's own file", "error", err) }, func() {}
	var run sync.WaitGroup
	run.Go(func() { c.run(life, parts.Name) })
	err := client.Retry(life, client.Backoff{}, func(ctx context.Context) error {
		if parts.Trust != nil {
			if err := parts.hello(ctx); err != nil {
				return err
			}
		}
		return c.flush(ctx)
	})
	stop()
	run.Wait()
	if left := len(parts.Replica.Requests()); left > 0 {
		return fmt.Errorf("%d requests wait for central until the next start: %w", left, err)
	}
	return nil
}

func newCourier(parts Parts) *courier {
	return &courier{
		replica: parts.Replica, alone: parts.Alone, central: parts.Central, log: parts.Log,
		post: make(chan errand), asks: make(chan chan<- error), hurl: make(chan struct{}),
		owed: owed{wake: make(chan struct{}, 1)}, well: func() {},
	}
}

// send persists a request and has it brought. The error says that it could not be persisted: then nothing was sent.
func (c *courier) send(ctx context.Context, path string, body any, call visit.Call) error {
	request, err := c.replica.Ask(path, body)
	if err != nil {
		c.broken(err)
		return err
	}
	c.hand(ctx, errand{request: request, call: call})
	return nil
}

// conclude persists what became of a copy, with the report of it, and has that brought.
func (c *courier) conclude(ctx context.Context, outcome wire.PrintOutcome) error {
	return c.keep(ctx, func() (replica.Request, error) { return c.replica.Conclude(outcome) })
}

// tell persists what happened, for whose answer nobody waits, and has it brought.
func (c *courier) tell(ctx context.Context, path string, body any) error {
	return c.keep(ctx, func() (replica.Request, error) { return c.replica.Ask(path, body) })
}

// hand gives an errand to run. When that is over, the errand waits in the replica for the next start.
func (c *courier) hand(ctx context.Context, e errand) {
	select {
	case c.post <- e:
	case <-ctx.Done():
	}
}

// flush waits until nothing is left unanswered, so that what central says next is the whole truth. It returns
// client.ErrAway where central does not answer.
func (c *courier) flush(ctx context.Context) error {
	done := make(chan error, 1)
	select {
	case c.asks <- done:
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// hurry has everything tried at once.
func (c *courier) hurry(ctx context.Context) {
	select {
	case c.hurl <- struct{}{}:
	case <-ctx.Done():
	}
}

// run brings errands until ctx ends. First come those of an earlier life: prints that had begun are unconfirmed, and
// requests that were not answered are sent again.
func (c *courier) run(ctx context.Context, kiosk string) {
	c.resume(kiosk)
	wait := firstWait
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		var asked chan<- error
		select {
		case <-ctx.Done():
			return
		case e := <-c.post:
			c.pack(e)
		case asked = <-c.asks:
		case <-c.hurl:
			for i := range c.bag {
				c.bag[i].told = false
			}
		case <-c.owed.wake:
		case <-timer.C:
		}
		c.pay()
		err := c.round(ctx)
		c.waits.Store(int64(len(c.bag)))
		c.publish()
		if asked != nil {
			asked <- err
		}
		if len(c.bag) == 0 && !c.owed.full() {
			wait = firstWait
			timer.Stop()
			continue
		}
		timer.Reset(wait/2 + rand.N(wait/2)) // kiosks that lost central together do not come back together
		wait = min(2*wait, longestWait)
	}
}

func (c *courier) resume(kiosk string) {
	for _, request := range c.replica.Requests() {
		c.pack(errand{request: request})
	}
	for _, intent := range c.replica.Intents() {
		c.log.Warn("a print had begun when the kiosk ended", "seat", intent.Seat)
		outcome := wire.PrintOutcome{
			Ticket: intent.Ticket, State: tournament.CopyUnconfirmed, Reason: "the kiosk ended while it printed", Kiosk: kiosk,
		}
		if request, kept, err := c.write(func() (replica.Request, error) { return c.replica.Conclude(outcome) }); err != nil {
			return
		} else if kept {
			c.pack(errand{request: request})
		}
	}
}

func (c *courier) pack(e errand) {
	e.since = time.Now()
	at, _ := slices.BinarySearchFunc(c.bag, e, func(one, other errand) int {
		return cmp.Compare(one.request.Sequence, other.request.Sequence)
	})
	c.bag = slices.Insert(c.bag, at, e)
}

// postponed reports whether a refusal only puts a request off: a central that does not trust its clock, or this kiosk, writes
// nothing, and what nobody waits for can wait until it is well again.
func (c *courier) postponed(e errand, err error) bool {
	refusal, refused := errors.AsType[*tournament.Refusal](err)
	return refused && (refusal.Reason == tournament.ClockSuspect || refusal.Reason.Distrusts()) && !c.awaited(e.call)
}

// tellAway tells every visit that waits, once until it asks to hurry.
func (c *courier) tellAway() {
	for i, e := range c.bag {
		if e.call != (visit.Call{}) && !e.told {
			c.bag[i].told = true
			c.deliver(visit.Away{Call: e.call})
		}
	}
}

// settle persists that a request is answered, and only then delivers the answer. A seat's ticket becomes owed in the same
// commit. It returns the report of a ticket that nobody is there to take, and whether the request is settled.
func (c *courier) settle(e errand, answer json.RawMessage, err error) (report *errand, settled bool) {
	if dead, settled := c.bury(e, err); dead {
		return nil, settled
	}
	reply := c.read(e, answer, err)
	var intent *replica.Intent
	issued, isSeat := reply.(visit.Issued)
	if isSeat {
		intent = &replica.Intent{Ticket: issued.Seat.Ticket, Seat: issued.Seat.ID}
	}
	if err := c.close(e, answer, err, intent); err != nil {
		c.broken(err)
		c.deliver(visit.Failed{Call: e.call})
		return nil, false
	}
	if isSeat && !c.awaited(e.call) {
		return c.nobodyThere(e, issued.Seat), true
	}
	if e.call != (visit.Call{}) {
		c.deliver(reply)
	}
	return nil, true
}

// nobodyThere makes the report of a ticket that is not printed, since its player left before its seat was confirmed. The
// seat stands; she prints the ticket herself when she is next identified, or a host does.
func (c *courier) nobodyThere(e errand, seat wire.Seat) *errand {
	c.log.Warn("a seat was confirmed after its player had left", "seat", seat.ID, "heat", seat.Heat)
	var asked wire.Register // a Reprint has the kiosk under the same key
	_ = json.Unmarshal(e.request.Body, &asked)
	outcome := wire.PrintOutcome{
		Ticket: seat.Ticket, State: tournament.CopyLost, Reason: "nobody was there any more", Kiosk: asked.Kiosk,
	}
	request, kept, err := c.write(func() (replica.Request, error) { return c.replica.Conclude(outcome) })
	if err != nil || !kept {
		return nil // on a broken disk the intent stays: it becomes unconfirmed at the next start
	}
	return &errand{request: request}
}

// read makes the reply of an answer.
func (c *courier) read(e errand, answer json.RawMessage, err error) visit.Event {
	if refusal, refused := errors.AsType[*tournament.Refusal](err); refused && !refusal.Reason.Distrusts() {
		c.log.Info("refused", "path", e.request.Path, "reason", screenReason(refusal.Reason))
		return visit.Refused{Call: e.call, Reason: refusal.Reason, Until: refusal.Until}
	}
	if err == nil {
		switch e.request.Path {
		case wire.PathRegistrations, wire.PathReprints:
			var seat wire.Seat
			if err = json.Unmarshal(answer, &seat); err == nil && seat.Ticket != "" {
				return visit.Issued{Call: e.call, Seat: seat}
			}
		case wire.PathClaims:
			var claimed wire.Claimed
			if err = json.Unmarshal(answer, &claimed); err == nil {
				return visit.Claimed{Call: e.call, Entries: claimed.Entries}
			}
		default:
			return nil // nobody waits for it
		}
	}
	c.log.Error("central cannot do what it was asked", "path", e.request.Path, "error", err)
	return visit.Failed{Call: e.call}
}
