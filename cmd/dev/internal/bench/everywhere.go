package bench

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"reelkiosk/devices/emulator"
	"reelkiosk/store/client"
	"reelkiosk/store/ledger"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// seating is how often a seat is given while exclusions are on their way: twenty a second are a full floor.
const seating = 50 * time.Millisecond

// floorKiosks are so many kiosks as far as central's feed can tell: each follows it over a line of its own and reads every
// item. They keep no copies.
type floorKiosks struct {
	ready, arrived chan time.Time
	failed         chan error
	end            context.CancelFunc
	group          sync.WaitGroup
}

// openFloor has the kiosks follow from a position on, and waits until each has heard that it knows everything.
func openFloor(ctx context.Context, base string, from client.Position, kiosks int) (*floorKiosks, error) {
	f := &floorKiosks{ready: make(chan time.Time, kiosks), arrived: make(chan time.Time, kiosks), failed: make(chan error, kiosks)}
	life, cancel := context.WithCancel(ctx)
	f.end = cancel
	for range kiosks {
		f.group.Go(func() {
			if err := f.follow(life, base, from); life.Err() == nil {
				f.failed <- err
			}
		})
	}
	if _, err := f.all(ctx, f.ready); err != nil {
		f.close()
		return nil, err
	}
	return f, nil
}

// follow is one of the kiosks.
func (f *floorKiosks) follow(ctx context.Context, base string, at client.Position) error {
	way, err := client.New(base, client.Options{})
	if err != nil {
		return err
	}
	defer way.Close()
	barred := []byte(`"` + ledger.ExclusionRecorded + `"`)
	told := false
	var last wire.FeedItem
	return way.Follow(ctx, client.Follower{
		Position: func() (client.Position, error) { return after(at, last) },
		Take: func(_ context.Context, items []wire.FeedItem) error {
			now := time.Now()
			for _, item := range items {
				if bytes.Contains(item.Event, barred) {
					f.arrived <- now
				}
			}
			last = items[len(items)-1]
			return nil
		},
		Head: func(wire.FeedHead) error {
			if !told {
				told = true
				f.ready <- time.Now()
			}
			return nil
		},
	})
}

// after is the position after an item, or the one before any came.
func after(from client.Position, last wire.FeedItem) (client.Position, error) {
	if last.Sequence == 0 {
		return from, nil
	}
	var event ledger.Event
	err := json.Unmarshal(last.Event, &event)
	return client.Position{Sequence: last.Sequence, At: event.At}, err
}

