package port

import (
	"testing"
	"time"
)

func TestAttemptsAreMadeLessAndLessOften(t *testing.T) {
	var retry backoff
	for _, longest := range []time.Duration{100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000} {
		longest *= time.Millisecond
		if wait := retry.next(); wait > longest || wait < longest*4/5 {
			t.Errorf("waits %v, wanted %v less at most a fifth", wait, longest)
		}
	}
}

func TestALossAfterAGoodWhileIsAFirstOne(t *testing.T) {
	var retry backoff
	for range 10 {
		retry.next()
	}
	retry.wasOpen(goodWhile)
	if wait := retry.next(); wait > firstRetry {
		t.Errorf("waits %v, wanted at most %v", wait, firstRetry)
	}
}

func TestADeviceThatDiesAtOnceOverAndOverIsTriedSeldom(t *testing.T) {
	var retry backoff
	for range 10 {
		retry.next()
		retry.wasOpen(time.Second)
	}
	if wait := retry.next(); wait < lastRetry*4/5 {
		t.Errorf("waits %v, wanted about %v", wait, lastRetry)
	}
}

func TestAttemptsOfSeveralPortsDoNotKeepStep(t *testing.T) {
	seen := make(map[time.Duration]bool)
	for range 20 {
		var retry backoff
		seen[retry.next()] = true
	}
	if len(seen) < 10 {
		t.Errorf("20 ports wait for %d different times", len(seen))
	}
}
