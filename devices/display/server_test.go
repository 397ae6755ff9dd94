package display_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xfixes"
	"github.com/jezek/xgb/xproto"
	"github.com/jezek/xgb/xtest"

	"reelkiosk/devices/display"
)

// patience is how long a test waits for what must happen.
const patience = 20 * time.Second

// server is an X server of the test's own, with hands and eyes.
type server struct {
	process *os.Process
	display string
	conn    *xgb.Conn
	root    xproto.Window
}

// startServer starts Xvfb on a display that is free.
func startServer(t *testing.T, width, height int) *server {
	t.Helper()
	if _, err := exec.LookPath("Xvfb"); err != nil {
		t.Fatal("Xvfb is not installed (Debian package xvfb)")
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	xvfb := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", fmt.Sprintf("%dx%dx24", width, height),
		"-nolisten", "tcp", "-noreset")
	xvfb.ExtraFiles = []*os.File{write}
	xvfb.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	err = xvfb.Start()
	write.Close()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		xvfb.Process.Kill()
		xvfb.Wait()
	})
	number, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		t.Fatalf("Xvfb has no display: %v", err)
	}
	xgb.Logger.SetOutput(io.Discard) // it complains of a missing authority file, which this server does not ask for
	s := &server{process: xvfb.Process, display: ":" + strings.TrimSpace(number)}
	if s.conn, err = xgb.NewConnDisplay(s.display); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.conn.Close)
	if err := firstError(func() error { return xtest.Init(s.conn) }, func() error { return xfixes.Init(s.conn) }); err != nil {
		t.Fatal(err)
	}
	if _, err := xfixes.QueryVersion(s.conn, 5, 0).Reply(); err != nil {
		t.Fatal(err)
	}
	s.root = xproto.Setup(s.conn).DefaultScreen(s.conn).Root
	return s
}

// kiosk is the other process: a window on the server.
type kiosk struct {
	t     *testing.T
	says  chan string
	tells io.Writer
}

// startKiosk runs actWindow on the server and waits until it has placed its window.
func (s *server) startKiosk(t *testing.T, environment ...string) *kiosk {
	t.Helper()
	process := exec.Command(os.Args[0])
	process.Env = append(os.Environ(), actVariable+"=window", "DISPLAY="+s.display, "LANG="+display.Locale, "LC_ALL=")
	process.Env = append(process.Env, "HOME="+t.TempDir())
	process.Env = append(process.Env, environment...)
	process.Stderr = os.Stderr
	output, err := process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	input, err := process.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	k := &kiosk{t, make(chan string, 100), input}
	go func() {
		defer close(k.says)
		for lines := bufio.NewScanner(output); lines.Scan(); {
			k.says <- lines.Text()
		}
	}()
	t.Cleanup(func() {
		input.Close() // ends it
		killer := time.AfterFunc(patience, func() { process.Process.Kill() })
		defer killer.Stop()
		for range k.says {
		}
		if err := process.Wait(); err != nil {
			t.Errorf("the window's process: %v", err)
		}
	})
	return k
}

// await waits for a line that begins so.
func (k *kiosk) await(beginning string) string {
	k.t.Helper()
	limit := time.After(patience)
	for {
		select {
		case line, more := <-k.says:
			if !more {
				k.t.Fatalf("the window's process ended, wanted %q", beginning)
			}
			if strings.HasPrefix(line, beginning) {
				return line
			}
			k.t.Errorf("the window's process says %q, wanted %q", line, beginning)
		case <-limit:
			k.t.Fatalf("the window's process does not say %q", beginning)
		}
	}
}

func (k *kiosk) tell(line string) { fmt.Fprintln(k.tells, line) }

// until polls for what another process does.
func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !done(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("did not happen in %v: %s", patience, what)
		}
	}
}

// window returns the kiosk's window, or 0.
func (s *server) window() xproto.Window {
	tree, err := xproto.QueryTree(s.conn, s.root).Reply()
	if err != nil {
		return 0
	}
	for _, child := range tree.Children {
		name, err := xproto.GetProperty(s.conn, false, child, xproto.AtomWmName, xproto.AtomString, 0, 16).Reply()
		if err == nil && string(name.Value) == "Kiosk" {
			return child
		}
	}
	return 0
}

// place returns where the window is, as 'WIDTH×HEIGHT at X,Y'.
func (s *server) place() string {
	found, err := xproto.GetGeometry(s.conn, xproto.Drawable(s.window())).Reply()
	if err != nil {
		return "no window"
	}
	return fmt.Sprintf("%d×%d at %d,%d", found.Width, found.Height, found.X, found.Y)
}

// shows reports whether the server shows the window's backdrop at a point.
func (s *server) shows(x, y int) bool {
	pixel, err := xproto.GetImage(s.conn, xproto.ImageFormatZPixmap, xproto.Drawable(s.root), int16(x), int16(y), 1, 1,
		0xffffffff).Reply()
	return err == nil && pixel.Data[0] == backdrop.B && pixel.Data[1] == backdrop.G && pixel.Data[2] == backdrop.R
}

func (s *server) fake(t *testing.T, kind, detail byte, x, y int) {
	t.Helper()
	if err := xtest.FakeInputChecked(s.conn, kind, detail, 0, s.root, int16(x), int16(y), 0).Check(); err != nil {
		t.Fatal(err)
	}
}

// touch presses at a place and lets go.
func (s *server) touch(t *testing.T, x, y int) {
	t.Helper()
	s.fake(t, xproto.MotionNotify, 0, x, y)
	s.fake(t, xproto.ButtonPress, 1, 0, 0)
	time.Sleep(30 * time.Millisecond) // GLFW must see both ends
	s.fake(t, xproto.ButtonRelease, 1, 0, 0)
}

// Keys by their X11 keysyms (keysymdef.h).
const (
	keyTab     = 0xff09
	keyReturn  = 0xff0d
	keyEscape  = 0xff1b
	keySpace   = 0x0020
	keyF4      = 0xffc1
	keyShift   = 0xffe1
	keyControl = 0xffe3
	keyAlt     = 0xffe9
	keyQ       = 0x0071
	keyT       = 0x0074
)

// press presses keys together and lets them go.
func (s *server) press(t *testing.T, symbols ...xproto.Keysym) {
	t.Helper()
	for _, symbol := range symbols {
		s.fake(t, xproto.KeyPress, s.keycode(t, symbol), 0, 0)
	}
	for _, symbol := range symbols {
		s.fake(t, xproto.KeyRelease, s.keycode(t, symbol), 0, 0)
	}
}

func (s *server) keycode(t *testing.T, symbol xproto.Keysym) byte {
	t.Helper()
	setup := xproto.Setup(s.conn)
	count := byte(setup.MaxKeycode - setup.MinKeycode + 1)
	mapping, err := xproto.GetKeyboardMapping(s.conn, setup.MinKeycode, count).Reply()
	if err != nil {
		t.Fatal(err)
	}
	for index, found := range mapping.Keysyms {
		if found == symbol {
			return byte(setup.MinKeycode) + byte(index/int(mapping.KeysymsPerKeycode))
		}
	}
	t.Fatalf("the keyboard has no key %#x", symbol)
	return 0
}
