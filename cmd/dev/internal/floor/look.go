package floor

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"time"

	"reelkiosk/cmd/dev/internal/screen"
)

// paintLimit is how long a screen that the kiosk has handed to its window may take until it is painted, on a busy machine.
const paintLimit = 500 * time.Millisecond

// Settle waits until what was shown last is painted and the display stands still, for two seconds at most.
func (f *Floor) Settle() error {
	_, err := f.settled()
	return err
}

// settled returns what the display shows once it stands still, or what it shows after two seconds.
func (f *Floor) settled() (*image.RGBA, error) {
	time.Sleep(time.Until(f.Trace.lastLine().Add(paintLimit)))
	deadline := time.Now().Add(1500 * time.Millisecond)
	before, err := f.Screen.Picture()
	for err == nil && time.Now().Before(deadline) {
		time.Sleep(120 * time.Millisecond)
		after, fault := f.Screen.Picture()
		if fault != nil || bytes.Equal(before.Pix, after.Pix) {
			return after, fault
		}
		before = after
	}
	return before, err
}

// Shot takes a picture of the display once it stands still.
func (f *Floor) Shot(path string) error {
	picture, err := f.settled()
	if err != nil {
		return err
	}
	return screen.Save(picture, path)
}

// ErrOtherScreen is wrapped by ShotOf where the kiosk shows something else than the picture is to be of.
var ErrOtherScreen = errors.New("the kiosk shows something else")

// ShotOf takes a picture of a screen: one that the kiosk says it shows before and after the picture, and that is not what stood
// on the glass before, which a busy machine may leave there for seconds. It tries for ten seconds; what describes the screen in
// the error. before may be nil.
func (f *Floor) ShotOf(ctx context.Context, path, what string, wanted func(Shown) bool, before *image.RGBA) error {
	end := time.Now().Add(10 * time.Second)
	for {
		shown, _, changed := f.Trace.Now()
		why := fmt.Errorf("%w: want %s, not %s", ErrOtherScreen, what, shown)
		if wanted(shown) {
			picture, err := f.settled()
			if err != nil {
				return err
			}
			shown, _, changed = f.Trace.Now()
			switch {
			case !wanted(shown):
				why = fmt.Errorf("%w: %s went over into %s before its picture was taken", ErrOtherScreen, what, shown)
			case before != nil && alike(before, picture):
				why = fmt.Errorf("%w: %s was never painted over what was shown before", ErrOtherScreen, what)
			default:
				return screen.Save(picture, path)
			}
		}
		select {
		case <-changed:
		case <-time.After(250 * time.Millisecond): // it may be painted now
		case <-f.Kiosk.Done():
			return fmt.Errorf("the kiosk ended before its picture was taken; the end of its output:\n%s", f.Kiosk.End())
		case <-ctx.Done():
			return ctx.Err()
		}
		if time.Now().After(end) {
			return why
		}
	}
}

// alike reports whether two pictures show one screen: a clock's digit or a button that is lit makes no other screen.
func alike(a, b *image.RGBA) bool {
	if len(a.Pix) != len(b.Pix) {
		return false
	}
	const part = 500 // of all pixels: what a line of small text changes
	different := 0
	for pixel := 0; pixel < len(a.Pix); pixel += 4 {
		if !bytes.Equal(a.Pix[pixel:pixel+4], b.Pix[pixel:pixel+4]) {
			if different++; different > len(a.Pix)/4/part {
				return false
			}
		}
	}
	return true
}
