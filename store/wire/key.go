package wire

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Key names a request for good (design decision 3): who sent it, and the how-manieth of that sender it is. It is made and
// persisted before the request is sent.
type Key struct {
	// Enrolment is the sender's, 1 to 64 letters, digits, '.', '_' and '-'.
	Enrolment string
	// Sequence counts the sender's requests from 1.
	Sequence uint64
}

// ErrKey is wrapped by ParseKey where the text is no key.
var ErrKey = errors.New("a request key is ENROLMENT/SEQUENCE, as in kiosk-3/17")

// maxEnrolment is the longest enrolment in bytes.
const maxEnrolment = 64

// ParseKey reads "ENROLMENT/SEQUENCE". The error wraps ErrKey.
func ParseKey(text string) (Key, error) {
	enrolment, number, found := strings.Cut(text, "/")
	if !found || !validEnrolment(enrolment) {
		return Key{}, fmt.Errorf("%q: %w", text, ErrKey)
	}
	sequence, err := strconv.ParseUint(number, 10, 64)
	if err != nil || sequence == 0 {
		return Key{}, fmt.Errorf("%q: %w", text, ErrKey)
	}
	return Key{enrolment, sequence}, nil
}

// String writes the key as it stands in HeaderKey.
func (k Key) String() string { return k.Enrolment + "/" + strconv.FormatUint(k.Sequence, 10) }

func validEnrolment(text string) bool {
	if text == "" || len(text) > maxEnrolment {
		return false
	}
	for _, c := range []byte(text) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '.', c == '_', c == '-':
		default:
			return false
		}
	}
	return true
}
