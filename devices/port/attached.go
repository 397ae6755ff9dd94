package port

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Attached is a serial port that the machine has now.
type Attached struct {
	// Name is the best name for a configuration: the one that stays, and that no other device can take.
	Name string `json:"name"`
	// Links are all names of it that stay while it is replugged, those by device before those by socket.
	Links []string `json:"links,omitempty"`
	// Node is what the names stand for now.
	Node string `json:"node"`
	// Maker, Product and Serial are what a USB device says of itself; ID is its vendor and product, "0403:6001".
	Maker   string `json:"maker,omitempty"`
	Product string `json:"product,omitempty"`
	Serial  string `json:"serial,omitempty"`
	ID      string `json:"id,omitempty"`
	// Driver is the system's, such as ftdi_sio.
	Driver string `json:"driver,omitempty"`
	// User is the program that has it open, nil where none is seen. Without root only this user's programs are seen, and
	// those that lock their ports as this package does.
	User *User `json:"user,omitempty"`
	// Caution is why its name may not be enough; empty for nothing.
	Caution Caution `json:"caution,omitempty"`
}

// User is a program that has a port open.
type User struct {
	Process int    `json:"process"`
	Program string `json:"program,omitempty"` // at most 15 letters (proc_pid_comm(5)); empty where it is not told
}

// Caution is why a port's name may not be enough.
type Caution string

// The cautions.
const (
	// Twin: another device that is plugged in says the same of itself, with the same serial number or none. A name by device
	// may be either of them: Name is then by socket.
	Twin Caution = "twin"
	// NoSerial: the device has no serial number. A second one of its kind would take its name by device.
	NoSerial Caution = "no-serial-number"
	// NoLink: there is no name that stays.
	NoLink Caution = "no-link"
)

// Advice is what a technician does about a caution: a sentence, empty for none.
func (c Caution) Advice() string {
	switch c {
	case Twin:
		return "Two devices say the same of themselves: name each by its socket, as here, and do not swap their cables."
	case NoSerial:
		return "It has no serial number: before a second one of its kind is plugged in, name it by its link under by-path."
	case NoLink:
		return "It has no name that stays: look whether udev runs and makes links under /dev/serial."
	}
	return ""
}

// Roots are where the system's files are looked for. The zero value is the machine's own /dev, /sys and /proc.
type Roots struct{ Dev, Sys, Proc string }

func (r Roots) filled() Roots {
	return Roots{cmp.Or(r.Dev, "/dev"), cmp.Or(r.Sys, "/sys"), cmp.Or(r.Proc, "/proc")}
}

// List returns the serial ports that are attached, sorted by name: all that has a link under /dev/serial, and all that sysfs
// knows to have hardware behind it. It opens no port, and asks none anything: it reads names and sysfs alone.
func List(roots Roots) []Attached {
	r := roots.filled()
	found := map[string]*Attached{}
	at := func(node string) *Attached {
		if found[node] == nil {
			found[node] = &Attached{Node: node}
		}
		return found[node]
	}
	for _, folder := range []string{"by-id", "by-path"} {
		links, _ := filepath.Glob(filepath.Join(r.Dev, "serial", folder, "*"))
		for _, link := range links {
			real, err := filepath.EvalSymlinks(link)
			if err != nil {
				continue // unplugged meanwhile
			}
			port := at(real)
			port.Links = append(port.Links, "/dev/serial/"+folder+"/"+filepath.Base(link))
		}
	}
	for _, name := range hardware(r.Sys) {
		node := filepath.Join(r.Dev, name)
		if _, err := os.Lstat(node); err == nil {
			at(node)
		}
	}
	users := usersOf(r.Proc, found)
	ports := make([]Attached, 0, len(found))
	for node, port := range found {
		port.describe(r.Sys)
		port.User = users[node]
		if rest, under := strings.CutPrefix(node, r.Dev+"/"); under {
			port.Node = "/dev/" + rest
		}
		ports = append(ports, *port)
	}
	name(ports)
	slices.SortFunc(ports, func(a, b Attached) int { return strings.Compare(a.Name, b.Name) })
	return ports
}

// name gives each port its best name, and says where that is not enough.
func name(ports []Attached) {
	type self struct{ id, maker, product, serial, driver string }
	alike := map[self]map[string]bool{} // devices, by what they say; two ports of one device are no twins
	selfOf := func(p Attached) self { return self{p.ID, p.Maker, p.Product, p.Serial, p.Driver} }
	for _, port := range ports {
		if alike[selfOf(port)] == nil {
			alike[selfOf(port)] = map[string]bool{}
		}
		alike[selfOf(port)][port.socket()] = true
	}
	for at := range ports {
		port := &ports[at]
		switch {
		case len(port.Links) == 0:
			port.Name, port.Caution = port.Node, NoLink
		case port.ID != "" && len(alike[selfOf(*port)]) > 1:
			port.Name, port.Caution = port.Links[len(port.Links)-1], Twin
		case port.ID != "" && port.Serial == "":
			port.Name, port.Caution = port.Links[0], NoSerial
		default:
			port.Name = port.Links[0]
		}
	}
}

// socket is the link by socket without the number of the interface, or the node: '…-usb-0:1.2:1.0-port0' is the first
// interface of the device at 0:1.2.
func (a Attached) socket() string {
	for _, link := range a.Links {
		if base, is := strings.CutPrefix(link, "/dev/serial/by-path/"); is {
			if end := strings.LastIndex(base, ":"); end > 0 {
				return base[:end]
			}
			return base
		}
	}
	return a.Node
}

// Has reports whether a name of a configuration is one of the port's.
func (a Attached) Has(name string) bool {
	if name == a.Node || name == a.Name || slices.Contains(a.Links, name) {
		return true
	}
	real, err := filepath.EvalSymlinks(name) // a link of somebody's own, as the emulator's are
	return err == nil && real == a.Node
}
