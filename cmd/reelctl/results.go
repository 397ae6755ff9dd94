package main

import (
	"encoding/json"
	"strconv"

	"reelkiosk/store/client"
	"reelkiosk/store/exchange"
	"reelkiosk/store/tournament"
)

// mostRanked is how many lines of a ranking are written.
const mostRanked = 10_000

// exportScores writes everything that was typed as a score. Pages count seats, of which each may have several lines.
func exportScores(around *surroundings, from *client.Client, to *exchange.Exporter) error {
	var last struct {
		Heat tournament.HeatID `json:"heat"`
		Seat tournament.SeatID `json:"seat"`
	}
	for after := ""; ; after = string(last.Heat) + "/" + string(last.Seat) {
		records, err := from.Scores(around.ctx, after, page)
		if err != nil || len(records) == 0 {
			return err
		}
		if err := write(to, records); err != nil {
			return err
		}
		if err := json.Unmarshal(records[len(records)-1], &last); err != nil {
			return err
		}
	}
}

func exportRanking(around *surroundings, from *client.Client, to *exchange.Exporter, stage tournament.StageKind) error {
	ranking, err := from.Ranking(around.ctx, stage, mostRanked)
	if err != nil {
		return err
	}
	return writeAll(to, ranking.Ranked)
}

func exportDraws(around *surroundings, from *client.Client, to *exchange.Exporter) error {
	draws, err := from.Draws(around.ctx)
	if err != nil {
		return err
	}
	return writeAll(to, draws.Draws)
}

// exportDecisions writes the events that somebody gave a reason for (clause 23).
func exportDecisions(around *surroundings, from *client.Client, to *exchange.Exporter) error {
	var last struct {
		Sequence uint64 `json:"seq"`
		Why      string `json:"why"`
	}
	for {
		records, err := from.Events(around.ctx, last.Sequence, page)
		if err != nil {
			return err
		}
		for _, record := range records {
			last.Why = ""
			if err := json.Unmarshal(record, &last); err != nil {
				return err
			}
			if last.Why == "" {
				continue
			}
			if err := to.Write(record); err != nil {
				return err
			}
		}
		if len(records) < page {
			return nil
		}
	}
}

func exportCash(around *surroundings, from *client.Client, to *exchange.Exporter) error {
	var last struct {
		ID string `json:"id"`
	}
	return pages(to, &last, func() ([]json.RawMessage, error) { return from.CashMoves(around.ctx, last.ID, page) })
}

func exportPrizes(around *surroundings, from *client.Client, to *exchange.Exporter) error {
	var last struct {
		Place int `json:"place"`
	}
	return pages(to, &last, func() ([]json.RawMessage, error) { return from.Prizes(around.ctx, strconv.Itoa(last.Place), page) })
}

func writeAll[T any](to *exchange.Exporter, records []T) error {
	for _, one := range records {
		record, err := json.Marshal(one)
		if err != nil {
			return err
		}
		if err := to.Write(record); err != nil {
			return err
		}
	}
	return nil
}
