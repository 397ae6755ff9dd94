package kiosk

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"go.uber.org/goleak"

	"reelkiosk/assets"
	"reelkiosk/devices/emulator"
	"reelkiosk/devices/port"
	"reelkiosk/devices/printer"
	"reelkiosk/kiosk/visit"
	"reelkiosk/store/central"
	"reelkiosk/store/client"
	"reelkiosk/store/definition"
	"reelkiosk/store/exclusion"
	"reelkiosk/store/kv"
	"reelkiosk/store/ledger"
	"reelkiosk/store/replica"
	"reelkiosk/store/tournament"
	"reelkiosk/store/vault"
	"reelkiosk/store/wire"
)

// house is a casino in small: a real central, real ports with emulated devices on them, and a kiosk between.
type house struct {
	testing.TB
	folder   string
	central  *central.Central
	server   *httptest.Server
	desk     *client.Client
	sold     uint64
	lines    map[string]*emulator.Line
	reader   *emulator.CardReader
	scanner  *emulator.Scanner
	printer  *emulator.Printer
	log      lockedBuffer
	behave   atomic.Pointer[behaviour]
	machines visit.Machine
	vault    *vault.Vault

	// What follows is the kiosk, once opened.
	*Conductor
	replica *replica.Replica
	face    *recordingFace
	stop    func()
}

// behaviour is what central's address does with a request; next answers it.
type behaviour func(next http.Handler, w http.ResponseWriter, r *http.Request)

// thandi is a verified member with a card; pieter has no card.
var (
	thandi = wire.Member{
		Line: 2, Number: "M1", Cards: []string{"6001000000001234"}, Surname: "Mokoena", Given: "Thandi", Verified: true,
		BirthDate: tournament.Date{Year: 1988, Month: 3, Day: 12},
		IDNumber:  emulator.IdentityNumber(tournament.Date{Year: 1988, Month: 3, Day: 12}, 1234),
	}
	born          = tournament.Date{Year: 1965, Month: 7, Day: 2}
	pieter        = emulator.IdentityNumber(born, 5678)
	pieterOnPaper = wire.Document{Kind: "sa-id-book", IDNumber: pieter, BirthDate: born}
)

func newHouse(t testing.TB, options ...emulator.PrinterOption) *house {
	t.Helper()
	leaks := goleak.IgnoreCurrent()
	t.Cleanup(func() { goleak.VerifyNone(t, leaks) })
	h := &house{TB: t, folder: t.TempDir(), lines: map[string]*emulator.Line{}}
	h.machines = everyday
	h.openCentral()
	h.plugIn(options)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the kiosk's log:\n%s", h.log.String())
		}
	})
	return h
}

