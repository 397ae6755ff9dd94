package reader_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"reelkiosk/devices/emulator"
	"reelkiosk/devices/port"
	"reelkiosk/devices/reader"
)

// zone is ICAO's specimen of a passport (Doc 9303-4, appendix A).
const zone = "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<\rL898902C36UTO7408122F1204159ZE184226B<<<<<10"

// sends are what a reader of each profile sends for a card that it takes; the printed number tells orders of bytes apart.
var sends = map[string]struct{ frame, printed string }{
	"magstripe":         {";6001234567890123?\r", ""},
	"magstripe-lrc":     {";6001234567890123?3\r", ""},
	"rdm6300":           {"\x0262E3086CED08\x03", ""},
	"rdm6300-sum":       {"\x021A2B3C4D5E2C\x03", ""},
	"id-12":             {"\x0204007A1B2C49\r\n\x03", ""},
	"parallax-28140":    {"\n0F0184F07A\r", ""},
	"uid-hex":           {"90D752C5\r\n", ""},
	"uid-hex-reversed":  {"C552D790\r\n", "90D752C5"},
	"uid-hex-stx":       {"\x0290D752C5\x03", ""},
	"uid-decimal":       {"2430030533\r\n", ""},
	"scanner":           {"]Q1TESTPAGE012345678\r", ""},
	"scanner-no-suffix": {"]Q1TESTPAGE012345678", ""},
	"mrz":               {zone + "\r", ""},
	"mrz-stx":           {"\x02" + zone + "\x03", ""},
}

// swipesUntil presents a card again and again to a search that listens as it wants to, until its best guess is of the line
// and has read so many, and returns how many swipes that took. Before is what the line picks up in front of a swipe.
func swipesUntil(t *testing.T, search *reader.Search, frame string, device port.Settings, enough func(reader.Guessed) bool, before func(swipe int) string) (reader.Guessed, int) {
	t.Helper()
	for swipe := range 60 {
		line := search.Listen()
		heard := emulator.Heard([]byte(before(swipe)+frame), device, line)
		if len(heard) == 0 {
			search.Nothing()
			continue
		}
		search.Hear(reader.Burst{Line: line, Pieces: []reader.Piece{{Data: slices.Clone(heard)}}})
		if guesses := search.Guesses(); len(guesses) > 0 && enough(guesses[0]) {
			return guesses[0], swipe + 1
		}
	}
	t.Fatalf("60 swipes, and nothing was found; the best are %+v", search.Guesses())
	return reader.Guessed{}, 0
}

func readTwice(best reader.Guessed) bool { return best.Right >= 2 }

func quietly(int) string { return "" }

// noisily puts noise in front of two swipes of three, as the emulator does.
func noisily(swipe int) string {
	if swipe%3 == 2 {
		return ""
	}
	return "\x00\xff\x9cAT\r\n\x7f"
}

func TestEveryProfileIsFoundAtEverySpeedAndParity(t *testing.T) {
	for name, before := range map[string]func(int) string{"quietly": quietly, "with noise": noisily} {
		t.Run(name, func(t *testing.T) {
			var total, searches, most int
			for _, name := range reader.Names() {
				for _, baud := range []int{1200, 2400, 4800, 9600, 19200, 38400, 57600, 115200} {
					for _, format := range []port.Settings{
						{DataBits: 8}, {DataBits: 8, Parity: port.EvenParity}, {DataBits: 8, Parity: port.OddParity},
						{DataBits: 7, Parity: port.EvenParity}, {DataBits: 7, Parity: port.OddParity},
					} {
						device := format.Normal()
						device.Baud = baud
						t.Run(fmt.Sprintf("%s at %d, %d %s", name, baud, device.DataBits, device.Parity), func(t *testing.T) {
							swipes := findProfile(t, name, device, before)
							total, searches, most = total+swipes, searches+1, max(most, swipes)
						})
					}
				}
			}
			if searches > 0 {
				t.Logf("%.1f swipes on average, at most %d, two right reads included", float64(total)/float64(searches), most)
			}
		})
	}
}

