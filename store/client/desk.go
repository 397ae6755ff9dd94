package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// CancelSeat cancels a seat before its heat closes.
func (c *Client) CancelSeat(ctx context.Context, key Key, cancel wire.CancelSeat) (wire.Accepted, error) {
	return keyed[wire.Accepted](ctx, c, key, wire.PathCancelSeat, cancel)
}

// HostReprint makes the next copy of a ticket whose holder is present.
func (c *Client) HostReprint(ctx context.Context, key Key, reprint wire.HostReprint) (wire.Seat, error) {
	return keyed[wire.Seat](ctx, c, key, wire.PathHostReprint, reprint)
}

// CheckIn checks the holder of a ticket in.
func (c *Client) CheckIn(ctx context.Context, key Key, in wire.CheckIn) (wire.CheckedIn, error) {
	return keyed[wire.CheckedIn](ctx, c, key, wire.PathCheckIn, in)
}

// UndoCheckIn takes a check-in back within ten seconds.
func (c *Client) UndoCheckIn(ctx context.Context, key Key, undo wire.UndoCheckIn) (wire.Accepted, error) {
	return keyed[wire.Accepted](ctx, c, key, wire.PathUndoCheckIn, undo)
}

// ReplaceSeat finds a seat for a player whose machine is out of order.
func (c *Client) ReplaceSeat(ctx context.Context, key Key, replace wire.SeatDecision) (wire.Replaced, error) {
	return keyed[wire.Replaced](ctx, c, key, wire.PathReplaceSeat, replace)
}

// DisqualifySeat disqualifies a player from a seat by his own fault.
func (c *Client) DisqualifySeat(ctx context.Context, key Key, seat wire.SeatDecision) (wire.Accepted, error) {
	return keyed[wire.Accepted](ctx, c, key, wire.PathDisqualify, seat)
}

// DecideSeat decides about a seat whose holder was not checked in.
func (c *Client) DecideSeat(ctx context.Context, key Key, decide wire.DecideSeat) (wire.Accepted, error) {
	return keyed[wire.Accepted](ctx, c, key, wire.PathDecideSeat, decide)
}

// DisqualifyPlayer disqualifies a player from the tournament.
func (c *Client) DisqualifyPlayer(ctx context.Context, key Key, player wire.PlayerDecision) (wire.Accepted, error) {
	return keyed[wire.Accepted](ctx, c, key, wire.PathBarPlayer, player)
}

// ResolveCase closes a case by a decision.
func (c *Client) ResolveCase(ctx context.Context, key Key, resolve wire.ResolveCase) (wire.Accepted, error) {
	return keyed[wire.Accepted](ctx, c, key, wire.PathResolve, resolve)
}

// MoveHeat moves a heat to another time.
func (c *Client) MoveHeat(ctx context.Context, key Key, move wire.MoveHeat) (wire.Accepted, error) {
	return keyed[wire.Accepted](ctx, c, key, wire.PathMoveHeat, move)
}

// CancelHeat cancels a heat.
func (c *Client) CancelHeat(ctx context.Context, key Key, cancel wire.HeatDecision) (wire.Accepted, error) {
	return keyed[wire.Accepted](ctx, c, key, wire.PathCancelHeat, cancel)
}

// AddHeat adds a heat to a stage.
func (c *Client) AddHeat(ctx context.Context, key Key, add wire.AddHeat) (wire.Heat, error) {
	return keyed[wire.Heat](ctx, c, key, wire.PathAddHeat, add)
}

// PostponeHeat gives a heat that was called or started a later time.
func (c *Client) PostponeHeat(ctx context.Context, key Key, postpone wire.MoveHeat) (wire.Affected, error) {
	return keyed[wire.Affected](ctx, c, key, wire.PathPostponeHeat, postpone)
}

// HoldHeat holds a heat, or lets it go on.
func (c *Client) HoldHeat(ctx context.Context, key Key, hold wire.HoldHeat) (wire.Accepted, error) {
	return keyed[wire.Accepted](ctx, c, key, wire.PathHoldHeat, hold)
}

// CallHeat announces a heat.
func (c *Client) CallHeat(ctx context.Context, key Key, heat wire.HeatAct) (wire.Accepted, error) {
	return keyed[wire.Accepted](ctx, c, key, wire.PathCallHeat, heat)
}

// StartHeat starts a heat, once each missing seat is marked.
func (c *Client) StartHeat(ctx context.Context, key Key, start wire.StartHeat) (wire.Started, error) {
	return keyed[wire.Started](ctx, c, key, wire.PathStartHeat, start)
}

