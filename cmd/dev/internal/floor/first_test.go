package floor

import (
	"os"
	"slices"
	"strings"
	"testing"

	"reelkiosk/kiosk/firststart"
	"reelkiosk/kiosk/visit"
)

// TestAKioskIsEnrolledOnItsOwnScreen types a code on the glass of a kiosk that is not enrolled. It goes on into the attract
// screen in the same process, and begins with it at the next start.
func TestAKioskIsEnrolledOnItsOwnScreen(t *testing.T) {
	for _, panel := range []struct {
		name          string
		width, height int
	}{{"portrait", 1080, 1920}, {"landscape", 1920, 1080}} {
		t.Run(panel.name, func(t *testing.T) {
			f := open(t, Options{Width: panel.width, Height: panel.height, FirstStart: true})
			tap := func(buttons ...string) {
				t.Helper()
				for _, button := range buttons {
					if err := f.Tap(t.Context(), visit.Button(button), ""); err != nil {
						t.Fatal(err)
					}
				}
			}
			see := func(screen firststart.Screen) {
				t.Helper()
				outside := func(target Target) bool {
					return target.X+target.Width > float64(panel.width) || target.Y+target.Height > float64(panel.height)
				}
				_, err := f.Await(t.Context(), "first start, "+string(screen), func(shown Shown) bool {
					// Before the window has its size the keys are elsewhere.
					return shown.Screen == visit.Screen("first-"+string(screen)) && !slices.ContainsFunc(shown.Targets, outside)
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			see(firststart.ScreenAddress) // where the configuration says central is
			tap(string(firststart.ButtonNext))
			see(firststart.ScreenCode)
			code, err := f.Code(kioskName)
			if err != nil {
				t.Fatal(err)
			}
			tap(strings.Split(code, "")...)
			process := f.Kiosk.PID()
			tap(string(firststart.ButtonNext))
			if err := f.AwaitReady(t.Context()); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(f.Path("kiosk", "identity.pem")); err != nil || f.Kiosk.PID() != process {
				t.Errorf("the identity: %v", err)
			}
			if err := f.Kiosk.Stop(); err != nil {
				t.Fatal(err)
			}
			if err := f.StartKiosk(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := f.AwaitReady(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}
