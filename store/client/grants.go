package client

import (
	"context"

	"reelkiosk/store/wire"
)

// AskGrant asks for what a kiosk may give while it is cut off.
func (c *Client) AskGrant(ctx context.Context, key Key, ask wire.AskGrant) (wire.Grant, error) {
	return keyed[wire.Grant](ctx, c, key, wire.PathGrants, ask)
}

// GiveBack gives back what was granted and not given.
func (c *Client) GiveBack(ctx context.Context, key Key, back wire.GiveBack) (wire.Accepted, error) {
	return keyed[wire.Accepted](ctx, c, key, wire.PathGivenBack, back)
}

// LetGo lets a player go, so that others may act for him.
func (c *Client) LetGo(ctx context.Context, key Key, let wire.LetGo) (wire.Accepted, error) {
	return keyed[wire.Accepted](ctx, c, key, wire.PathLetGo, let)
}

// ReportSeat reports a seat that was given while the kiosk was cut off.
func (c *Client) ReportSeat(ctx context.Context, key Key, report wire.SeatReport) (wire.Accepted, error) {
	return keyed[wire.Accepted](ctx, c, key, wire.PathSeatReports, report)
}

// Override acts for a player whose home is silent, by a decision.
func (c *Client) Override(ctx context.Context, key Key, override wire.Override) (wire.Accepted, error) {
	return keyed[wire.Accepted](ctx, c, key, wire.PathOverrides, override)
}

// EndGrants ends the grants of a silent kiosk, by a decision.
func (c *Client) EndGrants(ctx context.Context, key Key, end wire.EndGrants) (wire.Accepted, error) {
	return keyed[wire.Accepted](ctx, c, key, wire.PathGrantsEnded, end)
}
