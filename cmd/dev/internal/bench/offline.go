package bench

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"reelkiosk/devices/emulator"
	"reelkiosk/store/client"
	"reelkiosk/store/kv"
	"reelkiosk/store/kv/bolt"
	"reelkiosk/store/replica"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

const (
	// cutOff is how many seats the kiosk gives by itself at most, each to another player, in rounds of so many.
	cutOff, cutOffRound = 50, 10
)

// stand is the kiosk that is cut off.
type stand struct {
	own    *replica.Replica
	alone  *replica.Alone
	copy   *keptCopy
	people []tournament.PersonID
}

// givesAlone measures a registration that the kiosk makes by itself, in turn with one commit of about as many bytes to a
// store of its own on the same disk. Nothing that it gives is reported meanwhile.
func (h *house) givesAlone(ctx context.Context) (rows []Row, err error) {
	s, err := h.stand(ctx)
	if s != nil {
		defer func() { err = errors.Join(err, s.copy.Close(), s.own.Close()) }()
	}
	if err != nil {
		return nil, err
	}
	store, err := bolt.Open(filepath.Join(h.folder, "commits.db"), bolt.Options{})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	leader, err := store.Lead(ctx)
	if err != nil {
		return nil, err
	}
	defined, heats, err := s.alone.Floor(ctx, 200)
	if err != nil {
		return nil, err
	}
	places := machinesOf(heats)
	var given, committed []time.Duration
	for len(given) < cutOff && len(places)-len(given) >= cutOffRound {
		for range cutOffRound {
			began := time.Now()
			_, _, err := s.alone.Give(ctx, wire.Register{
				Person: s.people[len(given)], Heat: places[len(given)], Kiosk: theKiosk, Rules: defined.Text.Hash, Declared: true, By: "document",
			})
			if err != nil {
				return nil, fmt.Errorf("give a seat: %w", err)
			}
			given = append(given, time.Since(began))
		}
		for range cutOffRound {
			took, err := commitOne(ctx, leader, len(committed))
			if err != nil {
				return nil, err
			}
			committed = append(committed, took)
		}
	}
	if len(given) == 0 {
		return nil, fmt.Errorf("the kiosk holds %d machines, too few to measure: begin when more heats are open", len(places))
	}
	return []Row{alonesRow(given, committed, len(places))}, nil
}

func alonesRow(given, committed []time.Duration, held int) Row {
	each, commits := medians(given), medians(committed)
	return Row{
		What: fmt.Sprintf("a registration while cut off, %d of %d machines held", len(given), held),
		Got: fmt.Sprintf("%s; %s each after 0 to %d others, %s after %d to %d", spread(given, short), short(each[0]), cutOffRound-1,
			short(each[len(each)-1]), len(given)-cutOffRound, len(given)-1),
		Beside: fmt.Sprintf("one bbolt commit of %d bytes %s", recordSize, spread(committed, short)),
		Ratio:  fmt.Sprintf("%s of %d rounds", spread(ratios(each, commits), fold), len(each)), Aim: "2 commits",
	}
}

// commitOne commits one record to a store.
func commitOne(ctx context.Context, leader kv.Leader, number int) (time.Duration, error) {
	batch := new(kv.Batch)
	batch.Put(fmt.Appendf(nil, "record/%08d", number), make([]byte, recordSize))
	began := time.Now()
	err := leader.Apply(ctx, batch)
	return time.Since(began), err
}

// machinesOf returns the heat of each machine that may be given.
func machinesOf(heats []wire.Heat) (places []tournament.HeatID) {
	for _, heat := range heats {
		for range heat.Free {
			places = append(places, heat.ID)
		}
	}
	return places
}

// medians returns the median of each round.
func medians(figures []time.Duration) (each []time.Duration) {
	for at := 0; at < len(figures); at += cutOffRound {
		round := latencies{times: figures[at : at+cutOffRound]}
		each = append(each, round.percentile(50))
	}
	return each
}

// stand sells entries to players, has the kiosk ask for what it may give by itself, and cuts it off.
func (h *house) stand(ctx context.Context) (*stand, error) {
	s := &stand{people: make([]tournament.PersonID, cutOff)}
	born := tournament.Date{Year: 1990, Month: 2, Day: 3} // no member's
	for i := range s.people {
		bought, err := h.Client.Purchase(ctx, client.Key{Enrolment: "bench-desk", Sequence: uint64(i + 1)}, wire.Purchase{
			Kind: tournament.CashBuyIn, Seats: 1, Operator: "bench", Desk: "bench",
			Document: &wire.Document{Kind: "sa-id-book", IDNumber: emulator.IdentityNumber(born, i), BirthDate: born},
		})
		if err != nil {
			return nil, err
		}
		s.people[i] = bought.Person
	}
	own, err := replica.Open(h.ownFile(), rand.Reader)
	if err != nil {
		return nil, err
	}
	began := time.Now().Add(-time.Hour)
	if s.copy, err = keepCopy(h.copyFolder(), h.Base(), h.tls, h.options.Vault); err != nil {
		return nil, errors.Join(err, own.Close())
	}
	s.own = own
	s.alone, err = replica.OpenAlone(own, s.copy.Mirror, theKiosk, replica.AloneClock{
		Boot: "bench", Elapsed: func() time.Duration { return time.Since(began) }, Now: func() (time.Time, bool) { return time.Now(), true },
	}, rand.Reader)
	if err != nil {
		return s, err
	}
	return s, s.prepare(ctx, h)
}

// prepare has the kiosk ask for a grant until it may give seats by itself.
func (s *stand) prepare(ctx context.Context, h *house) error {
	for range 3 { // it asks, the copy brings the grant, and it takes it into use
		health, err := h.Client.Health(ctx)
		if err != nil {
			return err
		}
		if err := s.copy.upTo(ctx, health.Sequence); err != nil {
			return err
		}
		if _, err := s.alone.Turn(ctx, true); err != nil {
			return err
		}
		for _, request := range s.own.Requests() {
			key := client.Key{Enrolment: s.own.Enrolment(), Sequence: request.Sequence, Settled: s.own.Settled()}
			answer, err := s.copy.way.Send(ctx, key, request.Path, request.Body)
			if errors.Is(err, client.ErrAway) {
				return err
			}
			if _, err := s.alone.Answered(request, answer, err, nil); err != nil {
				return err
			}
		}
		if s.alone.Ready(ctx) == nil {
			return nil
		}
	}
	return s.alone.Ready(ctx)
}
