package port_test

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"reelkiosk/devices/port"
)

func TestSettingsAreCheckedWhenTheyAreRead(t *testing.T) {
	good := port.Settings{Name: "/dev/serial/by-id/usb-Acme-port0", Baud: 9600}
	for name, test := range map[string]struct {
		change func(*port.Settings)
		want   []string // what the error says; none for settings that are right
	}{
		"defaults":                 {func(*port.Settings) {}, nil},
		"7E1":                      {func(s *port.Settings) { s.DataBits, s.Parity = 7, port.EvenParity }, nil},
		"8O2":                      {func(s *port.Settings) { s.Parity, s.StopBits = port.OddParity, 2 }, nil},
		"fastest":                  {func(s *port.Settings) { s.Baud = 4_000_000 }, nil},
		"UART by its fixed name":   {func(s *port.Settings) { s.Name = "/dev/ttyS0" }, nil},
		"no name":                  {func(s *port.Settings) { s.Name = "" }, []string{"name", "by-id"}},
		"a number that changes":    {func(s *port.Settings) { s.Name = "/dev/ttyUSB0" }, []string{"/dev/ttyUSB0", "by-id"}},
		"a modem's number":         {func(s *port.Settings) { s.Name = "/dev/ttyACM3" }, []string{"/dev/ttyACM3", "by-id"}},
		"no speed":                 {func(s *port.Settings) { s.Baud = 0 }, []string{"baud 0", "9600"}},
		"a speed that is none":     {func(s *port.Settings) { s.Baud = 9601 }, []string{"baud 9601", "115200"}},
		"four data bits":           {func(s *port.Settings) { s.DataBits = 4 }, []string{"data bits 4", "5 to 8"}},
		"nine data bits":           {func(s *port.Settings) { s.DataBits = 9 }, []string{"data bits 9", "5 to 8"}},
		"a parity that is none":    {func(s *port.Settings) { s.Parity = 7 }, []string{"parity 7", "none, odd or even"}},
		"three stop bits":          {func(s *port.Settings) { s.StopBits = 3 }, []string{"stop bits 3", "1 or 2"}},
		"everything wrong at once": {func(s *port.Settings) { *s = port.Settings{DataBits: 3, StopBits: 9} }, []string{"name", "baud", "data bits", "stop bits"}},
	} {
		t.Run(name, func(t *testing.T) {
			settings := good
			test.change(&settings)
			err := settings.Validate()
			if (err != nil) != (test.want != nil) {
				t.Fatalf("Validate: %v", err)
			}
			if err != nil && !errors.Is(err, port.ErrSettings) {
				t.Errorf("%v does not wrap ErrSettings", err)
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q does not say %q", err, want)
				}
			}
		})
	}
}

func TestParityIsWrittenAsAWord(t *testing.T) {
	for word, want := range map[string]port.Parity{
		"none": port.NoParity, "odd": port.OddParity, "even": port.EvenParity,
	} {
		var got port.Parity
		if err := got.UnmarshalText([]byte(word)); err != nil || got != want {
			t.Errorf("%s reads as %v (%v)", word, got, err)
		}
		if text, err := want.MarshalText(); err != nil || string(text) != word {
			t.Errorf("%v writes as %s (%v)", want, text, err)
		}
	}
	var parity port.Parity
	if err := parity.UnmarshalText([]byte("mark")); !errors.Is(err, port.ErrSettings) {
		t.Errorf("mark parity: %v", err)
	}
}

func TestCharactersHaveTheBitsOfTheirSettings(t *testing.T) {
	for want, settings := range map[int]port.Settings{
		10: {}, 9: {DataBits: 7}, 11: {Parity: port.EvenParity}, 12: {Parity: port.OddParity, StopBits: 2},
	} {
		if got := settings.CharacterBits(); got != want {
			t.Errorf("%+v: %d bits, wanted %d", settings, got, want)
		}
	}
}

func TestADeviceIsToldHowItsLineIsSet(t *testing.T) {
	b := newBench(t, "reader")
	want := port.Settings{Name: b.name, Baud: 2400, DataBits: 7, Parity: port.EvenParity, StopBits: 1}
	var told atomic.Pointer[port.Settings]
	asked := want
	asked.StopBits = 0 // the default
	kept := port.Keep(asked, port.DevRoot(b.dev), port.Told(func(s port.Settings) { told.Store(&s) }))
	defer kept.Close()
	await(t, kept, port.Opened)
	if got := told.Load(); got == nil || *got != want {
		t.Errorf("told %+v, wanted %+v", got, want)
	}
}
