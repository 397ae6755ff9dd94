package reader_test

import (
	"path/filepath"
	"testing"
	"time"

	"reelkiosk/devices/emulator"
	"reelkiosk/devices/identity"
	"reelkiosk/devices/identity/identitytest"
	"reelkiosk/devices/port"
	"reelkiosk/devices/reader"
	"reelkiosk/store/tournament"
)

// onALine starts a reader of a profile on a real port, at whose other end an emulated device hangs.
func onALine(t *testing.T, profile reader.Profile) (*emulator.Line, *reader.Reader) {
	t.Helper()
	line, err := emulator.OpenLine(filepath.Join(t.TempDir(), "usb-reader"))
	if err != nil {
		t.Fatal(err)
	}
	settings := profile.Settings(line.Link())
	line.Device(settings)
	cards := reader.New(profile, port.Keep(settings, port.Told(line.Settings)), func() tournament.Date { return today })
	t.Cleanup(func() {
		if err := cards.Close(); err != nil {
			t.Error(err)
		}
		if err := line.Close(); err != nil {
			t.Error(err)
		}
	})
	awaitReady(t, cards)
	return line, cards
}

const patience = 10 * time.Second

func awaitReady(t *testing.T, cards *reader.Reader) {
	t.Helper()
	for deadline := time.After(patience); ; {
		select {
		case state := <-cards.States():
			if state.Ready {
				return
			}
		case <-deadline:
			t.Fatal("the port does not open")
		}
	}
}

// awaitRead takes readings until one says what is wanted.
func awaitRead(t *testing.T, cards *reader.Reader, want string) {
	t.Helper()
	var before []string
	for deadline := time.After(patience); ; {
		select {
		case reading := <-cards.Readings():
			if said(reading) == want {
				return
			}
			before = append(before, told(reading))
		case <-deadline:
			t.Fatalf("%q is not read; %q is", want, before)
		}
	}
}

// TestACardIsReadAfterEveryFault swipes a card with each fault that an emulated line has, and then swipes it well.
func TestACardIsReadAfterEveryFault(t *testing.T) {
	line, cards := onALine(t, named(t, "magstripe"))
	swipes := emulator.NewCardReader(line, emulator.CardSetup{})
	for _, kind := range []emulator.FaultKind{
		emulator.Silence, emulator.Repeat, emulator.Together, emulator.NoiseInside, emulator.Noise, emulator.Half,
		emulator.Slow, emulator.Pulled, emulator.Vanished,
	} {
		fault := emulator.Fault{Kind: kind, Times: 3, Gap: 3 * time.Millisecond}
		if err := swipes.Swipe(emulator.Tracks{Two: "6001234567890123"}, fault); err != nil {
			t.Fatal(err)
		}
		if kind == emulator.Pulled || kind == emulator.Vanished {
			if err := line.Replug(); err != nil {
				t.Fatal(err)
			}
			awaitReady(t, cards)
		}
		if err := swipes.Swipe(emulator.Tracks{Two: "6001234567890131"}); err != nil {
			t.Fatal(err)
		}
		awaitRead(t, cards, "6001234567890131")
	}
}

// TestADrivingLicenceComesThroughALine sends 720 bytes of any value, and the same from a scanner that spoils them.
func TestADrivingLicenceComesThroughALine(t *testing.T) {
	keys, err := identitytest.NewLicenceKeys([4]byte{0x01, 0x9b, 0x09, 0x45})
	if err != nil {
		t.Fatal(err)
	}
	text, err := keys.PEM()
	if err != nil {
		t.Fatal(err)
	}
	profile := named(t, "scanner")
	if profile.LicenceKeys, err = identity.ParseLicenceKeys(text); err != nil {
		t.Fatal(err)
	}
	line, cards := onALine(t, profile)
	licence := emulator.PDF417(keys.Bytes(identitytest.Licence{
		Surname: "DOE", Initials: "JJ", IDNumber: "8001015009087", Number: "6234560001AB", Sex: "M",
		Born: tournament.Date{Year: 1980, Month: 1, Day: 1}, From: today, To: today.AddDays(1000),
	}))
	if err := emulator.NewScanner(line, emulator.AIMScanner).Scan(licence); err != nil {
		t.Fatal(err)
	}
	awaitRead(t, cards, "6234560001AB")
	spoilt := emulator.AIMScanner
	spoilt.UTF8 = true
	if err := emulator.NewScanner(line, spoilt).Scan(licence); err != nil {
		t.Fatal(err)
	}
	if reading := <-cards.Readings(); reading.Refusal != reader.ScannerSet {
		t.Errorf("spoilt: %s", told(reading))
	}
}
