// Package player is the face that players see: every screen of a visit, drawn from the visit's state.
//
// The face decides nothing. Show is given a visit.State and puts it on the panel; a touch is sent as visit.Tapped, and
// what it means is the machine's matter (package visit). Screens are composed anew from each state as lists of flat
// pieces (face.Sheet), which takes a millisecond, and only what differs from the last is repainted.
//
// One face serves a panel of 1080×1920 and one of 1920×1080: it knows portrait from landscape by the size it is laid out
// in. A panel of another size shows the same sheet from its top left corner.
//
// The only things that the face remembers by itself are which page of a long text is open and which languages the foot
// offers where there are more than three; both begin anew with each visit.
package player

import (
	"time"

	"fyne.io/fyne/v2"

	"reelkiosk/kiosk/face"
	"reelkiosk/kiosk/visit"
	"reelkiosk/store/tournament"
)

// The buttons that only the face acts on. They are sent as well, since a touch is a sign of life; the machine knows none
// of them.
const (
	// ButtonNextPage and ButtonPreviousPage turn the pages of a long text.
	ButtonNextPage     visit.Button = "next-page"
	ButtonPreviousPage visit.Button = "previous-page"
	// ButtonLanguages shows the next languages at the foot, where there are more than three.
	ButtonLanguages visit.Button = "languages"
)

// Face is the player's face. Its methods belong on Fyne's goroutine.
type Face struct {
	phrases *face.Phrases
	house   face.House
	send    func(visit.Event)
	panel   *face.Panel
	state   visit.State
	sheet   *face.Sheet
	pages   pages
	slide   slide
	// painted is what stands on the glass; felt is what stood there when the finger came down that is to be lifted.
	painted, felt visit.Seen
	// whenSeen is called once painted is what is shown.
	whenSeen []func()
}

// pages is what the face remembers by itself.
type pages struct {
	visit  visit.ID
	over   visit.Over
	screen visit.Screen
	// text is the page of a long text or list, languages that of the foot's languages, both from 0.
	text, languages int
	// longest is the most seconds that the present screen had left: a bar that runs out is full then.
	longest int
}

// after returns the pages for the next state: those of another visit or screen begin anew.
func (p pages) after(state visit.State) pages {
	if p.visit != state.Visit {
		p = pages{visit: state.Visit}
	}
	if p.over != state.Over || p.screen != state.Screen {
		p.over, p.screen, p.text, p.longest = state.Over, state.Screen, 0, 0
	}
	p.longest = max(p.longest, state.Left)
	return p
}

// Target is a place that can be touched at present, in the window's coordinates.
type Target struct {
	Button   visit.Button      `json:"button"`
	Language string            `json:"language,omitempty"`
	Heat     tournament.HeatID `json:"heat,omitempty"`
	X        float32           `json:"x"`
	Y        float32           `json:"y"`
	W        float32           `json:"w"`
	H        float32           `json:"h"`
}

// New returns the face of a house. send is called on Fyne's goroutine with a visit.Tapped for each touch.
func New(phrases *face.Phrases, house face.House, send func(visit.Event)) *Face {
	f := &Face{phrases: phrases, house: house, send: send}
	f.panel = face.NewPanel(f.touched, func(float32, float32) { f.draw() })
	f.panel.Felt = func() { f.felt = f.painted }
	return f
}

// Root is what to put into the window.
func (f *Face) Root() fyne.CanvasObject { return f.panel.Root() }

// Show shows a state.
func (f *Face) Show(state visit.State) {
	f.state = state
	f.pages = f.pages.after(state)
	f.follow(state)
	f.draw()
	f.notePainted()
}

// notePainted notes what the player sees once he does. Fyne hands over the touches of a frame first, moves what moves, and
// paints: what comes to be touched before the first step of a motion was touched on the picture before.
func (f *Face) notePainted() {
	if f.seen() == f.painted {
		return
	}
	fyne.NewAnimation(time.Millisecond, func(float32) {
		f.painted = f.seen()
		calls := f.whenSeen
		f.whenSeen = nil
		for _, call := range calls {
			call()
		}
	}).Start()
}

// WhenSeen calls a function once the player can see, and touch, what is shown; at once where he does already.
func (f *Face) WhenSeen(call func()) {
	if f.seen() == f.painted && len(f.whenSeen) == 0 {
		call()
		return
	}
	f.whenSeen = append(f.whenSeen, call)
}

func (f *Face) seen() visit.Seen {
	return visit.Seen{Visit: f.state.Visit, Screen: f.state.Screen, Over: f.state.Over}
}

// Targets returns what can be touched now. What lies behind all buttons ('any touch means yes') is not among them.
func (f *Face) Targets() []Target {
	if f.sheet == nil {
		return nil
	}
	var targets []Target
	for _, touch := range f.sheet.Touches {
		if tap, ok := touch.Event.(visit.Tapped); ok && !touch.Behind {
			targets = append(targets, Target{tap.Button, tap.Language, tap.Heat, touch.X, touch.Y, touch.W, touch.H})
		}
	}
	return targets
}

// draw composes the present state and puts it on the panel, once the panel has a size.
func (f *Face) draw() {
	width, height := f.panel.Size()
	if width == 0 || height == 0 {
		return
	}
	f.sheet = compose(f.state, f.phrases, f.house, f.pages, f.slide, width > height)
	f.panel.Show(f.sheet)
}

// touched takes a touch from the panel. It belongs to what the player saw when he put his finger down, though by now the
// next visit may be shown.
func (f *Face) touched(event any) {
	tap, ok := event.(visit.Tapped)
	if !ok {
		return
	}
	tap.Seen, f.felt = f.felt, visit.Seen{}
	switch tap.Button {
	case ButtonNextPage:
		f.pages.text++
		f.draw()
	case ButtonPreviousPage:
		f.pages.text--
		f.draw()
	case ButtonLanguages:
		f.pages.languages++
		f.draw()
	}
	f.send(tap)
}
