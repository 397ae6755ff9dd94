// Package replica is what a kiosk keeps on its own disk, in one file, so that a power cut at any moment loses nothing that
// it promised: the requests that central has not answered yet, and the tickets whose print has begun and not ended.
//
// A request that changes the books gets its key here before it is sent (design decision 3): Ask persists the sequence, the
// path and the very bytes of the body. Settle drops it when the answer came. Whatever is left at the next start was perhaps
// done and perhaps not, and is sent again with the same key and the same bytes, which has one effect.
//
// A print is an Intent before its first byte is sent (design decision 5): Settle writes it in the same commit that drops the
// request for the seat, so that no seat is ever known to be taken without its ticket being known to be owed. Conclude drops
// it for the report of its outcome, in one commit again. An intent that is left at the next start was perhaps printed: it is
// unconfirmed, and is never printed again by the program itself.
//
//	request, err := replica.Ask(wire.PathRegistrations, body) // then send it
//	err = replica.Settle(request, &replica.Intent{Ticket: seat.Ticket, Seat: seat.ID}) // then print it
//	report, err := replica.Conclude(seat.Ticket, outcome) // then send the report
//
// The file holds ids, heats and ticket and receipt numbers, and nothing that says who anybody is. It is a store of
// store/kv/bolt: made safely, opened by one process only, checked before it is trusted.
//
// A request that tells central something and that central cannot take becomes a dead letter (Bury), which holds up nothing
// and stays until somebody has it sent again.
//
// The kiosk's copy of central's books is a Mirror, in files of its own.
package replica

import (
	"cmp"
	"context"
	"encoding/base32"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"reelkiosk/store/kv"
	"reelkiosk/store/kv/bolt"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// Request is a request to central that was not settled yet.
type Request struct {
	// Sequence is the second half of its key; the replica's Enrolment is the first.
	Sequence uint64 `json:"-"`
	// Path is one of wire's; Body is what is posted to it, byte for byte.
	Path string          `json:"path"`
	Body json.RawMessage `json:"body"`
}

// Intent is a copy of a ticket that is to be printed, and of which it is not known whether it was.
type Intent struct {
	Ticket string            `json:"ticket"`
	Seat   tournament.SeatID `json:"seat"`
}

// DamagedError is the error of Open where the file is not sound. The file was put aside, and nothing takes its place until
// somebody has looked at it and moved it away: what it held may be registrations that nobody else knows of.
type DamagedError struct {
	// Kept is where the damaged file lies.
	Kept string
	// Err is what is wrong with it; it wraps kv.ErrDamaged.
	Err error
}

// Error says what is wrong, where the file lies and what to do.
func (e *DamagedError) Error() string {
	return fmt.Sprintf("%v; it is kept as %s: run kiosk store accept to begin with an empty one and what can be salvaged", e.Err, e.Kept)
}

// Unwrap returns what is wrong with the file.
func (e *DamagedError) Unwrap() error { return e.Err }

// Replica is the open file. It is safe for use by several goroutines; each change is one commit.
type Replica struct {
	store     kv.Store
	leader    kv.Leader
	enrolment string

	// mu guards everything that follows, and orders the commits.
	mu sync.Mutex
	// last is the last sequence that was given to a request.
	last     uint64
	requests []Request
	intents  []Intent
	dead     []Dead
}

// The keys of the file: the enrolment and the last sequence, and a record under each request's sequence (eight bytes, the
// most significant first) and each intent's ticket number.
var (
	keyEnrolment = []byte("enrolment")
	keyLast      = []byte("last")
)

const (
	prefixRequest = "request/"
	prefixIntent  = "intent/"
)

// patience is how long Open waits for another process to let go of the file: a kiosk that ends settles its print first.
const patience = 1700 * time.Millisecond

// Open opens the file, or makes an empty one where the name is free; a new one takes its enrolment from random. The error
// is a *DamagedError where the file is not sound, wraps kv.ErrHeld where another process has it open for longer than a second
// or two (the message says which), kv.ErrUnchecked where it is not known whether the file is sound, or is the system's.
func Open(path string, random io.Reader) (*Replica, error) {
	if err := keptAside(path); err != nil {
		return nil, err
	}
	r, err := open(path, random)
	if errors.Is(err, kv.ErrDamaged) {
		return nil, putAside(path, err)
	}
	return r, err
}

func open(path string, random io.Reader) (*Replica, error) {
	store, err := bolt.Open(path, bolt.Options{Timeout: patience})
	if err != nil {
		return nil, err
	}
	r := &Replica{store: store}
	if r.leader, err = store.Lead(context.Background()); err == nil {
		err = r.load()
	}
	if err == nil && r.enrolment == "" {
		err = r.enrol(random)
	}
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return r, nil
}

// keptInfix stands between the name of the file and the number of one that was put aside.
const keptInfix = ".damaged-"

// keptAside returns the error of a damaged file that lies where nothing has taken its place yet.
func keptAside(path string) error {
	if _, err := os.Stat(path); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	kept, _ := filepath.Glob(globQuote(path) + keptInfix + "*") // the pattern is sound: it is quoted
	if len(kept) == 0 {
		return nil
	}
	newest := slices.MaxFunc(kept, func(one, other string) int { // by the number at its end
		return cmp.Or(cmp.Compare(len(one), len(other)), cmp.Compare(one, other))
	})
	return &DamagedError{newest, fmt.Errorf("opening store %s: %w earlier", path, kv.ErrDamaged)}
}

// putAside moves a damaged file out of the way, under a name that is free.
func putAside(path string, damage error) error {
	for count := 1; ; count++ {
		kept := fmt.Sprint(path, keptInfix, count)
		err := os.Link(path, kept) // unlike a rename it takes no other file's place
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err == nil {
			err = os.Remove(path)
		}
		if err != nil {
			return errors.Join(&DamagedError{path, damage}, err)
		}
		return &DamagedError{kept, damage}
	}
}

func globQuote(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// Close releases the file.
func (r *Replica) Close() error { return r.store.Close() }

// Enrolment returns the first half of every key of this replica: random, made with the file.
func (r *Replica) Enrolment() string { return r.enrolment }

// Requests returns the unsettled requests, oldest first.
func (r *Replica) Requests() []Request {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.requests)
}

// Intents returns the prints that have begun and not ended, in the order of their ticket numbers.
func (r *Replica) Intents() []Intent {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.intents)
}

