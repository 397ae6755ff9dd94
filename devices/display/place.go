package display

import (
	"time"

	"fyne.io/fyne/v2"
	"github.com/go-gl/glfw/v3.3/glfw"
)

// Raw returns the GLFW window behind a window of Fyne's that was shown. The error is ErrNotShown. Callbacks that Fyne set
// on it must stay as they are.
func Raw(window fyne.Window) (*glfw.Window, error) {
	// The method belongs to Fyne's window but to none of its interfaces; a window of its test driver lacks it.
	driven, ok := window.(interface{ RunWithContext(func()) })
	if !ok {
		return nil, ErrNotShown
	}
	var raw *glfw.Window
	driven.RunWithContext(func() { raw = glfw.GetCurrentContext() })
	if raw == nil {
		return nil, ErrNotShown
	}
	return raw, nil
}

// Place makes a window that was shown borderless and puts it over the whole of a monitor: the one of that name, or the
// primary one if name is empty or that one is not there. The error wraps ErrOtherMonitor in the last case, and ErrNoMonitor
// or ErrNotShown if the window was not placed.
func Place(window fyne.Window, name string) (Monitor, error) {
	raw, err := Raw(window)
	if err != nil {
		return Monitor{}, err
	}
	monitors, err := Monitors()
	if err != nil {
		return Monitor{}, err
	}
	monitor, other := Pick(monitors, name)
	if monitor == (Monitor{}) {
		return monitor, other
	}
	at := monitor.Bounds
	if raw.GetMonitor() != nil { // somebody made it full screen: without a window manager it would stay so
		raw.SetMonitor(nil, at.Min.X, at.Min.Y, at.Dx(), at.Dy(), 0)
	}
	raw.SetAttrib(glfw.Decorated, glfw.False)
	raw.SetPos(at.Min.X, at.Min.Y)
	raw.SetSize(at.Dx(), at.Dy())
	raw.Focus()
	return monitor, other
}

// settling are the moments after a change of size at which a window is painted again. With software rendering the first
// frame may still go to a surface of the old size, and a screen on which nothing moves would keep it.
var settling = []time.Duration{50 * time.Millisecond, 250 * time.Millisecond, time.Second, 3 * time.Second}

// Settle paints the window again a few times over the next three seconds. The function that it returns ends that.
func Settle(window fyne.Window) (stop func()) {
	var timers []*time.Timer
	for _, moment := range settling {
		timers = append(timers, time.AfterFunc(moment, func() {
			fyne.Do(func() {
				if content := window.Content(); content != nil {
					window.Canvas().Refresh(content)
				}
			})
		}))
	}
	return func() {
		for _, timer := range timers {
			timer.Stop()
		}
	}
}
