package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"reelkiosk/cmd/internal/build"
	"reelkiosk/devices/port"
	"reelkiosk/devices/printer"
	"reelkiosk/devices/reader"
	"reelkiosk/kiosk"
	"reelkiosk/kiosk/config"
	"reelkiosk/kiosk/visit"
	"reelkiosk/store/kv"
	"reelkiosk/store/replica"
	"reelkiosk/store/tournament"
)

// centralTimeout is how long one question to central may take: a player waits in front of it.
const centralTimeout = 5 * time.Second

// paperFile is the name of the printer's paper count in the data folder.
const paperFile = "paper.json"

// replicaFile is the name of the kiosk's own file in its data folder.
const replicaFile = "replica.db"

// assembly is the parts of a kiosk, and what has to be closed at the end.
type assembly struct {
	kiosk.Parts
	closers []io.Closer
}

// close closes the parts.
func (a *assembly) close() error {
	var failed []error
	for _, closer := range a.closers {
		failed = append(failed, closer.Close())
	}
	return errors.Join(failed...)
}

// assemble opens everything that a kiosk is made of but its devices. What cannot be opened is missing, and the conductor
// says so.
func assemble(settings config.Config, look looks, log *slog.Logger) *assembly {
	a := &assembly{Parts: kiosk.Parts{
		Name: settings.Name, Machine: machine(settings, look), Say: look.say, Clock: kiosk.NewClock(kiosk.SinceBoot),
		Refresh: settings.Refresh, Settling: kiosk.Settling, Log: log,
		Control: filepath.Join(settings.Data, socketFile), Version: build.Version(), Built: build.Committed(),
		DiskFree: func() (float64, error) { return diskFree(settings.Data) },
	}}
	a.Replica, a.ReplicaError = openReplica(settings.Data)
	if a.Replica != nil {
		a.closers = append(a.closers, a.Replica)
	}
	a.connect(settings, log)
	return a
}

// unusable returns why the kiosk must not run at all: another one has its file, or it could not be found out whether the file
// is sound. Beside another kiosk it would take what that one has for missing; the service manager starts it again.
func (a *assembly) unusable() error {
	switch {
	case errors.Is(a.ReplicaError, kv.ErrHeld):
		return fmt.Errorf("another kiosk has this data folder: %w", a.ReplicaError)
	case errors.Is(a.ReplicaError, kv.ErrUnchecked):
		return a.ReplicaError
	}
	return nil
}

// plugIn starts the drivers of the configured devices.
func (a *assembly) plugIn(settings config.Config) {
	today := func() tournament.Date {
		now, known := a.Clock.Now()
		if !known {
			now = time.Now()
		}
		return tournament.DateOf(now)
	}
	if settings.Card != nil {
		card := reader.New(settings.Card.Profile, port.Keep(settings.Card.Port, port.Beside(settings.Card.Port.Name)), today)
		a.Card, a.closers = card, append(a.closers, card)
	}
	if settings.Document != nil {
		document := reader.New(settings.Document.Profile, port.Keep(settings.Document.Port, port.Beside(settings.Document.Port.Name)), today)
		a.Document, a.closers = document, append(a.closers, document)
	}
	if settings.Printer != nil {
		var options []printer.Option
		if a.Replica != nil && len(a.Replica.Intents()) > 0 {
			options = append(options, printer.AfterCrash())
		}
		press := printer.New(settings.Printer.Profile, port.Keep(settings.Printer.Port, port.Beside(settings.Printer.Port.Name)), options...)
		a.Printer = kiosk.CountPaper(press, settings.Printer.Profile, filepath.Join(settings.Data, paperFile), time.Now)
		a.closers = append(a.closers, press)
	}
}

func openReplica(folder string) (*replica.Replica, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	return replica.Open(filepath.Join(folder, replicaFile), rand.Reader)
}

// machine is the configuration of the visits.
func machine(settings config.Config, look looks) visit.Machine {
	seconds := func(span time.Duration) int { return int(span / time.Second) }
	limits := visit.DefaultLimits
	limits.Idle, limits.StillThere = seconds(settings.Times.Idle), seconds(settings.Times.StillThere)
	limits.Reading, limits.Done = seconds(settings.Times.Reading), seconds(settings.Times.Done)
	limits.Trouble, limits.Host = seconds(settings.Times.Trouble), seconds(settings.Times.Host)
	limits.Hint, limits.Paper = seconds(settings.Times.Hint), seconds(settings.Times.Paper)
	return visit.Machine{
		Languages: look.languages, Identification: visit.Identification(settings.Identification),
		MostTogether: settings.MostTogether, Limits: limits,
	}
}

// diskFree returns which share of the disk of a folder is free for this user (statfs(2)).
func diskFree(folder string) (float64, error) {
	var stat unix.Statfs_t
	if err := unix.Statfs(folder, &stat); err != nil || stat.Blocks == 0 {
		return 0, fmt.Errorf("%s: %w", folder, err)
	}
	return float64(stat.Bavail) / float64(stat.Blocks), nil
}

// settingsOf reads the configuration. Mistakes are logged one by one; out says that there are some, and the kiosk then gives
// no seats.
func settingsOf(path string, log *slog.Logger) (settings config.Config, look looks, out string, err error) {
	settings, faulty := config.LoadOver(path)
	look, unseen := looksOf(settings)
	if look.phrases == nil {
		return settings, look, "", unseen
	}
	faulty = errors.Join(faulty, unseen)
	if faulty == nil {
		return settings, look, "", nil
	}
	for mistake := range strings.Lines(faulty.Error()) {
		log.Error("configuration", "mistake", strings.TrimSpace(mistake))
	}
	return settings, look, "see the log, or run: kiosk config check " + path, nil
}
