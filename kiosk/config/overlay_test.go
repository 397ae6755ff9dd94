package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const handWritten = `# by hand
name = "kiosk-3"
central = "https://central.example:7180"
[[reader]]
role = "card"
profile = "magstripe"
port = "/dev/serial/by-id/usb-old"
`

func handFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "kiosk.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestWhatIsSetCountsBeforeTheFile(t *testing.T) {
	path := handFile(t, handWritten)
	if err := Set(path, map[string]string{
		"reader.card.port": "/dev/serial/by-id/usb-new", "reader.card.baud": "4800", "times.idle": "45s", "name": "kiosk-4",
		"languages": `["zu", "en"]`, "printer.profile": "epson-48", "printer.port": "/dev/serial/by-id/usb-EPSON",
		"display.monitor": `"HDMI-1"`, "reader.document.profile": "scanner", "reader.document.port": "/dev/serial/by-id/usb-scanner",
	}); err != nil {
		t.Fatal(err)
	}
	got, err := Load(path)
	if err != nil || got.Name != "kiosk-4" || got.Card.Port.Name != "/dev/serial/by-id/usb-new" || got.Card.Port.Baud != 4800 ||
		got.Times.Idle.Seconds() != 45 || got.Languages[0] != "zu" || got.Monitor != "HDMI-1" ||
		got.Printer.Profile.Name != "epson-48" || got.Document.Port.Name != "/dev/serial/by-id/usb-scanner" {
		t.Errorf("%+v, %v", got, err)
	}
	if text, _ := os.ReadFile(path); string(text) != handWritten {
		t.Errorf("the file was rewritten:\n%s", text)
	}
	origins := map[string]Origin{}
	values, err := Values(path)
	for _, value := range values {
		origins[value.Key] = value.Origin
	}
	if err != nil || origins["name"] != FromOverlay || origins["central"] != FromFile || origins["refresh"] != FromDefaults ||
		origins["reader.card.port"] != FromOverlay || origins["reader.card.profile"] != FromFile {
		t.Errorf("%v, %v", origins, err)
	}
	if err := Unset(path, "name"); err != nil {
		t.Error(err)
	}
	if got, _ := Load(path); got.Name != "kiosk-3" {
		t.Errorf("after it was unset the name is %q", got.Name)
	}
	if err := Unset(path, "name"); !errors.Is(err, ErrKey) {
		t.Errorf("unset twice: %v", err)
	}
}

func TestANameOfDigitsIsSet(t *testing.T) {
	path := handFile(t, handWritten)
	if err := Set(path, map[string]string{"name": "7"}); err != nil {
		t.Error(err)
	}
	if got, err := Load(path); err != nil || got.Name != "7" {
		t.Errorf("%q, %v", got.Name, err)
	}
}

func TestAMistakeIsNotWritten(t *testing.T) {
	path := handFile(t, handWritten)
	for name, test := range map[string]struct{ key, text, want string }{
		"an unknown key":    {"colour", "blue", "kiosk.overlay.toml:1: colour"},
		"a wrong value":     {"times.idle", "1s", "times.idle"},
		"a port that moves": {"reader.card.port", "/dev/ttyUSB0", "by-id"},
		"a wrong profile":   {"reader.card.profile", "nothing", "reader.profile"},
		"a role's other":    {"reader.card.profile", "scanner", "has not the role"},
	} {
		t.Run(name, func(t *testing.T) {
			err := Set(path, map[string]string{test.key: test.text})
			if _, are := errors.AsType[Mistakes](err); !are || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v", err)
			}
			if _, err := os.Stat(OverlayFile(path)); err == nil {
				t.Error("an overlay was written")
			}
		})
	}
}

func TestAMistakeOfTheFileStaysAtItsLine(t *testing.T) {
	path := handFile(t, handWritten+"baud = 7\n")
	if err := Set(path, map[string]string{"name": "kiosk-4"}); err != nil {
		t.Fatalf("what is not worse is written: %v", err)
	}
	_, err := Load(path)
	if err == nil || !strings.Contains(err.Error(), "kiosk.toml:8: reader.baud") {
		t.Errorf("%v", err)
	}
	if err := Set(path, map[string]string{"reader.card.baud": "9600"}); err != nil {
		t.Error(err)
	}
	if _, err := Load(path); err != nil {
		t.Errorf("put right by the overlay: %v", err)
	}
}

func TestAHalfWrittenOverlayIsAMistakeOfItsOwn(t *testing.T) {
	path := handFile(t, handWritten)
	if err := os.WriteFile(OverlayFile(path), []byte("name = \"kio"), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := Load(path)
	if err == nil || !strings.Contains(err.Error(), "kiosk.overlay.toml:1") || got.Name != "kiosk-3" {
		t.Errorf("%q, %v", got.Name, err)
	}
	if err := Back(path); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(path); err != nil {
		t.Errorf("after going back: %v", err)
	}
}

func TestOneGoesBackToWhatLastWorked(t *testing.T) {
	path := handFile(t, handWritten)
	steps := []error{Set(path, map[string]string{"name": "kiosk-4"}), Worked(path), Worked(path), Set(path, map[string]string{"name": "kiosk-5"}), Back(path)}
	if err := errors.Join(steps...); err != nil {
		t.Fatal(err)
	}
	if got, err := Load(path); err != nil || got.Name != "kiosk-4" {
		t.Errorf("%q, %v", got.Name, err)
	}
}
