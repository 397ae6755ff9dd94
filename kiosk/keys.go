package kiosk

import (
	"context"
	"sync"

	"reelkiosk/store/vault"
)

// Keys are what central gives a kiosk after each start: the lookup key and the floor key, with the number of that one
// (design decision 6). They are in memory, and on no disk. They are safe for use by several goroutines.
type Keys struct {
	// mu guards everything that follows.
	mu     sync.Mutex
	held   vault.Keys
	number uint32
	// came is closed when there are any.
	came chan struct{}
}

// NewKeys returns a holder of no keys yet.
func NewKeys() *Keys { return &Keys{came: make(chan struct{})} }

// Take takes the keys that are right from now on, and reports whether they are others than before. The number of a floor
// key counts from 1.
func (k *Keys) Take(keys vault.Keys, number uint32) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.held == keys && k.number == number {
		return false
	}
	if k.number == 0 {
		close(k.came)
	}
	k.held, k.number = keys, number
	return true
}

// Now returns the keys and the floor key's number, or false where there are none yet.
func (k *Keys) Now() (vault.Keys, uint32, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.held, k.number, k.number > 0
}

// Wait is Now, once there are any. The error is ctx's.
func (k *Keys) Wait(ctx context.Context) (vault.Keys, uint32, error) {
	select {
	case <-k.came:
		keys, number, _ := k.Now()
		return keys, number, nil
	case <-ctx.Done():
		return vault.Keys{}, 0, ctx.Err()
	}
}
