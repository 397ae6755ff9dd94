package kiosk

import (
	"context"
	"errors"
	"sync"

	"reelkiosk/store/kv"
	"reelkiosk/store/replica"
)

// mostOwed is how many writes wait in memory for room on the disk. There are few: without room nothing new is begun.
const mostOwed = 1000

// owed are writes of what happened that found no room on the disk. They are made in their order once there is some. Should
// the kiosk end before, a print whose end was not written is unconfirmed at the next start, as after any crash.
type owed struct {
	// wake has run look.
	wake chan struct{}

	// mu guards everything that follows.
	mu     sync.Mutex
	writes []func() (replica.Request, error)
	// short says that there was no room when it was last tried.
	short bool
}

func (o *owed) full() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.short
}

// keep makes a write that must not be lost, and has the request that it makes brought. Without room on the disk it is made
// later. The error says that it cannot be.
func (c *courier) keep(ctx context.Context, write func() (replica.Request, error)) error {
	request, kept, err := c.write(write)
	if kept {
		c.hand(ctx, errand{request: request})
	}
	return err
}

// write makes a write, or has it made later where there is no room or others wait for it before: then kept is false.
func (c *courier) write(write func() (replica.Request, error)) (request replica.Request, kept bool, err error) {
	c.owed.mu.Lock()
	if len(c.owed.writes) == 0 {
		request, err = write()
	} else {
		err = kv.ErrFull
	}
	if errors.Is(err, kv.ErrFull) && len(c.owed.writes) < mostOwed {
		c.owed.writes = append(c.owed.writes, write)
		c.owed.mu.Unlock()
		c.watchRoom()
		c.broken(err)
		return request, false, nil
	}
	c.owed.mu.Unlock()
	if err != nil {
		c.broken(err)
	}
	return request, err == nil, err
}

// watchRoom has run look again and again whether there is room on the disk.
func (c *courier) watchRoom() {
	if c == nil {
		return
	}
	c.owed.mu.Lock()
	c.owed.short = true
	c.owed.mu.Unlock()
	select {
	case c.owed.wake <- struct{}{}:
	default:
	}
}

// pay makes the writes that wait for room, as far as there is some, and says when all is well again.
func (c *courier) pay() {
	if !c.owed.full() || c.replica.Room() != nil {
		return
	}
	c.owed.mu.Lock()
	defer c.owed.mu.Unlock()
	for len(c.owed.writes) > 0 {
		request, err := c.owed.writes[0]()
		if errors.Is(err, kv.ErrFull) {
			return
		}
		c.owed.writes = c.owed.writes[1:]
		if err != nil {
			c.broken(err)
			continue
		}
		c.pack(errand{request: request})
	}
	c.owed.short = false
	c.well()
}
