package main

import (
	"encoding/json"
	"fmt"
	"os"
	"time"

	"reelkiosk/kiosk/face/player"
	"reelkiosk/kiosk/visit"
)

// trace shows states on a face, and writes what was shown: for demonstrations and tests, which touch what they find
// there. Nothing of it is about a person.
type trace struct {
	*player.Face
	file  *os.File
	lines chan line
	done  chan struct{}
	last  line
}

// line is one screen that was shown.
type line struct {
	At      time.Time       `json:"at"`
	Screen  visit.Screen    `json:"screen"`
	Over    visit.Over      `json:"over,omitempty"`
	Trouble visit.Trouble   `json:"trouble,omitempty"`
	Hint    visit.Hint      `json:"hint,omitempty"`
	Visit   visit.ID        `json:"visit,omitempty"`
	Ready   visit.Readers   `json:"ready"`
	Look    visit.Look      `json:"look"`
	Out     visit.Trouble   `json:"out_of_order,omitempty"`
	Targets []player.Target `json:"targets"`
}

// waiting is how many lines wait for a slow reader; more are dropped, since the window waits for nobody.
const waiting = 256

func newTrace(path string, shows *player.Face) (*trace, error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	t := &trace{Face: shows, file: file, lines: make(chan line, waiting), done: make(chan struct{})}
	go t.write()
	return t, nil
}

// Show shows a state, and notes the screen where anything but the time on it changed.
func (t *trace) Show(state visit.State) {
	t.Face.Show(state)
	shown := line{
		At: time.Now(), Screen: state.Screen, Over: state.Over, Trouble: state.Trouble, Hint: state.Hint, Visit: state.Visit,
		Ready: state.Ready, Look: state.Look, Out: state.OutOfOrder, Targets: t.Targets(),
	}
	if t.last.same(shown) {
		return
	}
	t.last = shown
	select {
	case t.lines <- shown:
	default:
	}
}

func (l line) same(other line) bool {
	one, _ := json.Marshal(l.without())
	two, _ := json.Marshal(other.without())
	return string(one) == string(two)
}

func (l line) without() line {
	l.At = time.Time{}
	return l
}

func (t *trace) write() {
	defer close(t.done)
	encoder := json.NewEncoder(t.file)
	for shown := range t.lines {
		if encoder.Encode(shown) != nil {
			continue // whoever read it has gone; the kiosk goes on
		}
	}
}

// close writes what is waiting. No state may be shown any more.
func (t *trace) close() {
	close(t.lines)
	<-t.done
	_ = t.file.Close()
}
