package main

import (
	"context"
	"fmt"

	"reelkiosk/store/client"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// What a host decides where a kiosk is silent (design decision 4, clause 23). Both wait for two minutes of silence, which
// central counts: until then the refusal says from when on it can be decided.

type kioskEndGrantsCommand struct {
	Name string `arg:"" help:"Its name."`
	Why  string `required:"" placeholder:"TEXT" help:"Why, for the books."`
}

// Run makes what was granted to a silent kiosk central's again.
func (c *kioskEndGrantsCommand) Run(around *surroundings) error {
	kiosk, _, err := around.kiosk(c.Name)
	if err != nil {
		return err
	}
	if kiosk.Granted == 0 {
		fmt.Fprintf(around.stdout, "nothing is granted to %s\n", c.Name)
		return nil
	}
	end := wire.EndGrants{Kiosk: c.Name, Operator: around.line.Operator, Why: c.Why}
	return around.decided(func(ctx context.Context, to *client.Client, key client.Key) (wire.Accepted, error) {
		return to.EndGrants(ctx, key, end)
	}, fmt.Sprintf("what was granted to %s is central's again: %s; what it gave and has not reported becomes a case when it is back",
		c.Name, count(kiosk.Granted, "machine")))
}

type overrideCommand struct {
	Person tournament.PersonID `arg:"" help:"The player's id, as reelctl seats, cases and export show it."`
	Why    string              `required:"" placeholder:"TEXT" help:"Why, for the books."`
}

// Run lets others act for a player whose home kiosk is silent.
func (c *overrideCommand) Run(around *surroundings) error {
	override := wire.Override{Person: c.Person, Operator: around.line.Operator, Why: c.Why}
	return around.decided(func(ctx context.Context, to *client.Client, key client.Key) (wire.Accepted, error) {
		return to.Override(ctx, key, override)
	}, "the player may be given a seat anywhere now; if the silent kiosk gave one too, both stand in a case")
}

// decided brings a decision to central under a key of its own, and says what came of it.
func (s *surroundings) decided(call func(context.Context, *client.Client, client.Key) (wire.Accepted, error), said string) error {
	to, err := s.client()
	if err != nil {
		return err
	}
	defer to.Close()
	key, err := freshKey("")
	if err != nil {
		return err
	}
	err = client.Retry(s.ctx, client.Backoff{Tries: 3}, func(ctx context.Context) error {
		_, err := call(ctx, to, key)
		return err
	})
	if err != nil {
		return err
	}
	fmt.Fprintln(s.stdout, said)
	return nil
}
