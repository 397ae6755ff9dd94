package kiosk

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"reelkiosk/assets"
	"reelkiosk/store/central"
	"reelkiosk/store/client"
	"reelkiosk/store/condition"
	"reelkiosk/store/definition"
	"reelkiosk/store/replica"
	"reelkiosk/store/tournament"
	"reelkiosk/store/trust"
	"reelkiosk/store/vault"
	"reelkiosk/store/wire"
)

// castle is a house whose central speaks TLS, with an operator, and kiosks without devices.
type castle struct {
	*testing.T
	folder   string
	options  central.Options
	url      string
	operator *client.Client
	keys     atomic.Uint64
	// ahead is how far central's clocks are ahead of the machine's.
	ahead atomic.Int64
	// refresh is how often kiosks ask for heats.
	refresh time.Duration
	log     lockedBuffer
}

func newCastle(t *testing.T) *castle {
	t.Helper()
	c := &castle{T: t, folder: t.TempDir(), refresh: 20 * time.Millisecond}
	c.define()
	data, keys := filepath.Join(c.folder, "central"), filepath.Join(c.folder, "central.keys")
	_, err := central.Prepare(data, keys, filepath.Join(c.folder, "demo.toml"))
	c.must(err)
	c.options, err = central.Load(data, keys, "")
	c.must(err)
	c.options.Wall = func() time.Time { return time.Now().Add(time.Duration(c.ahead.Load())) }
	c.options.Elapsed = func() time.Duration { return SinceBoot() + time.Duration(c.ahead.Load()) }
	served, err := central.New(c.options)
	c.must(err)
	listener, err := c.options.ListenTLS("127.0.0.1:0", nil)
	c.must(err)
	var serving sync.WaitGroup
	serving.Go(func() { _ = served.Serve(listener) })
	t.Cleanup(func() {
		c.must(served.Stop(context.Background()))
		serving.Wait()
	})
	c.url = "https://" + listener.Addr().String()
	identity, err := central.NewOperator(data, keys, "lindiwe")
	c.must(err)
	path := filepath.Join(c.folder, "operator.pem")
	c.must(identity.Save(path))
	bearer, err := trust.NewBearer(path)
	c.must(err)
	c.operator, err = client.New(c.url, client.Options{TLS: bearer.TLS()})
	c.must(err)
	t.Cleanup(c.operator.Close)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the kiosk's log:\n%s", c.log.String())
		}
	})
	return c
}

// leaveNothing fails where something still runs when the test has ended.
func leaveNothing(t *testing.T) {
	leaks := goleak.IgnoreCurrent()
	t.Cleanup(func() { goleak.VerifyNone(t, leaks) })
}

func (c *castle) must(err error) {
	c.Helper()
	if err != nil {
		c.Fatal(err)
	}
}

// define writes the demo's tournament around today.
func (c *castle) define() {
	const name, rules = "tournaments/demo.toml", "tournaments/ridge-rules.txt"
	text, err := assets.Tournaments.ReadFile(name)
	c.must(err)
	today := tournament.DateOf(time.Now())
	text, err = definition.WithPeriod(name, text, today.AddDays(-2), today.AddDays(40))
	c.must(err)
	published, err := assets.Tournaments.ReadFile(rules)
	c.must(err)
	c.must(os.WriteFile(filepath.Join(c.folder, "demo.toml"), text, 0o600))
	c.must(os.WriteFile(filepath.Join(c.folder, "ridge-rules.txt"), published, 0o600))
}

func (c *castle) key() client.Key {
	return client.Key{Enrolment: "reelctl-test", Sequence: c.keys.Add(1)}
}

func (c *castle) code(name string) tournament.EnrolmentCode {
	c.Helper()
	made, err := c.operator.IssueCode(c.Context(), c.key(), wire.NewCode{Kiosk: name, Role: wire.RoleKiosk, Operator: "lindiwe"})
	c.must(err)
	return tournament.EnrolmentCode(made.Code)
}

// lodger is a kiosk in a castle.
type lodger struct {
	*Conductor
	castle *castle
	path   string
	stop   func()
}

// identityOf and fileOf are where a kiosk's files lie.
func (c *castle) identityOf(name string) string { return filepath.Join(c.folder, name+".pem") }
func (c *castle) fileOf(name string) string     { return filepath.Join(c.folder, name+".db") }

// enrols enrols a kiosk by a code.
func (c *castle) enrols(name string) {
	c.Helper()
	file, err := replica.Open(c.fileOf(name), rand.Reader)
	c.must(err)
	enrolment := file.Enrolment()
	c.must(file.Close())
	identity, err := Enrol(c.Context(), c.url, c.code(name), enrolment, c.identityOf(name))
	c.must(err)
	if identity.Name != name || identity.Role != wire.RoleKiosk {
		c.Fatalf("enrolled as %+v", identity.Peer)
	}
}

