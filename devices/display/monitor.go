package display

import (
	"errors"
	"fmt"
	"image"
	"os"
	"strings"

	"github.com/go-gl/glfw/v3.3/glfw"
)

// Errors of this package, wrapped with what is known.
var (
	// ErrNoDisplay says that there is no X server to draw on.
	ErrNoDisplay = errors.New("no display")
	// ErrNoMonitor says that the X server has no monitor: none is connected, or it is switched off.
	ErrNoMonitor = errors.New("no monitor connected")
	// ErrOtherMonitor says that the configured monitor is not there and that the primary one is used.
	ErrOtherMonitor = errors.New("configured monitor not connected")
	// ErrNotShown says that a window has nothing on the display yet, or is no real window.
	ErrNotShown = errors.New("window not shown")
)

// Monitor is one monitor as it is now.
type Monitor struct {
	Name    string          // of its connector, such as HDMI-1
	Bounds  image.Rectangle // where it shows the display, in pixels
	Primary bool
}

// String returns the name, the size and the place, as 'HDMI-1 1080×1920 at 0,0'.
func (m Monitor) String() string {
	return fmt.Sprintf("%s %d×%d at %d,%d", m.Name, m.Bounds.Dx(), m.Bounds.Dy(), m.Bounds.Min.X, m.Bounds.Min.Y)
}

// Connect connects to the X server that DISPLAY names. The error wraps ErrNoDisplay; without a display, nothing else
// here and nothing of Fyne's application may be called, since much of it panics.
func Connect() error {
	name := os.Getenv("DISPLAY")
	if name == "" {
		return fmt.Errorf("%w: DISPLAY is not set", ErrNoDisplay)
	}
	// Init says nothing of a server that it cannot reach; only the first call after it does, by a panic.
	if err := glfw.Init(); err != nil {
		return fmt.Errorf("%w: %s: %w", ErrNoDisplay, name, err)
	}
	if _, err := connected(); err != nil {
		return fmt.Errorf("%w: DISPLAY is %s", err, name)
	}
	return nil
}

// Monitors returns the monitors that are connected, the primary one first. The error wraps ErrNoDisplay before Connect.
func Monitors() ([]Monitor, error) {
	found, err := connected()
	if err != nil {
		return nil, err
	}
	var monitors []Monitor
	for index, monitor := range found {
		mode := monitor.GetVideoMode()
		if mode == nil {
			continue // it went away this moment
		}
		x, y := monitor.GetPos()
		monitors = append(monitors, Monitor{monitor.GetName(), image.Rect(x, y, x+mode.Width, y+mode.Height), index == 0})
	}
	return monitors, nil
}

// connected lists GLFW's monitors, the primary one first, and turns its panic without a display into an error.
func connected() (monitors []*glfw.Monitor, err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("%w: %v", ErrNoDisplay, problem)
		}
	}()
	return glfw.GetMonitors(), nil
}

// Pick returns the monitor of that name, or the primary one if name is empty. If it is not there, it returns the primary
// one and an error that wraps ErrOtherMonitor; if there is none at all, the error wraps ErrNoMonitor.
func Pick(monitors []Monitor, name string) (Monitor, error) {
	if len(monitors) == 0 {
		return Monitor{}, ErrNoMonitor
	}
	primary := monitors[0]
	var names []string
	for _, monitor := range monitors {
		if monitor.Name == name {
			return monitor, nil
		}
		if monitor.Primary {
			primary = monitor
		}
		names = append(names, monitor.Name)
	}
	if name == "" {
		return primary, nil
	}
	return primary, fmt.Errorf("%w: %s, there is %s", ErrOtherMonitor, name, strings.Join(names, ", "))
}
