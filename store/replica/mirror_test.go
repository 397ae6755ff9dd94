package replica

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"reelkiosk/assets"
	"reelkiosk/store/central"
	"reelkiosk/store/client"
	"reelkiosk/store/definition"
	"reelkiosk/store/exclusion"
	"reelkiosk/store/kv"
	"reelkiosk/store/ledger"
	"reelkiosk/store/tournament"
	"reelkiosk/store/vault"
	"reelkiosk/store/wire"
)

// hall is a real central, and the folder of a kiosk that copies its books.
type hall struct {
	*testing.T
	options central.Options
	central atomic.Pointer[central.Central]
	floor   atomic.Uint32
	server  *httptest.Server
	desk    *client.Client
	folder  string
	log     bytes.Buffer
	sold    uint64
	// between, if set, is asked before each request; it returns true where it answered.
	between atomic.Pointer[func(w http.ResponseWriter, r *http.Request) bool]

	// What follows is the copy while it is kept.
	*Mirror
	heads   chan wire.FeedHead
	applied atomic.Int64
	stop    func()
}

func newHall(t *testing.T) *hall {
	t.Helper()
	h := &hall{T: t, folder: t.TempDir()}
	text, err := fs.ReadFile(assets.Tournaments, "tournaments/demo.toml")
	h.must(err)
	today := tournament.DateOf(time.Now())
	text, err = definition.WithPeriod("demo.toml", text, today.AddDays(-2), today.AddDays(3))
	h.must(err)
	rules, err := fs.ReadFile(assets.Tournaments, "tournaments/ridge-rules.txt")
	h.must(err)
	demo, err := definition.Load(fstest.MapFS{"demo.toml": {Data: text}, "ridge-rules.txt": {Data: rules}}, "demo.toml")
	h.must(err)
	h.options = central.Options{Definition: demo, Vault: vault.New(hallKeys), Folder: t.TempDir()}
	h.open()
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if between := h.between.Load(); between != nil && (*between)(w, r) {
			return
		}
		h.central.Load().Handler().ServeHTTP(w, r)
	})
	h.server = httptest.NewServer(handler)
	h.desk, err = client.New(h.server.URL, client.Options{})
	h.must(err)
	t.Cleanup(func() {
		h.leave()
		h.desk.Close()
		h.must(h.central.Load().Stop(context.Background()))
		h.server.Close()
		if t.Failed() {
			t.Log(h.log.String())
		}
	})
	return h
}

func (h *hall) must(err error) {
	h.Helper()
	if err != nil {
		h.Fatal(err)
	}
}

func (h *hall) open() {
	h.Helper()
	opened, err := central.New(h.options)
	h.must(err)
	h.central.Store(opened)
	h.floor.Store(max(h.options.Floor, 1))
}

// reopen stops central and starts it again, with other options where edit changes them.
func (h *hall) reopen(edit func(*central.Options)) {
	h.Helper()
	h.must(h.central.Load().Stop(context.Background()))
	edit(&h.options)
	h.open()
}

// identity is the identity number of the numbered adult.
func identity(number int) string {
	digits := fmt.Sprintf("800101%04d08", number)
	sum := 0
	for i, digit := range digits { // Luhn
		value := int(digit - '0')
		if i%2 == 1 {
			if value *= 2; value > 9 {
				value -= 9
			}
		}
		sum += value
	}
	return digits + fmt.Sprint((10-sum%10)%10)
}

func paper(number int) *wire.Document {
	return &wire.Document{
		Kind: "sa-id-book", IDNumber: identity(number), Surname: "Mokoenanaidoo", Given: "Thandi",
		BirthDate: tournament.Date{Year: 1980, Month: 1, Day: 1},
	}
}

// sell sells an entry to the numbered adult.
func (h *hall) sell(number int) {
	h.Helper()
	h.sold++
	_, err := h.desk.Purchase(h.Context(), client.Key{Enrolment: "desk", Sequence: h.sold}, wire.Purchase{
		Kind: tournament.CashBuyIn, Seats: 1, Document: paper(number), Operator: "test", Desk: "cash-desk",
	})
	h.must(err)
}

