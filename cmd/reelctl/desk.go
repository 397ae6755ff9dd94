package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"reelkiosk/devices/identity"
	"reelkiosk/store/client"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

type purchaseCommand struct {
	Kind     tournament.EntryKind `arg:"" enum:"cash,card,package,complimentary" help:"How it was paid: cash, card, package or complimentary."`
	Seats    int                  `default:"1" help:"Seats bought by buy-in; a package says its own."`
	Package  string               `placeholder:"NAME" help:"Name of the package."`
	Card     string               `xor:"who" placeholder:"NUMBER" help:"The player's club card."`
	ID       string               `xor:"who" name:"id" placeholder:"NUMBER" help:"The player's South African identity number."`
	Desk     string               `default:"cash-desk" help:"Where it was sold."`
	External string               `placeholder:"NUMBER" help:"The number that a cash register of another make gave it."`
	Key      string               `placeholder:"KEY" help:"Ask again for a purchase whose answer was lost, without buying twice."`
}

// Run records a purchase and prints its receipt number.
func (c *purchaseCommand) Run(around *surroundings) error {
	purchase := wire.Purchase{
		Kind: c.Kind, Package: c.Package, Seats: c.Seats, Card: c.Card, Operator: around.line.Operator, Desk: c.Desk, External: c.External,
	}
	if c.Kind == tournament.PackageBuyIn {
		purchase.Seats = 0
	}
	if c.ID != "" {
		// The number says when its holder was born, unless that may be either of two centuries: then a host has to look.
		number, err := identity.ParseNumber(strings.ReplaceAll(c.ID, " ", ""), tournament.DateOf(time.Now()))
		if err != nil {
			return fmt.Errorf("%w: --id: %w", errMistakes, err)
		}
		purchase.Document = &wire.Document{Kind: "typed", IDNumber: number.Digits, BirthDate: number.BirthDate}
	}
	key, err := freshKey(c.Key)
	if err != nil {
		return err
	}
	to, err := around.client()
	if err != nil {
		return err
	}
	defer to.Close()
	var bought wire.Bought
	err = client.Retry(around.ctx, client.Backoff{Tries: 3}, func(ctx context.Context) (err error) {
		bought, err = to.Purchase(ctx, key, purchase)
		return err
	})
	if errors.Is(err, client.ErrAway) {
		fmt.Fprintf(around.stderr, "reelctl: it may have been recorded; to ask without buying twice, repeat the command with --key %s/%d\n", key.Enrolment, key.Sequence)
	}
	if err != nil {
		return err
	}
	noun := "entries"
	if len(bought.Entries) == 1 {
		noun = "entry"
	}
	fmt.Fprintf(around.stdout, "receipt %s\n%d %s, %s\n", bought.Receipt, len(bought.Entries), noun, amount(bought.Amount))
	if bought.Credit.Cents > 0 {
		fmt.Fprintf(around.stdout, "casino credit %s\n", amount(bought.Credit))
	}
	if len(bought.Entries) > 0 {
		fmt.Fprintf(around.stdout, "may be used for heats that start before %s\n", bought.Entries[0].Ends.Format(moment))
	}
	return nil
}

// amount writes money as "ZAR 150.00".
func amount(money tournament.Money) string {
	return fmt.Sprintf("%s %d.%02d", money.Currency, money.Cents/100, money.Cents%100)
}

type machineCommand struct {
	Number  int    `arg:"" help:"The number that stands on the machine."`
	Service string `arg:"" enum:"out,in" help:"out: of service; in: back in service."`
	Reason  string `required:"" placeholder:"TEXT" help:"Why, for the books."`
}

// Run takes a machine out of service or brings it back.
func (c *machineCommand) Run(around *surroundings) error {
	service := wire.MachineService{Machine: c.Number, Out: c.Service == "out", Operator: around.line.Operator, Reason: c.Reason}
	return around.decided(func(ctx context.Context, to *client.Client, key client.Key) (wire.Accepted, error) {
		return to.ServeMachine(ctx, key, service)
	}, fmt.Sprintf("machine %d is %s service", c.Number, map[bool]string{true: "out of", false: "in"}[service.Out]))
}

type clockCommand struct {
	Confirm confirmCommand `cmd:"" help:"Say that central's clock is right, after it was suspect."`
}

type confirmCommand struct {
	Note string `placeholder:"TEXT" help:"Why the clock had been wrong, or the books quiet."`
}

// Run confirms central's clock, and shows it.
func (c *confirmCommand) Run(around *surroundings) error {
	to, err := around.client()
	if err != nil {
		return err
	}
	defer to.Close()
	if _, err := to.ConfirmClock(around.ctx, wire.ConfirmClock{Operator: around.line.Operator, Note: c.Note}); err != nil {
		return err
	}
	health, err := to.Health(around.ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(around.stdout, "central's clock is confirmed: %s\n", health.ServerTime.Format("Monday 2006-01-02 15:04:05 -07:00"))
	return nil
}

// freshKey returns the key that was given, or one that nobody has used: each run of the program is a sender of its own.
func freshKey(given string) (client.Key, error) {
	if given == "" {
		return client.Key{Enrolment: "reelctl-" + strings.ToLower(rand.Text()), Sequence: 1}, nil
	}
	key, err := wire.ParseKey(given)
	if err != nil {
		return client.Key{}, fmt.Errorf("%w: %w", errMistakes, err)
	}
	return client.Key{Enrolment: key.Enrolment, Sequence: key.Sequence}, nil
}
