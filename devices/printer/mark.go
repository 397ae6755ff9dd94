package printer

import (
	"context"
	"errors"
	"slices"
	"time"

	"reelkiosk/devices/printer/escpos"
)

// mark is a place in the stream of bytes that the printer reports to have reached: by a process id of its own, or by
// answering GS r in its turn.
type mark struct {
	id       string // of a process id; empty for GS r
	rows     int    // of paper moved since the mark before
	bytes    int    // sent since the mark before
	reported bool
	ends     bool  // a job ends here
	job      JobID // the job that ends here
}

// newMark returns a mark and the bytes to send at its place, or neither if the model has no such thing.
func (p *Printer) newMark() (*mark, []byte) {
	switch p.profile.Confirm {
	case ConfirmProcessID:
		id := processID(p.nextID)
		p.nextID = (p.nextID + 1) % processIDs
		return &mark{id: id}, mustEncode(escpos.ProcessID{ID: id})
	case ConfirmQueued:
		return &mark{}, mustEncode(escpos.Ask{What: escpos.AskPaperQueued})
	}
	return nil, nil
}

// processIDs is how many process ids there are: four characters of 95.
const processIDs = 95 * 95 * 95 * 95

// processID writes a number below processIDs as four characters from space to '~'.
func processID(number uint32) string {
	var id [4]byte
	for at := len(id) - 1; at >= 0; at-- {
		id[at] = byte(' ' + number%95)
		number /= 95
	}
	return string(id[:])
}

// writeTo writes bytes with a mark at their end, or without if the model has none, and returns how many went out at
// most. The mark is in line before its last byte is on the line: a quick printer answers while we still count.
func (p *Printer) writeTo(ctx context.Context, placed *mark, all []byte) (int, error) {
	if placed == nil {
		return p.write(ctx, all)
	}
	placed.bytes = len(all)
	p.marks = append(p.marks, placed)
	if placed.id == "" {
		p.decoder.Expect(escpos.AskPaperQueued)
	}
	sent, err := p.write(ctx, all)
	if at := slices.Index(p.marks, placed); sent < len(all) && at >= 0 {
		p.marks = slices.Delete(p.marks, at, at+1)
		p.decoder.Withdraw(escpos.AskPaperQueued)
	}
	return sent, err
}

// forget stops waiting for the marks that are out.
func (p *Printer) forget() {
	for range p.marks {
		p.decoder.Withdraw(escpos.AskPaperQueued)
	}
	p.marks = nil
}

// reported takes the report of a process id: that mark is reached, and so are those before it.
func (p *Printer) reported(id string) {
	for at, waiting := range p.marks {
		if waiting.id != id {
			continue
		}
		for _, reached := range p.marks[:at+1] {
			reached.reported = true
		}
		p.marks = p.marks[at+1:]
		break
	}
	if job, unconfirmed := p.late[id]; unconfirmed {
		delete(p.late, id)
		p.confirm(job)
	}
}

// answeredQueued takes an answer to GS r: they come in the order of the questions.
func (p *Printer) answeredQueued() {
	if len(p.marks) == 0 {
		return
	}
	reached := p.marks[0]
	p.marks = p.marks[1:]
	reached.reported = true
	if reached.ends && p.torn.needed && p.torn.whole && p.torn.job == reached.job {
		// Processed, late. It counts once the printer also says that it is well.
		p.processed = &reached.job
		p.due = true
	}
}

// confirm says that an unconfirmed job is printed after all. It left nothing behind, then.
func (p *Printer) confirm(job JobID) {
	if p.torn.job == job && p.torn.whole {
		p.torn = torn{}
	}
	p.confirmed = append(p.confirmed, job)
}

// await waits until done reports true, while it may be expected to and the printer goes on. Meanwhile the printer is
// asked how it is: not every model says by itself that it stopped. It returns errTime, errStopped, port.ErrGone or the
// context's error.
func (p *Printer) await(ctx context.Context, most time.Duration, done func() bool) error {
	end := time.Now().Add(most)
	for {
		err := p.wait(ctx, min(time.Until(end), fresh), func() bool { return done() || !p.running() })
		switch {
		case err == nil && done():
			return nil
		case err == nil:
			return p.stopping()
		case !errors.Is(err, errTime) || !time.Now().Before(end):
			return err
		}
		p.check(ctx)
	}
}

// awaitRoom waits until the printer can hold another part: until it has reported all marks but the last.
func (p *Printer) awaitRoom(ctx context.Context) error {
	return p.await(ctx, p.timeFor(p.marks), func() bool { return len(p.marks) <= 1 })
}

// timeFor is how long the printer may take to reach the marks that are out.
func (p *Printer) timeFor(marks []*mark) time.Duration {
	rows, sent := 0, 0
	for _, waiting := range marks {
		rows += waiting.rows
		sent += waiting.bytes
	}
	return 2*p.mechanism(rows) + p.onTheLine(sent) + p.patience
}

// mechanism is how long so many rows of paper take.
func (p *Printer) mechanism(rows int) time.Duration {
	return time.Duration(rows) * time.Second / time.Duration(p.profile.RowsPerSecond)
}

// onTheLine is how long so many bytes take.
func (p *Printer) onTheLine(sent int) time.Duration {
	return time.Duration(sent) * characterBits * time.Second / time.Duration(p.profile.Baud)
}
