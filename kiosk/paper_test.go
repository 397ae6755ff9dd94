package kiosk

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"reelkiosk/devices/printer"
)

// saidPrinter is a printer that says what a test has it say.
type saidPrinter struct {
	state  printer.State
	result printer.Result
}

func (p *saidPrinter) Status(context.Context) printer.Status { return printer.Status{State: p.state} }
func (p *saidPrinter) Print(context.Context, printer.JobID, printer.Document) printer.Outcome {
	return printer.Outcome{Result: p.result, Status: printer.Status{State: p.state}}
}
func (p *saidPrinter) Changes() <-chan printer.Status      { return nil }
func (p *saidPrinter) Confirmations() <-chan printer.JobID { return nil }

func TestPaperIsCountedOverRollsAndRestarts(t *testing.T) {
	profile, _ := printer.ProfileNamed("epson-48")
	path := filepath.Join(t.TempDir(), "paper.json")
	day := time.Date(2026, 11, 30, 4, 0, 0, 0, time.UTC)
	now := func() time.Time { return day }
	document := printer.Document{printer.Space{Dots: 800}} // 100 mm
	press := &saidPrinter{printer.Ready, printer.Printed}
	counted := CountPaper(press, profile, path, now)
	counted.Print(t.Context(), "1", document)
	press.result = printer.Unconfirmed
	counted.Print(t.Context(), "2", document)
	press.state, press.result = printer.PaperOut, printer.NotStarted
	counted.Print(t.Context(), "3", document)
	day = day.AddDate(0, 0, 1)
	press.state, press.result = printer.PaperLow, printer.Printed
	counted.Status(t.Context())
	counted = CountPaper(press, profile, path, now)
	counted.Print(t.Context(), "4", document)

	got, err := ReadPaper(path)
	if err != nil || got.Documents != 3 || got.RollDocuments != 1 || got.Roll.Day() != 1 || got.Since.Day() != 30 {
		t.Errorf("%v, %v", got, err)
	}
	if got.Millimetres < 300 || got.Millimetres > 330 || got.RollMillimetres < 100 || got.RollMillimetres > 110 {
		t.Errorf("millimetres: %v", got)
	}
}
