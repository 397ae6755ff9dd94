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
	// changed since.
	ordered []Change
	fresh   map[string]struct{}
	bytes   int
}

func (c *changes) put(key, value []byte) {
	c.set(Change{Key: key, Value: append([]byte{}, value...)})
}

func (c *changes) remove(key []byte) {
	c.set(Change{Key: key, Delete: true})
}

// set keeps a change instead of the one the key had. It copies the key, but not the value.
func (c *changes) set(change Change) {
	if len(change.Key) == 0 {
		panic("kv: a key must have at least one byte")
	}
	if c.byKey == nil {
		c.byKey, c.fresh = map[string]Change{}, map[string]struct{}{}
	}
	earlier, changed := c.byKey[string(change.Key)]
	if changed {
		c.bytes -= len(earlier.Key) + len(earlier.Value)
		change.Key = earlier.Key
	} else {
		change.Key = bytes.Clone(change.Key)
	}
	c.bytes += len(change.Key) + len(change.Value)
	c.byKey[string(change.Key)] = change
	c.fresh[string(change.Key)] = struct{}{}
}

// many is how many changes may be out of order before all are put in order. A range over fewer sorts only those that are
// in it: deciding on a request asks for a few short ranges between its changes.
const many = 128

// inOrder returns all changes in key order. The slice MUST NOT be modified.
func (c *changes) inOrder() []Change {
	if len(c.fresh) > 0 {
		c.ordered = c.merged(c.ordered, slices.Sorted(maps.Keys(c.fresh)))
		clear(c.fresh)
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
	for key := range c.fresh {
		if key >= string(low) && (high == nil || key < string(high)) {
			fresh = append(fresh, key)
		}
	}
	slices.Sort(fresh)
	return c.merged(c.ordered[from:max(from, to)], fresh)
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
