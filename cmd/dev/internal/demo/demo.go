// Package demo plays an evening on a floor: short commands from a terminal or a script move cards, documents, paper and
// plugs, and each ticket is shown as it comes out of the printer.
package demo

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"reelkiosk/cmd/dev/internal/floor"
)

// Evening is one run of the demo.
type Evening struct {
	floor *floor.Floor
	// Tickets is the folder that takes each ticket's picture and text.
	Tickets string

	mu      sync.Mutex // guards what follows
	out     io.Writer
	printed int
	fresh   chan struct{} // closed when another ticket was printed
}

// ErrQuit ends an evening.
var ErrQuit = errors.New("the evening is over")

// New begins an evening on a floor. Tickets are kept in that folder; what is said goes to out.
func New(on *floor.Floor, tickets string, out io.Writer) *Evening {
	return &Evening{floor: on, Tickets: tickets, out: out, fresh: make(chan struct{})}
}

// Play carries out commands, a line each, until they end or ctx does. At a terminal a wrong command says what is wrong
// and the evening goes on; a script, whose commands are said as they are carried out, ends at its first mistake, whose error
// names the line.
func (e *Evening) Play(ctx context.Context, commands io.Reader, terminal bool) error {
	lines := make(chan string)
	go func() { // ends with the process where the terminal never gives another line
		defer close(lines)
		scanner := bufio.NewScanner(commands)
		for scanner.Scan() {
			select {
			case lines <- scanner.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	for number := 1; ; number++ {
		if terminal {
			e.say("> ")
		}
		select {
		case <-ctx.Done():
			return nil
		case <-e.floor.Kiosk.Ended():
			return nil // closing the floor says why
		case <-e.floor.Central.Ended():
			return nil
		case line, open := <-lines:
			if !open {
				return nil
			}
			if !terminal {
				e.say("> %s\n", line)
			}
			err := e.Do(ctx, line)
			switch {
			case errors.Is(err, ErrQuit):
				return nil
			case err != nil && !terminal:
				return fmt.Errorf("line %d, %q: %w", number, line, err)
			case err != nil:
				e.say("%v\n", err)
			}
		}
	}
}

// ShowTickets shows each ticket as it is printed, until ctx ends.
func (e *Evening) ShowTickets(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case ticket := <-e.floor.Printer.Tickets():
			if strings.TrimSpace(ticket.Text) == "" {
				e.say("\na blank piece of paper was torn off with the old roll\n")
				continue
			}
			e.mu.Lock()
			name := fmt.Sprintf("ticket-%d", e.printed+1)
			err := ticket.Save(e.Tickets, name)
			e.printed++
			close(e.fresh)
			e.fresh = make(chan struct{})
			e.mu.Unlock()
			if err != nil {
				e.say("\nthe ticket could not be kept: %v\n", err)
			}
			e.say("\n%s\n%s/%s.png\n", frame(ticket.Text), e.Tickets, name)
		}
	}
}

// AwaitTicket waits until that many tickets have been printed in all.
func (e *Evening) AwaitTicket(ctx context.Context, count int) error {
	for {
		e.mu.Lock()
		printed, fresh := e.printed, e.fresh
		e.mu.Unlock()
		if printed >= count {
			return nil
		}
		select {
		case <-fresh:
		case <-ctx.Done():
			return fmt.Errorf("%d tickets came out, want %d: %w", printed, count, ctx.Err())
		}
	}
}

func (e *Evening) say(format string, values ...any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	fmt.Fprintf(e.out, format, values...)
}

// frame draws an outline around a ticket's text, so that it stands apart from what the terminal says.
func frame(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	width := 0
	for _, line := range lines {
		width = max(width, len([]rune(line)))
	}
	var framed strings.Builder
	framed.WriteString("┌" + strings.Repeat("─", width+2) + "┐\n")
	for _, line := range lines {
		fmt.Fprintf(&framed, "│ %s%s │\n", line, strings.Repeat(" ", width-len([]rune(line))))
	}
	framed.WriteString("└" + strings.Repeat("─", width+2) + "┘")
	return framed.String()
}
