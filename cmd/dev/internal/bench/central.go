package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"reelkiosk/cmd/dev/internal/books"
	"reelkiosk/devices/emulator"
	"reelkiosk/store/client"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

const (
	// machines is the size of each heat of the measured tournament: large, so that every client contends for one heat.
	machines = 1000
	// players is how many people hold entries; each may have one seat in each heat.
	players = 12_000
	// entries is how many entries each of them holds.
	entries = 11
	// opensBefore is how long before a heat its registration opens: not much shorter than an entry may be used.
	opensBefore = "47h"
)

// rush is a central with players who hold entries and all come at once, for measuring.
type rush struct {
	*books.Books
	rules  string
	people []tournament.PersonID
	heats  []tournament.HeatID
	next   atomic.Int64 // the next registration: all seats of the first heat, then those of the second
	keys   atomic.Uint64
	alone  uint64 // counts the registrations that no central decided

	callers []*caller
}

func openRush(ctx context.Context, programs, folder string) (*rush, error) {
	opened, err := books.OpenPlain(ctx, programs, folder, enlarge)
	if err != nil {
		return nil, err
	}
	r := &rush{Books: opened}
	if err := r.fill(ctx); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

// enlarge gives the demo's tournament many more machines, and more heats at a time.
func enlarge(text string) (string, error) {
	before, after, found := strings.Cut(text, "[[machines]]")
	_, after, found2 := strings.Cut(after, "[[stages]]")
	before, rules, found3 := strings.Cut(before, "[rules]")
	if !found || !found2 || !found3 {
		return "", errors.New("the demo's tournament has no rules, no machines or no stages")
	}
	before += fmt.Sprintf("[rules]\nopens_before = %q%s", opensBefore, rules)
	return fmt.Sprintf("%s[[machines]]\nnumbers = \"1-%d\"\nasset = \"BENCH-1\"\nplace = \"hall\"\n\n[[stages]]%s", before, machines,
		strings.Replace(after, "size = 50", fmt.Sprintf("size = %d", machines), 1)), nil
}

// fill sells entries to the players and learns their ids and the open heats.
func (r *rush) fill(ctx context.Context) error {
	about, err := r.Client.Tournament(ctx)
	if err != nil {
		return err
	}
	r.rules = about.Rules.Hash
	list, err := r.Client.Heats(ctx, about.ServerTime, 200)
	if err != nil {
		return err
	}
	for _, heat := range list.Heats {
		// Registration must stay open for as long as the measurement lasts.
		if heat.Opens.Before(about.ServerTime) && heat.Closes.After(about.ServerTime.Add(10*time.Minute)) {
			r.heats = append(r.heats, heat.ID)
		}
	}
	r.people = make([]tournament.PersonID, players)
	var next atomic.Int64
	err = each(64, func() (bool, error) {
		number := int(next.Add(1)) - 1
		if number >= players {
			return false, nil
		}
		born := tournament.Date{Year: 1960 + number%30, Month: time.Month(1 + number%12), Day: 1 + number%28}
		bought, err := r.Client.Purchase(ctx, r.key(), wire.Purchase{
			Kind: tournament.CashBuyIn, Seats: entries, Operator: "bench", Desk: "bench",
			Document: &wire.Document{Kind: "sa-id-book", IDNumber: emulator.IdentityNumber(born, number%10000), BirthDate: born},
		})
		r.people[number] = bought.Person
		return true, err
	})
	// They come in another order than they bought in.
	rand.Shuffle(players, func(i, j int) { r.people[i], r.people[j] = r.people[j], r.people[i] })
	return err
}

func (r *rush) key() client.Key { return client.Key{Enrolment: "bench", Sequence: r.keys.Add(1)} }

// registration returns what is asked for as the number-th.
func (r *rush) registration(number int64) (wire.Register, error) {
	heat := number / machines
	if heat >= int64(len(r.heats)) || number >= players*entries {
		return wire.Register{}, errors.New("the measured tournament ran out of seats")
	}
	return wire.Register{
		Person: r.people[number%players], Heat: r.heats[heat], Kiosk: "bench", Rules: r.rules, Declared: true, By: "document",
	}, nil
}

// latencies are how long answers took.
type latencies struct {
	times []time.Duration
	took  time.Duration
}

// add adds those of another round.
func (l *latencies) add(more latencies) {
	l.times, l.took = append(l.times, more.times...), l.took+more.took
}

// rate returns how many there were in a second.
func (l latencies) rate() float64 { return perSecond(len(l.times), l.took) }

func (l latencies) percentile(percent int) time.Duration {
	if len(l.times) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(l.times))
	return sorted[min(len(sorted)-1, len(sorted)*percent/100)]
}

