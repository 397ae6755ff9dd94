package kiosk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"

	"reelkiosk/devices/printer"
	"reelkiosk/store/durable"
)

// Paper is how much a printer has printed.
type Paper struct {
	// Documents and Millimetres are all that was printed since Since.
	Documents   int       `json:"documents"`
	Millimetres int       `json:"millimetres"`
	Since       time.Time `json:"since"`
	// RollDocuments and RollMillimetres are those since paper was last put in after it had run out.
	RollDocuments   int       `json:"roll_documents"`
	RollMillimetres int       `json:"roll_millimetres"`
	Roll            time.Time `json:"roll"`
}

// String is the count as a technician reads it.
func (p Paper) String() string {
	return fmt.Sprintf("%d documents, %.1f m, since %s; of this roll %d, %.1f m, since %s",
		p.Documents, float64(p.Millimetres)/1000, p.Since.Format(time.DateOnly),
		p.RollDocuments, float64(p.RollMillimetres)/1000, p.Roll.Format(time.DateTime))
}

// CountedPrinter is a printer whose paper is counted, in a file.
type CountedPrinter struct {
	Printer
	profile printer.Profile
	path    string
	now     func() time.Time

	mu    sync.Mutex // guards what follows
	paper Paper
	empty bool // the printer said that it has no paper
}

// CountPaper counts what a printer prints, on from what a file says. A file that cannot be read begins anew.
func CountPaper(press Printer, profile printer.Profile, path string, now func() time.Time) *CountedPrinter {
	counted := &CountedPrinter{Printer: press, profile: profile, path: path, now: now}
	counted.paper, _ = ReadPaper(path)
	return counted
}

// ReadPaper reads a count. Without the file it is zero.
func ReadPaper(path string) (paper Paper, err error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return paper, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &paper)
	}
	return paper, err
}

// Status is the printer's own.
func (c *CountedPrinter) Status(ctx context.Context) printer.Status {
	status := c.Printer.Status(ctx)
	c.saw(status)
	return status
}

// Print is the printer's own. What was printed, or may have been, is counted; that it could not be written down is no reason
// to say anything else of the document.
func (c *CountedPrinter) Print(ctx context.Context, job printer.JobID, document printer.Document) printer.Outcome {
	outcome := c.Printer.Print(ctx, job, document)
	if outcome.Result != printer.NotStarted {
		c.count(document)
	}
	c.saw(outcome.Status)
	return outcome
}

// saw notes that the paper ran out, or was put in.
func (c *CountedPrinter) saw(status printer.Status) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case status.State == printer.PaperOut:
		c.empty = true
	case c.empty && status.State.CanPrint():
		c.empty = false
		c.paper.RollDocuments, c.paper.RollMillimetres, c.paper.Roll = 0, 0, c.now()
		c.write()
	}
}

func (c *CountedPrinter) count(document printer.Document) {
	length, err := printer.Length(c.profile, document)
	if err != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.paper.Since.IsZero() {
		c.paper.Since, c.paper.Roll = c.now(), c.now()
	}
	c.paper.Documents++
	c.paper.RollDocuments++
	c.paper.Millimetres += length
	c.paper.RollMillimetres += length
	c.write()
}

// write keeps the count. mu is held. A count that is lost with a broken disk is the least that is lost.
func (c *CountedPrinter) write() {
	text, err := json.Marshal(c.paper)
	if err == nil {
		_ = durable.Replace(c.path, 0o600, func(file *os.File) error { _, err := file.Write(text); return err })
	}
}
