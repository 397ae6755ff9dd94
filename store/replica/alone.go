package replica

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"reelkiosk/store/alone"
	"reelkiosk/store/kv"
	"reelkiosk/store/ledger"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// The keys of what a kiosk needs to give seats by itself, in the Replica's file.
var keyHolding = []byte("alone/holding")

const prefixLaid = "alone/laid/"

// toldEvery is how old what is kept of the time and of the copy's age may be.
const toldEvery = time.Minute

// AloneClock is the kiosk's time (design decision 9).
type AloneClock struct {
	// Boot is the id of the machine's boot, and Elapsed its CLOCK_BOOTTIME.
	Boot    string
	Elapsed func() time.Duration
	// Now is the time heard from central and what has passed since, and whether any was heard since the program's start.
	Now func() (time.Time, bool)
}

// Alone is what a kiosk gives by itself while it is cut off: what it holds of central's grants (store/alone) and the seats
// that the feed has not brought yet, kept in the Replica's file, and decided on the Mirror's copy of the books.
//
// It makes requests, each persisted with what it follows from in one commit; who owns the Replica brings them to central
// and gives each answer to Answered, in place of Replica.Settle. It is safe for use by several goroutines.
type Alone struct {
	replica *Replica
	mirror  *Mirror
	clock   AloneClock
	random  io.Reader

	// mu guards everything that follows, and is held over each change of it and its commit.
	mu   sync.Mutex
	kept kept
	// record is what is on the disk of it.
	record []byte
	// laid are the seats that the feed has not brought yet.
	laid []wire.SeatReport
}

// kept is the record of an Alone.
type kept struct {
	alone.Holding
	// Told is central's time at a moment of a boot, and Heard when the copy was last known to be complete in that boot, zero
	// for never: a program that starts again goes by them while nothing is heard.
	Told  time.Time   `json:"told,omitzero"`
	At    alone.Stamp `json:"at,omitzero"`
	Heard alone.Stamp `json:"heard,omitzero"`
}

