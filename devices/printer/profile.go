package printer

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"reelkiosk/assets"
	"reelkiosk/devices/printer/escpos"
)

// Profile is what the driver must know of a printer's model: facts as data, so that another model is another file. The
// embedded ones are in assets/printers; ReadProfile reads others in the same form.
type Profile struct {
	Name  string // the file's, without .toml
	About string // which printers it fits, for technicians

	Dots          int // printable dots a row, a multiple of 8
	Columns       int // letters of font A a row
	UnitsPerDot   int // vertical units of ESC J and ESC 3 a dot: 1 or 2
	RowsPerSecond int // dot rows printed in a second
	Buffer        int // bytes that the printer holds before it loses some
	Baud          int // bits a second, as delivered

	Symbols   Symbols
	Cutter    Cutter
	Smoothing bool // has GS b
	Asked     bool // answers DLE EOT; a printer that does not is never known to be well
	Push      bool // has GS a: tells of changes by itself
	Confirm   Confirm
	Clear     bool // has DLE DC4, function 8: throws away at once what it holds

	Pages []escpos.Page // tried in this order; at least one
}

// Symbols says who draws QR codes.
type Symbols string

// Who draws QR codes.
const (
	NativeSymbols Symbols = "native" // the printer
	RasterSymbols Symbols = "raster" // we do, and send dots
)

// Cutter is what a printer can do at the end of a ticket.
type Cutter string

// The cutters.
const (
	PartialCutter Cutter = "partial" // leaves a bridge
	FullCutter    Cutter = "full"
	NoCutter      Cutter = "none" // the paper is fed past the edge and torn
)

// Confirm is how a printer can say that a job is done.
type Confirm string

// The ways of saying that a job is done.
const (
	ConfirmProcessID Confirm = "process-id" // GS ( H: everything before it is printed
	ConfirmQueued    Confirm = "queued"     // GS r after the cut: everything before it was processed
	ConfirmNone      Confirm = "none"       // it never tells
)

// characterBits are the bit times of a character on the line: start, eight data bits, stop.
const characterBits = 10

// Profiles returns the embedded profiles, by name.
func Profiles() []Profile { return slices.Clone(embedded()) }

var embedded = sync.OnceValue(func() []Profile {
	entries, err := assets.Printers.ReadDir("printers")
	if err != nil {
		panic(fmt.Sprintf("embedded printer profiles: %v", err))
	}
	var profiles []Profile
	for _, entry := range entries {
		text, err := assets.Printers.ReadFile(path.Join("printers", entry.Name()))
		if err != nil {
			panic(fmt.Sprintf("embedded printer profiles: %v", err))
		}
		profile, err := ReadProfile(entry.Name(), text)
		if err != nil {
			panic(fmt.Sprintf("embedded printer profiles: %v", err))
		}
		profiles = append(profiles, profile)
	}
	return profiles
})

// ProfileNamed returns the embedded profile of that name, and whether there is one.
func ProfileNamed(name string) (Profile, bool) {
	for _, profile := range embedded() {
		if profile.Name == name {
			return profile, true
		}
	}
	return Profile{}, false
}

// page returns the first page that has the letter, the one in force before all others.
func (p Profile) page(letter rune, inForce escpos.Page) (escpos.Page, bool) {
	if inForce.Has(letter) {
		return inForce, true
	}
	for _, page := range p.Pages {
		if page.Has(letter) {
			return page, true
		}
	}
	return escpos.Page{}, false
}

// profileName makes the name of a profile out of its file's.
func profileName(file string) string { return strings.TrimSuffix(path.Base(file), ".toml") }
