package kv

import (
	"fmt"
	"iter"
	"slices"
)

// Batch is a set of puts and deletes that an engine applies whole or not at all: one for each key, the last one wins.
// The zero Batch is empty and ready. It is not safe for use by several goroutines.
type Batch struct {
	changes changes
}

// Put sets the key to a copy of the value. An empty value is a value; an empty key is a programmer's mistake and panics.
func (b *Batch) Put(key, value []byte) { b.changes.put(key, value) }

// Delete removes the key; where it is absent, that is no error. An empty key panics.
func (b *Batch) Delete(key []byte) { b.changes.remove(key) }

// Len returns the number of puts and deletes.
func (b *Batch) Len() int { return len(b.changes.byKey) }

// Bytes returns the bytes of keys and values together.
func (b *Batch) Bytes() int { return b.changes.bytes }

// All yields the changes in the order of their keys. What it yields MUST NOT be modified.
func (b *Batch) All() iter.Seq[Change] { return slices.Values(b.changes.inOrder()) }

// Check returns nil where a batch is within the limits, and otherwise an error that wraps ErrLimit and says which limit.
// Engines call it before they apply anything.
func (l Limits) Check(batch *Batch) error {
	if l.Operations > 0 && batch.Len() > l.Operations {
		return fmt.Errorf("%w: %d puts and deletes of at most %d", ErrLimit, batch.Len(), l.Operations)
	}
	if l.Bytes > 0 && batch.Bytes() > l.Bytes {
		return fmt.Errorf("%w: %d bytes of at most %d", ErrLimit, batch.Bytes(), l.Bytes)
	}
	for change := range batch.All() {
		if l.Key > 0 && len(change.Key) > l.Key {
			return fmt.Errorf("%w: a key of %d bytes of at most %d", ErrLimit, len(change.Key), l.Key)
		}
		if l.Value > 0 && len(change.Value) > l.Value {
			return fmt.Errorf("%w: a value of %d bytes of at most %d", ErrLimit, len(change.Value), l.Value)
		}
	}
	return nil
}
