package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"reelkiosk/devices/port"
)

const whole = `name = "kiosk-3"
central = "http://127.0.0.1:7180"
data = "/srv/kiosk"
languages = ["zu", "en"]
identification = "both"
most_together = 1
refresh = "10s"

[display]
monitor = "HDMI-1"

[[reader]]
role = "card"
profile = "magstripe"
port = "/dev/serial/by-id/card"
baud = 19200

[[reader]]
role = "document"
profile = "scanner"
port = "/dev/serial/by-id/scanner"

[printer]
profile = "epson-42"
port = "/dev/serial/by-id/printer"

[times]
idle = "45s"
`

func TestWholeFile(t *testing.T) {
	c, err := Parse("kiosk.toml", []byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	if c.Name != "kiosk-3" || c.Central != "http://127.0.0.1:7180" || c.Data != "/srv/kiosk" || c.Identification != "both" ||
		c.MostTogether != 1 || c.Refresh != 10*time.Second || c.Monitor != "HDMI-1" || c.House != "ridge" ||
		!reflect.DeepEqual(c.Languages, []string{"zu", "en"}) {
		t.Errorf("got %+v", c)
	}
	card := port.Settings{Name: "/dev/serial/by-id/card", Baud: 19200, DataBits: 8, StopBits: 1}
	if c.Card == nil || c.Card.Port.Normal() != card || c.Document == nil || c.Document.Port.Name != "/dev/serial/by-id/scanner" {
		t.Errorf("readers %+v and %+v", c.Card, c.Document)
	}
	if c.Printer == nil || c.Printer.Profile.Columns != 42 || c.Printer.Port.Baud != c.Printer.Profile.Baud {
		t.Errorf("printer %+v", c.Printer)
	}
	if c.Times.Idle != 45*time.Second || c.Times.StillThere != 10*time.Second {
		t.Errorf("times %+v", c.Times)
	}
}

func TestDefaultsAreWhatTheyAreSaidToBe(t *testing.T) {
	c, err := Parse("kiosk.toml", []byte("name = \"k\"\ncentral = \"http://127.0.0.1:1\""))
	if err != nil {
		t.Fatal(err)
	}
	want := Default()
	want.Name, want.Central = "k", "http://127.0.0.1:1"
	if !reflect.DeepEqual(c, want) || c.Times.Idle != 30*time.Second || c.Times.Done != 10*time.Second || c.Card != nil {
		t.Errorf("got  %+v\nwant %+v", c, want)
	}
	// What the defaults only show as examples is right too.
	examples := strings.ReplaceAll(strings.ReplaceAll(Defaults(), "\n#[", "\n["), "\n#", "\n")
	examples = strings.ReplaceAll(examples, "\n ", "\n# ")
	var kept []string
	for line := range strings.Lines(examples) {
		if strings.Contains(line, " = ") || strings.HasPrefix(line, "[") {
			kept = append(kept, line)
		}
	}
	c, err = Parse("kiosk.toml", []byte(strings.Join(kept, "")))
	if err != nil || c.Card == nil || c.Printer == nil || c.Name != "kiosk-1" {
		t.Errorf("the examples give %+v, %v", c, err)
	}
}

func TestEveryMistakeAtOnceWithItsPlace(t *testing.T) {
	_, err := Parse("kiosk.toml", []byte(`name = "kiosk 3"
data = 7
languages = ["en", "en"]
identification = "fingerprint"
most_together = 99
refresh = "1h"
colour = "red"

[display]
screen = 1

[[reader]]
role = "card"
profile = "no-such"
port = "/dev/ttyUSB0"

[[reader]]
role = "card"
profile = "mrz"
port = "/dev/serial/by-id/y"

[[reader]]
role = "card"
profile = "missing.toml"
port = "/dev/serial/by-id/x"
baud = 12345

[printer]
profile = "laser"

[times]
idle = "1.5s"
done = 10
`))
	var mistakes Mistakes
	if !errors.As(err, &mistakes) {
		t.Fatalf("got %v", err)
	}
	got := err.Error()
	for _, want := range []string{
		"kiosk.toml:1: name = \"kiosk 3\": must be letters, digits and hyphens, at most 32",
		"kiosk.toml:1: central: is missing; must be an address like",
		"kiosk.toml:2: data = 7: must be the path of a folder",
		"kiosk.toml:3: languages = [\"en\", \"en\"]: must be a list of languages, each once",
		"kiosk.toml:4: identification = \"fingerprint\": must be one of either, card, document, both",
		"kiosk.toml:5: most_together = 99: must be a whole number from 1 to 12",
		"kiosk.toml:6: refresh = \"1h\": must be whole seconds from \"1s\" to \"1m\"",
		"kiosk.toml:7: colour = \"red\": unknown key; known here: central, data",
		"kiosk.toml:10: display.screen = 1: unknown key; known here: monitor",
		"kiosk.toml:14: reader.profile = \"no-such\": must be one of ",
		"kiosk.toml:15: reader.port = \"/dev/ttyUSB0\": name /dev/ttyUSB0: changes when",
		"kiosk.toml:19: reader.profile = \"mrz\": is one of a mrz reader, which has not the role \"card\"",
		"kiosk.toml:18: reader.role = \"card\": there is another reader with this role",
		"kiosk.toml:23: reader.role = \"card\": there is another reader with this role",
		"kiosk.toml:24: reader.profile = \"missing.toml\": open missing.toml: no such file",
		"kiosk.toml:26: reader.baud = 12345: must be one of 50 75",
		"kiosk.toml:28: printer.port: is missing; must be the link",
		"kiosk.toml:29: printer.profile = \"laser\": must be one of compatible-42",
		"kiosk.toml:32: times.idle = \"1.5s\": must be whole seconds from \"10s\" to \"5m\"",
		"kiosk.toml:33: times.done = 10: must be whole seconds",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %q", want)
		}
	}
	if len(mistakes) != 20 {
		t.Errorf("%d mistakes:\n%s", len(mistakes), got)
	}
}

