package floor

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"reelkiosk/assets"
	"reelkiosk/cmd/dev/internal/cast"
	"reelkiosk/cmd/dev/internal/program"
	"reelkiosk/store/client"
	"reelkiosk/store/definition"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// openBooks writes the tournament's definition, opens its books and starts central.
func (f *Floor) openBooks(ctx context.Context) error {
	if err := os.MkdirAll(f.Path("tickets"), 0o777); err != nil {
		return err
	}
	if err := f.writeTournament(); err != nil {
		return err
	}
	if _, err := f.Reelctl("init", "--data", f.Path("central"), "--keys", f.Path("central.keys"),
		"--tournament", f.Path("demo.toml")); err != nil {
		return err
	}
	return f.StartCentral(ctx)
}

// writeTournament writes the demo's definition with a period around today, and the text of its rules beside it.
func (f *Floor) writeTournament() error {
	const name, rules = "tournaments/demo.toml", "tournaments/ridge-rules.txt"
	text, err := fs.ReadFile(assets.Tournaments, name)
	if err != nil {
		return err
	}
	text, err = definition.WithPeriod(name, text, f.Today().AddDays(-7), f.Today().AddDays(30))
	if err != nil {
		return err
	}
	published, err := fs.ReadFile(assets.Tournaments, rules)
	if err != nil {
		return err
	}
	if err := os.WriteFile(f.Path("demo.toml"), text, 0o666); err != nil {
		return err
	}
	return os.WriteFile(f.Path("ridge-rules.txt"), published, 0o666)
}

// StartCentral starts central, again at the same address where it was stopped.
func (f *Floor) StartCentral(ctx context.Context) error {
	central, err := program.Start("central", filepath.Join(f.options.Programs, "central"), nil,
		"--data", f.Path("central"), "--keys", f.Path("central.keys"), "--listen", f.address)
	if err != nil {
		return err
	}
	f.Central = central
	within, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	base, err := central.Await(within, "central listening on ")
	if err != nil {
		return err
	}
	f.address = strings.TrimPrefix(base, "http://")
	f.Client, err = client.New(base, client.Options{})
	return err
}

// Base returns the address of central.
func (f *Floor) Base() string { return "http://" + f.address }

// Reelctl runs the operator's command line, and returns what it printed.
func (f *Floor) Reelctl(words ...string) (string, error) {
	command := exec.Command(filepath.Join(f.options.Programs, "reelctl"), words...)
	command.Env = append(os.Environ(), "REELCTL_CENTRAL="+f.Base())
	output, err := command.CombinedOutput()
	if err != nil {
		return string(output), fmt.Errorf("reelctl %s: %w\n%s", strings.Join(words, " "), err, output)
	}
	return string(output), nil
}

// sell fills the books: members, exclusions, purchases, and receipts without a name.
func (f *Floor) sell(ctx context.Context) error {
	now := time.Now().In(f.zone)
	for _, file := range []struct {
		kind  string
		write func(io.Writer) error
	}{
		{"members", func(to io.Writer) error { return cast.WriteMembers(to, f.Players) }},
		{"purchases", func(to io.Writer) error { return cast.WritePurchases(to, f.Players, now) }},
		{"exclusions", func(to io.Writer) error { return cast.WriteExclusions(to, f.Players, f.Today()) }},
	} {
		path := f.Path(file.kind + ".csv")
		to, err := os.Create(path)
		if err != nil {
			return err
		}
		if err := file.write(to); err != nil {
			to.Close()
			return err
		}
		if err := to.Close(); err != nil {
			return err
		}
		if _, err := f.Reelctl("import", file.kind, path); err != nil {
			return err
		}
	}
	for _, player := range f.Players {
		if player.Receipt == 0 {
			continue
		}
		bought, err := f.Buy(ctx, wire.Purchase{Kind: tournament.CashBuyIn, Seats: player.Receipt})
		if err != nil {
			return err
		}
		f.Receipts[player.Name] = bought.Receipt
	}
	return nil
}

// Buy buys entries at the Cash Desk.
func (f *Floor) Buy(ctx context.Context, purchase wire.Purchase) (wire.Bought, error) {
	f.sequence++
	purchase.Operator, purchase.Desk = "demo", "cash-desk"
	return f.Client.Purchase(ctx, client.Key{Enrolment: deskName, Sequence: f.sequence}, purchase)
}

// deskName is the enrolment of the floor's Cash Desk: a fresh one for each process, so that no key is used twice.
var deskName = "cashdesk-" + strings.ToLower(rand.Text()[:12])

// BuyFor buys entries at the Cash Desk in a player's name.
func (f *Floor) BuyFor(ctx context.Context, name string, purchase wire.Purchase) (wire.Bought, error) {
	player, err := f.player(name)
	if err != nil {
		return wire.Bought{}, err
	}
	purchase.Card = player.Card
	if player.Card == "" {
		purchase.Document = &wire.Document{
			Kind: "typed", IDNumber: player.IDNumber, Number: player.Passport, Issuer: player.Issuer, Surname: player.Surname,
			Given: player.Given, BirthDate: player.Born, Expiry: player.Expires,
		}
	}
	return f.Buy(ctx, purchase)
}
