package ledger

import (
	"encoding/base32"
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

// idEncoding writes 128 bits as 26 lower-case letters and digits (RFC 4648, section 6).
var idEncoding = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// newID draws an id.
func newID[T ~string](random io.Reader) (T, error) {
	var bits [16]byte
	if _, err := io.ReadFull(random, bits[:]); err != nil {
		return "", fmt.Errorf("drawing an id: %w", err)
	}
	return T(idEncoding.EncodeToString(bits[:])), nil
}
