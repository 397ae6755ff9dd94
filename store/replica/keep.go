package replica

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"reelkiosk/store/client"
	"reelkiosk/store/kv"
	"reelkiosk/store/ledger"
	"reelkiosk/store/vault"
	"reelkiosk/store/wire"
)

const (
	// firstPause doubles up to longestPause: the waits after the copy could not be kept, for whatever reason but the line.
	firstPause, longestPause = 500 * time.Millisecond, 2 * time.Minute
	// listPause is the wait after an exclusion list could not be brought.
	listPause = 5 * time.Second
)

// Keeping is what Keep needs and tells.
type Keeping struct {
	// Keys waits for the keys of the floor that central hands out, and their number.
	Keys func(context.Context) (vault.Keys, uint32, error)
	// Applied is told what happened, after the copy has it; nil events are a copy that was filled anew, or another exclusion
	// list. It may be called by several goroutines. Heard is told that the copy is all that central has. Away is told why central is not heard. Each may be nil.
	Applied func(events []*ledger.Event)
	Heard   func(wire.FeedHead)
	Away    func(error)
	// Stall is how long the line may be silent, client.DefaultStall if 0.
	Stall time.Duration
}

// Keep fills the copy and keeps it up with central until ctx ends. Whatever goes wrong is tried again; what is wrong with
// the copy itself makes it begin anew.
func (m *Mirror) Keep(ctx context.Context, central *client.Client, keeping Keeping) {
	keeping.fill()
	life, stop := context.WithCancel(ctx)
	var lists sync.WaitGroup
	lists.Go(func() { m.bringLists(life, central, func() { keeping.Applied(nil) }) })
	defer lists.Wait()
	defer stop()
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		began := m.elapsed()
		err := m.keep(ctx, central, &keeping)
		if ctx.Err() != nil {
			return
		}
		keeping.Away(err)
		m.mend(err)
		if m.elapsed()-began > longestPause {
			pause = firstPause
		}
		if client.Wait(ctx, pause/2+rand.N(pause/2)) != nil {
			return
		}
	}
}

func (k *Keeping) fill() {
	if k.Applied == nil {
		k.Applied = func([]*ledger.Event) {}
	}
	if k.Heard == nil {
		k.Heard = func(wire.FeedHead) {}
	}
	if k.Away == nil {
		k.Away = func(error) {}
	}
}

// keep does what has to be done once, and then follows the feed for as long as that goes on.
func (m *Mirror) keep(ctx context.Context, central *client.Client, keeping *Keeping) error {
	if err := m.openFiles(); err != nil {
		return err
	}
	keys, floor, err := keeping.Keys(ctx)
	if err != nil {
		return fmt.Errorf("asking for the keys: %w", err)
	}
	m.Unlock(keys, floor)
	if err := m.learn(ctx, central); err != nil {
		return err
	}
	if m.empty() {
		if err := m.fill(ctx, central); err != nil {
			return err
		}
		keeping.Applied(nil)
	}
	m.drop(snapshotPrefix) // what a crash after filling left
	ctx, cancel := context.WithCancelCause(ctx)
	var watch sync.WaitGroup
	defer watch.Wait()
	defer cancel(nil)
	watch.Go(func() {
		select {
		case err := <-m.broken:
			cancel(err)
		case <-ctx.Done():
		}
	})
	return m.follow(ctx, central, keeping)
}

// follow follows the feed. It begins anew from a snapshot where the feed does not lead on.
func (m *Mirror) follow(ctx context.Context, central *client.Client, keeping *Keeping) error {
	err := central.Follow(ctx, client.Follower{
		Position: func() (client.Position, error) { return m.Position(ctx) },
		Take: func(ctx context.Context, items []wire.FeedItem) error {
			events, err := m.Apply(ctx, items)
			if err == nil && len(events) > 0 {
				keeping.Applied(events)
			}
			return err
		},
		Head: func(head wire.FeedHead) error { return m.head(ctx, central, keeping, head) },
		Away: keeping.Away, Stall: keeping.Stall,
	})
	if problem, is := errors.AsType[*wire.Problem](err); is && problem.Kind() == wire.ProblemSnapshot {
		m.log.Warn("the copy of the books begins anew", "why", problem.Detail)
		if err := m.fill(ctx, central); err != nil {
			return err
		}
		keeping.Applied(nil)
		return nil
	}
	return err
}

// learn brings the definition, where there is none yet.
func (m *Mirror) learn(ctx context.Context, central *client.Client) error {
	m.mu.RLock()
	defined := m.defined
	m.mu.RUnlock()
	if defined != nil {
		return nil
	}
	return client.Retry(ctx, client.Backoff{}, func(ctx context.Context) error { return m.redefine(ctx, central) })
}

func (m *Mirror) redefine(ctx context.Context, central *client.Client) error {
	defined, text, hash, err := central.Definition(ctx)
	if err != nil {
		return fmt.Errorf("asking for the definition: %w", err)
	}
	return m.keepDefinition(defined, text, hash)
}

// empty reports whether there is no copy that the keys open.
func (m *Mirror) empty() bool {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.store == nil || m.floor != m.opens
}

// head notes that the copy is all that central has, where it is.
func (m *Mirror) head(ctx context.Context, central *client.Client, keeping *Keeping, head wire.FeedHead) error {
	if head.Floor != m.key() {
		return ErrFloor
	}
	m.mu.RLock()
	hash := m.definedHash
	m.mu.RUnlock()
	if head.Definition != hash {
		if err := m.redefine(ctx, central); err != nil {
			return err
		}
		keeping.Applied(nil)
	}
	if m.lacks() != 0 {
		return nil
	}
	m.mu.Lock()
	m.heard, m.known = m.elapsed(), true
	m.mu.Unlock()
	keeping.Heard(head)
	return nil
}

// mend puts aside a copy that cannot go on.
func (m *Mirror) mend(err error) {
	switch {
	case errors.Is(err, kv.ErrDamaged), errors.Is(err, ledger.ErrBooks):
		if err := m.setAside(err); err != nil {
			m.log.Error("putting the damaged copy aside", "error", err)
		}
	case errors.Is(err, kv.ErrFailed):
		m.mu.Lock()
		if m.store != nil {
			m.log.Warn("closing the copy of the books after a failed commit", "error", errors.Join(err, m.store.Close()))
			m.store, m.leader = nil, nil
		}
		m.mu.Unlock()
		if err := m.openStore(); err != nil {
			m.log.Error("opening the copy of the books again", "error", err)
		}
	default:
		m.log.Warn("the copy of the books is not kept up", "error", err)
	}
}
