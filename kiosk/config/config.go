// Package config reads the configuration of a kiosk: one TOML file, written by hand and never by the program, and an overlay
// beside it, written by the program alone.
//
// A file is read whole and checked whole, and every mistake is reported at once, each with the file, the line, the key, the
// value and what is allowed. What a file leaves out is as Defaults says, which is a file itself, with every key explained;
// `kiosk config defaults` prints it and `kiosk config check FILE` checks one.
//
//	kiosk, err := config.Load("/etc/reelkiosk/kiosk.toml")
//	var mistakes config.Mistakes
//	if errors.As(err, &mistakes) { … one a line … }
//
// Even where there are mistakes, Load returns what could be read: a kiosk with a faulty file still has a screen to say so.
package config

import (
	_ "embed"
	"fmt"
	"time"

	"reelkiosk/devices/port"
	"reelkiosk/devices/printer"
	"reelkiosk/devices/reader"
	"reelkiosk/store/strict"
)

// Mistake is one thing in a configuration that cannot stay as it is, and Mistakes are all of them.
type (
	Mistake  = strict.Mistake
	Mistakes = strict.Mistakes
)

// Config is a kiosk's configuration, with every default filled in.
type Config struct {
	// Name is the kiosk's, on every ticket and in the books.
	Name string
	// Central is the address of central, "https://HOST:PORT"; with "http", in a demonstration, nobody knows who speaks.
	Central string
	// Data is the folder of the kiosk's own file.
	Data string
	// Languages are those on the screens; visits start in the first.
	Languages []string
	// Identification is what a player must show: "card", "document", "both" or "either".
	Identification string
	// MostTogether is how many seats one touch may take.
	MostTogether int
	// House is a built-in theme or the path of a theme file.
	House string
	// Refresh is how often central is asked for heats.
	Refresh time.Duration
	// Monitor is the connector of the monitor, empty for the primary one.
	Monitor string
	// Card and Document are the readers; nil where none is configured.
	Card, Document *Reader
	// Printer is the ticket printer; nil where none is configured.
	Printer *Printer
	// Times are how long things last.
	Times Times
}

// Reader is a card reader or a document scanner.
type Reader struct {
	Profile reader.Profile
	Port    port.Settings
}

// Printer is a ticket printer.
type Printer struct {
	Profile printer.Profile
	Port    port.Settings
}

// Times are how long things last, in whole seconds; see defaults.toml.
type Times struct {
	Idle, StillThere, Reading, Done, Trouble, Host, Hint, Paper time.Duration
}

//go:embed defaults.toml
var defaults string

// Defaults returns the configuration of a kiosk whose file says nothing, as a file: every key with what it means.
func Defaults() string { return defaults }

// Default returns what Defaults says. It names no kiosk and no central.
func Default() Config {
	config, _ := parse("defaults", []byte(defaults), nil) // it lacks only what has no default; a test sees to that
	return config
}

// Load reads and checks a file, with what the program itself has changed laid over it (see OverlayFile). The error is Mistakes, or the system's where the file cannot be read; the Config is then
// what could be read of it, with defaults for the rest.
func Load(path string) (Config, error) {
	text, err := strict.ReadFile(path)
	if err != nil {
		return Default(), fmt.Errorf("configuration: %w", err)
	}
	return loadOverlaid(path, text)
}

// Parse reads and checks the text of a file; paths of profiles in it are beside that file. See Load.
func Parse(path string, text []byte) (Config, error) {
	return parse(path, text, strict.Defaults(defaults))
}
