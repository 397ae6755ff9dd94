package floor

import (
	"bytes"
	"time"
)

// paintLimit is how long a screen that the kiosk has handed to its window may take until it is painted, on a busy machine.
const paintLimit = 500 * time.Millisecond

// Settle waits until what was shown last is painted and the display stands still, for two seconds at most.
func (f *Floor) Settle() error {
	shown, _, _ := f.Trace.Now()
	time.Sleep(time.Until(shown.At.Add(paintLimit)))
	deadline := time.Now().Add(1500 * time.Millisecond)
	before, err := f.Screen.Picture()
	for err == nil && time.Now().Before(deadline) {
		time.Sleep(120 * time.Millisecond)
		after, fault := f.Screen.Picture()
		if fault != nil || bytes.Equal(before.Pix, after.Pix) {
			return fault
		}
		before = after
	}
	return err
}

// Shot takes a picture of the display once it stands still.
func (f *Floor) Shot(path string) error {
	if err := f.Settle(); err != nil {
		return err
	}
	return f.Screen.Shot(path)
}
