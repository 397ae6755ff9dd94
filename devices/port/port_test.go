package port_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"reelkiosk/devices/emulator"
	"reelkiosk/devices/port"
)

func TestMain(m *testing.M) {
	if name := os.Getenv(holdVariable); name != "" {
		holdPort(name)
		return
	}
	goleak.VerifyTestMain(m)
}

// patience is how long a test waits for what must happen.
const patience = 10 * time.Second

// bench is a folder that stands for /dev, with one emulated cable under a by-id name.
type bench struct {
	dev  string
	name string // as it would be configured
	line *emulator.Line
}

func newBench(t *testing.T, device string) bench {
	t.Helper()
	dev := t.TempDir()
	line, err := emulator.OpenLine(filepath.Join(dev, "serial/by-id", device))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { line.Close() })
	return bench{dev, "/dev/serial/by-id/" + device, line}
}

func (b bench) keep(t *testing.T, options ...port.Option) *port.Port {
	t.Helper()
	kept := port.Keep(port.Settings{Name: b.name, Baud: 9600}, append(options, port.DevRoot(b.dev))...)
	t.Cleanup(func() { kept.Close() })
	return kept
}

// opened keeps the port of a bench and waits until it is open.
func (b bench) opened(t *testing.T, options ...port.Option) *port.Port {
	t.Helper()
	kept := b.keep(t, options...)
	await(t, kept, port.Opened)
	return kept
}

// await returns the next event, which must be of that kind.
func await(t *testing.T, conn port.Conn, kind port.EventKind) port.Event {
	t.Helper()
	select {
	case event, open := <-conn.Events():
		if !open {
			t.Fatalf("events ended, wanted %v", kind)
		}
		if event.Kind != kind {
			t.Fatalf("%v %q (%v), wanted %v", event.Kind, event.Data, event.Err, kind)
		}
		return event
	case <-time.After(patience):
		t.Fatalf("no event in %v, wanted %v", patience, kind)
	}
	panic("unreachable")
}

// awaitBytes collects data until as many bytes have come as are wanted, and compares.
func awaitBytes(t *testing.T, conn port.Conn, want []byte) {
	t.Helper()
	var got []byte
	for len(got) < len(want) {
		got = append(got, await(t, conn, port.Data).Data...)
	}
	if !bytes.Equal(got, want) {
		t.Fatalf("came %q, wanted %q", got, want)
	}
}

// awaitGone returns the reason, passing over data.
func awaitGone(t *testing.T, conn port.Conn) error {
	t.Helper()
	for {
		select {
		case event := <-conn.Events():
			if event.Kind == port.Gone {
				return event.Err
			}
		case <-time.After(patience):
			t.Fatal("port was not reported gone")
		}
	}
}

// until polls for what another goroutine does.
func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("did not happen in %v: %s", patience, what)
		}
	}
}

func send(t *testing.T, line *emulator.Line, p []byte) {
	t.Helper()
	if _, err := line.Write(p); err != nil {
		t.Fatal(err)
	}
}

// counted counts the reads and writes that reach tarm/serial.
type counted struct {
	port.Wire
	reads *atomic.Int64
}

func (c counted) Read(p []byte) (int, error) {
	c.reads.Add(1)
	return c.Wire.Read(p)
}

func countReads(reads *atomic.Int64) port.Option {
	return port.Through(func(wire port.Wire) port.Wire { return counted{wire, reads} })
}

func everyByte() []byte {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	return all
}

func TestBytesAreCleanBothWays(t *testing.T) {
	b := newBench(t, "reader")
	kept := b.opened(t)
	all := bytes.Repeat(everyByte(), 40)

	go b.line.Write(all)
	awaitBytes(t, kept, all)

	got := make(chan []byte, 1)
	go func() {
		read := make([]byte, len(all))
		io.ReadFull(b.line, read)
		got <- read
	}()
	if err := kept.Write(context.Background(), all); err != nil {
		t.Fatal(err)
	}
	if read := <-got; !bytes.Equal(read, all) {
		t.Error("the device heard other bytes than were written")
	}
}

func TestEventsAreStamped(t *testing.T) {
	b := newBench(t, "reader")
	moment := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	kept := b.keep(t, port.Clock(func() time.Time { return moment }))
	if event := await(t, kept, port.Opened); !event.At.Equal(moment) {
		t.Errorf("stamped %v, wanted %v", event.At, moment)
	}
}

