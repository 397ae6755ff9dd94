package kiosk

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"reelkiosk/kiosk/visit"
	"reelkiosk/store/condition"
	"reelkiosk/store/kv"
	"reelkiosk/store/ledger"
	"reelkiosk/store/replica"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// errNotFollowed: the copy of the books may not be all that central has.
var errNotFollowed = errors.New("the copy of the books is not kept up")

// follow keeps the copy of central's books up, and acts on what it brings: the heats on the screen are those of now, and
// whoever is excluded while a visit is in progress is stopped.
func (c *Conductor) follow(ctx context.Context) {
	c.Mirror.Keep(ctx, c.Central, replica.Keeping{
		Keys: c.Keys,
		Applied: func([]*ledger.Event) {
			c.refresh()
			c.learn()
			c.recheck(ctx, c.now.Load().Player.ID)
		},
		Heard: func(wire.FeedHead) {
			if !c.followed.Swap(true) {
				c.learn()
				c.recheck(ctx, c.now.Load().Player.ID)
			}
		},
		Away: func(err error) {
			if c.followed.Swap(false) {
				c.Log.Warn("the feed broke off", "error", err)
			}
			c.refresh()
			if errors.Is(err, replica.ErrFloor) && c.Trust != nil {
				select { // a hello brings the other keys
				case c.unknown <- struct{}{}:
				default:
				}
			}
		},
	})
}

// stops are the reasons that may come up while a visit is in progress. An age does not, and the copy may not know yet what
// central has just learned of a birth date.
var stops = []tournament.Reason{tournament.Excluded, tournament.Connected, tournament.Disqualified, tournament.PossibleMatch}

// recheck stops the visit of a person who may not take part any more. What the copy does not tell, central will at the next
// request; one that lags behind central tells nothing: a host may have decided since.
func (c *Conductor) recheck(ctx context.Context, person tournament.PersonID) {
	now, known := c.Clock.Now()
	if c.Mirror == nil || person == "" || !known || !c.followed.Load() {
		return
	}
	var refusal *tournament.Refusal
	err := c.Mirror.View(ctx, func(books *ledger.Books, view kv.Reader) (err error) {
		refusal, err = books.Barred(view, person, now)
		return err
	})
	switch {
	case errors.Is(err, replica.ErrNoMirror), errors.Is(err, replica.ErrLocked):
	case err != nil && ctx.Err() == nil:
		c.Log.Error("reading the copy of the books", "error", err)
	case refusal != nil && slices.Contains(stops, refusal.Reason):
		c.Log.Info("stopped", "reason", screenReason(refusal.Reason))
		c.happened(visit.Barred{Person: person})
	}
}

// copiedHeats returns heats from the copy of the books, where that is all that central has.
func (c *Conductor) copiedHeats(ctx context.Context, most int) (heats []wire.Heat, err error) {
	now, known := c.Clock.Now()
	if c.Mirror == nil || !known || !c.followed.Load() {
		return nil, errNotFollowed
	}
	err = c.Mirror.View(ctx, func(books *ledger.Books, view kv.Reader) (err error) {
		heats, err = books.Heats(view, now, most)
		return err
	})
	return heats, err
}

// stale notes a copy that is too old for seats to be given by it.
func (c *Conductor) stale() {
	if c.Mirror == nil {
		return
	}
	age, known := c.Mirror.Age()
	most := c.Mirror.MaxAge()
	detail := "central was not heard since the start"
	if known {
		detail = fmt.Sprintf("it may be %v old at most", most)
	}
	c.note(condition.CopyStale, !known || most > 0 && age > most, detail)
}
