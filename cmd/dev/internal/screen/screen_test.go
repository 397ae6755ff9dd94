package screen

import "testing"

func TestAPictureHasTheSizeOfTheDisplay(t *testing.T) {
	screen, err := Start(320, 480)
	if err != nil {
		t.Fatal(err)
	}
	defer screen.Close()
	picture, err := screen.Picture()
	if err != nil {
		t.Fatal(err)
	}
	if size := picture.Bounds().Size(); size.X != 320 || size.Y != 480 {
		t.Errorf("picture of %v, want 320×480", size)
	}
	if err := screen.Tap(100, 100); err != nil {
		t.Error(err)
	}
	if err := screen.Tap(320, 100); err == nil {
		t.Error("a tap beside the display was taken")
	}
}