func (h *hall) exclude(reference string, numbers ...int) {
	h.Helper()
	var rows wire.Rows
	for i, number := range numbers {
		rows.Exclusions = append(rows.Exclusions, wire.Exclusion{
			Line: i + 2, Reference: fmt.Sprint(reference, i), Kind: "self-excluded", IDNumber: identity(number),
		})
	}
	sum := sha256.Sum256([]byte(reference))
	staged, err := h.desk.OpenImport(h.Context(), wire.Import{
		Kind: wire.ImportExclusions, Hash: fmt.Sprintf("%x", sum), Name: "exclusions.csv", Operator: "test",
	})
	h.must(err)
	_, err = h.desk.SendRows(h.Context(), staged.ID, rows)
	h.must(err)
	_, err = h.desk.CommitImport(h.Context(), staged.ID)
	h.must(err)
}

// copy opens the kiosk's copy and keeps it; leave ends that.
func (h *hall) copy() *hall {
	h.Helper()
	log := slog.New(slog.NewTextHandler(&lockedWriter{to: &h.log}, nil))
	began := time.Now()
	keys := h.options.Vault
	mirror, err := OpenMirror(h.folder, func() time.Duration { return time.Since(began) }, log)
	h.must(err)
	way, err := client.New(h.server.URL, client.Options{})
	h.must(err)
	h.Mirror, h.heads = mirror, make(chan wire.FeedHead, 1000)
	heads := h.heads
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		mirror.Keep(ctx, way, Keeping{
			Keys: func(context.Context) (vault.Keys, uint32, error) {
				number := h.floor.Load()
				return keys.Floor(number), number, nil
			},
			Applied: func([]*ledger.Event) { h.applied.Add(1) },
			Heard:   func(head wire.FeedHead) { heads <- head },
			Stall:   time.Second,
		})
	}()
	once := sync.Once{}
	h.stop = func() {
		once.Do(func() {
			cancel()
			<-ended
			way.Close()
			if err := mirror.Close(); err != nil {
				h.Error(err)
			}
		})
	}
	return h
}

func (h *hall) leave() {
	if h.stop != nil {
		h.stop()
	}
}

type lockedWriter struct {
	mu sync.Mutex
	to *bytes.Buffer
}

func (l *lockedWriter) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.to.Write(text)
}

// upToDate waits until the copy is all that central has now.
func (h *hall) upToDate() *hall {
	h.Helper()
	health, err := h.desk.Health(h.Context())
	h.must(err)
	late := time.After(20 * time.Second)
	for {
		select {
		case head := <-h.heads:
			if head.Sequence >= health.Sequence {
				return h
			}
		case <-late:
			h.Fatalf("the copy never came to event %d", health.Sequence)
		}
	}
}

// identifies returns how many entries the copy knows of a person, or why it refuses.
func (h *hall) identifies(number int) (int, error) {
	answer, _, err := h.Look(h.Context(), ledger.Request{
		At: time.Now(), Random: rand.Reader, Act: ledger.Identify{Document: paper(number), Kiosk: "kiosk-1"},
	})
	if err != nil {
		return 0, err
	}
	return len(answer.Value.(wire.Person).Entries), nil
}

func (h *hall) knows(number, entries int) {
	h.Helper()
	if got, err := h.identifies(number); err != nil || got != entries {
		h.Errorf("the copy knows %d entries of player %d, not %d: %v", got, number, entries, err)
	}
}

func (h *hall) refuses(number int) {
	h.Helper()
	_, err := h.identifies(number)
	if refusal, is := errors.AsType[*tournament.Refusal](err); !is || refusal.Reason != tournament.Excluded {
		h.Errorf("the copy lets player %d in: %v", number, err)
	}
}

