package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"reelkiosk/kiosk/config"
	"reelkiosk/store/replica"
)

type (
	storeLook struct {
		Config string `required:"" placeholder:"FILE" help:"The configuration file."`
	}
	storeAccept struct {
		Config string `required:"" placeholder:"FILE" help:"The configuration file."`
		Yes    bool   `help:"Yes: the damaged file was looked at, and the kiosk may begin with an empty one."`
	}
)

// errNotSaid is the error of accepting without saying yes.
var errNotSaid = errors.New("nothing was changed: look at it first (kiosk store look), then say --yes")

// Run says what could be salvaged of a damaged file.
func (c storeLook) Run(to io.Writer) error {
	folder, err := dataOf(c.Config)
	if err != nil {
		return err
	}
	found, err := replica.Look(filepath.Join(folder, replicaFile))
	if errors.Is(err, replica.ErrNothingKept) {
		_, err := fmt.Fprintln(to, "the kiosk's own file is not damaged")
		return err
	}
	if err != nil {
		return err
	}
	return sayFound(to, found)
}

// Run begins an empty file in place of a damaged one.
func (c storeAccept) Run(to io.Writer) error {
	settings, faulty := config.Load(c.Config)
	if settings.Data == "" {
		return faulty
	}
	if !c.Yes {
		return errNotSaid
	}
	found, err := replica.Accept(filepath.Join(settings.Data, replicaFile), settings.Name, rand.Reader)
	if err != nil {
		return err
	}
	if err := sayFound(to, found); err != nil {
		return err
	}
	_, err = fmt.Fprintf(to, `
The kiosk begins with an empty file. What is left to do:
  1. Keep %s and give %s to a host.
  2. At central, once a host has looked at the tickets that it gave and the kiosk was off for two minutes:
     reelctl kiosks end-grants %s --why TEXT
  3. reelctl enrol --kiosk %s, and here: kiosk enrol --config %s --code CODE
  4. Start the kiosk. Its copy of the books goes on, or is filled from central.
`, found.Kept, found.Listed, settings.Name, settings.Name, c.Config)
	return err
}

// sayFound says what was found in a damaged file.
func sayFound(to io.Writer, found *replica.Salvaged) error {
	_, err := fmt.Fprintf(to, `%s is damaged; there may have been more in it. It still has
  %d reports, which central will be told
  %d requests of which nobody knows whether they were answered; they are not sent again
  %d tickets that were perhaps printed
  %d dead letters
`, found.Kept, len(found.Told), len(found.Asked), len(found.Owed), len(found.Dead))
	return err
}
