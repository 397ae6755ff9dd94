// Package floor is a casino floor in small: a central store on bbolt, one kiosk with a card reader, an ID scanner and a
// ticket printer, a display, and people. Everything is real but the devices' far ends, which package emulator plays on
// pseudo-terminals, and the people, who are package cast.
//
// The demo, the end-to-end tests and the measurements stand on it.
package floor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"reelkiosk/cmd/dev/internal/books"
	"reelkiosk/cmd/dev/internal/cast"
	"reelkiosk/cmd/dev/internal/program"
	"reelkiosk/cmd/dev/internal/screen"
	"reelkiosk/devices/emulator"
	"reelkiosk/store/tournament"
)

// Options say what the floor is like.
type Options struct {
	// Programs is the folder of the built programs central, kiosk and reelctl.
	Programs string
	// Folder takes everything that is kept: books, keys, configuration, tickets, logs.
	Folder string
	// Width and Height are the display's size in pixels, for an Xvfb; Display names a display that is there instead.
	Width, Height int
	Display       string
	// Identification is how the kiosk wants to be shown who it is: either (the default), card, document or both.
	Identification string
	// FirstStart leaves it to the kiosk's own screen to have it enrolled.
	FirstStart bool
	// Without names the devices that are not plugged in when the kiosk starts: card, scanner, printer.
	Without []string
}

// Floor is a running floor.
type Floor struct {
	// Books are central and its books; their Client speaks as the Cash Desk would.
	*books.Books
	Kiosk   *program.Program
	Screen  *screen.Screen
	Card    *emulator.CardReader
	Scanner *emulator.Scanner
	Printer *emulator.Printer
	// Lines are the cables, by the names card, scanner and printer.
	Lines map[string]*emulator.Line
	// Trace follows what the kiosk shows.
	Trace *Trace
	// Players are the people; Receipts are the numbers of receipts without a name, by player.
	Players  []cast.Player
	Receipts map[string]string

	options  Options
	cable    *watched
	zone     *time.Location
	sequence uint64
}

// Open opens the floor: it writes the books of a tournament that is always playable now, starts central, fills in
// members, exclusions and purchases through reelctl, plugs the devices in and starts the kiosk. Close ends it all, also
// where Open failed half-way.
func Open(ctx context.Context, options Options) (*Floor, error) {
	zone, err := time.LoadLocation(books.Zone)
	if err != nil {
		return nil, err
	}
	f := &Floor{
		options: options, zone: zone, Receipts: map[string]string{},
		Lines: map[string]*emulator.Line{},
	}
	f.Players = cast.Players(f.Today())
	for _, step := range []func(context.Context) error{f.openBooks, f.sell, f.plugIn, f.openDisplay, f.StartKiosk} {
		if err := step(ctx); err != nil {
			return nil, errors.Join(err, f.Close())
		}
	}
	return f, nil
}

// Today returns the day in the tournament's zone.
func (f *Floor) Today() tournament.Date { return tournament.DateOf(time.Now().In(f.zone)) }

// Path returns the path of a file or folder of the floor.
func (f *Floor) Path(parts ...string) string {
	return filepath.Join(append([]string{f.options.Folder}, parts...)...)
}

// StartKiosk starts the kiosk, again where it was stopped.
func (f *Floor) StartKiosk(ctx context.Context) error {
	if err := os.WriteFile(f.Path("kiosk.toml"), []byte(f.configuration()), 0o666); err != nil {
		return err
	}
	if err := f.enrol(); err != nil {
		return err
	}
	environment := []string{"DISPLAY=" + f.Screen.Display(), "XDG_CACHE_HOME=" + f.Path("cache")}
	if f.Trace != nil {
		_ = f.Trace.close() // that of a kiosk that has ended
	}
	trace, err := newTrace()
	if err != nil {
		return err
	}
	kiosk, err := program.Start("kiosk", filepath.Join(f.options.Programs, "kiosk"), environment,
		"run", "--config", f.Path("kiosk.toml"), "--trace", trace.path)
	if err != nil {
		return errors.Join(err, trace.close())
	}
	f.Kiosk, f.Trace = kiosk, trace
	if _, err := f.Await(ctx, "the first screen", func(Shown) bool { return true }); err != nil {
		if kiosk.Running() { // otherwise the error has it
			err = fmt.Errorf("%w; the end of the kiosk's output:\n%s", err, kiosk.End())
		}
		return err
	}
	return nil
}

// enrol enrols the kiosk with central, unless it is.
func (f *Floor) enrol() error {
	if _, err := os.Stat(f.Path("kiosk", "identity.pem")); err == nil || f.options.FirstStart {
		return nil
	}
	code, err := f.Code(kioskName)
	if err != nil {
		return err
	}
	enrol := exec.Command(filepath.Join(f.options.Programs, "kiosk"), "enrol", "--config", f.Path("kiosk.toml"), "--code", code)
	if output, err := enrol.CombinedOutput(); err != nil {
		return fmt.Errorf("kiosk enrol: %w\n%s", err, output)
	}
	return nil
}

// Identify restarts the kiosk with another demand on who it is: either, card, document or both.
func (f *Floor) Identify(ctx context.Context, how string) error {
	f.options.Identification = how
	if err := f.Kiosk.Stop(); err != nil {
		return err
	}
	return f.StartKiosk(ctx)
}

// Close ends the kiosk, central and the display, in this order, and takes the devices away.
func (f *Floor) Close() error {
	var failures []error
	if f.Kiosk != nil {
		failures = append(failures, f.Kiosk.Stop())
	}
	if f.Trace != nil {
		failures = append(failures, f.Trace.close())
	}
	if f.Books != nil {
		failures = append(failures, f.Books.Close())
	}
	for _, line := range f.Lines {
		failures = append(failures, line.Close())
	}
	if f.Printer != nil {
		f.Printer.Close() // once its cable is gone: it waits for the end of that
	}
	if f.Screen != nil {
		f.Screen.Close()
	}
	return errors.Join(failures...)
}

func (f *Floor) openDisplay(context.Context) (err error) {
	if f.options.Display != "" {
		f.Screen, err = screen.Attach(f.options.Display)
	} else {
		f.Screen, err = screen.Start(f.options.Width, f.options.Height)
	}
	return err
}
