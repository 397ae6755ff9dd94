package central

import (
	"context"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"reelkiosk/store/kv"
	"reelkiosk/store/ledger"
	"reelkiosk/store/wire"
)

// addStaff adds what concerns the staff itself. None of it takes a key: a key keeps the hash of its request's body, by which
// whoever has the books could try all PINs.
func (c *Central) addStaff(api huma.API) {
	failures := []int{http.StatusForbidden, http.StatusConflict, http.StatusNotFound}
	huma.Register(api, operation(http.MethodPost, wire.PathStaff, "set-staff", "Have an operator begin, end, or have other duties", failures...),
		answering(c, func(ctx context.Context, in *input[wire.SetStaff]) (wire.Accepted, error) {
			return c.setStaff(ctx, in.Body)
		}))
	huma.Register(api, operation(http.MethodPost, wire.PathSignIn, "sign-in", "Sign in at a desk, or prove a decision, by PIN", failures...),
		answering(c, func(ctx context.Context, in *input[wire.SignIn]) (wire.SignedIn, error) {
			return c.signIn(ctx, in.Body)
		}))
	huma.Register(api, operation(http.MethodPost, wire.PathSignOut, "sign-out", "End an operator's work at a desk", failures...),
		answering(c, func(ctx context.Context, in *input[wire.By]) (wire.Accepted, error) {
			request := ledger.Request{Who: in.Body.Operator, Where: in.Body.Desk, Act: ledger.SignOut{Operator: in.Body.Operator}}
			if err := bind(ctx, &request); err != nil {
				return wire.Accepted{}, err
			}
			return apply[wire.Accepted](ctx, c, request)
		}))
}

// setStaff changes an operator. Whoever has an operator's certificate may, and so make the first director; at a desk it is a
// director's decision.
func (c *Central) setStaff(ctx context.Context, set wire.SetStaff) (wire.Accepted, error) {
	act := ledger.SetStaff{Name: set.Name, Duties: set.Duties, Why: set.Why}
	if set.PIN != "" {
		c.proving.Lock()
		kept, err := ledger.NewVerifier(set.PIN, c.options.Random)
		c.proving.Unlock()
		if errors.Is(err, ledger.ErrPIN) {
			return wire.Accepted{}, malformed(http.StatusUnprocessableEntity, err.Error(), nil)
		}
		if err != nil {
			return wire.Accepted{}, err
		}
		act.Verifier = kept
	}
	request := ledger.Request{Who: set.Operator, Where: set.Desk, Act: act}
	if from := callerOf(ctx); !from.local && from.Role != wire.RoleOperator {
		request.Act = ledger.Staffed{Act: act, Duties: byDirector.duties, Decides: true}
	}
	if err := bind(ctx, &request); err != nil {
		return wire.Accepted{}, err
	}
	return apply[wire.Accepted](ctx, c, request)
}

// signIn hashes the PIN outside of the writer, one at a time: each takes some twenty megabytes and milliseconds.
func (c *Central) signIn(ctx context.Context, sign wire.SignIn) (wire.SignedIn, error) {
	request := ledger.Request{Who: sign.Operator, Where: sign.Desk}
	if err := bind(ctx, &request); err != nil {
		return wire.SignedIn{}, err
	}
	salt, err := read(ctx, c, func(view kv.Reader) ([]byte, error) { return c.books.Salt(view, sign.Operator) })
	if err != nil {
		return wire.SignedIn{}, err
	}
	c.proving.Lock()
	proof := ledger.Prove(sign.PIN, salt)
	c.proving.Unlock()
	request.Act = ledger.SignIn{Operator: sign.Operator, Proof: proof, Decides: sign.Decides}
	return apply[wire.SignedIn](ctx, c, request)
}