// RestartHeat starts a heat that broke down once more.
func (c *Client) RestartHeat(ctx context.Context, key Key, restart wire.HeatDecision) (wire.Accepted, error) {
	return keyed[wire.Accepted](ctx, c, key, wire.PathRestartHeat, restart)
}

// FinishHeat says that a heat is over.
func (c *Client) FinishHeat(ctx context.Context, key Key, heat wire.HeatAct) (wire.Accepted, error) {
	return keyed[wire.Accepted](ctx, c, key, wire.PathFinishHeat, heat)
}

// EnterScore types the score of a seat.
func (c *Client) EnterScore(ctx context.Context, key Key, score wire.EnterScore) (wire.Scored, error) {
	return keyed[wire.Scored](ctx, c, key, wire.PathScores, score)
}

// CorrectScore decides what a seat earned.
func (c *Client) CorrectScore(ctx context.Context, key Key, correct wire.CorrectScore) (wire.Scored, error) {
	return keyed[wire.Scored](ctx, c, key, wire.PathCorrectScore, correct)
}

// DrawCards records the cards that were drawn in a tie.
func (c *Client) DrawCards(ctx context.Context, key Key, cards wire.DrawCards) (wire.Ties, error) {
	return keyed[wire.Ties](ctx, c, key, wire.PathCards, cards)
}

// DeclareList declares who plays a final stage, or who won.
func (c *Client) DeclareList(ctx context.Context, key Key, declare wire.DeclareList) (wire.List, error) {
	return keyed[wire.List](ctx, c, key, wire.PathListDeclare, declare)
}

// SettleList settles what was found about a declared list.
func (c *Client) SettleList(ctx context.Context, key Key, settle wire.SettleList) (wire.List, error) {
	return keyed[wire.List](ctx, c, key, wire.PathListSettle, settle)
}

// CommitDraw commits to a secret before the dice are rolled.
func (c *Client) CommitDraw(ctx context.Context, key Key, commit wire.CommitDraw) (wire.Committed, error) {
	return keyed[wire.Committed](ctx, c, key, wire.PathDrawCommit, commit)
}

// DrawSeats draws the seats of a list by the public number.
func (c *Client) DrawSeats(ctx context.Context, key Key, draw wire.DrawSeats) (wire.Draw, error) {
	return keyed[wire.Draw](ctx, c, key, wire.PathDrawSeats, draw)
}

// NameProxy receives the form of a proxy.
func (c *Client) NameProxy(ctx context.Context, key Key, proxy wire.NameProxy) (wire.Accepted, error) {
	return keyed[wire.Accepted](ctx, c, key, wire.PathProxies, proxy)
}

// HandPrize hands a prize to its winner in person.
func (c *Client) HandPrize(ctx context.Context, key Key, prize wire.HandPrize) (wire.Prize, error) {
	return keyed[wire.Prize](ctx, c, key, wire.PathPrizes, prize)
}

// AuthoriseRefund decides that entries are refunded.
func (c *Client) AuthoriseRefund(ctx context.Context, key Key, refund wire.AuthoriseRefund) (wire.Refund, error) {
	return keyed[wire.Refund](ctx, c, key, wire.PathRefunds, refund)
}

// PayRefund pays a refund that somebody else authorised.
func (c *Client) PayRefund(ctx context.Context, key Key, pay wire.PayRefund) (wire.Refund, error) {
	return keyed[wire.Refund](ctx, c, key, wire.PathRefundsPay, pay)
}

// ReversePurchase takes back a purchase that another operator sold.
func (c *Client) ReversePurchase(ctx context.Context, key Key, purchase wire.PurchaseDecision) (wire.Reversed, error) {
	return keyed[wire.Reversed](ctx, c, key, wire.PathReversals, purchase)
}

// PlayCredit marks the casino credit of a package as played.
func (c *Client) PlayCredit(ctx context.Context, key Key, purchase wire.PurchaseDecision) (wire.Accepted, error) {
	return keyed[wire.Accepted](ctx, c, key, wire.PathCredits, purchase)
}

// DecideEntries decides about entries that are held or have expired.
func (c *Client) DecideEntries(ctx context.Context, key Key, decide wire.DecideEntries) (wire.Accepted, error) {
	return keyed[wire.Accepted](ctx, c, key, wire.PathEntriesHeld, decide)
}

