package central

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"reelkiosk/store/durable"
	"reelkiosk/store/kv"
	"reelkiosk/store/ledger"
	"reelkiosk/store/wire"
)

const (
	// snapshotsFolder holds the snapshots within the data folder.
	snapshotsFolder = "snapshots"
	// mostStale is how many events a snapshot may be old to be given: the feed brings the rest.
	mostStale = mostBehind / 10
	// making is how long a caller waits for a snapshot that is being made before being asked to come again.
	making = 2 * time.Second
)

// snapshots makes the files that kiosks begin with, one at a time, beside the writer.
type snapshots struct {
	folder string
	floor  uint32
	books  *ledger.Books
	// store returns the present store, nil while there is none.
	store func() kv.Store
	log   *slog.Logger
	// work is the making in progress, which stop waits for and life ends.
	work sync.WaitGroup
	life context.Context
	end  context.CancelFunc

	// mu guards everything that follows.
	mu     sync.Mutex
	newest wire.Snapshot
	// made is closed when the making in progress has ended, nil while there is none; failure is what it came to.
	made    chan struct{}
	failure error
}

// errMaking: a snapshot is being made.
var errMaking = wire.NewProblem(wire.ProblemBusy, 503, "A snapshot is being made; ask again in a moment")

// openSnapshots takes over the newest snapshot of an earlier run, where it is of these books, and removes all else.
func openSnapshots(folder string, floor uint32, books *ledger.Books, store func() kv.Store, log *slog.Logger) (*snapshots, error) {
	s := &snapshots{folder: filepath.Join(folder, snapshotsFolder), floor: floor, books: books, store: store, log: log}
	s.life, s.end = context.WithCancel(context.Background())
	if err := os.MkdirAll(s.folder, 0o700); err != nil {
		return nil, fmt.Errorf("the folder of snapshots: %w", err)
	}
	files, err := os.ReadDir(s.folder)
	if err != nil {
		return nil, fmt.Errorf("the folder of snapshots: %w", err)
	}
	for _, file := range files {
		found, ours := s.found(file)
		if ours && found.Sequence >= s.newest.Sequence {
			s.newest = found
		}
	}
	return s, s.clear(s.newest.Name)
}

// nameOf names a snapshot by the event it ends with, that event's time, and the floor key.
func nameOf(stamp ledger.Stamp, at time.Time) string {
	return fmt.Sprintf("books-%d-%d-%d", stamp.Sequence, at.UnixMilli(), stamp.Floor)
}

// found reports whether a file is a snapshot of these books.
func (s *snapshots) found(file fs.DirEntry) (found wire.Snapshot, ours bool) {
	var milliseconds int64
	_, err := fmt.Sscanf(file.Name(), "books-%d-%d-%d", &found.Sequence, &milliseconds, &found.Floor)
	if err != nil || found.Floor != s.floor || found.Sequence == 0 {
		return found, false
	}
	about, err := file.Info()
	if err != nil {
		return found, false
	}
	err = s.store().View(s.life, func(view kv.Reader) error {
		events, err := s.books.Events(view, found.Sequence-1, 1)
		ours = len(events) == 1 && events[0].Sequence == found.Sequence &&
			file.Name() == nameOf(ledger.Stamp{Sequence: found.Sequence, Floor: found.Floor}, events[0].At)
		return err
	})
	found.Name, found.Bytes = file.Name(), about.Size()
	return found, ours && err == nil
}

// clear removes all files but those of the names.
func (s *snapshots) clear(but ...string) error {
	files, err := os.ReadDir(s.folder)
	if err != nil {
		return fmt.Errorf("the folder of snapshots: %w", err)
	}
	for _, file := range files {
		if file.Name() == but[0] || len(but) > 1 && file.Name() == but[1] {
			continue
		}
		if err := os.Remove(filepath.Join(s.folder, file.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("removing a snapshot: %w", err)
		}
	}
	return nil
}

// stop ends a making in progress.
func (s *snapshots) stop() {
	s.end()
	s.work.Wait()
}

// open opens the file of a snapshot.
func (s *snapshots) open(name string) (*os.File, error) {
	if !strings.HasPrefix(name, "books-") || strings.ContainsAny(name, `/.`) {
		return nil, fs.ErrNotExist
	}
	return os.Open(filepath.Join(s.folder, name))
}

// ask returns a snapshot that is new enough, and has one made where there is none. Who would wait long is asked to come
// again.
func (s *snapshots) ask(ctx context.Context) (wire.Snapshot, error) {
	newest, made, err := s.begin(ctx)
	if made == nil || err != nil {
		return newest, err
	}
	timer := time.NewTimer(making)
	defer timer.Stop()
	select {
	case <-made:
	case <-timer.C:
		return wire.Snapshot{}, errMaking
	case <-ctx.Done():
		return wire.Snapshot{}, ctx.Err()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.newest, s.failure
}

// begin returns the newest snapshot, or what is closed when a newer one has been made.
func (s *snapshots) begin(ctx context.Context) (wire.Snapshot, <-chan struct{}, error) {
	store := s.store()
	if store == nil {
		return wire.Snapshot{}, nil, errNotWriter
	}
	var head uint64
	err := store.View(ctx, func(view kv.Reader) (err error) {
		head, _, err = ledger.Last(view)
		return err
	})
	if err != nil {
		return wire.Snapshot{}, nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.newest.Name != "" && head-s.newest.Sequence <= mostStale {
		return s.newest, nil, nil
	}
	if s.life.Err() != nil {
		return wire.Snapshot{}, nil, errStopping
	}
	if s.made == nil {
		made := make(chan struct{})
		s.made = made
		s.work.Go(func() {
			newest, err := s.make(store)
			s.mu.Lock()
			defer s.mu.Unlock()
			if err == nil {
				s.newest = newest
			}
			s.made, s.failure = nil, err
			close(made)
		})
	}
	return wire.Snapshot{}, s.made, nil
}

// make writes a snapshot. The one before stays for those who are reading it.
func (s *snapshots) make(store kv.Store) (made wire.Snapshot, err error) {
	start := time.Now()
	s.mu.Lock()
	before := s.newest.Name
	s.mu.Unlock()
	if err := s.clear(before); err != nil {
		return made, err
	}
	read := func(read func(kv.Reader) error) error { return store.View(s.life, read) }
	if copier, can := store.(kv.Copier); can {
		read = func(read func(kv.Reader) error) error {
			return copier.Copied(s.life, filepath.Join(s.folder, "copy-of-the-store"), read)
		}
	}
	err = read(func(view kv.Reader) error {
		stamp, err := ledger.ReadStamp(view, s.floor)
		if err != nil {
			return err
		}
		_, at, err := ledger.Last(view)
		if err != nil {
			return err
		}
		made = wire.Snapshot{Name: nameOf(stamp, at), Sequence: stamp.Sequence, Floor: stamp.Floor}
		return durable.Replace(filepath.Join(s.folder, made.Name), 0o600, func(file *os.File) error {
			if _, err := s.books.WriteSnapshot(view, file, s.floor); err != nil {
				return err
			}
			about, err := file.Stat()
			if err == nil {
				made.Bytes = about.Size()
			}
			return err
		})
	})
	if err != nil {
		err = noRoom(err)
		s.log.Error("making a snapshot", "error", err)
		return made, err
	}
	s.log.Info("made a snapshot", "name", made.Name, "bytes", made.Bytes, "took", time.Since(start).String())
	return made, nil
}
