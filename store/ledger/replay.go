package ledger

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"

	"reelkiosk/store/exclusion"
	"reelkiosk/store/kv"
)

// prefixes are those of everything that makes up the books: the events, the keys, and what they add up to.
var prefixes = []string{
	prefixEvent, prefixKey, prefixSecret, prefixLast, prefixPerson, prefixIdentity, prefixNumber, prefixNamed, prefixMember, prefixMemberNo, prefixCard,
	prefixVerified, prefixExclusion, prefixPurchase, prefixReceipt, prefixExternal, prefixEntry, prefixUnused, prefixHeat,
	prefixMoved, prefixSeat, prefixTicket, prefixMachines, prefixCase, prefixSubject, prefixKiosk, prefixCode, prefixList,
	prefixHomes, prefixUses, prefixGrant, prefixGrantedTicket, prefixAdmitted, prefixLetting,
	prefixScore, prefixRank, prefixCards, prefixDeclared, prefixDraw, prefixPrize, prefixCash,
	prefixRefund, prefixOperator, exclusion.ChangePrefix,
}

// Replay restores the books into an empty view from what cannot be derived: the events of other books and the keys that
// what they hold is sealed with. Every event's outcome is applied in order; nothing is decided. A view that comes out
// otherwise than the books it was made from, byte for byte but for kept answers, shows that those were damaged.
//
// What belongs to a person whose key was erased stays ciphertext, and nothing leads to it any more.
func (b *Books) Replay(from kv.Reader, into *kv.Overlay) error {
	for _, prefix := range []string{prefixKey, prefixSecret} {
		low := []byte(prefix)
		keys, failed := from.Range(low, after(low))
		for key, wrapped := range keys {
			into.Put(key, wrapped)
		}
		if err := failed(); err != nil {
			return fmt.Errorf("reading keys: %w", err)
		}
	}
	s := state{b, into}
	var sequence uint64
	return eachEvent(from, 0, func(event *Event, text []byte) error {
		sequence++
		if event.Sequence != sequence {
			return fmt.Errorf("%w: event %d where %d was expected", ErrBooks, event.Sequence, sequence)
		}
		came, err := event.came()
		if err != nil {
			return err
		}
		into.Put(eventKey(event.Sequence), text)
		return s.enter(event, came)
	})
}

// came reads an event's outcome.
func (e *Event) came() (outcome, error) {
	made, known := outcomes[e.What]
	if !known {
		return nil, fmt.Errorf("%w: event %d is a %q", ErrBooks, e.Sequence, e.What)
	}
	came := made()
	decoder := json.NewDecoder(bytes.NewReader(e.Outcome))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(came); err != nil {
		return nil, fmt.Errorf("%w: event %d: %w", ErrBooks, e.Sequence, err)
	}
	return came, nil
}

// Same returns nil where two views hold the same books, kept answers and what other packages keep aside, and otherwise an
// error that wraps ErrBooks and says under which prefix they differ first.
func Same(left, right kv.Reader) error { return same(left, right, prefixes) }

func same(left, right kv.Reader, prefixes []string) error {
	for _, prefix := range prefixes {
		low := []byte(prefix)
		ours, oursFailed := left.Range(low, after(low))
		theirs, theirsFailed := right.Range(low, after(low))
		next, stop := iter.Pull2(theirs)
		same, records := true, 0
		for key, value := range ours {
			records++
			otherKey, otherValue, more := next()
			if same = more && bytes.Equal(key, otherKey) && bytes.Equal(value, otherValue); !same {
				break
			}
		}
		if same {
			_, _, more := next()
			same = !more
		}
		stop()
		if err := errors.Join(oursFailed(), theirsFailed()); err != nil {
			return fmt.Errorf("comparing books: %w", err)
		}
		if !same {
			return fmt.Errorf("%w: they differ under %s, at record %d", ErrBooks, prefix, records)
		}
	}
	return nil
}
