package emulator

import (
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"reelkiosk/devices/port"
)

// terminal is one pseudo-terminal: the master end, which the device plays on, and the name of the slave end.
type terminal struct {
	name   string
	master *os.File
	// slave is held open so that the master can be read before the computer opened the port and after it closed it;
	// else every such read would fail with EIO.
	slave *os.File
}

// openTerminal makes a terminal whose name is not the given one: the kernel gives out the lowest free number, and a
// device that comes back under its old number would test nothing.
func openTerminal(notNamed string) (*terminal, error) {
	fd, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("open a pseudo-terminal: %w", err)
	}
	master := os.NewFile(uintptr(fd), "/dev/ptmx")
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		master.Close()
		return nil, fmt.Errorf("unlock a pseudo-terminal: %w", err)
	}
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		master.Close()
		return nil, fmt.Errorf("number of a pseudo-terminal: %w", err)
	}
	name := fmt.Sprintf("/dev/pts/%d", number)
	if name == notNamed {
		defer master.Close()
		return openTerminal("")
	}
	held, err := unix.Open(name, unix.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		master.Close()
		return nil, fmt.Errorf("open %s: %w", name, err)
	}
	return &terminal{name, master, os.NewFile(uintptr(held), name)}, nil
}

// settings returns what the terminal shows of how the computer set it, and fill for what it hides (parity and data
// bits). A terminal that is still in cooked mode was set by nobody.
func (t *terminal) settings(fill port.Settings) port.Settings {
	seen, err := t.termios()
	if err != nil || seen.Lflag&unix.ICANON != 0 {
		return fill
	}
	if baud, known := bauds[seen.Cflag&unix.CBAUD]; known {
		fill.Baud = baud
	}
	fill.StopBits = 1
	if seen.Cflag&unix.CSTOPB != 0 {
		fill.StopBits = 2
	}
	return fill
}

func (t *terminal) termios() (seen *unix.Termios, err error) {
	err = control(t.master, func(fd int) (err error) {
		seen, err = unix.IoctlGetTermios(fd, unix.TCGETS)
		return err
	})
	return seen, err
}

// unread returns how many bytes the computer has not read yet.
func (t *terminal) unread() (bytes int) {
	_ = control(t.slave, func(fd int) (err error) {
		bytes, err = unix.IoctlGetInt(fd, unix.TIOCINQ)
		return err
	})
	return bytes
}

// hangUp does to every descriptor of the slave end what pulling out a USB adapter does.
func (t *terminal) hangUp() error {
	err := control(t.slave, func(fd int) error { return unix.IoctlSetInt(fd, unix.TIOCVHANGUP, 0) })
	if err != nil {
		return fmt.Errorf("hang up %s (needs root): %w", t.name, err)
	}
	t.slave.Close()
	// The master end does not notice by itself: whoever reads from it is woken.
	return t.master.SetReadDeadline(time.Unix(1, 0))
}

// control runs do with a file's descriptor, which is open as long as do runs.
func control(file *os.File, do func(fd int) error) error {
	raw, err := file.SyscallConn()
	if err != nil {
		return err
	}
	var done error
	if err := raw.Control(func(fd uintptr) { done = do(int(fd)) }); err != nil {
		return err
	}
	return done
}

func (t *terminal) close() {
	t.slave.Close()
	t.master.Close()
}

// bauds are the speeds by their codes in a termios (termios(3)).
var bauds = map[uint32]int{
	unix.B50: 50, unix.B75: 75, unix.B110: 110, unix.B134: 134, unix.B150: 150, unix.B200: 200, unix.B300: 300,
	unix.B600: 600, unix.B1200: 1200, unix.B1800: 1800, unix.B2400: 2400, unix.B4800: 4800, unix.B9600: 9600,
	unix.B19200: 19200, unix.B38400: 38400, unix.B57600: 57600, unix.B115200: 115200, unix.B230400: 230400,
	unix.B460800: 460800, unix.B500000: 500000, unix.B576000: 576000, unix.B921600: 921600, unix.B1000000: 1000000,
	unix.B1152000: 1152000, unix.B1500000: 1500000, unix.B2000000: 2000000, unix.B2500000: 2500000,
	unix.B3000000: 3000000, unix.B3500000: 3500000, unix.B4000000: 4000000,
}