// openCentral opens the demo's tournament around today, with thandi as a member.
func (h *house) openCentral() {
	text, err := fs.ReadFile(assets.Tournaments, "tournaments/demo.toml")
	h.must(err)
	today := tournament.DateOf(time.Now())
	text, err = definition.WithPeriod("demo.toml", text, today.AddDays(-2), today.AddDays(3))
	h.must(err)
	rules, err := fs.ReadFile(assets.Tournaments, "tournaments/ridge-rules.txt")
	h.must(err)
	files := fstest.MapFS{"demo.toml": {Data: text}, "ridge-rules.txt": {Data: rules}}
	demo, err := definition.Load(files, "demo.toml")
	h.must(err)
	keys, err := vault.NewKeys(rand.Reader)
	h.must(err)
	h.vault = vault.New(keys)
	options := central.Options{Definition: demo, Vault: h.vault, Folder: filepath.Join(h.folder, "central")}
	h.lists(options)
	h.central, err = central.New(options)
	h.must(err)
	handler := h.central.Handler()
	h.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if behave := h.behave.Load(); behave != nil {
			(*behave)(handler, w, r)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	h.desk, err = client.New(h.server.URL, client.Options{})
	h.must(err)
	h.Cleanup(func() {
		h.desk.Close()
		h.must(h.central.Stop(context.Background())) // which ends feeds
		h.server.Close()
	})
	h.members("a", thandi)
}

// lists puts the kiosk on the list of homes, as its enrolment does.
func (h *house) lists(options central.Options) {
	h.must(os.MkdirAll(options.Folder, 0o700))
	store, err := options.OpenBooks()
	h.must(err)
	leader, err := store.Lead(h.Context())
	h.must(err)
	h.must(store.View(h.Context(), func(view kv.Reader) error {
		overlay := kv.NewOverlay(view)
		_, err := ledger.New(options.Definition, h.vault, exclusion.NewSet(nil)).Apply(overlay, ledger.Request{
			At: time.Now(), Random: rand.Reader, Act: ledger.Enlist{Kiosk: "kiosk-1"},
		})
		h.must(err)
		return leader.Apply(h.Context(), overlay.Batch())
	}))
	h.must(store.Close())
}

// members imports a list of members; the letter tells it from other lists.
func (h *house) members(letter string, members ...wire.Member) {
	h.Helper()
	staged, err := h.desk.OpenImport(h.Context(), wire.Import{
		Kind: wire.ImportMembers, Hash: strings.Repeat(letter, 64), Name: "members.csv", Operator: "test",
	})
	h.must(err)
	_, err = h.desk.SendRows(h.Context(), staged.ID, wire.Rows{Members: members})
	h.must(err)
	_, err = h.desk.CommitImport(h.Context(), staged.ID)
	h.must(err)
}

// plugIn lays three cables and puts a device on each.
func (h *house) plugIn(options []emulator.PrinterOption) {
	for _, name := range []string{"card", "scanner", "printer"} {
		line, err := emulator.OpenLine(linkOf(h.folder, name))
		h.must(err)
		h.lines[name] = line
	}
	h.reader = emulator.NewCardReader(h.lines["card"], emulator.CardSetup{})
	h.scanner = emulator.NewScanner(h.lines["scanner"], emulator.AIMScanner)
	profile, _ := printer.ProfileNamed("epson-48")
	h.printer = emulator.NewPrinter(h.lines["printer"], profile, append([]emulator.PrinterOption{emulator.Haste(0)}, options...)...)
	h.Cleanup(func() {
		for _, line := range h.lines {
			h.must(line.Close())
		}
		h.printer.Close()
	})
}

// sell sells entries, by card for thandi or by document for pieter.
func (h *house) sell(purchase wire.Purchase) wire.Bought {
	h.Helper()
	h.sold++
	purchase.Kind, purchase.Operator, purchase.Desk = tournament.CashBuyIn, "test", "cash-desk"
	bought, err := h.desk.Purchase(h.Context(), client.Key{Enrolment: "cash-desk", Sequence: h.sold}, purchase)
	h.must(err)
	return bought
}

func (h *house) sellThandi(seats int) {
	h.Helper()
	h.sell(wire.Purchase{Seats: seats, Card: thandi.Cards[0]})
}

// parts are those of a kiosk with everything.
func (h *house) parts() Parts {
	h.Helper()
	parts, end, err := assemble(h.folder, h.server.URL, h.machines, &h.log, func(name string) port.Option {
		return port.Told(h.lines[name].Settings)
	})
	h.must(err)
	h.replica = parts.Replica
	h.stop = func() {
		if err := end(); err != nil {
			h.Error(err)
		}
	}
	return parts
}

// open starts a kiosk with everything, and waits until it is ready.
func (h *house) open() *house {
	h.Helper()
	h.run(h.parts())
	h.until("a ready attract screen", func(s visit.State) bool {
		return s.Screen == visit.ScreenAttract && s.Ready == visit.Readers{Card: true, Document: true} &&
			len(s.Floor.Heats) > 0 && s.Paper == visit.PrinterOK && s.OutOfOrder == visit.TroubleNone
	})
	return h
}

// run starts a kiosk of the parts; close ends it, at the end of the test at the latest.
func (h *house) run(parts Parts) {
	h.Conductor = New(parts)
	h.face = newRecordingFace()
	h.Conductor.Show(h.face, h.face.ui)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = h.Run(ctx)
	}()
	closeParts, once := h.stop, sync.Once{}
	h.stop = func() {
		once.Do(func() {
			cancel()
			<-ended
			if closeParts != nil {
				closeParts()
			}
			h.face.close()
		})
	}
	h.Cleanup(h.stop)
}

// patience is how long anything may take.
const patience = 20 * time.Second

// until waits for a state.
func (h *house) until(what string, wanted func(visit.State) bool) visit.State {
	h.Helper()
	state, ok := h.face.await(wanted)
	if !ok {
		h.Fatalf("never came to %s, but stays at %v; shown were\n%s", what, state, strings.Join(h.face.history(), "\n"))
	}
	return state
}

func (h *house) on(screen visit.Screen) visit.State {
	h.Helper()
	return h.until("screen "+string(screen), func(s visit.State) bool { return s.Screen == screen })
}

func (h *house) trouble(why visit.Trouble) visit.State {
	h.Helper()
	return h.until("trouble "+string(why), func(s visit.State) bool { return s.Screen == visit.ScreenTrouble && s.Trouble == why })
}

// tap touches a button as a player would: on the face's own goroutine.
func (h *house) tap(buttons ...visit.Button) *house {
	for _, button := range buttons {
		h.face.ui(func() { h.Touch(visit.Tapped{Button: button}) })
	}
	return h
}

func (h *house) swipe() *house {
	h.Helper()
	h.must(h.reader.Swipe(emulator.Tracks{Two: thandi.Cards[0] + "=4912000"}))
	return h
}

