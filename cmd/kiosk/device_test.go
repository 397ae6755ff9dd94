package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"reelkiosk/devices/emulator"
	"reelkiosk/devices/port"
	"reelkiosk/devices/printer"
)

// device plugs an emulated reader in until the script ends.
func device(ts *testscript.TestScript, _ bool, args []string) {
	line, err := emulator.OpenLine(ts.MkAbs(args[0]))
	ts.Check(err)
	ts.Check(line.Beside())
	own := port.Settings{}
	own.Baud, err = strconv.Atoi(args[1])
	ts.Check(err)
	ts.Check(own.Parity.UnmarshalText([]byte(args[2])))
	line.Device(own)
	frame, err := strconv.Unquote(`"` + args[3] + `"`)
	ts.Check(err)
	swipes := emulator.NewCardReader(line, emulator.CardSetup{})
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		// Longer than what ends a burst, so that each swipe is one of its own.
		for ticker := time.NewTicker(700 * time.Millisecond); ; {
			select {
			case <-stop:
				ticker.Stop()
				return
			case <-ticker.C:
				_ = swipes.Send([]byte(frame)) // whoever listens hears it, and nobody need listen
			}
		}
	}()
	ts.Defer(func() {
		close(stop)
		<-stopped
		_ = line.Close()
	})
}

// profile cuts the profile out of what kiosk read --find printed.
func profile(ts *testscript.TestScript, _ bool, args []string) {
	_, text, found := strings.Cut(ts.ReadFile(args[0]), "profile = \"NAME.toml\":\n\n")
	if !found {
		ts.Fatalf("no profile in %s", args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o600))
}

// ticketPrinter plugs an emulated printer in until the script ends.
func ticketPrinter(ts *testscript.TestScript, _ bool, args []string) {
	line, err := emulator.OpenLine(ts.MkAbs(args[0]))
	ts.Check(err)
	model, _ := printer.ProfileNamed("epson-48")
	press := emulator.NewPrinter(line, model, emulator.Haste(0))
	emptied := make(chan struct{})
	go func() {
		defer close(emptied)
		for range press.Tickets() { // somebody takes what comes out, until Close
		}
	}()
	ts.Defer(func() {
		_ = line.Close()
		press.Close()
		<-emptied
	})
	if len(args) > 1 {
		trouble, err := emulator.ParseTrouble(args[1])
		ts.Check(err)
		press.Begin(trouble)
	}
}

// configure writes a configuration whose devices the script plugs in.
func configure(ts *testscript.TestScript, _ bool, args []string) {
	text := fmt.Sprintf(`name = "kiosk-3"
central = %q
data = %q
[[reader]]
role = "card"
profile = "magstripe"
port = %q
[printer]
profile = "epson-48"
port = %q
`, ts.Getenv("CENTRAL"), ts.MkAbs("data"), ts.MkAbs("card"), ts.MkAbs("printer"))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o600))
}