// tarm/serial#27, #128: a read that timed out was taken for the end of the port.
func TestSilenceIsNotTakenForTheEnd(t *testing.T) {
	b := newBench(t, "reader")
	var reads atomic.Int64
	kept := b.opened(t, countReads(&reads))
	until(t, "several reads that time out", func() bool { return reads.Load() > 4 })
	send(t, b.line, []byte("still here"))
	awaitBytes(t, kept, []byte("still here"))
}

// tarm/serial#129: a frame came in two reads and its second half was lost.
func TestAFrameInTwoHalvesComesWhole(t *testing.T) {
	b := newBench(t, "reader")
	kept := b.opened(t)
	send(t, b.line, []byte(";60012345"))
	awaitBytes(t, kept, []byte(";60012345"))
	send(t, b.line, []byte("67890123?\r"))
	awaitBytes(t, kept, []byte("67890123?\r"))
}

// What was on the line before the opening had gone through cooked mode; it must not become a card.
func TestBytesFromBeforeTheOpeningAreThrownAway(t *testing.T) {
	b := newBench(t, "reader")
	send(t, b.line, []byte(";6001111111111111?\r"))
	kept := b.opened(t)
	send(t, b.line, []byte(";6002222222222222?\r"))
	awaitBytes(t, kept, []byte(";6002222222222222?\r"))
}

func TestAPortThatIsNotThereIsReportedOnceAndFoundWhenItComes(t *testing.T) {
	dev := t.TempDir()
	kept := port.Keep(port.Settings{Name: "/dev/serial/by-id/late", Baud: 9600}, port.DevRoot(dev))
	defer kept.Close()
	if err := awaitGone(t, kept); !errors.Is(err, port.ErrAbsent) {
		t.Errorf("reason %v, wanted %v", err, port.ErrAbsent)
	}
	line, err := emulator.OpenLine(filepath.Join(dev, "serial/by-id/late"))
	if err != nil {
		t.Fatal(err)
	}
	defer line.Close()
	await(t, kept, port.Opened)
}

func TestWhatIsNoSerialPortIsNotOpened(t *testing.T) {
	dev := t.TempDir()
	if err := os.WriteFile(filepath.Join(dev, "file"), []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{
		"a file": "/dev/file", "a folder": dev, "a device of another kind": os.DevNull,
	} {
		t.Run(name, func(t *testing.T) {
			root := dev
			if path == os.DevNull {
				root = "/dev"
			}
			kept := port.Keep(port.Settings{Name: path, Baud: 9600}, port.DevRoot(root))
			defer kept.Close()
			if err := awaitGone(t, kept); !errors.Is(err, port.ErrNotSerial) {
				t.Errorf("reason %v, wanted %v", err, port.ErrNotSerial)
			}
		})
	}
}

func TestWrongSettingsAreReportedAsTheReason(t *testing.T) {
	b := newBench(t, "reader")
	kept := port.Keep(port.Settings{Name: b.name, Baud: 9601}, port.DevRoot(b.dev))
	defer kept.Close()
	if err := awaitGone(t, kept); !errors.Is(err, port.ErrSettings) {
		t.Errorf("reason %v, wanted %v", err, port.ErrSettings)
	}
}

func TestWhatTheSystemSaysIsExplained(t *testing.T) {
	for text, meaning := range map[string]error{
		"permission denied":              port.ErrForbidden,
		"no such device":                 port.ErrAbsent,
		"no such device or address":      port.ErrAbsent,
		"input/output error":             port.ErrAbsent,
		"device or resource busy":        port.ErrInUse,
		"inappropriate ioctl for device": port.ErrNotSerial,
	} {
		t.Run(text, func(t *testing.T) {
			system := errnoSaying(t, text)
			if err := port.Explain(fmt.Errorf("open: %w", system)); !errors.Is(err, meaning) || !errors.Is(err, system) {
				t.Errorf("%v explains as %v", system, err)
			}
		})
	}
}

// A second open(2) of a serial port succeeds, and the two readers share out the bytes.
func TestASecondOpeningIsRefusedAndNamesTheHolder(t *testing.T) {
	b := newBench(t, "reader")
	holder := startHolder(t, b.line.Link())
	kept := b.keep(t)
	err := awaitGone(t, kept)
	if !errors.Is(err, port.ErrInUse) {
		t.Fatalf("reason %v, wanted %v", err, port.ErrInUse)
	}
	for _, want := range []string{fmt.Sprintf("process %d", holder.Process.Pid), "port.test"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("reason %q does not name the holder (%s)", err, want)
		}
	}
	holder.Process.Kill()
	holder.Wait()
	await(t, kept, port.Opened)
}
