package emulator

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"reelkiosk/devices/port"
)

// Line is one cable with a pseudo-terminal as its computer's end. Its methods may be called from several goroutines.
type Line struct {
	link string

	mu     sync.Mutex // guards what follows
	ends   *terminal  // nil while unplugged
	hung   *terminal  // hung up, and kept so that its number is not given out again before Replug
	past   string     // name of the last terminal that was unplugged
	inbox  []byte     // heard from the computer and not read by the device yet
	device port.Settings
	told   port.Settings // what the computer said it set; no Baud: it said nothing
	beside bool          // the computer's programs say what they set in a file beside the link
	change chan struct{} // closed when ends or closed change
	closed bool
}

// Path is the way in which a port is lost.
type Path int

const (
	// Hangup is what a USB adapter does when it is pulled out: the computer's descriptors are hung up (TIOCVHANGUP).
	// Only root may do this.
	Hangup Path = iota + 1
	// Vanish closes the pseudo-terminal's other end, as when the program behind it dies.
	Vanish
)

// Errors of a Line.
var (
	// ErrUnplugged says that the device wrote while its cable was out: the bytes are lost, as they would be.
	ErrUnplugged = errors.New("emulated cable is unplugged")
	// ErrPluggedIn says that Replug found the cable plugged in.
	ErrPluggedIn = errors.New("emulated cable is plugged in")
	// ErrUnread says that nobody reads the line: its buffers are full and the bytes are lost.
	ErrUnread = errors.New("nobody reads the emulated line")
)

// unreadLimit is how long a device's write waits for room in the computer's buffers. A real cable would not wait at all.
const unreadLimit = time.Second

// OpenLine makes a pseudo-terminal and the link to it, with the folders above. A link that is there already is
// replaced; anything else there is an error.
func OpenLine(link string) (*Line, error) {
	l := &Line{link: link, change: make(chan struct{})}
	if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
		return nil, fmt.Errorf("emulated line: %w", err)
	}
	if err := l.Replug(); err != nil {
		return nil, err
	}
	return l, nil
}

// Link returns the path under which the computer finds the line.
func (l *Line) Link() string { return l.link }

// Device sets how the device itself is set, by its switches or its set-up codes. Until then, or with no Baud, nothing
// is garbled.
func (l *Line) Device(own port.Settings) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.device = own.Normal()
}

// Settings tells what the computer set when it opened the port: a pseudo-terminal hides parity and data bits. It has
// the form that port.Told takes. Where nobody tells, the speed and the stop bits are read from the terminal.
func (l *Line) Settings(set port.Settings) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.told = set.Normal()
}

// Beside has programs in other processes say what they set, in a file beside the link (port.Beside), until Close.
func (l *Line) Beside() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.beside = true
	return port.OpenBeside(l.link)
}

// Read gives the device what the computer sent. While the cable is out, it waits. It returns os.ErrClosed after Close.
func (l *Line) Read(p []byte) (int, error) {
	buffer := make([]byte, 4096)
	for {
		ends, change, n, err := l.take(p)
		if n > 0 || err != nil || len(p) == 0 {
			return n, err
		}
		if ends == nil {
			<-change
			continue
		}
		n, err = ends.master.Read(buffer)
		l.hear(ends, buffer[:n])
		if err != nil {
			l.awaitChange(ends)
		}
	}
}

// take returns what is in the inbox, or else where to read.
func (l *Line) take(p []byte) (*terminal, <-chan struct{}, int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, nil, 0, os.ErrClosed
	}
	n := copy(p, l.inbox)
	l.inbox = l.inbox[n:]
	return l.ends, l.change, n, nil
}

func (l *Line) hear(ends *terminal, sent []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(sent) > 0 {
		l.inbox = append(l.inbox, heard(sent, l.computer(ends), l.device)...)
	}
}

// awaitChange waits until the line is plugged otherwise than with ends, or is closed.
func (l *Line) awaitChange(ends *terminal) {
	l.mu.Lock()
	same, change := l.ends == ends && !l.closed, l.change
	l.mu.Unlock()
	if same {
		<-change
	}
}

