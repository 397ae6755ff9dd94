// Package service is the technician's face.
//
// So far it has the first start of a kiosk: the screens on which central's address and a one-time code are typed. They show
// a firststart.State and send firststart events; they decide nothing. As on every screen of a technician, the line at the
// bottom says what to do next. The words are English alone.
package service

import (
	"fyne.io/fyne/v2"

	"reelkiosk/kiosk/face"
	"reelkiosk/kiosk/firststart"
)

// FirstStart is the face of the first start. Its methods belong on Fyne's goroutine.
type FirstStart struct {
	// Drawn is called after each drawing, with what can be touched; nil where nobody wants to know.
	Drawn func(firststart.State, []face.Touch)
	said  *face.Said
	logo  string
	send  func(firststart.Event)
	panel *face.Panel
	state firststart.State
	sheet *face.Sheet
}

// NewFirstStart returns the face of a house. send is called on Fyne's goroutine with an event for each touch.
func NewFirstStart(phrases *face.Phrases, house face.House, send func(firststart.Event)) *FirstStart {
	f := &FirstStart{said: phrases.For(face.DefaultLanguage), logo: house.Logo, send: send}
	f.panel = face.NewPanel(func(event any) {
		if touched, is := event.(firststart.Event); is {
			f.send(touched)
		}
	}, func(float32, float32) { f.draw() })
	return f
}

// Root is what to put into the window.
func (f *FirstStart) Root() fyne.CanvasObject { return f.panel.Root() }

// Show shows a state.
func (f *FirstStart) Show(state firststart.State) {
	f.state = state
	f.draw()
}

// draw composes the present state and puts it on the panel, once the panel has a size.
func (f *FirstStart) draw() {
	width, height := f.panel.Size()
	if width == 0 || height == 0 {
		return
	}
	f.sheet = compose(f.state, f.said, f.logo, width > height)
	f.panel.Show(f.sheet)
	if f.Drawn != nil {
		f.Drawn(f.state, f.sheet.Touches)
	}
}

// Touches returns what can be touched now.
func (f *FirstStart) Touches() []face.Touch {
	if f.sheet == nil {
		return nil
	}
	return f.sheet.Touches
}
