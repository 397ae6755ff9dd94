package main

import (
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"reelkiosk/assets"
	"reelkiosk/devices/port"
	"reelkiosk/devices/printer"
	"reelkiosk/devices/reader"
	"reelkiosk/kiosk"
	"reelkiosk/kiosk/config"
	"reelkiosk/kiosk/face"
	"reelkiosk/kiosk/ticket"
	"reelkiosk/kiosk/visit"
	"reelkiosk/store/client"
	"reelkiosk/store/replica"
	"reelkiosk/store/tournament"
)

// parts are what a kiosk is made of, and what has to be closed after it.
type parts struct {
	kiosk.Parts
	closers []io.Closer
	log     *slog.Logger
}

// gather opens everything that the configuration names. What cannot be opened is left out, and the conductor says so.
func gather(settings config.Config, faults error, phrases *face.Phrases, log *slog.Logger) *parts {
	p := &parts{log: log, Parts: kiosk.Parts{
		Name: settings.Name, Machine: machine(settings), Clock: kiosk.NewClock(kiosk.SinceBoot), Refresh: settings.Refresh,
		Settling: kiosk.Settling, Log: log,
		Say: func(language string) ticket.Say {
			said := phrases.For(language)
			return func(id string, fields map[string]any) string { return said.Say(id, fields) }
		},
	}}
	if faults != nil {
		p.Out = faults.Error()
	}
	p.openReplica(settings.Data)
	if settings.Central != "" {
		central, err := client.New(settings.Central, client.Options{})
		if err != nil {
			p.Out = strings.TrimSpace(p.Out + "\n" + err.Error())
		} else {
			p.Central = central
		}
	}
	p.openDevices(settings)
	return p
}

func (p *parts) openReplica(folder string) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		p.ReplicaError = err
		return
	}
	file, err := replica.Open(filepath.Join(folder, "kiosk.db"), rand.Reader)
	if err != nil {
		p.ReplicaError = err
		return
	}
	p.Replica = file
	p.closers = append(p.closers, file)
	p.DiskFree = func() (float64, error) { return diskFree(folder) }
}

func (p *parts) openDevices(settings config.Config) {
	today := func() tournament.Date {
		now, known := p.Clock.Now()
		if !known {
			now = time.Now() // only to tell centuries apart: central decides on ages, by its own time
		}
		return tournament.DateOf(now)
	}
	if settings.Card != nil {
		card := reader.New(settings.Card.Profile, port.Keep(settings.Card.Port), today)
		p.Card, p.closers = card, append(p.closers, card)
	}
	if settings.Document != nil {
		document := reader.New(settings.Document.Profile, port.Keep(settings.Document.Port), today)
		p.Document, p.closers = document, append(p.closers, document)
	}
	if settings.Printer != nil {
		var options []printer.Option
		if p.Replica != nil && len(p.Replica.Intents()) > 0 {
			options = append(options, printer.AfterCrash())
		}
		press := printer.New(settings.Printer.Profile, port.Keep(settings.Printer.Port), options...)
		p.Printer, p.closers = press, append(p.closers, press)
	}
}

// close closes the devices, then the kiosk's own file.
func (p *parts) close() {
	for index := len(p.closers) - 1; index >= 0; index-- {
		if err := p.closers[index].Close(); err != nil && !errors.Is(err, port.ErrLate) {
			p.log.Warn("closing", "why", err.Error())
		}
	}
	if p.Central != nil {
		p.Central.Close()
	}
}

func machine(settings config.Config) visit.Machine {
	seconds := func(time time.Duration) int { return int(time.Seconds()) }
	times := settings.Times
	limits := visit.DefaultLimits
	limits.Idle, limits.StillThere, limits.Reading = seconds(times.Idle), seconds(times.StillThere), seconds(times.Reading)
	limits.Done, limits.Trouble, limits.Host = seconds(times.Done), seconds(times.Trouble), seconds(times.Host)
	limits.Hint, limits.Paper = seconds(times.Hint), seconds(times.Paper)
	return visit.Machine{
		Languages: settings.Languages, Identification: visit.Identification(settings.Identification),
		MostTogether: settings.MostTogether, Limits: limits,
	}
}

// readHouse reads a built-in theme by its name, or a theme file by its path, its logo beside it.
func readHouse(name string) (face.House, error) {
	if filepath.Ext(name) != ".toml" {
		return face.ReadHouse(assets.Houses, name)
	}
	folder, file := filepath.Split(name)
	return face.ReadHouse(beside{os.DirFS(filepath.Clean(folder))}, strings.TrimSuffix(file, ".toml"))
}

// beside is a folder that plays the folder houses of the built-in themes.
type beside struct{ fs.FS }

func (b beside) Open(name string) (fs.File, error) {
	return b.FS.Open(strings.TrimPrefix(name, "houses/"))
}

// diskFree returns which share of the disk that holds a folder is free for us.
func diskFree(folder string) (float64, error) {
	var disk unix.Statfs_t
	if err := unix.Statfs(folder, &disk); err != nil {
		return 0, err
	}
	return float64(disk.Bavail) / float64(max(1, disk.Blocks)), nil
}
