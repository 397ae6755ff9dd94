// Package central keeps the books of a tournament in one place and lets kiosks, desks and operators at them over HTTP.
//
// One goroutine, the writer, makes every change: it takes what is queued, decides each request by the ledger on the newest
// view, commits what they add up to in one batch, and answers each caller after the disk has it (design decision 2).
// Reads go past it, to the newest committed revision. A caller that goes away does not stop its request; a request with a
// key that is sent again gets the answer that was kept (decision 3).
//
// What central does when it cannot go on is always the same: it says so with a problem (503) of which the caller knows
// that the request may be sent again as it is. That is so while too many requests wait, while it is being stopped, while
// the disk did not confirm a commit and the store is closed, checked and opened again, and while its clock is suspect
// (decision 9; an operator looks at the clock and confirms it).
//
// The API is described by the document at /v1/openapi.json, and store/client speaks it. Who speaks to central has a
// certificate of its authority (store/trust), by which roles.go says what it may ask for; without TLS central listens on
// this machine alone, for a demonstration. It logs no query, no body and no answer: they hold people's numbers.
//
//	options, err := central.Load("/var/lib/reelkiosk", "/etc/reelkiosk/keys", "")
//	listener, err := options.ListenTLS(":7180", nil)
//	c, err := central.New(options)
//	go c.Serve(listener)
//	…
//	err = c.Stop(ctx)
package central

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"reelkiosk/store/kv"
	"reelkiosk/store/kv/bolt"
	"reelkiosk/store/ledger"
	"reelkiosk/store/tournament"
	"reelkiosk/store/trust"
	"reelkiosk/store/vault"
)

// Options are what a Central is made of. Definition, Vault and Folder must be given.
type Options struct {
	// Definition is the tournament, and Vault what people are looked up and sealed with.
	Definition *tournament.Tournament
	Vault      *vault.Vault
	// Folder is where everything lies: the books in BooksFile, exclusion lists, imports under way.
	Folder string
	// Open opens the store of the books; nil is bbolt in Folder. It is called again after a failed commit and must check
	// what it opens.
	Open func() (kv.Store, error)
	// Wall is the wall clock, time.Now if nil. Elapsed counts on whatever the wall clock is set to, also while the machine
	// sleeps; nil is the system's own.
	Wall    func() time.Time
	Elapsed func() time.Duration
	// Authority lets kiosks and operators in by their certificates; nil where Serve is only ever given a listener of Listen.
	Authority *trust.Authority
	// Random gives every id, number and key; nil is the system's own.
	Random io.Reader
	// DiskFree returns which share of the folder's disk is free, from 0 to 1; nil asks the system.
	DiskFree func() (float64, error)
	// Log is where central says what operators should know; nil discards it.
	Log *slog.Logger
	// Version is told in every answer. Built is when the program was made, zero where that is not known.
	Version string
	Built   time.Time
	// Floor is the number of the floor key that kiosks open what they copy with, 1 if 0.
	Floor uint32
	// Batch is how many requests may share a commit, 256 if 0.
	Batch int
}

// BooksFile is the name of the books within the folder.
const BooksFile = "books.db"

// leadTimeout bounds how long a starting central waits to become the writer.
const leadTimeout = 10 * time.Second

// Central is the server. New makes one, Serve runs it, Stop ends it.
type Central struct {
	options  Options
	log      *slog.Logger
	books    *ledger.Books
	lists    *lists
	imports  *imports
	present  *presence
	reports  *reports
	ailing   ailing
	clock    *clock
	writer   *writer
	http     *http.Server
	stopping atomic.Bool
	// proving is held while a PIN is hashed.
	proving  sync.Mutex
	arrivals arrivals
	// mostEntered is how long a file of exclusions may be before it becomes a list.
	mostEntered int
	feeding
}

