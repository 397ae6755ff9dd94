package player

import (
	"time"

	"fyne.io/fyne/v2"

	"reelkiosk/kiosk/visit"
)

// slide is how far the present ticket has come out of its slot: the one thing that moves on these screens, once for each
// ticket, in a few steps, since every step repaints the panel.
type slide struct {
	// ticket is the number of the ticket on the way, step how far it is.
	ticket string
	step   int
	moving *fyne.Animation
}

const (
	slideSteps = 8
	slideTime  = 600 * time.Millisecond
)

// share is how much of the paper is out, 0 to 1.
func (s slide) share() float32 { return float32(s.step) / slideSteps }

// follow starts the slide of a ticket that has begun to print, and forgets it when another screen is shown.
func (f *Face) follow(state visit.State) {
	printing := ""
	if state.Screen == visit.ScreenPrinting {
		for _, ticket := range state.Tickets {
			switch ticket.State {
			case visit.TicketPrinting, visit.TicketPrinted, visit.TicketUnconfirmed:
				printing = ticket.Number + "-" + string(ticket.Heat.ID)
			}
		}
	}
	if printing == f.slide.ticket {
		return
	}
	if f.slide.moving != nil {
		f.slide.moving.Stop()
	}
	f.slide = slide{ticket: printing}
	if printing == "" {
		return
	}
	f.slide.moving = fyne.NewAnimation(slideTime, func(done float32) {
		step := int(done * slideSteps)
		if f.slide.ticket != printing || step <= f.slide.step {
			return
		}
		f.slide.step = step
		f.draw()
	})
	f.slide.moving.Curve = fyne.AnimationEaseOut
	f.slide.moving.Start()
}
