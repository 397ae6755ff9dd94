package replica

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"reelkiosk/store/client"
	"reelkiosk/store/durable"
	"reelkiosk/store/exclusion"
	"reelkiosk/store/kv"
	"reelkiosk/store/kv/bolt"
	"reelkiosk/store/ledger"
	"reelkiosk/store/tournament"
	"reelkiosk/store/vault"
	"reelkiosk/store/wire"
)

// The files of a Mirror within its folder.
const (
	// MirrorFile is the books' state, a store of store/kv/bolt.
	MirrorFile = "books.db"
	// definitionFile is the tournament's definition as central gave it.
	definitionFile = "definition.json"
	// listPrefix and a version is an exclusion list, partSuffix what ends the name of a file that is not whole yet.
	listPrefix, snapshotPrefix, partSuffix = "exclusions-", "snapshot-", ".part"
)

// mirrorFloor is the key, under a prefix that no snapshot has, of the number of the floor key that the copy's keys are
// wrapped under.
var mirrorFloor = []byte("mirror/floor")

var (
	// ErrNoMirror is returned where there is no copy of the books yet, or none any more.
	ErrNoMirror = errors.New("there is no copy of the books yet")
	// ErrLocked is returned while the keys are not there that open what is sealed in the copy (design decision 6).
	ErrLocked = errors.New("the copy of the books is locked: central has not given the keys since the start")
)

// Mirror is the kiosk's copy of central's books: the same state, made by the same code from the feed (store/ledger), in a
// file of its own beside the Replica's, so that nothing that happens to it touches what the kiosk owes. It holds the
// tournament's definition and the exclusion list in use too.
//
// It is filled from a snapshot, which is built under another name and swapped by renaming, and then follows the feed: each
// batch of items and the position, which is the books' own last event, are one commit. A copy that is damaged is put aside
// and filled anew.
//
//	mirror := replica.NewMirror(folder, kiosk.SinceBoot, log)
//	go mirror.Keep(ctx, central, replica.Keeping{Keys: hello})
//	…
//	err = mirror.View(ctx, func(books *ledger.Books, view kv.Reader) error { … })
//
// Without keys nothing of it can be read; they are in memory only. A Mirror is safe for use by several goroutines; Keep
// is called once.
type Mirror struct {
	folder  string
	elapsed func() time.Duration
	log     *slog.Logger
	set     *exclusion.Set
	// wanted wakes whoever brings exclusion lists.
	wanted chan struct{}
	// broken tells Keep of damage that somebody met who read the copy.
	broken chan error

	// mu guards everything that follows. It is held for reading while the store is read or written.
	mu     sync.RWMutex
	opened bool
	store  kv.Store
	leader kv.Leader
	// floor is the number of the floor key that the copy's keys are wrapped under, opens of the key that is there.
	floor, opens uint32
	vault        *vault.Vault
	defined      *tournament.Tournament
	definedHash  string
	// books are nil until both vault and definition are there.
	books *ledger.Books
	// needs is the version of the exclusion list in use at central, as the copy says; retired is the list before the present
	// one, which look-ups in flight may still read.
	needs   uint64
	retired *exclusion.List
	// heard is when the copy was last known to be central's books, as elapsed counts.
	heard time.Duration
	known bool
}

// NewMirror returns the copy in a folder, which exists; elapsed counts on through sleep. Keep opens it: a long one takes
// seconds to be checked.
func NewMirror(folder string, elapsed func() time.Duration, log *slog.Logger) *Mirror {
	return &Mirror{
		folder: folder, elapsed: elapsed, log: log, set: exclusion.NewSet(nil), wanted: make(chan struct{}, 1),
		broken: make(chan error, 1),
	}
}

// OpenMirror is NewMirror that opens the copy at once. One that is damaged is put aside beside its name, in place of one put
// aside before. The error wraps kv.ErrHeld where another process has it open, or is the system's.
func OpenMirror(folder string, elapsed func() time.Duration, log *slog.Logger) (*Mirror, error) {
	m := NewMirror(folder, elapsed, log)
	return m, m.openFiles()
}

