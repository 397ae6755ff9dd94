package kiosk

import (
	"context"
	"errors"
	"slices"
	"time"

	"reelkiosk/kiosk/visit"
	"reelkiosk/store/client"
	"reelkiosk/store/condition"
	"reelkiosk/store/replica"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// mostTogether is how many bytes of bodies may go to central together; a request as a whole has 64 KiB.
const mostTogether = 32 << 10

// Outbox is what a kiosk has to tell central: what waits, and what central cannot take.
type Outbox struct {
	Waiting []Waiting      `json:"waiting"`
	Dead    []replica.Dead `json:"dead"`
}

// Waiting is a request that was not answered yet.
type Waiting struct {
	replica.Request
	Number uint64 `json:"seq"`
	// Tries is how often it was sent since the kiosk's start; Why is why it still waits.
	Tries int    `json:"tries,omitempty"`
	Why   string `json:"why,omitempty"`
	// Since is when the kiosk made it, or was started since.
	Since time.Time `json:"-"`
}

// OutboxOf returns the outbox of a kiosk that does not run, from its own file.
func OutboxOf(file *replica.Replica) Outbox {
	outbox := Outbox{Waiting: []Waiting{}, Dead: file.Dead()}
	for _, request := range file.Requests() {
		outbox.Waiting = append(outbox.Waiting, Waiting{Request: request, Number: request.Sequence})
	}
	return outbox
}

// publish makes what waits known to others than run.
func (c *courier) publish() {
	waiting := make([]Waiting, 0, len(c.bag))
	for _, e := range c.bag {
		waiting = append(waiting, Waiting{Request: e.request, Number: e.request.Sequence, Tries: e.tries, Why: e.why, Since: e.since})
	}
	c.waiting.Store(&waiting)
}

// outbox returns what waits and what central cannot take.
func (c *courier) outbox() Outbox {
	outbox := Outbox{Waiting: []Waiting{}, Dead: c.replica.Dead()}
	if waiting := c.waiting.Load(); waiting != nil {
		outbox.Waiting = *waiting
	}
	return outbox
}

// again has a dead letter sent again.
func (c *courier) again(ctx context.Context, number uint64) error {
	request, err := c.replica.Retry(number)
	if err == nil {
		c.hand(ctx, errand{request: request})
	}
	return err
}

// round tries everything in order, and stops at the first that central does not answer: it is then away for all.
func (c *courier) round(ctx context.Context) error {
	alone := false
	for at := 0; at < len(c.bag); {
		count := 1
		if !alone {
			count = c.together(at)
		}
		answered, err := c.bring(ctx, c.bag[at:at+count])
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, client.ErrAway):
			c.tellAway()
			return err
		case isDistrust(err):
			at += count
			continue
		case err != nil && count > 1:
			// It is not known which of them central cannot take: each goes alone.
			alone = true
			continue
		}
		for _, one := range answered {
			took, err := c.took(at, one)
			if err != nil {
				return err
			}
			if !took {
				at++
			}
		}
	}
	return nil
}

// together returns how many requests from one on go together: those for whose answer nobody stands there.
func (c *courier) together(at int) int {
	bytes := 0
	for count, e := range c.bag[at:] {
		bytes += len(e.request.Body)
		if count == wire.MostOutbox || count > 0 && (e.call != visit.Call{} || bytes > mostTogether) {
			return count
		}
		if e.call != (visit.Call{}) {
			return 1
		}
	}
	return len(c.bag) - at
}

// bring sends some requests and returns what they came to, at least the first. The error is that of several together.
func (c *courier) bring(ctx context.Context, errands []errand) ([]client.Answered, error) {
	for i := range errands {
		errands[i].tries++
	}
	settled := c.replica.Settled()
	if len(errands) == 1 {
		request := errands[0].request
		key := client.Key{Enrolment: c.replica.Enrolment(), Sequence: request.Sequence, Settled: settled}
		answer, err := c.central.Send(ctx, key, request.Path, request.Body)
		return []client.Answered{{Sequence: request.Sequence, Answer: answer, Err: err}}, nil
	}
	items := make([]wire.OutboxItem, len(errands))
	for i, e := range errands {
		items[i] = wire.OutboxItem{Sequence: e.request.Sequence, Path: e.request.Path, Body: string(e.request.Body)}
	}
	answered, err := c.central.SendAll(ctx, c.replica.Enrolment(), settled, items)
	if err == nil && len(answered) == 0 {
		err = client.ErrAway
	}
	if err != nil {
		for i := range errands {
			errands[i].why = err.Error()
		}
	}
	return answered, err
}

// took deals with what one request came to, and reports whether it is out of the bag. The error is ErrAway where central did
// not take it at that moment.
func (c *courier) took(at int, one client.Answered) (bool, error) {
	e := c.bag[at]
	if one.Err != nil {
		c.bag[at].why = one.Err.Error()
	}
	switch {
	case errors.Is(one.Err, client.ErrAway):
		c.tellAway()
		return false, one.Err
	case c.postponed(e, one.Err), noRoom(one.Err) && e.call == (visit.Call{}):
		return false, nil
	}
	report, settled := c.settle(e, one.Answer, one.Err)
	if !settled {
		return false, nil
	}
	c.bag = slices.Delete(c.bag, at, at+1)
	if report != nil {
		c.pack(*report)
	}
	return true, nil
}

// noRoom reports whether central's disk is full: the same request may be taken when somebody has made room.
func noRoom(err error) bool {
	problem, is := errors.AsType[*wire.Problem](err)
	return is && problem.Kind() == wire.ProblemFull
}

// asks are the requests whose refusal is an answer: nothing was given, and nothing is owed. All others tell what happened,
// and a refusal of these is somebody's to look at.
var asks = map[string]bool{
	wire.PathRegistrations: true, wire.PathReprints: true, wire.PathClaims: true, wire.PathGrants: true,
}

// bury makes a dead letter of what central cannot take, and reports whether it is one.
func (c *courier) bury(e errand, err error) (dead, settled bool) {
	if err == nil || e.call != (visit.Call{}) || asks[e.request.Path] {
		return false, false
	}
	reason := err.Error()
	said := reason
	if refusal, refused := errors.AsType[*tournament.Refusal](err); refused {
		reason, said = string(refusal.Reason), screenReason(refusal.Reason)
	}
	var now time.Time
	if c.now != nil {
		now, _ = c.now()
	}
	c.log.Error("central cannot take what it was told; it is kept as a dead letter", "seq", e.request.Sequence,
		"path", e.request.Path, "reason", said)
	if err := c.replica.Bury(e.request, reason, now); err != nil {
		c.broken(err)
		return true, false
	}
	return true, true
}

// refused notes that there are dead letters.
func (c *Conductor) refused() {
	if c.courier != nil {
		c.note(condition.RequestsRefused, len(c.Replica.Dead()) > 0, "")
	}
}

// RetryAll calls retry with the numbers of dead letters, or with those of all where there are none, and returns them.
func RetryAll(dead []replica.Dead, numbers []uint64, retry func(number uint64) error) (Retried, error) {
	if len(numbers) == 0 {
		for _, letter := range dead {
			numbers = append(numbers, letter.Number)
		}
	}
	done := Retried{Numbers: []uint64{}}
	for _, number := range numbers {
		if err := retry(number); err != nil {
			return done, err
		}
		done.Numbers = append(done.Numbers, number)
	}
	return done, nil
}
