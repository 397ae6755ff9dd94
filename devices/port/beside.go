package port

import (
	"fmt"
	"os"
	"strings"
)

// besideEnding is that of the file beside a link in which an emulated device learns how its line was set.
const besideEnding = ".line"

// Beside returns the option with which a program tells an emulated device in another process how the line is set: it writes
// that to the file NAME.line, where there is one. Beside a real port there is none, and nothing is written.
func Beside(name string) Option {
	return Told(func(set Settings) {
		file, err := os.OpenFile(name+besideEnding, os.O_WRONLY|os.O_TRUNC, 0)
		if err != nil {
			return
		}
		set = set.Normal()
		fmt.Fprintf(file, "%d %d %s %d\n", set.Baud, set.DataBits, set.Parity, set.StopBits)
		file.Close()
	})
}

// ToldBeside returns what a program wrote with Beside, and whether one did.
func ToldBeside(name string) (set Settings, told bool) {
	text, err := os.ReadFile(name + besideEnding)
	if err != nil {
		return set, false
	}
	var parity string
	if _, err := fmt.Sscan(strings.TrimSpace(string(text)), &set.Baud, &set.DataBits, &parity, &set.StopBits); err != nil {
		return Settings{}, false
	}
	return set, set.Parity.UnmarshalText([]byte(parity)) == nil
}

// OpenBeside makes the file NAME.line, empty. The emulated device removes it with CloseBeside.
func OpenBeside(name string) error { return os.WriteFile(name+besideEnding, nil, 0o666) }

// CloseBeside removes the file NAME.line.
func CloseBeside(name string) error { return os.Remove(name + besideEnding) }
