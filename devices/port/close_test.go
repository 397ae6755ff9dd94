package port_test

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"reelkiosk/devices/port"
)

func closeInTime(t *testing.T, kept *port.Port) error {
	t.Helper()
	closed := make(chan error, 1)
	go func() { closed <- kept.Close() }()
	select {
	case err := <-closed:
		return err
	case <-time.After(port.CloseLimit + patience/2):
		t.Fatal("Close does not end")
	}
	panic("unreachable")
}

// Without a read time-out, tarm/serial's Close waits for the next byte, and the dying read swallows it.
func TestCloseOnASilentPortEndsAndSwallowsNothing(t *testing.T) {
	b := newBench(t, "reader")
	kept := b.opened(t)
	if err := closeInTime(t, kept); err != nil {
		t.Fatal(err)
	}
	next, err := os.OpenFile(b.line.Link(), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer next.Close()
	send(t, b.line, []byte("x"))
	got := make([]byte, 1)
	if n, err := next.Read(got); n != 1 || got[0] != 'x' {
		t.Errorf("the next program reads %q (%v)", got[:n], err)
	}
}

func TestTheLastBytesBeforeCloseAreDelivered(t *testing.T) {
	b := newBench(t, "reader")
	kept := b.opened(t)
	send(t, b.line, []byte("last"))
	beside, err := os.OpenFile(b.line.Link(), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer beside.Close()
	if err := closeInTime(t, kept); err != nil {
		t.Fatal(err)
	}
	var got []byte
	for event := range kept.Events() {
		got = append(got, event.Data...)
	}
	left, _ := unix.IoctlGetInt(int(beside.Fd()), unix.TIOCINQ)
	if string(got) != "last" && left != len("last") {
		t.Errorf("delivered %q, still in the port %d bytes", got, left)
	}
}

func TestEventsEndWithClose(t *testing.T) {
	b := newBench(t, "reader")
	kept := b.opened(t)
	if err := errors.Join(closeInTime(t, kept), closeInTime(t, kept)); err != nil {
		t.Error(err)
	}
	for event := range kept.Events() {
		t.Errorf("after Close: %v", event.Kind)
	}
	if err := kept.Write(context.Background(), []byte("x")); !errors.Is(err, port.ErrClosed) {
		t.Errorf("write after Close: %v", err)
	}
}

func TestCloseEndsWhileThePortIsLookedFor(t *testing.T) {
	kept := port.Keep(port.Settings{Name: "/dev/serial/by-id/never", Baud: 9600}, port.DevRoot(t.TempDir()))
	awaitGone(t, kept)
	if err := closeInTime(t, kept); err != nil {
		t.Error(err)
	}
}

func TestCloseEndsThoughNobodyReadsTheEvents(t *testing.T) {
	b := newBench(t, "reader")
	kept := b.opened(t)
	until(t, "the channel of events is full", func() bool {
		send(t, b.line, []byte("x"))
		return len(kept.Events()) == cap(kept.Events())
	})
	if err := closeInTime(t, kept); err != nil {
		t.Error(err)
	}
}

// jSerialComm#287, bugst/go-serial#104: Close hung.
func TestCloseEndsThoughTheSystemDoesNotLetGo(t *testing.T) {
	b := newBench(t, "printer")
	stuck := make(chan struct{})
	kept := b.opened(t, port.Through(func(wire port.Wire) port.Wire { return closesLate{wire, stuck} }))
	defer close(stuck)
	if err := closeInTime(t, kept); !errors.Is(err, port.ErrLate) {
		t.Errorf("Close: %v, wanted %v", err, port.ErrLate)
	}
}

func TestALostPortIsOpenedAgainThoughTheSystemDoesNotLetGo(t *testing.T) {
	for name, how := range paths {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, "printer")
			stuck := make(chan struct{})
			kept := b.opened(t, port.Through(func(wire port.Wire) port.Wire { return closesLate{wire, stuck} }))
			defer close(stuck)
			unplug(t, b.line, how)
			awaitGone(t, kept)
			replug(t, b.line)
			await(t, kept, port.Opened)
		})
	}
}

// closesLate is a wire whose driver does not let go before it is told to.
type closesLate struct {
	port.Wire
	until chan struct{}
}

func (c closesLate) Close() error {
	<-c.until
	return c.Wire.Close()
}
