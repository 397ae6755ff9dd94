package printer

import (
	"context"
	"errors"
	"time"

	"reelkiosk/devices/port"
	"reelkiosk/devices/printer/escpos"
)

const (
	// fresh is how soon a printer answers, whatever else it does.
	fresh = time.Second
	// quiet is how long it must have said nothing before an answer that was given up on can be taken for gone.
	quiet = 100 * time.Millisecond
	// moment is how long a job need not ask again after its caller was told that the printer is ready: a seat is given in
	// between, and nobody changes a roll in that time.
	moment = 250 * time.Millisecond
)

// check asks the printer how it is.
func (p *Printer) check(ctx context.Context) Status {
	p.drain()
	switch {
	case !p.open:
		if p.status.State != Gone {
			return p.tell(Unknown, nil) // not opened yet
		}
		return p.tell(Gone, p.status.Err)
	case !p.profile.Asked:
		return p.tell(Untold, nil)
	}
	var said []escpos.Message
	for _, question := range []escpos.Question{escpos.AskOffline, escpos.AskPaper} {
		answer, err := p.ask(ctx, question)
		switch {
		case ctx.Err() != nil, p.life.Err() != nil:
			return Status{State: Unknown, At: time.Now(), Err: err} // broken off, which says nothing of the printer
		case err != nil:
			return p.unanswered(err)
		}
		said = append(said, answer)
	}
	if said[0].Has(escpos.AnError) {
		// Which error it is, is worth a question, not a verdict: some models answer only the first two.
		if answer, err := p.ask(ctx, escpos.AskError); err == nil {
			said = append(said, answer)
		}
	}
	return p.tell(stateOf(said...), nil)
}

// unanswered keeps the state of a printer that did not answer.
func (p *Printer) unanswered(err error) Status {
	switch {
	case !p.open:
		return p.tell(Gone, p.status.Err)
	case errors.Is(err, port.ErrGone):
		return p.tell(Gone, err)
	}
	return p.tell(Unknown, nil)
}

// ask puts a DLE EOT and returns its answer, a fresh one: whatever came before is taken first. It must not be called in
// the middle of a command that is still to be completed.
func (p *Printer) ask(ctx context.Context, question escpos.Question) (escpos.Message, error) {
	p.drain()
	if p.stale {
		p.awaitQuiet(ctx)
	}
	if err := p.conn.Write(ctx, mustEncode(p.lead(), escpos.Ask{What: question})); err != nil {
		return escpos.Message{}, err
	}
	p.answer = escpos.Message{}
	p.decoder.Expect(question)
	defer p.decoder.Withdraw(question)
	wanted := escpos.Kind(question.String())
	err := p.wait(ctx, fresh, func() bool { return p.answer.Kind == wanted || !p.open })
	switch {
	case err != nil:
		p.stale = true
		return escpos.Message{}, err
	case !p.open:
		return escpos.Message{}, port.ErrGone
	}
	return p.answer, nil
}

// lead is what must stand before a question: nothing, between commands. A command that was cut short in its head would take
// the question's bytes for its lengths, and then wait for megabytes; as many zeros as the longest head has end it, and
// print nothing. One that was cut short in its data may have the question for data.
func (p *Printer) lead() escpos.Nothing {
	const longestHead = 16
	if !p.torn.needed || p.torn.headed {
		return escpos.Nothing{}
	}
	p.torn.headed = true
	return escpos.Nothing{Bytes: longestHead}
}

// awaitQuiet waits until the printer has said nothing for a while, a second at most.
func (p *Printer) awaitQuiet(ctx context.Context) {
	p.stale = false
	for end := time.Now().Add(fresh); time.Now().Before(end); {
		heard := false
		timer := time.NewTimer(quiet)
		select {
		case event, open := <-p.events:
			p.take(event, open)
			heard = true
		case <-timer.C:
		case <-ctx.Done():
		case <-p.life.Done():
		}
		timer.Stop()
		if !heard {
			return
		}
	}
}
