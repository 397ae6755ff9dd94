package main

import (
	"encoding/json"
	"fmt"
	"text/tabwriter"
	"time"

	"reelkiosk/store/tournament"
)

// moment is how a table shows a time, in the tournament's zone.
const moment = "2006-01-02 15:04"

type heatsCommand struct {
	From  time.Time `placeholder:"TIME" format:"2006-01-02T15:04:05Z07:00" help:"Heats that start at or after this moment; now if absent."`
	Limit int       `default:"20" help:"How many at most."`
	JSON  bool      `help:"Print JSON instead of a table."`
}

// Run lists heats.
func (c *heatsCommand) Run(around *surroundings) error {
	from, err := around.client()
	if err != nil {
		return err
	}
	defer from.Close()
	heats, err := from.Heats(around.ctx, c.From, c.Limit)
	if err != nil {
		return err
	}
	if c.JSON {
		return around.print(heats)
	}
	table := around.table("HEAT", "START", "REGISTRATION", "FREE", "SIZE", "STATE", "PLACE")
	for _, heat := range heats.Heats {
		row(table, heat.ID, heat.Start.Format(moment), heat.Opens.Format(moment)+" to "+heat.Closes.Format("15:04"), heat.Free, heat.Size,
			heat.State, heat.Place)
	}
	return table.Flush()
}

type seatsCommand struct {
	Heat tournament.HeatID `arg:"" help:"The heat's id, as reelctl heats lists it."`
	JSON bool              `help:"Print JSON instead of a table."`
}

// Run lists the seats of a heat.
func (c *seatsCommand) Run(around *surroundings) error {
	from, err := around.client()
	if err != nil {
		return err
	}
	defer from.Close()
	seats, err := from.Seats(around.ctx, c.Heat)
	if err != nil {
		return err
	}
	if c.JSON {
		return around.print(seats)
	}
	table := around.table("MACHINE", "STATE", "TICKET", "COPY", "PRINT", "PERSON", "KIOSK", "ISSUED")
	for _, seat := range seats.Seats {
		row(table, seat.Machine, seat.State, seat.Ticket, seat.Copy, seat.CopyState, seat.Person, seat.Kiosk, seat.Issued.Format(moment))
	}
	return table.Flush()
}

// print writes JSON to standard output.
func (s *surroundings) print(value any) error {
	encoder := json.NewEncoder(s.stdout)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

func (s *surroundings) table(columns ...any) *tabwriter.Writer {
	table := tabwriter.NewWriter(s.stdout, 0, 8, 2, ' ', 0)
	row(table, columns...)
	return table
}

// row writes one row of a table; its error comes out when the table is flushed.
func row(table *tabwriter.Writer, cells ...any) {
	for i, cell := range cells {
		if i > 0 {
			fmt.Fprint(table, "\t")
		}
		fmt.Fprint(table, cell)
	}
	fmt.Fprintln(table)
}
