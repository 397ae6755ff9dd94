package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"text/tabwriter"

	"reelkiosk/kiosk"
	"reelkiosk/kiosk/config"
	"reelkiosk/store/replica"
)

// socketFile is the name of the socket in the data folder, at which a kiosk that runs can be asked.
const socketFile = "kiosk.sock"

type (
	outboxList struct {
		Config string `required:"" placeholder:"FILE" help:"The configuration file."`
	}
	outboxRetry struct {
		Config string   `required:"" placeholder:"FILE" help:"The configuration file."`
		Seq    []uint64 `arg:"" optional:"" help:"The numbers of the dead letters, as list shows them; all where none is given."`
	}
	outboxExport struct {
		Config string `required:"" placeholder:"FILE" help:"The configuration file."`
	}
)

// outboxOf returns the outbox of the kiosk of a configuration, whether it runs or not.
func outboxOf(path string) (outbox kiosk.Outbox, running bool, err error) {
	folder, err := dataOf(path)
	if err != nil {
		return outbox, false, err
	}
	outbox, err = kiosk.RunningOutbox(context.Background(), filepath.Join(folder, socketFile))
	if err == nil || !errors.Is(err, kiosk.ErrNotRunning) {
		return outbox, true, err
	}
	err = stopped(folder, func(file *replica.Replica) error {
		outbox = kiosk.OutboxOf(file)
		return nil
	})
	return outbox, false, err
}

// dataOf returns the data folder of a configuration, which may have mistakes elsewhere.
func dataOf(path string) (string, error) {
	settings, faulty := config.Load(path)
	if settings.Data == "" {
		return "", faulty
	}
	return settings.Data, nil
}

// stopped opens the own file of a kiosk that does not run.
func stopped(folder string, act func(*replica.Replica) error) error {
	path := filepath.Join(folder, replicaFile)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: no kiosk has run there yet", folder)
	}
	file, err := replica.Open(path, rand.Reader)
	if err != nil {
		return err
	}
	return errors.Join(act(file), file.Close())
}

// Run lists what waits for central and what central cannot take.
func (c outboxList) Run(to io.Writer) error {
	outbox, running, err := outboxOf(c.Config)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	for _, one := range outbox.Waiting {
		why := one.Why
		if why == "" {
			why = map[bool]string{true: "is being sent", false: "the kiosk does not run"}[running]
		}
		fmt.Fprintf(table, "%d\twaits\t%s\t%s\n", one.Number, one.Path, why)
	}
	for _, one := range outbox.Dead {
		fmt.Fprintf(table, "%d\tdead\t%s\t%s\n", one.Number, one.Path, one.Reason)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(to, "%d wait for central, %d central cannot take\n", len(outbox.Waiting), len(outbox.Dead))
	return err
}

// Run has dead letters sent again.
func (c outboxRetry) Run(to io.Writer) error {
	folder, err := dataOf(c.Config)
	if err != nil {
		return err
	}
	done, err := kiosk.RunningRetry(context.Background(), filepath.Join(folder, socketFile), c.Seq)
	when := "are being sent again"
	if errors.Is(err, kiosk.ErrNotRunning) {
		when = "are sent again when the kiosk runs"
		err = stopped(folder, func(file *replica.Replica) (err error) {
			done, err = kiosk.RetryAll(file.Dead(), c.Seq, func(number uint64) error {
				_, err := file.Retry(number)
				return err
			})
			return err
		})
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(to, "%d %s\n", len(done.Numbers), when)
	return err
}

// Run writes all of the outbox as JSON Lines, for whoever enters it at central by hand.
func (c outboxExport) Run(to io.Writer) error {
	outbox, _, err := outboxOf(c.Config)
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(to)
	for _, one := range outbox.Waiting {
		if err := encoder.Encode(one); err != nil {
			return err
		}
	}
	for _, one := range outbox.Dead {
		if err := encoder.Encode(one); err != nil {
			return err
		}
	}
	return nil
}
