// Package kv is an ordered store of keys and values as the books need it: views of one revision, one writer at a time,
// and batches that are applied whole or not at all.
//
// It is not 'transactions from anywhere' (design decision 2). Whoever writes first becomes the writer with Lead, decides
// on a View with the batch so far laid over it (NewOverlay), and hands the batch to Apply, which is fenced by the
// writer's epoch: a deposed writer can write nothing. Two engines keep the interface (store/kv/bolt, and etcd for
// several machines); the suite in store/kv/kvtest is the same for both.
package kv

import (
	"context"
	"errors"
	"iter"
)

var (
	// ErrNotFound is returned by View.Get where the key is absent.
	ErrNotFound = errors.New("key not found")
	// ErrFenced is returned by Leader.Apply where this writer is no longer the one; nothing was applied. Nothing was
	// applied with ErrLimit, ErrFull and ErrClosed either. Every other error of Apply leaves it unknown whether the batch
	// was applied: stop leading, then look.
	ErrFenced = errors.New("no longer the writer")
	// ErrLimit is wrapped by Leader.Apply where the batch exceeds the engine's Limits; nothing was applied.
	ErrLimit = errors.New("batch exceeds the store's limits")
	// ErrFull is wrapped by Leader.Apply where the disk has no room; nothing was applied, the leader is still the writer,
	// and everything can go on once there is room.
	ErrFull = errors.New("no room on the disk")
	// ErrFailed is wrapped by every method after a commit whose fate is unknown (a failed sync above all): what memory
	// shows may not be on the disk, so nothing is answered any more. Close the store, look at the disk, open it again.
	ErrFailed = errors.New("store failed and must be opened again")
	// ErrDamaged is wrapped where what is stored contradicts itself: by Open, and by reads of what was damaged since.
	ErrDamaged = errors.New("store is damaged")
	// ErrHeld is wrapped by an engine's Open where another process holds the store; the message says who.
	ErrHeld = errors.New("store is held by another process")
	// ErrUnchecked is wrapped by an engine's Open where it could not find out whether the store is sound: nothing is known
	// against it, and a later try may tell.
	ErrUnchecked = errors.New("store could not be checked")
	// ErrClosed is returned by every method after Close.
	ErrClosed = errors.New("store is closed")
)

// Reader reads keys and ranges at one revision. Byte slices it returns are only valid until the View ends and MUST not
// be modified.
type Reader interface {
	// Get returns the value of a key, or ErrNotFound.
	Get(key []byte) ([]byte, error)
	// Range yields the keys from low, included, to high, not included, in order; a nil high has no end. An error of the
	// engine ends it and is returned by the second function, which MUST be called after the loop.
	Range(low, high []byte) (iter.Seq2[[]byte, []byte], func() error)
}

// Store is an ordered store of keys and values.
type Store interface {
	// View calls read with the newest revision and returns its error. It MUST NOT outlive the call, nor span a network
	// write: a long view holds up a commit that has to grow the store. read MUST NOT call Apply or View of the same store.
	// Once ctx ends, no view begins, and a range in one ends soon with ctx's error.
	View(ctx context.Context, read func(Reader) error) error
	// Lead becomes the writer and blocks until it is, or ctx ends. There is one writer at a time.
	Lead(ctx context.Context) (Leader, error)
	// Limits returns what one batch may hold.
	Limits() Limits
	// Close releases the store, after views and the batch in flight have ended.
	Close() error
}

// Leader is the right to write, until it is resigned or lost.
type Leader interface {
	// Epoch is higher for each later writer.
	Epoch() uint64
	// Apply commits the batch durably, whole or not at all. See ErrFenced for its errors. Where ctx has ended before it
	// begins, nothing is applied and the error is ctx's; one that ends later leaves it unknown, like any other error.
	Apply(ctx context.Context, batch *Batch) error
	// Lost is closed when the right to write is gone.
	Lost() <-chan struct{}
	// Resign gives the right back. It may be called twice.
	Resign() error
}

// Limits are what one batch may hold; 0 is no limit.
type Limits struct {
	// Operations is the most puts and deletes, Bytes the most bytes of keys and values together.
	Operations, Bytes int
	// Key and Value are the most bytes of one key and of one value.
	Key, Value int
}
