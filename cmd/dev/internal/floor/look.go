package floor

import (
	"bytes"
	"time"
)

// Settle waits until the display stands still, or a second and a half: a screen that the kiosk has handed to the window
// is painted a little later.
func (f *Floor) Settle() error {
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
