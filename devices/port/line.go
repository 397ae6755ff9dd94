package port

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/tarm/serial"
	"golang.org/x/sys/unix"
)

// wire is what is used of a *serial.Port.
type wire interface {
	Read([]byte) (int, error)
	Write([]byte) (int, error)
	Flush() error
	Close() error
}

// line is one opening of the port: from here to the loss or to Close.
type line struct {
	wire      wire
	side      *side
	condemned chan struct{} // closed when a write hung in the driver: nothing but closing helps
	condemn   func()
}

// openLine opens what the name stands for now: side descriptor, lock, line, flush.
func (p *Port) openLine() (*line, error) {
	if err := p.settings.Validate(); err != nil {
		return nil, err
	}
	real, err := p.resolve()
	if err != nil {
		return nil, explain(err)
	}
	beside, err := openSide(real)
	if err != nil {
		return nil, explain(err)
	}
	opened, err := p.open(real, p.settings)
	if err != nil {
		beside.close()
		return nil, explain(err)
	}
	// What came before the opening went through the terminal's cooked mode: no frame of it can be trusted.
	if err := opened.Flush(); err != nil {
		opened.Close()
		beside.close()
		return nil, explain(err)
	}
	condemned := make(chan struct{})
	return &line{opened, beside, condemned, sync.OnceFunc(func() { close(condemned) })}, nil
}

// resolve follows the configured name to the device it stands for now.
func (p *Port) resolve() (string, error) {
	name := p.settings.Name
	if rest, under := strings.CutPrefix(name, "/dev/"); under {
		name = rest
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(p.dev, name)
	}
	return filepath.EvalSymlinks(name)
}

func openSerial(real string, settings Settings) (wire, error) {
	parity := map[Parity]serial.Parity{
		NoParity: serial.ParityNone, OddParity: serial.ParityOdd, EvenParity: serial.ParityEven,
	}
	opened, err := serial.OpenPort(&serial.Config{
		Name:        real,
		Baud:        settings.Baud,
		ReadTimeout: readTimeout,
		Size:        byte(settings.DataBits),
		Parity:      parity[settings.Parity],
		StopBits:    serial.StopBits(settings.StopBits),
	})
	if err != nil {
		return nil, err // not a nil *serial.Port in a wire
	}
	return opened, nil
}

// explain adds to the system's error what it means for a port.
func explain(err error) error {
	for _, known := range []struct{ system, meaning error }{
		{fs.ErrNotExist, ErrAbsent}, {unix.ENXIO, ErrAbsent}, {unix.ENODEV, ErrAbsent}, {unix.EIO, ErrAbsent},
		{unix.ENOTDIR, ErrAbsent},
		{unix.EBUSY, ErrInUse},
		{fs.ErrPermission, ErrForbidden},
		{unix.ENOTTY, ErrNotSerial},
	} {
		if errors.Is(err, known.system) && !errors.Is(err, known.meaning) {
			return fmt.Errorf("%w (%w)", known.meaning, err)
		}
	}
	return err
}

// drainLimit is how long Close lets bytes leave that were already written, and how long the system is given to let go
// of a port. Both and one read fit into CloseLimit.
const drainLimit = 400 * time.Millisecond

// release closes the line. If drain is set, bytes already written may leave first. It returns ErrLate if the system
// did not let go in time: on a real UART with output pending that can take 30 s, and a lost adapter may never do so.
func (l *line) release(drain bool) error {
	if drain {
		for end := time.Now().Add(drainLimit); l.side.queued() > 0 && time.Now().Before(end); {
			time.Sleep(5 * time.Millisecond)
		}
	}
	l.side.discard()
	// The side first: it never blocks, and with it the lock is given up, so that the next opening does not find us.
	l.side.close()
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		l.wire.Close()
	}()
	select {
	case <-closed:
		return nil
	case <-time.After(drainLimit):
		return ErrLate
	}
}

func (l *line) isCondemned() bool {
	select {
	case <-l.condemned:
		return true
	default:
		return false
	}
}

// serialDevice refuses what cannot be a serial port before it is opened: opening some devices does something.
func serialDevice(real string) error {
	found, err := os.Stat(real)
	if err != nil {
		return err
	}
	if found.Mode()&fs.ModeCharDevice == 0 {
		return fmt.Errorf("%s: %w", real, ErrNotSerial)
	}
	return nil
}
