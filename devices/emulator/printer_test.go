package emulator_test

import (
	"bytes"
	"errors"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"reelkiosk/devices/dots"
	"reelkiosk/devices/emulator"
	"reelkiosk/devices/port"
	"reelkiosk/devices/printer"
)

func model(t *testing.T, name string) printer.Profile {
	t.Helper()
	profile, known := printer.ProfileNamed(name)
	if !known {
		t.Fatalf("no profile %s", name)
	}
	return profile
}

// A reset, out of the Chinese mode, cp437, lines of 24 dots on an Epson, whose units are half dots.
const ready = "\x1b@\x1c.\x1bt\x00\x1b3\x30"

func TestWhatCommandsPutOnThePaper(t *testing.T) {
	const cut = "\x1dVA\x00"
	for name, test := range map[string]struct{ sent, want string }{
		"letters":                        {ready + "R\x82n\x82\n", "Réné"},
		"in another code page":           {ready + "\x1bt\x10\x9a\xe9\n", "šé"},
		"Chinese, where FS . is wanting": {"\x1b@R\x82n\x82\n", "R□□□□"},
		"Chinese again after a reset":    {ready + "\x1b@\xe9\xe9\n", "□□"},
		"Chinese by FS &":                {ready + "\x1c&\xe9\xe9\n", "□□"},
		"a page that the model lacks":    {ready + "\x1bt\x63\x82\n", "é"},
		"sizes on one line":              {ready + " \x1d!\x11HEAT 14\x1d!\x00" + strings.Repeat(" ", 22) + "\x1d!\x1119:40\n", " HEAT 14                                  19:40"},
		"the older way to be large":      {ready + "\x1b!\x30AB\x1b!\x00c\n", "AB  c"},
		"on the right":                   {ready + "\x1ba\x02right\n", strings.Repeat(" ", 43) + "right"},
		"in the middle, in ASCII":        {ready + "\x1ba1mid\n", strings.Repeat(" ", 22) + "mid"},
		"an alignment in mid-line":       {ready + "left\x1ba\x02\n", "left"},
		"tabs":                           {ready + "a\tbc\td\n", "a       bc      d"},
		"a line that is full":            {ready + strings.Repeat("x", 50) + "\n", strings.Repeat("x", 48) + "\nxx"},
		"small letters in font B":        {ready + "\x1bM\x01" + strings.Repeat("y", 65) + "\n", strings.Repeat("y", 64) + "\ny"},
		"white on black":                 {ready + "\x1dB\x01 COPY 2 \x1dB\x00\n", "█ COPY 2 █"},
		"a line without an end":          {ready + "last", "last"},
		"a feed between":                 {ready + "a\n\x1bd\x02b\n\x1bJ\x60c\n", "a\n\nb\n\nc"},
		"a feed that prints":             {ready + "a\x1bJ\x30b\x1bd\x01c\n", "a\n\nb\n\nc"},
		"the usual spacing":              {ready + "\x1b2a\nb\n", "a\nb"},
		"zeros and other controls":       {ready + "\x00\x00a\x07\rb\x7f\n\x00", "ab"},
		"a question amid text":           {ready + "a\x10\x04\x01b\x10\x05\x02c\n", "abc"},
		"a drawer that is not there":     {ready + "\x1bp\x00\x32\xfa.\n", "."},
		"Code 39, counted":               {ready + "\x1dh\x40\x1dw\x02\x1dk\x45\x04T-42", "[Code 39 T-42]"},
		"Code 39, ended by a zero":       {ready + "\x1ba\x01\x1dk\x04T-42\x00", "                [Code 39 T-42]"},
		"Code 128 with its text":         {ready + "\x1dw\x02\x1dH\x02\x1df\x01\x1dk\x49\x06{BT-{{\n", "[Code 128 T-{]\nT-{"},
		"a QR code":                      {ready + "\x1d(k\x04\x001A2\x00\x1d(k\x03\x001C\x05\x1d(k\x03\x001E1\x1d(k\x07\x001P01234\x1d(k\x03\x001Q0", "[QR 1234]"},
		"a rule":                         {ready + "\x1dv0\x00\x48\x00\x02\x00" + strings.Repeat("\xff", 144), strings.Repeat("─", 48)},
		"a picture in two commands":      {ready + strings.Repeat("\x1dv0\x00\x02\x00\x08\x00"+strings.Repeat("\xaa", 16), 2), "[picture 16×16]"},
		"a picture of twice the size":    {ready + "\x1dv0\x03\x02\x00\x08\x00" + strings.Repeat("\xaa", 16), "[picture 32×16]"},
	} {
		t.Run(name, func(t *testing.T) {
			pieces, _ := emulator.OnPaper(model(t, "epson-48"), []byte(test.sent+cut))
			if len(pieces) != 1 {
				t.Fatalf("%d pieces of paper", len(pieces))
			}
			if got := strings.Trim(pieces[0].Text, "\n"); strings.TrimLeft(got, "\n") != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

func TestWhatAPrinterDoesNotUnderstandIsNoted(t *testing.T) {
	for name, test := range map[string]struct{ profile, sent, want string }{
		"an unknown command":                {"epson-48", "\x1bz", "ESC 7A"},
		"another":                           {"epson-48", "\x1d\x01", "GS 01"},
		"GS ( H on a model without":         {"compatible-48", "\x1d(H\x06\x00000001", "GS ( 48"},
		"a QR code on a model without":      {"compatible-48", "\x1d(k\x03\x001Q0", "GS ( k 51"},
		"smoothing on a model without":      {"compatible-48", "\x1db\x01", "GS b 01"},
		"GS a on a model without":           {"compatible-48", "\x1da\xff", "GS a FF"},
		"GS r on one that never tells":      {"silent-48", "\x1dr\x01", "GS r 01"},
		"a code page that it lacks":         {"silent-48", "\x1bt\x10", "ESC t 10"},
		"a picture in the middle of a line": {"epson-48", "a\x1dv0\x00\x01\x00\x01\x00\xff", "picture that does not fit"},
		"a picture wider than the paper":    {"epson-48", "\x1dv0\x00\x49\x00\x01\x00" + strings.Repeat("\xff", 73), "picture that does not fit"},
		"a barcode of a letter it lacks":    {"epson-48", "\x1dk\x04\xe9\x00", "barcode that cannot be made"},
		"a barcode of another kind":         {"epson-48", "\x1dk\x02590123412345\x00", "GS k 02"},
		"a QR code of nothing":              {"epson-48", "\x1d(k\x03\x001Q0", "QR code that cannot be made"},
		"a cut in another way":              {"epson-48", "\x1dV\x07", "GS V 07"},
		"a real-time command of none":       {"epson-48", "\x10\x09", "DLE 09"},
	} {
		_, strange := emulator.OnPaper(model(t, test.profile), []byte(test.sent))
		if !slices.Equal(strange, []string{test.want}) {
			t.Errorf("%s: noted %q, want %q", name, strange, test.want)
		}
	}
}

func TestACutWithoutAFeedGoesThroughThePrint(t *testing.T) {
	pieces, _ := emulator.OnPaper(model(t, "epson-48"), []byte(ready+"first\nsecond\n\x1dV\x00"))
	if len(pieces) != 2 || pieces[0].Text != "first\n" || pieces[1].Text != "second\n" || pieces[0].Torn || !pieces[1].Torn {
		t.Errorf("%+v", pieces)
	}
}

func TestLettersAreCoarseUnlessSmoothed(t *testing.T) {
	for name, test := range map[string]struct {
		sent   string
		coarse bool
	}{"as they are": {"", true}, "smoothed": {"\x1db\x01", false}} {
		pieces, _ := emulator.OnPaper(model(t, "epson-48"), []byte(ready+test.sent+"\x1d!\x33\x1bE\x01R\n\x1dVA\x00"))
		letter := dots.Glyph('R', dots.Style{Bold: true, Width: 4, Height: 4, Coarse: test.coarse})
		for y := range letter.Height() {
			for x := range letter.Width() {
				if pieces[0].Image.Black(x, 24+y) != letter.Black(x, y) {
					t.Fatalf("%s: dot %d, %d is wrong", name, x, y)
				}
			}
		}
	}
}

func TestUnderlinedLettersHaveALineAtTheirFoot(t *testing.T) {
	pieces, _ := emulator.OnPaper(model(t, "epson-48"), []byte(ready+"\x1b-2A\x1b-0B\n\x1dVA\x00"))
	for x := range 24 {
		for y := 22; y < 24; y++ {
			if pieces[0].Image.Black(x, 24+y) != (x < 12) {
				t.Fatalf("dot %d, %d is wrong", x, y)
			}
		}
	}
}

func TestATicketIsSavedAsPictureAndText(t *testing.T) {
	pieces, _ := emulator.OnPaper(model(t, "epson-42"), []byte(ready+"hello\n\x1dVA\x00"))
	folder := t.TempDir()
	if err := pieces[0].Save(folder, "ticket"); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(folder, "ticket.txt"))
	if err != nil || string(text) != "hello\n" {
		t.Errorf("%q, %v", text, err)
	}
	file, err := os.Open(filepath.Join(folder, "ticket.png"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	picture, err := png.Decode(file)
	if err != nil || !dots.FromImage(picture).Equal(pieces[0].Image) {
		t.Errorf("the picture is not the ticket: %v", err)
	}
	if err := pieces[0].Save(filepath.Join(folder, "missing"), "ticket"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("into a folder that is not there: %v", err)
	}
}

// cable is a line in memory: the printer reads what the test writes, and its answers are kept.
type cable struct {
	*io.PipeReader
	answers *bytes.Buffer
}

func (c cable) Write(p []byte) (int, error) { return c.answers.Write(p) }

// play runs a test in a bubble with a printer in it; send puts bytes on the line and lets a while pass.
func play(t *testing.T, name string, test func(t *testing.T, p *emulator.Printer, send func(string) string), options ...emulator.PrinterOption) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		reader, writer := io.Pipe()
		answers := &bytes.Buffer{}
		p := emulator.NewPrinter(cable{reader, answers}, model(t, name), options...)
		test(t, p, func(sent string) string {
			go io.WriteString(writer, sent)
			time.Sleep(time.Minute)
			synctest.Wait()
			answer := answers.String()
			answers.Reset()
			return answer
		})
		writer.Close()
		p.Close()
	})
}

func TestAnswersAreByTheManual(t *testing.T) {
	const all = "\x10\x04\x01\x10\x04\x02\x10\x04\x03\x10\x04\x04"
	for name, test := range map[string]struct {
		trouble emulator.Trouble
		want    string
	}{
		"well":         {0, "\x12\x12\x12\x12"},
		"paper low":    {emulator.PaperLow, "\x12\x12\x12\x1e"},
		"paper out":    {emulator.PaperOut, "\x1a\x32\x12\x7e"},
		"cover open":   {emulator.CoverOpen, "\x1a\x16\x12\x12"},
		"cutter stuck": {emulator.KnifeStuck, "\x1a\x52\x1a\x12"},
		"head fault":   {emulator.HeadFault, "\x1a\x52\x32\x12"},
		"silent":       {emulator.Mute, ""},
		"off":          {emulator.PowerOff, ""},
	} {
		play(t, "epson-48", func(t *testing.T, p *emulator.Printer, send func(string) string) {
			if test.trouble != 0 {
				p.Begin(test.trouble)
			}
			if got := send(all); got != test.want {
				t.Errorf("%s: answered %x, want %x", name, got, test.want)
			}
		})
	}
}

func TestStatusComesByItselfOnceAskedFor(t *testing.T) {
	play(t, "epson-48", func(t *testing.T, p *emulator.Printer, send func(string) string) {
		if got := send("\x1da\xff"); got != "\x10\x00\x00\x00" {
			t.Errorf("at first %x", got)
		}
		for _, step := range []struct {
			trouble emulator.Trouble
			want    string
		}{
			{emulator.PaperLow, "\x10\x00\x03\x00"}, {emulator.CoverOpen, "\x38\x00\x03\x00"},
			{emulator.KnifeStuck, "\x38\x08\x03\x00"}, {emulator.PaperOut, "\x38\x08\x0f\x00"},
		} {
			p.Begin(step.trouble)
			if got := send(""); got != step.want {
				t.Errorf("%v: %x, want %x", step.trouble, got, step.want)
			}
		}
		for trouble := emulator.PaperLow; trouble <= emulator.KnifeStuck; trouble++ {
			p.End(trouble)
		}
		if got := send(""); !strings.HasSuffix(got, "\x10\x00\x00\x00") {
			t.Errorf("at the end %x", got)
		}
		p.Begin(emulator.PowerOff)
		p.End(emulator.PowerOff)
		p.Begin(emulator.CoverOpen)
		if got := send(""); got != "" {
			t.Errorf("after the power was off it says %x unasked", got)
		}
	})
}

func TestAJobIsReportedWhenItIsPrinted(t *testing.T) {
	play(t, "epson-48", func(t *testing.T, p *emulator.Printer, send func(string) string) {
		p.Begin(emulator.CoverOpen)
		if got := send(ready + "text\n\x1dr\x01\x1d(H\x06\x00000001"); got != "" {
			t.Errorf("with an open cover it reports %q", got)
		}
		p.End(emulator.CoverOpen)
		if got := send(""); got != "\x00\x37\x220001\x00" {
			t.Errorf("reports %q", got)
		}
	})
}

func TestARollThatEndsIsTornOff(t *testing.T) {
	play(t, "epson-48", func(t *testing.T, p *emulator.Printer, send func(string) string) {
		p.BeginAfterRows(emulator.PaperOut, 36) // in the middle of the second line
		send(ready + "first\nsecond\nthird\n\x1dVA\x00")
		p.End(emulator.PaperOut)
		torn := <-p.Tickets()
		cut := <-p.Tickets()
		if !torn.Torn || torn.Text != "first\n" || torn.Image.Height() != 24+36 {
			t.Errorf("torn off: %v, %q, %d rows", torn.Torn, torn.Text, torn.Image.Height())
		}
		if cut.Torn || cut.Text != "second\nthird\n" {
			t.Errorf("cut: %v, %q", cut.Torn, cut.Text)
		}
	})
}

func TestAFullBufferLosesBytes(t *testing.T) {
	long := ready + strings.Repeat("a line that takes a while\n", 400)
	play(t, "epson-48", func(t *testing.T, p *emulator.Printer, send func(string) string) {
		p.Begin(emulator.Sluggish)
		send(long)
		if p.Lost() == 0 || p.Held() == 0 {
			t.Errorf("%d bytes lost, %d held, of %d sent at once to a slow printer", p.Lost(), p.Held(), len(long))
		}
	})
	play(t, "epson-48", func(t *testing.T, p *emulator.Printer, send func(string) string) {
		send(long)
		if p.Lost() != 0 {
			t.Errorf("%d bytes lost in haste", p.Lost())
		}
	}, emulator.Haste(0))
}

func TestBuffersAreThrownAwayAtOnceWhereTheModelCan(t *testing.T) {
	const clear = "\x10\x14\x08\x01\x03\x14\x01\x06\x02\x08"
	for name, test := range map[string]struct{ answer, text string }{
		"epson-48":      {"\x37\x25\x00", "next\n"},
		"compatible-48": {"", "half a job, next\n"},
	} {
		play(t, name, func(t *testing.T, p *emulator.Printer, send func(string) string) {
			p.Begin(emulator.PaperOut)
			send(ready + "half a job, ")
			if got := send(clear); got != test.answer {
				t.Errorf("%s: answers %x", name, got)
			}
			p.End(emulator.PaperOut)
			send("next\n\x1dVA\x00")
			if ticket := <-p.Tickets(); ticket.Text != test.text {
				t.Errorf("%s: printed %q, want %q", name, ticket.Text, test.text)
			}
		})
	}
}

func TestPowerLostInTheMiddleLosesWhatWasHeld(t *testing.T) {
	play(t, "epson-48", func(t *testing.T, p *emulator.Printer, send func(string) string) {
		p.BeginAfterBytes(emulator.PowerOff, len(ready)+30)
		send(ready + strings.Repeat("0123456789\n", 10))
		p.End(emulator.PowerOff)
		send("\x1c.after\n\x1dVA\x00")
		ticket := <-p.Tickets()
		if !strings.HasSuffix(ticket.Text, "after\n") || strings.Count(ticket.Text, "0123456789") > 2 {
			t.Errorf("%q", ticket.Text)
		}
	})
}

func TestTroublesAreTypedAsWords(t *testing.T) {
	for trouble := emulator.PaperLow; trouble <= emulator.Sluggish; trouble++ {
		words := trouble.String()
		if read, err := emulator.ParseTrouble("  " + strings.ReplaceAll(words, " ", "   ")); err != nil || read != trouble {
			t.Errorf("%q: %v, %v", words, read, err)
		}
		if !strings.Contains(emulator.TroubleHelp(), words) {
			t.Errorf("no help for %q", words)
		}
	}
	if _, err := emulator.ParseTrouble("on fire"); !errors.Is(err, emulator.ErrTrouble) || !strings.Contains(err.Error(), "paper out") {
		t.Errorf("%v", err)
	}
	if got := emulator.Trouble(99).String(); got != "trouble 99" {
		t.Error(got)
	}
}

func TestAPrinterOnATerminalPrintsWhatItIsSent(t *testing.T) {
	line := openLine(t)
	kept := keep(t, line, port.Settings{Baud: 115200})
	p := emulator.NewPrinter(line, model(t, "epson-48"), emulator.Haste(10))
	defer func() {
		line.Close()
		p.Close()
	}()
	if err := kept.Write(t.Context(), []byte(ready+"on paper\n\x1dVA\x00\x10\x04\x04")); err != nil {
		t.Fatal(err)
	}
	awaitBytes(t, kept, "\x12")
	select {
	case ticket := <-p.Tickets():
		if ticket.Text != "on paper\n" {
			t.Errorf("%q", ticket.Text)
		}
	case <-time.After(patience):
		t.Error("no ticket")
	}
}

func FuzzOnPaper(f *testing.F) {
	f.Add([]byte(ready + "text\n\x1dv0\x00\x02\x00\x01\x00\xaa\x55\x1d(k\x03\x001Q0\x1dk\x49\x04{BAB\x1dVA\x00"))
	f.Add([]byte("\x1d(k\xff\xff\x1dv0\x00\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, sent []byte) {
		profile, _ := printer.ProfileNamed("epson-48")
		rows := 0
		pieces, _ := emulator.OnPaper(profile, sent)
		for _, piece := range pieces {
			rows += piece.Image.Height()
		}
		// Nothing moves the paper further than a letter of eight times the size, or 255 lines of 255 units, for each byte.
		if rows > 24+len(sent)*255*128 {
			t.Errorf("%d bytes move the paper by %d rows", len(sent), rows)
		}
	})
}
