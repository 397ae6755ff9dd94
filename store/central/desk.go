package central

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"reelkiosk/store/kv"
	"reelkiosk/store/ledger"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// staffed says who of the staff may do something, and whether it is a decision, for which the operator's own PIN is asked at
// that moment (clause 23).
type staffed struct {
	duties  []wire.Duty
	decides bool
}

// The sets of duties that occur.
var (
	byHost     = staffed{duties: []wire.Duty{wire.DutyHost, wire.DutyDirector}}
	byCashier  = staffed{duties: []wire.Duty{wire.DutyCashier, wire.DutyDirector}}
	byEither   = staffed{duties: []wire.Duty{wire.DutyHost, wire.DutyCashier, wire.DutyDirector}}
	byDirector = staffed{duties: []wire.Duty{wire.DutyDirector}, decides: true}
)

// actor is a body that says who acts, and where.
type actor interface{ Actor() (who, where string) }

// addStaffed adds an operation that changes the books by one act of an operator, under a key.
func addStaffed[B actor, A any](c *Central, api huma.API, path, id, summary string, may staffed, act func(B) ledger.Act) {
	op := operation(http.MethodPost, path, id, summary, http.StatusForbidden, http.StatusConflict, http.StatusNotFound)
	huma.Register(api, op, answering(c, func(ctx context.Context, in *keyedInput[B]) (A, error) {
		key, err := parseKey(in.Key)
		if err != nil {
			return *new(A), err
		}
		request := ledger.Request{Key: key, Body: bodyHash(ctx), Settled: in.Settled}
		request.Who, request.Where = in.Body.Actor()
		if err := bind(ctx, &request); err != nil {
			return *new(A), err
		}
		request.Act = ledger.Staffed{
			Act: act(in.Body), Duties: may.duties, Decides: may.decides, Proved: ownCertificate(ctx, request.Who),
		}
		if err := c.awaitKiosks(ctx, request); err != nil {
			return *new(A), err
		}
		return apply[A](ctx, c, request)
	}))
}

// ownCertificate reports whether the caller's certificate is that of the operator who acts.
func ownCertificate(ctx context.Context, operator string) bool {
	from := callerOf(ctx)
	return !from.local && from.Role == wire.RoleOperator && from.Name == operator
}

// spends returns for whom an act has to wait for the home, or "".
func (c *Central) spends(ctx context.Context, act ledger.Act) (tournament.PersonID, error) {
	if _, is := act.(ledger.Staffed); !is {
		return "", nil
	}
	return read(ctx, c, func(view kv.Reader) (tournament.PersonID, error) { return c.books.Spends(view, act) })
}

// addDesk adds what hosts and cashiers do.
func (c *Central) addDesk(api huma.API) {
	c.addSeats(api)
	c.addHeats(api)
	c.addResults(api)
	c.addFinals(api)
	c.addCash(api)
	c.addDeskReads(api)
	c.addStaff(api)
}

