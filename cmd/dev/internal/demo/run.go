package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"reelkiosk/cmd/dev/internal/floor"
)

// Options say how a demo runs.
type Options struct {
	Floor floor.Options
	// Tickets is the folder that keeps the tickets' pictures and texts.
	Tickets string
	// Shots is the folder for a tour's pictures; with it no commands are read. Language is the tour's.
	Shots, Language string
}

// Run opens a floor in a temporary folder, plays the evening or the tour, and closes it again.
func Run(ctx context.Context, in *os.File, out io.Writer, options Options) (err error) {
	folder, err := os.MkdirTemp("", "reelkiosk-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	options.Floor.Folder = folder
	for _, folder := range []string{options.Tickets, options.Shots} {
		if folder == "" {
			continue
		}
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return err
		}
	}
	if err := clearTickets(options.Tickets); err != nil {
		return err
	}
	on, err := floor.Open(ctx, options.Floor)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, on.Close()) }()
	evening := New(on, options.Tickets, out)
	showing, stop := context.WithCancel(ctx)
	var group sync.WaitGroup
	group.Go(func() { evening.ShowTickets(showing) })
	defer group.Wait()
	defer stop()
	if options.Shots != "" {
		return evening.Tour(ctx, options.Shots, options.Language)
	}
	if err := on.AwaitBegun(ctx); err != nil {
		return err
	}
	width, height := on.Screen.Size()
	fmt.Fprintf(out, "the kiosk is on display %s (%d×%d), central on %s\n", on.Screen.Display(), width, height, on.Base())
	fmt.Fprintln(out, "try: people, swipe thandi, tap continue, tap accept, tap yes, tap take, help, quit")
	terminal, err := in.Stat()
	if err != nil {
		return err
	}
	return evening.Play(ctx, in, terminal.Mode()&os.ModeCharDevice != 0)
}

// clearTickets takes away the tickets of the evening before.
func clearTickets(tickets string) error {
	for _, end := range []string{"png", "txt"} {
		old, err := filepath.Glob(filepath.Join(tickets, "ticket-*."+end))
		if err != nil {
			return err
		}
		for _, path := range old {
			if err := os.Remove(path); err != nil {
				return err
			}
		}
	}
	return nil
}
