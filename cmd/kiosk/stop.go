package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"reelkiosk/kiosk"
)

type stopCommand struct {
	Config string `required:"" placeholder:"FILE" help:"The configuration file."`
}

// Run has a running kiosk give everything back, so that nobody has to decide without it while it is switched off.
func (c stopCommand) Run(to io.Writer) error {
	folder, err := dataOf(c.Config)
	if err != nil {
		return err
	}
	stopped, err := kiosk.StopRunning(context.Background(), filepath.Join(folder, socketFile))
	switch {
	case errors.Is(err, kiosk.ErrNotRunning):
		return fmt.Errorf("%w; what was granted to it comes back when it has run again, or by: reelctl kiosks end-grants", err)
	case err != nil:
		return err
	case stopped.Waiting > 0:
		return fmt.Errorf("%d requests wait for central, which does not answer: keep this kiosk and its disk; they are sent at once "+
			"when it answers, or at the next start", stopped.Waiting)
	}
	_, err = fmt.Fprintf(to, "%d machines were given back, and nothing waits for central: switch the kiosk off, "+
		"or start its service again for it to give seats\n", stopped.Returned)
	return err
}
