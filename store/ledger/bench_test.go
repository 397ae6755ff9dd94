package ledger

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"reelkiosk/devices/emulator"
	"reelkiosk/store/kv"
	"reelkiosk/store/kv/bolt"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// season is a tournament of 12,000 heats of 50 seats: 250 days with 48 heats each.
func season(definition *tournament.Tournament) {
	definition.Machines = nil
	for number := 1; number <= 50; number++ {
		definition.Machines = append(definition.Machines, tournament.Machine{Number: number, Place: "Main floor"})
	}
	qualifying := tournament.Stage{Kind: tournament.Qualifying, Size: 50}
	for day := 0; day < 250; day++ {
		date := definition.First.AddDays(day)
		for number := 1; number <= 48; number++ {
			qualifying.Heats = append(qualifying.Heats, tournament.Heat{
				ID: tournament.HeatID(fmt.Sprintf("qualifying-%s-%d", date, number)), Stage: tournament.Qualifying, Day: date,
				Number: number, Start: date.At(6, 0, johannesburg).Add(time.Duration(number-1) * 30 * time.Minute), Size: 50,
			})
		}
	}
	definition.Stages = []tournament.Stage{qualifying}
}

// benchmarkRegister measures registrations with keys, in batches of that size, given to commit; players and their entries
// are made while the clock is stopped.
func benchmarkRegister(b *testing.B, batch int, view func(func(kv.Reader) error) error, commit func(*kv.Batch) error) {
	f := newFloor(b, season)
	f.rough = true
	write := func(do func()) {
		err := view(func(reader kv.Reader) error {
			f.view = kv.NewOverlay(reader)
			do()
			return nil
		})
		if err == nil {
			err = commit(f.view.Batch())
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	const seatsEach = 20
	heats := f.definition.Stages[0].Heats
	// Each 50 players fill 20 heats, after which the next heats are the next players'.
	first := func(player int) int { return 100 + player/50*seatsEach%(len(heats)-200) }
	players := make([]tournament.PersonID, b.N/seatsEach+1)
	for from := 0; from < len(players); from += 500 {
		write(func() {
			for i := from; i < min(from+500, len(players)); i++ {
				born := tournament.Date{Year: 1980, Month: 1, Day: 1}.AddDays(i / 10_000)
				surname := string([]byte{'A' + byte(i%26), 'A' + byte(i/26%26), 'A' + byte(i/676%26)})
				f.now = heats[first(i)].Start.Add(-3 * time.Hour)
				bought := f.buys(document(emulator.IdentityNumber(born, i), surname, "Player", born), seatsEach)
				players[i] = bought.Person
			}
		})
	}
	requests := make([]Request, b.N)
	for i := range requests {
		player, round := i/seatsEach, i%seatsEach
		heat := heats[first(player)+round]
		at := heat.Start.Add(-time.Hour)
		requests[i] = f.request(registration(players[player], heat.ID))
		requests[i].At = at
		requests[i].Key, requests[i].Settled = wire.Key{Enrolment: fmt.Sprintf("kiosk-%d", i%16), Sequence: uint64(i/16 + 1)}, uint64(i/16+1)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	b.ResetTimer()
	b.ReportAllocs()
	var failed error
	var deciding time.Duration
	for from := 0; from < len(requests); from += batch {
		write(func() {
			start := threadTime(b)
			defer func() { deciding += threadTime(b) - start }()
			for _, request := range requests[from:min(from+batch, len(requests))] {
				if _, err := f.books.Apply(f.view, request); err != nil && failed == nil {
					failed = err
				}
			}
		})
	}
	b.StopTimer()
	if failed != nil {
		b.Fatal(failed)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "registrations/s")
	b.ReportMetric(float64(deciding.Nanoseconds())/float64(b.N)/1000, "µs-cpu-deciding/op")
	f.view = nil
}

// threadTime returns the processor time of the calling thread: what deciding costs, whatever else the machine is doing.
func threadTime(b *testing.B) time.Duration {
	var spent unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &spent); err != nil {
		b.Fatal(err)
	}
	return time.Duration(spent.Nano())
}

// BenchmarkRegister measures registrations on bbolt in batches of several sizes, and the processor time of deciding alone.
func BenchmarkRegister(b *testing.B) {
	for _, batch := range []int{1, 16, 64, 256} {
		b.Run(fmt.Sprintf("bolt/%d", batch), func(b *testing.B) {
			ctx := context.Background()
			store, err := bolt.Open(filepath.Join(b.TempDir(), "books"), bolt.Options{})
			if err != nil {
				b.Fatal(err)
			}
			leader, err := store.Lead(ctx)
			if err != nil {
				b.Fatal(err)
			}
			benchmarkRegister(b, batch,
				func(read func(kv.Reader) error) error { return store.View(ctx, read) },
				func(batch *kv.Batch) error { return leader.Apply(ctx, batch) })
			if err := store.Close(); err != nil {
				b.Fatal(err)
			}
		})
	}
}