// New opens the books in the folder, or begins new ones, and becomes their writer. The error wraps kv.ErrHeld where
// another process has them, kv.ErrDamaged where they are not sound, and ErrOtherKeys where these are not their keys.
func New(options Options) (*Central, error) {
	options.fill()
	c := &Central{options: options, log: options.Log, mostEntered: mostEntered}
	if err := os.MkdirAll(options.Folder, 0o700); err != nil {
		return nil, fmt.Errorf("the data folder: %w", err)
	}
	store, err := options.openBound()
	if err != nil {
		return nil, err
	}
	if err := c.start(store); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return c, nil
}

func (c *Central) start(store kv.Store) (err error) {
	if c.lists, err = openLists(c.options.Folder, c.options.Vault.CheckLookup(), store, c.log); err != nil {
		return err
	}
	c.books = ledger.New(c.options.Definition, c.options.Vault, c.lists.set)
	var newest time.Time
	err = store.View(context.Background(), func(view kv.Reader) error {
		_, newest, err = ledger.Last(view)
		return err
	})
	if err != nil {
		return errors.Join(err, c.lists.close())
	}
	c.clock = newClock(c.options.Wall, c.options.Elapsed, c.options.Definition.Zone, c.options.Built, newest)
	if _, err := c.clock.check(); err != nil {
		c.log.Warn("the clock is suspect; nothing is written until an operator confirms it", "clock", c.options.Wall(), "last event", newest)
	}
	if err := c.define(store); err != nil {
		return errors.Join(err, c.lists.close())
	}
	if c.imports, err = openImports(c.options.Folder); err != nil {
		return errors.Join(err, c.lists.close())
	}
	if c.present, err = openPresence(store); err != nil {
		return errors.Join(err, c.lists.close())
	}
	if c.reports, err = openReports(c.options.Folder); err != nil {
		c.log.Warn("beginning without what was kept", "error", err)
	}
	c.http = newServer(c.around(newAPI(c)))
	c.http.ConnContext = func(ctx context.Context, _ net.Conn) context.Context { return c.present.number(ctx) }
	c.http.ErrorLog = slog.NewLogLogger(c.log.Handler(), slog.LevelWarn)
	ctx, cancel := context.WithTimeout(context.Background(), leadTimeout)
	defer cancel()
	c.writer, err = startWriter(ctx, store, c.openAgain, c.clock, c.options.Batch, c.log)
	if err != nil {
		c.imports.stop()
		return errors.Join(err, c.lists.close())
	}
	if err := c.startFeed(); err != nil {
		c.imports.stop()
		return errors.Join(err, c.writer.stop(), c.lists.close())
	}
	return nil
}

// openAgain opens the store after a commit failed, with the exclusion list that it turns out to name.
func (c *Central) openAgain() (kv.Store, error) {
	store, err := c.options.openBound()
	if err != nil {
		return nil, err
	}
	if err := c.lists.load(store); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return store, nil
}

// Handler answers requests without a listener, for tests.
func (c *Central) Handler() http.Handler { return c.http.Handler }

// OpenBooks opens the store of the books as New would, for programs that look at the books of a central that is stopped.
func (o Options) OpenBooks() (kv.Store, error) {
	o.fill()
	return o.openBound()
}

func (o *Options) fill() {
	if o.Open == nil {
		path := filepath.Join(o.Folder, BooksFile)
		o.Open = func() (kv.Store, error) {
			store, err := bolt.Open(path, bolt.Options{})
			if err != nil {
				return nil, err // and no *bolt.Store that is nil
			}
			return store, nil
		}
	}
	if o.Wall == nil {
		o.Wall = time.Now
	}
	if o.Elapsed == nil {
		o.Elapsed = sinceBoot
	}
	if o.DiskFree == nil {
		folder := o.Folder
		o.DiskFree = func() (float64, error) { return diskFree(folder) }
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Floor == 0 {
		o.Floor = 1
	}
	if o.Version == "" {
		o.Version = "unversioned"
	}
	if o.Batch == 0 {
		o.Batch = mostBatched
	}
}