func TestACopyIsFilledAndFollows(t *testing.T) {
	h := newHall(t)
	h.sell(1)
	h.copy().upToDate()
	h.knows(1, 1)
	h.sell(1)
	h.sell(2)
	h.upToDate()
	h.knows(1, 2)
	h.knows(2, 1)
	h.exclude("R", 2)
	h.upToDate()
	h.refuses(2)
	if age, known := h.Age(); !known || age > 5*time.Second || h.MaxAge() != 30*time.Minute {
		t.Errorf("its age is %v (known: %v), at most %v", age, known, h.MaxAge())
	}
	h.leave()
	h.sell(1)
	h.copy().upToDate()
	h.knows(1, 3)
	if strings.Count(h.log.String(), "filling the copy") != 1 {
		t.Error("it was filled again, though the feed leads on")
	}
}

func TestACopyTellsNothingWithoutItsKeys(t *testing.T) {
	h := newHall(t)
	h.sell(1)
	h.exclude("R", 2)
	h.copy().upToDate()
	h.leave()
	mirror, err := OpenMirror(h.folder, func() time.Duration { return 0 }, slog.New(slog.DiscardHandler))
	h.must(err)
	defer mirror.Close()
	err = mirror.View(t.Context(), func(*ledger.Books, kv.Reader) error { return nil })
	if !errors.Is(err, ErrLocked) {
		t.Errorf("it can be read: %v", err)
	}
	files, err := os.ReadDir(h.folder)
	h.must(err)
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(h.folder, file.Name()))
		h.must(err)
		for _, secret := range []string{"Mokoenanaidoo", "Thandi", identity(1), identity(2)} {
			if bytes.Contains(text, []byte(secret)) {
				t.Errorf("%s holds %q", file.Name(), secret)
			}
		}
	}
}

func TestADamagedCopyIsPutAsideAndFilledAnew(t *testing.T) {
	for situation, damage := range map[string]func(*testing.T, string){
		"cut off": func(t *testing.T, path string) {
			if err := os.Truncate(path, 20_000); err != nil {
				t.Fatal(err)
			}
		},
		"overwritten": func(t *testing.T, path string) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for at := 8192; at < len(text); at++ {
				text[at] ^= 0x5a
			}
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
		},
		"empty": func(t *testing.T, path string) {
			if err := os.Truncate(path, 0); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(situation, func(t *testing.T) {
			h := newHall(t)
			outbox, err := Open(filepath.Join(h.folder, "replica.db"), rand.Reader)
			h.must(err)
			defer outbox.Close()
			_, err = outbox.Ask(wire.PathNotices, wire.Notice{Kind: wire.HelpCalled})
			h.must(err)
			h.sell(1)
			h.copy().upToDate()
			h.leave()
			damage(t, filepath.Join(h.folder, MirrorFile))
			h.sell(1)
			h.copy().upToDate()
			h.knows(1, 2)
			if _, err := os.Stat(filepath.Join(h.folder, MirrorFile+".damaged")); err != nil {
				t.Errorf("the damaged copy was not kept: %v", err)
			}
			if len(outbox.Requests()) != 1 {
				t.Error("what the kiosk owes is gone")
			}
		})
	}
}

func TestACopyOfOtherBooksBeginsAnew(t *testing.T) {
	h := newHall(t)
	h.sell(1)
	h.sell(1)
	h.copy().upToDate()
	h.reopen(func(options *central.Options) { options.Folder = t.TempDir() })
	h.sold = 0
	h.sell(3)
	h.upToDate()
	for got, err := h.identifies(3); err != nil || got != 1; got, err = h.identifies(3) {
		h.upToDate() // heads of the old books may still be queued
	}
	h.knows(1, 0)
}

func TestANewFloorKeyFillsTheCopyAnew(t *testing.T) {
	h := newHall(t)
	h.sell(1)
	h.copy().upToDate()
	h.reopen(func(options *central.Options) { options.Floor = 2 })
	late := time.Now().Add(20 * time.Second)
	for head := range h.heads {
		if head.Floor == 2 {
			break
		}
		if time.Now().After(late) {
			t.Fatal("the copy never came to the new key")
		}
	}
	h.knows(1, 1)
}

