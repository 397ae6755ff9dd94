package display_test

import (
	"context"
	"errors"
	"image"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"reelkiosk/devices/display"
)

// act runs this test's own program as another process and returns what it says.
func act(t *testing.T, what string, environment ...string) (string, error) {
	t.Helper()
	process := exec.Command(os.Args[0])
	process.Env = append(os.Environ(), actVariable+"="+what)
	process.Env = append(process.Env, environment...)
	output, err := process.CombinedOutput()
	return string(output), err
}

// Fyne 2.7.1 panics at the first text under a Zulu system that has fonts of its own.
func TestTextUnderAZuluSystem(t *testing.T) {
	zulu := []string{"LANG=zu_ZA.UTF-8", "LC_ALL=zu_ZA.UTF-8", "LC_MESSAGES=zu_ZA.UTF-8", "LANGUAGE=zu_ZA:en"}
	if said, err := act(t, "text, pinned", zulu...); err != nil || said != "true\n" {
		t.Errorf("with the environment pinned: %v\n%s", err, said)
	}
}

func TestTheEnvironmentIsPinned(t *testing.T) {
	said, err := act(t, "print, pinned", "LANG=af_ZA.UTF-8", "LC_ALL=C", "LANGUAGE=zu", "FYNE_SCALE=3")
	want := "LANG=en_ZA.UTF-8\nFYNE_SCALE=1\nFYNE_DISABLE_DPI_DETECTION=true\nLC_ALL=\nLC_MESSAGES=\nLANGUAGE=\n"
	if err != nil || said != want {
		t.Errorf("environment (%v)\n%swanted\n%s", err, said, want)
	}
}

func TestWithoutADisplayThereIsAClearError(t *testing.T) {
	for name, test := range map[string]struct{ display, want string }{
		"none named":        {"", "no display: DISPLAY is not set"},
		"nobody behind it":  {":65000", "DISPLAY is :65000"},
		"no name of a kind": {"nonsense", "DISPLAY is nonsense"},
	} {
		t.Run(name, func(t *testing.T) {
			said, err := act(t, "connect", "DISPLAY="+test.display)
			if err == nil || !strings.Contains(said, "no display") || !strings.Contains(said, test.want) ||
				strings.Contains(said, "goroutine") {
				t.Errorf("%v, says %s, wanted %s", err, said, test.want)
			}
		})
	}
	if _, err := display.Monitors(); !errors.Is(err, display.ErrNoDisplay) {
		t.Errorf("monitors before Connect: %v", err)
	}
}

func TestPickingAMonitor(t *testing.T) {
	left := display.Monitor{Name: "HDMI-1", Bounds: image.Rect(0, 0, 1920, 1080)}
	right := display.Monitor{Name: "HDMI-2", Bounds: image.Rect(1920, 0, 3000, 1920), Primary: true}
	both := []display.Monitor{left, right}
	for name, test := range map[string]struct {
		monitors []display.Monitor
		name     string
		want     display.Monitor
		err      error
	}{
		"by name":                 {both, "HDMI-1", left, nil},
		"by name, the primary":    {both, "HDMI-2", right, nil},
		"no name":                 {both, "", right, nil},
		"not there":               {both, "DP-1", right, display.ErrOtherMonitor},
		"none says it is primary": {[]display.Monitor{left}, "", left, nil},
		"none at all":             {nil, "HDMI-1", display.Monitor{}, display.ErrNoMonitor},
		"none at all, no name":    {nil, "", display.Monitor{}, display.ErrNoMonitor},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := display.Pick(test.monitors, test.name)
			if got != test.want || !errors.Is(err, test.err) {
				t.Errorf("%v (%v), wanted %v (%v)", got, err, test.want, test.err)
			}
		})
	}
}

func TestAWindowOfTheTestDriverIsNotPlaced(t *testing.T) {
	test.NewTempApp(t)
	if _, err := display.Place(test.NewTempWindow(t, nil), ""); !errors.Is(err, display.ErrNotShown) {
		t.Errorf("place: %v", err)
	}
}

func TestPinnedContentFillsAndClaimsNothing(t *testing.T) {
	test.NewTempApp(t)
	wide := canvas.NewRectangle(nil)
	wide.SetMinSize(fyne.NewSize(5000, 5000))
	pinned := display.Pin(wide)
	if size := pinned.MinSize(); size != fyne.NewSize(1, 1) {
		t.Errorf("claims %v", size)
	}
	pinned.Resize(fyne.NewSize(1080, 1920))
	if wide.Size() != fyne.NewSize(1080, 1920) {
		t.Errorf("content is %v", wide.Size())
	}
}

func TestAShieldHasNoPointer(t *testing.T) {
	test.NewTempApp(t)
	if cursor := display.NewShield(canvas.NewRectangle(nil)).Cursor(); cursor != desktop.HiddenCursor {
		t.Errorf("pointer %v", cursor)
	}
}

func TestTheScreenStaysLit(t *testing.T) {
	server := startServer(t, 640, 480)
	t.Setenv("DISPLAY", server.display)
	xset := func(words ...string) string {
		output, err := exec.Command("xset", words...).CombinedOutput()
		if err != nil {
			t.Fatalf("xset (Debian package x11-xserver-utils): %v\n%s", err, output)
		}
		return string(output)
	}
	xset("s", "600", "600")
	xset("s", "blank")
	if err := display.Awake(context.Background()); err != nil {
		t.Fatal(err)
	}
	said := xset("q")
	for _, want := range []string{`prefer blanking:\s+no`, `timeout:\s+0`} {
		if !regexp.MustCompile(want).MatchString(said) {
			t.Errorf("the server's settings lack %s:\n%s", want, said)
		}
	}
}

func TestAScreenThatCannotBeKeptLitIsReported(t *testing.T) {
	t.Run("no server", func(t *testing.T) {
		t.Setenv("DISPLAY", ":65000")
		if err := display.Awake(context.Background()); !errors.Is(err, display.ErrBlanking) {
			t.Errorf("awake: %v", err)
		}
	})
	t.Run("no xset", func(t *testing.T) {
		t.Setenv("PATH", t.TempDir())
		err := display.Awake(context.Background())
		if !errors.Is(err, display.ErrBlanking) || !strings.Contains(err.Error(), "x11-xserver-utils") {
			t.Errorf("awake: %v", err)
		}
	})
}
