package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"reelkiosk/kiosk"
	"reelkiosk/kiosk/config"
	"reelkiosk/store/client"
	"reelkiosk/store/kv"
	"reelkiosk/store/tournament"
	"reelkiosk/store/trust"
)

// identityFile is the name of the kiosk's identity in its data folder.
const identityFile = "identity.pem"

type enrolCommand struct {
	Code    string `required:"" placeholder:"CODE" help:"The code that reelctl enrol printed, within a quarter of an hour; case, spaces and hyphens do not matter."`
	Config  string `placeholder:"FILE" help:"The kiosk's configuration file, which says central's address and the data folder."`
	Central string `placeholder:"URL" help:"Central's address, where no configuration file says it."`
	Data    string `placeholder:"DIR" help:"The kiosk's data folder, where no configuration file says it."`
}

// Run enrols this kiosk and stores its identity beside its own file.
func (c enrolCommand) Run(to io.Writer) error {
	name, err := c.fill()
	if err != nil {
		return err
	}
	code, err := tournament.ParseEnrolmentCode(c.Code)
	if err != nil {
		return fmt.Errorf("the code was mistyped: %w", err)
	}
	file, err := openReplica(c.Data)
	if errors.Is(err, kv.ErrHeld) {
		return fmt.Errorf("the kiosk is running; stop it first: %w", err)
	}
	if err != nil {
		return err
	}
	enrolment := file.Enrolment()
	if err := file.Close(); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	identity, err := kiosk.Enrol(ctx, c.Central, code, enrolment, filepath.Join(c.Data, identityFile))
	if err != nil {
		return explained(err)
	}
	fmt.Fprintf(to, "enrolled with %s as the %s %s\n", c.Central, identity.Role, identity.Name)
	if name != "" && name != identity.Name {
		return fmt.Errorf("%s says name = %q: change it to %q", c.Config, name, identity.Name)
	}
	return nil
}

// fill takes from the configuration what the command line does not say, and returns the name that stands there.
func (c *enrolCommand) fill() (name string, err error) {
	if c.Config != "" {
		settings, err := config.Load(c.Config)
		if err != nil {
			return "", fmt.Errorf("the configuration has mistakes:\n%w", err)
		}
		name = settings.Name
		if c.Central == "" {
			c.Central = settings.Central
		}
		if c.Data == "" {
			c.Data = settings.Data
		}
	}
	switch {
	case c.Central == "":
		return "", errors.New("which central? Give --config FILE or --central URL")
	case !strings.HasPrefix(c.Central, "https://"):
		return "", fmt.Errorf("%s: kiosks are enrolled with a central at https://HOST:PORT", c.Central)
	case c.Data == "":
		c.Data = config.Default().Data
	}
	return name, nil
}

// explained says to a technician what to do about an enrolment that failed.
func explained(err error) error {
	refusal, refused := errors.AsType[*tournament.Refusal](err)
	switch {
	case errors.Is(err, trust.ErrImposter):
		return fmt.Errorf("%w; tell whoever looks after the network, and make another code", err)
	case errors.Is(err, client.ErrAway):
		return fmt.Errorf("%w; the code is still good: try again", err)
	case refused && refusal.Reason == tournament.CodeUnknown:
		return fmt.Errorf("central gave no such code, or has replaced it (%w); make another with: reelctl enrol", err)
	case refused:
		return fmt.Errorf("%w; make another code with: reelctl enrol", err)
	}
	return err
}
