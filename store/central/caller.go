package central

import (
	"context"
	"crypto/x509"
	"net/http"
	"slices"
	"strings"

	"reelkiosk/store/kv"
	"reelkiosk/store/ledger"
	"reelkiosk/store/tournament"
	"reelkiosk/store/trust"
	"reelkiosk/store/wire"
)

// caller is who makes a request, as its certificate says.
type caller struct {
	trust.Peer
	certificate *x509.Certificate
	// local is a caller on this machine without TLS, in a demonstration: whatever it says of itself is believed.
	local bool
	// enrolment is the first half of the keys that a kiosk or a desk may use.
	enrolment string
}

type callerKey struct{}

func callerOf(ctx context.Context) caller {
	found, _ := ctx.Value(callerKey{}).(caller)
	return found
}

// guarded lets only those requests into the API that their callers may make, before their bodies are read.
func (c *Central) guarded(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, pattern := mux.Handler(r)
		from, err := c.admit(r, pattern)
		if err != nil {
			c.shut(w, r, err)
			return
		}
		ctx, leave := c.present.enter(context.WithValue(r.Context(), callerKey{}, from), from.Name)
		defer leave()
		c.serveWhole(w, r.WithContext(ctx), mux)
	})
}

// shut answers a request that is not let in, and ends its connection, so that whoever comes again shows a certificate again.
func (c *Central) shut(w http.ResponseWriter, r *http.Request, err error) {
	w.Header().Set("Connection", "close")
	c.arrivals.refuse(r)
	problem := c.problem(err)
	if problem.Kind() == wire.ProblemInternal {
		problem.Request = w.Header().Get("Request-Id")
		c.log.Error("a caller could not be looked up", "request", problem.Request, "error", err)
	}
	c.log.Info("not let in", "from", r.RemoteAddr, "path", r.URL.Path, "reason", problem.Kind())
	writeProblem(w, problem)
}

// admit says who makes a request. The error says why it is not let in.
func (c *Central) admit(r *http.Request, pattern string) (caller, error) {
	if r.TLS == nil {
		return caller{local: true}, nil // Serve was given a listener of this machine alone
	}
	var from caller
	if len(r.TLS.PeerCertificates) > 0 {
		from.certificate = r.TLS.PeerCertificates[0]
		var err error
		if from.Peer, err = trust.PeerOf(from.certificate); err != nil {
			return caller{}, tournament.NotEnrolled.Refuse()
		}
	}
	if now, suspect := c.clock.check(); from.certificate != nil && suspect == nil && from.Expired(now) {
		return caller{}, tournament.CertificateExpired.Refuse().At(from.Until)
	}
	if pattern != "/" && !allows(pattern, from.Role) {
		return caller{}, tournament.NotAllowed.Refuse()
	}
	if from.certificate == nil {
		return from, nil
	}
	known, err := read(r.Context(), c, func(view kv.Reader) (*ledger.Kiosk, error) { return c.books.KioskNamed(view, from.Name) })
	if err != nil {
		return caller{}, err
	}
	if err := c.recognise(&from, known, r, pattern); err != nil {
		return caller{}, err
	}
	if !strings.HasSuffix(pattern, " "+wire.PathHello) { // which asks first how long it was silent
		c.present.heard(from.Name, c.now())
		c.keepContacts(c.now())
	}
	return from, nil
}

// recognise holds a certificate against the books. An operator needs no record in them, but may have one as revoked.
func (c *Central) recognise(from *caller, known *ledger.Kiosk, r *http.Request, pattern string) error {
	if known != nil && known.Refusal() != nil && (known.Key == from.Key || from.Role == wire.RoleOperator) {
		return known.Refusal()
	}
	if from.Role == wire.RoleOperator {
		return nil
	}
	if known == nil || known.Role != from.Role || known.Key != from.Key {
		return tournament.NotEnrolled.Refuse()
	}
	from.enrolment = known.Enrolment
	if strings.HasSuffix(pattern, " "+wire.PathHello) {
		return nil
	}
	switch instance := r.Header.Get(wire.HeaderInstance); {
	case instance == known.Instance && instance != "":
		if known.State == wire.KioskWaiting && !strings.HasSuffix(pattern, " "+wire.PathCertificate) {
			return tournament.ApprovalNeeded.Refuse()
		}
		return nil
	case slices.Contains(known.Past, instance) && !c.present.older(r.Context(), from.Name):
		return c.cloned(r.Context(), from.Name, instance)
	}
	return wire.NewProblem(wire.ProblemHello, http.StatusServiceUnavailable, "Say hello first, then send it again")
}

// cloned records that an instance of a kiosk called after a later one had said hello. It came over a connection that was
// made after that hello: nothing that a dead process had left on its way can do that.
func (c *Central) cloned(ctx context.Context, name, instance string) error {
	_, err := apply[wire.Accepted](ctx, c, ledger.Request{
		Who: "system", Where: name, Act: ledger.Cloned{Kiosk: name, Instance: instance},
	})
	if err != nil {
		return err
	}
	c.log.Warn("two live kiosks have one identity; both are refused until one is enrolled anew", "kiosk", name)
	c.present.cut(ctx, name)
	return tournament.KioskCloned.Refuse()
}

// bind makes a request its caller's: what it says of where it was made must be true, and its key the caller's own.
func bind(ctx context.Context, request *ledger.Request) error {
	from := callerOf(ctx)
	if from.local {
		if request.Where == "" {
			request.Where = "operator"
		}
		return nil
	}
	if from.Role != wire.RoleOperator && request.Where != "" && request.Where != from.Name {
		return tournament.NotAllowed.Refuse()
	}
	request.Where = from.Name
	if request.Key != (wire.Key{}) && !ownKey(from, request.Key.Enrolment) {
		return tournament.NotAllowed.Refuse()
	}
	return nil
}

// ownKey reports whether a caller may use keys of an enrolment: a kiosk those of its own, an operator those that can be no
// kiosk's.
func ownKey(from caller, enrolment string) bool {
	if from.Role == wire.RoleOperator {
		return !wire.OfKiosk(enrolment)
	}
	return enrolment == from.enrolment
}
