package central

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"reelkiosk/store/kv"
	"reelkiosk/store/ledger"
	"reelkiosk/store/tournament"
	"reelkiosk/store/trust"
	"reelkiosk/store/wire"
)

// codeUse is what the key is derived for that makes codes of their seeds.
const codeUse = "enrolment codes"

// kioskInput names a kiosk in a path.
type kioskInput struct {
	Key  string `header:"Reelkiosk-Key" required:"true" doc:"ENROLMENT/SEQUENCE, made and persisted before it is sent"`
	Name string `path:"name" maxLength:"32"`
	Body wire.KioskDecision
}

func (c *Central) addKiosks(api huma.API) {
	huma.Register(api, operation(http.MethodPost, wire.PathCodes, "issue-code",
		"Make a one-time code by which a kiosk or a desk is enrolled", http.StatusForbidden, http.StatusConflict), answering(c, c.issueCode))
	huma.Register(api, operation(http.MethodPost, wire.PathEnrolments, "enrol",
		"Be enrolled by a code", http.StatusForbidden, http.StatusNotFound, http.StatusConflict), answering(c, c.enrol))
	huma.Register(api, operation(http.MethodPost, wire.PathCertificate, "renew",
		"Have the certificate of the connection renewed", http.StatusForbidden), answering(c, c.renew))
	huma.Register(api, operation(http.MethodPost, wire.PathHello, "hello",
		"Say hello after a start, and get the keys", http.StatusForbidden), answering(c, c.hello))
	huma.Register(api, operation(http.MethodGet, wire.PathKiosks, "kiosks", "List kiosks and desks"), answering(c, c.listKiosks))
	for path, act := range map[string]func(name string, body wire.KioskDecision) ledger.Act{
		"revoke": func(name string, body wire.KioskDecision) ledger.Act {
			return ledger.Revoke{Kiosk: name, Why: body.Why}
		},
		"retire": func(name string, body wire.KioskDecision) ledger.Act {
			return ledger.Retire{Kiosk: name, Why: body.Why}
		},
		"approve": func(name string, body wire.KioskDecision) ledger.Act {
			return ledger.Approve{Kiosk: name, Why: body.Why}
		},
	} {
		op := operation(http.MethodPost, wire.PathKiosks+"/{name}/"+path, path+"-kiosk", decisions[path], http.StatusForbidden, http.StatusConflict)
		huma.Register(api, op, answering(c, func(ctx context.Context, in *kioskInput) (wire.Accepted, error) {
			request, err := keyed(ctx, in.Key, act(in.Name, in.Body), in.Body.Operator)
			if err != nil {
				return wire.Accepted{}, err
			}
			accepted, err := apply[wire.Accepted](ctx, c, request)
			if err == nil && path != "approve" {
				c.log.Info("kiosk let go", "kiosk", in.Name, "how", path)
				c.present.cut(ctx, in.Name)
			}
			return accepted, err
		}))
	}
}

// decisions say what each decision about a kiosk is.
var decisions = map[string]string{
	"revoke":  "Take a kiosk's right to speak",
	"retire":  "Take a kiosk out of use for good",
	"approve": "Let a kiosk have its keys that waits for it",
}

// keyed returns an operator's request of this module's acts, with its key.
func keyed(ctx context.Context, key string, act ledger.Act, operator string) (ledger.Request, error) {
	parsed, err := parseKey(key)
	if err != nil {
		return ledger.Request{}, err
	}
	request := ledger.Request{Key: parsed, Body: bodyHash(ctx), Act: act, Who: operator}
	return request, bind(ctx, &request)
}

// code makes the code of a seed. Only central's keys lead from the one to the other.
func (c *Central) code(seed []byte) (tournament.EnrolmentCode, error) {
	key := c.options.Vault.Derive(codeUse)
	mac := hmac.New(sha256.New, key[:])
	mac.Write(seed)
	return tournament.NewEnrolmentCode(bytes.NewReader(mac.Sum(nil)))
}

