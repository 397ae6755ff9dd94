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

// letGoWait is how long an act for a player waits for his home to let him go: the home hears of it by the feed and answers
// at once where it is connected. A player who stands at a kiosk waits no longer without a word.
const letGoWait = 3 * time.Second

func (c *Central) addGrants(api huma.API) {
	const system = "system"
	addAct[wire.AskGrant, wire.Grant](c, api, operation(http.MethodPost, wire.PathGrants, "ask-grant",
		"Ask for what a kiosk may give while it is cut off", http.StatusConflict),
		func(b wire.AskGrant) (ledger.Act, string, string) { return ledger.AskGrant(b), system, b.Kiosk })
	addAct[wire.GiveBack, wire.Accepted](c, api, operation(http.MethodPost, wire.PathGivenBack, "give-back",
		"Give back what was granted and not given", http.StatusConflict),
		func(b wire.GiveBack) (ledger.Act, string, string) { return ledger.GiveBack(b), system, b.Kiosk })
	addAct[wire.LetGo, wire.Accepted](c, api, operation(http.MethodPost, wire.PathLetGo, "let-go",
		"Let a player go, so that others may act for him", http.StatusConflict),
		func(b wire.LetGo) (ledger.Act, string, string) { return ledger.LetGo(b), system, b.Kiosk })
	addAct[wire.SeatReport, wire.Accepted](c, api, operation(http.MethodPost, wire.PathSeatReports, "report-seat",
		"Report a seat that was given while the kiosk was cut off", http.StatusConflict),
		func(b wire.SeatReport) (ledger.Act, string, string) { return ledger.ReportSeat(b), player, b.Kiosk })
	addAct[wire.Override, wire.Accepted](c, api, operation(http.MethodPost, wire.PathOverrides, "override",
		"Act for a player whose home is silent, by a decision", http.StatusConflict),
		func(b wire.Override) (ledger.Act, string, string) { return ledger.Override(b), b.Operator, "" })
	addAct[wire.EndGrants, wire.Accepted](c, api, operation(http.MethodPost, wire.PathGrantsEnded, "end-grants",
		"End the grants of a silent kiosk, by a decision", http.StatusConflict),
		func(b wire.EndGrants) (ledger.Act, string, string) {
			return ledger.EndGrants{Kiosk: b.Kiosk, Why: b.Why, Heard: c.present.contact(b.Kiosk)}, b.Operator, ""
		})
}

// awaitHome waits until nobody else may give a player seats by himself, where an act is about to spend one of his entries: it
// asks the home to let him go, which takes a round trip on the feed. Where the home stays silent it returns all the same, and
// the act is refused (HomeSilent).
func (c *Central) awaitHome(ctx context.Context, request ledger.Request) error {
	act, spends := request.Act.(ledger.Register)
	if !spends {
		return nil
	}
	held, err := c.heldElsewhere(ctx, act.Person, request.Where)
	if err != nil || !held {
		return err
	}
	ask := ledger.Request{Who: "system", Where: request.Where, Act: ledger.AskLetGo{Person: act.Person}}
	if _, err := apply[wire.Accepted](ctx, c, ask); err != nil {
		return err
	}
	timer := time.NewTimer(letGoWait)
	defer timer.Stop()
	for {
		_, changed := c.feed.newest()
		if held, err := c.heldElsewhere(ctx, act.Person, request.Where); err != nil || !held {
			return err
		}
		select {
		case <-changed:
		case <-timer.C:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// heldElsewhere reports whether another kiosk may give a player seats by itself.
func (c *Central) heldElsewhere(ctx context.Context, who tournament.PersonID, where string) (bool, error) {
	return read(ctx, c, func(view kv.Reader) (bool, error) { return c.books.Held(view, who, where) })
}