func findProfile(t *testing.T, name string, device port.Settings, before func(int) string) int {
	t.Helper()
	sent, known := sends[name]
	if !known {
		t.Fatal("say what a reader of this profile sends")
	}
	search := newSearch(t)
	search.Printed(sent.printed)
	found, swipes := swipesUntil(t, search, sent.frame, device, readTwice, before)
	if found.Profile.Name != name {
		t.Errorf("found %s (%s), %q", found.Profile.Name, found.Unlike, found.Reads)
	}
	if got := found.Profile.Line; got.Baud != device.Baud || got.Parity != device.Parity && device.DataBits == 8 {
		t.Errorf("found the line %+v", got)
	}
	return swipes
}

func newSearch(t *testing.T) *reader.Search {
	t.Helper()
	search, err := reader.NewSearch(today)
	if err != nil {
		t.Fatal(err)
	}
	return search
}

func TestAReaderOfAnUnknownMakeIsFound(t *testing.T) {
	odd := port.Settings{Baud: 4800, Parity: port.OddParity}.Normal()
	seven := port.Settings{Baud: 4800, DataBits: 7, Parity: port.OddParity}.Normal()
	for name, test := range map[string]struct {
		sent, printed  string
		device         port.Settings
		profile, reads string
	}{
		"a stripe reader with a prefix, odd parity and 4,800 baud": {"\x02A1;6001234567890123?\x03", "", odd, "magstripe", "club card ############0123"},
		"the same of seven bits":                                   {"#7#;6001234567890123?\r", "", seven, "magstripe", "club card ############0123"},
		"a UID behind a prefix":                                    {"UID:90D752C5\r\n", "", odd, "uid-hex", "club card 90D752C5"},
		"a UID of seven bytes, last first":                         {"8061E2CAC6A304\r", "", seven, "uid-hex-reversed", "club card 04A3C6CAE26180"},
		"a tag with its number printed on it":                      {"$62E3086CED08#\r", "3808980205", odd, "id-12", "club card 62E3086CED"},
		"a scanner with a prefix and a tabulator":                  {"S>]Q1TESTPAGE012345678\t", "", odd, "scanner", "a symbol that is no document: qr of 17 characters"},
		"a scanner without AIM identifiers is set":                 {"8001015009087\r", "", odd, "scanner", "sa-id-book, but no AIM identifier: set the scanner to send it"},
	} {
		t.Run(name, func(t *testing.T) {
			search := newSearch(t)
			search.Printed(test.printed)
			bare := strings.Contains(test.reads, "but no")
			found, _ := swipesUntil(t, search, test.sent, test.device, func(best reader.Guessed) bool {
				return best.Right >= 2 || bare && best.Profile.Type == reader.TypeScanner
			}, quietly)
			if found.Profile.Name != test.profile || found.Reads[len(found.Reads)-1] != test.reads {
				t.Errorf("found %s (%s), reads %q", found.Profile.Name, found.Unlike, found.Reads)
			}
			kept, err := reader.ParseProfile(test.profile+".toml", []byte(found.Profile.TOML()))
			if err != nil {
				t.Fatalf("the profile that is kept: %v\n%s", err, found.Profile.TOML())
			}
			burst := reader.Burst{Line: kept.Line, Pieces: []reader.Piece{{Data: emulator.Heard([]byte(test.sent), test.device, kept.Line)}}}
			if bare {
				return
			}
			if readings := burst.Readings(kept, today); len(readings) != 1 || readings[0].Kind == reader.KindRefused {
				t.Errorf("the profile that is kept reads %v\n%s", readings, found.Profile.TOML())
			}
		})
	}
}

func TestABankCardTellsTheLineAndNothingElse(t *testing.T) {
	const number = "4111111111111111"
	search := newSearch(t)
	line := port.Settings{Baud: 9600}.Normal()
	search.Hear(reader.Burst{Line: line, Pieces: []reader.Piece{{Data: []byte(";" + number + "=49121011?\r")}}})
	guesses := search.Guesses()
	if len(guesses) == 0 || guesses[0].Right != 0 || guesses[0].Reads[0] != "refused: bank-card" || search.Listen() != line {
		t.Errorf("listens at %+v, guesses %+v", search.Listen(), guesses)
	}
	if said := fmt.Sprintf("%+v", guesses); strings.Contains(said, number) || strings.Contains(said, number[:8]) {
		t.Errorf("the number is told: %s", said)
	}
}

