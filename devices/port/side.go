package port

import (
	"fmt"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// side is a second descriptor of the port, opened before the line itself. tarm/serial gives no descriptor out; this
// one holds the lock, and answers whether the line takes bytes, how many wait, and whether it hung up.
type side struct {
	mu     sync.Mutex // guards what follows: no call may meet a number that was closed and given to another file
	fd     int
	closed bool
}

// openSide opens the device and locks it. The error wraps ErrInUse, with the holder's name if it can be found, or
// ErrNotSerial, or is the system's.
func openSide(real string) (*side, error) {
	if err := serialDevice(real); err != nil {
		return nil, err
	}
	fd, err := unix.Open(real, unix.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", real, err)
	}
	if _, err := unix.IoctlGetTermios(fd, unix.TCGETS); err != nil {
		unix.Close(fd)
		return nil, fmt.Errorf("open %s: %w", real, err)
	}
	// TIOCEXCL would not stop root, and would stop our own second opening where we are not root.
	if err := unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB); err != nil {
		unix.Close(fd)
		if err == unix.EWOULDBLOCK {
			return nil, fmt.Errorf("%s: %w%s", real, ErrInUse, heldBy(real))
		}
		return nil, fmt.Errorf("lock %s: %w", real, err)
	}
	return &side{fd: fd}, nil
}

// takesBytes waits until the line takes bytes, and reports whether it does. The error is ErrUnplugged.
func (s *side) takesBytes(wait time.Duration) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := s.poll(unix.POLLOUT, wait)
	if seen&hangup != 0 {
		return false, ErrUnplugged
	}
	return seen&unix.POLLOUT != 0, nil
}

// hungUp reports whether the device is gone.
func (s *side) hungUp() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.poll(0, 0)&hangup != 0
}

const hangup = unix.POLLHUP | unix.POLLERR | unix.POLLNVAL

func (s *side) poll(events int16, wait time.Duration) int16 {
	if s.closed {
		return unix.POLLNVAL
	}
	asked := []unix.PollFd{{Fd: int32(s.fd), Events: events}}
	if n, err := unix.Poll(asked, int(wait.Milliseconds())); n <= 0 || err != nil {
		return 0 // time-out, or a signal: the caller asks again
	}
	return asked[0].Revents
}

// queued returns how many written bytes have not left yet, as far as the driver knows; a pseudo-terminal never does.
func (s *side) queued() int { return s.count(unix.TIOCOUTQ) }

// waiting returns how many bytes have come and were not read yet.
func (s *side) waiting() int { return s.count(unix.TIOCINQ) }

// count asks for a number of bytes; a port that is gone has none.
func (s *side) count(which uint) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return 0
	}
	bytes, err := unix.IoctlGetInt(s.fd, which)
	if err != nil {
		return 0
	}
	return bytes
}

// discard throws away written bytes that have not left yet.
func (s *side) discard() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		_ = unix.IoctlSetInt(s.fd, unix.TCFLSH, unix.TCOFLUSH) // fails only on a port that is gone
	}
}

// close gives up the lock and the descriptor.
func (s *side) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.closed = true
		unix.Close(s.fd)
	}
}
