package printer

import (
	"fmt"
	"time"

	"reelkiosk/devices/printer/escpos"
)

// State is how a printer is. The set is closed: a caller may switch over all of them.
type State int

const (
	// Unknown says that the printer does not answer, or was not asked yet: off, its cable cut, or another device. Never
	// take it for ready.
	Unknown State = iota
	// Gone says that the port is not there; Status.Err says why.
	Gone
	// Offline says that it answers and does not print, and that it names no reason: somebody feeds paper by its button,
	// or it is still recovering.
	Offline
	// CoverOpen says that its cover is open.
	CoverOpen
	// PaperOut says that it has no paper.
	PaperOut
	// CutterError says that its knife is stuck.
	CutterError
	// Error says that something else is wrong with it: a technician's work.
	Error
	// PaperLow says that it prints, and that the roll is near its end.
	PaperLow
	// Ready says that it prints.
	Ready
	// Untold says that this model never tells how it is. It prints, and nothing it prints is confirmed.
	Untold
)

var stateWords = []string{
	"unknown", "gone", "offline", "cover open", "paper out", "cutter error", "error", "paper low", "ready", "never tells",
}

// String returns the state in lower case.
func (s State) String() string {
	if s < 0 || int(s) >= len(stateWords) {
		return fmt.Sprintf("state %d", int(s))
	}
	return stateWords[s]
}

// CanPrint reports whether a job may be sent to a printer in that state.
func (s State) CanPrint() bool { return s == Ready || s == PaperLow || s == Untold }

// stopped reports whether the printer itself says that it does not print.
func (s State) stopped() bool {
	return s == Offline || s == CoverOpen || s == PaperOut || s == CutterError || s == Error
}

// Status is how a printer was at a moment.
type Status struct {
	State State
	At    time.Time
	Err   error // Gone: why, as port.Event has it
}

// CanPrint reports whether a job may be sent.
func (s Status) CanPrint() bool { return s.State.CanPrint() }

// stateOf judges what messages say together. What stops the printer comes before what only warns, and the cause before
// the effect: an open cover also shows as no paper.
func stateOf(messages ...escpos.Message) State {
	has := func(flags ...escpos.Flag) bool {
		for _, message := range messages {
			for _, flag := range flags {
				if message.Has(flag) {
					return true
				}
			}
		}
		return false
	}
	switch {
	case has(escpos.CoverOpen):
		return CoverOpen
	case has(escpos.PaperEnd, escpos.PaperEndStop):
		return PaperOut
	case has(escpos.CutterError):
		return CutterError
	case has(escpos.AnError, escpos.UnrecoverableError, escpos.RecoverableError, escpos.AutoRecoverableError):
		return Error
	case has(escpos.Offline, escpos.FeedButton, escpos.WaitingForRecovery):
		return Offline
	case has(escpos.PaperNearEnd):
		return PaperLow
	}
	return Ready
}
