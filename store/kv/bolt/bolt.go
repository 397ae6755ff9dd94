// Package bolt keeps the books in one bbolt file on the machine's own disk: the engine of store/kv for one central
// machine, and of the kiosk's replica.
//
// The file has one bucket, whose keys and values are those of kv; the bucket's sequence number is the writer's epoch.
// One Apply is one bbolt transaction: two fdatasyncs, whatever the size of the batch. Other processes are kept out by a
// lock on the file, other writers in this process by Lead.
//
// What this package promises beyond kv.Store:
//
//   - A damaged file never ends the program. bbolt maps the file into memory and trusts it, so that a flipped bit can end
//     a process by a signal that nothing catches: Open has the file checked by a child process first (check.go), and reads
//     turn a fault in mapped memory into an error that wraps kv.ErrDamaged.
//   - A record that is not what was written is never handed out: each has a checksum of its key and value, which Open and
//     every read compare (sum.go).
//   - An empty or short file is damaged, not new. Only a name that does not exist yet is created, under another name that
//     is synced and then linked, so that a power cut leaves the whole of a new file or none.
//   - A full disk refuses (kv.ErrFull), and everything goes on once there is room.
//   - After a failed sync nothing is answered any more (kv.ErrFailed): what the page cache shows may not be on the disk.
//
// A program that imports this package can be started as the checking child: see the environment variable in check.go.
package bolt

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"

	"go.etcd.io/bbolt"
	bbolterrors "go.etcd.io/bbolt/errors"

	"reelkiosk/store/durable"
	"reelkiosk/store/kv"
)

// bucket is the name of the one bucket; a file without it is not ours. The number is that of the form of its values: sum.go.
var bucket = []byte("reelkiosk/2")

// DefaultTimeout is how long Open waits for another process to let go of the file.
const DefaultTimeout = time.Second

// mapped is how much of the address space is reserved for the file from the start, so that a long view does not hold up
// a commit that grows it. It costs neither memory nor disk.
const mapped = 1 << 30

// Options are what Open may be told; the zero Options are the usual ones.
type Options struct {
	// Timeout is how long to wait for another process to let go of the file; 0 is DefaultTimeout.
	Timeout time.Duration
}

// Store is a bbolt file as a kv.Store.
type Store struct {
	path   string
	db     *bbolt.DB
	commit func(*bbolt.Tx) error

	// leading holds a token while somebody is the writer. ended is closed when the store fails or Close begins.
	leading, ended chan struct{}

	// mu guards everything that follows.
	mu sync.Mutex
	// refusal is what every method returns once the store has failed or is closed.
	refusal error
	// inside counts views and commits in flight.
	inside sync.WaitGroup
	// writer is the last one to have become the writer.
	writer *leader
	// stuck says that bbolt itself panicked in a commit and may hold its own locks for ever.
	stuck  bool
	closed bool
}

var _ kv.Store = (*Store)(nil)

// Open opens the file, or creates it where the name does not exist. The error wraps kv.ErrHeld where another process has
// it open (the message says which), kv.ErrDamaged where its contents are not sound, and kv.ErrUnchecked where that could
// not be found out; a damaged file is left as it is, to be kept aside and replaced from a backup.
func Open(path string, options Options) (*Store, error) {
	if options.Timeout == 0 {
		options.Timeout = DefaultTimeout
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		if err := create(path); err != nil {
			return nil, fmt.Errorf("creating store %s: %w", path, err)
		}
	}
	if err := check(path, options.Timeout); err != nil {
		return nil, fmt.Errorf("opening store %s: %w", path, err)
	}
	var db *bbolt.DB
	err := guard(func() error {
		opened, err := bbolt.Open(path, 0o600, &bbolt.Options{
			Timeout:         options.Timeout,
			FreelistType:    bbolt.FreelistMapType,
			InitialMmapSize: mapped,
			NoStatistics:    true,
			OpenFile:        openExisting,
		})
		db = opened
		return err
	})
	switch {
	case errors.Is(err, bbolterrors.ErrTimeout):
		return nil, fmt.Errorf("opening store %s: %w%s", path, kv.ErrHeld, holder(path))
	case err != nil:
		return nil, fmt.Errorf("opening store %s: %w", path, err)
	}
	return &Store{
		path:    path,
		db:      db,
		commit:  (*bbolt.Tx).Commit,
		leading: make(chan struct{}, 1),
		ended:   make(chan struct{}),
	}, nil
}

// openExisting keeps bbolt from creating a file: create does that, and safely.
func openExisting(path string, flag int, mode fs.FileMode) (*os.File, error) {
	return os.OpenFile(path, flag&^os.O_CREATE, mode)
}

// create makes an empty store. Where another process was faster, that one's stands.
func create(path string) error {
	err := durable.Create(path, 0o600, func(file *os.File) error {
		db, err := bbolt.Open(file.Name(), 0o600, &bbolt.Options{Timeout: DefaultTimeout})
		if err != nil {
			return err
		}
		err = db.Update(func(tx *bbolt.Tx) error {
			_, err := tx.CreateBucket(bucket)
			return err
		})
		return errors.Join(err, db.Close())
	})
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// Path returns the file's path as it was given to Open.
func (s *Store) Path() string { return s.path }

// Limits returns that the number of operations is not limited; keys and values are as bbolt allows.
func (s *Store) Limits() kv.Limits {
	return kv.Limits{Key: bbolt.MaxKeySize, Value: bbolt.MaxValueSize - sumSize}
}

// View calls read with the newest revision. The context is asked before it begins and, every thousand keys, in ranges.
// The slices that its Reader returns are copies.
func (s *Store) View(ctx context.Context, read func(kv.Reader) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.enter(); err != nil {
		return err
	}
	defer s.inside.Done()
	var tx *bbolt.Tx
	err := guard(func() (err error) {
		tx, err = s.db.Begin(false)
		return err
	})
	if err != nil {
		return err
	}
	defer tx.Rollback()
	return read(reader{ctx: ctx, tx: tx})
}

// Close ends the right to write, waits for views and for the commit in flight, and releases the file. It may be called
// twice.
func (s *Store) Close() error {
	s.mu.Lock()
	again := s.closed
	s.closed = true
	s.end(kv.ErrClosed)
	s.mu.Unlock()
	if again {
		return nil
	}
	s.inside.Wait()
	if s.stuck {
		return fmt.Errorf("closing store %s: %w: the file stays locked until the program ends", s.path, kv.ErrFailed)
	}
	return guard(s.db.Close)
}

// enter counts a view or a commit as in flight, or says why the store answers nothing.
func (s *Store) enter() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refusal == nil {
		s.inside.Add(1)
	}
	return s.refusal
}

// refused returns why the store answers nothing, or nil.
func (s *Store) refused() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.refusal
}

// fail makes every later call end with kv.ErrFailed and returns that error.
func (s *Store) fail(cause error, stuck bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := fmt.Errorf("%w: %s: %w", kv.ErrFailed, s.path, cause)
	s.stuck = s.stuck || stuck
	if !s.closed {
		s.end(err)
	}
	return err
}

// end is called with mu held. It makes every later call end with the error, and the writer lose its right.
func (s *Store) end(refusal error) {
	if s.refusal == nil {
		close(s.ended)
	}
	s.refusal = refusal
	if s.writer != nil {
		s.writer.lose()
	}
}
