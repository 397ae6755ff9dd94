package kiosk

import (
	"fmt"
	"log/slog"
	"time"

	"reelkiosk/devices/printer"
	"reelkiosk/kiosk/visit"
	"reelkiosk/store/condition"
)

// health is what is less than well with the kiosk at present. A condition counts once it has held for its grace: a cable
// that is replugged is no event.
type health struct {
	set    condition.Set
	counts condition.Set
	log    *slog.Logger
	tell   func(detail string)
}

func newHealth(log *slog.Logger, tell func(string)) health { return health{log: log, tell: tell} }

// note notes whether a condition holds.
func (h *health) note(name condition.Name, holds bool, detail string, now time.Time) {
	if holds {
		h.set.Raise(name, detail, now)
	} else {
		h.set.Clear(name)
	}
	h.tick(now)
}

// tick lets conditions count that have held long enough, and tells what changed.
func (h *health) tick(now time.Time) {
	for _, kind := range condition.Kinds() {
		held, holds := h.set.Held(kind.Name)
		switch {
		case holds && now.Sub(held.Since) >= kind.Grace:
			began := !h.counts.Holds(kind.Name)
			h.counts.Raise(kind.Name, held.Detail, now)
			if !began {
				continue // for another reason at most
			}
			h.log.Warn("condition", "name", kind.Name, "title", kind.Title, "severity", kind.Severity.String(), "detail", held.Detail)
			h.tell(string(kind.Name) + ": " + kind.Title)
		case !holds && h.counts.Clear(kind.Name):
			h.log.Info("condition over", "name", kind.Name)
			h.tell(string(kind.Name) + ": over")
		}
	}
}

// note notes whether a condition holds, on the owning goroutine.
func (c *Conductor) note(name condition.Name, holds bool, detail string) {
	c.health.note(name, holds, detail, time.Now())
}

// missing notes what is missing from the start.
func (c *Conductor) missing() {
	long := time.Now().Add(-time.Hour) // no grace: what is not configured does not come back
	c.health.note(condition.ReaderGone, c.Card == nil, "none is configured", long)
	c.health.note(condition.ScannerGone, c.Document == nil, "none is configured", long)
	c.health.note(condition.PrinterGone, c.Printer == nil, "none is configured", long)
	c.health.note(condition.LinkDown, c.Central == nil && c.Unenrolled == "", "none is configured", long)
	c.health.note(condition.NotEnrolled, c.Unenrolled != "", c.Unenrolled, long)
	c.health.note(condition.ConfigurationFaulty, c.Out != "", c.Out, long)
	c.health.note(condition.ReplicaLost, c.Replica == nil, because(c.ReplicaError), long)
	c.health.tick(time.Now())
}

// disk notes a disk that fills up: below a twentieth nothing is safe.
func (c *Conductor) disk() {
	if c.DiskFree == nil {
		return
	}
	free, err := c.DiskFree()
	c.note(condition.DiskLow, err == nil && free < 0.05, fmt.Sprintf("%.1f %% is free", 100*free))
}

// devices tells the machine what the kiosk can do, where that has changed.
func (c *Conductor) devices() {
	seen := visit.DevicesSeen{Ready: c.ready, Printer: printerWord(c.printer.State), OutOfOrder: c.outOfOrder()}
	if c.Printer == nil {
		seen.Printer = visit.PrinterUnplugged
	}
	seen.Calls = c.calls()
	if c.state.Calls != seen.Calls || c.state.Ready != seen.Ready || c.state.Paper != seen.Printer || c.state.OutOfOrder != seen.OutOfOrder {
		c.step(seen)
	}
}

// calls says what becomes of a call for a host.
func (c *Conductor) calls() visit.Calls {
	holds := c.health.set.Holds // at once: somebody waits for a host
	switch {
	case c.courier == nil, holds(condition.ReplicaLost), holds(condition.DiskFull), holds(condition.NotEnrolled),
		holds(condition.Refused):
		return visit.CallsNever
	case holds(condition.LinkDown), holds(condition.CentralSuspect), holds(condition.KeysWithheld):
		return visit.CallsLater
	}
	return visit.CallsGo
}

// outOfOrder says why no seats are given, the worst first.
func (c *Conductor) outOfOrder() visit.Trouble {
	holds := c.health.counts.Holds
	switch {
	case holds(condition.ReplicaLost), holds(condition.DiskFull), holds(condition.ConfigurationFaulty),
		holds(condition.CentralSuspect), holds(condition.NotEnrolled), holds(condition.Refused),
		holds(condition.KeysWithheld), holds(condition.PlannedStop):
		return visit.TroubleOutOfService
	case !c.alone.Load() && (holds(condition.LinkDown) || holds(condition.ClockUnknown)):
		return visit.TroubleCentral
	case holds(condition.ReaderGone) && holds(condition.ScannerGone):
		return visit.TroubleReader
	case !c.health.counts.Can(condition.GiveSeats, condition.LinkDown, condition.ClockUnknown):
		return visit.TroublePrinter
	}
	return visit.TroubleNone
}

// printerConditions are what each state of a printer is called.
var printerConditions = map[printer.State]condition.Name{
	printer.Gone: condition.PrinterGone, printer.Unknown: condition.PrinterSilent, printer.PaperOut: condition.PaperOut,
	printer.PaperLow: condition.PaperLow, printer.CoverOpen: condition.CoverOpen, printer.CutterError: condition.PrinterError,
	printer.Error: condition.PrinterError, printer.Offline: condition.PrinterError,
}

// printerWord is what a state of the printer is called before players.
func printerWord(state printer.State) visit.Printer {
	switch state {
	case printer.Ready, printer.Untold:
		return visit.PrinterOK
	case printer.PaperLow:
		return visit.PrinterLow
	case printer.PaperOut:
		return visit.PrinterOut
	case printer.CoverOpen:
		return visit.PrinterOpen
	case printer.Gone:
		return visit.PrinterUnplugged
	case printer.Unknown:
		return visit.PrinterSilent
	}
	return visit.PrinterError
}
