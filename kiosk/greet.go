package kiosk

import (
	"context"
	"errors"
	"fmt"
	"time"

	"reelkiosk/store/client"
	"reelkiosk/store/condition"
	"reelkiosk/store/tournament"
	"reelkiosk/store/trust"
	"reelkiosk/store/vault"
	"reelkiosk/store/wire"
)

const (
	// greetEvery is how often a kiosk that was welcomed says hello again: it hears of another floor key, and central of it.
	greetEvery = time.Minute
	// greetRefused is the wait after central refused it: somebody approves it, or enrols it anew.
	greetRefused = 5 * time.Second
)

// Trust is how a kiosk is known to central.
type Trust struct {
	// Bearer is its identity, and Hello what it says of itself.
	Bearer *trust.Bearer
	Hello  wire.Hello
	// Keys takes what central gives it; Keep, if not nil, keeps that for the next process (StoreKeys).
	Keys *Keys
	Keep func(vault.Keys, uint32) error
}

// greet says hello until ctx ends: at once, until it is answered, and now and then. It has the certificate renewed in time.
func (c *Conductor) greet(ctx context.Context) {
	wait := firstWait
	timer := time.NewTimer(0)
	defer timer.Stop()
	for welcomed := false; ; {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		case <-c.unknown:
		}
		err := c.hello(ctx)
		if ctx.Err() != nil {
			return
		}
		c.post(func() { c.distrusted(err) })
		_, refused := errors.AsType[*tournament.Refusal](err)
		switch {
		case err == nil:
			if !welcomed {
				welcomed = true
				c.Log.Info("welcomed by central")
				c.refresh()
				if c.courier != nil {
					c.courier.hurry(ctx)
				}
			}
			c.renew(ctx)
			wait = firstWait
			timer.Reset(greetEvery)
		case refused:
			timer.Reset(greetRefused)
		default:
			timer.Reset(wait)
			wait = min(2*wait, longestWait)
		}
	}
}

// hello says hello once, and takes what central answers.
func (p *Parts) hello(ctx context.Context) error {
	said := p.Trust.Hello
	if keys, _, has := p.Trust.Keys.Now(); has {
		said.Holds = trust.Holds(keys.Data, said.Instance, said.Boot)
	}
	sent := p.Clock.boot()
	welcome, err := p.Central.Hello(ctx, said)
	if err != nil {
		return err
	}
	if len(welcome.Lookup) != 32 || len(welcome.Floor) != 32 || welcome.Number == 0 {
		return fmt.Errorf("%w: its keys are none", client.ErrAway)
	}
	p.Clock.Hear(welcome.ServerTime, sent)
	keys := vault.Keys{Lookup: [32]byte(welcome.Lookup), Data: [32]byte(welcome.Floor)}
	if p.Trust.Keys.Take(keys, welcome.Number) && p.Trust.Keep != nil {
		if err := p.Trust.Keep(keys, welcome.Number); err != nil {
			p.Log.Warn("a restart will need central: the keys could not be kept", "error", err)
		}
	}
	return nil
}

// renew has the certificate renewed if that is due by central's time. Calls on their way are not disturbed.
func (c *Conductor) renew(ctx context.Context) {
	now, known := c.Clock.Now()
	if !known {
		return
	}
	renewed, err := c.Trust.Bearer.Renew(ctx, now, c.Central.RenewCertificate)
	if err != nil {
		c.Log.Warn("the certificate could not be renewed", "until", c.Trust.Bearer.Identity().Until, "error", err)
	}
	if renewed {
		c.Central.Shed()
		c.Log.Info("certificate renewed", "until", c.Trust.Bearer.Identity().Until)
	}
}

// distrusted notes, on the owning goroutine, whether central refuses this kiosk whatever it asks, by what came of a hello.
func (c *Conductor) distrusted(err error) {
	refusal, refused := errors.AsType[*tournament.Refusal](err)
	if err != nil && !refused {
		return // nothing is known
	}
	withheld := refused && refusal.Reason == tournament.ApprovalNeeded
	detail := ""
	if refused {
		detail = string(refusal.Reason)
	}
	if refused && refusal.Reason == tournament.ClockSuspect {
		c.note(condition.CentralSuspect, true, "") // and whether it is well again, its health will say
	}
	c.note(condition.KeysWithheld, withheld, "")
	c.note(condition.Refused, refused && !withheld && refusal.Reason.Distrusts(), detail)
}

// isDistrust reports whether central refused the kiosk, and not what it asked.
func isDistrust(err error) bool {
	refusal, refused := errors.AsType[*tournament.Refusal](err)
	return refused && refusal.Reason.Distrusts()
}

// heardOf has the kiosk say hello where central does not know this start of it, or refuses it.
func (c *Conductor) heardOf(err error) {
	problem, is := errors.AsType[*wire.Problem](err)
	if isDistrust(err) || is && problem.Kind() == wire.ProblemHello {
		select {
		case c.unknown <- struct{}{}:
		default:
		}
	}
}
