package replica

import (
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"reelkiosk/store/kv"
)

// Dead is a request that told central something, and that central answered it cannot take: a dead letter. It holds up
// nothing behind it, and stays until somebody has it sent again (Retry).
type Dead struct {
	Request
	// Number is the sequence under which it was refused.
	Number uint64 `json:"seq"`
	// Reason is what central said, At when, where the kiosk knew the time.
	Reason string    `json:"reason"`
	At     time.Time `json:"at,omitzero"`
}

const prefixDead = "dead/"

// Dead returns the dead letters, oldest first.
func (r *Replica) Dead() []Dead {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.dead)
}

// Bury makes a request that central cannot take a dead letter, in the same commit that settles it. A request that is settled
// already is not buried.
func (r *Replica) Bury(request Request, reason string, at time.Time) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	index := slices.IndexFunc(r.requests, func(other Request) bool { return other.Sequence == request.Sequence })
	if index < 0 {
		return nil
	}
	dead := Dead{Request: request, Number: request.Sequence, Reason: reason, At: at}
	var batch kv.Batch
	batch.Delete(requestKey(request.Sequence))
	if err := put(&batch, deadKey(request.Sequence), dead); err != nil {
		return err
	}
	if err := r.apply(&batch); err != nil {
		return err
	}
	r.requests = slices.Delete(r.requests, index, index+1)
	r.dead = append(r.dead, dead)
	return nil
}

// Retry makes a dead letter a request again, under a new key: the answer to the old one stands. The error says where there is
// no such dead letter.
func (r *Replica) Retry(number uint64) (Request, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	index := slices.IndexFunc(r.dead, func(dead Dead) bool { return dead.Number == number })
	if index < 0 {
		return Request{}, fmt.Errorf("there is no dead letter %d", number)
	}
	var batch kv.Batch
	request, err := r.draft(&batch, r.dead[index].Path, r.dead[index].Body)
	if err != nil {
		return Request{}, err
	}
	batch.Delete(deadKey(number))
	if err := r.apply(&batch); err != nil {
		return Request{}, err
	}
	r.last = request.Sequence
	r.requests = append(r.requests, request)
	r.dead = slices.Delete(r.dead, index, index+1)
	return request, nil
}

func deadKey(number uint64) []byte { return binary.BigEndian.AppendUint64([]byte(prefixDead), number) }

// loadDead reads the dead letters.
func (r *Replica) loadDead(reader kv.Reader) error {
	return each(reader, prefixDead, func(key string, dead Dead) error {
		if len(key) != 8 || binary.BigEndian.Uint64([]byte(key)) != dead.Number {
			return fmt.Errorf("%w: a dead letter has the key %x", kv.ErrDamaged, key)
		}
		dead.Sequence = dead.Number
		r.dead = append(r.dead, dead)
		return nil
	})
}

// with lets whoever makes a change add what goes with it to the same commit. It MUST use keys that begin otherwise than this
// package's.
func with(batch *kv.Batch, also []func(*kv.Batch)) {
	for _, add := range also {
		add(batch)
	}
}
