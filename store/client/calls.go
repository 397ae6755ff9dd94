package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// Health asks whether central is well, and what its time is.
func (c *Client) Health(ctx context.Context) (wire.Health, error) {
	return get[wire.Health](ctx, c, wire.PathHealth, nil)
}

// Tournament asks for the tournament and the rules in force.
func (c *Client) Tournament(ctx context.Context) (wire.Tournament, error) {
	return get[wire.Tournament](ctx, c, wire.PathTournament, nil)
}

// Heats asks for the heats that start at or after from, in order; limit 0 leaves their number to central.
func (c *Client) Heats(ctx context.Context, from time.Time, limit int) (wire.Heats, error) {
	query := url.Values{}
	if !from.IsZero() {
		query.Set("from", from.Format(time.RFC3339))
	}
	if limit > 0 {
		query.Set("limit", strconv.Itoa(limit))
	}
	return get[wire.Heats](ctx, c, wire.PathHeats, query)
}

// Seats asks for the seats of a heat, in the order of their machines.
func (c *Client) Seats(ctx context.Context, heat tournament.HeatID) (wire.Seats, error) {
	return get[wire.Seats](ctx, c, wire.PathSeats, url.Values{"heat": {string(heat)}})
}

// Cases asks for what somebody has to decide.
func (c *Client) Cases(ctx context.Context) (wire.Cases, error) {
	return get[wire.Cases](ctx, c, wire.PathCases, nil)
}

// Identify asks who holds a card, a document or both. A person who may not take part comes back as a refusal.
func (c *Client) Identify(ctx context.Context, who wire.Identify) (wire.Person, error) {
	return call[wire.Person](ctx, c, c.options.Timeout, http.MethodPost, wire.PathIdentify, who)
}

// Register takes one seat in one heat for one of the person's entries.
func (c *Client) Register(ctx context.Context, key Key, register wire.Register) (wire.Seat, error) {
	return keyed[wire.Seat](ctx, c, key, wire.PathRegistrations, register)
}

// Reprint asks for another copy of an unconfirmed ticket.
func (c *Client) Reprint(ctx context.Context, key Key, reprint wire.Reprint) (wire.Seat, error) {
	return keyed[wire.Seat](ctx, c, key, wire.PathReprints, reprint)
}

// Print reports what became of the printing of a copy.
func (c *Client) Print(ctx context.Context, key Key, outcome wire.PrintOutcome) (wire.Accepted, error) {
	return keyed[wire.Accepted](ctx, c, key, wire.PathPrints, outcome)
}

// Claim makes the purchase of an unnamed receipt the person's.
func (c *Client) Claim(ctx context.Context, key Key, claim wire.Claim) (wire.Claimed, error) {
	return keyed[wire.Claimed](ctx, c, key, wire.PathClaims, claim)
}

// Purchase records an Entry Purchase made at the Cash Desk.
func (c *Client) Purchase(ctx context.Context, key Key, purchase wire.Purchase) (wire.Bought, error) {
	return keyed[wire.Bought](ctx, c, key, wire.PathPurchases, purchase)
}

// Notice tells what is no act of the books: help called, a visit abandoned, a fault.
func (c *Client) Notice(ctx context.Context, key Key, notice wire.Notice) (wire.Accepted, error) {
	return keyed[wire.Accepted](ctx, c, key, wire.PathNotices, notice)
}

// ServeMachine takes a machine out of service, or brings it back.
func (c *Client) ServeMachine(ctx context.Context, key Key, service wire.MachineService) (wire.Accepted, error) {
	return keyed[wire.Accepted](ctx, c, key, wire.PathMachines, service)
}

// ConfirmClock tells central that its clock is right, after it was suspect.
func (c *Client) ConfirmClock(ctx context.Context, confirm wire.ConfirmClock) (wire.Accepted, error) {
	return call[wire.Accepted](ctx, c, c.options.Timeout, http.MethodPost, wire.PathClock, confirm)
}

func get[A any](ctx context.Context, c *Client, path string, query url.Values) (A, error) {
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return call[A](ctx, c, c.options.Timeout, http.MethodGet, path, nil)
}

// Events asks for at most limit events of the books that come after a sequence, in order, each as its JSON.
func (c *Client) Events(ctx context.Context, after uint64, limit int) ([]json.RawMessage, error) {
	return c.lines(ctx, wire.PathEvents, strconv.FormatUint(after, 10), limit)
}

// Entries asks for at most limit entries whose ids come after one, in order, each as its JSON.
func (c *Client) Entries(ctx context.Context, after tournament.EntryID, limit int) ([]json.RawMessage, error) {
	return c.lines(ctx, wire.PathEntries, string(after), limit)
}

// lines asks for a page of JSON Lines.
func (c *Client) lines(ctx context.Context, path, after string, limit int) ([]json.RawMessage, error) {
	query := url.Values{"after": {after}, "limit": {strconv.Itoa(limit)}}
	answer, err := c.try(ctx, c.options.Timeout, http.MethodGet, path+"?"+query.Encode(), nil, nil)
	if err != nil {
		return nil, err
	}
	var records []json.RawMessage
	for line := range bytes.Lines(answer) {
		if !json.Valid(line) {
			return nil, away(path, errors.New("the answer is not what central sends: a line is no JSON"))
		}
		records = append(records, bytes.TrimSuffix(line, []byte("\n")))
	}
	return records, nil
}
