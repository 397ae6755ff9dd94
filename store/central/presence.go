package central

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"reelkiosk/store/kv"
	"reelkiosk/store/ledger"
)

// contactsKey is the key, beside those of store/ledger, under which the store keeps when each kiosk was last heard of: a
// time by name, in JSON. It is no part of the books, and may be a little old.
const contactsKey = "central/contacts"

// contactsEvery is how old what is stored of the contacts may be.
const contactsEvery = 5 * time.Minute

// presence is who calls at present: when each was last heard of, its requests in progress, and which connections are
// older than its last hello.
type presence struct {
	// mu guards everything that follows.
	mu sync.Mutex
	// contacts are when each was last heard of; stored is when they were last given to the store.
	contacts map[string]time.Time
	stored   time.Time
	// busy are the requests in progress, each with what ends it.
	busy map[string]map[*visitor]struct{}
	// count counts connections and hellos; hellos has its value at the last hello of each kiosk.
	count  uint64
	hellos map[string]uint64
}

// visitor is a request in progress.
type visitor struct{ end context.CancelFunc }

// visitorKey finds the visitor of a request.
type visitorKey struct{}

// connectionKey finds the number of a request's connection in its context.
type connectionKey struct{}

// openPresence reads the contacts that were stored.
func openPresence(store kv.Store) (*presence, error) {
	p := &presence{contacts: map[string]time.Time{}, busy: map[string]map[*visitor]struct{}{}, hellos: map[string]uint64{}}
	err := store.View(context.Background(), func(view kv.Reader) error {
		text, err := view.Get([]byte(contactsKey))
		if errors.Is(err, kv.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		return json.Unmarshal(text, &p.contacts)
	})
	if err != nil {
		return nil, fmt.Errorf("reading when kiosks were last heard of: %w", err)
	}
	return p, nil
}

// number numbers a new connection.
func (p *presence) number(ctx context.Context) context.Context {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.count++
	return context.WithValue(ctx, connectionKey{}, p.count)
}

// greet notes that a kiosk is about to say hello.
func (p *presence) greet(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.count++
	p.hellos[name] = p.count
}

// older reports whether a request came over a connection that was there before its kiosk's last hello.
func (p *presence) older(ctx context.Context, name string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	number, _ := ctx.Value(connectionKey{}).(uint64)
	return number < p.hellos[name]
}

// enter notes a request in progress until leave is called; cut ends it.
func (p *presence) enter(ctx context.Context, name string) (context.Context, func()) {
	if name == "" {
		return ctx, func() {}
	}
	ctx, end := context.WithCancel(ctx)
	one := &visitor{end}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.busy[name] == nil {
		p.busy[name] = map[*visitor]struct{}{}
	}
	p.busy[name][one] = struct{}{}
	return context.WithValue(ctx, visitorKey{}, one), func() {
		end()
		p.mu.Lock()
		defer p.mu.Unlock()
		if delete(p.busy[name], one); len(p.busy[name]) == 0 {
			delete(p.busy, name)
		}
	}
}

// cut ends the requests in progress of a kiosk, its feed among them, but for the one that asks. What the writer took is
// finished all the same.
func (p *presence) cut(ctx context.Context, name string) {
	self, _ := ctx.Value(visitorKey{}).(*visitor)
	p.mu.Lock()
	defer p.mu.Unlock()
	for one := range p.busy[name] {
		if one != self {
			one.end()
		}
	}
}

// heard notes that a kiosk called.
func (p *presence) heard(name string, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.contacts[name] = now
}

// contact returns when a kiosk was last heard of, zero for never.
func (p *presence) contact(name string) time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.contacts[name]
}

// toStore returns what is to be stored of the contacts, or nil where what is stored is new enough.
func (p *presence) toStore(now time.Time) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now.Sub(p.stored).Abs() < contactsEvery || len(p.contacts) == 0 {
		return nil
	}
	text, err := json.Marshal(p.contacts)
	if err != nil {
		return nil // a year of five digits: no contact is worth a fault
	}
	p.stored = now
	return text
}

// keepContacts has the contacts stored, now and then. It does not wait for that.
func (c *Central) keepContacts(now time.Time) {
	text := c.present.toStore(now)
	if text == nil {
		return
	}
	_ = c.writer.take(&task{done: make(chan result, 1), decide: func(view *kv.Overlay, _ time.Time) (any, error) {
		view.Put([]byte(contactsKey), text)
		return nil, nil
	}}) // where the queue is full, the next call tries again soon enough
}

// silent returns how long nothing was heard of a kiosk before its hello.
func silent(known *ledger.Kiosk, contact, now time.Time) time.Duration {
	last := contact
	for _, at := range []time.Time{known.Started, known.Enrolled} {
		if at.After(last) {
			last = at
		}
	}
	return now.Sub(last)
}