type codeInput struct {
	Key  string `header:"Reelkiosk-Key" required:"true" doc:"ENROLMENT/SEQUENCE, made and persisted before it is sent"`
	Body wire.NewCode
}

func (c *Central) issueCode(ctx context.Context, in *codeInput) (wire.Code, error) {
	seed := make([]byte, 16)
	if _, err := io.ReadFull(c.options.Random, seed); err != nil {
		return wire.Code{}, fmt.Errorf("drawing a code: %w", err)
	}
	code, err := c.code(seed)
	if err != nil {
		return wire.Code{}, err
	}
	act := ledger.IssueCode{
		Kiosk: in.Body.Kiosk, Role: in.Body.Role, ID: trust.SecretsOf(code).ID, Seed: seed, Operator: in.Body.Operator,
	}
	request, err := keyed(ctx, in.Key, act, in.Body.Operator)
	if err != nil {
		return wire.Code{}, err
	}
	made, err := apply[ledger.CodeMade](ctx, c, request)
	if err != nil {
		return wire.Code{}, err
	}
	// An answer that is given again is of the first seed.
	if code, err = c.code(made.Seed); err != nil {
		return wire.Code{}, err
	}
	return wire.Code{Code: string(code), Until: made.Until, Replaces: made.Replaces}, nil
}

// enrol takes a kiosk in. It is the one call that needs no certificate: the code stands for it.
func (c *Central) enrol(ctx context.Context, in *input[wire.Enrol]) (wire.Enrolled, error) {
	if c.options.Authority == nil {
		return wire.Enrolled{}, tournament.NotAllowed.Refuse()
	}
	seed, err := read(ctx, c, func(view kv.Reader) ([]byte, error) { return c.books.CodeSeed(view, in.Body.Code) })
	if err != nil {
		return wire.Enrolled{}, err
	}
	if seed == nil {
		return wire.Enrolled{}, tournament.CodeUnknown.Refuse()
	}
	code, err := c.code(seed)
	if err != nil {
		return wire.Enrolled{}, err
	}
	secrets := trust.SecretsOf(code)
	asked, malformed := trust.ParseRequest(in.Body.Request)
	act := ledger.Enrol{
		Code: in.Body.Code, Key: asked.Key, Enrolment: in.Body.Enrolment, Proven: malformed == nil && secrets.Proven(in.Body),
	}
	known, err := apply[*ledger.Kiosk](ctx, c, ledger.Request{Who: "system", Where: "enrolment", Act: act})
	if err != nil {
		return wire.Enrolled{}, err
	}
	certificate, err := c.options.Authority.Issue(asked, known.Name, known.Role, c.now())
	if err != nil {
		return wire.Enrolled{}, err
	}
	c.log.Info("enrolled", "kiosk", known.Name, "role", known.Role)
	c.present.cut(ctx, known.Name) // whoever had the name before
	answer := wire.Enrolled{Authority: c.options.Authority.Certificate(), Certificate: certificate}
	answer.Proof = secrets.Prove(in.Body, answer)
	return answer, nil
}

// renew makes the caller's certificate anew, for the same key. Nothing of it is in the books: who may speak has not changed.
func (c *Central) renew(ctx context.Context, _ *struct{}) (wire.Renewed, error) {
	from := callerOf(ctx)
	if from.certificate == nil || c.options.Authority == nil {
		return wire.Renewed{}, tournament.NotEnrolled.Refuse()
	}
	now, err := c.clock.check()
	if err != nil {
		return wire.Renewed{}, err // a certificate from the wrong year would be good until then
	}
	certificate, err := c.options.Authority.Renew(from.certificate, now)
	if err != nil {
		return wire.Renewed{}, err
	}
	c.log.Info("certificate renewed", "kiosk", from.Name, "role", from.Role)
	return wire.Renewed{Certificate: certificate}, nil
}

