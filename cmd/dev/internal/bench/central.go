package bench

import (
	"context"
	"errors"
	"fmt"
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
	players = 8000
	// entries is how many entries each of them holds.
	entries = 10
)

// rush is a central with players who hold entries and all come at once, for measuring.
type rush struct {
	*books.Books
	rules  string
	people []tournament.PersonID
	heats  []tournament.HeatID
	next   atomic.Int64 // the next registration: all seats of the first heat, then those of the second
	keys   atomic.Uint64
}

func openRush(ctx context.Context, programs, folder string) (*rush, error) {
	opened, err := books.Open(ctx, programs, folder, enlarge)
	if err != nil {
		return nil, err
	}
	r := &rush{Books: opened}
	if err := r.fill(ctx); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

// enlarge gives the demo's tournament many more machines.
func enlarge(text string) (string, error) {
	before, after, found := strings.Cut(text, "[[machines]]")
	_, after, found2 := strings.Cut(after, "[[stages]]")
	if !found || !found2 {
		return "", errors.New("the demo's tournament has no machines or no stages")
	}
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
	return each(64, func() (bool, error) {
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
}

func (r *rush) key() client.Key { return client.Key{Enrolment: "bench", Sequence: r.keys.Add(1)} }

// registrations has that many clients register, one after another each, for a time, and returns how long each answer took.
func (r *rush) registrations(ctx context.Context, clients int, lasting time.Duration) (result latencies, err error) {
	began := time.Now()
	var mu sync.Mutex
	err = each(clients, func() (bool, error) {
		if time.Since(began) > lasting {
			return false, nil
		}
		number := int(r.next.Add(1)) - 1
		heat := number / machines
		if heat >= len(r.heats) || number >= players*entries {
			return false, errors.New("the measured tournament ran out of seats")
		}
		asked := time.Now()
		_, err := r.Client.Register(ctx, r.key(), wire.Register{
			Person: r.people[number%players], Heat: r.heats[heat], Kiosk: "bench", Rules: r.rules, Declared: true, By: "document",
		})
		took := time.Since(asked)
		mu.Lock()
		result.times = append(result.times, took)
		mu.Unlock()
		return true, err
	})
	result.took = time.Since(began)
	return result, err
}

// latencies are how long answers took.
type latencies struct {
	times []time.Duration
	took  time.Duration
}

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

// measureCentral measures registrations through the API beside the disk's own pace and plain bbolt commits.
func measureCentral(ctx context.Context, options Options, folder string) ([]Row, error) {
	lasting := options.lasting(2 * time.Second)
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
		committed, took, err := commits(folder, clients, lasting)
		if err != nil {
			return nil, errors.Join(err, r.Close())
		}
		plain := perSecond(committed, took)
		got, err := r.registrations(ctx, clients, lasting)
		if err != nil {
			return nil, errors.Join(err, r.Close())
		}
		rate := perSecond(len(got.times), got.took)
		row := Row{
			What:   fmt.Sprintf("registrations on central, %d clients", clients),
			Got:    fmt.Sprintf("%.0f/s, p50 %s, p99 %s", rate, short(got.percentile(50)), short(got.percentile(99))),
			Beside: fmt.Sprintf("append+fdatasync %.0f/s; bbolt, a commit each %.0f/s", disk, plain),
			Ratio:  fmt.Sprintf("%s the disk's, %s bbolt's", times(rate, disk), times(rate, plain)),
		}
		if clients == 64 {
			row.Aim = "5× a commit each"
		}
		rows = append(rows, row)
	}
	return rows, r.Close()
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
