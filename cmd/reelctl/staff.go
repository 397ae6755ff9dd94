package main

import (
	"context"
	"fmt"
	"strings"

	"reelkiosk/store/client"
	"reelkiosk/store/wire"
)

type staffCommand struct {
	List staffListCommand `cmd:"" default:"withargs" help:"List the operators, their duties, and where they are signed in."`
	Set  staffSetCommand  `cmd:"" help:"Have an operator begin, end, or have other duties or another PIN, which is read from standard input."`
}

type staffListCommand struct {
	JSON bool `help:"Print JSON instead of a table."`
}

// Run lists operators.
func (c *staffListCommand) Run(around *surroundings) error {
	from, err := around.client()
	if err != nil {
		return err
	}
	defer from.Close()
	staff, err := from.Staff(around.ctx)
	if err != nil {
		return err
	}
	if c.JSON {
		return around.print(staff)
	}
	table := around.table("OPERATOR", "DUTIES", "SIGNED IN AT", "LOCKED UNTIL")
	for _, one := range staff.Staff {
		locked := ""
		if !one.Locked.IsZero() {
			locked = one.Locked.Format(moment)
		}
		var duties []string
		for _, duty := range one.Duties {
			duties = append(duties, string(duty))
		}
		row(table, one.Name, strings.Join(duties, ", "), strings.Join(one.Desks, ", "), locked)
	}
	return table.Flush()
}

type staffSetCommand struct {
	Name   string      `arg:"" help:"The operator's name, as acts will carry it."`
	Duties []wire.Duty `enum:"host,cashier,director,technician" placeholder:"DUTY,…" help:"All duties: host, cashier, director, technician; none ends the operator's work."`
	Pin    bool        `help:"Read a PIN of 4 to 12 digits from standard input; a new operator needs one."`
	Why    string      `required:"" placeholder:"TEXT" help:"Why, for the books."`
}

// Run changes an operator. The PIN never stands on a command line, which others on the machine can see.
func (c *staffSetCommand) Run(around *surroundings) error {
	set := wire.SetStaff{
		Decision: wire.Decision{By: wire.By{Operator: around.line.Operator}, Why: c.Why}, Name: c.Name, Duties: c.Duties,
	}
	if c.Pin {
		if _, err := fmt.Fscanln(around.stdin, &set.PIN); err != nil {
			return fmt.Errorf("%w: no PIN on standard input: %w", errMistakes, err)
		}
	}
	to, err := around.client()
	if err != nil {
		return err
	}
	defer to.Close()
	err = client.Retry(around.ctx, client.Backoff{Tries: 3}, func(ctx context.Context) error {
		_, err := to.SetStaff(ctx, set)
		return err
	})
	if err != nil {
		return err
	}
	if len(c.Duties) == 0 {
		fmt.Fprintf(around.stdout, "%s works here no more\n", c.Name)
		return nil
	}
	fmt.Fprintf(around.stdout, "%s may sign in\n", c.Name)
	return nil
}