// OpenAlone reads what a kiosk of that name holds.
func OpenAlone(replica *Replica, mirror *Mirror, kiosk string, clock AloneClock, random io.Reader) (*Alone, error) {
	a := &Alone{replica: replica, mirror: mirror, clock: clock, random: random}
	err := replica.store.View(context.Background(), func(reader kv.Reader) error {
		text, err := reader.Get(keyHolding)
		if err == nil {
			a.record = slices.Clone(text)
			err = json.Unmarshal(text, &a.kept)
		}
		if err != nil && !errors.Is(err, kv.ErrNotFound) {
			return fmt.Errorf("%w: what the kiosk holds: %w", kv.ErrDamaged, err)
		}
		return each(reader, prefixLaid, func(_ string, report wire.SeatReport) error {
			a.laid = append(a.laid, report)
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	if a.kept.Kiosk != "" && a.kept.Kiosk != kiosk {
		return nil, fmt.Errorf("this file is that of %s: what it holds of central's grants is not for %s", a.kept.Kiosk, kiosk)
	}
	a.kept.Kiosk = kiosk
	return a, nil
}

// moment returns what the kiosk knows of the time. It is called with mu held, and not within a view of the mirror.
func (a *Alone) moment(ctx context.Context) (alone.Moment, error) {
	now := alone.Moment{Boot: a.clock.Boot, Now: a.clock.Elapsed()}
	position, err := a.mirror.Position(ctx)
	if err != nil {
		return now, err
	}
	now.Applied = position.Sequence
	if age, known := a.mirror.Age(); known {
		now.Heard = now.Now - age
	} else if a.kept.Heard.Boot == now.Boot {
		now.Heard = a.kept.Heard.Now
	}
	if at, known := a.clock.Now(); known {
		now.At = at
	} else if a.kept.At.Boot == now.Boot && !a.kept.Told.IsZero() {
		now.At = a.kept.Told.Add(now.Now - a.kept.At.Now)
	}
	return now, nil
}

// Ready returns why the kiosk can give no seat by itself: a refusal by ExclusionsStale or NoGrant, ErrNoMirror or ErrLocked;
// nil where it can.
func (a *Alone) Ready(ctx context.Context) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	now, err := a.moment(ctx)
	if err != nil {
		return err
	}
	return a.mirror.View(ctx, func(books *ledger.Books, _ kv.Reader) error {
		if refusal := a.kept.Ready(now, books.Definition().Rules); refusal != nil {
			return refusal
		}
		return nil
	})
}

// Held returns how many machines the kiosk may still give by itself, and for how long yet.
func (a *Alone) Held() (machines int, left time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.kept.Held(alone.Moment{Boot: a.clock.Boot, Now: a.clock.Elapsed()})
}

// Identify says who holds a card or a document, by the copy with what was given since laid over it, and which heats there
// are, with those seats free that the kiosk may give. Besides the refusals of central it refuses as Ready does, and with
// NotHome those whom the copy does not know or whose home is another kiosk: that is a NotHomeError.
func (a *Alone) Identify(ctx context.Context, who wire.Identify, most int) (person wire.Person, heats []wire.Heat, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now, err := a.moment(ctx)
	if err != nil {
		return person, nil, err
	}
	err = a.mirror.View(ctx, func(books *ledger.Books, view kv.Reader) error {
		if refusal := a.kept.Ready(now, books.Definition().Rules); refusal != nil {
			return refusal
		}
		overlay, err := a.over(books, view)
		if err != nil {
			return err
		}
		request := ledger.Request{At: now.At, Where: a.kept.Kiosk, Random: a.random, Act: ledger.Identify(who)}
		answer, _, err := books.Look(overlay, request)
		if err != nil {
			return err
		}
		if person, err = ledger.As[wire.Person](answer); err != nil {
			return err
		}
		if err := a.ownPlayer(books, view, person.ID); err != nil {
			return err
		}
		heats, err = books.HeatsAlone(overlay, now.At, most, a.kept.By(now))
		return err
	})
	return person, heats, err
}

// Floor returns the tournament as the copy knows it, and its heats from now on, with those seats free that the kiosk may
// give. Errors are those of Ready.
func (a *Alone) Floor(ctx context.Context, most int) (defined *tournament.Tournament, heats []wire.Heat, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now, err := a.moment(ctx)
	if err != nil {
		return nil, nil, err
	}
	err = a.mirror.View(ctx, func(books *ledger.Books, view kv.Reader) error {
		defined = books.Definition()
		if refusal := a.kept.Ready(now, defined.Rules); refusal != nil {
			return refusal
		}
		overlay, err := a.over(books, view)
		if err != nil {
			return err
		}
		heats, err = books.HeatsAlone(overlay, now.At, most, a.kept.By(now))
		return err
	})
	return defined, heats, err
}

// Told returns the last time that is kept of what central told in this boot, and the count of that moment.
func (a *Alone) Told() (told time.Time, at time.Duration, known bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.kept.Told, a.kept.At.Now, a.kept.At.Boot == a.clock.Boot && !a.kept.Told.IsZero()
}

// ownPlayer refuses those whom the copy does not know or whose home is another kiosk.
func (a *Alone) ownPlayer(books *ledger.Books, view kv.Reader, who tournament.PersonID) error {
	known, err := ledger.HasPerson(view, who)
	if err != nil {
		return err
	}
	home, own := "", false
	if known {
		if home, own, err = books.Home(view, a.kept.Kiosk, &a.kept.Using.Grant, who); err != nil {
			return err
		}
	}
	if !own {
		return &NotHomeError{home, tournament.NotHome.Refuse()}
	}
	return nil
}

// NotHomeError is the refusal NotHome, with the kiosk that is the player's home; none where the copy does not know him.
type NotHomeError struct {
	Home    string
	refusal *tournament.Refusal
}

// Error is that of the refusal.
func (e *NotHomeError) Error() string { return e.refusal.Error() }

// Unwrap returns the refusal.
func (e *NotHomeError) Unwrap() error { return e.refusal }

// over returns the copy with the seats laid over it that the feed has not brought.
func (a *Alone) over(books *ledger.Books, view kv.Reader) (*kv.Overlay, error) {
	overlay := kv.NewOverlay(view)
	for i := range a.laid {
		if err := books.Lay(overlay, &a.laid[i]); err != nil {
			return nil, err
		}
	}
	return overlay, nil
}

// Give gives a seat while the kiosk is cut off. When it returns, the seat, the report of it for central and the intent to
// print its ticket are on the disk. Errors are those of alone.Holding.Give, ErrNoMirror, ErrLocked, or the file's.
func (a *Alone) Give(ctx context.Context, act wire.Register) (seat wire.Seat, report Request, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now, err := a.moment(ctx)
	if err != nil {
		return seat, report, err
	}
	var given wire.SeatReport
	err = a.mirror.View(ctx, func(books *ledger.Books, view kv.Reader) error {
		overlay, err := a.over(books, view)
		if err != nil {
			return err
		}
		given, seat, err = a.kept.Give(books, overlay, ledger.Register(act), a.unsettled(act.Person), now, a.random)
		return err
	})
	if err != nil {
		return seat, report, err
	}
	record, err := json.Marshal(given)
	if err != nil {
		return seat, report, err
	}
	requests, err := a.commit([]posting{posted(wire.PathSeatReports, given)}, &Intent{Ticket: seat.Ticket, Seat: seat.ID}, func(batch *kv.Batch) {
		batch.Put([]byte(prefixLaid+string(given.Seat)), record)
	})
	if err != nil {
		return seat, report, err
	}
	a.laid = append(a.laid, given)
	return seat, requests[0], nil
}

// unsettled reports whether a request for a player is not answered: nobody knows what came of it. Reports of seats that the
// kiosk gave are known.
func (a *Alone) unsettled(who tournament.PersonID) bool {
	return slices.ContainsFunc(a.replica.open(), func(r Request) bool {
		switch r.Path {
		case wire.PathSeatReports, wire.PathLetGo, wire.PathNotices, wire.PathPrints:
			return false
		}
		return personOf(r) == who
	})
}

// MayAsk reports whether central may be asked to act for a player: all that the kiosk gave him is reported.
func (a *Alone) MayAsk(who tournament.PersonID) bool { return !a.pending(wire.PathSeatReports, who) }

// pending reports whether a request of that path for a player is not answered.
func (a *Alone) pending(path string, who tournament.PersonID) bool {
	return slices.ContainsFunc(a.replica.open(), func(r Request) bool { return r.Path == path && personOf(r) == who })
}

func personOf(r Request) tournament.PersonID {
	var about struct {
		Person tournament.PersonID `json:"person"`
	}
	_ = json.Unmarshal(r.Body, &about) // what names nobody is about nobody
	return about.Person
}
