package main

import (
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"reelkiosk/devices/emulator"
	"reelkiosk/devices/port"
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
