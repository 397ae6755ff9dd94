package kiosk

import (
	"crypto/rand"
	"errors"
	"io"
	"log/slog"
	"path/filepath"
	"time"

	"reelkiosk/assets"
	"reelkiosk/devices/port"
	"reelkiosk/devices/printer"
	"reelkiosk/devices/reader"
	"reelkiosk/kiosk/face"
	"reelkiosk/kiosk/ticket"
	"reelkiosk/kiosk/visit"
	"reelkiosk/store/client"
	"reelkiosk/store/replica"
	"reelkiosk/store/tournament"
)

// everyday is how visits are configured.
var everyday = visit.Machine{
	Languages: []string{"en", "af", "zu"}, Identification: visit.Either, MostTogether: 6, Limits: visit.DefaultLimits,
}

// replicaOf and linkOf are where a kiosk's own file and its devices lie in a house's folder.
func replicaOf(folder string) string    { return filepath.Join(folder, "replica") }
func linkOf(folder, name string) string { return filepath.Join(folder, "by-id", name) }

// assemble returns the parts of a kiosk with everything, for this process or another one, and what closes them. told is the
// option that lets an emulated device in the same process hear how its line is set; nil elsewhere.
func assemble(folder, address string, machine visit.Machine, log io.Writer, told func(name string) port.Option) (Parts, func() error, error) {
	phrases, err := face.NewPhrases(assets.Phrases)
	if err != nil {
		return Parts{}, nil, err
	}
	stripe, err := reader.Named("magstripe")
	if err != nil {
		return Parts{}, nil, err
	}
	scanner, err := reader.Named("scanner")
	if err != nil {
		return Parts{}, nil, err
	}
	way, err := client.New(address, client.Options{Timeout: 2 * time.Second})
	if err != nil {
		return Parts{}, nil, err
	}
	file, err := replica.Open(replicaOf(folder), rand.Reader)
	if err != nil {
		return Parts{}, nil, err
	}
	keep := func(name string, settings port.Settings) *port.Port {
		settings.Name = linkOf(folder, name)
		if told == nil {
			return port.Keep(settings)
		}
		return port.Keep(settings, told(name))
	}
	profile, _ := printer.ProfileNamed("epson-48")
	today := func() tournament.Date { return tournament.DateOf(time.Now()) }
	card := reader.New(stripe, keep("card", stripe.Line), today)
	document := reader.New(scanner, keep("scanner", scanner.Line), today)
	options := []printer.Option{printer.Patience(time.Second)}
	if len(file.Intents()) > 0 {
		options = append(options, printer.AfterCrash())
	}
	press := printer.New(profile, keep("printer", port.Settings{Baud: profile.Baud}), options...)
	parts := Parts{
		Name: "kiosk-1", Machine: machine, Central: way, Replica: file, Card: card, Document: document, Printer: press,
		Say: func(language string) ticket.Say {
			said := phrases.For(language)
			return func(id string, fields map[string]any) string { return said.Say(id, fields) }
		},
		Clock: NewClock(SinceBoot), Refresh: 100 * time.Millisecond, Log: slog.New(slog.NewJSONHandler(log, nil)),
	}
	return parts, func() error {
		defer way.Close()
		var wrong error
		for _, closing := range []io.Closer{card, document, press, file} {
			// A system that is slow to let go of a port is no fault of a kiosk.
			if err := closing.Close(); !errors.Is(err, port.ErrLate) {
				wrong = errors.Join(wrong, err)
			}
		}
		return wrong
	}, nil
}
