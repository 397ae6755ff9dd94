package printer_test

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"reelkiosk/devices/dots"
	"reelkiosk/devices/emulator"
	"reelkiosk/devices/printer"
)

// onPaper returns the one piece of paper that a document becomes.
func onPaper(t testing.TB, profile printer.Profile, document printer.Document) emulator.Ticket {
	t.Helper()
	sent, err := printer.Encode(profile, document)
	if err != nil {
		t.Fatal(err)
	}
	pieces, strange := emulator.OnPaper(profile, sent)
	if len(strange) > 0 {
		t.Errorf("%s does not understand %q", profile.Name, strange)
	}
	if len(pieces) != 1 {
		t.Fatalf("%d pieces of paper, want one", len(pieces))
	}
	return pieces[0]
}

// languages are the letters of the country's written languages, those beyond ASCII by language, and the marks that
// texts in them use.
var languages = map[string]string{
	"English":    "ABCDEFGHIJKLMNOPQRSTUVWXYZ abcdefghijklmnopqrstuvwxyz 0123456789 .,:;!?()'\"-/+*%&@#",
	"Afrikaans":  "áäéèêëíîïóôöúûüý ÁÄÉÈÊËÍÎÏÓÔÖÚÛÜÝ ŉ ’ “ ” – —",
	"isiZulu":    "abcdefghijklmnopqrstuvwxyz ’",
	"Sesotho":    "šŠ êÊ ôÔ",
	"Setswana":   "šŠ êÊ ôÔ",
	"Tshivenda":  "ḓḽṅṋṱ ḒḼṄṊṰ",
	"names":      "áàâãäåæçéèêëíìîïñóòôõöøúùûüýÿß ÁÀÂÃÄÅÆÇÉÈÊËÍÌÎÏÑÓÒÔÕÖØÚÙÛÜÝ žŽ čČ ćĆ đĐ łŁ",
	"currencies": "€ £ ¥ ¢",
}

func TestEveryLetterOfEveryLanguageIsOnThePaper(t *testing.T) {
	for _, profile := range printer.Profiles() {
		for language, letters := range languages {
			for _, style := range []printer.Text{{Size: 1}, {Size: 1, Bold: true}, {Size: 2}, {Size: 3, Bold: true}} {
				t.Run(fmt.Sprintf("%s %s %d %v", profile.Name, language, style.Size, style.Bold), func(t *testing.T) {
					for _, letter := range letters {
						style.Text = string(letter)
						picture := onPaper(t, profile, printer.Document{style, printer.Cut{}}).Image
						glyph := dots.Glyph(letter, dots.Style{
							Bold: style.Bold, Width: style.Size, Height: style.Size, Coarse: !profile.Smoothing,
						})
						if !isAt(picture, glyph, 12) {
							t.Errorf("%q is not what stands on the paper", letter)
						}
					}
				})
			}
		}
	}
}

// isAt reports whether a letter stands on the first line of a picture, at a column of dots, as it should.
func isAt(picture, glyph *dots.Bitmap, x int) bool {
	const top = 24 // rows of blank paper before the first line
	if picture.Height() < top+glyph.Height() {
		return glyph.Blank()
	}
	for row := range glyph.Height() {
		for column := range glyph.Width() {
			if picture.Black(x+column, top+row) != glyph.Black(column, row) {
				return false
			}
		}
	}
	return true
}

func TestALetterOfNoCodePageIsDrawnAndNeverAQuestionMark(t *testing.T) {
	for _, profile := range printer.Profiles() {
		paper := onPaper(t, profile, printer.Document{printer.Text{Text: "Ndi ḓivha"}, printer.Text{Text: "plain"}, printer.Cut{}})
		if want := "[picture 120×24]\n plain\n"; paper.Text != want {
			t.Errorf("%s: got %q, want %q", profile.Name, paper.Text, want)
		}
	}
}

func TestTheCodePageIsChosenForEachLetterAndKeptWhileItServes(t *testing.T) {
	sent, err := printer.Encode(profileNamed(t, "epson-48"), printer.Document{printer.Text{Text: "Réné š é Ω ’n"}})
	if err != nil {
		t.Fatal(err)
	}
	// é is in cp437, in force at first; š needs cp1252, which also has é; Ω needs cp437 again; ’ cp1252.
	want := "R\x82n\x82 \x1bt\x10\x9a \xe9 \x1bt\x00\xea \x1bt\x10\x92n\n"
	if !bytes.HasSuffix(sent, []byte(want)) {
		t.Errorf("got %q, want it to end with %q", sent, want)
	}
}