// openFiles opens what lies in the folder, the first time that it is called.
func (m *Mirror) openFiles() error {
	m.mu.RLock()
	opened := m.opened
	m.mu.RUnlock()
	if opened {
		return nil
	}
	m.drop(MirrorFile + ".new-") // what a crash left of building one
	if err := m.openStore(); err != nil {
		return err
	}
	m.openDefinition()
	m.openList()
	m.mu.Lock()
	m.opened = true
	m.mu.Unlock()
	return nil
}

func (m *Mirror) path(name string) string { return filepath.Join(m.folder, name) }

// openStore opens the copy, where there is one.
func (m *Mirror) openStore() error {
	path := m.path(MirrorFile)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	opened, err := openCopy(path)
	if errors.Is(err, kv.ErrDamaged) {
		return m.setAside(err)
	}
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.take(opened)
	return nil
}

// opened is a copy that is open.
type opened struct {
	store  kv.Store
	leader kv.Leader
	floor  uint32
	needs  uint64
}

func openCopy(path string) (*opened, error) {
	store, err := bolt.Open(path, bolt.Options{})
	if err != nil {
		return nil, err
	}
	o := &opened{store: store}
	if o.leader, err = store.Lead(context.Background()); err == nil {
		err = store.View(context.Background(), o.read)
	}
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return o, nil
}

func (o *opened) read(view kv.Reader) (err error) {
	text, err := view.Get(mirrorFloor)
	if errors.Is(err, kv.ErrNotFound) || err == nil && len(text) != 4 {
		return fmt.Errorf("%w: it does not say which keys open it", kv.ErrDamaged)
	}
	if err != nil {
		return err
	}
	o.floor = binary.BigEndian.Uint32(text)
	o.needs, err = ledger.ListVersion(view)
	return err
}

// take puts a copy in use; it is called with mu held.
func (m *Mirror) take(o *opened) (before kv.Store) {
	before = m.store
	m.store, m.leader, m.floor, m.needs = o.store, o.leader, o.floor, o.needs
	m.want()
	return before
}

// setAside moves a damaged copy out of the way. What it held is at central.
func (m *Mirror) setAside(damage error) error {
	m.log.Error("the copy of the books is damaged, and is filled anew", "error", damage)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.store != nil {
		m.log.Warn("closing the damaged copy", "error", m.store.Close())
		m.store, m.leader = nil, nil
	}
	m.known = false
	path := m.path(MirrorFile)
	err := os.Rename(path, path+".damaged")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// openDefinition reads the definition that was kept; one that cannot be read is asked for again.
func (m *Mirror) openDefinition() {
	text, err := os.ReadFile(m.path(definitionFile))
	if err != nil {
		return
	}
	if defined, err := wire.DecodeDefinition(text); err == nil {
		m.define(defined, wire.HashDefinition(text))
	}
}

// keepDefinition puts a definition in use, and keeps it.
func (m *Mirror) keepDefinition(defined *tournament.Tournament, text []byte, hash string) error {
	err := durable.Replace(m.path(definitionFile), 0o600, func(file *os.File) error {
		_, err := file.Write(text)
		return err
	})
	if err == nil {
		m.define(defined, hash)
	}
	return err
}

func (m *Mirror) define(defined *tournament.Tournament, hash string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.defined, m.definedHash = defined, hash
	m.open()
}

// Unlock gives the keys that central handed out: those of the floor, with their number.
func (m *Mirror) Unlock(keys vault.Keys, floor uint32) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.vault, m.opens = vault.New(keys), floor
	m.open()
}

// open makes the books, where everything is there; it is called with mu held.
func (m *Mirror) open() {
	if list := m.set.List(); m.vault != nil && list != nil && list.Key() != m.vault.CheckLookup() {
		m.log.Warn("the exclusion list was made with other keys, and is brought again", "version", list.Version())
		m.swap(nil)
		m.want()
	}
	if m.vault != nil && m.defined != nil {
		m.books = ledger.New(m.defined, m.vault, m.set)
	}
}

