package display

import (
	"time"

	"fyne.io/fyne/v2"
)

// Fyne knows an object's window by a memory that it clears of all it has not used for a minute. Where painting is held up
// for longer, by an X server that is stopped or that another program has for itself, it clears that of objects that are
// shown: they are repainted no more, whatever changes, and the picture stands still while everything behind it goes on
// (Fyne 2.7.1, internal/cache.Clean). Asking the window itself to repaint works, and has the objects remembered again.
const (
	// beat is how often Fyne's goroutine is asked whether it still goes round.
	beat = time.Second
	// stall is how long it may take to answer before the window counts as one that was held up.
	stall = 5 * time.Second
	// recovering is how long the window is then repainted with every beat: Fyne may clear its memory half a minute later.
	recovering = 40 * time.Second
	// stale is how old a picture gets at most, whatever Fyne remembers. A repaint costs a few hundredths of a second.
	stale = 30 * time.Second
)

// pulse repaints windows that Fyne has forgotten.
type pulse struct {
	placements []Placement
	// stopped and ended are of the goroutine that asks.
	stopped, ended chan struct{}

	// What follows belongs to the main goroutine. last is when it answered last, painted when the windows were repainted;
	// until when they are with each beat.
	last, painted, until time.Time
}

// startPulse begins to ask.
func startPulse(placements []Placement) *pulse {
	now := time.Now()
	p := &pulse{placements: placements, stopped: make(chan struct{}), ended: make(chan struct{}), last: now, painted: now}
	go p.ask()
	return p
}

// stop ends that. It waits for no answer.
func (p *pulse) stop() {
	close(p.stopped)
	<-p.ended
}

// ask asks once a beat, but never twice before it is answered.
func (p *pulse) ask() {
	defer close(p.ended)
	ticker := time.NewTicker(beat)
	defer ticker.Stop()
	answered := make(chan struct{}, 1)
	answered <- struct{}{}
	for {
		select {
		case <-p.stopped:
			return
		case <-ticker.C:
		}
		select {
		case <-answered:
			fyne.Do(func() {
				p.answer(time.Now())
				answered <- struct{}{}
			})
		default:
		}
	}
}

// answer runs on the main goroutine.
func (p *pulse) answer(now time.Time) {
	held := now.Sub(p.last) - beat
	p.last = now
	if held >= stall {
		p.until = now.Add(recovering)
	}
	if now.After(p.until) && now.Sub(p.painted) < stale {
		return
	}
	p.painted = now
	for _, placement := range p.placements {
		if content := placement.Window.Content(); content != nil {
			placement.Window.Canvas().Refresh(content)
		}
		if held >= stall && placement.Held != nil {
			placement.Held(held)
		}
	}
}
