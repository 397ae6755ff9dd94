package emulator_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"reelkiosk/devices/emulator"
	"reelkiosk/devices/port"
)

func TestACardReaderSendsWhatItsMakersDescribe(t *testing.T) {
	swipe := func(card emulator.Tracks) func(*emulator.CardReader) error {
		return func(r *emulator.CardReader) error { return r.Swipe(card) }
	}
	tag := func(digits string) func(*emulator.CardReader) error {
		return func(r *emulator.CardReader) error { return r.Tag(digits) }
	}
	uid := func(digits string) func(*emulator.CardReader) error {
		return func(r *emulator.CardReader) error { return r.UID(digits) }
	}
	for name, test := range map[string]struct {
		setup   emulator.CardSetup
		present func(*emulator.CardReader) error
		want    string
	}{
		"track 2":                      {present: swipe(emulator.Tracks{Two: "6001234567890123"}), want: ";6001234567890123?\r"},
		"tracks with their sentinels":  {present: swipe(emulator.Tracks{One: "%B1^A/B^4912?", Two: ";1=4912?"}), want: "%B1^A/B^4912?;1=4912?\r"},
		"three tracks":                 {present: swipe(emulator.Tracks{One: "A", Two: "1", Three: "2"}), want: "%A?;1?+2?\r"},
		"a track that cannot be read":  {present: swipe(emulator.Tracks{One: "A", Two: emulator.Unreadable}), want: "%A?;E?\r"},
		"nothing on it":                {present: swipe(emulator.Tracks{}), want: "\r"},
		"LRC of ten digits":            {emulator.CardSetup{LRC: true}, swipe(emulator.Tracks{Two: "1234567890"}), ";1234567890?5\r"},
		"LRC of a club card":           {emulator.CardSetup{LRC: true}, swipe(emulator.Tracks{Two: "6001234567890123"}), ";6001234567890123?3\r"},
		"LRC that is an end sentinel":  {emulator.CardSetup{LRC: true}, swipe(emulator.Tracks{Two: "6001000000000059"}), ";6001000000000059??\r"},
		"LRC of track 1":               {emulator.CardSetup{LRC: true}, swipe(emulator.Tracks{One: "REWARD123"}), "%REWARD123?=\r"},
		"between STX and ETX":          {emulator.CardSetup{Before: "\x02", After: "\x03"}, swipe(emulator.Tracks{Two: "1"}), "\x02;1?\x03"},
		"RDM6300":                      {present: tag("62E3086CED"), want: "\x0262E3086CED08\x03"},
		"RDM6300, typed in lower case": {present: tag("62e3086ced"), want: "\x0262E3086CED08\x03"},
		"ID-12":                        {emulator.CardSetup{Tag: emulator.ID12}, tag("04007A1B2C"), "\x0204007A1B2C49\r\n\x03"},
		"Parallax":                     {emulator.CardSetup{Tag: emulator.Parallax28140}, tag("0F0184F07A"), "\n0F0184F07A\r"},
		"a clone that adds":            {emulator.CardSetup{Tag: emulator.SumClone}, tag("1A2B3C4D5E"), "\x021A2B3C4D5E2C\x03"},
		"UID":                          {present: uid("90D752C5"), want: "90D752C5\r\n"},
		"UID of seven bytes":           {present: uid("04A3C6CAE26180"), want: "04A3C6CAE26180\r\n"},
		"UID last byte first":          {emulator.CardSetup{Reversed: true}, uid("90D752C5"), "C552D790\r\n"},
		"UID with its BCC":             {emulator.CardSetup{BCC: true}, uid("DD17380A"), "DD17380AF8\r\n"},
		"UID in decimal":               {emulator.CardSetup{Decimal: true}, uid("90D752C5"), "2430030533\r\n"},
		"UID between STX and ETX":      {emulator.CardSetup{STX: true}, uid("90D752C5"), "\x0290D752C5\x03"},
		"a capture":                    {present: func(r *emulator.CardReader) error { return r.Send([]byte("\x1b1\r")) }, want: "\x1b1\r"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			line := openLine(t)
			kept := keep(t, line, port.Settings{})
			if err := test.present(emulator.NewCardReader(line, test.setup)); err != nil {
				t.Fatal(err)
			}
			awaitBytes(t, kept, test.want)
		})
	}
}

