package central

import (
	"cmp"
	"net/http"
	"sync"
	"time"

	"reelkiosk/store/wire"
)

// mostArriving bounds the bytes of all bodies that are arriving or being worked on: a chunk of rows for each import that
// may be under way.
const mostArriving = mostImports * mostRows

// arrivals are the bodies that callers are sending: how much memory they may take, and an end to those that stall.
type arrivals struct {
	// patience is how long a body may take; bodyTimeout if 0.
	patience time.Duration

	// mu guards everything that follows.
	mu      sync.Mutex
	bytes   int64
	reading map[*http.ResponseController]struct{}
	ended   bool
}

// take makes room for a body of at most so many bytes; release gives it back. Without room it is the problem that the caller
// gets.
func (a *arrivals) take(bytes int64) (release func(), refused *wire.Problem) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.bytes+bytes > mostArriving {
		return nil, problemOf(errBusy)
	}
	a.bytes += bytes
	return func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.bytes -= bytes
	}, nil
}

// begin bounds how long the body of a request may take to arrive, until arrived is called. Where it is not, since the
// request is refused, the bound stays: the server reads what is left of a body before it lets a connection go.
func (a *arrivals) begin(w http.ResponseWriter) (control *http.ResponseController) {
	a.mu.Lock()
	defer a.mu.Unlock()
	control = http.NewResponseController(w)
	until := time.Now()
	if !a.ended {
		until = until.Add(cmp.Or(a.patience, bodyTimeout))
	}
	_ = control.SetReadDeadline(until) // a connection without deadlines is one of a test
	if a.reading == nil {
		a.reading = map[*http.ResponseController]struct{}{}
	}
	a.reading[control] = struct{}{}
	return control
}

// arrived ends the bound.
func (a *arrivals) arrived(control *http.ResponseController) {
	a.mu.Lock()
	defer a.mu.Unlock()
	_ = control.SetReadDeadline(time.Time{})
	delete(a.reading, control)
}

// refuse waits no longer for the rest of a request's body: it is refused whatever comes.
func (a *arrivals) refuse(r *http.Request) {
	if control, bound := r.Context().Value(arrivalKey{}).(*http.ResponseController); bound {
		_ = control.SetReadDeadline(time.Now())
	}
}

// over ends a request, whatever has arrived of it.
func (a *arrivals) over(control *http.ResponseController) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.reading, control)
}

// end lets no body arrive any more: central is being stopped, and waits for nobody who stalls.
func (a *arrivals) end() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ended = true
	for control := range a.reading {
		_ = control.SetReadDeadline(time.Now())
	}
}
