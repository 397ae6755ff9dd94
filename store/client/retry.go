package client

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// Backoff says how Retry waits between tries; the zero value is good.
type Backoff struct {
	// First is the longest wait before the second try, 100 ms if 0; it doubles with each try up to Most, 5 s if 0.
	First, Most time.Duration
	// Tries is how often it is tried altogether; 0 is for as long as the context lasts.
	Tries int
}

// Retry calls try until it returns anything but ErrAway: an answer, a refusal or a problem is final. The same closure
// sends the same key and body each time, so that all tries together have one effect.
//
// Each wait is drawn between half of the present step and the whole, so that kiosks which lost central together do not come
// back together; where central asked for a longer wait, it gets it. When the tries or the context end, the last error is
// returned, and is ErrAway.
func Retry(ctx context.Context, backoff Backoff, try func(context.Context) error) error {
	step := cmpOr(backoff.First, firstStep)
	most := cmpOr(backoff.Most, longestStep)
	for tried := 1; ; tried++ {
		err := try(ctx)
		if err == nil || !errors.Is(err, ErrAway) {
			return err
		}
		if tried == backoff.Tries {
			return fmt.Errorf("given up after %d tries: %w", tried, err)
		}
		wait := max(jitter(step), asked(err))
		if ended := Wait(ctx, wait); ended != nil {
			return fmt.Errorf("given up: %w (%w)", err, ended)
		}
		step = min(2*step, most)
	}
}

// firstStep and longestStep are those of a Backoff that names none.
const firstStep, longestStep = 100 * time.Millisecond, 5 * time.Second

// asked returns how long central asked to wait, 0 where it did not.
func asked(err error) time.Duration {
	if away, is := errors.AsType[*awayError](err); is {
		return away.after
	}
	return 0
}

// jitter draws a wait between half of a step and the whole.
func jitter(step time.Duration) time.Duration { return step/2 + rand.N(step/2+1) }

// Wait waits, or returns why the context ended.
func Wait(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}

func cmpOr(value, otherwise time.Duration) time.Duration {
	if value <= 0 {
		return otherwise
	}
	return value
}
