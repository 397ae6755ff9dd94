package central

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"reelkiosk/assets"
	"reelkiosk/devices/identity"
	"reelkiosk/store/client"
	"reelkiosk/store/definition"
	"reelkiosk/store/tournament"
	"reelkiosk/store/vault"
	"reelkiosk/store/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// noon is when the tests begin.
var noon = time.Date(2026, 11, 30, 12, 1, 0, 0, time.FixedZone("SAST", 2*3600))

// house is a central on a real file and a real port, with a client and a clock of its own.
type house struct {
	*testing.T
	*Central
	options Options
	client  *client.Client
	base    string
	rules   string
	log     *safeBuffer
	served  chan error

	keys   atomic.Uint64
	people atomic.Int64

	// mu guards the clocks.
	mu      sync.Mutex
	wall    time.Time
	elapsed time.Duration
}

// safeBuffer takes a log from several goroutines.
type safeBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *safeBuffer) Write(text []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(text)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.String()
}

// demoTournament is the demo's tournament with a period around noon: a heat every 20 minutes, 47 machines in service.
func demoTournament(t testing.TB) *tournament.Tournament {
	t.Helper()
	const name = "tournaments/demo.toml"
	text, err := fs.ReadFile(assets.Tournaments, name)
	if err != nil {
		t.Fatal(err)
	}
	day := tournament.DateOf(noon)
	if text, err = definition.WithPeriod(name, text, day.AddDays(-2), day.AddDays(5)); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	rules, err := fs.ReadFile(assets.Tournaments, "tournaments/ridge-rules.txt")
	if err != nil {
		t.Fatal(err)
	}
	if err := replaceFile(folder+"/ridge-rules.txt", rules); err != nil {
		t.Fatal(err)
	}
	defined, err := definition.Parse(folder+"/demo.toml", text)
	if err != nil {
		t.Fatal(err)
	}
	return defined
}

// newHouse opens a house on a new folder; edit, if given, changes its options.
func newHouse(t *testing.T, edit ...func(*Options)) *house {
	t.Helper()
	h := &house{T: t, wall: noon, log: &safeBuffer{}}
	h.options = Options{
		Definition: demoTournament(t),
		Vault:      vault.New(vault.Keys{Lookup: sha256.Sum256([]byte("lookup")), Data: sha256.Sum256([]byte("data"))}),
		Folder:     t.TempDir(), Version: "test",
		Wall:    func() time.Time { h.mu.Lock(); defer h.mu.Unlock(); return h.wall },
		Elapsed: func() time.Duration { h.mu.Lock(); defer h.mu.Unlock(); return h.elapsed },
		Log:     slog.New(slog.NewTextHandler(h.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	for _, change := range edit {
		change(&h.options)
	}
	h.rules = h.options.Definition.Text.Hash
	h.start()
	t.Cleanup(func() { h.stop() })
	return h
}

func (h *house) start() {
	h.Helper()
	served, err := New(h.options)
	if err != nil {
		h.Fatal(err)
	}
	listener, err := Listen("127.0.0.1:0")
	if err != nil {
		h.Fatal(err)
	}
	h.Central, h.served = served, make(chan error, 1)
	go func() { h.served <- served.Serve(listener) }()
	h.base = "http://" + listener.Addr().String()
	if h.client, err = client.New(h.base, client.Options{}); err != nil {
		h.Fatal(err)
	}
}

// stop stops central; it may be called twice.
func (h *house) stop() {
	h.Helper()
	if h.Central == nil {
		return
	}
	h.client.Close()
	if err := h.Stop(context.Background()); err != nil {
		h.Error(err)
	}
	if err := <-h.served; err != nil {
		h.Error(err)
	}
	h.Central = nil
}

// pass lets time go by on both clocks; set sets the wall clock alone.
func (h *house) pass(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.wall, h.elapsed = h.wall.Add(d), h.elapsed+d
}

func (h *house) set(wall time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.wall = wall
}

func (h *house) key() client.Key {
	return client.Key{Enrolment: "test", Sequence: h.keys.Add(1)}
}

// document is a valid identity document of the numbered adult.
func document(number int) *wire.Document {
	born := tournament.Date{Year: 1960 + number%30, Month: time.Month(1 + number%12), Day: 1 + number/12%28}
	digits := fmt.Sprintf("%02d%02d%02d%04d08", born.Year%100, born.Month, born.Day, number%10000)
	for check := range 10 {
		if full := digits + string(rune('0'+check)); identity.Luhn(full) {
			return &wire.Document{Kind: "sa-id-book", IDNumber: full, BirthDate: born}
		}
	}
	panic("no check digit")
}

// player sells entries to somebody new and returns who it is.
func (h *house) player(entries int) tournament.PersonID {
	h.Helper()
	bought, err := h.client.Purchase(h.Context(), h.key(), wire.Purchase{
		Kind: tournament.CashBuyIn, Seats: entries, Document: document(int(h.people.Add(1))), Operator: "Lindiwe", Desk: "cash-desk",
	})
	if err != nil {
		h.Fatal(err)
	}
	return bought.Person
}

// nextHeat is the first heat whose registration is open.
func (h *house) nextHeat() tournament.HeatID {
	h.Helper()
	heats, err := h.client.Heats(h.Context(), time.Time{}, 1)
	if err != nil || len(heats.Heats) != 1 {
		h.Fatal(heats, err)
	}
	return heats.Heats[0].ID
}

func (h *house) registration(person tournament.PersonID, heat tournament.HeatID) wire.Register {
	return wire.Register{Person: person, Heat: heat, Kiosk: "kiosk-1", Rules: h.rules, Declared: true, By: "document"}
}

// raw sends a request as it stands.
func (h *house) raw(method, path, body string, edit ...func(*http.Request)) *http.Response {
	h.Helper()
	request, err := http.NewRequestWithContext(h.Context(), method, h.base+path, strings.NewReader(body))
	if err != nil {
		h.Fatal(err)
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	for _, change := range edit {
		change(request)
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(request)
	if err != nil {
		h.Fatal(err)
	}
	h.Cleanup(func() { response.Body.Close() })
	return response
}

// sequence is that of the last event in the books.
func (h *house) sequence() uint64 {
	h.Helper()
	health, err := h.client.Health(h.Context())
	if err != nil {
		h.Fatal(err)
	}
	return health.Sequence
}
