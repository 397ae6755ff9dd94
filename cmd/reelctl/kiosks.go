package main

import (
	"context"
	"fmt"
	"time"

	"reelkiosk/store/client"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

type enrolCommand struct {
	Kiosk string    `required:"" placeholder:"NAME" help:"The name that the kiosk or the desk has in its configuration."`
	Role  wire.Role `enum:"kiosk,desk" default:"kiosk" help:"What it is: kiosk or desk."`
}

// Run prints a one-time code by which a kiosk is enrolled.
func (c *enrolCommand) Run(around *surroundings) error {
	to, err := around.client()
	if err != nil {
		return err
	}
	defer to.Close()
	key, err := freshKey("")
	if err != nil {
		return err
	}
	asked := wire.NewCode{Kiosk: c.Kiosk, Role: c.Role, Operator: around.line.Operator}
	var made wire.Code
	err = client.Retry(around.ctx, client.Backoff{Tries: 3}, func(ctx context.Context) (err error) {
		made, err = to.IssueCode(ctx, key, asked)
		return err
	})
	if err != nil {
		return err
	}
	if made.Replaces {
		fmt.Fprintf(around.stderr, "reelctl: %s is enrolled already; it will be refused once another uses this code\n", c.Kiosk)
	}
	fmt.Fprintf(around.stdout, "code %s\nfor the %s %s, once, until %s; type it there, or run: kiosk enrol --central %s --code %s\n",
		tournament.EnrolmentCode(made.Code).Grouped(), c.Role, c.Kiosk, made.Until.Format("15:04:05"), to.Base(), made.Code)
	return nil
}

type kiosksCommand struct {
	List      kioskListCommand      `cmd:"" default:"withargs" help:"List kiosks and desks, each in one line: state, last contact, what waits, machines granted, printer, conditions."`
	Show      kioskShowCommand      `cmd:"" help:"Say all that is known of one, and what to do next."`
	Revoke    kioskRevokeCommand    `cmd:"" help:"Take a kiosk's, a desk's or an operator's right to speak to central."`
	Retire    kioskRetireCommand    `cmd:"" help:"Take a kiosk or a desk out of use for good."`
	EndGrants kioskEndGrantsCommand `cmd:"" help:"Make the machines that were granted to a silent kiosk central's again, by a decision."`
	Approve   kioskApproveCommand   `cmd:"" help:"Give a kiosk that waits after a start its keys. Look at it first: it may have been carried away."`
}

// ago says when something was, in words while it is not long ago.
func ago(at, now time.Time) string {
	since := now.Sub(at)
	switch {
	case at.IsZero():
		return "never"
	case since < time.Minute:
		return "now"
	case since < time.Hour:
		return fmt.Sprintf("%d min ago", int(since.Minutes()))
	}
	return at.Format(moment)
}

type (
	kioskRevokeCommand struct {
		Name string `arg:"" help:"Its name."`
		Why  string `required:"" placeholder:"TEXT" help:"Why, for the books."`
	}
	kioskRetireCommand struct {
		Name string `arg:"" help:"Its name."`
		Why  string `required:"" placeholder:"TEXT" help:"Why, for the books."`
	}
	kioskApproveCommand struct {
		Name string `arg:"" help:"Its name."`
		Why  string `placeholder:"TEXT" help:"Why it was silent, for the books."`
	}
)

// Run takes a kiosk's right to speak.
func (c *kioskRevokeCommand) Run(around *surroundings) error {
	return around.decide(c.Name, c.Why, (*client.Client).RevokeKiosk, "revoked: central refuses it from now on")
}

// Run takes a kiosk out of use.
func (c *kioskRetireCommand) Run(around *surroundings) error {
	return around.decide(c.Name, c.Why, (*client.Client).RetireKiosk, "retired: central refuses it from now on")
}

// Run lets a kiosk have its keys.
func (c *kioskApproveCommand) Run(around *surroundings) error {
	return around.decide(c.Name, c.Why, (*client.Client).ApproveKiosk, "approved: it gets its keys when it asks again, within seconds")
}

// decide brings a decision about a kiosk to central, and says what came of it.
func (s *surroundings) decide(
	name, why string, call func(*client.Client, context.Context, client.Key, string, wire.KioskDecision) (wire.Accepted, error), said string,
) error {
	decision := wire.KioskDecision{Operator: s.line.Operator, Why: why}
	return s.decided(func(ctx context.Context, to *client.Client, key client.Key) (wire.Accepted, error) {
		return call(to, ctx, key, name, decision)
	}, name+" is "+said)
}
