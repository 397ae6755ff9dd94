package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"reelkiosk/devices/port"
	"reelkiosk/devices/printer"
	"reelkiosk/kiosk"
	"reelkiosk/kiosk/config"
	"reelkiosk/kiosk/ticket"
)

type printTestCommand struct {
	Config  string `required:"" placeholder:"FILE" help:"The configuration file."`
	Port    string `placeholder:"LINK" help:"The printer's port, where it is not the configuration's."`
	Profile string `placeholder:"NAME" help:"The printer's profile, where it is not the configuration's."`
	JSON    bool   `name:"json" help:"Print JSON."`
}

// Run prints a test page: by the kiosk that runs, which owns the printer, or else itself.
func (c printTestCommand) Run(to io.Writer) error {
	settings, faulty := config.Load(c.Config)
	if err := c.fill(&settings); err != nil {
		return errors.Join(err, faulty)
	}
	look, _ := looksOf(settings) // of the defaults where the configuration has mistakes
	if look.phrases == nil {
		return errors.New("the phrases cannot be read")
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	asked := kiosk.TestAsked{Property: look.house.Name, Profile: settings.Printer.Profile.Name}
	printed, err := kiosk.RunningTestPage(ctx, filepath.Join(settings.Data, socketFile), asked)
	by := "the kiosk that runs"
	if errors.Is(err, kiosk.ErrNotRunning) {
		by, err = "this command, since no kiosk runs", nil
		printed = c.print(ctx, settings, look)
	}
	if err != nil {
		return err
	}
	if c.JSON {
		err = json.NewEncoder(to).Encode(printed)
	} else {
		err = say(to, printed, by)
		if paper, unread := kiosk.ReadPaper(filepath.Join(settings.Data, paperFile)); unread == nil && paper.Documents > 0 && c.Port == "" {
			fmt.Fprintf(to, "paper: %v\n", paper)
		}
	}
	if err == nil && !printed.Right() {
		err = errors.New("the test page was not printed, as far as is known")
	}
	return err
}

// fill takes the printer from the command line.
func (c printTestCommand) fill(settings *config.Config) error {
	if settings.Printer == nil {
		settings.Printer = &config.Printer{}
	}
	if c.Profile != "" {
		found, is := printer.ProfileNamed(c.Profile)
		if !is {
			return fmt.Errorf("no printer profile %q", c.Profile)
		}
		settings.Printer.Profile = found
		settings.Printer.Port.Baud = found.Baud
	}
	if c.Port != "" {
		settings.Printer.Port.Name = c.Port
	}
	if settings.Printer.Profile.Name == "" || settings.Printer.Port.Name == "" {
		return errors.New("no printer is configured; give --port LINK and --profile NAME")
	}
	return nil
}

// answerTime is how long a printer may take to open and to say how it is.
const answerTime = 5 * time.Second

// print prints the page on a port that nobody else has.
func (c printTestCommand) print(ctx context.Context, settings config.Config, look looks) kiosk.TestPrinted {
	press := printer.New(settings.Printer.Profile, port.Keep(settings.Printer.Port, port.Beside(settings.Printer.Port.Name)))
	defer press.Close()
	awaitPrinter(ctx, press)
	counted := kiosk.Printer(press)
	if c.Port == "" { // it is the kiosk's own
		counted = kiosk.CountPaper(press, settings.Printer.Profile, filepath.Join(settings.Data, paperFile), time.Now)
	}
	page := ticket.Test{Property: look.house.Name, Printer: settings.Printer.Profile.Name, Kiosk: settings.Name, Issued: time.Now()}
	return kiosk.PrintTestPage(ctx, counted, page, look.say(look.languages[0]))
}

// awaitPrinter waits until a printer has said how it is, for so long as that may take.
func awaitPrinter(ctx context.Context, press *printer.Printer) printer.Status {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	for {
		status := press.Status(ctx)
		if status.State != printer.Unknown || ctx.Err() != nil {
			return status
		}
		select {
		case <-ctx.Done():
		case <-press.Changes():
		case <-time.After(lookEvery):
		}
	}
}

func say(to io.Writer, printed kiosk.TestPrinted, by string) error {
	_, err := fmt.Fprintf(to, "test page: %s, by %s\nprinter: %s\n", printed.Result, by, printed.Printer)
	if printed.Reason != "" {
		fmt.Fprintf(to, "why: %s\n", printed.Reason)
	}
	if printed.Detail != "" {
		fmt.Fprintf(to, "detail: %s\n", printed.Detail)
	}
	if printed.Do != "" {
		fmt.Fprintf(to, "%s\n", printed.Do)
	}
	return err
}
