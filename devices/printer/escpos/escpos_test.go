package escpos_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"reelkiosk/devices/dots"
	"reelkiosk/devices/printer/escpos"
)

func TestEncode(t *testing.T) {
	for _, test := range []struct {
		name     string
		commands []escpos.Command
		want     string
	}{
		{"letters of the page in force after a reset are those of cp437", []escpos.Command{
			escpos.CodePage{Page: escpos.CP1252}, escpos.Initialise{}, escpos.Text{Text: "é"},
		}, "1b7410" + "1b40" + "82"},
		{"a line break in text is a line feed", []escpos.Command{escpos.Text{Text: "a\nb"}}, "610a62"},
		{"a printer with its own page numbers", []escpos.Command{
			escpos.CodePage{Page: escpos.Page{Name: "cp858", Number: 13}}, escpos.Text{Text: "€"},
		}, "1b740dd5"},
		{"a feed of more than one command carries", []escpos.Command{escpos.FeedUnits{Units: 256}}, "1b4aff1b4a01"},
		{"no feed", []escpos.Command{escpos.FeedUnits{}}, ""},
		{"full cut at the knife", []escpos.Command{escpos.Cut{Feed: true, Units: 48}}, "1d564130"},
		{"drawer on pin 5", []escpos.Command{escpos.Drawer{Pin: 5, On: 510 * time.Millisecond}}, "1b7001ff00"},
		{"a brace in Code 128 is doubled", []escpos.Command{escpos.Code128{Data: "A{", Height: 1, Width: 2}},
			"1d68011d77021d48001d6b49057b42417b7b"},
		{"all sizes", []escpos.Command{escpos.Size{Width: 8, Height: 4}}, "1d2173"},
		{"all questions", []escpos.Command{
			escpos.Ask{What: escpos.AskPrinter}, escpos.Ask{What: escpos.AskOffline}, escpos.Ask{What: escpos.AskError},
			escpos.Ask{What: escpos.AskPaper}, escpos.Ask{What: escpos.AskPaperQueued},
		}, "100401" + "100402" + "100403" + "100404" + "1d7201"},
		{"buffers thrown away", []escpos.Command{escpos.ClearBuffers{}}, "10140801031401060208"},
		{"reversed, smoothed, spaced", []escpos.Command{
			escpos.Reverse{On: true}, escpos.Smoothing{On: true}, escpos.LineSpacing{Units: 24}, escpos.LineFeed{},
		}, "1d4201" + "1d6201" + "1b3318" + "0a"},
		{"filling", []escpos.Command{escpos.Nothing{Bytes: 3}}, "000000"},
	} {
		t.Run(test.name, func(t *testing.T) {
			encoded, err := escpos.Encode(test.commands...)
			if err != nil {
				t.Fatal(err)
			}
			if got := hex.EncodeToString(encoded); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestEncodeRefuses(t *testing.T) {
	for _, test := range []struct {
		name    string
		command escpos.Command
		want    error
	}{
		{"a letter of no page", escpos.Text{Text: "ḓ"}, escpos.ErrCharacter},
		{"a letter of another page", escpos.Text{Text: "š"}, escpos.ErrCharacter},
		{"an escape in text", escpos.Text{Text: "\x1b@"}, escpos.ErrCharacter},
		{"a C1 control in text", escpos.Text{Text: "\u0085"}, escpos.ErrCharacter},
		{"text that is no UTF-8", escpos.Text{Text: "\xff"}, escpos.ErrCharacter},
		{"a page it cannot write", escpos.CodePage{Page: escpos.Page{Name: "cp866", Number: 17}}, escpos.ErrRange},
		{"no size", escpos.Size{Width: 0, Height: 1}, escpos.ErrRange},
		{"too large a size", escpos.Size{Width: 1, Height: 9}, escpos.ErrRange},
		{"an alignment beyond right", escpos.Align{To: 3}, escpos.ErrRange},
		{"a feed backwards", escpos.FeedUnits{Units: -1}, escpos.ErrRange},
		{"too many lines", escpos.FeedLines{Lines: 256}, escpos.ErrRange},
		{"too wide a spacing", escpos.LineSpacing{Units: 256}, escpos.ErrRange},
		{"too long a way to the cut", escpos.Cut{Feed: true, Units: 256}, escpos.ErrRange},
		{"a pin that is none", escpos.Drawer{Pin: 3}, escpos.ErrRange},
		{"too long a pulse", escpos.Drawer{Pin: 2, On: time.Second}, escpos.ErrRange},
		{"a QR code of nothing", escpos.QR{Module: 3, Level: escpos.LevelM}, escpos.ErrRange},
		{"a QR code of no dots", escpos.QR{Data: "1", Level: escpos.LevelM}, escpos.ErrRange},
		{"a QR code of no level", escpos.QR{Data: "1", Module: 3}, escpos.ErrRange},
		{"a QR code of too much", escpos.QR{Data: strings.Repeat("1", 7090), Module: 3, Level: escpos.LevelL}, escpos.ErrRange},
		{"Code 128 of nothing", escpos.Code128{Height: 60, Width: 2}, escpos.ErrRange},
		{"Code 128 of too much", escpos.Code128{Data: strings.Repeat("1", 254), Height: 60, Width: 2}, escpos.ErrRange},
		{"Code 128 of a letter beyond ASCII", escpos.Code128{Data: "é", Height: 60, Width: 2}, escpos.ErrRange},
		{"Code 128 of one dot", escpos.Code128{Data: "1", Height: 60, Width: 1}, escpos.ErrRange},
		{"a raster of no picture", escpos.Raster{}, escpos.ErrRange},
		{"a raster of no rows", escpos.Raster{Picture: dots.New(8, 0)}, escpos.ErrRange},
		{"slices of more than a command carries", escpos.Raster{Picture: dots.New(8, 1), SliceRows: 256}, escpos.ErrRange},
		{"a process id of three characters", escpos.ProcessID{ID: "123"}, escpos.ErrRange},
		{"a process id with a control character", escpos.ProcessID{ID: "12\x103"}, escpos.ErrRange},
		{"no question", escpos.Ask{}, escpos.ErrRange},
		{"a question that another command puts", escpos.Ask{What: escpos.AskProcessID}, escpos.ErrRange},
		{"less than nothing", escpos.Nothing{Bytes: -1}, escpos.ErrRange},
	} {
		t.Run(test.name, func(t *testing.T) {
			encoded, err := escpos.Encode(escpos.Bold{}, test.command)
			if !errors.Is(err, test.want) {
				t.Fatalf("got %x, %v; want %v", encoded, err, test.want)
			}
			if !strings.HasPrefix(err.Error(), "command 2: ") {
				t.Errorf("the error does not say which command: %v", err)
			}
		})
	}
}

func TestARasterIsSlicedAt255RowsUnlessLess(t *testing.T) {
	for _, test := range []struct{ rows, slice, commands int }{{255, 0, 1}, {256, 0, 2}, {300, 0, 2}, {300, 24, 13}} {
		encoded, err := escpos.Encode(escpos.Raster{Picture: dots.New(16, test.rows), SliceRows: test.slice})
		if err != nil {
			t.Fatal(err)
		}
		if want := test.commands*8 + test.rows*2; len(encoded) != want {
			t.Errorf("%d rows in slices of %d: %d bytes, want %d", test.rows, test.slice, len(encoded), want)
		}
		if got := bytes.Count(encoded, []byte{0x1D, 'v', '0', 0, 2, 0}); got != test.commands {
			t.Errorf("%d rows in slices of %d: %d commands, want %d", test.rows, test.slice, got, test.commands)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, list := range []string{
		``, `{}`, `[1]`, `[{"op": "explode"}]`, `[{"op": "bold", "volume": 3}]`, `[{"op": "align", "to": "up"}]`,
		`[{"op": "qr", "data": "1", "level": "X"}]`, `[{"op": "cut", "mode": "diagonal"}]`, `[{"op": "cut"}]`,
		`[{"op": "raster"}]`, `[{"op": "raster", "rows": ["##", "#"]}]`, `[{"op": "raster", "rows": ["#x"]}]`,
		`[{"op": "ask", "what": "the time"}]`, `[{"op": "ask", "what": "none"}]`, `[{"op": "code-page", "name": "cp1"}]`,
		`[{"op": "status-back", "mask": 256}]`,
	} {
		if commands, err := escpos.Parse([]byte(list)); !errors.Is(err, escpos.ErrSyntax) {
			t.Errorf("%s: got %v, %v", list, commands, err)
		}
	}
}

func TestDecoder(t *testing.T) {
	for _, test := range []struct {
		name  string
		asked []escpos.Question
		bytes string
		want  string
	}{
		{"one question, two answers: the second was not asked for", []escpos.Question{escpos.AskPaper}, "1272", "[dle-eot-4[]]"},
		{"two questions in the queue, two answers", []escpos.Question{escpos.AskPaperQueued, escpos.AskPaperQueued}, "0003",
			"[gs-r-1[] gs-r-1[paper-near-end]]"},
		{"a status broken off by an answer", []escpos.Question{escpos.AskOffline}, "100016", "[dle-eot-2[cover-open]]"},
		{"a status broken off by another", nil, "10001000000018000000", "[asb[] asb[offline]]"},
		{"flow control inside of a status and of an id", []escpos.Question{escpos.AskProcessID},
			"101100130011003722411341131141114100", "[xon[] xoff[] xon[] asb[] xoff[] xoff[] xon[] xon[] process-idAAAA[]]"},
		{"an id nobody asked for", []escpos.Question{escpos.AskPaperQueued}, "37223030303100", "[]"},
		{"the answer of another GS ( command, and then ours", []escpos.Question{escpos.AskPaperQueued}, "37250003",
			"[gs-r-1[paper-near-end]]"},
		{"an id broken off by an answer", []escpos.Question{escpos.AskProcessID, escpos.AskPaper}, "37223012", "[dle-eot-4[]]"},
		{"an id with a wrong end", []escpos.Question{escpos.AskProcessID}, "37223030303141" + "37223030303200", "[process-id0002[]]"},
		{"an id of the characters of a status", []escpos.Question{escpos.AskProcessID}, "37223732377200", "[process-id727r[]]"},
		{"the drawer's pin is not our affair", []escpos.Question{escpos.AskPrinter}, "16", "[dle-eot-1[]]"},
		{"both paper sensors", []escpos.Question{escpos.AskPaper}, "7e", "[dle-eot-4[paper-near-end paper-end]]"},
		{"everything wrong at once", nil, "786d0f00",
			"[asb[offline cover-open feed-button waiting-for-recovery recoverable-error cutter-error unrecoverable-error " +
				"auto-recoverable-error paper-near-end paper-end]]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var decoder escpos.Decoder
			for _, question := range test.asked {
				decoder.Expect(question)
			}
			received, err := hex.DecodeString(test.bytes)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, message := range decoder.Decode(received) {
				got = append(got, fmt.Sprintf("%s%s%v", message.Kind, message.ID, message.Flags))
			}
			if text := "[" + strings.Join(got, " ") + "]"; text != test.want {
				t.Errorf("got  %s\nwant %s", text, test.want)
			}
		})
	}
}

func TestAWithdrawnQuestionIsNotAnswered(t *testing.T) {
	var decoder escpos.Decoder
	decoder.Expect(escpos.AskPaper)
	decoder.Withdraw(escpos.AskOffline) // another one
	decoder.Withdraw(escpos.AskPaper)
	decoder.Expect(escpos.AskPaperQueued)
	decoder.Withdraw(escpos.AskPaperQueued)
	decoder.Withdraw(escpos.AskPaperQueued) // more often than asked
	if got := decoder.Decode([]byte{0x12, 0x00}); len(got) != 0 {
		t.Errorf("got %v", got)
	}
	decoder.Expect(escpos.AskPaperQueued)
	if got := decoder.Decode([]byte{0x00}); len(got) != 1 {
		t.Errorf("asked again: got %v", got)
	}
}

func TestQuestionsHaveTheVectorsWords(t *testing.T) {
	for question := escpos.NoQuestion; question <= escpos.AskProcessID; question++ {
		text, _ := question.MarshalText()
		var read escpos.Question
		if err := read.UnmarshalText(text); err != nil || read != question {
			t.Errorf("%s: read %v, %v", text, read, err)
		}
	}
	var read escpos.Question
	if err := read.UnmarshalText([]byte("dle-eot-5")); !errors.Is(err, escpos.ErrRange) {
		t.Errorf("got %v", err)
	}
}

func FuzzDecoder(f *testing.F) {
	f.Add([]byte("\x10\x00\x00\x00\x12\x37\x22AAAA\x00\x11\x13\x0F"), uint8(3))
	f.Add([]byte("\x37\x25\x00\x37\x37\x22"), uint8(200))
	f.Fuzz(func(t *testing.T, received []byte, split uint8) {
		var whole, parts escpos.Decoder
		for question := escpos.AskPrinter; question <= escpos.AskProcessID; question++ {
			whole.Expect(question)
			parts.Expect(question)
		}
		at := min(int(split), len(received))
		once := whole.Decode(received)
		twice := append(parts.Decode(received[:at]), parts.Decode(received[at:])...)
		if fmt.Sprint(once) != fmt.Sprint(twice) {
			t.Fatalf("in one piece %v, split at %d %v", once, at, twice)
		}
		// Whatever came, a whole status after five bytes that end anything begun is understood.
		whole.Decode([]byte{0x80, 0x80, 0x80, 0x80, 0x80})
		if got := whole.Decode([]byte{0x10, 0, 0, 0}); len(got) != 1 || got[0].Kind != escpos.KindStatusBack {
			t.Fatalf("after %x a status is %v", received, got)
		}
	})
}

func FuzzText(f *testing.F) {
	f.Add("Zoë Bêcker š\x1b@")
	f.Fuzz(func(t *testing.T, text string) {
		for _, page := range escpos.Pages {
			encoded, err := escpos.Encode(escpos.CodePage{Page: page}, escpos.Text{Text: text})
			if err != nil {
				continue
			}
			for _, octet := range encoded[3:] {
				if octet < ' ' && octet != '\n' || octet == 0x7F {
					t.Fatalf("%q in %s has the control character %02x", text, page.Name, octet)
				}
			}
		}
	})
}