// hello gives a kiosk its keys after a start, unless it has to wait for a technician (design decision 6).
func (c *Central) hello(ctx context.Context, in *input[wire.Hello]) (wire.Welcome, error) {
	from := callerOf(ctx)
	if from.Name == "" {
		return wire.Welcome{}, tournament.NotEnrolled.Refuse()
	}
	known, err := read(ctx, c, func(view kv.Reader) (*ledger.Kiosk, error) { return c.books.KioskNamed(view, from.Name) })
	if err != nil {
		return wire.Welcome{}, err
	}
	if known == nil {
		return wire.Welcome{}, tournament.NotEnrolled.Refuse()
	}
	if in.Body.Instance != known.Instance {
		if c.present.older(ctx, from.Name) {
			// A process that has ended may have left its hello on the way; whoever lives comes again over a new connection.
			return wire.Welcome{}, wire.NewProblem(wire.ProblemHello, http.StatusServiceUnavailable, "A later start has said hello")
		}
		c.present.greet(from.Name)
	}
	now, err := c.clock.check()
	if err != nil {
		return wire.Welcome{}, err
	}
	act := ledger.Hello{
		Kiosk: from.Name, Instance: in.Body.Instance, Boot: in.Body.Boot, Version: in.Body.Version, Enrolment: in.Body.Enrolment,
		Holds: c.holds(in.Body), Silent: silent(known, c.present.contact(from.Name), now),
	}
	_, err = apply[*ledger.Kiosk](ctx, c, ledger.Request{Who: "system", Where: from.Name, Act: act})
	if refusal, refused := errors.AsType[*tournament.Refusal](err); in.Body.Instance != known.Instance && (err == nil || refused) {
		c.present.cut(ctx, from.Name) // what an earlier start still reads
		if refused && refusal.Reason == tournament.KioskCloned {
			c.log.Warn("two live kiosks have one identity; both are refused until one is enrolled anew", "kiosk", from.Name)
		}
	}
	if err != nil {
		return wire.Welcome{}, err
	}
	c.present.heard(from.Name, now)
	c.keepContacts(now)
	floor := c.options.Vault.Floor(c.options.Floor)
	welcome := wire.Welcome{Lookup: floor.Lookup[:], Floor: floor.Data[:], Number: c.options.Floor, ServerTime: c.now()}
	welcome.Sequence, err = read(ctx, c, func(view kv.Reader) (uint64, error) {
		sequence, _, err := ledger.Last(view)
		return sequence, err
	})
	return welcome, err
}

// holds reports whether a kiosk proves that it has the floor key, or the one before it, still.
func (c *Central) holds(said wire.Hello) bool {
	for number := c.options.Floor; number > 0 && number+1 >= c.options.Floor; number-- {
		if hmac.Equal(said.Holds, trust.Holds(c.options.Vault.Floor(number).Data, said.Instance, said.Boot)) {
			return true
		}
	}
	return false
}

func (c *Central) listKiosks(ctx context.Context, _ *struct{}) (wire.Kiosks, error) {
	granted := map[string]int{}
	all, err := read(ctx, c, func(view kv.Reader) (all []ledger.Kiosk, err error) {
		if all, err = c.books.Kiosks(view); err != nil {
			return nil, err
		}
		for _, one := range all {
			if granted[one.Name], err = c.books.GrantedTo(view, one.Name); err != nil {
				return nil, err
			}
		}
		return all, nil
	})
	listed := wire.Kiosks{Kiosks: make([]wire.Kiosk, 0, len(all)), ServerTime: c.now(), Central: c.conditions(ctx)}
	zone := c.options.Definition.Zone
	for _, one := range all {
		health, told := c.reports.of(one.Name)
		listed.Kiosks = append(listed.Kiosks, wire.Kiosk{
			Name: one.Name, Role: one.Role, State: one.State, Version: one.Version, Why: one.Why, Enrolled: one.Enrolled,
			Started: one.Started, Contact: c.present.contact(one.Name).In(zone), Granted: granted[one.Name],
			Health: health, Told: told,
		})
	}
	return listed, err
}
