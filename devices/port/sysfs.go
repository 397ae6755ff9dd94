package port

import (
	"os"
	"path/filepath"
	"strings"
)

// hardware returns the names of the terminals that have serial hardware behind them, such as ttyUSB0 and ttyS1. The kernel
// makes ttyS0 to ttyS3 on every PC, there or not: those that are not have the type 0 (PORT_UNKNOWN in serial_core.h).
func hardware(sys string) []string {
	folders, _ := filepath.Glob(filepath.Join(sys, "class/tty/*/device/driver"))
	var names []string
	for _, folder := range folders {
		terminal := filepath.Dir(filepath.Dir(folder))
		if kind := attribute(terminal, "type"); kind != "0" {
			names = append(names, filepath.Base(terminal))
		}
	}
	return names
}

// describe fills in what sysfs says of a port.
func (a *Attached) describe(sys string) {
	device, err := filepath.EvalSymlinks(filepath.Join(sys, "class/tty", filepath.Base(a.Node), "device"))
	if err != nil {
		return
	}
	if driver, err := os.Readlink(filepath.Join(device, "driver")); err == nil {
		a.Driver = filepath.Base(driver)
	}
	// The device of a USB port is an interface, or a port of one; the device itself is above, where its numbers are.
	for up := device; len(up) > len(sys) && up != "/"; up = filepath.Dir(up) {
		vendor := attribute(up, "idVendor")
		if vendor == "" {
			continue
		}
		a.ID = vendor + ":" + attribute(up, "idProduct")
		a.Maker, a.Product, a.Serial = attribute(up, "manufacturer"), attribute(up, "product"), attribute(up, "serial")
		return
	}
}

// attribute reads a file of sysfs. Descriptors of USB devices are theirs to choose: nothing but printable letters comes
// through, and no more of them than a descriptor can hold (126, USB 2.0, 9.6.7).
func attribute(folder, name string) string {
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		return ""
	}
	letters := []rune(strings.TrimSpace(strings.ToValidUTF8(string(text), "?")))
	for at, letter := range letters {
		if letter < ' ' || letter == 0x7F || 0x80 <= letter && letter < 0xA0 {
			letters[at] = '?'
		}
	}
	return string(letters[:min(len(letters), 126)])
}
