package central

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"reelkiosk/store/client"
	"reelkiosk/store/ledger"
	"reelkiosk/store/tournament"
	"reelkiosk/store/trust"
	"reelkiosk/store/wire"
)

// guardedHouse is a house whose central speaks TLS, with an operator at hand.
type guardedHouse struct {
	*house
	url       string
	operator  *client.Client
	authority *trust.Authority
}

func newGuardedHouse(t *testing.T) *guardedHouse {
	t.Helper()
	authority, err := trust.CreateAuthority(filepath.Join(t.TempDir(), "authority.pem"), [32]byte{1}, "Ridge", noon)
	if err != nil {
		t.Fatal(err)
	}
	g := &guardedHouse{authority: authority}
	g.house = newHouse(t, func(o *Options) { o.Authority = authority })
	listener, err := g.options.ListenTLS("127.0.0.1:0", nil)
	if err != nil {
		t.Fatal(err)
	}
	go g.Serve(listener)
	g.url = "https://" + listener.Addr().String()
	g.operator = g.through(g.identity("lindiwe", wire.RoleOperator), "")
	return g
}

// identity makes an identity that the books may know nothing of.
func (g *guardedHouse) identity(name string, role wire.Role) *trust.Bearer {
	g.Helper()
	g.mu.Lock()
	now := g.wall
	g.mu.Unlock()
	made, err := g.authority.NewIdentity(name, role, now)
	if err != nil {
		g.Fatal(err)
	}
	return g.bearer(made)
}

func (g *guardedHouse) bearer(identity *trust.Identity) *trust.Bearer {
	g.Helper()
	path := filepath.Join(g.TempDir(), "identity.pem")
	if err := identity.Save(path); err != nil {
		g.Fatal(err)
	}
	bearer, err := trust.NewBearer(path)
	if err != nil {
		g.Fatal(err)
	}
	return bearer
}

// through returns a client of the guarded address; without a bearer it shows no certificate.
func (g *guardedHouse) through(bearer *trust.Bearer, instance string) *client.Client {
	g.Helper()
	options := client.Options{TLS: trust.ApplicantConfig(), Instance: instance}
	if bearer != nil {
		options.TLS = bearer.TLS()
	}
	made, err := client.New(g.url, options)
	if err != nil {
		g.Fatal(err)
	}
	g.Cleanup(made.Close)
	return made
}

func (g *guardedHouse) operatorKey() client.Key {
	return client.Key{Enrolment: "reelctl-test", Sequence: g.keys.Add(1)}
}

func (g *guardedHouse) code(name string, role wire.Role) tournament.EnrolmentCode {
	g.Helper()
	made, err := g.operator.IssueCode(g.Context(), g.operatorKey(), wire.NewCode{Kiosk: name, Role: role, Operator: "lindiwe"})
	if err != nil {
		g.Fatal(err)
	}
	code, err := tournament.ParseEnrolmentCode(made.Code)
	if err != nil {
		g.Fatal(err)
	}
	return code
}

// guest is an enrolled kiosk or desk.
type guest struct {
	*client.Client
	g                   *guardedHouse
	bearer              *trust.Bearer
	enrolment, instance string
	keys                uint64
	welcome             wire.Welcome
}

func draw(t *testing.T) string {
	t.Helper()
	return strings.ToLower(rand.Text()) // 26 symbols of base 32
}

// enrols enrols a kiosk or a desk by a code, which says hello.
func (g *guardedHouse) enrols(name string, role wire.Role) *guest {
	g.Helper()
	enrolment := draw(g.T)
	applicant, err := trust.NewApplicant(g.code(name, role), enrolment, rand.Reader)
	if err != nil {
		g.Fatal(err)
	}
	answer, err := g.through(nil, "").Enrol(g.Context(), applicant.Request())
	if err != nil {
		g.Fatal(err)
	}
	identity, err := applicant.Accept(answer)
	if err != nil {
		g.Fatal(err)
	}
	one := g.starts(&guest{g: g, bearer: g.bearer(identity), enrolment: enrolment})
	if err := one.hello(boot1); err != nil {
		g.Fatal(err)
	}
	return one
}

