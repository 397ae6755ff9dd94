package ticket_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"

	"reelkiosk/assets"
	"reelkiosk/devices/emulator"
	"reelkiosk/devices/printer"
	"reelkiosk/kiosk/ticket"
	"reelkiosk/store/tournament"
)

var update = flag.Bool("update", false, "write the golden files anew")

var languages = []string{"en", "af", "zu"}

// speak returns the phrases of a language as the kiosk reads them.
func speak(t *testing.T, tag string) ticket.Say {
	t.Helper()
	bundle := i18n.NewBundle(language.English)
	bundle.RegisterUnmarshalFunc("json", json.Unmarshal)
	for _, name := range []string{tag, "ticket." + tag} {
		if _, err := bundle.LoadMessageFileFS(assets.Phrases, "phrases/"+name+".json"); err != nil {
			t.Fatal(err)
		}
	}
	localizer := i18n.NewLocalizer(bundle, tag)
	return func(id string, fields map[string]any) string {
		text, err := localizer.Localize(&i18n.LocalizeConfig{MessageID: id, TemplateData: fields})
		if err != nil {
			t.Errorf("%s: %s: %v", tag, id, err)
		}
		return text
	}
}

func profile(t *testing.T, name string) printer.Profile {
	t.Helper()
	found, known := printer.ProfileNamed(name)
	if !known {
		t.Fatalf("no profile %s", name)
	}
	return found
}

// onPaper prints a document and returns the one piece of paper that comes out.
func onPaper(t *testing.T, profile printer.Profile, document printer.Document) emulator.Ticket {
	t.Helper()
	sent, err := printer.Encode(profile, document)
	if err != nil {
		t.Fatal(err)
	}
	pieces, strange := emulator.OnPaper(profile, sent)
	if len(strange) > 0 {
		t.Errorf("%s does not understand %q", profile.Name, strange)
	}
	if len(pieces) != 1 || pieces[0].Torn {
		t.Fatalf("%d pieces of paper, want one, cut", len(pieces))
	}
	return pieces[0]
}

var johannesburg = time.FixedZone("SAST", 2*60*60)

func at(day, hour, minute int) time.Time {
	return time.Date(2026, time.March, day, hour, minute, 0, 0, johannesburg)
}

func seat() ticket.Seat {
	return ticket.Seat{
		Property: "The Ridge Casino", Tournament: "Reel Tournament",
		Heat: 14, Start: at(9, 19, 40), Place: "Main floor, row C", Machine: 23,
		Number: "7K3MP2QX9RTC4HWN5", Copy: 1,
		Player: "T***** M***", Card: "**** **** 4821",
		EntryEnds: at(10, 14, 5), RulesVersion: "3, 8F2C 41D0",
		Kiosk: "2", Issued: at(9, 19, 18),
	}
}

func secondCopy() ticket.Seat {
	s := seat()
	s.Copy = 2
	return s
}

func credit() ticket.Credit {
	return ticket.Credit{
		Property: "The Ridge Casino", Tournament: "Reel Tournament",
		Amount: tournament.Money{Cents: 100_00, Currency: "ZAR"}, Ends: at(10, 14, 5), Number: "2B7QXK40ZD9MTC6VR", Copy: 1,
		Player: "T***** M***", Card: "**** **** 4821", Kiosk: "2", Issued: at(9, 19, 18),
	}
}

func receipt() ticket.Receipt {
	return ticket.Receipt{
		Property: "The Ridge Casino", Tournament: "Reel Tournament",
		Number: "2B7QXK40ZD9MTC6VR", Entries: 4, Paid: ticket.Cash,
		Amount: tournament.Money{Cents: 200_00, Currency: "ZAR"}, Bought: at(8, 14, 5), Ends: at(10, 14, 5), Till: "3",
	}
}

func rules() ticket.Rules {
	return ticket.Rules{
		Property: "The Ridge Casino", Tournament: "Reel Tournament", Version: "3, 8F2C 41D0",
		Text:  "1.  No person under 18 may take part.\n\n18.  A win shown on a machine is not paid out as a casino win.\n",
		Kiosk: "2", Issued: at(9, 19, 18),
	}
}

func TestEveryPaperIsAsItsGoldenFile(t *testing.T) {
	papers := map[string]func(ticket.Say) printer.Document{
		"ticket":  seat().Document,
		"copy-2":  secondCopy().Document,
		"credit":  credit().Document,
		"receipt": receipt().Document,
		"rules":   rules().Document,
		"test": ticket.Test{
			Property: "The Ridge Casino", Printer: "epson-48", Kiosk: "2", Issued: at(9, 19, 18),
		}.Document,
	}
	for name, document := range papers {
		for _, tag := range languages {
			for _, model := range []string{"epson-48", "epson-42"} {
				file := name + "." + tag + "." + strings.TrimPrefix(model, "epson-") + ".txt"
				t.Run(file, func(t *testing.T) {
					got := onPaper(t, profile(t, model), document(speak(t, tag))).Text
					golden(t, file, got)
				})
			}
		}
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (go test -update writes it)", err)
	}
	if !bytes.Equal(want, []byte(got)) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