func (c *Central) addSeats(api huma.API) {
	addStaffed[wire.CancelSeat, wire.Accepted](c, api, wire.PathCancelSeat, "cancel-seat",
		"Cancel a seat before its heat closes", byHost, func(b wire.CancelSeat) ledger.Act { return ledger.CancelSeat(b) })
	addStaffed[wire.HostReprint, wire.Seat](c, api, wire.PathHostReprint, "reprint-for-holder",
		"Print a ticket again while its holder is present", byEither, func(b wire.HostReprint) ledger.Act { return ledger.HostReprint(b) })
	addStaffed[wire.CheckIn, wire.CheckedIn](c, api, wire.PathCheckIn, "check-in",
		"Check the holder of a ticket in", byHost, func(b wire.CheckIn) ledger.Act { return ledger.CheckIn(b) })
	addStaffed[wire.UndoCheckIn, wire.Accepted](c, api, wire.PathUndoCheckIn, "undo-check-in",
		"Take a check-in back within ten seconds", byHost, func(b wire.UndoCheckIn) ledger.Act { return ledger.UndoCheckIn(b) })
	addStaffed[wire.SeatDecision, wire.Replaced](c, api, wire.PathReplaceSeat, "replace-seat",
		"Find a seat for a player whose machine is out of order", byHost,
		func(b wire.SeatDecision) ledger.Act { return ledger.ReplaceSeat(b) })
	addStaffed[wire.SeatDecision, wire.Accepted](c, api, wire.PathDisqualify, "disqualify-seat",
		"Disqualify a player from a seat by his own fault", byDirector,
		func(b wire.SeatDecision) ledger.Act { return ledger.DisqualifySeat(b) })
	addStaffed[wire.DecideSeat, wire.Accepted](c, api, wire.PathDecideSeat, "decide-seat",
		"Decide about a seat whose holder was not checked in", byDirector,
		func(b wire.DecideSeat) ledger.Act { return ledger.DecideSeat(b) })
	addStaffed[wire.PlayerDecision, wire.Accepted](c, api, wire.PathBarPlayer, "disqualify-player",
		"Disqualify a player from the tournament", byDirector,
		func(b wire.PlayerDecision) ledger.Act { return ledger.DisqualifyPlayer(b) })
	addStaffed[wire.ResolveCase, wire.Accepted](c, api, wire.PathResolve, "resolve-case", "Close a case by a decision", byHost,
		func(b wire.ResolveCase) ledger.Act { return ledger.Resolve{Case: b.Case, Clear: b.Clear, Why: b.Why} })
}

func (c *Central) addHeats(api huma.API) {
	addStaffed[wire.MoveHeat, wire.Accepted](c, api, wire.PathMoveHeat, "move-heat", "Move a heat to another time", byDirector,
		func(b wire.MoveHeat) ledger.Act { return ledger.MoveHeat{Heat: b.Heat, Start: b.Start, Why: b.Why} })
	addStaffed[wire.HeatDecision, wire.Accepted](c, api, wire.PathCancelHeat, "cancel-heat", "Cancel a heat", byDirector,
		func(b wire.HeatDecision) ledger.Act { return ledger.CancelHeat{Heat: b.Heat, Why: b.Why} })
	addStaffed[wire.AddHeat, wire.Heat](c, api, wire.PathAddHeat, "add-heat", "Add a heat to a stage", byDirector,
		func(b wire.AddHeat) ledger.Act { return ledger.AddHeat(b) })
	addStaffed[wire.MoveHeat, wire.Affected](c, api, wire.PathPostponeHeat, "postpone-heat",
		"Give a heat that was called or started a later time", byDirector,
		func(b wire.MoveHeat) ledger.Act { return ledger.PostponeHeat(b) })
	addStaffed[wire.HoldHeat, wire.Accepted](c, api, wire.PathHoldHeat, "hold-heat", "Hold a heat, or let it go on", byHost,
		func(b wire.HoldHeat) ledger.Act { return ledger.HoldHeat(b) })
	addStaffed[wire.HeatAct, wire.Accepted](c, api, wire.PathCallHeat, "call-heat", "Announce a heat", byHost,
		func(b wire.HeatAct) ledger.Act { return ledger.CallHeat(b) })
	addStaffed[wire.StartHeat, wire.Started](c, api, wire.PathStartHeat, "start-heat",
		"Start a heat, once each missing seat is marked", byHost, func(b wire.StartHeat) ledger.Act { return ledger.StartHeat(b) })
	addStaffed[wire.HeatDecision, wire.Accepted](c, api, wire.PathRestartHeat, "restart-heat",
		"Start a heat that broke down once more", byDirector, func(b wire.HeatDecision) ledger.Act { return ledger.RestartHeat(b) })
	addStaffed[wire.HeatAct, wire.Accepted](c, api, wire.PathFinishHeat, "finish-heat", "Say that a heat is over", byHost,
		func(b wire.HeatAct) ledger.Act { return ledger.FinishHeat(b) })
}