// runs starts an enrolled kiosk with the keys that it still has, if any.
func (c *castle) runs(name string, kept *Keys) *lodger {
	c.Helper()
	bearer, err := trust.NewBearer(c.identityOf(name))
	c.must(err)
	file, err := replica.Open(c.fileOf(name), rand.Reader)
	c.must(err)
	hello := wire.Hello{
		Instance: strings.ToLower(rand.Text()), Boot: "11111111-1111-1111-1111-111111111111", Version: "test", Enrolment: file.Enrolment(),
	}
	way, err := client.New(c.url, client.Options{TLS: bearer.TLS(), Instance: hello.Instance, Timeout: 5 * time.Second})
	c.must(err)
	if kept == nil {
		kept = NewKeys()
	}
	copies := filepath.Join(c.folder, name+".copy")
	c.must(os.MkdirAll(copies, 0o700))
	log := slog.New(slog.NewJSONHandler(&c.log, nil))
	mirror := replica.NewMirror(copies, SinceBoot, log)
	l := &lodger{castle: c, path: c.identityOf(name)}
	l.Conductor = New(Parts{
		Name: name, Machine: everyday, Central: way, Replica: file, Clock: NewClock(SinceBoot), Refresh: c.refresh,
		Log: log, Trust: &Trust{Bearer: bearer, Hello: hello, Keys: kept}, Mirror: mirror, Keys: kept.Wait,
	})
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); _ = l.Run(ctx) }()
	var once sync.Once
	l.stop = func() {
		once.Do(func() {
			cancel()
			<-ended
			way.Close()
			c.must(mirror.Close())
			c.must(file.Close())
		})
	}
	c.Cleanup(l.stop)
	return l
}

// holds reports whether a condition holds.
func (l *lodger) holds(name condition.Name) bool {
	answer := make(chan bool, 1)
	l.turns <- func() { answer <- l.health.set.Holds(name) }
	return <-answer
}

func (l *lodger) await(what string, reached func() bool) {
	l.castle.Helper()
	for deadline := time.Now().Add(patience); !reached(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			l.castle.Fatalf("never came to %s", what)
		}
	}
}

// welcome waits for the keys and returns them.
func (l *lodger) welcome() vault.Keys {
	l.castle.Helper()
	ctx, cancel := context.WithTimeout(l.castle.Context(), patience)
	defer cancel()
	keys, _, err := l.Trust.Keys.Wait(ctx)
	l.castle.must(err)
	return keys
}

// silence lets so much time pass at central.
func (c *castle) silence(d time.Duration) {
	c.Helper()
	c.ahead.Add(int64(d))
	_, err := c.operator.ConfirmClock(c.Context(), wire.ConfirmClock{Operator: "lindiwe"})
	c.must(err)
}

// works waits until central has taken what the kiosk tells at its start (no reader, no scanner, no printer) and has given it
// heats, so that nothing is on its way any more.
func (l *lodger) works() {
	l.castle.Helper()
	l.await("requests that are all answered", func() bool {
		return l.Replica.Settled() > 3 && len(l.Replica.Requests()) == 0 && len(l.State().Floor.Heats) > 0
	})
}

func TestAnEnrolledKioskGetsItsKeysAndWorks(t *testing.T) {
	leaveNothing(t)
	c := newCastle(t)
	c.enrols("kiosk-1")
	kiosk := c.runs("kiosk-1", nil)
	if keys := kiosk.welcome(); keys != c.options.Vault.Floor(1) {
		t.Error("the keys are not those of the floor")
	}
	kiosk.works()
	kiosk.await("a copy of the books that is kept up", kiosk.followed.Load)
	if _, known := kiosk.Clock.Now(); !known || kiosk.holds(condition.Refused) || kiosk.holds(condition.KeysWithheld) {
		t.Error("it is not well")
	}
	listed, err := c.operator.Kiosks(t.Context())
	if err != nil || len(listed.Kiosks) != 1 || listed.Kiosks[0].Version != "test" || listed.Kiosks[0].State != wire.KioskEnrolled {
		t.Errorf("got %+v, %v", listed, err)
	}
}

func TestARevokedKioskSaysSoAndKeepsWhatItHasToTell(t *testing.T) {
	leaveNothing(t)
	c := newCastle(t)
	c.enrols("kiosk-1")
	kiosk := c.runs("kiosk-1", nil)
	kiosk.welcome()
	kiosk.works()
	_, err := c.operator.RevokeKiosk(t.Context(), c.key(), "kiosk-1", wire.KioskDecision{Operator: "lindiwe", Why: "stolen"})
	c.must(err)
	kiosk.await("the condition that it is refused", func() bool { return kiosk.holds(condition.Refused) })
	if kiosk.holds(condition.LinkDown) {
		t.Error("it takes a refusal for a line that is down")
	}
	kiosk.notify(wire.Notice{Kind: wire.HelpCalled})
	kiosk.await("a notice that waits", func() bool { return len(kiosk.Replica.Requests()) > 0 })
	c.must(kiosk.courier.flush(t.Context()))
	if len(kiosk.Replica.Requests()) == 0 {
		t.Error("a refused kiosk dropped what it had to tell")
	}
	kiosk.stop()
	// Enrolled again, it tells.
	c.enrols("kiosk-1")
	again := c.runs("kiosk-1", nil)
	again.welcome()
	again.works()
}

