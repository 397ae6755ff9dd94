package floor

import (
	"image"
	"image/color"
	"image/draw"
	"testing"

	"reelkiosk/kiosk/visit"
)

func TestAPictureIsOfAnotherScreen(t *testing.T) {
	before := image.NewRGBA(image.Rect(0, 0, 1080, 1920))
	for _, change := range []struct {
		name  string
		place image.Rectangle
		alike bool
	}{
		{"nothing changed", image.Rectangle{}, true},
		{"a digit of the clock", image.Rect(900, 1820, 930, 1860), true},
		{"a line of text", image.Rect(72, 600, 1008, 640), false},
	} {
		t.Run(change.name, func(t *testing.T) {
			after := image.NewRGBA(before.Bounds())
			draw.Draw(after, change.place, image.NewUniform(color.White), image.Point{}, draw.Src)
			if got := alike(before, after); got != change.alike {
				t.Errorf("alike: %v, want %v", got, change.alike)
			}
		})
	}
}

// The first tap of an evening was lost: it came while the kiosk was still finding out what it has.
func TestATapWaitsUntilTheAttractScreenIsReallyThere(t *testing.T) {
	for _, line := range []struct {
		name  string
		shown Shown
		begun bool
	}{
		{"the first frame", Shown{Screen: visit.ScreenAttract}, false},
		{"readers, and no heats yet", Shown{Screen: visit.ScreenAttract, Ready: visit.Readers{Card: true}}, false},
		{"all is there", Shown{Screen: visit.ScreenAttract, Ready: visit.Readers{Card: true}, Heats: true}, true},
		{"out of order", Shown{Screen: visit.ScreenAttract, Out: string(visit.TroubleReader)}, true},
		{"a visit", Shown{Screen: visit.ScreenGreeting}, true},
		{"a first start", Shown{Screen: "first-address"}, true},
	} {
		if got := line.shown.begun(); got != line.begun {
			t.Errorf("%s: begun is %v, want %v", line.name, got, line.begun)
		}
	}
}
