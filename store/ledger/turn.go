package ledger

import (
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"io"
	"time"

	"reelkiosk/store/kv"
)

// turn is one act at work: the state, the request, and the events so far.
type turn struct {
	state
	request *Request
	// at is the request's time in the tournament's zone, to the millisecond.
	at   time.Time
	last last
}

func (b *Books) turn(view *kv.Overlay, request *Request) (*turn, error) {
	newest, err := loadLast(view)
	if err != nil {
		return nil, err
	}
	at := request.At.In(b.definition.Zone).Truncate(time.Millisecond)
	return &turn{state: state{b, view}, request: request, at: at, last: newest}, nil
}

// idEncoding writes 128 bits as 26 lower-case letters and digits, in the order of the bits (RFC 4648, section 7).
var idEncoding = base32.NewEncoding("0123456789abcdefghijklmnopqrstuv").WithPadding(base32.NoPadding)

// newID draws an id that says nothing.
func newID[T ~string](random io.Reader) (T, error) {
	var bits [16]byte
	if _, err := io.ReadFull(random, bits[:]); err != nil {
		return "", fmt.Errorf("drawing an id: %w", err)
	}
	return T(idEncoding.EncodeToString(bits[:])), nil
}

// orderedID draws an id for what there is much of: 48 bits are the milliseconds of the turn since 1970, so that what is
// made together lies together in the store, and a commit changes a few pages instead of one for each record.
func orderedID[T ~string](t *turn) (T, error) {
	var bits [16]byte
	binary.BigEndian.PutUint64(bits[:], uint64(t.at.UnixMilli())<<16)
	if _, err := io.ReadFull(t.request.Random, bits[6:]); err != nil {
		return "", fmt.Errorf("drawing an id: %w", err)
	}
	return T(idEncoding.EncodeToString(bits[:])), nil
}
