package replica

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"reelkiosk/store/alone"
	"reelkiosk/store/kv"
	"reelkiosk/store/ledger"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// Answered settles a request as Replica.Settle does, and takes what the answer means for what the kiosk holds, in one
// commit; failure is the refusal, or whatever else central answered instead. What tells central something and is refused
// becomes a dead letter. It returns requests that follow from it.
func (a *Alone) Answered(request Request, answer json.RawMessage, failure error, intent *Intent) ([]Request, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	var back wire.GiveBack
	switch {
	case request.Path == wire.PathGrants && failure != nil:
		if a.kept.Refused(request.Sequence) {
			back = a.kept.Stop()
		}
	case request.Path == wire.PathGrants:
		var grant wire.Grant
		if err := json.Unmarshal(answer, &grant); err != nil {
			return nil, fmt.Errorf("reading a grant: %w", err)
		}
		a.kept.Take(request.Sequence, grant)
	case failure != nil && tells(request.Path):
		at, _ := a.clock.Now()
		return nil, a.replica.Bury(request, failure.Error(), at)
	case failure != nil:
		return nil, a.replica.Settle(request, intent)
	default:
		if err := a.taken(request, answer); err != nil {
			return nil, err
		}
	}
	record, err := json.Marshal(&a.kept)
	if err != nil {
		return nil, err
	}
	err = a.replica.Settle(request, intent, func(batch *kv.Batch) { batch.Put(keyHolding, record) })
	if a.saved(record, err); err != nil || len(back.Tickets) == 0 {
		return nil, err
	}
	return a.commit([]posting{posted(wire.PathGivenBack, back)}, nil, nil)
}

// tells reports whether a request of that path tells central what has happened, whatever central thinks of it.
func tells(path string) bool {
	return path == wire.PathSeatReports || path == wire.PathGivenBack || path == wire.PathLetGo
}

// taken takes over that central did what it was asked or told.
func (a *Alone) taken(request Request, answer json.RawMessage) error {
	next := a.replica.next()
	switch request.Path {
	case wire.PathGivenBack:
		var sent wire.GiveBack
		if err := json.Unmarshal(request.Body, &sent); err != nil {
			return err
		}
		a.kept.Settled(next, "", sent.Tickets...)
	case wire.PathSeatReports:
		var sent wire.SeatReport
		if err := json.Unmarshal(request.Body, &sent); err != nil {
			return err
		}
		a.kept.Settled(next, "", sent.Ticket)
	case wire.PathLetGo:
		a.kept.Settled(next, personOf(request))
	case wire.PathRegistrations:
		var seat wire.Seat
		if err := json.Unmarshal(answer, &seat); err != nil {
			return fmt.Errorf("reading a seat: %w", err)
		}
		a.kept.Seated(seat.ID, personOf(request))
	}
	return nil
}

// Turn does what has to be done again and again, and whenever the copy has changed: it takes over what the copy knows, and
// makes the requests that follow. Connected says that central answers: only then is a grant asked for. It returns the
// requests, to be brought to central in this order.
func (a *Alone) Turn(ctx context.Context, connected bool) ([]Request, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now, err := a.moment(ctx)
	if err != nil {
		return nil, err
	}
	var brought []wire.SeatReport
	var back []tournament.HeatID
	changed := a.tell(now)
	err = a.mirror.View(ctx, func(books *ledger.Books, view kv.Reader) error {
		learnt, err := a.kept.Follow(books, view, now)
		if err != nil {
			return err
		}
		changed = changed || learnt
		if brought, err = a.brought(view); err != nil || a.kept.Using == nil || now.At.IsZero() {
			return err
		}
		back, err = books.GoBack(view, &a.kept.Using.Grant, now.At)
		return err
	})
	if err != nil {
		return nil, err
	}
	posts := a.follows(now, back, connected)
	if !changed && len(posts) == 0 && len(brought) == 0 {
		return nil, nil
	}
	requests, err := a.commit(posts, nil, func(batch *kv.Batch) {
		for _, report := range brought {
			batch.Delete([]byte(prefixLaid + string(report.Seat)))
		}
	})
	if err == nil {
		a.laid = slices.DeleteFunc(a.laid, func(one wire.SeatReport) bool { return slices.Contains(brought, one) })
	}
	return requests, err
}

