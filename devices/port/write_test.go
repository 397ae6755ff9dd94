package port_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"reelkiosk/devices/port"
)

// A tarm/serial Write takes about 20 KB on a line that nobody reads, then blocks for ever, and Close behind it.
func TestAWriteThatNobodyReadsEndsAndSaysHowFarItCame(t *testing.T) {
	b := newBench(t, "printer")
	kept := b.opened(t, port.Patience(200*time.Millisecond))
	job := bytes.Repeat([]byte("0123456789"), 10_000)
	began := time.Now()
	const limit = time.Second
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	wrote := make(chan error, 1)
	go func() { wrote <- kept.Write(ctx, job[:40_000]) }()
	var failed *port.WriteError
	select {
	case err := <-wrote:
		// At 9600 baud these bytes take 41 s; the context ends it first.
		if !errors.As(err, &failed) || !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("write: %v", err)
		}
	case <-time.After(patience):
		t.Fatal("Write does not end")
	}
	if failed.Written == 0 || failed.Written >= failed.Of {
		t.Errorf("%d of %d bytes said to be written", failed.Written, failed.Of)
	}
	if took := time.Since(began); took < limit {
		t.Errorf("gave up after %v", took)
	}
	if err := closeInTime(t, kept); err != nil {
		t.Error(err)
	}
}

func TestAWriteIsGivenTimeByItsBytesAndTheSpeed(t *testing.T) {
	b := newBench(t, "printer")
	kept := port.Keep(port.Settings{Name: b.name, Baud: 4_000_000}, port.DevRoot(b.dev), port.Patience(200*time.Millisecond))
	defer kept.Close()
	await(t, kept, port.Opened)
	began := time.Now()
	err := kept.Write(context.Background(), make([]byte, 100_000)) // 0.25 s on the line, twice over, and 0.2 s
	if !errors.Is(err, port.ErrStuck) {
		t.Fatalf("write: %v, wanted %v", err, port.ErrStuck)
	}
	if took := time.Since(began); took < 700*time.Millisecond || took > patience {
		t.Errorf("gave up after %v", took)
	}
}

// python-escpos#370: what was sent while the paper was out came out by itself after the refill.
func TestWhatAFailedWriteLeftBehindIsNotSentLater(t *testing.T) {
	b := newBench(t, "printer")
	kept := port.Keep(port.Settings{Name: b.name, Baud: 4_000_000}, port.DevRoot(b.dev), port.Patience(100*time.Millisecond))
	defer kept.Close()
	await(t, kept, port.Opened)
	err := kept.Write(context.Background(), bytes.Repeat([]byte("x"), 60_000))
	var failed *port.WriteError
	if !errors.As(err, &failed) {
		t.Fatalf("write: %v", err)
	}
	var came atomic.Int64
	go func() {
		buffer := make([]byte, 4096)
		for {
			n, err := b.line.Read(buffer)
			if err != nil {
				return
			}
			came.Add(int64(bytes.Count(buffer[:n], []byte("x"))))
			if bytes.HasSuffix(buffer[:n], []byte("!")) {
				came.Add(1 << 32)
			}
		}
	}()
	if err := kept.Write(context.Background(), []byte("!")); err != nil {
		t.Fatal(err)
	}
	until(t, "the device reads what comes after", func() bool { return came.Load() >= 1<<32 })
	if old := int(came.Load() - 1<<32); old > 4096 || old > failed.Written {
		t.Errorf("%d bytes of the failed write came later, %d had been written", old, failed.Written)
	}
}

func TestAContextEndsAWrite(t *testing.T) {
	b := newBench(t, "printer")
	kept := b.opened(t)
	ctx, cancel := context.WithCancel(context.Background())
	wrote := make(chan error, 1)
	go func() { wrote <- kept.Write(ctx, make([]byte, 100_000)) }()
	if _, err := io.ReadFull(b.line, make([]byte, 100)); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-wrote; !errors.Is(err, context.Canceled) {
		t.Errorf("write: %v", err)
	}
}

func TestCloseEndsAWrite(t *testing.T) {
	b := newBench(t, "printer")
	kept := b.opened(t)
	wrote := make(chan error, 1)
	go func() { wrote <- kept.Write(context.Background(), make([]byte, 100_000)) }()
	if _, err := io.ReadFull(b.line, make([]byte, 100)); err != nil {
		t.Fatal(err)
	}
	if err := closeInTime(t, kept); err != nil {
		t.Error(err)
	}
	if err := <-wrote; !errors.Is(err, port.ErrClosed) {
		t.Errorf("write: %v", err)
	}
}

func TestTwoWritersDoNotMixTheirBytes(t *testing.T) {
	b := newBench(t, "printer")
	kept := b.opened(t)
	const size = 5000
	var writers sync.WaitGroup
	for _, letter := range []byte{'a', 'b', 'c'} {
		writers.Go(func() {
			if err := kept.Write(context.Background(), bytes.Repeat([]byte{letter}, size)); err != nil {
				t.Error(err)
			}
		})
	}
	got := make([]byte, 3*size)
	if _, err := io.ReadFull(b.line, got); err != nil {
		t.Fatal(err)
	}
	writers.Wait()
	for piece := range 3 {
		part := got[piece*size : (piece+1)*size]
		if bytes.Count(part, part[:1]) != size {
			t.Errorf("piece %d has bytes of two writers", piece)
		}
	}
}

// hangs is a wire whose driver took the write and does not come back until it is told to.
type hangs struct {
	port.Wire
	until chan struct{}
}

func (h hangs) Write(p []byte) (int, error) {
	<-h.until
	return 0, io.ErrClosedPipe
}

func TestAWriteThatHangsInTheDriverEndsAndThePortIsOpenedAgain(t *testing.T) {
	b := newBench(t, "printer")
	stuck := make(chan struct{})
	var openings atomic.Int64
	kept := b.opened(t, port.Through(func(wire port.Wire) port.Wire {
		if openings.Add(1) == 1 {
			return hangs{wire, stuck}
		}
		return wire
	}))
	defer close(stuck)
	if err := kept.Write(context.Background(), []byte("ticket")); !errors.Is(err, port.ErrStuck) {
		t.Errorf("write: %v, wanted %v", err, port.ErrStuck)
	}
	if err := awaitGone(t, kept); !errors.Is(err, port.ErrStuck) {
		t.Errorf("reason %v, wanted %v", err, port.ErrStuck)
	}
	await(t, kept, port.Opened)
	if err := kept.Write(context.Background(), []byte("ticket")); err != nil {
		t.Error(err)
	}
}