// GiveEntries gives out surplus entries.
func (c *Client) GiveEntries(ctx context.Context, key Key, give wire.GiveEntries) (wire.Bought, error) {
	return keyed[wire.Bought](ctx, c, key, wire.PathSurplus, give)
}

// Exclude bars somebody by a paper.
func (c *Client) Exclude(ctx context.Context, key Key, exclude wire.Exclude) (wire.ImportDone, error) {
	return keyed[wire.ImportDone](ctx, c, key, wire.PathExclude, exclude)
}

// LiftExclusion ends an exclusion by a paper of its own.
func (c *Client) LiftExclusion(ctx context.Context, key Key, lift wire.LiftExclusion) (wire.Accepted, error) {
	return keyed[wire.Accepted](ctx, c, key, wire.PathExcludeLift, lift)
}

// SetStaff has an operator begin, end, or have other duties. It takes no key: sent again, it does the same again.
func (c *Client) SetStaff(ctx context.Context, set wire.SetStaff) (wire.Accepted, error) {
	return call[wire.Accepted](ctx, c, c.options.Timeout, http.MethodPost, wire.PathStaff, set)
}

// SignIn signs an operator in at a desk, or proves a decision, by PIN. It takes no key; each wrong PIN counts.
func (c *Client) SignIn(ctx context.Context, sign wire.SignIn) (wire.SignedIn, error) {
	return call[wire.SignedIn](ctx, c, c.options.Timeout, http.MethodPost, wire.PathSignIn, sign)
}

// SignOut ends an operator's work at a desk.
func (c *Client) SignOut(ctx context.Context, by wire.By) (wire.Accepted, error) {
	return call[wire.Accepted](ctx, c, c.options.Timeout, http.MethodPost, wire.PathSignOut, by)
}

// Staff asks for all operators.
func (c *Client) Staff(ctx context.Context) (wire.Staff, error) {
	return get[wire.Staff](ctx, c, wire.PathStaff, nil)
}

// Ranking asks for the best so many single entries of a stage.
func (c *Client) Ranking(ctx context.Context, stage tournament.StageKind, limit int) (wire.Ranking, error) {
	return get[wire.Ranking](ctx, c, wire.PathRanking, url.Values{"stage": {string(stage)}, "limit": {strconv.Itoa(limit)}})
}

// Ties asks for the ties of a stage that cards have to decide.
func (c *Client) Ties(ctx context.Context, stage tournament.StageKind) (wire.Ties, error) {
	return get[wire.Ties](ctx, c, wire.PathTies, url.Values{"stage": {string(stage)}})
}

// List asks for a declared list.
func (c *Client) List(ctx context.Context, list wire.ListName) (wire.List, error) {
	return get[wire.List](ctx, c, wire.PathListOf, url.Values{"list": {string(list)}})
}

// Draws asks for the draws that were made.
func (c *Client) Draws(ctx context.Context) (wire.Draws, error) {
	return get[wire.Draws](ctx, c, wire.PathDraws, nil)
}

// Affected asks who is concerned if a heat is moved to a start, or cancelled where that is zero.
func (c *Client) Affected(ctx context.Context, heat tournament.HeatID, start time.Time) (wire.Affected, error) {
	query := url.Values{"heat": {string(heat)}}
	if !start.IsZero() {
		query.Set("start", start.Format(time.RFC3339))
	}
	return get[wire.Affected](ctx, c, wire.PathAffected, query)
}

// CashDay asks for a gaming day's money by kind and cashier.
func (c *Client) CashDay(ctx context.Context, day tournament.Date) (wire.Day, error) {
	return get[wire.Day](ctx, c, wire.PathReconcile, url.Values{"day": {day.String()}})
}

// Scores asks for everything that was typed as a score of so many seats after "HEAT/SEAT", each as its JSON.
func (c *Client) Scores(ctx context.Context, after string, limit int) ([]json.RawMessage, error) {
	return c.lines(ctx, wire.PathScoreLines, after, limit)
}

// Prizes asks for the prizes that were handed out after a place, each as its JSON.
func (c *Client) Prizes(ctx context.Context, after string, limit int) ([]json.RawMessage, error) {
	return c.lines(ctx, wire.PathPrizeLines, after, limit)
}

// CashMoves asks for the movements of money after an id, each as its JSON.
func (c *Client) CashMoves(ctx context.Context, after string, limit int) ([]json.RawMessage, error) {
	return c.lines(ctx, wire.PathCashLines, after, limit)
}