// tell notes what is known of the time and of the copy, where what was noted is old.
func (a *Alone) tell(now alone.Moment) bool {
	stamp := alone.Stamp{Boot: now.Boot, Now: now.Now}
	changed := false
	if _, known := a.clock.Now(); known && (a.kept.At.Boot != now.Boot || now.Now-a.kept.At.Now >= toldEvery) {
		a.kept.Told, a.kept.At, changed = now.At, stamp, true
	}
	if now.Heard != 0 && (a.kept.Heard.Boot != now.Boot || now.Heard-a.kept.Heard.Now >= toldEvery) {
		a.kept.Heard, changed = alone.Stamp{Boot: now.Boot, Now: now.Heard}, true
	}
	return changed
}

// brought returns the seats that the copy has by now.
func (a *Alone) brought(view kv.Reader) (brought []wire.SeatReport, err error) {
	for _, report := range a.laid {
		has, err := ledger.HasSeat(view, report.Seat)
		if err != nil {
			return nil, err
		}
		if has {
			brought = append(brought, report)
		}
	}
	return brought, nil
}

// follows makes the requests that are due.
func (a *Alone) follows(now alone.Moment, back []tournament.HeatID, connected bool) (posts []posting) {
	give := func(request wire.GiveBack) {
		if len(request.Tickets) > 0 {
			posts = append(posts, posted(wire.PathGivenBack, request))
		}
	}
	if len(back) > 0 {
		give(a.kept.GiveBack(back...))
	}
	give(a.kept.GiveOverBack())
	for _, who := range a.kept.Letting() {
		if !a.pending(wire.PathLetGo, who) && !a.pending(wire.PathSeatReports, who) {
			posts = append(posts, posted(wire.PathLetGo, wire.LetGo{Kiosk: a.kept.Kiosk, Person: who}))
		}
	}
	if connected && !now.At.IsZero() && a.kept.Due(now) {
		unreported := a.unreported()
		posts = append(posts, posting{wire.PathGrants, func(sequence uint64) any { return a.kept.Ask(sequence, now, unreported...) }})
	}
	return posts
}

// unreported returns the grants by which seats were given that central has not answered for.
func (a *Alone) unreported() (grants []uint64) {
	for _, request := range a.replica.open() {
		var report wire.SeatReport
		if request.Path == wire.PathSeatReports && json.Unmarshal(request.Body, &report) == nil {
			grants = append(grants, report.Grant)
		}
	}
	return grants
}

// Stop gives everything back, before a planned stop. It returns the request that does so.
func (a *Alone) Stop() ([]Request, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	back := a.kept.Stop()
	if len(back.Tickets) == 0 {
		return nil, nil
	}
	return a.commit([]posting{posted(wire.PathGivenBack, back)}, nil, nil)
}

// commit writes what is held, with the requests and whatever else belongs to it.
func (a *Alone) commit(posts []posting, intent *Intent, also func(*kv.Batch)) ([]Request, error) {
	var record []byte
	requests, err := a.replica.postAll(posts, intent, func(batch *kv.Batch) (err error) {
		if record, err = json.Marshal(&a.kept); err != nil {
			return err
		}
		batch.Put(keyHolding, record)
		if also != nil {
			also(batch)
		}
		return nil
	})
	a.saved(record, err)
	return requests, err
}

// saved notes what is on the disk. Where a commit failed, what is held is again what was there before.
func (a *Alone) saved(record []byte, failure error) {
	if failure == nil {
		a.record = record
		return
	}
	kiosk := a.kept.Kiosk
	a.kept = kept{}
	if len(a.record) > 0 {
		_ = json.Unmarshal(a.record, &a.kept) // which it was read from, or written as
	}
	a.kept.Kiosk = kiosk
}
