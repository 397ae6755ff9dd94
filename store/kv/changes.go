package kv

import (
	"bytes"
	"maps"
	"slices"
)

// Change is one put or delete of a batch.
type Change struct {
	// Key is never empty. Value is what is put; nil where the key is deleted.
	Key, Value []byte
	// Delete says that the key is removed. Deleting a key that is absent is no error.
	Delete bool
}

// changes are the puts and deletes of a batch or an overlay, one for each key. Putting costs one map write; the order is
// made when somebody asks for it, and what was handed out then never changes afterwards: whoever ranges over it may put
// and delete meanwhile.
type changes struct {
	byKey map[string]Change
	// ordered holds the changes in key order as of the last call of inOrder, and is never modified; fresh names the keys
	// changed since, some of them perhaps more than once.
	ordered []Change
	fresh   []string
	bytes   int
}

// few is for how many changes room is made at first: an act is about as many.
const few = 16

func (c *changes) put(key, value []byte) {
	both := append(append(make([]byte, 0, len(key)+len(value)), key...), value...)
	c.set(string(key), Change{Key: both[:len(key):len(key)], Value: both[len(key):]})
}

func (c *changes) remove(key []byte) {
	c.set(string(key), Change{Key: bytes.Clone(key), Delete: true})
}

// set keeps a change instead of the one that the key of this name had. It copies nothing.
func (c *changes) set(name string, change Change) {
	if name == "" {
		panic("kv: a key must have at least one byte")
	}
	if c.byKey == nil {
		c.byKey = make(map[string]Change, few)
	}
	if earlier, changed := c.byKey[name]; changed {
		c.bytes -= len(earlier.Key) + len(earlier.Value)
	}
	c.bytes += len(change.Key) + len(change.Value)
	c.byKey[name] = change
	c.fresh = append(c.fresh, name)
}

// take takes over all changes of another, which MUST NOT be used any more.
func (c *changes) take(other changes) {
	if len(c.byKey) == 0 {
		*c = other
		return
	}
	for name, change := range other.byKey {
		c.set(name, change)
	}
}

// clone returns the same changes; what becomes of the one does not reach the other.
func (c *changes) clone() changes {
	return changes{maps.Clone(c.byKey), c.ordered, slices.Clone(c.fresh), c.bytes}
}

// many is how many changes may be out of order before all are put in order. A range over fewer sorts only those that are
// in it: deciding on a request asks for a few short ranges between its changes.
const many = 128

// inOrder returns all changes in key order. The slice MUST NOT be modified.
func (c *changes) inOrder() []Change {
	if len(c.fresh) > 0 {
		slices.Sort(c.fresh)
		c.ordered = c.merged(c.ordered, slices.Compact(c.fresh))
		c.fresh = nil
	}
	return c.ordered
}

// within returns the changes with low <= key < high in key order; a nil high has no end. The slice MUST NOT be modified.
func (c *changes) within(low, high []byte) []Change {
	if len(c.fresh) > many {
		c.inOrder()
	}
	from, _ := slices.BinarySearchFunc(c.ordered, low, compareKey)
	to := len(c.ordered)
	if high != nil {
		to, _ = slices.BinarySearchFunc(c.ordered, high, compareKey)
	}
	var fresh []string
	for _, key := range c.fresh {
		if key >= string(low) && (high == nil || key < string(high)) {
			fresh = append(fresh, key)
		}
	}
	slices.Sort(fresh)
	return c.merged(c.ordered[from:max(from, to)], slices.Compact(fresh))
}

// merged returns changes that are in order with those of some keys, which are too, in place of theirs.
func (c *changes) merged(old []Change, fresh []string) []Change {
	if len(fresh) == 0 {
		return old
	}
	merged := make([]Change, 0, len(old)+len(fresh))
	for _, key := range fresh {
		for len(old) > 0 && string(old[0].Key) < key {
			merged = append(merged, old[0])
			old = old[1:]
		}
		if len(old) > 0 && string(old[0].Key) == key {
			old = old[1:]
		}
		merged = append(merged, c.byKey[key])
	}
	return append(merged, old...)
}

func compareKey(change Change, key []byte) int { return bytes.Compare(change.Key, key) }
