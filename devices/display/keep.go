package display

import (
	"time"

	"fyne.io/fyne/v2"
	"github.com/go-gl/glfw/v3.3/glfw"
)

// Placement says where a window belongs.
type Placement struct {
	Window  fyne.Window
	Monitor string // name of its connector; empty means the primary monitor
	// Placed is told, on the main goroutine, how each placing went, with what Place returns. It may be nil.
	Placed func(Monitor, error)
	// Held is told, on the main goroutine, how long the window could not be painted, once it can be again. It may be nil.
	Held func(time.Duration)
}

// calm is how long monitors must have been left alone before the windows are placed: a television that is switched on
// comes and goes several times.
const calm = 500 * time.Millisecond

// Keep places windows that were shown, and places them again whenever a monitor comes or goes, until stop. It has
// them repainted where Fyne forgot to. All windows of a process are kept by one call: GLFW tells only one function of its
// monitors.
func Keep(placements ...Placement) (stop func()) {
	k := &keeper{placements: placements}
	glfw.SetMonitorCallback(func(*glfw.Monitor, glfw.PeripheralEvent) { k.placeWhenCalm() })
	k.place()
	k.pulse = startPulse(placements)
	return k.stop
}

// keeper lives on the main goroutine.
type keeper struct {
	placements []Placement
	waiting    *time.Timer
	settling   []func()
	pulse      *pulse
	stopped    bool
}

// placeWhenCalm runs inside GLFW's callback, in which nothing about monitors may be changed.
func (k *keeper) placeWhenCalm() {
	if k.waiting != nil {
		k.waiting.Stop()
	}
	k.waiting = time.AfterFunc(calm, func() { fyne.Do(k.place) })
}

func (k *keeper) place() {
	if k.stopped {
		return
	}
	k.unsettle()
	for _, placement := range k.placements {
		monitor, err := Place(placement.Window, placement.Monitor)
		k.settling = append(k.settling, Settle(placement.Window))
		if placement.Placed != nil {
			placement.Placed(monitor, err)
		}
	}
}

func (k *keeper) unsettle() {
	for _, stop := range k.settling {
		stop()
	}
	k.settling = nil
}

func (k *keeper) stop() {
	k.pulse.stop()
	k.stopped = true
	if k.waiting != nil {
		k.waiting.Stop()
	}
	k.unsettle()
	// GLFW's callback stays: after Run, GLFW is gone and must not be asked for anything.
}
