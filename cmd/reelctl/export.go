package main

import (
	"encoding/json"
	"time"

	"reelkiosk/store/client"
	"reelkiosk/store/exchange"
	"reelkiosk/store/tournament"
)

type exportCommand struct {
	What   string               `arg:"" enum:"events,entries,seats,scores,ranking,draws,decisions,cash,prizes" default:"events" help:"What to write: events, entries, seats, scores (all that was typed), ranking (of --stage), draws, decisions (events with a reason), cash or prizes."`
	Stage  tournament.StageKind `enum:"qualifying,semi-final,final" default:"qualifying" help:"Whose ranking."`
	Format exchange.Format      `enum:"jsonl,csv" default:"jsonl" help:"jsonl (as the API has it) or csv (for spreadsheets)."`
}

// page is how many records are asked for at a time.
const page = 1000

// Run writes everything to standard output.
func (c *exportCommand) Run(around *surroundings) error {
	from, err := around.client()
	if err != nil {
		return err
	}
	defer from.Close()
	columns := map[string][]string{
		"events": exchange.EventColumns, "entries": exchange.EntryColumns, "seats": exchange.SeatColumns, "scores": exchange.ScoreColumns,
		"ranking": exchange.RankingColumns, "draws": exchange.DrawColumns, "decisions": exchange.EventColumns, "cash": exchange.CashColumns,
		"prizes": exchange.PrizeColumns,
	}
	to, err := exchange.NewExporter(around.stdout, c.Format, columns[c.What])
	if err != nil {
		return err
	}
	switch c.What {
	case "scores":
		err = exportScores(around, from, to)
	case "ranking":
		err = exportRanking(around, from, to, c.Stage)
	case "draws":
		err = exportDraws(around, from, to)
	case "decisions":
		err = exportDecisions(around, from, to)
	case "cash":
		err = exportCash(around, from, to)
	case "prizes":
		err = exportPrizes(around, from, to)
	case "events":
		err = exportEvents(around, from, to)
	case "entries":
		err = exportEntries(around, from, to)
	case "seats":
		err = exportSeats(around, from, to)
	}
	if err != nil {
		return err
	}
	return to.Finish()
}

func exportEvents(around *surroundings, from *client.Client, to *exchange.Exporter) error {
	var last struct {
		Sequence uint64 `json:"seq"`
	}
	return pages(to, &last, func() ([]json.RawMessage, error) { return from.Events(around.ctx, last.Sequence, page) })
}

func exportEntries(around *surroundings, from *client.Client, to *exchange.Exporter) error {
	var last struct {
		ID tournament.EntryID `json:"id"`
	}
	return pages(to, &last, func() ([]json.RawMessage, error) { return from.Entries(around.ctx, last.ID, page) })
}

// pages writes page after page of records. Before the next page is fetched, last is filled from the last record of the one
// before.
func pages(to *exchange.Exporter, last any, fetch func() ([]json.RawMessage, error)) error {
	for {
		records, err := fetch()
		if err != nil {
			return err
		}
		if err := write(to, records); err != nil || len(records) < page {
			return err
		}
		if err := json.Unmarshal(records[len(records)-1], last); err != nil {
			return err
		}
	}
}

// exportSeats goes through all heats in the order of their start.
func exportSeats(around *surroundings, from *client.Client, to *exchange.Exporter) error {
	seen := map[tournament.HeatID]bool{}
	for start := time.Unix(0, 0); ; {
		heats, err := from.Heats(around.ctx, start, page)
		if err != nil {
			return err
		}
		fresh := 0
		for _, heat := range heats.Heats {
			// Pages begin with the start that the last one ended with, which may be that of several heats.
			start = heat.Start
			if seen[heat.ID] {
				continue
			}
			seen[heat.ID] = true
			fresh++
			seats, err := from.Seats(around.ctx, heat.ID)
			if err != nil {
				return err
			}
			for _, seat := range seats.Seats {
				record, err := json.Marshal(seat)
				if err != nil {
					return err
				}
				if err := to.Write(record); err != nil {
					return err
				}
			}
		}
		if fresh == 0 {
			return nil
		}
	}
}

func write(to *exchange.Exporter, records []json.RawMessage) error {
	for _, record := range records {
		if err := to.Write(record); err != nil {
			return err
		}
	}
	return nil
}