func TestAStolenKioskWaitsForATechnician(t *testing.T) {
	leaveNothing(t)
	c := newCastle(t)
	c.refresh = time.Hour // what is still on its way when a kiosk ends would be heard of at another time
	c.enrols("kiosk-1")
	first := c.runs("kiosk-1", nil)
	first.welcome()
	first.works()
	first.stop()
	c.silence(20 * time.Hour)
	stolen := c.runs("kiosk-1", nil)
	stolen.await("the condition that keys are withheld", func() bool { return stolen.holds(condition.KeysWithheld) })
	if _, _, has := stolen.Trust.Keys.Now(); has {
		t.Fatal("it has keys")
	}
	_, err := c.operator.ApproveKiosk(t.Context(), c.key(), "kiosk-1", wire.KioskDecision{Operator: "lindiwe"})
	c.must(err)
	stolen.welcome()
	stolen.await("health", func() bool { return !stolen.holds(condition.KeysWithheld) })
	stolen.works()
	stolen.stop()
	// A process that still has the keys needs nobody, however long the silence.
	c.silence(70 * time.Hour)
	kept := NewKeys()
	kept.Take(c.options.Vault.Floor(1), 1)
	restarted := c.runs("kiosk-1", kept)
	restarted.await("its welcome", func() bool { _, known := restarted.Clock.Now(); return known })
	if restarted.holds(condition.KeysWithheld) {
		t.Error("it had to wait")
	}
}

func TestACertificateIsRenewedWhileCallsGoOn(t *testing.T) {
	leaveNothing(t)
	c := newCastle(t)
	c.enrols("kiosk-1")
	kiosk := c.runs("kiosk-1", nil)
	kiosk.welcome()
	first := kiosk.Trust.Bearer.Identity()
	ctx, cancel := context.WithCancel(t.Context())
	var calls, failed atomic.Int64
	var calling sync.WaitGroup
	for range 4 {
		calling.Go(func() {
			for ctx.Err() == nil {
				_, err := kiosk.Central.Heats(context.WithoutCancel(ctx), time.Time{}, 5)
				if calls.Add(1); err != nil {
					failed.Add(1)
					t.Error(err)
				}
			}
		})
	}
	// Step by step, so that central's clock is believed, until the first certificate is long over. Central reads its two
	// clocks one after the other: a step is less than what it forgives.
	const step = 10 * time.Hour
	for gone := time.Duration(0); gone < 35*24*time.Hour; gone += step {
		c.ahead.Store(int64(gone))
		count := calls.Load()
		kiosk.await("a hello", func() bool {
			kiosk.heardOf(wire.NewProblem(wire.ProblemHello, 503, ""))
			now, _ := kiosk.Clock.Now()
			return !now.Before(time.Now().Add(time.Duration(c.ahead.Load())-time.Hour)) && calls.Load() > count+8
		})
		if gone > 21*24*time.Hour {
			kiosk.await("another certificate", func() bool {
				kiosk.heardOf(wire.NewProblem(wire.ProblemHello, 503, ""))
				return kiosk.Trust.Bearer.Identity() != first
			})
		}
	}
	cancel()
	calling.Wait()
	renewed := kiosk.Trust.Bearer.Identity()
	if renewed.Key != first.Key || !renewed.Until.After(first.Until) || failed.Load() > 0 {
		t.Errorf("of %d calls %d failed; certificates until %v and %v", calls.Load(), failed.Load(), first.Until, renewed.Until)
	}
	if stored, err := trust.LoadIdentity(kiosk.path); err != nil || stored.Until != renewed.Until {
		t.Errorf("stored %+v, %v", stored, err)
	}
}

func TestAManInTheMiddleEnrolsNobody(t *testing.T) {
	leaveNothing(t)
	c, thief := newCastle(t), newCastle(t)
	code := c.code("kiosk-1")
	// It answers by itself, with its own authority.
	path := filepath.Join(t.TempDir(), "identity.pem")
	_, err := Enrol(t.Context(), thief.url, code, strings.ToLower(rand.Text()), path)
	refusal, refused := errors.AsType[*tournament.Refusal](err)
	if !refused || refusal.Reason != tournament.CodeUnknown {
		t.Errorf("got %v", err)
	}
	// Nothing that it saw is of any use to it: the code still enrols the kiosk.
	if _, err := Enrol(t.Context(), c.url, code, strings.ToLower(rand.Text()), path); err != nil {
		t.Error(err)
	}
	// Nor does the kiosk speak to it afterwards.
	bearer, err := trust.NewBearer(path)
	c.must(err)
	lost, err := client.New(thief.url, client.Options{TLS: bearer.TLS()})
	c.must(err)
	defer lost.Close()
	if _, err := lost.Health(t.Context()); !errors.Is(err, trust.ErrNoCentral) {
		t.Errorf("got %v", err)
	}
}

func TestEnrollingWhereNothingListens(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	code, err := tournament.NewEnrolmentCode(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if _, err := Enrol(ctx, "https://"+address, code, strings.ToLower(rand.Text()), filepath.Join(t.TempDir(), "i.pem")); !errors.Is(err, client.ErrAway) {
		t.Errorf("got %v", err)
	}
}
