package ledger

import (
	"encoding/json"
	"fmt"

	"reelkiosk/store/kv"
	"reelkiosk/store/vault"
	"reelkiosk/store/wire"
)

// A kiosk keeps the state of the same books, made by the same outcomes as central's (design decision 10): it is given each
// event with the keys that the event made, wrapped anew under the floor key, and what is sealed stays as it is. Its books
// hold a vault of the floor's keys; but for the keys under w/ and the events their state is central's, byte for byte.

// ErrGap is wrapped by Follow where items are missing before the one that is given.
var ErrGap = fmt.Errorf("items of the feed are missing")

// keyMaker is an outcome that comes with the key of an owner.
type keyMaker interface {
	// keyOf returns the owner whose key was made for what the outcome holds, or "" where there is none.
	keyOf() string
}

func (o *personMet) keyOf() string         { return string(o.Person) }
func (o *memberRecorded) keyOf() string    { return string(o.Member) }
func (o *exclusionRecorded) keyOf() string { return o.ID }

func (o *purchased) keyOf() string {
	if len(o.Receipt) == 0 {
		return ""
	}
	return string(o.Purchase)
}

// Feed returns at most limit items of the feed that come after a sequence, in order, with the keys that the floor opens.
// The key of somebody who was erased is not among them.
func (b *Books) Feed(view kv.Reader, newer uint64, limit int, floor *vault.Rewrapper) ([]wire.FeedItem, error) {
	events, err := b.Events(view, newer, limit)
	if err != nil {
		return nil, err
	}
	items := make([]wire.FeedItem, len(events))
	for i := range events {
		if items[i], err = feedItem(view, &events[i], floor); err != nil {
			return nil, fmt.Errorf("event %d: %w", events[i].Sequence, err)
		}
	}
	return items, nil
}

func feedItem(view kv.Reader, event *Event, floor *vault.Rewrapper) (item wire.FeedItem, err error) {
	item.Sequence = event.Sequence
	if item.Event, err = json.Marshal(event); err != nil {
		return item, err
	}
	came, err := event.came()
	if err != nil {
		return item, err
	}
	maker, makes := came.(keyMaker)
	if !makes || maker.keyOf() == "" {
		return item, nil
	}
	owner := maker.keyOf()
	wrapped, err := name[string](view, join(prefixKey, owner))
	if err != nil || wrapped == "" {
		return item, err
	}
	rewrapped, err := floor.Rewrap([]byte(wrapped))
	item.Keys = map[string][]byte{owner: rewrapped}
	return item, err
}

// Follow applies one item of the feed to a view, without storing the event, and returns the event. An item that the view
// has already is not applied again, and the event is nil. The error wraps ErrGap where items are missing before it, and
// ErrBooks where the item does not fit the state.
func (b *Books) Follow(view *kv.Overlay, item *wire.FeedItem) (*Event, error) {
	newest, err := loadLast(view)
	if err != nil {
		return nil, err
	}
	switch {
	case item.Sequence <= newest.sequence:
		return nil, nil
	case item.Sequence > newest.sequence+1:
		return nil, fmt.Errorf("%w: %d comes after %d", ErrGap, item.Sequence, newest.sequence)
	}
	event := new(Event)
	if err := json.Unmarshal(item.Event, event); err != nil {
		return nil, fmt.Errorf("%w: item %d: %w", ErrBooks, item.Sequence, err)
	}
	if event.Sequence != item.Sequence {
		return nil, fmt.Errorf("%w: item %d holds event %d", ErrBooks, item.Sequence, event.Sequence)
	}
	came, err := event.came()
	if err != nil {
		return nil, err
	}
	for owner, wrapped := range item.Keys {
		view.Put(join(prefixKey, owner), wrapped)
	}
	s := state{b, view}
	return event, s.enter(event, came)
}
