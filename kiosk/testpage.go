package kiosk

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"time"

	"reelkiosk/devices/printer"
	"reelkiosk/kiosk/ticket"
	"reelkiosk/store/condition"
	"reelkiosk/store/wire"
)

// TestAsked is what a test page says of itself: the house, and the profile of the printer.
type TestAsked struct {
	Property string `json:"property"`
	Profile  string `json:"profile"`
}

// TestPrinted is what became of a test page.
type TestPrinted struct {
	// Result is printed, unconfirmed or not started; Reason is why it is unconfirmed.
	Result string `json:"result"`
	Reason string `json:"reason,omitempty"`
	// Printer is how the printer is, in a word, and Do what to do about it; empty where it is well.
	Printer string `json:"printer"`
	Do      string `json:"do,omitempty"`
	// Detail is what the system says of it.
	Detail string `json:"detail,omitempty"`
}

// Right reports whether the page was printed, as far as this printer can tell.
func (t TestPrinted) Right() bool {
	return t.Result == printer.Printed.String() || t.Reason == printer.NeverTells.String()
}

// testLimit bounds a test page: at 9,600 baud its rasters take a third of a minute.
const testLimit = 90 * time.Second

// PrintTestPage prints a test page: letters of all languages, sizes, width, a QR code, a Code 128, a raster and the cut.
func PrintTestPage(ctx context.Context, press Printer, page ticket.Test, say ticket.Say) TestPrinted {
	ctx, cancel := context.WithTimeout(ctx, testLimit)
	defer cancel()
	outcome := press.Print(ctx, "test", page.Document(say))
	told := TestPrinted{Result: outcome.Result.String(), Printer: outcome.Status.State.String(), Do: PrinterAdvice(outcome.Status.State)}
	if outcome.Reason != printer.NoReason {
		told.Reason = outcome.Reason.String()
	}
	told.Detail = because(outcome.Err)
	if told.Detail == "" {
		told.Detail = because(outcome.Status.Err)
	}
	return told
}

// PrinterAdvice is what a technician does about a state of the printer; empty where it is well.
func PrinterAdvice(state printer.State) string {
	name, unwell := printerConditions[state]
	if !unwell {
		return ""
	}
	return condition.KindOf(name).Do
}

// testPage answers POST /test-page.
func (c *Conductor) testPage(ctx context.Context, w http.ResponseWriter, r *http.Request) {
	var asked TestAsked
	if err := json.NewDecoder(io.LimitReader(r.Body, 1<<16)).Decode(&asked); err != nil {
		http.Error(w, `want JSON such as {"property": "The Ridge", "profile": "epson-48"}`, http.StatusBadRequest)
		return
	}
	if c.Printer == nil {
		http.Error(w, "no printer is configured", http.StatusConflict)
		return
	}
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(testLimit + controlTimeout))
	now, _ := c.Clock.Now()
	page := ticket.Test{Property: asked.Property, Printer: asked.Profile, Kiosk: c.Name, Issued: now}
	printed := PrintTestPage(ctx, c.Printer, page, c.Say(c.Machine.Languages[0]))
	c.Log.Info("test page", "result", printed.Result, "reason", printed.Reason, "printer", printed.Printer)
	writeJSON(w, printed)
}

// wellNow answers GET /health.
func (c *Conductor) wellNow(ctx context.Context, w http.ResponseWriter) {
	well := c.well.Load()
	if well == nil {
		http.Error(w, "the kiosk has just begun; ask again in a second", http.StatusServiceUnavailable)
		return
	}
	writeJSON(w, c.healthNow(ctx, well))
}

// RunningHealth asks the kiosk that listens at a socket how it is. The error is ErrNotRunning where none does.
func RunningHealth(ctx context.Context, socket string) (wire.KioskHealth, error) {
	var told wire.KioskHealth
	return told, askRunning(ctx, socket, http.MethodGet, "/health", nil, &told)
}

// RunningTestPage has the kiosk that listens at a socket print a test page, behind whatever it prints at present. The error
// is ErrNotRunning where none does.
func RunningTestPage(ctx context.Context, socket string, asked TestAsked) (TestPrinted, error) {
	var printed TestPrinted
	return printed, askWithin(ctx, testLimit+controlTimeout, socket, http.MethodPost, "/test-page", asked, &printed)
}
