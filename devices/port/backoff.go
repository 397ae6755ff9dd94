package port

import (
	"math/rand/v2"
	"time"
)

const (
	firstRetry = 100 * time.Millisecond
	lastRetry  = 5 * time.Second
	// goodWhile is how long a port must have been open before the next loss counts as a first one. A device that opens
	// and dies again at once, over and over, must not be tried ten times a second.
	goodWhile = 10 * time.Second
)

// backoff says how long to wait before each attempt to open: firstRetry, doubling to lastRetry, each shortened by up
// to a fifth at random so that several ports of one hub do not try in step. It is shortened and never lengthened: what
// comes back is found within lastRetry.
type backoff struct{ wait time.Duration }

// next returns how long to wait now.
func (b *backoff) next() time.Duration {
	b.wait = min(max(2*b.wait, firstRetry), lastRetry)
	return b.wait - rand.N(b.wait/5)
}

// wasOpen notes how long the port had been open when it was lost.
func (b *backoff) wasOpen(lasted time.Duration) {
	if lasted >= goodWhile {
		b.wait = 0
	}
}
