package emulator

import (
	"context"
	"time"

	"reelkiosk/devices/reader"
)

// Replay sends what a real reader once sent, with its own pauses, as a device that is set as its line was. Between two
// bursts it waits for so long. It returns the context's error, or the Line's.
func (l *Line) Replay(ctx context.Context, captured reader.Captured, between time.Duration) error {
	for number, burst := range captured.Bursts {
		if number > 0 && !pause(ctx, between) {
			return ctx.Err()
		}
		l.Device(burst.Line)
		for _, piece := range burst.Pieces {
			if !pause(ctx, piece.After) {
				return ctx.Err()
			}
			if _, err := l.Write(piece.Data); err != nil {
				return err
			}
		}
	}
	return nil
}

// pause waits, and reports whether ctx goes on.
func pause(ctx context.Context, wait time.Duration) bool {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
