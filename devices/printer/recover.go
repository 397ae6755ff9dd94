package printer

import (
	"context"
	"errors"
	"slices"

	"reelkiosk/devices/printer/escpos"
)

// fillBytes is how many zeros complete any command that was cut short: more than a part holds.
const fillBytes = 8192

// torn is what a job that broke off left behind.
type torn struct {
	needed bool  // the printer must be brought back before the next job
	whole  bool  // all of the job was sent and may still be printed
	headed bool  // a command cut short in its head has been ended
	job    JobID // the job
}

// recover brings back a printer that a job left in the middle of something, and cuts off what stands on the paper. The
// printer must be ready. Afterwards it is known to have taken it; or the error says why not, and it has to be tried
// again.
func (p *Printer) recover(ctx context.Context) error {
	end, err := Encode(p.profile, Document{Cut{}})
	if err != nil {
		return err
	}
	placed, question := p.newMark()
	fill := mustEncode(escpos.Nothing{Bytes: fillBytes})
	if placed != nil {
		placed.rows = cutRows
	}
	if _, err := p.writeTo(ctx, placed, slices.Concat(fill, end, question)); err != nil {
		return err
	}
	if placed != nil {
		if err := p.awaitAlone(ctx, placed); err != nil {
			return err
		}
	}
	p.pushing = p.profile.Push
	p.torn = torn{}
	return nil
}

// awaitAlone waits for a mark, and leaves none out. Answers to GS r are told apart only by their order, and a printer
// that lost its power meanwhile forgot what it was asked before: once it has answered something and fallen silent, it
// has answered everything.
func (p *Printer) awaitAlone(ctx context.Context, placed *mark) error {
	most := p.timeFor(p.marks)
	for !placed.reported {
		waiting := len(p.marks)
		err := p.await(ctx, most, func() bool { return placed.reported || len(p.marks) < waiting })
		switch {
		case errors.Is(err, errTime) && most == p.patience && placed.id == "":
			p.forget()
			return nil
		case err != nil:
			return err
		}
		if placed.id == "" {
			most = p.patience
		}
	}
	return nil
}