// Settled returns the sequence below which every request is settled.
func (r *Replica) Settled() uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.requests) > 0 {
		return r.requests[0].Sequence
	}
	return r.last + 1
}

// Ask gives a request its key and persists it, with what also adds to the same commit. It must be sent only after Ask
// returned, and again until it is settled.
func (r *Replica) Ask(path string, body any, also ...func(*kv.Batch)) (Request, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var batch kv.Batch
	with(&batch, also)
	request, err := r.draft(&batch, path, body)
	if err != nil {
		return Request{}, err
	}
	if err := r.apply(&batch); err != nil {
		return Request{}, err
	}
	r.last = request.Sequence
	r.requests = append(r.requests, request)
	return request, nil
}

// Settle drops a request that central has answered. With an intent it persists, in the same commit, that its ticket is
// about to be printed, and what also adds. A request that is settled already is not settled again.
func (r *Replica) Settle(request Request, intent *Intent, also ...func(*kv.Batch)) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := slices.IndexFunc(r.requests, func(other Request) bool { return other.Sequence == request.Sequence })
	if at < 0 {
		return nil
	}
	var batch kv.Batch
	with(&batch, also)
	batch.Delete(requestKey(request.Sequence))
	if intent != nil {
		if err := put(&batch, []byte(prefixIntent+intent.Ticket), intent); err != nil {
			return err
		}
	}
	if err := r.apply(&batch); err != nil {
		return err
	}
	r.requests = slices.Delete(r.requests, at, at+1)
	if intent != nil {
		r.intents = append(r.intents, *intent)
	}
	return nil
}

