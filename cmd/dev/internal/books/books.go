// Package books opens the books of a tournament that is always playable now, with a real central over them: the demo's
// definition with a period around today, reelctl init, and central on a free port.
package books

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"reelkiosk/assets"
	"reelkiosk/cmd/dev/internal/program"
	"reelkiosk/store/client"
	"reelkiosk/store/definition"
	"reelkiosk/store/tournament"
	"reelkiosk/store/trust"
)

// Zone is the IANA name of the time zone of the demo's tournament.
const Zone = "Africa/Johannesburg"

// Books are the books in a folder, and the central that keeps them.
type Books struct {
	// Central is the running program, Client speaks to it.
	Central *program.Program
	Client  *client.Client

	programs, folder string
	address          string // stays the same when central is started again
	plain            bool   // without TLS
}

// Open makes the books of the demo's tournament in a folder that is there, and starts central. programs is the folder of
// the built programs. change, where it is not nil, changes the text of the definition first.
func Open(ctx context.Context, programs, folder string, change func(text string) (string, error)) (*Books, error) {
	return open(ctx, &Books{programs: programs, folder: folder, address: "127.0.0.1:0"}, change)
}

// OpenPlain is Open with a central that speaks without TLS, to whoever is on this machine: for measuring what is behind it.
func OpenPlain(ctx context.Context, programs, folder string, change func(text string) (string, error)) (*Books, error) {
	return open(ctx, &Books{programs: programs, folder: folder, address: "127.0.0.1:0", plain: true}, change)
}

func open(ctx context.Context, b *Books, change func(text string) (string, error)) (*Books, error) {
	if err := b.define(change); err != nil {
		return nil, err
	}
	if _, err := b.Reelctl("init", "--data", b.Data(), "--keys", b.Keys(), "--tournament", b.path("demo.toml")); err != nil {
		return nil, err
	}
	if err := b.StartCentral(ctx); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return b, nil
}

func (b *Books) path(name string) string { return filepath.Join(b.folder, name) }

// define writes the definition, and the text of the rules beside it.
func (b *Books) define(change func(string) (string, error)) error {
	const name, rules = "tournaments/demo.toml", "tournaments/ridge-rules.txt"
	text, err := assets.Tournaments.ReadFile(name)
	if err != nil {
		return err
	}
	zone, err := time.LoadLocation(Zone)
	if err != nil {
		return err
	}
	today := tournament.DateOf(time.Now().In(zone))
	if text, err = definition.WithPeriod(name, text, today.AddDays(-7), today.AddDays(30)); err != nil {
		return err
	}
	if change != nil {
		changed, err := change(string(text))
		if err != nil {
			return err
		}
		text = []byte(changed)
	}
	published, err := assets.Tournaments.ReadFile(rules)
	if err != nil {
		return err
	}
	if err := os.WriteFile(b.path("ridge-rules.txt"), published, 0o666); err != nil {
		return err
	}
	return os.WriteFile(b.path("demo.toml"), text, 0o666)
}

// Data returns the folder that central keeps the books in, Keys the file of its keys.
func (b *Books) Data() string { return b.path("central") }

// Keys returns the file of central's keys.
func (b *Books) Keys() string { return b.path("central.keys") }

// StartCentral starts central, again at the same address where it was stopped, with more words on its command line.
func (b *Books) StartCentral(ctx context.Context, words ...string) error {
	line := append([]string{"--data", b.Data(), "--keys", b.Keys(), "--listen", b.address}, words...)
	if b.plain {
		line = append(line, "--loopback-demo")
	}
	central, err := program.Start("central", filepath.Join(b.programs, "central"), nil, line...)
	if err != nil {
		return err
	}
	b.Central = central
	within, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	base, err := central.Await(within, "central listening on ")
	if err != nil {
		return err
	}
	_, b.address, _ = strings.Cut(base, "://")
	operator, err := trust.NewBearer(b.identity())
	if err != nil {
		return err
	}
	b.Client, err = client.New(base, client.Options{TLS: operator.TLS()})
	return err
}

// identity is the file of the operator's identity.
func (b *Books) identity() string { return b.path("operator.pem") }

// Base returns the address of central.
func (b *Books) Base() string {
	if b.plain {
		return "http://" + b.address
	}
	return "https://" + b.address
}

// Code makes a code by which a kiosk of that name is enrolled.
func (b *Books) Code(kiosk string) (string, error) {
	said, err := b.Reelctl("enrol", "--kiosk", kiosk)
	if err != nil {
		return "", err
	}
	_, code, found := strings.Cut(said, "--code ")
	if !found {
		return "", fmt.Errorf("reelctl enrol says no code: %s", said)
	}
	return strings.TrimSpace(code), nil
}

// Reelctl runs the operator's command line, and returns what it printed.
func (b *Books) Reelctl(words ...string) (string, error) {
	command := exec.Command(filepath.Join(b.programs, "reelctl"), words...)
	command.Env = append(os.Environ(), "REELCTL_CENTRAL="+b.Base(), "REELCTL_IDENTITY="+b.identity(), "REELCTL_OPERATOR=demo")
	output, err := command.CombinedOutput()
	if err != nil {
		return string(output), fmt.Errorf("reelctl %s: %w\n%s", strings.Join(words, " "), err, output)
	}
	return string(output), nil
}

// Close stops central, where it runs.
func (b *Books) Close() error {
	if b.Client != nil {
		b.Client.Close()
	}
	if b.Central == nil {
		return nil
	}
	return b.Central.Stop()
}