func TestAVeiledBurstKeepsItsFramesAndNobodysNumber(t *testing.T) {
	for name, test := range map[string]struct{ sent, want string }{
		"a club card":            {";6001234567890123?\r", ";0001101001100110?\r"},
		"a tag":                  {"\x0262E3086CED08\x03", "\x0201C0010CCA01\x03"},
		"odd parity as a bit":    {"\xbb\xb61?\r", "\xbb\xb01?\r"},
		"heard at another speed": {"\x80\xf8\x00\x80\xf8\x00\x80\x00", "\x00\x00\x00\x00\x00\x00\x00\x00"},
	} {
		t.Run(name, func(t *testing.T) {
			burst := reader.Burst{Pieces: []reader.Piece{{Data: []byte(test.sent)}}}
			if got := string(burst.Veiled().Bytes()); got != test.want {
				t.Errorf("veiled %q, want %q", got, test.want)
			}
			if string(burst.Bytes()) != test.sent {
				t.Error("the burst itself was changed")
			}
		})
	}
}

func TestStepsSayWhyAFrameIsRefused(t *testing.T) {
	for name, test := range map[string]struct {
		profile, sent string
		want          []string
	}{
		"a club card": {"magstripe", ";6001234567890123?\r", []string{
			`a frame of 18 bytes before the suffix "\r"`, "track 2: ok", "club card ############0123",
		}},
		"a bank card": {"magstripe", ";4111111111111111=49121011?\r", []string{
			`a frame of 27 bytes before the suffix "\r"`, "track 2: ok", "refused: bank-card: a bank card. Nothing of it is kept; use a club card",
		}},
		"a reader that ends its frames otherwise": {"uid-hex", "90D752C5\x03", []string{
			`a frame of 9 bytes that stopped half way: the suffix "\r" did not come: half a read, or the reader sends another suffix`,
			"no UID: half: the suffix did not come: the digits may go on",
			"refused: swipe-again: misread. If every swipe is, the speed, the parity or the profile is wrong",
		}},
		"a tag of another reader": {"rdm6300", "\n0F0184F07A\r", []string{
			"there are bytes outside any frame: noise, or a prefix that the profile does not know; they are skipped",
			`nothing to read: no 12 hexadecimal digits between "\x02" and "\x03": another speed, or another reader`,
		}},
		"a scanner without AIM identifiers": {"scanner", "8001015009087\r", []string{
			"a frame of 14 bytes up to a silence of 80ms", "no scan: no-aim-id: set the scanner to send AIM identifiers in front of each scan",
			"refused: no-aim-id: set the scanner to send AIM identifiers",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			burst := reader.Burst{Pieces: []reader.Piece{{Data: []byte(test.sent)}}}
			var got []string
			for _, step := range burst.Steps(named(t, test.profile), today) {
				got = append(got, strings.TrimSuffix(step.What+": "+step.Why, ": "))
				if step.Right != (step.Why == "") {
					t.Errorf("right is %v: %+v", step.Right, step)
				}
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}

func FuzzWhateverComesASearchGoesOn(f *testing.F) {
	for _, sent := range sends {
		f.Add([]byte(sent.frame), 9600)
	}
	f.Add([]byte(";4111111111111111=4912?\r"), 115200)
	f.Fuzz(func(t *testing.T, data []byte, baud int) {
		search := newSearch(t)
		burst := reader.Burst{Line: port.Settings{Baud: baud}.Normal(), Pieces: []reader.Piece{{Data: data}}}
		before := string(data)
		search.Hear(burst)
		for _, guess := range search.Guesses() {
			if strings.Contains(fmt.Sprint(guess.Reads), "4111111111111111") {
				t.Errorf("a bank card's number is told: %v", guess.Reads)
			}
			if kept, err := reader.ParseProfile("kept.toml", []byte(guess.Profile.TOML())); guess.Right > 0 && baud == 9600 && err != nil {
				t.Errorf("the profile cannot be kept: %v\n%s%+v", err, guess.Profile.TOML(), kept)
			}
			_ = burst.Steps(guess.Profile, today)
		}
		if line := search.Listen(); line.Baud <= 0 && baud > 0 {
			t.Errorf("listens at %d", line.Baud)
		}
		burst.Rows(16, false)
		if len(burst.Veiled().Bytes()) != len(data) || string(burst.Bytes()) != before {
			t.Error("bytes were lost or changed")
		}
	})
}
