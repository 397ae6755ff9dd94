package kiosk

import (
	"context"
	"errors"
	"net/http"
	"time"

	"reelkiosk/store/condition"
)

// stopWait is how long a kiosk that is told to stop waits for central's answers, and stopLook how often it looks.
const (
	stopWait = 20 * time.Second
	stopLook = 50 * time.Millisecond
)

// Stopped is what came of a planned stop. The kiosk gives no seats from then on, until it is started again.
type Stopped struct {
	// Returned counts the machines that were given back, Waiting what central has not answered yet.
	Returned int `json:"returned"`
	Waiting  int `json:"waiting"`
}

// stopPlanned gives back all that the kiosk may give by itself, asks for nothing more, and waits for central to have heard of
// it and of everything else that it has to be told.
func (c *Conductor) stopPlanned(ctx context.Context) (stopped Stopped) {
	if c.Alone != nil {
		stopped.Returned, _ = c.Alone.Held()
	}
	c.stopping.Store(true)
	c.Log.Info("told to stop; everything is given back", "machines", stopped.Returned)
	ctx, cancel := context.WithTimeout(ctx, stopWait)
	defer cancel()
	ticker := time.NewTicker(stopLook)
	defer ticker.Stop()
	c.courier.hurry(ctx)
	for {
		c.learn()
		held := 0
		if c.Alone != nil {
			held, _ = c.Alone.Held()
		}
		if stopped.Waiting = len(c.Replica.Requests()); held == 0 && stopped.Waiting == 0 {
			return stopped
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return stopped
		}
	}
}

// planned notes, on the owning goroutine, whether the kiosk was told to stop.
func (c *Conductor) planned() { c.note(condition.PlannedStop, c.stopping.Load(), "") }

// stopOnDemand answers whoever tells the kiosk to stop.
func (c *Conductor) stopOnDemand(w http.ResponseWriter, r *http.Request) {
	if c.courier == nil {
		http.Error(w, "nothing to give back: the kiosk has no central, or cannot use its own file", http.StatusConflict)
		return
	}
	control := http.NewResponseController(w)
	until := time.Now().Add(stopWait + controlTimeout)
	if err := errors.Join(control.SetWriteDeadline(until), control.SetReadDeadline(until)); err != nil {
		c.Log.Warn("the answer may come too late", "error", err)
	}
	writeJSON(w, c.stopPlanned(r.Context()))
}

// StopRunning tells the kiosk that listens at a socket to give everything back and to give no more seats. The error is
// ErrNotRunning where none does.
func StopRunning(ctx context.Context, socket string) (Stopped, error) {
	var stopped Stopped
	return stopped, askWithin(ctx, stopWait+2*controlTimeout, socket, http.MethodPost, "/stop", struct{}{}, &stopped)
}
