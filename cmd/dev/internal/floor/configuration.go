package floor

import (
	"fmt"
	"strings"
)

// kioskName is the kiosk's name, in its configuration and in the books.
const kioskName = "kiosk-1"

// configuration returns the kiosk's configuration file.
func (f *Floor) configuration() string {
	var text strings.Builder
	line := func(format string, values ...any) { fmt.Fprintf(&text, format+"\n", values...) }
	line("name = %q", kioskName)
	line("central = %q", f.Base())
	line("data = %q", f.Path("kiosk"))
	line("refresh = %q", "1s")
	if f.options.Identification != "" {
		line("identification = %q", f.options.Identification)
	}
	for _, reader := range []struct{ role, profile, line string }{
		{"card", "magstripe", "card"}, {"document", "scanner", "scanner"},
	} {
		line("\n[[reader]]\nrole = %q\nprofile = %q\nport = %q", reader.role, reader.profile, f.Lines[reader.line].Link())
	}
	line("\n[printer]\nprofile = %q\nport = %q", printerProfile, f.Lines["printer"].Link())
	return text.String()
}