const (
	boot1 = "11111111-1111-1111-1111-111111111111"
	boot2 = "22222222-2222-2222-2222-222222222222"
)

// starts returns another start of a kiosk, which has said nothing yet.
func (g *guardedHouse) starts(from *guest) *guest {
	instance := draw(g.T)
	return &guest{
		Client: g.through(from.bearer, instance), g: g, bearer: from.bearer, enrolment: from.enrolment, instance: instance, keys: from.keys,
	}
}

// again returns the same start over a connection of its own.
func (k *guest) again() *guest {
	other := *k
	other.Client = k.g.through(k.bearer, k.instance)
	return &other
}

func (k *guest) hello(boot string) (err error) {
	k.welcome, err = k.Hello(k.g.Context(), wire.Hello{Instance: k.instance, Boot: boot, Version: "1.0", Enrolment: k.enrolment})
	return err
}

func (k *guest) key() client.Key {
	k.keys++
	return client.Key{Enrolment: k.enrolment, Sequence: k.keys}
}

func (k *guest) helps(kiosk string) error {
	_, err := k.Notice(k.g.Context(), k.key(), wire.Notice{Kind: wire.HelpCalled, Kiosk: kiosk, At: noon})
	return err
}

func wantRefused(t *testing.T, err error, reason tournament.Reason) {
	t.Helper()
	refusal, is := errors.AsType[*tournament.Refusal](err)
	if !is || refusal.Reason != reason {
		t.Errorf("got %v, want %s", err, reason)
	}
}

