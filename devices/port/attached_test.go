package port_test

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"reelkiosk/devices/port"
)

// machine is a /dev, /sys and /proc that a test fills.
type machine struct {
	t     *testing.T
	roots port.Roots
}

func newMachine(t *testing.T) machine {
	folder := t.TempDir()
	m := machine{t, port.Roots{Dev: folder + "/dev", Sys: folder + "/sys", Proc: folder + "/proc"}}
	for _, each := range []string{m.roots.Dev, m.roots.Sys, m.roots.Proc} {
		m.check(os.MkdirAll(each, 0o755))
	}
	return m
}

func (m machine) check(err error) {
	m.t.Helper()
	if err != nil {
		m.t.Fatal(err)
	}
}

func (m machine) write(path, text string) {
	m.t.Helper()
	m.check(os.MkdirAll(filepath.Dir(path), 0o755))
	m.check(os.WriteFile(path, []byte(text), 0o644))
}

func (m machine) link(path, target string) {
	m.t.Helper()
	m.check(os.MkdirAll(filepath.Dir(path), 0o755))
	m.check(os.Symlink(target, path))
}

// usb is a USB adapter as a test describes it.
type usb struct{ tty, at, driver, maker, product, serial, byID string }

// plug lays a USB adapter into sysfs and /dev as Linux and udev do.
func (m machine) plug(u usb) {
	device := m.roots.Sys + "/devices/pci0000:00/usb1/" + u.at
	m.write(device+"/idVendor", "0403\n")
	m.write(device+"/idProduct", "6001\n")
	for name, value := range map[string]string{"manufacturer": u.maker, "product": u.product, "serial": u.serial} {
		if value != "" {
			m.write(device+"/"+name, value+"\n")
		}
	}
	port := device + "/" + u.at + ":1.0/" + u.tty
	m.link(port+"/driver", m.roots.Sys+"/bus/usb-serial/drivers/"+u.driver)
	m.check(os.MkdirAll(m.roots.Sys+"/bus/usb-serial/drivers/"+u.driver, 0o755))
	m.link(m.roots.Sys+"/class/tty/"+u.tty+"/device", port)
	m.write(m.roots.Dev+"/"+u.tty, "")
	if u.byID != "" {
		_ = os.Remove(m.roots.Dev + "/serial/by-id/" + u.byID)
		m.link(m.roots.Dev+"/serial/by-id/"+u.byID, "../../"+u.tty)
	}
	m.link(m.roots.Dev+"/serial/by-path/pci-usb-0:"+u.at+":1.0-port0", "../../"+u.tty)
}

