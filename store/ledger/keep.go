package ledger

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"reelkiosk/store/kv"
	"reelkiosk/store/tournament"
)

// An answer given is an answer kept (design decision 3): it lies under its request's key until the sender says that it
// needs it no more. A kept answer is the hash of the request's body, one byte that tells an answer from a refusal, and
// the JSON of either. These keys are no part of the state: they are about delivery, and replaying does not restore them.

const (
	keptAnswer  = 'a'
	keptRefusal = 'r'
	bodyHash    = 32
	// dropsPerRequest bounds how many settled answers one request drops, so that an act stays a few writes.
	dropsPerRequest = 16
)

// watermark is how far a sender has settled, and below which sequence its answers have been dropped.
type watermark struct {
	settled, dropped uint64
}

// keptRefused is a refusal as it is kept.
type keptRefused struct {
	Reason tournament.Reason `json:"reason"`
	Clause int               `json:"clause,omitempty"`
	Until  time.Time         `json:"until,omitzero"`
}

// As returns an answer as the type of store/wire that its act gives.
func As[T any](answer Answer) (T, error) {
	value, fresh := answer.Value.(T)
	if fresh {
		return value, nil
	}
	if answer.Text == nil {
		return value, fmt.Errorf("an answer of type %T is no %T", answer.Value, value)
	}
	if err := json.Unmarshal(answer.Text, &value); err != nil {
		return value, fmt.Errorf("reading a kept answer: %w", err)
	}
	return value, nil
}

// recall returns the answer kept under the request's key and whether there is one. It moves the sender's watermark on,
// and refuses a key below it (KeySettled) or used with another body (KeyReused).
func recall(view *kv.Overlay, request *Request) (Answer, bool, error) {
	mark, err := loadWatermark(view, request.Key.Enrolment)
	if err != nil {
		return Answer{}, false, err
	}
	if request.Key.Sequence < mark.settled {
		return Answer{}, false, tournament.KeySettled.Refuse()
	}
	mark.advance(view, request)
	text, err := view.Get(answerKey(request.Key.Enrolment, request.Key.Sequence))
	switch {
	case errors.Is(err, kv.ErrNotFound):
		return Answer{}, false, nil
	case err != nil:
		return Answer{}, false, fmt.Errorf("reading a kept answer: %w", err)
	case len(text) <= bodyHash:
		return Answer{}, false, fmt.Errorf("%w: a kept answer of %d bytes", ErrBooks, len(text))
	case [bodyHash]byte(text) != request.Body:
		return Answer{}, false, tournament.KeyReused.Refuse()
	}
	kept := append([]byte(nil), text[bodyHash+1:]...)
	if text[bodyHash] == keptAnswer {
		return Answer{Again: true, Text: kept}, true, nil
	}
	var refused keptRefused
	if err := json.Unmarshal(kept, &refused); err != nil {
		return Answer{}, false, fmt.Errorf("%w: a kept refusal: %w", ErrBooks, err)
	}
	return Answer{Again: true}, true, tournament.Refuse(refused.Reason, refused.Clause).At(refused.Until)
}

// keep lays the answer, or the refusal where there is one, under the request's key, and returns the answer's JSON.
func keep(view *kv.Overlay, request *Request, value any, refusal *tournament.Refusal) ([]byte, error) {
	kind := byte(keptAnswer)
	if refusal != nil {
		kind, value = keptRefusal, keptRefused{refusal.Reason, refusal.Clause, refusal.Until}
	}
	text, err := json.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("writing an answer: %w", err)
	}
	kept := make([]byte, 0, bodyHash+1+len(text))
	kept = append(append(append(kept, request.Body[:]...), kind), text...)
	view.Put(answerKey(request.Key.Enrolment, request.Key.Sequence), kept)
	if refusal != nil {
		return nil, nil
	}
	return text, nil
}

// advance takes over how far the sender has settled, never past the request's own sequence, and drops some of the answers
// below.
func (w watermark) advance(view *kv.Overlay, request *Request) {
	before := w
	w.settled = max(w.settled, min(request.Settled, request.Key.Sequence))
	for range dropsPerRequest {
		if w.dropped >= w.settled {
			break
		}
		view.Delete(answerKey(request.Key.Enrolment, w.dropped))
		w.dropped++
	}
	if w != before {
		text := binary.BigEndian.AppendUint64(nil, w.settled)
		view.Put(settledKey(request.Key.Enrolment), binary.BigEndian.AppendUint64(text, w.dropped))
	}
}

func loadWatermark(view kv.Reader, enrolment string) (watermark, error) {
	text, err := view.Get(settledKey(enrolment))
	switch {
	case errors.Is(err, kv.ErrNotFound):
		return watermark{}, nil
	case err != nil:
		return watermark{}, fmt.Errorf("reading how far %s has settled: %w", enrolment, err)
	case len(text) != 16:
		return watermark{}, fmt.Errorf("%w: a watermark of %d bytes", ErrBooks, len(text))
	}
	return watermark{binary.BigEndian.Uint64(text), binary.BigEndian.Uint64(text[8:])}, nil
}
