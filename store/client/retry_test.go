package client

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

func TestRetryWaitsLongerEachTimeAndNeverInStep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var waits []time.Duration
		last := time.Now()
		err := Retry(t.Context(), Backoff{First: 100 * time.Millisecond, Most: time.Second, Tries: 8}, func(context.Context) error {
			waits = append(waits, time.Since(last))
			last = time.Now()
			return away("/x", errors.New("gone"))
		})
		if !errors.Is(err, ErrAway) || len(waits) != 8 {
			t.Fatalf("got %v after %d tries", err, len(waits))
		}
		step := 100 * time.Millisecond
		for i, wait := range waits[1:] {
			if wait < step/2 || wait > step {
				t.Errorf("wait %d was %v, want between %v and %v", i+1, wait, step/2, step)
			}
			step = min(2*step, time.Second)
		}
	})
}

func TestRetryGivesCentralTheTimeItAskedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start, tries := time.Now(), 0
		err := Retry(t.Context(), Backoff{First: time.Millisecond}, func(context.Context) error {
			if tries++; tries == 1 {
				return &awayError{"/x", wire.NewProblem(wire.ProblemBusy, 503, "busy"), 3 * time.Second}
			}
			return nil
		})
		if err != nil || time.Since(start) != 3*time.Second {
			t.Errorf("got %v after %v", err, time.Since(start))
		}
	})
}

func TestRetryEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		err := Retry(ctx, Backoff{}, func(context.Context) error { return away("/x", errors.New("gone")) })
		if !errors.Is(err, ErrAway) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
	})
}

func TestRetryTakesARefusalAsFinal(t *testing.T) {
	tries := 0
	err := Retry(t.Context(), Backoff{}, func(context.Context) error {
		tries++
		return tournament.Refuse(tournament.HeatFull, 11)
	})
	if tries != 1 || err == nil {
		t.Errorf("%d tries, %v", tries, err)
	}
}
