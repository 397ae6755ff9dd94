package display_test

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jezek/xgb/xfixes"
	"github.com/jezek/xgb/xproto"
	"github.com/jezek/xgb/xtest"
)

// A first frame went to a surface of the old size, and a screen on which nothing moved kept it.
func TestTheWindowFillsItsMonitorToTheEdges(t *testing.T) {
	for name, size := range map[string][2]int{"portrait": {1080, 1920}, "landscape": {1920, 1080}} {
		t.Run(name, func(t *testing.T) {
			server := startServer(t, size[0], size[1])
			kiosk := server.startKiosk(t)
			whole := fmt.Sprintf("%d×%d at 0,0", size[0], size[1])
			if placed := kiosk.await("placed on"); !strings.HasSuffix(placed, whole+" (<nil>)") {
				t.Errorf("%s, wanted %s", placed, whole)
			}
			until(t, "the window is as large as the monitor", func() bool { return server.place() == whole })
			until(t, "it is painted in all corners", func() bool {
				return server.shows(size[0]-1, 0) && server.shows(0, size[1]-1) && server.shows(size[0]-1, size[1]-1)
			})
		})
	}
}

// One text that was too long made the window wider than its monitor.
func TestATextThatIsTooLongLeavesTheWindowAsItIs(t *testing.T) {
	server := startServer(t, 800, 600)
	kiosk := server.startKiosk(t)
	kiosk.await("placed on")
	until(t, "the window is shown", func() bool { return server.shows(799, 599) })
	kiosk.tell("too long")
	for range 3 { // each goes once round Fyne's loop
		server.touch(t, 30, 20)
		kiosk.await("touched")
	}
	if place := server.place(); place != "800×600 at 0,0" {
		t.Errorf("the window is %s", place)
	}
}

func TestAMonitorThatIsNotThereIsReportedAndAnotherUsed(t *testing.T) {
	server := startServer(t, 800, 600)
	kiosk := server.startKiosk(t, "REELKIOSK_TEST_MONITOR=HDMI-7")
	placed := kiosk.await("placed on")
	for _, want := range []string{"800×600 at 0,0", "configured monitor not connected: HDMI-7, there is screen"} {
		if !strings.Contains(placed, want) {
			t.Errorf("%s, wanted %s", placed, want)
		}
	}
}

func TestAFullScreenWindowIsTakenBack(t *testing.T) {
	server := startServer(t, 800, 600)
	kiosk := server.startKiosk(t)
	kiosk.await("placed on")
	kiosk.tell("full screen")
	kiosk.tell("place")
	kiosk.await("placed again on")
	until(t, "the window is where it belongs", func() bool { return server.place() == "800×600 at 0,0" })
}

func TestNoPointerIsSeen(t *testing.T) {
	server := startServer(t, 800, 600)
	server.startKiosk(t).await("placed on")
	until(t, "the window is shown", func() bool { return server.shows(799, 599) })
	server.fake(t, xproto.MotionNotify, 0, 400, 400)
	server.fake(t, xproto.MotionNotify, 0, 410, 410)
	until(t, "the pointer is hidden", func() bool {
		pointer, err := xfixes.GetCursorImage(server.conn).Reply()
		if err != nil {
			t.Fatal(err)
		}
		for _, pixel := range pointer.CursorImage {
			if pixel>>24 != 0 {
				return false
			}
		}
		return true
	})
}

// A scanner that is set up as a keyboard, or a forgotten keyboard, walks over the buttons and presses them.
func TestKeysDoNothing(t *testing.T) {
	server := startServer(t, 800, 600)
	kiosk := server.startKiosk(t)
	kiosk.await("placed on")
	until(t, "the window is shown", func() bool { return server.shows(799, 599) })
	for _, keys := range [][]xproto.Keysym{
		{keyTab}, {keyReturn}, {keySpace}, {keyShift, keyTab}, {keyReturn}, {keySpace}, {keyTab}, {keyTab}, {keySpace},
		{keyEscape}, {keyAlt, keyF4}, {keyControl, keyQ},
	} {
		server.press(t, keys...)
	}
	server.touch(t, 30, 20)
	kiosk.await("touched") // by the finger; await fails on anything else that is said before
	for _, keys := range [][]xproto.Keysym{{keyReturn}, {keySpace}, {keyTab}, {keySpace}} {
		server.press(t, keys...)
	}
	server.press(t, keyControl, keyShift, keyT)
	kiosk.await("service")
	if server.window() == 0 {
		t.Error("the window is closed")
	}
}

// A planned end with a finger on the screen was a crash: see Quit.
func TestTheKioskEndsWellUnderAMovingFinger(t *testing.T) {
	server := startServer(t, 800, 600)
	for range 5 {
		t.Run("", func(t *testing.T) {
			ended, still := make(chan struct{}), make(chan struct{})
			t.Cleanup(func() { close(ended); <-still }) // after the kiosk's own, which ends it
			kiosk := server.startKiosk(t)
			kiosk.await("placed on")
			go func() {
				defer close(still)
				for x := int16(0); ; x = (x + 37) % 800 {
					select {
					case <-ended:
						return
					default:
						xtest.FakeInputChecked(server.conn, xproto.MotionNotify, 0, 0, server.root, x, 20, 0).Check()
					}
				}
			}()
		})
	}
}

func TestTheWindowCannotBeClosed(t *testing.T) {
	server := startServer(t, 800, 600)
	kiosk := server.startKiosk(t)
	kiosk.await("placed on")
	until(t, "the window is shown", func() bool { return server.shows(799, 599) })
	atom := func(name string) xproto.Atom {
		reply, err := xproto.InternAtom(server.conn, false, uint16(len(name)), name).Reply()
		if err != nil {
			t.Fatal(err)
		}
		return reply.Atom
	}
	close := xproto.ClientMessageEvent{
		Format: 32, Window: server.window(), Type: atom("WM_PROTOCOLS"),
		Data: xproto.ClientMessageDataUnionData32New([]uint32{uint32(atom("WM_DELETE_WINDOW")), 0, 0, 0, 0}),
	}
	if err := xproto.SendEventChecked(server.conn, false, server.window(), 0, string(close.Bytes())).Check(); err != nil {
		t.Fatal(err)
	}
	server.touch(t, 30, 20) // comes after it
	kiosk.await("touched")
	if server.window() == 0 {
		t.Error("the window is closed")
	}
}

// The picture stood still for good after an X server that had been stopped for a minute: see pulse. Fyne forgets after a
// second here instead of a minute, but clears its memory ten seconds after the last time at the earliest.
func TestAPictureThatWasHeldUpForLongMovesAgain(t *testing.T) {
	t.Parallel()
	server := startServer(t, 800, 600)
	kiosk := server.startKiosk(t, "FYNE_CACHE=1s")
	kiosk.await("placed on")
	until(t, "the window is shown", func() bool { return server.shows(799, 599) })
	<-time.After(4 * time.Second) // until nothing of Settle is left, which asks the window too
	if err := server.process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	held := time.After(12 * time.Second)
	for range 20 { // until painting waits for the server
		kiosk.tell("dark")
		kiosk.tell("light")
	}
	<-held
	if err := server.process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	kiosk.await("held up")
	for range 3 {
		kiosk.tell("dark")
		until(t, "the window is dark", func() bool { return !server.shows(799, 599) })
		kiosk.tell("light")
		until(t, "the window is light", func() bool { return server.shows(799, 599) })
	}
}
