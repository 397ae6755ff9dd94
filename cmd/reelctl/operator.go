package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"reelkiosk/store/central"
	"reelkiosk/store/client"
	"reelkiosk/store/trust"
)

var (
	// errNoIdentity ends a command that speaks to central where there is no identity.
	errNoIdentity = errors.New("there is no operator's identity file; reelctl init makes one, and so does, on central's machine: " +
		"reelctl operator --data DIR --keys FILE")
	// errIdentityExists is wrapped where an identity would take another's place.
	errIdentityExists = errors.New("there is an identity file already, perhaps of another central; give another name with --identity FILE")
)

type operatorCommand struct {
	Data    string `required:"" type:"path" placeholder:"DIR" help:"Central's data folder."`
	Keys    string `required:"" type:"path" placeholder:"FILE" help:"Central's keys file."`
	Name    string `placeholder:"NAME" help:"The operator's name; $$REELCTL_OPERATOR or the user's if absent."`
	Replace bool   `help:"Take the place of an identity file that is there, since it expired."`
}

// Run makes an operator's identity on central's machine.
func (c *operatorCommand) Run(around *surroundings) error {
	name := c.Name
	if name == "" {
		name = around.line.Operator
	}
	path := around.line.Identity
	if _, err := os.Lstat(path); err == nil && !c.Replace {
		return fmt.Errorf("%w: %s: %w", errMistakes, path, errIdentityExists)
	}
	if err := makeOperator(c.Data, c.Keys, name, path, c.Replace); err != nil {
		return err
	}
	fmt.Fprintf(around.stdout, "identity of the operator %s in %s, good for %d days and renewed by use\n",
		name, path, int(trust.Lifetime.Hours()/24))
	return nil
}

// makeOperator makes an identity and writes it where no other is, or in the place of one.
func makeOperator(data, keys, name, path string, replace bool) error {
	made, err := central.NewOperator(data, keys, name)
	if errors.Is(err, trust.ErrName) {
		return fmt.Errorf("%w: %w", errMistakes, err)
	}
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	if replace {
		return made.Save(path)
	}
	return made.Create(path)
}

// client returns a client of central, which shows the operator's identity. A certificate that is due is renewed by the way.
func (s *surroundings) client() (*client.Client, error) {
	if !strings.HasPrefix(s.line.Central, "https:") {
		return client.New(s.line.Central, client.Options{})
	}
	bearer, err := trust.NewBearer(s.line.Identity)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", s.line.Identity, errNoIdentity)
	}
	if err != nil {
		return nil, err
	}
	to, err := client.New(s.line.Central, client.Options{TLS: bearer.TLS()})
	if err != nil {
		return nil, err
	}
	renewed, err := bearer.Renew(s.ctx, time.Now(), to.RenewCertificate)
	switch {
	case renewed:
		to.Shed() // the connection of the old certificate
	case err != nil && !errors.Is(err, client.ErrAway): // which the command itself will say
		fmt.Fprintln(s.stderr, "reelctl: the identity could not be renewed:", err)
	}
	return to, nil
}

// identityPath is where the operator's identity lies unless it is said otherwise.
func identityPath() string {
	folder, err := os.UserConfigDir()
	if err != nil {
		return "reelkiosk-operator.pem"
	}
	return filepath.Join(folder, "reelkiosk", "operator.pem")
}