func TestAJobBeginsWithAReset(t *testing.T) {
	for name, want := range map[string]string{
		"epson-48":      "\x1b@\x1c.\x1bt\x00\x1da\xff\x1b3\x30\x1db\x01",
		"compatible-48": "\x1b@\x1c.\x1bt\x00\x1b3\x18",
	} {
		sent, err := printer.Encode(profileNamed(t, name), nil)
		if err != nil || string(sent) != want {
			t.Errorf("%s: got %q, %v, want %q", name, sent, err, want)
		}
	}
}

func TestLayout(t *testing.T) {
	for name, test := range map[string]struct {
		profile string
		block   printer.Block
		want    string
	}{
		"a pair": {"epson-48", printer.Pair{Left: "Card", Right: "4821"}, " Card                                      4821"},
		"a pair that does not fit": {"epson-42", printer.Pair{Left: "Inskrywing 1 van 3 eindig", Right: "Di 10 Maart 14:05"},
			" Inskrywing 1 van 3 eindig\n                        Di 10 Maart 14:05"},
		"a pair that just fits": {"epson-42", printer.Pair{Left: strings.Repeat("x", 19), Right: strings.Repeat("y", 19)},
			" " + strings.Repeat("x", 19) + "  " + strings.Repeat("y", 19)},
		"a pair of one": {"epson-48", printer.Pair{Left: "Kiosk 2"}, " Kiosk 2"},
		"on the right":  {"epson-42", printer.Text{Text: "right", Align: printer.Right}, strings.Repeat(" ", 36) + "right"},
		"in the middle": {"epson-48", printer.Text{Text: "mid", Align: printer.Centre}, strings.Repeat(" ", 22) + "mid"},
		"words wrap":    {"epson-42", printer.Text{Text: strings.Repeat("word ", 9)}, " word word word word word word word word\n word"},
		"a word longer than a line": {"epson-42", printer.Text{Text: "a " + strings.Repeat("x", 85)},
			" a\n " + strings.Repeat("x", 40) + "\n " + strings.Repeat("x", 40) + "\n xxxxx"},
		"lines that need not break": {"epson-48", printer.Text{Text: "Not there?\nNo seat.", Flow: true}, " Not there? No seat."},
		"lines that must": {"epson-42", printer.Text{Text: strings.Repeat("x", 39) + "\nNo seat.", Flow: true},
			" " + strings.Repeat("x", 39) + "\n No seat."},
		"lines that may not be joined":    {"epson-48", printer.Text{Text: "a\nb"}, " a\n b"},
		"a composed letter is one column": {"epson-48", printer.Pair{Left: "Zoe\u0308", Right: "x"}, " Zoë" + strings.Repeat(" ", 42) + "x"},
		"what fits no larger":             {"epson-48", printer.Text{Text: "MACHINE 1234", Size: 4, Shrink: true}, " MACHINE 1234"},
		"a rule":                          {"epson-42", printer.Rule{}, " " + strings.Repeat("─", 40)},
		"a bar":                           {"epson-42", printer.Bar{Text: "COPY 2"}, strings.Repeat("█", 17) + " COPY 2 " + strings.Repeat("█", 17)},
		"a bar with too long a text": {"epson-42", printer.Bar{Text: strings.Repeat("Y", 30)},
			strings.Repeat("█", 5) + " " + strings.Repeat("Y", 30) + " " + strings.Repeat("█", 5)},
		"nothing": {"epson-48", printer.Text{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := onPaper(t, profileNamed(t, test.profile), printer.Document{test.block, printer.Cut{}, printer.Text{Text: "."}, printer.Cut{}}[:2]).Text
			if got = strings.TrimSuffix(got, "\n"); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

func TestDocumentsThatCannotBePrintedAreRefused(t *testing.T) {
	for name, block := range map[string]printer.Block{
		"a QR code of nothing":             printer.QR{Module: 4, Level: printer.LevelM},
		"a QR code beyond ASCII":           printer.QR{Data: "é", Module: 4, Level: printer.LevelM},
		"a QR code of no level":            printer.QR{Data: "1", Module: 4},
		"a QR code of no dots":             printer.QR{Data: "1", Level: printer.LevelM},
		"a QR code wider than the paper":   printer.QR{Data: strings.Repeat("A", 400), Module: 10, Level: printer.LevelM},
		"a QR code of more than one holds": printer.QR{Data: strings.Repeat("a", 3000), Module: 1, Level: printer.LevelH},
		"a barcode wider than the paper":   printer.Code128{Data: strings.Repeat("1", 30), Height: 50},
		"a barcode of no height":           printer.Code128{Data: "1"},
		"a barcode beyond ASCII":           printer.Code128{Data: "é", Height: 50},
		"a picture wider than the paper":   printer.Picture{Picture: dots.New(577, 1)},
		"no picture":                       printer.Picture{},
		"a picture of no rows":             printer.Picture{Picture: dots.New(8, 0).Rows(0, 0)},
	} {
		for _, model := range []string{"epson-48", "compatible-48"} {
			_, err := printer.Encode(profileNamed(t, model), printer.Document{printer.Rule{}, block})
			if name == "a picture of no rows" {
				if err != nil {
					t.Errorf("%s: %v", name, err)
				}
				continue
			}
			if !errors.Is(err, printer.ErrDocument) || !strings.HasPrefix(err.Error(), "block 2: ") {
				t.Errorf("%s on %s: got %v", name, model, err)
			}
		}
	}
}

func TestQRCodesOfEverySizeAreReadBack(t *testing.T) {
	for _, profile := range printer.Profiles() {
		for _, code := range []printer.QR{
			{Data: "7K3MP2QX9RTC4HWN5", Module: 10, Level: printer.LevelQ},
			{Data: "1", Module: 3, Level: printer.LevelH},
			{Data: "https://ridge.example/t?n=7K3MP2QX9RTC4HWN5", Module: 4, Level: printer.LevelM},
			{Data: strings.Repeat("0123456789", 30), Module: 3, Level: printer.LevelL},
		} {
			paper := onPaper(t, profile, printer.Document{
				printer.Space{Dots: 40}, code, printer.Space{Dots: 40}, printer.Text{Text: "below"}, printer.Cut{},
			})
			if got := scan(t, paper); got != code.Data {
				t.Errorf("%s: read %q, want %q", profile.Name, got, code.Data)
			}
		}
	}
}

func TestBarcodesAreReadBack(t *testing.T) {
	for _, profile := range printer.Profiles() {
		for _, data := range []string{"2B7QXK40ZD9MTC6VR", "a{b}c ~", "1234"} {
			paper := onPaper(t, profile, printer.Document{
				printer.Space{Dots: 20}, printer.Code128{Data: data, Height: 72}, printer.Space{Dots: 20}, printer.Cut{},
			})
			if got := scan(t, paper); got != data {
				t.Errorf("%s: read %q, want %q", profile.Name, got, data)
			}
		}
	}
}

// scan reads the one symbol of a ticket with ZXing, which shares nothing with what drew it.
func scan(t *testing.T, paper emulator.Ticket) string {
	t.Helper()
	folder := t.TempDir()
	if err := paper.Save(folder, "ticket"); err != nil {
		t.Fatal(err)
	}
	output, err := exec.Command("ZXingReader", "-1", filepath.Join(folder, "ticket.png")).Output()
	if err != nil {
		t.Fatalf("ZXingReader (Debian: zxing-cpp-tools): %v", err)
	}
	_, data, _ := strings.Cut(strings.TrimSpace(string(output)), `"`)
	return strings.TrimSuffix(data, `"`)
}

func FuzzEncode(f *testing.F) {
	f.Add("Zoë\x1b@ ḓ", "right", "7K3M", 2)
	f.Fuzz(func(t *testing.T, left, right, data string, size int) {
		profile := profileNamed(t, "epson-42")
		document := printer.Document{
			printer.Text{Text: left, Size: size, Shrink: true, Flow: true}, printer.Pair{Left: left, Right: right, Size: size},
			printer.Bar{Text: right}, printer.Cut{},
		}
		sent, err := printer.Encode(profile, document)
		if err != nil {
			t.Fatal(err)
		}
		if pieces, strange := emulator.OnPaper(profile, sent); len(pieces) != 1 || len(strange) > 0 {
			t.Fatalf("%d pieces, not understood: %q", len(pieces), strange)
		}
		_, _ = printer.Encode(profile, printer.Document{
			printer.QR{Data: data, Module: size, Level: printer.LevelM}, printer.Code128{Data: data, Height: size},
		})
	})
}