func TestAnEnrolledKioskSaysHelloAndWorks(t *testing.T) {
	g := newGuardedHouse(t)
	kiosk := g.enrols("kiosk-1", wire.RoleKiosk)
	floor := g.options.Vault.Floor(1)
	if string(kiosk.welcome.Lookup) != string(floor.Lookup[:]) || string(kiosk.welcome.Floor) != string(floor.Data[:]) || kiosk.welcome.Number != 1 {
		t.Errorf("got the keys %+v", kiosk.welcome)
	}
	if err := kiosk.helps("kiosk-1"); err != nil {
		t.Error(err)
	}
	events, err := g.operator.Events(t.Context(), 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	var last ledger.Event
	if err := json.Unmarshal(events[len(events)-1], &last); err != nil || last.Where != "kiosk-1" {
		t.Errorf("got %+v, %v", last, err)
	}
	listed, err := g.operator.Kiosks(t.Context())
	if err != nil || len(listed.Kiosks) != 1 {
		t.Fatal(listed, err)
	}
	if one := listed.Kiosks[0]; one.Name != "kiosk-1" || one.State != wire.KioskEnrolled || one.Version != "1.0" || one.Contact.IsZero() {
		t.Errorf("got %+v", one)
	}
}

func TestTheSameRequestForACodeGetsTheSameCode(t *testing.T) {
	g := newGuardedHouse(t)
	key, body := g.operatorKey(), wire.NewCode{Kiosk: "kiosk-1", Role: wire.RoleKiosk, Operator: "lindiwe"}
	first, err := g.operator.IssueCode(t.Context(), key, body)
	if err != nil {
		t.Fatal(err)
	}
	again, err := g.operator.IssueCode(t.Context(), key, body)
	if err != nil || again != first {
		t.Errorf("got %+v and %+v, %v", first, again, err)
	}
	events, err := g.operator.Events(t.Context(), 0, 100)
	if err != nil || strings.Contains(string(events[0]), first.Code) || strings.Contains(g.log.String(), first.Code) {
		t.Errorf("the code is in %s, or in the log: %v", events, err)
	}
}

func TestCodesThatDoNotEnrol(t *testing.T) {
	g := newGuardedHouse(t)
	apply := func(code tournament.EnrolmentCode) (*trust.Applicant, wire.Enrolled, error) {
		applicant, err := trust.NewApplicant(code, draw(t), rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := g.through(nil, "").Enrol(t.Context(), applicant.Request())
		return applicant, answer, err
	}
	t.Run("wrong code", func(t *testing.T) {
		wrong, _ := tournament.NewEnrolmentCode(rand.Reader)
		_, _, err := apply(wrong)
		wantRefused(t, err, tournament.CodeUnknown)
	})
	t.Run("expired code", func(t *testing.T) {
		code := g.code("kiosk-1", wire.RoleKiosk)
		g.pass(ledger.CodeLife)
		_, _, err := apply(code)
		wantRefused(t, err, tournament.CodeExpired)
	})
	t.Run("code used twice", func(t *testing.T) {
		code := g.code("kiosk-1", wire.RoleKiosk)
		first, answer, err := apply(code)
		if err != nil {
			t.Fatal(err)
		}
		// The same kiosk may not have heard the answer.
		again, err := g.through(nil, "").Enrol(t.Context(), first.Request())
		if err != nil {
			t.Fatal(err)
		}
		for _, each := range []wire.Enrolled{answer, again} {
			if _, err := first.Accept(each); err != nil {
				t.Error(err)
			}
		}
		_, _, err = apply(code)
		wantRefused(t, err, tournament.CodeUsed)
	})
	t.Run("tried without knowing it", func(t *testing.T) {
		code := g.code("kiosk-2", wire.RoleKiosk)
		other, _ := trust.NewApplicant(code, draw(t), rand.Reader)
		request := other.Request()
		request.Enrolment = draw(t)
		for range 5 {
			_, err := g.through(nil, "").Enrol(t.Context(), request)
			wantRefused(t, err, tournament.CodeUnknown)
		}
		_, _, err := apply(code)
		wantRefused(t, err, tournament.CodeSpent)
	})
}

func TestARevokedKioskIsRefusedOnALiveConnection(t *testing.T) {
	g := newGuardedHouse(t)
	kiosk := g.enrols("kiosk-1", wire.RoleKiosk)
	if err := kiosk.helps("kiosk-1"); err != nil {
		t.Fatal(err)
	}
	_, err := g.operator.RevokeKiosk(t.Context(), g.operatorKey(), "kiosk-1", wire.KioskDecision{Operator: "lindiwe", Why: "stolen"})
	if err != nil {
		t.Fatal(err)
	}
	wantRefused(t, kiosk.helps("kiosk-1"), tournament.KioskRevoked)
	wantRefused(t, kiosk.hello(boot1), tournament.KioskRevoked)
	_, err = kiosk.RenewCertificate(t.Context())
	wantRefused(t, err, tournament.KioskRevoked)
	// Enrolled again it has another key, and the old one is nobody's.
	again := g.enrols("kiosk-1", wire.RoleKiosk)
	if err := again.helps("kiosk-1"); err != nil {
		t.Error(err)
	}
	wantRefused(t, kiosk.helps("kiosk-1"), tournament.NotEnrolled)
}

// reads opens a kiosk's feed, and returns what waits for its end.
func (k *guest) reads() func() error {
	k.g.Helper()
	transport := &http.Transport{TLSClientConfig: k.bearer.TLS()}
	k.g.Cleanup(transport.CloseIdleConnections)
	request, err := http.NewRequestWithContext(k.g.Context(), http.MethodGet, k.g.url+wire.PathFeed, nil)
	if err != nil {
		k.g.Fatal(err)
	}
	request.Header.Set(wire.HeaderInstance, k.instance)
	response, err := transport.RoundTrip(request)
	if err != nil || response.StatusCode != http.StatusOK {
		k.g.Fatal(response, err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		io.Copy(io.Discard, response.Body)
		response.Body.Close()
	}()
	return func() error {
		select {
		case <-ended:
			return nil
		case <-time.After(10 * time.Second):
			return errors.New("it goes on")
		}
	}
}

func TestTheFeedOfARevokedKioskEnds(t *testing.T) {
	g := newGuardedHouse(t)
	revoked := g.enrols("kiosk-1", wire.RoleKiosk).reads()
	other, leave := g.present.enter(t.Context(), "kiosk-2")
	defer leave()
	_, err := g.operator.RevokeKiosk(t.Context(), g.operatorKey(), "kiosk-1", wire.KioskDecision{Operator: "lindiwe", Why: "stolen"})
	if err != nil {
		t.Fatal(err)
	}
	if err := revoked(); err != nil {
		t.Error(err)
	}
	if other.Err() != nil {
		t.Error("another kiosk was cut as well")
	}
}

func TestTheFeedOfAnEarlierStartEnds(t *testing.T) {
	g := newGuardedHouse(t)
	kiosk := g.enrols("kiosk-1", wire.RoleKiosk)
	earlier := kiosk.reads()
	next := g.starts(kiosk)
	if err := next.hello(boot1); err != nil {
		t.Fatal(err)
	}
	if err := earlier(); err != nil {
		t.Error(err)
	}
	// The one that reads now is cut by the clone that says hello after it.
	later := next.reads()
	wantRefused(t, kiosk.again().hello(boot1), tournament.KioskCloned)
	if err := later(); err != nil {
		t.Error(err)
	}
}

func TestAClonedKioskIsRefusedOnBothSidesAndReported(t *testing.T) {
	g := newGuardedHouse(t)
	kiosk := g.enrols("kiosk-1", wire.RoleKiosk)
	clone := g.starts(kiosk)
	if err := clone.hello(boot2); err != nil {
		t.Fatal(err)
	}
	// What is still under way on a connection from before is not held against anybody, yet nothing is done for it.
	if err := kiosk.helps("kiosk-1"); !errors.Is(err, client.ErrAway) {
		t.Errorf("on the old connection: %v", err)
	}
	wantRefused(t, kiosk.helps("kiosk-1"), tournament.KioskCloned)
	wantRefused(t, clone.helps("kiosk-1"), tournament.KioskCloned)
	cases, err := g.operator.Cases(t.Context())
	if err != nil || len(cases.Cases) != 1 || cases.Cases[0].Kind != string(ledger.CaseCloned) || !strings.Contains(cases.Cases[0].Detail, "kiosk-1") {
		t.Errorf("got %+v, %v", cases, err)
	}
}

func TestAKioskThatRestartsIsNoClone(t *testing.T) {
	g := newGuardedHouse(t)
	kiosk := g.enrols("kiosk-1", wire.RoleKiosk)
	for range 20 {
		next := g.starts(kiosk)
		if err := next.helps("kiosk-1"); !errors.Is(err, client.ErrAway) {
			t.Fatalf("before its hello: %v", err)
		}
		if err := next.hello(boot1); err != nil {
			t.Fatal(err)
		}
		// The dead process's last words arrive late.
		if err := kiosk.helps("kiosk-1"); !errors.Is(err, client.ErrAway) {
			t.Fatalf("late words: %v", err)
		}
		if err := next.helps("kiosk-1"); err != nil {
			t.Fatal(err)
		}
		kiosk = next
	}
}

func TestALateHelloOfADeadProcessIsNotAnswered(t *testing.T) {
	g := newGuardedHouse(t)
	kiosk := g.enrols("kiosk-1", wire.RoleKiosk)
	dead := g.starts(kiosk)
	// Its connection is made, and its hello is still on the way when the next process says its own.
	late := g.raceHello(dead)
	next := g.starts(kiosk)
	if err := next.hello(boot1); err != nil {
		t.Fatal(err)
	}
	if problem := late(); problem.Kind() != wire.ProblemHello {
		t.Errorf("got %+v", problem)
	}
	if err := next.helps("kiosk-1"); err != nil {
		t.Error(err)
	}
}

// raceHello opens a connection, and returns what sends a hello over it.
func (g *guardedHouse) raceHello(from *guest) func() wire.Problem {
	g.Helper()
	transport := &http.Transport{TLSClientConfig: from.bearer.TLS()}
	g.Cleanup(transport.CloseIdleConnections)
	over := &http.Client{Transport: transport}
	send := func(path, body string) *http.Response {
		request, err := http.NewRequestWithContext(g.Context(), http.MethodPost, g.url+path, strings.NewReader(body))
		if err != nil {
			g.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/json")
		response, err := over.Do(request)
		if err != nil {
			g.Fatal(err)
		}
		return response
	}
	// A malformed hello is answered, and leaves the connection open.
	response := send(wire.PathHello, "{}")
	io.Copy(io.Discard, response.Body)
	response.Body.Close()
	return func() (problem wire.Problem) {
		hello, err := json.Marshal(wire.Hello{Instance: from.instance, Boot: boot1, Enrolment: from.enrolment})
		if err != nil {
			g.Fatal(err)
		}
		response := send(wire.PathHello, string(hello))
		defer response.Body.Close()
		if err := json.NewDecoder(response.Body).Decode(&problem); err != nil {
			g.Fatal(err)
		}
		return problem
	}
}

func TestARebootAfterALongSilenceWaitsForATechnician(t *testing.T) {
	g := newGuardedHouse(t)
	kiosk := g.enrols("kiosk-1", wire.RoleKiosk)
	g.pass(ledger.LongSilence)
	next := g.starts(kiosk)
	wantRefused(t, next.hello(boot2), tournament.ApprovalNeeded)
	wantRefused(t, next.helps("kiosk-1"), tournament.ApprovalNeeded)
	listed, err := g.operator.Kiosks(t.Context())
	if err != nil || listed.Kiosks[0].State != wire.KioskWaiting {
		t.Errorf("got %+v, %v", listed, err)
	}
	if _, err := g.operator.ApproveKiosk(t.Context(), g.operatorKey(), "kiosk-1", wire.KioskDecision{Operator: "lindiwe"}); err != nil {
		t.Fatal(err)
	}
	if err := next.hello(boot2); err != nil || len(next.welcome.Floor) != 32 {
		t.Errorf("got %+v, %v", next.welcome, err)
	}
}

func TestAKioskThatProvesItsKeysNeedsNoTechnician(t *testing.T) {
	g := newGuardedHouse(t)
	kiosk := g.enrols("kiosk-1", wire.RoleKiosk)
	g.pass(ledger.LongSilence)
	next := g.starts(kiosk)
	said := wire.Hello{Instance: next.instance, Boot: boot1, Enrolment: next.enrolment}
	said.Holds = trust.Holds([32]byte(kiosk.welcome.Floor), said.Instance, said.Boot)
	if _, err := next.Hello(t.Context(), said); err != nil {
		t.Error(err)
	}
}

func TestContactsOutliveARestartOfCentral(t *testing.T) {
	g := newGuardedHouse(t)
	kiosk := g.enrols("kiosk-1", wire.RoleKiosk)
	for range 3 {
		g.pass(10 * time.Hour)
		if err := kiosk.helps("kiosk-1"); err != nil {
			t.Fatal(err)
		}
	}
	await(t, func() bool {
		stored, err := openPresence(g.writer.store)
		return err == nil && stored.contact("kiosk-1").Equal(noon.Add(30*time.Hour))
	})
}

func TestACertificateIsRenewedBeforeItExpires(t *testing.T) {
	g := newGuardedHouse(t)
	kiosk := g.enrols("kiosk-1", wire.RoleKiosk)
	before := kiosk.bearer.Identity().Until
	now := func() time.Time { g.mu.Lock(); defer g.mu.Unlock(); return g.wall }
	renew := func() (bool, error) { return kiosk.bearer.Renew(t.Context(), now(), kiosk.RenewCertificate) }
	g.pass(19 * 24 * time.Hour)
	if done, err := renew(); done || err != nil {
		t.Errorf("on day 19: %v, %v", done, err)
	}
	g.pass(2 * 24 * time.Hour)
	if done, err := renew(); !done || err != nil {
		t.Fatalf("on day 21: %v, %v", done, err)
	}
	if got := kiosk.bearer.Identity().Until.Sub(before); got != 21*24*time.Hour {
		t.Errorf("it lasts %v longer", got)
	}
	// Past the first certificate's end the connection of before is no good, and a new one shows the new certificate.
	g.pass(12 * 24 * time.Hour)
	wantRefused(t, kiosk.helps("kiosk-1"), tournament.CertificateExpired)
	if err := kiosk.helps("kiosk-1"); err != nil {
		t.Error(err)
	}
}

func TestAnExpiredCertificateIsRefused(t *testing.T) {
	g := newGuardedHouse(t)
	kiosk := g.enrols("kiosk-1", wire.RoleKiosk)
	g.pass(trust.Lifetime)
	wantRefused(t, kiosk.helps("kiosk-1"), tournament.CertificateExpired)
	_, err := kiosk.RenewCertificate(t.Context())
	wantRefused(t, err, tournament.CertificateExpired)
}

func TestACentralInTheWrongYearCanBeToldSo(t *testing.T) {
	g := newGuardedHouse(t)
	kiosk := g.enrols("kiosk-1", wire.RoleKiosk)
	g.set(noon.AddDate(3, 0, 0))
	wantRefused(t, kiosk.helps("kiosk-1"), tournament.ClockSuspect)
	_, err := kiosk.RenewCertificate(t.Context())
	wantRefused(t, err, tournament.ClockSuspect)
	g.set(noon.Add(time.Minute))
	if _, err := g.operator.ConfirmClock(t.Context(), wire.ConfirmClock{Operator: "lindiwe"}); err != nil {
		t.Error(err)
	}
	if err := kiosk.helps("kiosk-1"); err != nil {
		t.Error(err)
	}
}

func TestADeskCannotCallOperatorPaths(t *testing.T) {
	g := newGuardedHouse(t)
	desk := g.enrols("desk-1", wire.RoleDesk)
	kiosk := g.enrols("kiosk-1", wire.RoleKiosk)
	nobody := g.through(nil, "")
	for name, call := range map[string]func(*client.Client, client.Key) error{
		"codes": func(c *client.Client, key client.Key) error {
			_, err := c.IssueCode(t.Context(), key, wire.NewCode{Kiosk: "k", Role: wire.RoleKiosk, Operator: "x"})
			return err
		},
		"revoking": func(c *client.Client, key client.Key) error {
			_, err := c.RevokeKiosk(t.Context(), key, "kiosk-1", wire.KioskDecision{Operator: "x", Why: "y"})
			return err
		},
		"events":  func(c *client.Client, _ client.Key) error { _, err := c.Events(t.Context(), 0, 1); return err },
		"entries": func(c *client.Client, _ client.Key) error { _, err := c.Entries(t.Context(), "", 1); return err },
		"the clock": func(c *client.Client, _ client.Key) error {
			_, err := c.ConfirmClock(t.Context(), wire.ConfirmClock{Operator: "x"})
			return err
		},
	} {
		wantRefused(t, call(desk.Client, desk.key()), tournament.NotAllowed)
		wantRefused(t, call(kiosk.Client, kiosk.key()), tournament.NotAllowed)
		wantRefused(t, call(nobody, g.operatorKey()), tournament.NotAllowed)
		if t.Failed() {
			t.Fatalf("%s: see above", name)
		}
	}
	if _, err := desk.Cases(t.Context()); err != nil {
		t.Errorf("a desk asks for cases: %v", err)
	}
	_, err := kiosk.Cases(t.Context())
	wantRefused(t, err, tournament.NotAllowed)
	_, err = g.operator.Identify(t.Context(), wire.Identify{Document: document(1), Kiosk: "kiosk-1"})
	wantRefused(t, err, tournament.NotAllowed)
	_, err = nobody.Health(t.Context())
	wantRefused(t, err, tournament.NotAllowed)
}

func TestABodyThatNamesAnotherKioskIsRefused(t *testing.T) {
	g := newGuardedHouse(t)
	kiosk := g.enrols("kiosk-1", wire.RoleKiosk)
	other := g.enrols("kiosk-2", wire.RoleKiosk)
	wantRefused(t, kiosk.helps("kiosk-2"), tournament.NotAllowed)
	_, err := kiosk.Identify(t.Context(), wire.Identify{Document: document(1), Kiosk: "kiosk-2"})
	wantRefused(t, err, tournament.NotAllowed)
	// Nor may it use the keys of another, or an operator's.
	for _, enrolment := range []string{other.enrolment, "reelctl-x", draw(t)} {
		_, err := kiosk.Notice(t.Context(), client.Key{Enrolment: enrolment, Sequence: 99}, wire.Notice{Kind: wire.HelpCalled, Kiosk: "kiosk-1", At: noon})
		wantRefused(t, err, tournament.NotAllowed)
	}
	_, err = g.operator.RevokeKiosk(t.Context(), kiosk.key(), "kiosk-1", wire.KioskDecision{Operator: "x", Why: "y"})
	wantRefused(t, err, tournament.NotAllowed)
}

func TestARevokedOperatorIsRefused(t *testing.T) {
	g := newGuardedHouse(t)
	second := g.through(g.identity("sipho", wire.RoleOperator), "")
	_, err := second.RevokeKiosk(t.Context(), g.operatorKey(), "lindiwe", wire.KioskDecision{Operator: "sipho", Why: "left"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = g.operator.Kiosks(t.Context())
	wantRefused(t, err, tournament.KioskRevoked)
	if _, err := second.Kiosks(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestACertificateThatNoCodeGaveIsRefused(t *testing.T) {
	g := newGuardedHouse(t)
	forged := g.through(g.identity("kiosk-1", wire.RoleKiosk), draw(t))
	_, err := forged.Health(t.Context())
	wantRefused(t, err, tournament.NotEnrolled)
	g.enrols("kiosk-1", wire.RoleKiosk)
	_, err = forged.Health(t.Context())
	wantRefused(t, err, tournament.NotEnrolled)
}

func TestACentralOfAnotherHouseIsNotSpokenTo(t *testing.T) {
	g, other := newGuardedHouse(t), newGuardedHouse(t)
	kiosk := g.enrols("kiosk-1", wire.RoleKiosk)
	lost, err := client.New(other.url, client.Options{TLS: kiosk.bearer.TLS(), Instance: kiosk.instance})
	if err != nil {
		t.Fatal(err)
	}
	defer lost.Close()
	if _, err := lost.Health(context.Background()); !errors.Is(err, client.ErrAway) || !errors.Is(err, trust.ErrNoCentral) {
		t.Errorf("got %v", err)
	}
}

// TestEachCallHasItsRoles holds the table of roles against the API's description.
func TestEachCallHasItsRoles(t *testing.T) {
	h := newHouse(t)
	var description struct {
		Paths map[string]map[string]any `json:"paths"`
	}
	if err := json.NewDecoder(h.raw("GET", wire.PathOpenAPI, "").Body).Decode(&description); err != nil {
		t.Fatal(err)
	}
	described := []string{http.MethodGet + " " + wire.PathOpenAPI}
	for path, methods := range description.Paths {
		for method := range methods {
			described = append(described, strings.ToUpper(method)+" "+path)
		}
	}
	for _, pattern := range described {
		if len(allowed[pattern]) == 0 {
			t.Errorf("%s is allowed to nobody: roles.go needs a row", pattern)
		}
	}
	for pattern, roles := range allowed {
		if !slices.Contains(described, pattern) {
			t.Errorf("%s has roles and is no call", pattern)
		}
		if slices.Contains(roles, nobody) && pattern != "POST "+wire.PathEnrolments {
			t.Errorf("%s is allowed without a certificate", pattern)
		}
	}
}