func (c *Central) addResults(api huma.API) {
	addStaffed[wire.EnterScore, wire.Scored](c, api, wire.PathScores, "enter-score", "Type the score of a seat", byHost,
		func(b wire.EnterScore) ledger.Act { return ledger.EnterScore(b) })
	addStaffed[wire.CorrectScore, wire.Scored](c, api, wire.PathCorrectScore, "correct-score",
		"Decide what a seat earned", byDirector, func(b wire.CorrectScore) ledger.Act { return ledger.CorrectScore(b) })
	addStaffed[wire.DrawCards, wire.Ties](c, api, wire.PathCards, "draw-cards",
		"Record the cards that were drawn in a tie", byHost, func(b wire.DrawCards) ledger.Act { return ledger.DrawCards(b) })
	addStaffed[wire.DeclareList, wire.List](c, api, wire.PathListDeclare, "declare-list",
		"Declare who plays a final stage, or who won", byDirector, func(b wire.DeclareList) ledger.Act { return ledger.DeclareList(b) })
	addStaffed[wire.SettleList, wire.List](c, api, wire.PathListSettle, "settle-list",
		"Settle what was found about a declared list", byDirector, func(b wire.SettleList) ledger.Act { return ledger.SettleList(b) })
}

func (c *Central) addFinals(api huma.API) {
	addStaffed[wire.CommitDraw, wire.Committed](c, api, wire.PathDrawCommit, "commit-draw",
		"Commit to a secret before the dice are rolled", byHost, func(b wire.CommitDraw) ledger.Act { return ledger.CommitDraw(b) })
	addStaffed[wire.DrawSeats, wire.Draw](c, api, wire.PathDrawSeats, "draw-seats",
		"Draw the seats of a list by the public number", byHost, func(b wire.DrawSeats) ledger.Act { return ledger.DrawSeats(b) })
	addStaffed[wire.NameProxy, wire.Accepted](c, api, wire.PathProxies, "name-proxy",
		"Receive the form of a proxy", byHost, func(b wire.NameProxy) ledger.Act { return ledger.NameProxy(b) })
	addStaffed[wire.HandPrize, wire.Prize](c, api, wire.PathPrizes, "hand-prize",
		"Hand a prize to its winner in person", byCashier, func(b wire.HandPrize) ledger.Act { return ledger.HandPrize(b) })
}

func (c *Central) addCash(api huma.API) {
	addStaffed[wire.AuthoriseRefund, wire.Refund](c, api, wire.PathRefunds, "authorise-refund",
		"Decide that entries are refunded", byDirector, func(b wire.AuthoriseRefund) ledger.Act { return ledger.AuthoriseRefund(b) })
	addStaffed[wire.PayRefund, wire.Refund](c, api, wire.PathRefundsPay, "pay-refund",
		"Pay a refund that somebody else authorised", byCashier, func(b wire.PayRefund) ledger.Act { return ledger.PayRefund(b) })
	addStaffed[wire.PurchaseDecision, wire.Reversed](c, api, wire.PathReversals, "reverse-purchase",
		"Take back a purchase that another operator sold", byCashier,
		func(b wire.PurchaseDecision) ledger.Act { return ledger.ReversePurchase(b) })
	addStaffed[wire.PurchaseDecision, wire.Accepted](c, api, wire.PathCredits, "play-credit",
		"Mark the casino credit of a package as played", byEither,
		func(b wire.PurchaseDecision) ledger.Act { return ledger.PlayCredit(b) })
	addStaffed[wire.DecideEntries, wire.Accepted](c, api, wire.PathEntriesHeld, "decide-entries",
		"Decide about entries that are held or have expired", byDirector,
		func(b wire.DecideEntries) ledger.Act { return ledger.DecideEntries(b) })
	addStaffed[wire.GiveEntries, wire.Bought](c, api, wire.PathSurplus, "give-entries",
		"Give out surplus entries", byDirector, func(b wire.GiveEntries) ledger.Act { return ledger.GiveEntries(b) })
	addStaffed[wire.Exclude, wire.ImportDone](c, api, wire.PathExclude, "exclude",
		"Bar somebody by a paper", byHost, func(b wire.Exclude) ledger.Act { return ledger.Exclude(b) })
	addStaffed[wire.LiftExclusion, wire.Accepted](c, api, wire.PathExcludeLift, "lift-exclusion",
		"End an exclusion by a paper of its own", byDirector, func(b wire.LiftExclusion) ledger.Act { return ledger.LiftExclusion(b) })
}

