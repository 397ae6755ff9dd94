package bolt

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"runtime/debug"

	"go.etcd.io/bbolt"

	"reelkiosk/store/kv"
)

// stride is after how many keys of a range the context is asked again.
const stride = 1000

// reader reads one revision. Every touch of mapped memory happens inside guard, and what leaves it is a copy.
type reader struct {
	ctx context.Context
	tx  *bbolt.Tx
}

// Get returns a copy of the value of a key, or kv.ErrNotFound. An empty key is never found.
func (r reader) Get(key []byte) (value []byte, err error) {
	err = guard(func() error {
		books, err := open(r.tx)
		if err != nil {
			return err
		}
		found := books.Get(key)
		if found == nil {
			return kv.ErrNotFound
		}
		if found, err = verified(key, found); err != nil {
			return err
		}
		value = append([]byte{}, found...)
		return nil
	})
	return value, err
}

// Range yields copies of the keys and values from low, included, to high, not included.
func (r reader) Range(low, high []byte) (iter.Seq2[[]byte, []byte], func() error) {
	var failure error
	walk := func(yield func([]byte, []byte) bool) {
		var cursor *bbolt.Cursor
		var key, value []byte
		step := func(move func() ([]byte, []byte)) bool {
			failure = guard(func() (err error) {
				key, value = move()
				if key == nil || high != nil && bytes.Compare(key, high) >= 0 {
					key = nil // what is mapped must not be touched outside
					return nil
				}
				if value, err = verified(key, value); err != nil {
					return err
				}
				key, value = bytes.Clone(key), append([]byte{}, value...)
				return nil
			})
			return failure == nil && key != nil
		}
		failure = guard(func() error {
			books, err := open(r.tx)
			if err == nil {
				cursor = books.Cursor()
			}
			return err
		})
		if failure != nil {
			return
		}
		more := step(func() ([]byte, []byte) { return cursor.Seek(low) })
		for passed := 1; more && yield(key, value); passed++ {
			if passed%stride == 0 {
				if failure = r.ctx.Err(); failure != nil {
					return
				}
			}
			more = step(cursor.Next)
		}
	}
	return walk, func() error { return failure }
}

// open returns the one bucket of a file.
func open(tx *bbolt.Tx) (*bbolt.Bucket, error) {
	books := tx.Bucket(bucket)
	if books == nil {
		return nil, fmt.Errorf("%w: it has no bucket %q; is it a file of another program?", kv.ErrDamaged, bucket)
	}
	return books, nil
}

// guard calls act, which is nothing but calls of bbolt, and returns its error. A fault in memory that bbolt has mapped,
// and a panic by which bbolt says that a page cannot be, become errors that wrap kv.ErrDamaged.
func guard(act func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("%w: %v", kv.ErrDamaged, cause)
		}
	}()
	return act()
}