// each runs work in that many goroutines, again and again until it says that there is no more, or fails.
func each(clients int, work func() (more bool, err error)) error {
	var group sync.WaitGroup
	failures := make(chan error, clients)
	for range clients {
		group.Go(func() {
			for {
				more, err := work()
				if err != nil {
					failures <- err
				}
				if err != nil || !more {
					return
				}
			}
		})
	}
	group.Wait()
	select {
	case err := <-failures:
		return err
	default:
		return nil
	}
}

const (
	// rounds is how often each way takes its turn, so that what else the machine does meets them all.
	rounds = 5
	// warming is how long a central that was just started is called before anything counts.
	warming = 200 * time.Millisecond
)

// pace is what one number of clients came to, over all rounds.
type pace struct {
	// batched is central as it is, each central with a commit for each registration, plain those commits alone.
	batched, each, plain latencies
	// overEach and overPlain are how many times as fast central was in each round. What else the machine does changes from
	// round to round, and slows all three.
	overEach, overPlain []float64
}

// measureCentral measures registrations through the API beside two paces of one commit for each: central's own act, and
// the commits alone. They take turns on the same books.
func measureCentral(ctx context.Context, options Options, folder string) ([]Row, error) {
	lasting := options.lasting(2500 * time.Millisecond)
	appended, took, err := appends(folder, lasting)
	if err != nil {
		return nil, err
	}
	disk := perSecond(appended, took)
	r, err := openRush(ctx, options.Programs, folder)
	if err != nil {
		return nil, err
	}
	var rows []Row
	for _, clients := range []int{1, 16, 64, 256} {
		measured, err := r.turns(ctx, clients, lasting/rounds)
		if err != nil {
			return nil, errors.Join(err, r.Close())
		}
		batched, each, plain := measured.batched.rate(), measured.each.rate(), measured.plain.rate()
		row := Row{
			What: fmt.Sprintf("registrations on central, %d clients", clients),
			Got: fmt.Sprintf("%.0f/s, p50 %s, p99 %s", batched, short(measured.batched.percentile(50)),
				short(measured.batched.percentile(99))),
			Beside: fmt.Sprintf("a commit each %.0f/s; the commits alone %.0f/s; append+fdatasync %.0f/s", each, plain, disk),
			Ratio: fmt.Sprintf("%.2f×, %.2f× (medians of %d rounds); %s", middle(measured.overEach), middle(measured.overPlain),
				rounds, times(batched, disk)),
		}
		if clients == 64 {
			row.Aim = "5× a commit each"
		}
		rows = append(rows, row)
	}
	return rows, r.Close()
}

// turns has each way take its turn, again and again.
func (r *rush) turns(ctx context.Context, clients int, lasting time.Duration) (measured pace, err error) {
	for range rounds {
		batched, err := r.turn(ctx, clients, lasting)
		if err != nil {
			return measured, err
		}
		each, err := r.turn(ctx, clients, lasting, "--batch", "1")
		if err != nil {
			return measured, err
		}
		plain, err := r.turnAlone(ctx, lasting)
		if err != nil {
			return measured, err
		}
		measured.batched.add(batched)
		measured.each.add(each)
		measured.plain.add(plain)
		measured.overEach = append(measured.overEach, batched.rate()/each.rate())
		measured.overPlain = append(measured.overPlain, batched.rate()/plain.rate())
	}
	return measured, nil
}

// middle returns the median of an odd number of figures.
func middle(figures []float64) float64 { return slices.Sorted(slices.Values(figures))[len(figures)/2] }

// turn starts a central with more words on its command line, has the clients register for a time, and stops it.
func (r *rush) turn(ctx context.Context, clients int, lasting time.Duration, words ...string) (latencies, error) {
	if err := r.Close(); err != nil {
		return latencies{}, err
	}
	if err := r.StartCentral(ctx, words...); err != nil {
		return latencies{}, err
	}
	if _, err := r.registrations(clients, warming); err != nil {
		return latencies{}, err
	}
	return r.registrations(clients, lasting)
}

// turnAlone stops central, and commits what it would for a time.
func (r *rush) turnAlone(ctx context.Context, lasting time.Duration) (latencies, error) {
	if err := r.Close(); err != nil {
		return latencies{}, err
	}
	count, took, err := r.commits(ctx, lasting)
	return latencies{times: make([]time.Duration, count), took: took}, err
}

func short(of time.Duration) string {
	switch {
	case of < time.Millisecond:
		return of.Round(time.Microsecond).String()
	case of < time.Second:
		return of.Round(10 * time.Microsecond).String()
	}
	return of.Round(10 * time.Millisecond).String()
}
