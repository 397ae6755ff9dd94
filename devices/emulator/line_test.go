package emulator_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"

	"reelkiosk/devices/emulator"
	"reelkiosk/devices/port"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience is how long a test waits for what must happen.
const patience = 10 * time.Second

func openLine(t *testing.T) *emulator.Line {
	t.Helper()
	line, err := emulator.OpenLine(filepath.Join(t.TempDir(), "by-id", "device"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { line.Close() })
	return line
}

// keep opens the computer's end of a line and waits until it is open.
func keep(t *testing.T, line *emulator.Line, settings port.Settings, options ...port.Option) *port.Port {
	t.Helper()
	settings.Name = line.Link()
	if settings.Baud == 0 {
		settings.Baud = 9600
	}
	kept := port.Keep(settings, options...)
	t.Cleanup(func() { kept.Close() })
	await(t, kept, port.Opened)
	return kept
}

// await returns the next event, which must be of that kind.
func await(t *testing.T, conn port.Conn, kind port.EventKind) port.Event {
	t.Helper()
	select {
	case event := <-conn.Events():
		if event.Kind != kind {
			t.Fatalf("%v %q (%v), wanted %v", event.Kind, event.Data, event.Err, kind)
		}
		return event
	case <-time.After(patience):
		t.Fatalf("no event in %v, wanted %v", patience, kind)
	}
	panic("unreachable")
}

// awaitBytes waits until as many bytes have come as are wanted, and compares.
func awaitBytes(t *testing.T, conn port.Conn, want string) {
	t.Helper()
	var got []byte
	for len(got) < len(want) {
		got = append(got, await(t, conn, port.Data).Data...)
	}
	if string(got) != want {
		t.Fatalf("came %q, wanted %q", got, want)
	}
}

func TestALineCarriesBytesBothWays(t *testing.T) {
	line := openLine(t)
	kept := keep(t, line, port.Settings{})
	if _, err := line.Write([]byte("from the device")); err != nil {
		t.Fatal(err)
	}
	awaitBytes(t, kept, "from the device")
	if err := kept.Write(context.Background(), []byte("from the computer")); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, len("from the computer"))
	if _, err := io.ReadFull(line, got); err != nil || string(got) != "from the computer" {
		t.Errorf("the device read %q (%v)", got, err)
	}
}

func TestALineOutlivesWhoeverOpensIt(t *testing.T) {
	line := openLine(t)
	for range 3 {
		kept := keep(t, line, port.Settings{})
		if err := kept.Write(context.Background(), []byte("x")); err != nil {
			t.Fatal(err)
		}
		if n, err := line.Read(make([]byte, 8)); n != 1 || err != nil {
			t.Fatalf("the device read %d bytes (%v)", n, err)
		}
		if err := kept.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAnUnpluggedLine(t *testing.T) {
	for name, how := range map[string]emulator.Path{"hung up": emulator.Hangup, "vanished": emulator.Vanish} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			line := openLine(t)
			kept := keep(t, line, port.Settings{})
			was, _ := os.Readlink(line.Link())
			read := make(chan byte)
			go func() {
				one := make([]byte, 1)
				line.Read(one)
				read <- one[0]
			}()
			if err := line.Unplug(how); err != nil {
				t.Fatal(err)
			}
			await(t, kept, port.Gone)
			if _, err := os.Lstat(line.Link()); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the link is still there (%v)", err)
			}
			if _, err := line.Write([]byte("lost")); !errors.Is(err, emulator.ErrUnplugged) {
				t.Errorf("the device writes with the cable out: %v", err)
			}
			if err := line.Unplug(how); !errors.Is(err, emulator.ErrUnplugged) {
				t.Errorf("unplugged twice: %v", err)
			}
			if err := line.Replug(); err != nil {
				t.Fatal(err)
			}
			if err := line.Replug(); !errors.Is(err, emulator.ErrPluggedIn) {
				t.Errorf("plugged in twice: %v", err)
			}
			if is, _ := os.Readlink(line.Link()); is == was {
				t.Errorf("came back under its old number %s", is)
			}
			await(t, kept, port.Opened)
			if err := kept.Write(context.Background(), []byte("x")); err != nil {
				t.Fatal(err)
			}
			if got := <-read; got != 'x' {
				t.Errorf("the read that waited through it all got %q", got)
			}
		})
	}
}

