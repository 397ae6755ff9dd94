package central

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"reelkiosk/store/kv"
	"reelkiosk/store/kv/bolt"
)

// rig makes commits of a real store fail on request, and holds them up.
type rig struct {
	path string

	// mu guards everything that follows.
	mu sync.Mutex
	// fail is returned by the next commit, once; applied says that the batch is committed all the same.
	fail    error
	applied bool
	// hold, if not nil, is received from before every commit.
	hold chan struct{}
	// commits counts the batches, opens how often the store was opened; broken stores cannot be opened.
	commits, opens int
	broken         bool
}

var errSync = errors.New("input/output error")

func (r *rig) open() (kv.Store, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.broken {
		return nil, fmt.Errorf("%w: rigged", kv.ErrDamaged)
	}
	r.opens++
	store, err := bolt.Open(r.path, bolt.Options{})
	if err != nil {
		return nil, err
	}
	return &riggedStore{store, r}, nil
}

// failNext makes the next commit fail.
func (r *rig) failNext(err error, applied bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fail, r.applied = err, applied
}

func (r *rig) holdUp() (release func()) {
	hold := make(chan struct{})
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hold = hold
	return sync.OnceFunc(func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.hold = nil
		close(hold)
	})
}

func (r *rig) set(broken bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.broken = broken
}

func (r *rig) counts() (commits, opens int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.commits, r.opens
}

type riggedStore struct {
	kv.Store
	rig *rig
}

func (s *riggedStore) Lead(ctx context.Context) (kv.Leader, error) {
	leader, err := s.Store.Lead(ctx)
	if err != nil {
		return nil, err
	}
	return &riggedLeader{leader, s.rig}, nil
}

type riggedLeader struct {
	kv.Leader
	rig *rig
}

func (l *riggedLeader) Apply(ctx context.Context, batch *kv.Batch) error {
	l.rig.mu.Lock()
	fail, applied, hold := l.rig.fail, l.rig.applied, l.rig.hold
	l.rig.fail = nil
	l.rig.commits++
	l.rig.mu.Unlock()
	if hold != nil {
		<-hold
	}
	if fail != nil && !applied {
		return fail
	}
	return errors.Join(l.Leader.Apply(ctx, batch), fail)
}
