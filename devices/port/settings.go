package port

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
)

// Settings say which port it is and how its line runs. The zero values of DataBits, Parity and StopBits mean 8, none
// and 1.
type Settings struct {
	Name     string // what stays when it is replugged, e.g. /dev/serial/by-id/usb-…; resolved at each opening
	Baud     int    // bits a second; one of Bauds
	DataBits int    // 5 to 8
	Parity   Parity
	StopBits int // 1 or 2
}

// ErrSettings is wrapped by everything that Settings.Validate finds.
var ErrSettings = errors.New("port settings")

// Parity is the check bit that follows the data bits of each character.
type Parity byte

// The parities that tarm/serial can set. Mark and space are refused when the configuration is read.
const (
	NoParity Parity = iota
	OddParity
	EvenParity
)

var parityWords = []string{NoParity: "none", OddParity: "odd", EvenParity: "even"}

// String returns none, odd or even.
func (p Parity) String() string {
	if int(p) < len(parityWords) {
		return parityWords[p]
	}
	return fmt.Sprintf("parity %d", byte(p))
}

// MarshalText writes none, odd or even.
func (p Parity) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads none, odd or even. The error wraps ErrSettings.
func (p *Parity) UnmarshalText(text []byte) error {
	at := slices.Index(parityWords, string(text))
	if at < 0 {
		return fmt.Errorf("%w: parity %q: must be none, odd or even", ErrSettings, text)
	}
	*p = Parity(at)
	return nil
}

// Bauds are the speeds that tarm/serial can set, ascending.
var Bauds = []int{
	50, 75, 110, 134, 150, 200, 300, 600, 1200, 1800, 2400, 4800, 9600, 19200, 38400, 57600, 115200, 230400, 460800,
	500000, 576000, 921600, 1000000, 1152000, 1500000, 2000000, 2500000, 3000000, 3500000, 4000000,
}

// Validate returns everything that is wrong with the settings, each mistake naming the key, the value and what is
// allowed; nil if nothing is. Every error wraps ErrSettings.
func (s Settings) Validate() error {
	s = s.Normal()
	var found []error
	wrong := func(key string, value any, allowed string) {
		found = append(found, fmt.Errorf("%w: %s %v: %s", ErrSettings, key, value, allowed))
	}
	switch base := path.Base(s.Name); {
	case s.Name == "":
		wrong("name", `""`, "must name the port, best by its link under /dev/serial/by-id")
	case strings.HasPrefix(base, "ttyUSB"), strings.HasPrefix(base, "ttyACM"):
		wrong("name", s.Name, "changes when the device is replugged; give its link under /dev/serial/by-id or by-path")
	}
	if !slices.Contains(Bauds, s.Baud) {
		wrong("baud", s.Baud, "must be one of "+strings.Trim(fmt.Sprint(Bauds), "[]"))
	}
	if s.DataBits < 5 || s.DataBits > 8 {
		wrong("data bits", s.DataBits, "must be 5 to 8")
	}
	if s.Parity > EvenParity {
		wrong("parity", byte(s.Parity), "must be none, odd or even")
	}
	if s.StopBits != 1 && s.StopBits != 2 {
		wrong("stop bits", s.StopBits, "must be 1 or 2")
	}
	return errors.Join(found...)
}

// Normal returns the settings with the defaults filled in: 8 data bits and 1 stop bit.
func (s Settings) Normal() Settings {
	if s.DataBits == 0 {
		s.DataBits = 8
	}
	if s.StopBits == 0 {
		s.StopBits = 1
	}
	return s
}

// CharacterBits returns how many bit times one character takes on the line: the start bit, the data bits, the parity
// bit if there is one, and the stop bits.
func (s Settings) CharacterBits() int {
	s = s.Normal()
	bits := 1 + s.DataBits + s.StopBits
	if s.Parity != NoParity {
		bits++
	}
	return bits
}