func TestALineTakesOverALinkAndNothingElse(t *testing.T) {
	folder := t.TempDir()
	stale := filepath.Join(folder, "stale")
	if err := os.Symlink("/dev/pts/9999", stale); err != nil {
		t.Fatal(err)
	}
	line, err := emulator.OpenLine(stale)
	if err != nil {
		t.Fatalf("a link that a killed run left: %v", err)
	}
	line.Close()
	precious := filepath.Join(folder, "precious")
	if err := os.WriteFile(precious, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if line, err := emulator.OpenLine(precious); err == nil {
		line.Close()
		t.Error("a file was replaced by a link")
	}
}

func TestAClosedLineLeavesNothing(t *testing.T) {
	line := openLine(t)
	waiting := make(chan error)
	go func() {
		_, err := line.Read(make([]byte, 1))
		waiting <- err
	}()
	if err := errors.Join(line.Close(), line.Close()); err != nil {
		t.Fatal(err)
	}
	if err := <-waiting; !errors.Is(err, os.ErrClosed) {
		t.Errorf("the read that waited: %v", err)
	}
	if _, err := os.Lstat(line.Link()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the link is still there (%v)", err)
	}
	for what, err := range map[string]error{
		"write":  second(line.Write([]byte("x"))),
		"unplug": line.Unplug(emulator.Vanish),
		"replug": line.Replug(),
	} {
		if !errors.Is(err, os.ErrClosed) {
			t.Errorf("%s after Close: %v", what, err)
		}
	}
}

func second(_ int, err error) error { return err }

func TestALineThatNobodyReadsLosesBytes(t *testing.T) {
	line := openLine(t)
	keep(t, line, port.Settings{}).Close()
	job := bytes.Repeat([]byte("x"), 1<<20)
	if _, err := line.Write(job); !errors.Is(err, emulator.ErrUnread) {
		t.Errorf("write: %v, wanted %v", err, emulator.ErrUnread)
	}
}

func TestWhatTheComputerSetGarblesWhatTheDeviceSends(t *testing.T) {
	device := port.Settings{Baud: 2400}
	for name, test := range map[string]struct {
		computer port.Settings
		told     bool // else the line must find out by itself
		want     string
		clean    bool
	}{
		"the same":                {computer: port.Settings{Baud: 2400}, told: true, clean: true},
		"the same, untold":        {computer: port.Settings{Baud: 2400}, clean: true},
		"another speed":           {computer: port.Settings{Baud: 9600}, told: true},
		"another speed, untold":   {computer: port.Settings{Baud: 9600}},
		"another parity":          {computer: port.Settings{Baud: 2400, Parity: port.EvenParity}, told: true},
		"fewer data bits":         {computer: port.Settings{Baud: 2400, DataBits: 7}, told: true},
		"another number of stops": {computer: port.Settings{Baud: 2400, StopBits: 2}, told: true, clean: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			line := openLine(t)
			line.Device(device)
			var options []port.Option
			if test.told {
				options = append(options, port.Told(line.Settings))
			}
			kept := keep(t, line, test.computer, options...)
			const sent = "\n0F0184F07A\r"
			if _, err := line.Write([]byte(sent)); err != nil {
				t.Fatal(err)
			}
			line.Device(port.Settings{}) // from here on nothing is garbled
			if _, err := line.Write([]byte("|end|")); err != nil {
				t.Fatal(err)
			}
			var got []byte
			for !bytes.HasSuffix(got, []byte("|end|")) {
				got = append(got, await(t, kept, port.Data).Data...)
			}
			got = bytes.TrimSuffix(got, []byte("|end|"))
			if (string(got) == sent) != test.clean {
				t.Errorf("came %q", got)
			}
		})
	}
}
