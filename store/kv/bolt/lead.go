package bolt

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"syscall"

	"go.etcd.io/bbolt"

	"reelkiosk/store/kv"
)

// filled is how full a page is left that is split. Most keys of the books are appended to their kind, and a page that
// nothing is put into later stays as it was left; bbolt's own half is for keys at random.
const filled = 0.8

// leader is the right to write to one Store, until Resign, Close or a failure.
type leader struct {
	store *Store
	epoch uint64
	lost  chan struct{}
	// lose closes lost; it may be called again.
	lose func()

	// applying is held while a batch is written, so that Resign waits for it. It guards everything that follows.
	applying sync.Mutex
	resigned bool
}

// Lead becomes the writer once the one before it has resigned. Its epoch is the bucket's sequence number, raised in a
// commit of its own, so that it is higher than any before in the life of the file.
func (s *Store) Lead(ctx context.Context) (kv.Leader, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case s.leading <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-s.ended:
		return nil, s.refused()
	}
	next := &leader{store: s, lost: make(chan struct{})}
	next.lose = sync.OnceFunc(func() { close(next.lost) })
	err := s.update(func(books *bbolt.Bucket) (err error) {
		next.epoch, err = books.NextSequence()
		return err
	})
	if err != nil {
		<-s.leading
		return nil, fmt.Errorf("becoming the writer: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.writer = next
	if s.refusal != nil {
		next.lose()
	}
	return next, nil
}

// Epoch is higher for each later writer, also after the file was closed and opened again.
func (l *leader) Epoch() uint64 { return l.epoch }

// Lost is closed by Resign, by Store.Close and when the store fails.
func (l *leader) Lost() <-chan struct{} { return l.lost }

// Resign gives the right back, after a commit in flight has ended. It may be called twice.
func (l *leader) Resign() error {
	l.applying.Lock()
	defer l.applying.Unlock()
	if !l.resigned {
		l.resigned = true
		l.lose()
		<-l.store.leading
	}
	return nil
}

// Apply commits the batch in one bbolt transaction, if this is still the writer. The context is asked before it begins; a
// commit that has begun is not broken off.
func (l *leader) Apply(ctx context.Context, batch *kv.Batch) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := l.store.Limits().Check(batch); err != nil {
		return err
	}
	l.applying.Lock()
	defer l.applying.Unlock()
	if l.resigned {
		return kv.ErrFenced
	}
	return l.store.update(func(books *bbolt.Bucket) error {
		if books.Sequence() != l.epoch {
			l.lose()
			return kv.ErrFenced
		}
		books.FillPercent = filled
		for change := range batch.All() {
			if err := write(books, change); err != nil {
				return err
			}
		}
		return nil
	})
}

func write(books *bbolt.Bucket, change kv.Change) error {
	if change.Delete {
		return books.Delete(change.Key)
	}
	return books.Put(change.Key, summed(change.Key, change.Value))
}

// update calls act in a transaction and commits it. An error of act, and one that wraps kv.ErrFull, leave nothing behind;
// after any other the store has failed.
func (s *Store) update(act func(*bbolt.Bucket) error) error {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.inside.Done()
	var revision int
	var begun, committing, released bool
	err := guard(func() error {
		tx, err := s.db.Begin(true)
		if err != nil {
			return err
		}
		begun, revision = true, tx.ID()
		defer func() {
			tx.Rollback() // after a commit it does nothing
			released = true
		}()
		books, err := open(tx)
		if err == nil {
			err = act(books)
		}
		if err != nil {
			return err
		}
		committing = true
		return s.commit(tx)
	})
	switch {
	case err == nil:
		return nil
	case begun && !released:
		return s.fail(err, true)
	case !committing:
		return err
	case noRoom(err) && s.newest() == revision-1:
		return fmt.Errorf("%w: %w", kv.ErrFull, err)
	}
	return s.fail(err, false)
}

// noRoom reports whether a commit ended because its pages could not be written at all, for want of space, quota or
// permitted size. bbolt hands on the error of growing the file only as text. A failed sync is not among these: it says
// nothing of what reached the disk, so its errno alone (ENOSPC of a file system that allocates late) must not count.
func noRoom(err error) bool {
	var writing *fs.PathError
	if errors.As(err, &writing) {
		return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
	}
	return strings.HasPrefix(err.Error(), "file resize error")
}

// newest returns the number of the newest committed transaction, or -1 where it cannot be read.
func (s *Store) newest() int {
	revision := -1
	_ = guard(func() error {
		tx, err := s.db.Begin(false)
		if err != nil {
			return err
		}
		revision = tx.ID()
		return tx.Rollback()
	})
	return revision
}