// all waits for one from each kiosk.
func (f *floorKiosks) all(ctx context.Context, from <-chan time.Time) ([]time.Time, error) {
	got := make([]time.Time, 0, cap(from))
	for len(got) < cap(from) {
		select {
		case one := <-from:
			got = append(got, one)
		case err := <-f.failed:
			return nil, fmt.Errorf("a kiosk does not follow any more: %w", err)
		case <-time.After(time.Minute):
			return nil, fmt.Errorf("%d of %d kiosks heard nothing for a minute", cap(from)-len(got), cap(from))
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return got, nil
}

func (f *floorKiosks) close() {
	f.end()
	f.group.Wait()
}

// everywhere measures from the asking for an exclusion's commit to its being read by each kiosk, in turn with the same
// number of bytes written to as many plain lines.
func (r *rush) everywhere(ctx context.Context, from client.Position, kiosks int, quick bool) ([]Row, error) {
	lines, err := openLines(kiosks)
	if err != nil {
		return nil, err
	}
	defer lines.close()
	on, err := openFloor(ctx, r.Base(), from, kiosks)
	if err != nil {
		return nil, err
	}
	defer on.close()
	turns := 20
	if quick {
		turns = 5
	}
	var rows []Row
	for _, busy := range []bool{false, true} {
		var arrivals, plain latencies
		var late, bound []time.Duration // of each round, at the 99th percentile
		for turn := range turns {
			got, err := r.exclusion(ctx, on, fmt.Sprint("bench-", busy, turn), turn, busy)
			if err != nil {
				return nil, err
			}
			arrivals.times, late = append(arrivals.times, got...), append(late, latencies{times: got}.percentile(99))
			if got, err = lines.send(); err != nil {
				return nil, err
			}
			plain.times, bound = append(plain.times, got...), append(bound, latencies{times: got}.percentile(99))
		}
		what := fmt.Sprintf("an exclusion at each of %d kiosks, otherwise quiet", kiosks)
		if busy {
			what = fmt.Sprintf("an exclusion at each of %d kiosks, %d seats given a second", kiosks, time.Second/seating)
		}
		rows = append(rows, Row{
			What: what, Got: fmt.Sprintf("p50 %s, p99 %s, last %s", short(arrivals.percentile(50)), short(arrivals.percentile(99)), short(arrivals.percentile(100))),
			Beside: fmt.Sprintf("%d bytes to as many plain lines p50 %s, p99 %s; central gathers for 50ms", lineBytes, short(plain.percentile(50)), short(plain.percentile(99))),
			Ratio:  fmt.Sprintf("%s at p99 of %d rounds", spread(ratios(late, bound), fold), turns),
			Aim:    "p99 1s at 1000",
		})
	}
	return rows, nil
}

// exclusion enters one and returns how long it took to each kiosk.
func (r *rush) exclusion(ctx context.Context, on *floorKiosks, reference string, number int, busy bool) (took []time.Duration, err error) {
	life, cancel := context.WithCancel(ctx)
	seats := make(chan error, 1)
	go func() { seats <- r.paced(life, busy) }()
	defer func() {
		cancel()
		err = errors.Join(err, <-seats)
	}()
	if err := pause(ctx, 4*seating); err != nil {
		return nil, err
	}
	born := tournament.Date{Year: 1955, Month: 5, Day: 1 + number}
	staged, err := r.Client.OpenImport(ctx, wire.Import{
		Kind: wire.ImportExclusions, Hash: fmt.Sprintf("%x", sha256.Sum256([]byte(reference))), Name: "exclusions.csv", Operator: "bench",
	})
	if err != nil {
		return nil, err
	}
	row := wire.Exclusion{Line: 2, Reference: reference, Kind: "self-excluded", IDNumber: emulator.IdentityNumber(born, number)}
	if _, err := r.Client.SendRows(ctx, staged.ID, wire.Rows{Exclusions: []wire.Exclusion{row}}); err != nil {
		return nil, err
	}
	asked := time.Now()
	if _, err := r.Client.CommitImport(ctx, staged.ID); err != nil {
		return nil, err
	}
	arrived, err := on.all(ctx, on.arrived)
	for _, at := range arrived {
		took = append(took, at.Sub(asked))
	}
	return took, err
}

// paced has seats given, one after another, until ctx ends; none where the floor is quiet.
func (r *rush) paced(ctx context.Context, busy bool) error {
	if !busy {
		return nil
	}
	one := &caller{enrolment: fmt.Sprintf("bench-paced-%d", r.keys.Add(1))}
	if err := one.dial(r.Base()); err != nil {
		return err
	}
	defer one.line.Close()
	for pause(ctx, seating) == nil {
		next, err := r.registration(r.next.Add(1) - 1)
		if err == nil {
			err = one.register(next)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// lineBytes is about what an exclusion is on the feed.
const lineBytes = 512

// plainLines are connections over loopback, with somebody who reads at the end of each.
type plainLines struct {
	to      []net.Conn
	arrived chan time.Time
	group   sync.WaitGroup
}

func openLines(count int) (*plainLines, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	defer listener.Close()
	l := &plainLines{arrived: make(chan time.Time, count)}
	for range count {
		from, err := net.Dial("tcp", listener.Addr().String())
		if err == nil {
			var to net.Conn
			if to, err = listener.Accept(); err == nil {
				l.to = append(l.to, to)
			}
		}
		if err != nil {
			l.close()
			return nil, err
		}
		l.group.Go(func() {
			defer from.Close()
			text := make([]byte, lineBytes)
			for {
				if _, err := io.ReadFull(from, text); err != nil {
					return // the other end was closed
				}
				l.arrived <- time.Now()
			}
		})
	}
	return l, nil
}

// send writes to each line in turn, and returns how long after the first write began it was read.
func (l *plainLines) send() (took []time.Duration, err error) {
	text := make([]byte, lineBytes)
	began := time.Now()
	for _, to := range l.to {
		if _, err := to.Write(text); err != nil {
			return nil, err
		}
	}
	for range l.to {
		took = append(took, (<-l.arrived).Sub(began))
	}
	return took, nil
}

func (l *plainLines) close() {
	for _, to := range l.to {
		to.Close()
	}
	l.group.Wait()
}
