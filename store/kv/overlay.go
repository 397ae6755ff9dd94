package kv

import (
	"bytes"
	"iter"
)

// Overlay is a Reader that shows what lies below with its own changes over it, points and ranges alike, and gathers them
// for one batch. It is how several requests are decided one after another before any of them is committed (design
// decision 2).
//
//	batch := kv.NewOverlay(view)
//	for _, request := range queued {
//		trial := batch.Nest()
//		if err := decide(trial, request); err == nil {
//			trial.Keep()
//		}
//	}
//	err := leader.Apply(ctx, batch.Batch())
//
// A Range shows the changes made before it was called, whatever is put or deleted while it is walked. Byte slices that an
// Overlay returns are valid as long as those of the Reader below, and MUST NOT be modified. An Overlay is not safe for use
// by several goroutines.
type Overlay struct {
	below   Reader
	parent  *Overlay
	changes changes
}

var _ Reader = (*Overlay)(nil)

// NewOverlay returns an overlay without changes. The reader below MUST outlive it.
func NewOverlay(below Reader) *Overlay { return &Overlay{below: below} }

// Get returns the value of a key as the changes leave it, or ErrNotFound.
func (o *Overlay) Get(key []byte) ([]byte, error) {
	if change, changed := o.changes.byKey[string(key)]; changed {
		if change.Delete {
			return nil, ErrNotFound
		}
		return change.Value, nil
	}
	return o.below.Get(key)
}

// Range yields the keys from low, included, to high, not included, as the changes leave them.
func (o *Overlay) Range(low, high []byte) (iter.Seq2[[]byte, []byte], func() error) {
	own := o.changes.within(low, high)
	lower, lowerErr := o.below.Range(low, high)
	var err error
	merged := func(yield func([]byte, []byte) bool) {
		rest, stopped := own, false
		emit := func(change Change) bool {
			stopped = !change.Delete && !yield(change.Key, change.Value)
			return !stopped
		}
		for key, value := range lower {
			for len(rest) > 0 && bytes.Compare(rest[0].Key, key) < 0 && emit(rest[0]) {
				rest = rest[1:]
			}
			if stopped {
				break
			}
			change := Change{Key: key, Value: value}
			if len(rest) > 0 && bytes.Equal(rest[0].Key, key) {
				change, rest = rest[0], rest[1:]
			}
			if !emit(change) {
				break
			}
		}
		if err = lowerErr(); err != nil || stopped {
			return
		}
		for len(rest) > 0 && emit(rest[0]) {
			rest = rest[1:]
		}
	}
	return merged, func() error { return err }
}

// Put sets the key to a copy of the value. An empty key is a programmer's mistake and panics.
func (o *Overlay) Put(key, value []byte) { o.changes.put(key, value) }

// Delete removes the key; where it is absent, that is no error. An empty key panics.
func (o *Overlay) Delete(key []byte) { o.changes.remove(key) }

// Nest returns an overlay over this one, whose changes reach it only by Keep: an act that is refused halfway leaves
// nothing behind. This overlay MUST NOT be changed while the nested one is in use.
func (o *Overlay) Nest() *Overlay { return &Overlay{below: o, parent: o} }

// Keep hands the changes of a nested overlay to the one it was nested in. Afterwards it has none of its own and may be
// used again. On an overlay that is not nested it is a programmer's mistake and panics.
func (o *Overlay) Keep() {
	if o.parent == nil {
		panic("kv: Keep on an overlay that is not nested")
	}
	o.parent.changes.take(o.changes)
	o.changes = changes{}
}

// Batch returns the changes made so far; later ones do not reach it. Changes of a nested overlay are not among them
// before it is kept.
func (o *Overlay) Batch() *Batch {
	return &Batch{o.changes.clone()}
}
