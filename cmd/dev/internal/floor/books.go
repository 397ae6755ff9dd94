package floor

import (
	"context"
	"crypto/rand"
	"io"
	"os"
	"strings"
	"time"

	"reelkiosk/cmd/dev/internal/books"
	"reelkiosk/cmd/dev/internal/cast"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// openBooks makes the folder's places, opens the books and starts central.
func (f *Floor) openBooks(ctx context.Context) (err error) {
	if err := os.MkdirAll(f.Path("tickets"), 0o777); err != nil {
		return err
	}
	f.Books, err = books.Open(ctx, f.options.Programs, f.options.Folder, nil)
	return err
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
	purchase.Operator, purchase.Desk = "demo", "cash-desk"
	return f.Client.Purchase(ctx, f.key(), purchase)
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