type (
	stageInput struct {
		Stage string `query:"stage" enum:"qualifying,semi-final,final" default:"qualifying"`
		Limit int    `query:"limit" minimum:"1" maximum:"10000" default:"50"`
	}
	tiesInput struct {
		Stage string `query:"stage" enum:"qualifying,semi-final,final" default:"qualifying"`
	}
	listInput struct {
		List string `query:"list" enum:"semi-final,final,winners" required:"true"`
	}
	affectedInput struct {
		Heat  string    `query:"heat" required:"true" maxLength:"100"`
		Start time.Time `query:"start" doc:"the new start; cancelled if absent"`
	}
	dayInput struct {
		Day string `query:"day" required:"true" format:"date" doc:"gaming day"`
	}
)

func (c *Central) addDeskReads(api huma.API) {
	addRead(c, api, wire.PathRanking, "ranking", "List the best single entries of a stage",
		func(view kv.Reader, in *stageInput) (wire.Ranking, error) {
			return c.books.Ranking(view, tournament.StageKind(in.Stage), in.Limit)
		})
	addRead(c, api, wire.PathTies, "ties", "List the ties that cards have to decide",
		func(view kv.Reader, in *tiesInput) (wire.Ties, error) {
			return c.books.Ties(view, tournament.StageKind(in.Stage))
		})
	addRead(c, api, wire.PathListOf, "list-of", "Show a declared list", func(view kv.Reader, in *listInput) (wire.List, error) {
		return c.books.List(view, wire.ListName(in.List))
	})
	addRead(c, api, wire.PathDraws, "draws", "Show the draws that were made, so that anybody can check them",
		func(view kv.Reader, _ *struct{}) (wire.Draws, error) { return c.books.Draws(view) })
	addRead(c, api, wire.PathAffected, "affected", "List who is concerned if a heat is moved or cancelled",
		func(view kv.Reader, in *affectedInput) (wire.Affected, error) {
			return c.books.Affected(view, tournament.HeatID(in.Heat), in.Start)
		})
	addRead(c, api, wire.PathReconcile, "reconcile", "Add up a gaming day's money by kind and cashier",
		func(view kv.Reader, in *dayInput) (wire.Day, error) {
			day, err := tournament.ParseDate(in.Day)
			if err != nil {
				return wire.Day{}, malformed(http.StatusUnprocessableEntity, err.Error(), nil)
			}
			return c.books.Reconcile(view, day, c.now())
		})
	addRead(c, api, wire.PathStaff, "staff", "List the operators", func(view kv.Reader, _ *struct{}) (wire.Staff, error) {
		return c.books.Staff(view)
	})
	addLines(c, api, wire.PathScoreLines, "scores", "Page through everything that was typed as a score", c.books.Scores)
	addLines(c, api, wire.PathPrizeLines, "prizes", "Page through the prizes that were handed out", c.books.Prizes)
	addLines(c, api, wire.PathCashLines, "cash", "Page through all movements of money", c.books.CashMoves)
}

// addLines adds an operation that pages through records of the books, as JSON Lines.
func addLines[T any](c *Central, api huma.API, path, id, summary string, from func(kv.Reader, string, int) ([]T, error)) {
	huma.Register(api, linesOperation(path, id, summary+", as JSON Lines"), inLines(c, func(view kv.Reader, in *entriesInput) ([]T, error) {
		return from(view, in.After, in.Limit)
	}))
}

// addRead adds an operation that reads the books and changes nothing.
func addRead[I, A any](c *Central, api huma.API, path, id, summary string, from func(kv.Reader, *I) (A, error)) {
	huma.Register(api, operation(http.MethodGet, path, id, summary, http.StatusNotFound),
		answering(c, func(ctx context.Context, in *I) (A, error) {
			return read(ctx, c, func(view kv.Reader) (A, error) { return from(view, in) })
		}))
}
