package central

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"reelkiosk/store/kv"
	"reelkiosk/store/ledger"
	"reelkiosk/store/wire"
)

// kiosksWait is how long a registration waits for other kiosks: they hear of it by the feed and answer at once where they are
// connected. A player who stands at a kiosk waits no longer without a word.
const kiosksWait = 3 * time.Second

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

// awaitKiosks waits for what other kiosks may have to do before a registration, or what else spends an entry, is decided: the
// player's home has to let him go, since it may give him seats by itself, and machines that were called back are to come back
// before a heat is called full. Both take a round trip on the feed. Where kiosks stay silent it returns all the same, and the act is refused.
func (c *Central) awaitKiosks(ctx context.Context, request ledger.Request) error {
	act, registers := request.Act.(ledger.Register)
	if !registers {
		var err error
		if act.Person, err = c.spends(ctx, request.Act); err != nil || act.Person == "" {
			return err
		}
	}
	held, called, err := c.waitsFor(ctx, act, request.Where)
	if err != nil || !held && !called {
		return err
	}
	if held {
		ask := ledger.Request{Who: "system", Where: request.Where, Act: ledger.AskLetGo{Person: act.Person}}
		if _, err := apply[wire.Accepted](ctx, c, ask); err != nil {
			return err
		}
	}
	timer := time.NewTimer(kiosksWait)
	defer timer.Stop()
	for {
		_, changed := c.feed.newest()
		if held, called, err := c.waitsFor(ctx, act, request.Where); err != nil || !held && !called {
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

// waitsFor reports whether another kiosk may give a player seats by itself, and whether machines of the heat were called
// back and have not come.
func (c *Central) waitsFor(ctx context.Context, act ledger.Register, where string) (held, called bool, err error) {
	err = c.writer.view(ctx, func(view kv.Reader) (err error) {
		if held, err = c.books.Held(view, act.Person, where); err == nil && act.Heat != "" {
			called, err = c.books.CalledFor(view, act.Heat)
		}
		return err
	})
	return held, called, err
}
