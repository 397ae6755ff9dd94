package printer_test

import (
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"

	"reelkiosk/devices/emulator"
	"reelkiosk/devices/port"
	"reelkiosk/devices/printer"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience is how long a test on a real terminal waits for what must happen.
const patience = 20 * time.Second

// pulled is a line whose cable comes out once the printer has read so many bytes.
type pulled struct {
	*emulator.Line
	how  emulator.Path
	left int // 0: it stays in
	errs chan error
}

func (p *pulled) Read(into []byte) (int, error) {
	if p.left > 0 {
		into = into[:min(len(into), p.left)]
	}
	n, err := p.Line.Read(into)
	if p.left > 0 {
		if p.left -= n; p.left == 0 {
			p.errs <- p.Line.Unplug(p.how)
		}
	}
	return n, err
}

func TestOnATerminalACableThatComesOutLeavesOneTicketAtMost(t *testing.T) {
	for name, how := range map[string]emulator.Path{"hung up": emulator.Hangup, "vanished": emulator.Vanish} {
		t.Run(name, func(t *testing.T) {
			profile := profileNamed(t, "epson-48")
			profile.Baud = 115200
			line, err := emulator.OpenLine(filepath.Join(t.TempDir(), "by-id", "printer"))
			if err != nil {
				t.Fatal(err)
			}
			cable := &pulled{Line: line, how: how, errs: make(chan error, 1)}
			device := emulator.NewPrinter(cable, profile, emulator.Haste(0))
			under := printer.New(profile, port.Keep(port.Settings{Name: line.Link(), Baud: profile.Baud}))
			defer func() {
				if err := under.Close(); err != nil {
					t.Error(err)
				}
				line.Close()
				device.Close()
			}()
			awaitState(t, under, printer.Ready)
			if outcome := under.Print(t.Context(), "first", seatTicket(1)); outcome.Result != printer.Printed {
				t.Fatalf("%+v", outcome)
			}
			awaitText(t, device, number(1))

			cable.left = 700
			outcome := under.Print(t.Context(), "second", seatTicket(2))
			if outcome.Result != printer.Unconfirmed || outcome.Reason != printer.Lost {
				t.Fatalf("unplugged in the middle: %+v", outcome)
			}
			if err := <-cable.errs; err != nil {
				t.Fatal(err)
			}
			awaitState(t, under, printer.Gone)
			if err := line.Replug(); err != nil {
				t.Fatal(err)
			}
			awaitState(t, under, printer.Ready)
			if outcome := under.Print(t.Context(), "third", seatTicket(3)); outcome.Result != printer.Printed {
				t.Fatalf("after plugging in again: %+v", outcome)
			}
			awaitText(t, device, number(3))
		})
	}
}

// awaitState waits until the printer is in a state.
func awaitState(t *testing.T, under *printer.Printer, state printer.State) {
	t.Helper()
	for end := time.Now().Add(patience); ; {
		if status := under.Status(t.Context()); status.State == state {
			return
		} else if time.Now().After(end) {
			t.Fatalf("the printer is %v after %v, wanted %v", status.State, patience, state)
		}
		select {
		case <-under.Changes():
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// awaitText waits for a piece of paper whose QR code has a number; what was left of another job may come before.
func awaitText(t *testing.T, device *emulator.Printer, number string) {
	t.Helper()
	for end := time.After(patience); ; {
		select {
		case paper := <-device.Tickets():
			if scan(t, paper) == number {
				return
			}
		case <-end:
			t.Fatalf("no ticket %s", number)
		}
	}
}