// Write sends bytes from the device to the computer, garbled if their settings differ. It returns ErrUnplugged,
// ErrUnread or os.ErrClosed if they are lost.
func (l *Line) Write(p []byte) (int, error) {
	l.mu.Lock()
	ends, closed := l.ends, l.closed
	var arriving []byte
	if ends != nil {
		arriving = heard(p, l.device, l.computer(ends))
	}
	l.mu.Unlock()
	switch {
	case closed:
		return 0, os.ErrClosed
	case ends == nil:
		return 0, ErrUnplugged
	}
	_ = ends.master.SetWriteDeadline(time.Now().Add(unreadLimit))
	_, err := ends.master.Write(arriving)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return 0, ErrUnread
	case err != nil:
		return 0, fmt.Errorf("%w: %w", ErrUnplugged, err)
	}
	return len(p), nil
}

// computer returns the settings of the computer's end. mu is held.
func (l *Line) computer(ends *terminal) port.Settings {
	if l.told.Baud != 0 {
		return l.told
	}
	if l.beside {
		if told, is := port.ToldBeside(l.link); is {
			return told
		}
	}
	return ends.settings(l.device)
}

// Unplug takes the cable out: the link goes away, then the port. Hangup needs root; its error wraps fs.ErrPermission.
func (l *Line) Unplug(how Path) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.closed:
		return os.ErrClosed
	case l.ends == nil:
		return ErrUnplugged
	}
	ends := l.ends
	if err := l.removeLink(ends); err != nil {
		return err
	}
	if how == Hangup {
		if err := ends.hangUp(); err != nil {
			return errors.Join(err, l.placeLink(ends))
		}
		l.hung = ends
	} else {
		ends.close()
	}
	l.past, l.ends, l.inbox, l.told = ends.name, nil, nil, port.Settings{}
	l.changed()
	return nil
}

// Replug plugs the cable in again: a new terminal, with another number, under the same link.
func (l *Line) Replug() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.closed:
		return os.ErrClosed
	case l.ends != nil:
		return ErrPluggedIn
	}
	ends, err := openTerminal(l.past)
	if err != nil {
		return err
	}
	if err := l.placeLink(ends); err != nil {
		ends.close()
		return err
	}
	l.dropHung()
	l.ends = ends
	l.changed()
	return nil
}

// Close takes the line away, link and all. A waiting Read returns os.ErrClosed.
func (l *Line) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil
	}
	l.closed = true
	var err error
	if l.beside {
		err = port.CloseBeside(l.link)
	}
	if l.ends != nil {
		err = errors.Join(err, l.removeLink(l.ends))
		l.ends.close()
		l.ends = nil
	}
	l.dropHung()
	l.changed()
	return err
}

func (l *Line) dropHung() {
	if l.hung != nil {
		l.hung.close()
		l.hung = nil
	}
}

// changed wakes whoever waits for the line to be plugged in, out or closed. mu is held.
func (l *Line) changed() {
	close(l.change)
	l.change = make(chan struct{})
}

// placeLink points the link at a terminal, in one step, so that it is never seen half made.
func (l *Line) placeLink(to *terminal) error {
	if found, err := os.Lstat(l.link); err == nil && found.Mode()&os.ModeSymlink == 0 {
		return fmt.Errorf("emulated line: %s is there and is no link", l.link)
	}
	fresh := l.link + ".new"
	_ = os.Remove(fresh) // left by a run that was killed
	if err := os.Symlink(to.name, fresh); err != nil {
		return fmt.Errorf("emulated line: %w", err)
	}
	if err := os.Rename(fresh, l.link); err != nil {
		return fmt.Errorf("emulated line: %w", err)
	}
	return nil
}

// removeLink removes the link if it is still the one to this terminal.
func (l *Line) removeLink(to *terminal) error {
	if target, err := os.Readlink(l.link); err != nil || target != to.name {
		return nil
	}
	if err := os.Remove(l.link); err != nil && !errors.Is(err, unix.ENOENT) {
		return fmt.Errorf("emulated line: %w", err)
	}
	return nil
}
