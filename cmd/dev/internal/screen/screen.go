// Package screen is an X display with hands and eyes: it starts Xvfb where there is no display, touches a place with a
// real pointer (the XTEST extension), and takes pictures of what is shown.
//
// A touch travels the whole way that a finger's does, from the X server through GLFW and Fyne to the button.
package screen

import (
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
	"github.com/jezek/xgb/xtest"
)

// ErrNoServer is wrapped by Start where Xvfb cannot be started; the message says what to install.
var ErrNoServer = errors.New("no X server")

// Screen is one display.
type Screen struct {
	name   string
	conn   *xgb.Conn
	root   xproto.Window
	width  int
	height int
	server *exec.Cmd // nil where the display was there before
	ended  chan error
}

// Start starts an Xvfb of that many pixels on a free display and connects to it. Close ends it.
func Start(width, height int) (*Screen, error) {
	read, write, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("start Xvfb: %w", err)
	}
	defer read.Close()
	server := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", fmt.Sprintf("%dx%dx24", width, height),
		"-nolisten", "tcp", "-noreset")
	server.ExtraFiles = []*os.File{write}
	dieWithParent(server)
	err = server.Start()
	write.Close()
	if err != nil {
		return nil, fmt.Errorf("%w: %w (Debian package xvfb)", ErrNoServer, err)
	}
	number := make([]byte, 16)
	got, err := read.Read(number)
	if err != nil {
		_ = server.Wait()
		return nil, fmt.Errorf("%w: Xvfb ended before it had a display", ErrNoServer)
	}
	screen, err := Attach(":" + strings.TrimSpace(string(number[:got])))
	if err != nil {
		_ = server.Process.Kill()
		_ = server.Wait()
		return nil, err
	}
	screen.server, screen.ended = server, make(chan error, 1)
	go func() { screen.ended <- server.Wait() }()
	return screen, nil
}

// Attach connects to a display that is there, named as in DISPLAY.
func Attach(display string) (*Screen, error) {
	xgb.Logger.SetOutput(io.Discard) // it says on standard error what its errors say, and that there is no Xauthority
	conn, err := xgb.NewConnDisplay(display)
	if err != nil {
		return nil, fmt.Errorf("connect to display %s: %w", display, err)
	}
	if err := xtest.Init(conn); err != nil {
		conn.Close()
		return nil, fmt.Errorf("display %s takes no synthetic touches: %w", display, err)
	}
	root := xproto.Setup(conn).DefaultScreen(conn)
	return &Screen{
		name: display, conn: conn, root: root.Root,
		width: int(root.WidthInPixels), height: int(root.HeightInPixels),
	}, nil
}

// Display returns the display's name, for DISPLAY.
func (s *Screen) Display() string { return s.name }

// Size returns the display's width and height in pixels.
func (s *Screen) Size() (width, height int) { return s.width, s.height }

// Tap puts the pointer at a place, presses and lets go, as a finger would, and returns as soon as it has let go. The press is
// held for a few milliseconds, since GLFW reads both ends of a touch in one poll otherwise.
func (s *Screen) Tap(x, y int) error {
	if x < 0 || y < 0 || x >= s.width || y >= s.height {
		return fmt.Errorf("tap at %d,%d: outside of the display of %d×%d", x, y, s.width, s.height)
	}
	steps := []struct {
		kind, detail byte
	}{{xproto.MotionNotify, 0}, {xproto.ButtonPress, 1}, {xproto.ButtonRelease, 1}}
	for index, step := range steps {
		if index > 0 {
			time.Sleep(touchStep)
		}
		err := xtest.FakeInputChecked(s.conn, step.kind, step.detail, 0, s.root, int16(x), int16(y), 0).Check()
		if err != nil {
			return fmt.Errorf("tap at %d,%d: %w", x, y, err)
		}
	}
	return nil
}

const touchStep = 15 * time.Millisecond

// Picture returns what the display shows now.
func (s *Screen) Picture() (*image.RGBA, error) {
	picture := image.NewRGBA(image.Rect(0, 0, s.width, s.height))
	const rows = 256 // a band of full width stays far below the longest reply of the protocol
	for top := 0; top < s.height; top += rows {
		height := min(rows, s.height-top)
		reply, err := xproto.GetImage(s.conn, xproto.ImageFormatZPixmap, xproto.Drawable(s.root), 0, int16(top),
			uint16(s.width), uint16(height), 0xffffffff).Reply()
		if err != nil {
			return nil, fmt.Errorf("take a picture of display %s: %w", s.name, err)
		}
		for pixel := range s.width * height {
			from, to := reply.Data[4*pixel:4*pixel+4], picture.Pix[top*picture.Stride+4*pixel:]
			to[0], to[1], to[2], to[3] = from[2], from[1], from[0], 0xff // BGRX, the layout of every 24-bit visual here
		}
	}
	return picture, nil
}

// Save writes a picture as a PNG file.
func Save(picture *image.RGBA, path string) error {
	file, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("write screenshot: %w", err)
	}
	if err := png.Encode(file, picture); err != nil {
		file.Close()
		return fmt.Errorf("write screenshot %s: %w", path, err)
	}
	return file.Close()
}

// Close ends the connection, and the Xvfb if Start started it.
func (s *Screen) Close() {
	s.conn.Close()
	if s.server == nil {
		return
	}
	_ = s.server.Process.Signal(os.Interrupt)
	select {
	case <-s.ended:
	case <-time.After(3 * time.Second):
		_ = s.server.Process.Kill()
		<-s.ended
	}
}
