package main

import (
	"context"
	"sync/atomic"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"reelkiosk/kiosk"
	"reelkiosk/kiosk/config"
	"reelkiosk/kiosk/face/player"
	"reelkiosk/kiosk/visit"
)

// shown is a kiosk in its window: the conductor, once it is known what the kiosk is made of, and before that the first start.
type shown struct {
	parts   *assembly
	screens *player.Face
	// stage is what the window holds. first has it until the kiosk is enrolled; nil where it is.
	stage *fyne.Container
	first *firstStart
	trace *trace

	conductor atomic.Pointer[kiosk.Conductor]
	// wrong is why the window is not on its monitor; nil before it was placed.
	wrong atomic.Pointer[error]
	// over says that Fyne runs nothing more.
	over atomic.Bool
}

func newShown(look looks, trace *trace) *shown {
	k := &shown{trace: trace}
	k.screens = player.New(look.phrases, look.house, func(event visit.Event) {
		if conductor := k.conductor.Load(); conductor != nil {
			conductor.Touch(event)
		}
	})
	k.stage = container.NewStack(k.screens.Root())
	return k
}

// ui has a function called on Fyne's goroutine.
func (k *shown) ui(call func()) {
	if !k.over.Load() { // what is behind the window is gone
		fyne.Do(call)
	}
}

// begin makes the conductor.
func (k *shown) begin() {
	conductor := kiosk.New(k.parts.Parts)
	conductor.Show(k.trace.follow(k.screens), k.ui)
	k.conductor.Store(conductor)
	if wrong := k.wrong.Load(); wrong != nil {
		conductor.Monitor(*wrong)
	}
}

// place notes whether the window is on its monitor.
func (k *shown) place(wrong error) {
	k.wrong.Store(&wrong)
	if conductor := k.conductor.Load(); conductor != nil {
		conductor.Monitor(wrong)
	}
}

// run runs the kiosk until life ends, after its first start where this is one.
func (k *shown) run(life context.Context, settings config.Config) {
	if k.first != nil {
		if !k.first.run(life, k.parts, settings, k.ui) {
			return
		}
		k.parts.plugIn(settings)
		k.ui(func() { k.first.over(k.screens) })
		k.begin()
	}
	_ = k.conductor.Load().Run(life) // it ends only with life
}
