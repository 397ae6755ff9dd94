package kiosk

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"reelkiosk/kiosk/visit"
	"reelkiosk/store/ledger"
	"reelkiosk/store/replica"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// aloneEvery is how often the kiosk sees to its grants, besides whenever the copy of the books has changed.
const aloneEvery = 10 * time.Second

// standAlone sees to what the kiosk may give while it is cut off: it asks for grants, gives back what has ended, and lets
// players go, whom others act for.
func (c *Conductor) standAlone(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		case <-c.learnt:
		}
		turn := c.Alone.Turn
		if c.stopping.Load() {
			turn = func(context.Context, bool) ([]replica.Request, error) { return c.Alone.Stop() }
		}
		requests, err := turn(ctx, c.followed.Load())
		switch {
		case ctx.Err() != nil:
			return
		case err != nil && !notThere(err):
			c.Log.Error("seeing to the grants", "error", err)
		}
		for _, request := range requests {
			c.courier.hand(ctx, errand{request: request})
		}
		c.readyAlone(ctx)
		timer.Reset(aloneEvery)
	}
}

// notThere reports whether there is no copy of the books, or one that cannot be read yet.
func notThere(err error) bool {
	return errors.Is(err, replica.ErrNoMirror) || errors.Is(err, replica.ErrLocked)
}

// readyAlone notes whether seats can be given by the kiosk itself, and says so where that has changed.
func (c *Conductor) readyAlone(ctx context.Context) {
	err := c.Alone.Ready(ctx)
	if c.alone.Swap(err == nil) != (err == nil) {
		c.Log.Info("what the kiosk can give by itself", "ready", err == nil, "because", because(err))
		c.post(c.devices)
	}
}

// learn has what the kiosk may give by itself looked at again, since the copy of the books has changed.
func (c *Conductor) learn() {
	select {
	case c.learnt <- struct{}{}:
	default:
	}
}

// floorAlone fills in from the copy of the books what a kiosk must know to greet, and shows the seats that it may give.
func (c *Conductor) floorAlone(ctx context.Context, floor *visit.Floor) {
	defined, told, err := c.Alone.Floor(ctx, nearHeats)
	if err != nil {
		return
	}
	c.Clock.In(defined.Zone)
	now, _ := c.Clock.Now()
	floor.Property, floor.Name = defined.Property, defined.Name
	floor.RulesVersion, floor.RulesHash, floor.RulesBody = defined.Text.Version, defined.Text.Hash, defined.Text.Body
	floor.SeatPrice, floor.MinAge = defined.Rules.SeatPrice, defined.Rules.MinAge
	floor.Heats = openHeats(told, now)
	seen := *floor
	c.post(func() { c.step(visit.FloorSeen{Floor: seen, Now: now}) })
}

// identifyAlone looks a player up while central is away. It reports false where the kiosk can do nothing by itself.
func (c *Conductor) identifyAlone(ctx context.Context, e visit.Identify) bool {
	if c.Alone == nil || c.Alone.Ready(ctx) != nil {
		return false
	}
	person, told, err := c.Alone.Identify(ctx, wire.Identify{Card: e.Card, Document: e.Document, Both: e.Both, Kiosk: c.Name}, farHeats)
	refusal, refused := errors.AsType[*tournament.Refusal](err)
	switch {
	case refused:
		c.Log.Info("not identified, cut off", "reason", screenReason(refusal.Reason))
		c.happened(visit.Refused{Call: e.Call, Reason: refusal.Reason, Until: refusal.Until, Elsewhere: c.elsewhere(err)})
	case err != nil:
		c.Log.Error("the copy of the books identifies nobody", "error", err)
		return false
	default:
		c.lone.Store(int64(e.Call.Visit))
		now, _ := c.Clock.Now()
		c.happened(visit.Identified{Call: e.Call, Person: person, Heats: openHeats(told, now)})
	}
	return true
}

// registerAlone takes a registration that is not for central: one of a visit that began while central was away, or of a
// player of whom something is not reported yet. It reports false where central is to be asked.
func (c *Conductor) registerAlone(e visit.Register) bool {
	switch {
	case c.Alone == nil:
		return false
	case c.lone.Load() == int64(e.Call.Visit):
		c.work.Go(func() { c.giveAlone(e) })
		return true
	case !c.Alone.MayAsk(e.Person):
		c.work.Go(func() { c.happened(visit.Refused{Call: e.Call, Reason: tournament.Unsettled}) })
		return true
	}
	return false
}

// giveAlone gives a seat by the kiosk itself. The seat, its report and the intent to print are on the disk before the player
// hears of it.
func (c *Conductor) giveAlone(e visit.Register) {
	seat, report, err := c.Alone.Give(c.life, wire.Register{
		Person: e.Person, Heat: e.Heat, Kiosk: c.Name, Rules: e.Rules, Declared: true, By: e.By,
	})
	refusal, refused := errors.AsType[*tournament.Refusal](err)
	switch {
	case refused:
		c.Log.Info("not given, cut off", "reason", screenReason(refusal.Reason))
		c.happened(visit.Refused{Call: e.Call, Reason: refusal.Reason, Until: refusal.Until})
	case notThere(err) || errors.Is(err, ledger.ErrBooks):
		c.Log.Error("the copy of the books gives no seat", "error", err)
		c.happened(visit.Failed{Call: e.Call})
	case err != nil:
		c.replicaBroken(err)
		c.happened(visit.Failed{Call: e.Call})
	default:
		c.Log.Info("given while cut off", "seat", seat.ID, "heat", seat.Heat)
		c.courier.hand(c.life, errand{request: report})
		c.happened(visit.Issued{Call: e.Call, Seat: seat})
	}
}

// close settles a request and takes what its answer means for what the kiosk may give by itself.
func (c *courier) close(e errand, answer json.RawMessage, failure error, intent *replica.Intent) error {
	if c.alone == nil {
		return c.replica.Settle(e.request, intent)
	}
	more, err := c.alone.Answered(e.request, answer, failure, intent)
	for _, request := range more {
		c.pack(errand{request: request})
	}
	return err
}
