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

// player is who acts where nobody of the staff does.
const player = "player"

// keyedInput is the body of an act with its key.
type keyedInput[B any] struct {
	Key     string `header:"Reelkiosk-Key" required:"true" doc:"ENROLMENT/SEQUENCE, made and persisted before it is sent"`
	Settled uint64 `header:"Reelkiosk-Settled" doc:"the sequence below which the sender needs no answer any more"`
	Body    B
}

func (c *Central) addActs(api huma.API) {
	addAct[wire.Register, wire.Seat](c, api, operation(http.MethodPost, wire.PathRegistrations, "register",
		"Take a seat in a heat", http.StatusForbidden, http.StatusConflict, http.StatusNotFound),
		func(b wire.Register) (ledger.Act, string, string) { return ledger.Register(b), player, b.Kiosk })
	addAct[wire.Reprint, wire.Seat](c, api, operation(http.MethodPost, wire.PathReprints, "reprint",
		"Print an unconfirmed ticket once more", http.StatusForbidden, http.StatusConflict, http.StatusNotFound),
		func(b wire.Reprint) (ledger.Act, string, string) { return ledger.Reprint(b), player, b.Kiosk })
	addAct[wire.PrintOutcome, wire.Accepted](c, api, operation(http.MethodPost, wire.PathPrints, "report-print",
		"Report what became of a copy", http.StatusConflict, http.StatusNotFound),
		func(b wire.PrintOutcome) (ledger.Act, string, string) {
			return ledger.PrintOutcome(b), "system", b.Kiosk
		})
	addAct[wire.Claim, wire.Claimed](c, api, operation(http.MethodPost, wire.PathClaims, "claim",
		"Own a purchase by its receipt", http.StatusForbidden, http.StatusConflict, http.StatusNotFound),
		func(b wire.Claim) (ledger.Act, string, string) { return ledger.Claim(b), player, b.Kiosk })
	addAct[wire.Purchase, wire.Bought](c, api, operation(http.MethodPost, wire.PathPurchases, "purchase",
		"Record an Entry Purchase", http.StatusForbidden, http.StatusConflict, http.StatusNotFound),
		func(b wire.Purchase) (ledger.Act, string, string) { return ledger.Purchase(b), b.Operator, b.Desk })
	addAct[wire.Notice, wire.Accepted](c, api, operation(http.MethodPost, wire.PathNotices, "notify",
		"Tell what is no act of the books", http.StatusConflict),
		func(b wire.Notice) (ledger.Act, string, string) { return ledger.Notice(b), player, b.Kiosk })
	addAct[wire.MachineService, wire.Accepted](c, api, operation(http.MethodPost, wire.PathMachines, "serve-machine",
		"Take a machine out of service, or bring it back", http.StatusConflict, http.StatusNotFound),
		func(b wire.MachineService) (ledger.Act, string, string) {
			return ledger.MachineService(b), b.Operator, ""
		})
	huma.Register(api, operation(http.MethodPost, wire.PathIdentify, "identify",
		"Say who holds a card or a document", http.StatusForbidden, http.StatusNotFound, http.StatusConflict), answering(c, c.identify))
}

// addAct adds an operation that changes the books by one act under a key.
func addAct[B, A any](c *Central, api huma.API, op huma.Operation, act func(B) (act ledger.Act, who, where string)) {
	huma.Register(api, op, answering(c, func(ctx context.Context, in *keyedInput[B]) (A, error) {
		key, err := parseKey(in.Key)
		if err != nil {
			return *new(A), err
		}
		request := ledger.Request{Key: key, Body: bodyHash(ctx), Settled: in.Settled}
		request.Act, request.Who, request.Where = act(in.Body)
		if err := bind(ctx, &request); err != nil {
			return *new(A), err
		}
		if err := c.awaitKiosks(ctx, request); err != nil {
			return *new(A), err
		}
		return apply[A](ctx, c, request)
	}))
}

// parseKey reads a request's key; the error is the problem of one that is none.
func parseKey(text string) (wire.Key, error) {
	key, err := wire.ParseKey(text)
	if err != nil {
		where := huma.ErrorDetail{Location: "header." + wire.HeaderKey, Message: wire.ErrKey.Error()}
		return wire.Key{}, malformed(http.StatusBadRequest, "", []error{&where})
	}
	return key, nil
}

// apply has the writer decide a request.
func apply[A any](ctx context.Context, c *Central, request ledger.Request) (A, error) {
	request.Random = c.options.Random
	answer, err := c.writer.do(ctx, func(view *kv.Overlay, at time.Time) (any, error) {
		request.At = at
		return c.books.Apply(view, request)
	})
	if err != nil {
		return *new(A), err
	}
	return ledger.As[A](answer.(ledger.Answer))
}

// hostPace is what the time of an answer that sends a player to a host is rounded up to: it must not tell one reason from
// another (rules.md), though one is found in a list and another opens a case.
const hostPace = 50 * time.Millisecond

// identify looks a person up past the writer, and goes through it only where the books have something to learn.
func (c *Central) identify(ctx context.Context, in *input[wire.Identify]) (wire.Person, error) {
	start := time.Now()
	request := ledger.Request{Who: player, Where: in.Body.Kiosk, Random: c.options.Random, Act: ledger.Identify(in.Body)}
	if err := bind(ctx, &request); err != nil {
		return wire.Person{}, err
	}
	person, err := c.look(ctx, request)
	if problem := problemOfNil(err); problem != nil && tournament.Reason(problem.Kind()).SeesHost() {
		pause(ctx, hostPace-time.Since(start)%hostPace)
	}
	return person, err
}

func (c *Central) look(ctx context.Context, request ledger.Request) (person wire.Person, err error) {
	now, err := c.clock.check()
	if err != nil {
		return person, err
	}
	request.At = now
	var answer ledger.Answer
	var changes bool
	err = c.writer.view(ctx, func(view kv.Reader) (err error) {
		answer, changes, err = c.books.Look(view, request)
		return err
	})
	if changes {
		return apply[wire.Person](ctx, c, request)
	}
	if err != nil {
		return person, err
	}
	return ledger.As[wire.Person](answer)
}

func problemOfNil(err error) *wire.Problem {
	if err == nil {
		return nil
	}
	return problemOf(err)
}

// pause waits, or for the caller to go away.
func pause(ctx context.Context, wait time.Duration) {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