func TestAFirstFillGoesOnAfterACut(t *testing.T) {
	h := newHall(t)
	for number := range 40 {
		h.sell(number)
	}
	var whole, parts atomic.Int64
	cut := func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.HasPrefix(r.URL.Path, wire.PathSnapshots) {
			return false
		}
		if r.Header.Get("Range") == "" {
			whole.Add(1)
		} else {
			parts.Add(1)
		}
		h.central.Load().Handler().ServeHTTP(&shortWriter{w, 8000}, r)
		return true
	}
	h.between.Store(&cut)
	h.copy()
	for parts.Load() < 1 {
		time.Sleep(time.Millisecond)
	}
	h.leave() // a crash, as far as the files go
	h.copy().upToDate()
	h.knows(7, 1)
	if whole.Load() != 1 || parts.Load() < 2 {
		t.Errorf("it came whole %d times and in parts %d times", whole.Load(), parts.Load())
	}
	left, err := filepath.Glob(filepath.Join(h.folder, "*"+partSuffix))
	if err != nil || len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}

// shortWriter hangs up after so many bytes.
type shortWriter struct {
	http.ResponseWriter
	left int
}

func (s *shortWriter) Unwrap() http.ResponseWriter { return s.ResponseWriter }

func (s *shortWriter) Write(text []byte) (int, error) {
	if len(text) > s.left {
		s.ResponseWriter.Write(text[:s.left])
		http.NewResponseController(s.ResponseWriter).Flush()
		panic(http.ErrAbortHandler)
	}
	s.left -= len(text)
	return s.ResponseWriter.Write(text)
}

func TestASnapshotThatIsDamagedOnTheWayIsBroughtAgain(t *testing.T) {
	h := newHall(t)
	h.sell(1)
	var spoilt atomic.Bool
	spoil := func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.HasPrefix(r.URL.Path, wire.PathSnapshots) || spoilt.Swap(true) {
			return false
		}
		h.central.Load().Handler().ServeHTTP(&spoiling{w}, r)
		return true
	}
	h.between.Store(&spoil)
	h.copy().upToDate()
	h.knows(1, 1)
	if !spoilt.Load() {
		t.Error("nothing was spoilt")
	}
}

// spoiling changes a byte of each write.
type spoiling struct{ http.ResponseWriter }

func (s *spoiling) Unwrap() http.ResponseWriter { return s.ResponseWriter }

func (s *spoiling) Write(text []byte) (int, error) {
	changed := bytes.Clone(text)
	changed[len(changed)/2] ^= 1
	return s.ResponseWriter.Write(changed)
}

func TestALongListIsBroughtAndUntilThenTheCopyIsNotWhole(t *testing.T) {
	h := newHall(t)
	h.sell(1)
	numbers := make([]int, 10_001) // longer than what is entered one by one
	for i := range numbers {
		numbers[i] = 1 + i%9_999 // but for player 0
	}
	var away atomic.Bool
	away.Store(true)
	hold := func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.HasPrefix(r.URL.Path, wire.PathLists) || !away.Load() {
			return false
		}
		http.Error(w, "Bad Gateway", http.StatusBadGateway)
		return true
	}
	h.between.Store(&hold)
	h.copy().upToDate()
	h.exclude("R", numbers...)
	h.sell(0)
	for got, err := h.identifies(0); err != nil || got != 1; got, err = h.identifies(0) {
		time.Sleep(5 * time.Millisecond) // the feed goes on meanwhile
	}
	if version := h.lacks(); version != 1 {
		t.Errorf("it lacks list %d", version)
	}
	away.Store(false)
	for h.lacks() != 0 {
		time.Sleep(5 * time.Millisecond)
	}
	h.refuses(77)
	h.leave()
	h.copy().upToDate()
	h.refuses(77)
	h.knows(0, 1)
	// A list of that version that another house's keys made would let everybody in.
	h.leave()
	h.must(exclusion.Build(h.listPath(1), 1, vault.New(vault.Keys{}).CheckLookup(), exclusion.Synthetic(5)))
	h.copy().upToDate()
	h.refuses(77)
}
