package printer_test

import (
	"errors"
	"strings"
	"testing"

	"reelkiosk/assets"
	"reelkiosk/devices/printer"
	"reelkiosk/devices/printer/escpos"
)

func profileNamed(t testing.TB, name string) printer.Profile {
	t.Helper()
	profile, known := printer.ProfileNamed(name)
	if !known {
		t.Fatalf("no profile %s", name)
	}
	return profile
}

func epsonText(t *testing.T) string {
	t.Helper()
	text, err := assets.Printers.ReadFile("printers/epson-48.toml")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestEmbeddedProfilesCoverEveryKindOfPrinter(t *testing.T) {
	confirms, symbols, cutters := map[printer.Confirm]bool{}, map[printer.Symbols]bool{}, map[printer.Cutter]bool{}
	columns := map[int]bool{}
	for _, profile := range printer.Profiles() {
		confirms[profile.Confirm], symbols[profile.Symbols], cutters[profile.Cutter] = true, true, true
		columns[profile.Columns] = true
	}
	if len(confirms) != 3 || len(symbols) != 2 || len(cutters) < 2 || !columns[48] || !columns[42] {
		t.Errorf("confirm %v, symbols %v, cutters %v, columns %v", confirms, symbols, cutters, columns)
	}
	if _, known := printer.ProfileNamed("dot-matrix"); known {
		t.Error("there is a profile that nobody wrote")
	}
}

func TestAProfileIsReadWhole(t *testing.T) {
	profile := profileNamed(t, "epson-48")
	if profile.Dots != 576 || profile.Columns != 48 || profile.Confirm != printer.ConfirmProcessID || !profile.Asked ||
		!profile.Push || !profile.Clear || profile.Baud != 38400 || len(profile.Pages) != 5 || profile.Pages[2] != escpos.CP1252 {
		t.Errorf("%+v", profile)
	}
}

func TestEveryMistakeInAProfileIsReportedAtOnce(t *testing.T) {
	replace := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(epsonText(t)) }
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"no TOML":     {"dots = = 3", []string{"x.toml:1: "}},
		"a key twice": {"dots = 1\ndots = 2", []string{"x.toml:2: "}},
		"empty":       {"", []string{"x.toml:1: about: is missing", "dots: is missing", "code_page: is missing", "clear: is missing"}},
		"numbers, words and pages out of range": {
			replace("576", "77", "38400", "38401", `"native"`, `"engraved"`, "buffer = 4096", `buffer = "large"`,
				`"cp852"`, `"cp866"`, "number = 19", "number = 256", "smoothing = true", "smoothing = 1"),
			[]string{
				"x.toml:4: dots = 77: must be a whole number from 128", "x.toml:9: baud = 38401: must be one of 50 75",
				`symbols = "engraved": must be one of native, raster`, `buffer = "large": must be a whole number`,
				`x.toml:33: code_page.name = "cp866": must be one of cp437`, "x.toml:38: code_page.number = 256: must be", "smoothing = 1: must be true or false",
			},
		},
		"keys that are none": {
			replace("cutter =", "scissors =", `name = "cp858"`, "name = \"cp858\"\ncolour = 3"),
			[]string{"x.toml:1: cutter: is missing", `x.toml:12: scissors = "partial": unknown key`, "x.toml:38: code_page.colour = 3: unknown key"},
		},
		"a page twice":      {replace(`"cp858"`, `"cp437"`), []string{`x.toml:37: code_page.name = "cp437": stands there twice`}},
		"no pages":          {replace("[[code_page]]", "[[page]]"), []string{"code_page: is missing", "page = "}},
		"pages of no table": {"code_page = [3]\n" + strings.Split(epsonText(t), "# Tried")[0], []string{"code_page = 3: must be a table"}},
		"a list of nothing": {"code_page = []\n" + strings.Split(epsonText(t), "# Tried")[0], []string{"one or more tables"}},
		"too many columns":  {replace("columns = 48", "columns = 49"), []string{"columns = 49: take 588 dots at 12 each, of 576"}},
		"an odd row":        {replace("576", "580"), []string{"dots = 580: must be a multiple of 8"}},
		"silent, but tells": {replace(`"asked"`, `"none"`), []string{`status = "none": means that it tells nothing`}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := printer.ReadProfile("x.toml", []byte(test.text))
			if !errors.Is(err, printer.ErrProfile) {
				t.Fatalf("got %v", err)
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("does not say %q:\n%v", want, err)
				}
			}
		})
	}
}

func FuzzReadProfile(f *testing.F) {
	text, err := assets.Printers.ReadFile("printers/silent-48.toml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(text))
	f.Add("code_page = [[1]]")
	f.Fuzz(func(t *testing.T, text string) {
		profile, err := printer.ReadProfile("fuzz.toml", []byte(text))
		if err != nil {
			if !errors.Is(err, printer.ErrProfile) {
				t.Fatalf("an error of another kind: %v", err)
			}
			return
		}
		if _, err := printer.Encode(profile, printer.Document{printer.Text{Text: "ḓ é"}, printer.Rule{}, printer.Cut{}}); err != nil {
			t.Fatalf("a profile that reads cannot print: %v", err)
		}
	})
}