// offer brings thandi before an offer.
func (h *house) offer() *house {
	h.Helper()
	h.swipe()
	return h.way()
}

// way goes from the greeting to the offer.
func (h *house) way() *house {
	h.Helper()
	h.on(visit.ScreenGreeting)
	h.tap(visit.ButtonContinue).on(visit.ScreenRules)
	h.tap(visit.ButtonAccept).on(visit.ScreenDeclaration)
	h.tap(visit.ButtonYes).on(visit.ScreenOffer)
	return h
}

// paper returns the next ticket out of the printer.
func (h *house) paper() emulator.Ticket {
	h.Helper()
	select {
	case piece := <-h.printer.Tickets():
		return piece
	case <-time.After(patience):
		h.Fatal("no ticket came out")
	}
	panic("unreachable")
}

// noPaper checks that nothing has come out.
func (h *house) noPaper() {
	h.Helper()
	select {
	case piece := <-h.printer.Tickets():
		h.Errorf("a ticket came out:\n%s", piece.Text)
	case <-time.After(100 * time.Millisecond):
	}
}

// seats waits until central's seats are as wanted.
func (h *house) seats(what string, wanted func([]wire.Seat) bool) []wire.Seat {
	h.Helper()
	deadline := time.Now().Add(patience)
	for {
		seats := h.allSeats()
		if wanted(seats) {
			return seats
		}
		if time.Now().After(deadline) {
			h.Fatalf("central never has %s, but %+v", what, seats)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// copies waits until central's seats have copies in these states, by the order of their heats.
func (h *house) copies(want ...tournament.CopyState) []wire.Seat {
	h.Helper()
	return h.seats(fmt.Sprint("copies ", want), func(seats []wire.Seat) bool {
		var states []tournament.CopyState
		for _, seat := range seats {
			states = append(states, seat.CopyState)
		}
		return slices.Equal(states, want)
	})
}

func (h *house) allSeats() (seats []wire.Seat) {
	h.Helper()
	heats, err := h.desk.Heats(h.Context(), time.Now().Add(-time.Hour), 20)
	h.must(err)
	for _, heat := range heats.Heats {
		if heat.Free < heat.Size {
			some, err := h.desk.Seats(h.Context(), heat.ID)
			h.must(err)
			seats = append(seats, some.Seats...)
		}
	}
	return seats
}

// meanwhile has central's address behave otherwise, until it is called with nil.
func (h *house) meanwhile(b behaviour) {
	if b == nil {
		h.behave.Store(nil)
		return
	}
	h.behave.Store(&b)
}

// gone drops every request.
func gone(_ http.Handler, w http.ResponseWriter, _ *http.Request) { hangUp(w) }

func hangUp(w http.ResponseWriter) {
	line, _, err := w.(http.Hijacker).Hijack()
	if err == nil {
		line.Close()
	}
}

func (h *house) must(err error) {
	h.Helper()
	if err != nil {
		h.Fatal(err)
	}
}

// recordingFace remembers every state that it was shown. Its goroutine stands for Fyne's.
type recordingFace struct {
	calls chan func()
	ended chan struct{}

	mu      sync.Mutex // guards what follows
	states  []visit.State
	changed chan struct{}
}

func newRecordingFace() *recordingFace {
	f := &recordingFace{calls: make(chan func(), 1024), ended: make(chan struct{}), changed: make(chan struct{})}
	go func() {
		defer close(f.ended)
		for call := range f.calls {
			call()
		}
	}()
	return f
}

func (f *recordingFace) ui(call func()) { f.calls <- call }

func (f *recordingFace) close() {
	close(f.calls)
	<-f.ended
}

// Show implements Face.
func (f *recordingFace) Show(state visit.State) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.states = append(f.states, state)
	close(f.changed)
	f.changed = make(chan struct{})
}

// await waits until the newest state is as wanted.
func (f *recordingFace) await(wanted func(visit.State) bool) (visit.State, bool) {
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	for {
		f.mu.Lock()
		var newest visit.State
		if len(f.states) > 0 {
			newest = f.states[len(f.states)-1]
		}
		changed := f.changed
		f.mu.Unlock()
		if newest.Screen != "" && wanted(newest) {
			return newest, true
		}
		select {
		case <-changed:
		case <-deadline.C:
			return newest, false
		}
	}
}

func (f *recordingFace) history() (lines []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, state := range f.states {
		if line := fmt.Sprint(state); len(lines) == 0 || lines[len(lines)-1] != line {
			lines = append(lines, line)
		}
	}
	return lines
}

// lockedBuffer is a log that may be read while it is written.
type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (b *lockedBuffer) Write(text []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(text)
}

// String returns what was written.
func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}