func TestAttachedPortsAreListedWithWhatIsKnownOfThem(t *testing.T) {
	reader := usb{"ttyUSB0", "1-1", "ftdi_sio", "Acme", "Swipe Reader", "A1", "usb-Acme_Swipe_Reader_A1-if00-port0"}
	twins := []usb{
		{"ttyUSB0", "1-1", "ch341", "QinHeng", "USB Serial", "", "usb-1a86_USB_Serial-if00-port0"},
		{"ttyUSB1", "1-2", "ch341", "QinHeng", "USB Serial", "", "usb-1a86_USB_Serial-if00-port0"},
	}
	for name, test := range map[string]struct {
		lay  func(m machine)
		want []port.Attached
	}{
		"nothing": {func(machine) {}, []port.Attached{}},
		"a USB adapter": {func(m machine) { m.plug(reader) }, []port.Attached{{
			Name:  "/dev/serial/by-id/usb-Acme_Swipe_Reader_A1-if00-port0",
			Links: []string{"/dev/serial/by-id/usb-Acme_Swipe_Reader_A1-if00-port0", "/dev/serial/by-path/pci-usb-0:1-1:1.0-port0"},
			Node:  "/dev/ttyUSB0", Maker: "Acme", Product: "Swipe Reader", Serial: "A1", ID: "0403:6001", Driver: "ftdi_sio",
		}}},
		"two without a serial number": {func(m machine) { m.plug(twins[0]); m.plug(twins[1]) }, []port.Attached{
			{
				Name: "/dev/serial/by-path/pci-usb-0:1-1:1.0-port0", Links: []string{"/dev/serial/by-path/pci-usb-0:1-1:1.0-port0"},
				Node: "/dev/ttyUSB0", Maker: "QinHeng", Product: "USB Serial", ID: "0403:6001", Driver: "ch341", Caution: port.Twin,
			}, {
				Name:  "/dev/serial/by-path/pci-usb-0:1-2:1.0-port0",
				Links: []string{"/dev/serial/by-id/usb-1a86_USB_Serial-if00-port0", "/dev/serial/by-path/pci-usb-0:1-2:1.0-port0"},
				Node:  "/dev/ttyUSB1", Maker: "QinHeng", Product: "USB Serial", ID: "0403:6001", Driver: "ch341", Caution: port.Twin,
			},
		}},
		"one without a serial number": {func(m machine) { m.plug(twins[0]) }, []port.Attached{{
			Name:  "/dev/serial/by-id/usb-1a86_USB_Serial-if00-port0",
			Links: []string{"/dev/serial/by-id/usb-1a86_USB_Serial-if00-port0", "/dev/serial/by-path/pci-usb-0:1-1:1.0-port0"},
			Node:  "/dev/ttyUSB0", Maker: "QinHeng", Product: "USB Serial", ID: "0403:6001", Driver: "ch341", Caution: port.NoSerial,
		}}},
		"a port on the board, and one that is not there": {func(m machine) {
			for tty, kind := range map[string]string{"ttyS0": "4\n", "ttyS1": "0\n"} {
				m.write(m.roots.Dev+"/"+tty, "")
				m.check(os.MkdirAll(m.roots.Sys+"/bus/drivers/serial", 0o755))
				m.link(m.roots.Sys+"/devices/"+tty+"/driver", m.roots.Sys+"/bus/drivers/serial")
				m.link(m.roots.Sys+"/class/tty/"+tty+"/device", m.roots.Sys+"/devices/"+tty)
				m.write(m.roots.Sys+"/class/tty/"+tty+"/type", kind)
			}
		}, []port.Attached{{Name: "/dev/ttyS0", Node: "/dev/ttyS0", Driver: "serial", Caution: port.NoLink}}},
		"a link that a device left behind": {func(m machine) {
			m.link(m.roots.Dev+"/serial/by-id/usb-gone", "../../ttyUSB9")
		}, []port.Attached{}},
		"a descriptor that is no text": {func(m machine) {
			m.plug(usb{"ttyUSB0", "1-1", "ftdi_sio", "Ac\x1b[2Jme", "\xff", "A1", "usb-x"})
		}, []port.Attached{{
			Name: "/dev/serial/by-id/usb-x", Links: []string{"/dev/serial/by-id/usb-x", "/dev/serial/by-path/pci-usb-0:1-1:1.0-port0"},
			Node: "/dev/ttyUSB0", Maker: "Ac?[2Jme", Product: "?", Serial: "A1", ID: "0403:6001", Driver: "ftdi_sio",
		}}},
		"in use": {func(m machine) {
			m.plug(reader)
			m.write(m.roots.Proc+"/77/comm", "minicom\n")
			m.link(m.roots.Proc+"/77/fd/5", m.roots.Dev+"/ttyUSB0")
		}, []port.Attached{{
			Name:  "/dev/serial/by-id/usb-Acme_Swipe_Reader_A1-if00-port0",
			Links: []string{"/dev/serial/by-id/usb-Acme_Swipe_Reader_A1-if00-port0", "/dev/serial/by-path/pci-usb-0:1-1:1.0-port0"},
			Node:  "/dev/ttyUSB0", Maker: "Acme", Product: "Swipe Reader", Serial: "A1", ID: "0403:6001", Driver: "ftdi_sio",
			User: &port.User{Process: 77, Program: "minicom"},
		}}},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			test.lay(m)
			if got := port.List(m.roots); !reflect.DeepEqual(got, test.want) {
				t.Errorf("got  %+v\nwant %+v", got, test.want)
			}
		})
	}
}

func TestWatchTellsWhatIsPluggedInAndOut(t *testing.T) {
	m := newMachine(t)
	ctx, stop := context.WithCancel(context.Background())
	lists := port.Watch(ctx, m.roots, time.Millisecond)
	next := func() []port.Attached {
		t.Helper()
		select {
		case list := <-lists:
			return list
		case <-time.After(10 * time.Second):
			t.Fatal("no list")
			return nil
		}
	}
	if list := next(); len(list) != 0 {
		t.Fatalf("attached at first: %+v", list)
	}
	m.write(m.roots.Dev+"/ttyUSB0", "")
	m.link(m.roots.Dev+"/serial/by-id/usb-Acme", "../../ttyUSB0")
	if list := next(); len(list) != 1 || list[0].Name != "/dev/serial/by-id/usb-Acme" {
		t.Fatalf("after plugging it in: %+v", list)
	}
	m.check(os.RemoveAll(m.roots.Dev + "/serial"))
	if list := next(); len(list) != 0 {
		t.Fatalf("after unplugging it: %+v", list)
	}
	stop()
	for range lists { // until it is closed
	}
}

func TestAPortThatIsListedIsNotOpened(t *testing.T) {
	m := newMachine(t)
	m.check(os.MkdirAll(m.roots.Dev+"/serial/by-id", 0o755))
	// A named pipe blocks whoever opens it to read.
	if err := unix.Mkfifo(m.roots.Dev+"/ttyUSB0", 0o600); err != nil {
		t.Fatal(err)
	}
	m.link(m.roots.Dev+"/serial/by-id/usb-Acme", "../../ttyUSB0")
	done := make(chan []port.Attached, 1)
	go func() { done <- port.List(m.roots) }()
	select {
	case list := <-done:
		if len(list) != 1 {
			t.Errorf("listed %+v", list)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the port was opened")
	}
}