func TestTextThatIsNoTOML(t *testing.T) {
	for text, want := range map[string]string{
		"name = \"k\"\nname = \"k\"\n": "kiosk.toml:2: ",
		"name = \n":                    "kiosk.toml:1: ",
		"\x00":                         "kiosk.toml:1: ",
		"reader = 3":                   "reader = 3: must be tables: [[reader]]",
		"printer = 3":                  "printer = 3: must be a table: [printer]",
		"name = \"\\ud800\"":           "kiosk.toml:1: ",
	} {
		c, err := Parse("kiosk.toml", []byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
		if len(c.Languages) == 0 {
			t.Errorf("%q: nothing is left to show it with", text)
		}
	}
}

// Each of a hundred thousand was compared with all before it.
func TestAListOfTooManyLanguagesIsRefusedAtOnce(t *testing.T) {
	var text strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&text, `"e-%05d",`, i)
	}
	_, err := Parse("kiosk.toml", []byte("languages = ["+text.String()+"]\n"))
	if err == nil || !strings.Contains(err.Error(), "each once, at most 20") {
		t.Errorf("got %.100v", err)
	}
}

func TestFileThatIsNotThere(t *testing.T) {
	c, err := Load(filepath.Join(t.TempDir(), "kiosk.toml"))
	if !errors.Is(err, os.ErrNotExist) || !reflect.DeepEqual(c, Default()) {
		t.Errorf("got %v", err)
	}
}

func TestProfileFileBesideTheConfiguration(t *testing.T) {
	folder := t.TempDir()
	text := "kind = \"magstripe\"\n"
	if err := os.WriteFile(filepath.Join(folder, "mine.toml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "kiosk.toml")
	text = "name = \"k\"\ncentral = \"http://a:1\"\n[[reader]]\nrole = \"card\"\nprofile = \"mine.toml\"\nport = \"/dev/x\"\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if c, err := Load(path); err != nil || c.Card == nil || c.Card.Profile.Name != "mine" {
		t.Errorf("got %+v, %v", c.Card, err)
	}
}

func FuzzParse(f *testing.F) {
	// Table by table: what the fuzzer finds in a long text it makes shorter byte by byte first, for a minute each.
	for _, text := range []string{whole, Defaults()} {
		for table := range strings.SplitAfterSeq(text, "\n\n") {
			f.Add(table)
		}
	}
	f.Add("reader = [1, {role = \"card\"}]\ntimes = []\n")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Parse("fuzz.toml", []byte(text))
		if err == nil && (c.Name == "" || c.Central == "") {
			t.Errorf("took %q", text)
		}
		var mistakes Mistakes
		if err != nil && (!errors.As(err, &mistakes) || strings.Contains(mistakes[0].String(), "\n") && mistakes[0].Key != "") {
			t.Errorf("%q: %v", text, err)
		}
	})
}
