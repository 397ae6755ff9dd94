package main

import (
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"os"
	"reflect"
	"slices"
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"reelkiosk/kiosk"
	"reelkiosk/kiosk/face/player"
	"reelkiosk/kiosk/visit"
)

// trace writes what the window shows, for tests and demonstrations: one JSON object a line for each screen, with the places
// that can be touched, in the window's coordinates. Nothing in it says who stands there.
//
// A line is written once its places are painted and take touches (kiosk.Settling); its "at" is when the screen was shown. The
// first line waits for the first frame. A nil trace writes nothing.
type trace struct {
	file  *os.File
	lines chan line
	ended chan struct{}
	// painted is closed with the first frame, at that moment.
	painted chan time.Time

	// What follows belongs to Fyne's goroutine.
	last  line
	since time.Time
}

// line is one line of the trace.
type line struct {
	At      time.Time     `json:"at"`
	Screen  visit.Screen  `json:"screen"`
	Over    visit.Over    `json:"over"`
	Trouble visit.Trouble `json:"trouble"`
	Hint    visit.Hint    `json:"hint"`
	Visit   visit.ID      `json:"visit"`
	// Ready says which readers can be used, Heats whether any are known, Full that none has a seat left, Out why no seats are
	// given.
	Ready   visit.Readers   `json:"ready"`
	Heats   bool            `json:"heats"`
	Full    bool            `json:"full"`
	Out     visit.Trouble   `json:"out_of_order"`
	Look    visit.Look      `json:"look"`
	Targets []player.Target `json:"targets"`
	// touchable is when the places take touches.
	touchable time.Time
}

// openTrace opens the file or the pipe of a trace; nil where no path is given.
func openTrace(path string) (*trace, error) {
	if path == "" {
		return nil, nil
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	t := &trace{file: file, lines: make(chan line, 4096), ended: make(chan struct{}), painted: make(chan time.Time, 1)}
	go t.write()
	return t, nil
}

// close writes what was shown so far and closes the file.
func (t *trace) close() {
	if t == nil {
		return
	}
	close(t.lines)
	<-t.ended
	t.file.Close()
}

// write writes each line when its places take touches.
func (t *trace) write() {
	defer close(t.ended)
	encoder := json.NewEncoder(t.file)
	var first time.Time
	for l := range t.lines {
		if first.IsZero() {
			select {
			case first = <-t.painted:
			case <-time.After(time.Minute): // no monitor: nothing is ever painted
				first = time.Now()
			}
		}
		if l.At.Before(first) {
			l.At = first // shown is what is painted
		}
		time.Sleep(time.Until(l.touchable))
		_ = encoder.Encode(l) // nobody may be reading
	}
}

// firstFrame returns a dot for the window's root, by whose painting the first frame is known.
func (t *trace) firstFrame(painted func()) fyne.CanvasObject {
	var once sync.Once
	dot := canvas.NewRaster(func(int, int) image.Image {
		once.Do(func() {
			// What is handed to Fyne while it paints is called after the frame was swapped.
			go fyne.Do(func() {
				t.painted <- time.Now()
				painted()
			})
		})
		return image.NewUniform(color.Transparent)
	})
	dot.Resize(fyne.NewSize(1, 1))
	return container.NewWithoutLayout(dot)
}

// follow returns a face that shows what the given one shows and notes it.
func (t *trace) follow(screens *player.Face) kiosk.Face {
	if t == nil {
		return screens
	}
	return &tracedFace{screens, t}
}

type tracedFace struct {
	*player.Face
	trace *trace
}

// Show implements kiosk.Face.
func (f *tracedFace) Show(state visit.State) {
	f.Face.Show(state)
	shown, targets := time.Now(), f.Targets()
	f.WhenSeen(func() { f.trace.note(shown, state, targets) })
}

// note notes a screen that was shown then, unless it is the same as the last one.
func (t *trace) note(now time.Time, state visit.State, targets []player.Target) {
	l := line{
		Screen: state.Screen, Over: state.Over, Trouble: state.Trouble, Hint: state.Hint, Visit: state.Visit,
		Ready: state.Ready, Heats: len(state.Floor.Heats) > 0, Out: state.OutOfOrder, Look: state.Look,
		Targets: targets,
	}
	l.Full = l.Heats && !slices.ContainsFunc(state.Floor.Heats, func(heat visit.Heat) bool { return heat.Free > 0 })
	if l.Screen != t.last.Screen || l.Over != t.last.Over || l.Visit != t.last.Visit {
		t.since = now
	}
	if reflect.DeepEqual(l, t.last) {
		return
	}
	t.last = l
	l.At, l.touchable = now, t.since.Add(kiosk.Settling)
	select {
	case t.lines <- l:
	default: // nobody reads
	}
}
