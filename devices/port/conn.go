package port

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Conn is what a driver needs of a serial port. Drivers take this interface, never a path, so that package porttest can
// stand in for the device.
type Conn interface {
	// Events delivers, in order, what happens on the port. It has one consumer, who should keep reading: while nobody
	// does, the device's bytes wait in the system. It is closed after Close, behind the events already delivered.
	Events() <-chan Event

	// Write sends all of p, or fails. It is given the time that p takes on the line twice over and three seconds more
	// (Patience), or what ctx leaves of it. It returns a *WriteError that wraps ErrGone if the port is not open or is lost on the way,
	// ErrStuck if the device takes no more bytes, ErrClosed after Close, and the context's error if ctx ended it.
	// After any failure what the system still held of p is thrown away. Several may call it; each p stays in one piece.
	Write(ctx context.Context, p []byte) error

	// Close lets bytes already written leave, within CloseLimit, then ends everything. It returns an error that wraps
	// ErrLate if the system did not let go of the port in time; the rest is then done behind the caller's back. Further
	// calls return what the first did.
	Close() error
}

// Event is one thing that happened on a port.
type Event struct {
	Kind EventKind
	At   time.Time
	Data []byte // Data: the bytes, the receiver's own to keep or to wipe
	Err  error  // Gone: why; wraps ErrAbsent, ErrInUse, ErrForbidden or ErrUnplugged, or is the system's own error
}

// EventKind tells events apart.
type EventKind int

const (
	// Opened says that the port is open and quiet. It comes before the first Data and again after each Gone.
	Opened EventKind = iota + 1
	// Data carries bytes as they came. A frame may be split over several, and several frames may come in one.
	Data
	// Gone says that the port is not open, and why: once when it is lost or cannot be opened, and again only if the
	// reason changes. The port goes on trying.
	Gone
)

// String returns the kind in lower case.
func (k EventKind) String() string {
	switch k {
	case Opened:
		return "opened"
	case Data:
		return "data"
	case Gone:
		return "gone"
	}
	return fmt.Sprintf("event kind %d", int(k))
}

// Why a port is not open, or why a write failed. The errors of events and of Write wrap these.
var (
	// ErrAbsent says that no device has the configured name: not plugged in, or without power.
	ErrAbsent = errors.New("no such port: not plugged in, or without power")
	// ErrInUse says that another program holds the port.
	ErrInUse = errors.New("port in use by another program")
	// ErrForbidden says that this user may not open the port (on Debian: is not in the group dialout).
	ErrForbidden = errors.New("no permission to open the port")
	// ErrNotSerial says that what has the configured name is no serial port.
	ErrNotSerial = errors.New("not a serial port")
	// ErrUnplugged says that the port was open and the device went away.
	ErrUnplugged = errors.New("unplugged")
	// ErrGone says that a write found no open port, or lost it.
	ErrGone = errors.New("port gone")
	// ErrStuck says that the device, or its line, took no more bytes.
	ErrStuck = errors.New("device takes no bytes")
	// ErrClosed says that Close was called.
	ErrClosed = errors.New("port closed")
	// ErrLate says that the system did not let go of the port within CloseLimit.
	ErrLate = errors.New("port still closing")
)

// WriteError says how far a write came before it failed.
type WriteError struct {
	Written int   // bytes given to the system; the device has these at most, perhaps fewer
	Of      int   // bytes there were to write
	Err     error // ErrGone, ErrStuck, ErrClosed or the context's error
}

// Error returns the reason and the count.
func (e *WriteError) Error() string {
	return fmt.Sprintf("write: %v after %d of %d bytes", e.Err, e.Written, e.Of)
}

// Unwrap returns the reason.
func (e *WriteError) Unwrap() error { return e.Err }
