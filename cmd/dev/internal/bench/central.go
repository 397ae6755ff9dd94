package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"reelkiosk/assets"
	"reelkiosk/cmd/dev/internal/program"
	"reelkiosk/devices/emulator"
	"reelkiosk/store/client"
	"reelkiosk/store/definition"
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

// books is a central with players who hold entries, for measuring.
type books struct {
	central *program.Program
	client  *client.Client
	rules   string
	people  []tournament.PersonID
	heats   []tournament.HeatID
	next    atomic.Int64 // the next registration: players of the first heat, then of the second
	keys    atomic.Uint64
}

func openBooks(ctx context.Context, programs, folder string) (*books, error) {
	definitionFile := filepath.Join(folder, "bench.toml")
	if err := writeTournament(definitionFile); err != nil {
		return nil, err
	}
	data, keys := filepath.Join(folder, "central"), filepath.Join(folder, "central.keys")
	init := exec.CommandContext(ctx, filepath.Join(programs, "reelctl"), "init", "--data", data, "--keys", keys,
		"--tournament", definitionFile)
	if output, err := init.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("reelctl init: %w\n%s", err, output)
	}
	central, err := program.Start("central", filepath.Join(programs, "central"), nil, "--data", data, "--keys", keys,
		"--listen", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	b := &books{central: central}
	base, err := central.Await(ctx, "central listening on ")
	if err == nil {
		b.client, err = client.New(base, client.Options{Timeout: time.Minute})
	}
	if err == nil {
		err = b.fill(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, b.close())
	}
	return b, nil
}

func (b *books) close() error {
	if b.client != nil {
		b.client.Close()
	}
	return b.central.Stop()
}

// writeTournament writes the demo's tournament with many more machines.
func writeTournament(path string) error {
	const name = "tournaments/demo.toml"
	text, err := assets.Tournaments.ReadFile(name)
	if err != nil {
		return err
	}
	today := tournament.DateOf(time.Now())
	text, err = definition.WithPeriod(name, text, today.AddDays(-2), today.AddDays(5))
	if err != nil {
		return err
	}
	before, after, found := strings.Cut(string(text), "[[machines]]")
	_, after, found2 := strings.Cut(after, "[[stages]]")
	if !found || !found2 {
		return errors.New("the demo's tournament has no machines or no stages")
	}
	large := fmt.Sprintf("%s[[machines]]\nnumbers = \"1-%d\"\nasset = \"BENCH-1\"\nplace = \"hall\"\n\n[[stages]]%s", before, machines,
		strings.Replace(after, "size = 50", fmt.Sprintf("size = %d", machines), 1))
	published, err := assets.Tournaments.ReadFile("tournaments/ridge-rules.txt")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), "ridge-rules.txt"), published, 0o666); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(large), 0o666)
}

// fill sells entries to the players and learns their ids and the open heats.
func (b *books) fill(ctx context.Context) error {
	about, err := b.client.Tournament(ctx)
	if err != nil {
		return err
	}
	b.rules = about.Rules.Hash
	list, err := b.client.Heats(ctx, about.ServerTime, 200)
	if err != nil {
		return err
	}
	for _, heat := range list.Heats {
		// Registration must stay open for as long as the measurement lasts.
		if heat.Opens.Before(about.ServerTime) && heat.Closes.After(about.ServerTime.Add(10*time.Minute)) {
			b.heats = append(b.heats, heat.ID)
		}
	}
	b.people = make([]tournament.PersonID, players)
	var next atomic.Int64
	return each(64, func() (bool, error) {
		number := int(next.Add(1)) - 1
		if number >= players {
			return false, nil
		}
		born := tournament.Date{Year: 1960 + number%30, Month: time.Month(1 + number%12), Day: 1 + number%28}
		bought, err := b.client.Purchase(ctx, b.key(), wire.Purchase{
			Kind: tournament.CashBuyIn, Seats: entries, Operator: "bench", Desk: "bench",
			Document: &wire.Document{Kind: "sa-id-book", IDNumber: emulator.IdentityNumber(born, number%10000), BirthDate: born},
		})
		b.people[number] = bought.Person
		return true, err
	})
}

func (b *books) key() client.Key { return client.Key{Enrolment: "bench", Sequence: b.keys.Add(1)} }

// registrations has that many clients register, one after another each, and returns how many were answered in the time,
// and the answer times' 50th and 99th percentile.
func (b *books) registrations(ctx context.Context, clients int, lasting time.Duration) (result latencies, err error) {
	began := time.Now()
	var mu sync.Mutex
	err = each(clients, func() (bool, error) {
		if time.Since(began) > lasting {
			return false, nil
		}
		number := int(b.next.Add(1)) - 1
		heat := number / machines
		if heat >= len(b.heats) || number >= players*entries {
			return false, errors.New("the measured tournament ran out of seats")
		}
		asked := time.Now()
		_, err := b.client.Register(ctx, b.key(), wire.Register{
			Person: b.people[number%players], Heat: b.heats[heat], Kiosk: "bench", Rules: b.rules, Declared: true, By: "document",
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
	b, err := openBooks(ctx, options.Programs, folder)
	if err != nil {
		return nil, err
	}
	var rows []Row
	for _, clients := range []int{1, 16, 64, 256} {
		committed, took, err := commits(folder, clients, lasting)
		if err != nil {
			return nil, errors.Join(err, b.close())
		}
		plain := perSecond(committed, took)
		got, err := b.registrations(ctx, clients, lasting)
		if err != nil {
			return nil, errors.Join(err, b.close())
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
	return rows, b.close()
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