// Conclude drops the intent of a ticket and makes, in the same commit, the request that reports what became of it. The
// intent may be gone already (a late word of the printer): the report is made all the same.
func (r *Replica) Conclude(outcome wire.PrintOutcome) (Request, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var batch kv.Batch
	request, err := r.draft(&batch, wire.PathPrints, outcome)
	if err != nil {
		return Request{}, err
	}
	batch.Delete([]byte(prefixIntent + outcome.Ticket))
	if err := r.apply(&batch); err != nil {
		return Request{}, err
	}
	r.last = request.Sequence
	r.requests = append(r.requests, request)
	r.intents = slices.DeleteFunc(r.intents, func(intent Intent) bool { return intent.Ticket == outcome.Ticket })
	return request, nil
}

// Room writes what is there already, to find out whether the file can be written. The error wraps kv.ErrFull where the disk
// has no room.
func (r *Replica) Room() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var batch kv.Batch
	batch.Put(keyEnrolment, []byte(r.enrolment))
	return r.apply(&batch)
}

// draft puts the next request into a batch. A body as json.Marshal writes it passes through the record's own encoding
// unchanged, so that the same bytes are sent again.
func (r *Replica) draft(batch *kv.Batch, path string, body any) (Request, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return Request{}, fmt.Errorf("request to %s: %w", path, err)
	}
	request := Request{Sequence: r.last + 1, Path: path, Body: text}
	if err := put(batch, requestKey(request.Sequence), request); err != nil {
		return Request{}, fmt.Errorf("request to %s: %w", path, err)
	}
	batch.Put(keyLast, binary.BigEndian.AppendUint64(nil, request.Sequence))
	return request, nil
}

// put adds a record to a batch.
func put(batch *kv.Batch, key []byte, record any) error {
	text, err := json.Marshal(record)
	if err == nil {
		batch.Put(key, text)
	}
	return err
}

func (r *Replica) apply(batch *kv.Batch) error { return r.leader.Apply(context.Background(), batch) }

// enrol makes the enrolment of a new file.
func (r *Replica) enrol(random io.Reader) error {
	id := make([]byte, 16)
	if _, err := io.ReadFull(random, id); err != nil {
		return fmt.Errorf("drawing an enrolment: %w", err)
	}
	r.enrolment = strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(id))
	var batch kv.Batch
	batch.Put(keyEnrolment, []byte(r.enrolment))
	return r.apply(&batch)
}

// load reads the file.
func (r *Replica) load() error {
	return r.store.View(context.Background(), func(reader kv.Reader) error {
		enrolment, err := reader.Get(keyEnrolment)
		if errors.Is(err, kv.ErrNotFound) {
			return nil // new
		}
		if err != nil {
			return err
		}
		r.enrolment = string(enrolment)
		last, err := reader.Get(keyLast)
		if err != nil && !errors.Is(err, kv.ErrNotFound) {
			return err
		}
		if len(last) == 8 {
			r.last = binary.BigEndian.Uint64(last)
		}
		err = each(reader, prefixRequest, func(key string, request Request) error {
			if len(key) != 8 {
				return fmt.Errorf("%w: a request has the key %x", kv.ErrDamaged, key)
			}
			request.Sequence = binary.BigEndian.Uint64([]byte(key))
			r.requests = append(r.requests, request)
			return nil
		})
		if err != nil {
			return err
		}
		err = each(reader, prefixIntent, func(_ string, intent Intent) error {
			r.intents = append(r.intents, intent)
			return nil
		})
		if err != nil {
			return err
		}
		return r.loadDead(reader)
	})
}

// each decodes the records under a prefix, in the order of their keys.
func each[R any](reader kv.Reader, prefix string, take func(key string, record R) error) error {
	high := []byte(prefix)
	high[len(high)-1]++
	records, end := reader.Range([]byte(prefix), high)
	for key, text := range records {
		var record R
		if err := json.Unmarshal(text, &record); err != nil {
			return fmt.Errorf("%w: record %q: %w", kv.ErrDamaged, key, err)
		}
		if err := take(string(key[len(prefix):]), record); err != nil {
			return err
		}
	}
	return end()
}

func requestKey(sequence uint64) []byte {
	return binary.BigEndian.AppendUint64([]byte(prefixRequest), sequence)
}
