package face

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// Reach is how many pixels beside a target still count as a touch of it: half of the least gap between two, so that no
// place belongs to both. A finger may wander as far as it likes inside; one that leaves has changed its mind. No pad lies
// in a Scroll, where Fyne would make a drag of a tap that wanders two pixels.
const Reach = Gap / 2

// pad is the widget that answers a finger on a touch. It is drawn only while the finger is down.
type pad struct {
	widget.BaseWidget
	touch Touch
	ring  *canvas.Rectangle
	send  func(event any)
	felt  func()
	down  bool
	// lifted has the ring of a finger that was lifted painted over, unless a new screen does so first; nil without one.
	lifted *fyne.Animation
}

var (
	_ fyne.Tappable     = (*pad)(nil)
	_ desktop.Mouseable = (*pad)(nil)
	_ desktop.Hoverable = (*pad)(nil)
)

func newPad() *pad {
	p := &pad{ring: &canvas.Rectangle{StrokeWidth: ringStroke}}
	p.ring.Hide()
	p.ExtendBaseWidget(p)
	return p
}

const ringStroke float32 = 6

// show moves the pad to a touch.
func (p *pad) show(touch Touch, palette Palette, send func(event any), felt func()) {
	p.send, p.felt = send, felt
	if p.touch != touch {
		p.press(false)
	}
	p.touch = touch
	p.ring.StrokeColor = palette.Colour(touch.Ring)
	reach := Reach
	if touch.Behind {
		reach = 0
	}
	p.Move(fyne.NewPos(touch.X-reach, touch.Y-reach))
	p.Resize(fyne.NewSize(touch.W+2*reach, touch.H+2*reach))
	p.ring.CornerRadius = touch.Radius
	p.ring.Move(fyne.NewPos(reach, reach))
	p.ring.Resize(fyne.NewSize(touch.W, touch.H))
}

// Tapped sends the touch's event.
func (p *pad) Tapped(*fyne.PointEvent) { p.send(p.touch.Event) }

// MouseDown shows the ring: a finger must see at once that it was felt.
func (p *pad) MouseDown(*desktop.MouseEvent) {
	if p.felt != nil {
		p.felt()
	}
	p.press(true)
}

// MouseUp hides it, with the screen that the touch brings. Each painting is one of the whole window, and one for the ring
// alone would keep the player waiting for that screen.
func (p *pad) MouseUp(*desktop.MouseEvent) {
	if !p.down {
		return
	}
	p.down, p.ring.Hidden = false, true
	lifted := fyne.NewAnimation(lingering, nil)
	lifted.Tick = func(done float32) {
		if done == 1 && p.lifted == lifted {
			p.lifted = nil
			p.Refresh()
		}
	}
	p.lifted = lifted
	lifted.Start()
}

// painted notes that the window is painted anew anyway.
func (p *pad) painted() {
	if p.lifted != nil {
		p.lifted.Stop()
		p.lifted = nil
	}
}

// lingering is how long the ring of a finger that was lifted may stay where no other screen comes.
const lingering = 150 * time.Millisecond

// MouseIn does nothing: a touch screen leaves the pointer where the last finger was, so nothing may glow under it.
func (p *pad) MouseIn(*desktop.MouseEvent) {}

// MouseMoved does nothing.
func (p *pad) MouseMoved(*desktop.MouseEvent) {}

// MouseOut hides the ring of a finger that slid away.
func (p *pad) MouseOut() { p.press(false) }

func (p *pad) press(down bool) {
	if p.down == down || p.touch.Ring == Nothing {
		return
	}
	p.down = down
	p.ring.Hidden = !down
	p.Refresh()
}

// CreateRenderer draws the ring, where the touch has it.
func (p *pad) CreateRenderer() fyne.WidgetRenderer { return &padRenderer{p} }

type padRenderer struct{ pad *pad }

func (r *padRenderer) Destroy()                     {}
func (r *padRenderer) Layout(fyne.Size)             {}
func (r *padRenderer) MinSize() fyne.Size           { return fyne.NewSize(1, 1) }
func (r *padRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.pad.ring} }
func (r *padRenderer) Refresh()                     { canvas.Refresh(r.pad) }
