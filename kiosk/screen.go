package kiosk

import (
	"sync"
	"time"

	"reelkiosk/kiosk/visit"
)

// Face shows states. It is used on one goroutine only, the ui function's.
type Face interface{ Show(visit.State) }

// Settling is how long a screen takes no touches but those on its foot, after it came up and after each touch. The gold
// button stands in the same place on every screen: whose finger trembles, or drums, would accept the rules, declare and
// take a seat with touches that were meant for 'Continue'. Nobody reads a screen in less.
const Settling = 500 * time.Millisecond

// screen hands states to the face: always the newest, and never more than one call of the ui function at a time, however
// fast they come.
type screen struct {
	settling time.Duration

	// mu guards everything that follows.
	mu     sync.Mutex
	face   Face
	ui     func(func())
	next   visit.State
	posted bool
	// seen is what the face shows, since when; touch is when it was last touched, whether that counted or not.
	seen         visit.Seen
	since, touch time.Time
}

// show has the state shown, soon.
func (s *screen) show(state visit.State) {
	s.mu.Lock()
	s.next = state
	post := !s.posted && s.ui != nil
	s.posted = s.posted || post
	ui := s.ui
	s.mu.Unlock()
	if post {
		ui(s.paint)
	}
}

// paint runs on the face's goroutine.
func (s *screen) paint() {
	s.mu.Lock()
	state, face := s.next, s.face
	s.posted = false
	s.mu.Unlock()
	face.Show(state)
	s.mu.Lock()
	defer s.mu.Unlock()
	if seen := (visit.Seen{Visit: state.Visit, Screen: state.Screen, Over: state.Over}); seen != s.seen {
		s.seen, s.since = seen, time.Now()
	}
}

// touched notes in a touch what it was meant for, unless the face knows better, and reports whether it counts.
func (s *screen) touched(tap *visit.Tapped) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if tap.Seen == (visit.Seen{}) {
		tap.Seen = s.seen
	}
	if tap.Button.OnFoot() {
		return true
	}
	settled := time.Since(s.since) >= s.settling && time.Since(s.touch) >= s.settling
	s.touch = time.Now()
	return settled
}