// Close releases the copy. It may be called twice, and after Keep has returned.
func (m *Mirror) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	var errs []error
	if m.store != nil {
		errs = append(errs, m.store.Close())
		m.store, m.leader = nil, nil
	}
	for _, list := range []*exclusion.List{m.set.Replace(nil), m.retired} {
		if list != nil {
			errs = append(errs, list.Close())
		}
	}
	m.retired = nil
	return errors.Join(errs...)
}

// View calls read with the books and the newest state of the copy. It is ErrNoMirror or ErrLocked where that cannot be
// done, or read's own error. read MUST NOT call another method of the Mirror.
func (m *Mirror) View(ctx context.Context, read func(books *ledger.Books, view kv.Reader) error) error {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if err := m.usable(); err != nil {
		return err
	}
	err := m.store.View(ctx, func(view kv.Reader) error { return read(m.books, view) })
	if errors.Is(err, kv.ErrDamaged) || errors.Is(err, kv.ErrFailed) {
		select {
		case m.broken <- err:
		default:
		}
	}
	return err
}

// usable is called with mu held.
func (m *Mirror) usable() error {
	switch {
	case m.store == nil:
		return ErrNoMirror
	case m.books == nil || m.opens != m.floor:
		return ErrLocked
	}
	return nil
}

// Look decides an act as central would and writes nothing (ledger.Books.Look).
func (m *Mirror) Look(ctx context.Context, request ledger.Request) (answer ledger.Answer, changes bool, err error) {
	err = m.View(ctx, func(books *ledger.Books, view kv.Reader) (err error) {
		answer, changes, err = books.Look(view, request)
		return err
	})
	return answer, changes, err
}

// Position returns up to where the copy has the feed; the zero Position where there is no copy.
func (m *Mirror) Position(ctx context.Context) (at client.Position, err error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.store == nil {
		return at, nil
	}
	err = m.store.View(ctx, func(view kv.Reader) (err error) {
		at.Sequence, at.At, err = ledger.Last(view)
		return err
	})
	return at, err
}

// Age returns how long ago the copy, with its exclusion list, was last known to be all that central had, and whether it
// ever was since the program's start.
func (m *Mirror) Age() (time.Duration, bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.elapsed() - m.heard, m.known
}

// MaxAge returns how old the copy may be for a seat to be given by it: the tournament's exclusions_max_age (design decision
// 4). It is 0 while no definition is there.
func (m *Mirror) MaxAge() time.Duration {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.defined == nil {
		return 0
	}
	return m.defined.Rules.ExclusionsMaxAge
}

// Apply applies items of the feed in one commit, with the position, and returns their events. Items that the copy has
// already are not among them. With an error that wraps ledger.ErrGap or ledger.ErrBooks nothing was applied.
func (m *Mirror) Apply(ctx context.Context, items []wire.FeedItem) (events []*ledger.Event, err error) {
	m.mu.RLock()
	needs, err := m.apply(ctx, items, &events)
	m.mu.RUnlock()
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.needs != needs {
		m.needs = needs
		m.want()
	}
	return events, nil
}

func (m *Mirror) apply(ctx context.Context, items []wire.FeedItem, events *[]*ledger.Event) (needs uint64, err error) {
	if err := m.usable(); err != nil {
		return 0, err
	}
	var batch *kv.Batch
	err = m.store.View(ctx, func(view kv.Reader) error {
		overlay := kv.NewOverlay(view)
		for i := range items {
			event, err := m.books.Follow(overlay, &items[i])
			if err != nil {
				return err
			}
			if event != nil {
				*events = append(*events, event)
			}
		}
		batch = overlay.Batch()
		needs, err = ledger.ListVersion(overlay)
		return err
	})
	if err != nil || batch.Len() == 0 {
		return needs, err
	}
	return needs, m.leader.Apply(ctx, batch)
}
