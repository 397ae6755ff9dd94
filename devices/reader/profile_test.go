package reader_test

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"reelkiosk/devices/port"
	"reelkiosk/devices/reader"
)

func TestBuiltInProfiles(t *testing.T) {
	if len(reader.Names()) == 0 {
		t.Fatal("there are none")
	}
	for _, name := range reader.Names() {
		profile := named(t, name)
		if err := profile.Settings("/dev/serial/by-id/usb-reader").Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if profile.Type == reader.TypeScanner && len(profile.LicenceKeys) != 2 {
			t.Errorf("%s: %d sets of licence keys", name, len(profile.LicenceKeys))
		}
	}
	if _, err := reader.Named("rdm"); !errors.Is(err, reader.ErrProfile) || !strings.Contains(err.Error(), "id-12, magstripe") {
		t.Errorf("an unknown name: %v", err)
	}
}

func TestAProfileInFull(t *testing.T) {
	profile, err := reader.ParseProfile("readers/club.toml", []byte(`
kind = "magstripe"
repeat = "1s"
[line]
baud = 19200
parity = "even"
data_bits = 7
stop_bits = 2
[frame]
prefix = "\u0002"
suffix = "\u0003"
ends = "suffix"
gap = "50ms"
[members]
from = "70000000"
to = "70009999"
[magstripe]
lrc = true
track_3 = ";"
`))
	if err != nil {
		t.Fatal(err)
	}
	line := port.Settings{Name: "x", Baud: 19200, DataBits: 7, Parity: port.EvenParity, StopBits: 2}
	if profile.Name != "club" || profile.Settings("x") != line || profile.Repeat != time.Second || !profile.Stripe.LRC ||
		profile.Frame != (reader.Frame{Prefix: "\x02", Suffix: "\x03", Ends: reader.EndSuffix, Gap: 50 * time.Millisecond}) {
		t.Errorf("read as %+v", profile)
	}
	for number, want := range map[string]bool{
		"70000000": true, "70009999": true, "70010000": false, "69999999": false, "7000000": false, "700000000": false,
		"7000000x": false, "": false,
	} {
		if profile.Members.Has([]byte(number)) != want {
			t.Errorf("%s is the club's: not %v", number, want)
		}
	}
}

func TestEveryMistakeInAProfileIsNamed(t *testing.T) {
	_, err := reader.ParseProfile("club.toml", []byte(`
kind = "magstripe"
repeat = 2
color = "red"
[line]
baud = 9601
parity = "mark"
data_bits = "8"
[frame]
ends = "never"
gap = "1h"
[members]
from = "6001"
to = "600x"
[magstripe]
lrc = "yes"
track_3 = "-"
[uid]
reverse = true
`))
	if !errors.Is(err, reader.ErrProfile) {
		t.Fatal(err)
	}
	for _, want := range []string{
		`club.toml:3: repeat = 2: must be a time from "0s" to "1m0s"`,
		`club.toml:4: color = "red": unknown key; known here: frame, kind, line, magstripe`,
		"club.toml:6: line.baud = 9601: must be one of 50 75",
		`club.toml:7: line.parity = "mark": must be none, odd or even`,
		`club.toml:8: line.data_bits = "8": must be one of 5 6 7 8`,
		`club.toml:10: frame.ends = "never": must be one of ["suffix" "gap"]`,
		`club.toml:11: frame.gap = "1h": must be a time from "5ms" to "10s"`,
		`club.toml:14: members.to = "600x": must be digits, as many as in members.from 6001, and no smaller number`,
		`club.toml:16: magstripe.lrc = "yes": must be true or false`,
		`club.toml:17: magstripe.track_3 = "-": must be one of ["+" ";"]`,
		"club.toml:18: uid = {…}: unknown key; known here: frame, kind, line",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("not said: %s", want)
		}
	}
	if lines := strings.Count(err.Error(), "\n") + 1; lines != 11 {
		t.Errorf("%d mistakes in\n%v", lines, err)
	}
}

func TestProfilesRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":                         `club.toml:1: kind: is missing; must be one of ["magstripe" "em4100" "uid" "scanner" "mrz"]`,
		`kind = "camera"`:          `club.toml:1: kind = "camera": must be one of`,
		"kind = \"uid\"\nkind = 1": "club.toml:2:",
		"kind":                     "club.toml:1:",
		"kind = \"em4100\"\nframe = {prefix = \"\"}":      "frame.prefix = \"\": must be one character",
		"kind = \"em4100\"\nframe = {ends = \"gap\"}":     `frame.ends = "gap": must be suffix`,
		"kind = \"uid\"\nframe = {suffix = \"\"}":         `frame.ends = "suffix": must be gap, since there is no suffix`,
		"kind = \"scanner\"\nframe = {ends = \"suffix\"}": `frame.ends = "suffix": must be gap: what a symbol holds may have line ends in it`,
		"kind = \"uid\"\nframe = {suffix = 3}":            "frame.suffix = 3: must be text in quotation marks",
		"kind = \"uid\"\nline = 3":                        "club.toml:2: line = 3: must be a table: [line]",
	} {
		_, err := reader.ParseProfile("club.toml", []byte(text))
		if !errors.Is(err, reader.ErrProfile) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestMistakesInSeveralFilesAreNamedAtOnce(t *testing.T) {
	_, err := reader.ParseProfiles(fstest.MapFS{
		"a.toml": {Data: []byte(`kind = "x"`)}, "b.toml": {Data: []byte(`kind = "uid"`)}, "in/c.toml": {Data: []byte(`kind = 1`)},
		"d.txt": {Data: []byte("no profile")},
	})
	if err == nil || !strings.Contains(err.Error(), "a.toml:1: kind") || !strings.Contains(err.Error(), "in/c.toml:1: kind") {
		t.Error(err)
	}
}
