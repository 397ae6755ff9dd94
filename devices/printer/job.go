package printer

import (
	"context"
	"errors"
	"slices"
	"time"

	"reelkiosk/devices/port"
	"reelkiosk/devices/printer/escpos"
)

// print is Print, on the owning goroutine.
func (p *Printer) print(ctx context.Context, job JobID, document Document) Outcome {
	parts, err := encode(p.profile, document)
	if err != nil {
		return Outcome{Result: NotStarted, Status: p.status, Err: err}
	}
	p.drain()
	status := p.status
	if !p.justAsked(time.Now()) {
		status = p.check(ctx)
	}
	p.lost = false
	if err := ctx.Err(); err != nil || !status.CanPrint() {
		return Outcome{Result: NotStarted, Status: status, Err: err}
	}
	p.confirmProcessed()
	if p.torn.needed {
		if err := p.recover(ctx); err != nil {
			return Outcome{Result: NotStarted, Status: p.notBegun(ctx, err), Err: err}
		}
	}
	last, sent, err := p.send(ctx, job, parts)
	switch {
	case err != nil && sent == 0:
		return Outcome{Result: NotStarted, Status: p.notBegun(ctx, err), Err: err}
	case err != nil:
		return p.broken(ctx, job, err)
	}
	p.pushing = p.profile.Push
	return p.awaitReport(ctx, job, last)
}

// justAsked reports whether a caller was told a moment ago that the printer is ready, and nothing else was heard since. It
// counts for one job. A question takes the line's time and, behind some adapters, 16 ms more; a player waits for it.
func (p *Printer) justAsked(now time.Time) bool {
	asked := p.asked
	p.asked = time.Time{}
	return p.open && !p.torn.needed && p.status.State == Ready && !asked.IsZero() && now.Sub(asked) < moment
}

// send sends the parts of a job, each when the printer can hold it. It returns the mark at the end, if the model has
// marks, and how many bytes went out at most.
func (p *Printer) send(ctx context.Context, job JobID, parts []part) (last *mark, sent int, err error) {
	var printing time.Duration // of the parts that must be printed before the next, where the printer does not tell
	start := time.Now()
	for at, part := range parts {
		placed, question := p.newMark()
		if placed == nil && at > 1 {
			printing += p.mechanism(parts[at-2].rows)
			if err := p.pause(ctx, time.Until(start.Add(printing))); err != nil {
				return nil, sent, err
			}
		}
		if err := p.awaitRoom(ctx); err != nil {
			return nil, sent, err
		}
		if placed != nil {
			placed.rows, placed.ends, placed.job = part.rows, at == len(parts)-1, job
		}
		written, err := p.writeTo(ctx, placed, slices.Concat(part.bytes, question))
		sent += written
		if err != nil {
			return nil, sent, err
		}
		last = placed
	}
	return last, sent, nil
}

// awaitReport waits until the printer reports that all of a job is done.
func (p *Printer) awaitReport(ctx context.Context, job JobID, last *mark) Outcome {
	if last == nil {
		return Outcome{Result: Unconfirmed, Reason: NeverTells, Status: p.status}
	}
	err := p.await(ctx, p.timeFor(p.marks), func() bool { return last.reported })
	if err == nil && last.id == "" && !p.check(ctx).CanPrint() {
		// Processed is not printed: a printer that stopped at the end would have answered all the same.
		err = errTime
	}
	if err == nil {
		return Outcome{Result: Printed, Status: p.status}
	}
	outcome := p.broken(ctx, job, err)
	// What was sent whole and not thrown away may still be printed and reported; but a ticket that began on one roll of
	// paper and ends on another is none.
	p.torn.whole = outcome.Reason == NoAnswer ||
		outcome.Reason == Stopped && outcome.Status.State != PaperOut && !p.profile.Clear
	if last.id != "" && (p.torn.whole || outcome.Reason == Lost) {
		p.late[last.id] = job
	}
	return outcome
}

// broken ends a job of which something was sent and that was not reported.
func (p *Printer) broken(ctx context.Context, job JobID, err error) Outcome {
	p.torn = torn{needed: true, job: job}
	if ctx.Err() != nil || p.life.Err() != nil {
		return Outcome{Result: Unconfirmed, Reason: Abandoned, Status: p.status, Err: err}
	}
	status := p.afterError(err)
	if p.lost || !p.open || errors.Is(err, port.ErrGone) {
		return Outcome{Result: Unconfirmed, Reason: Lost, Status: status, Err: err}
	}
	if !errors.Is(err, errStopped) {
		status = p.check(ctx)
	}
	outcome := Outcome{Result: Unconfirmed, Reason: NoAnswer, Status: status, Err: err}
	switch {
	case status.State.stopped():
		outcome.Reason = Stopped
		p.clear(ctx)
	case status.State == Gone, errors.Is(err, port.ErrStuck):
		outcome.Reason = Lost
	}
	return outcome
}

// clear has the printer throw away what it holds, where it can. Like a question it is taken at once and prints nothing;
// without it the rest would come out by itself after the paper was changed.
func (p *Printer) clear(ctx context.Context) {
	if !p.profile.Clear {
		return
	}
	if err := p.conn.Write(ctx, mustEncode(escpos.ClearBuffers{})); err == nil {
		p.forget()
	}
}

// notBegun returns how the printer is after it took nothing of a job that it said it was ready for: not known to be well.
func (p *Printer) notBegun(ctx context.Context, err error) Status {
	status := p.afterError(err)
	if status.CanPrint() && ctx.Err() == nil {
		return Status{State: Unknown, At: time.Now(), Err: err}
	}
	return status
}

// afterError returns how the printer is after a write or a wait failed.
func (p *Printer) afterError(err error) Status {
	if errors.Is(err, port.ErrGone) && p.open {
		return p.tell(Gone, err) // the port will say so too
	}
	return p.status
}