func TestWhatIsNoTagOrUIDIsNotSent(t *testing.T) {
	reader := emulator.NewCardReader(openLine(t), emulator.CardSetup{Decimal: true})
	for name, err := range map[string]error{
		"tag too short":       reader.Tag("62E3086C"),
		"tag not hexadecimal": reader.Tag("62E3086CEG"),
		"UID of no bytes":     reader.UID(""),
		"UID of half a byte":  reader.UID("90D752C"),
		"UID beyond decimals": reader.UID("04A3C6CAE26180"),
	} {
		if !errors.Is(err, emulator.ErrCard) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAScannerSendsAsItIsSetUp(t *testing.T) {
	licence := bytes.Repeat([]byte{0x01, 0xE1, '\r', 0x00}, 180)
	for name, test := range map[string]struct {
		setup  emulator.ScannerSetup
		symbol emulator.Symbol
		want   string
	}{
		"green book":                  {emulator.AIMScanner, emulator.GreenBook("8001015009087"), "]A08001015009087\r"},
		"ticket":                      {emulator.AIMScanner, emulator.QR("T-1"), "]Q1T-1\r"},
		"receipt":                     {emulator.AIMScanner, emulator.Code128("R-1"), "]C0R-1\r"},
		"as it comes from its maker":  {emulator.BareScanner, emulator.GreenBook("8001015009087"), "8001015009087\r"},
		"machine-readable zone":       {emulator.MRZReader, emulator.OCRB("ONE", "TWO"), "\x02ONE\rTWO\x03"},
		"licence":                     {emulator.AIMScanner, emulator.PDF417(licence), "]L0" + string(licence) + "\r"},
		"licence turned into UTF-8":   {emulator.ScannerSetup{AIM: true, UTF8: true}, emulator.PDF417([]byte{1, 0xE1}), "]L0\x01\u00e1"},
		"nothing behind, as by a gap": {emulator.ScannerSetup{AIM: true}, emulator.QR("T-1"), "]Q1T-1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			line := openLine(t)
			kept := keep(t, line, port.Settings{})
			if err := emulator.NewScanner(line, test.setup).Scan(test.symbol); err != nil {
				t.Fatal(err)
			}
			awaitBytes(t, kept, test.want)
		})
	}
}

func TestFaultsReachTheComputer(t *testing.T) {
	const frame = ";6001234567890123?\r"
	card := emulator.Tracks{Two: "6001234567890123"}
	for name, test := range map[string]struct {
		fault string
		want  string
		gone  bool
	}{
		"half":                 {"half=7", frame[:7], false},
		"together":             {"together", frame + frame, false},
		"unplugged in it":      {"unplug=7", frame[:7], true},
		"device dies in it":    {"vanish=7", frame[:7], true},
		"left on the reader":   {"repeat=100", strings.Repeat(frame, 100), false},
		"slowly":               {"slow=1ms", frame, false},
		"silence, then a card": {"silence", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			line := openLine(t)
			kept := keep(t, line, port.Settings{})
			fault, err := emulator.ParseFault(test.fault)
			if err != nil {
				t.Fatal(err)
			}
			reader := emulator.NewCardReader(line, emulator.CardSetup{})
			if err := reader.Swipe(card, fault); err != nil {
				t.Fatal(err)
			}
			awaitBytes(t, kept, test.want)
			if test.gone {
				await(t, kept, port.Gone)
				if err := line.Replug(); err != nil {
					t.Fatal(err)
				}
				await(t, kept, port.Opened)
			}
			if err := reader.Swipe(card); err != nil {
				t.Fatal(err)
			}
			awaitBytes(t, kept, frame)
		})
	}
}

func TestSlowBytesComeOneByOne(t *testing.T) {
	line := openLine(t)
	kept := keep(t, line, port.Settings{})
	began := time.Now()
	fault := emulator.Fault{Kind: emulator.Slow, Gap: 5 * time.Millisecond}
	if err := emulator.NewScanner(line, emulator.BareScanner).Scan(emulator.QR("0123456789"), fault); err != nil {
		t.Fatal(err)
	}
	awaitBytes(t, kept, "0123456789\r")
	if took := time.Since(began); took < 50*time.Millisecond {
		t.Errorf("eleven bytes, 5 ms apart, took %v", took)
	}
}
