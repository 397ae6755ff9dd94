package port_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"reelkiosk/devices/emulator"
	"reelkiosk/devices/port"
)

var paths = map[string]emulator.Path{"hung up": emulator.Hangup, "other end closed": emulator.Vanish}

func unplug(t *testing.T, line *emulator.Line, how emulator.Path) {
	t.Helper()
	if err := line.Unplug(how); err != nil {
		t.Fatal(err)
	}
}

func replug(t *testing.T, line *emulator.Line) {
	t.Helper()
	if err := line.Replug(); err != nil {
		t.Fatal(err)
	}
}

func terminalOf(t *testing.T, line *emulator.Line) string {
	t.Helper()
	name, err := os.Readlink(line.Link())
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// tarm/serial#121, serial-port-json-server#20: pulling the cable out crashed the program, or read at full speed for
// ever. A read that goes on at EOF runs millions of times a second; reads are counted here, not time.
func TestADeadPortIsNotReadInALoop(t *testing.T) {
	for name, how := range paths {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, "reader")
			var reads atomic.Int64
			kept := b.opened(t, countReads(&reads))
			before := reads.Load()
			unplug(t, b.line, how)
			if err := awaitGone(t, kept); !errors.Is(err, port.ErrUnplugged) {
				t.Errorf("reason %v, wanted %v", err, port.ErrUnplugged)
			}
			if more := reads.Load() - before; more > 4 {
				t.Errorf("%d reads from the unplugging to its report", more)
			}
			dead := reads.Load()
			replug(t, b.line)
			await(t, kept, port.Opened) // nothing else comes in between
			if more := reads.Load() - dead; more > 1 {
				t.Errorf("%d reads while the port was gone", more)
			}
		})
	}
}

// early is a wire whose reads bring nothing and do not wait, though the port lives.
type early struct {
	port.Wire
	reads *atomic.Int64
}

func (e early) Read([]byte) (int, error) {
	e.reads.Add(1)
	return 0, io.EOF
}

func TestReadsThatDoNotWaitAreNotALoop(t *testing.T) {
	b := newBench(t, "reader")
	var reads atomic.Int64
	began := time.Now()
	b.opened(t, port.Through(func(wire port.Wire) port.Wire { return early{wire, &reads} }))
	until(t, "a few reads", func() bool { return reads.Load() >= 5 })
	if most := int64(time.Since(began)/(50*time.Millisecond)) + 2; reads.Load() > most {
		t.Errorf("%d reads, wanted at most %d", reads.Load(), most)
	}
}

// mdlayher/consrv#3: ttyUSB0 came back as ttyUSB1 and was never found again.
func TestADeviceIsFollowedToItsNewNumber(t *testing.T) {
	for name, how := range paths {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, "reader")
			other, err := emulator.OpenLine(filepath.Join(b.dev, "serial/by-id/other"))
			if err != nil {
				t.Fatal(err)
			}
			defer other.Close()
			undisturbed := bench{b.dev, "/dev/serial/by-id/other", other}.opened(t)
			kept := b.opened(t)

			was := terminalOf(t, b.line)
			unplug(t, b.line, how)
			awaitGone(t, kept)
			replug(t, b.line)
			back := time.Now()
			if terminalOf(t, b.line) == was {
				t.Fatalf("the test replugged under the old number %s", was)
			}
			await(t, kept, port.Opened)
			if took := time.Since(back); took > 5*time.Second {
				t.Errorf("followed after %v", took)
			}
			send(t, b.line, []byte("hello"))
			awaitBytes(t, kept, []byte("hello"))
			send(t, other, []byte("undisturbed"))
			awaitBytes(t, undisturbed, []byte("undisturbed"))
		})
	}
}

func TestALinkBesideItsDeviceIsResolvedLikeUdevs(t *testing.T) {
	b := newBench(t, "real")
	byID := filepath.Join(b.dev, "serial/by-id/usb-Acme-port0")
	if err := os.Symlink("../../ttyUSB7", byID); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(terminalOf(t, b.line), filepath.Join(b.dev, "ttyUSB7")); err != nil {
		t.Fatal(err)
	}
	b.name = "/dev/serial/by-id/usb-Acme-port0"
	b.opened(t)
}

// Banrai/PiScan#1: half a scan stayed in the buffer and stood in front of the next one.
func TestBetweenAHalfFrameAndTheNextStandsTheLoss(t *testing.T) {
	b := newBench(t, "scanner")
	kept := b.opened(t)
	send(t, b.line, []byte("]C0HALF"))
	awaitBytes(t, kept, []byte("]C0HALF"))
	unplug(t, b.line, emulator.Vanish)
	await(t, kept, port.Gone)
	replug(t, b.line)
	await(t, kept, port.Opened)
	send(t, b.line, []byte("]C0WHOLE\r"))
	awaitBytes(t, kept, []byte("]C0WHOLE\r"))
}

func TestALossIsReportedOnce(t *testing.T) {
	b := newBench(t, "reader")
	kept := b.opened(t)
	unplug(t, b.line, emulator.Vanish)
	awaitGone(t, kept)
	// Long enough for several attempts at the absent device, and shorter than the test's patience.
	select {
	case event := <-kept.Events():
		t.Errorf("a second report: %v", event.Err)
	case <-time.After(time.Second):
	}
}

func TestAWriteToAPortThatIsGoneFails(t *testing.T) {
	b := newBench(t, "printer")
	kept := b.opened(t)
	unplug(t, b.line, emulator.Vanish)
	awaitGone(t, kept)
	err := kept.Write(context.Background(), []byte("ticket"))
	var failed *port.WriteError
	if !errors.As(err, &failed) || !errors.Is(err, port.ErrGone) || failed.Written != 0 || failed.Of != 6 {
		t.Errorf("write: %v", err)
	}
}

// vxsuite#2299: the printer was unplugged in the middle of a job.
func TestUnpluggedInTheMiddleOfAWrite(t *testing.T) {
	for name, how := range paths {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, "printer")
			kept := b.opened(t)
			wrote := make(chan error, 1)
			job := make([]byte, 1<<20)
			go func() { wrote <- kept.Write(context.Background(), job) }()
			if _, err := io.ReadFull(b.line, make([]byte, 10_000)); err != nil {
				t.Fatal(err)
			}
			unplug(t, b.line, how)
			err := <-wrote
			var failed *port.WriteError
			if !errors.As(err, &failed) || !errors.Is(err, port.ErrGone) {
				t.Fatalf("write: %v", err)
			}
			if failed.Written < 10_000 || failed.Written >= len(job) {
				t.Errorf("%d bytes are said to be written; the device had 10000 of %d", failed.Written, len(job))
			}
			awaitGone(t, kept)
		})
	}
}
