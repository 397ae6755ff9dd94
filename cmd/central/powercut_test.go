package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"reelkiosk/store/client"
	"reelkiosk/store/powercut"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// perEvening is how often the power is cut before another casino opens with an empty disk.
const perEvening = 25

// cuts are how many power cuts: 500 with REELKIOSK_LONG=1, a tenth of that otherwise. The kiosk's stores have 1,000 of their
// own (store/replica).
func cuts() int {
	if os.Getenv("REELKIOSK_LONG") == "1" {
		return 500
	}
	return 50
}

// fewEntries keep the books small that are replayed after each cut.
const fewEntries = 12

// asked is a registration that is on its way or was answered.
type asked struct {
	key      client.Key
	register wire.Register
	answered bool
	seat     wire.Seat
}

// darkroom is a casino whose central keeps the books on a disk whose power is cut.
type darkroom struct {
	*casino
	disk    *powercut.Disk
	running *exec.Cmd
	over    context.CancelFunc
	clerks  sync.WaitGroup

	// mu guards what follows: all that was asked, in the order of asking, by clerk.
	mu    sync.Mutex
	asked [clerks][]asked
}

// openDarkroom opens the casino on an empty disk, and has clerks register from then on.
func openDarkroom(t *testing.T, seed uint64) *darkroom {
	t.Helper()
	disk, err := powercut.Open(t.TempDir(), 64<<20)
	if err != nil {
		t.Fatal(err)
	}
	d := &darkroom{disk: disk, casino: openCasino(t, t.TempDir(), filepath.Join(disk.Folder(), "data"), terms{entries: fewEntries, size: 300}, seed)}
	d.running = d.start()
	ctx, over := context.WithCancel(t.Context())
	d.over = over
	for clerk := range clerks {
		d.clerks.Go(func() { d.serve(ctx, clerk) })
	}
	return d
}

// serve registers one player after another.
func (d *darkroom) serve(ctx context.Context, clerk int) {
	work := d.work(clerk)
	for sequence := uint64(1); ctx.Err() == nil; sequence++ {
		register, more := work()
		if !more {
			return
		}
		key := client.Key{Enrolment: fmt.Sprint("kiosk-", clerk), Sequence: sequence, Settled: sequence}
		d.mu.Lock()
		d.asked[clerk] = append(d.asked[clerk], asked{key: key, register: register})
		d.mu.Unlock()
		seat, err := d.client.Register(ctx, key, register)
		if err != nil {
			if ctx.Err() == nil {
				d.Error(err)
			}
			return
		}
		d.mu.Lock()
		last := &d.asked[clerk][len(d.asked[clerk])-1]
		last.answered, last.seat = true, seat
		d.mu.Unlock()
	}
}

func (d *darkroom) close() {
	d.Helper()
	d.over()
	d.clerks.Wait()
	d.client.Close()
	d.end(d.running)
	if err := d.disk.Close(); err != nil {
		d.Error(err)
	}
}

// soFar returns what was asked up to now.
func (d *darkroom) soFar() (all []asked) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, some := range d.asked {
		all = append(all, some...)
	}
	return all
}

// cut cuts the power and returns what is wrong with what is left. Again has central start on what is left, and be asked
// again for what was on its way.
func (d *darkroom) cut(random *rand.Rand, again bool) (way string, wrong error) {
	d.Helper()
	promised := d.soFar()
	cut := d.disk.Cut(random)
	// It must not go on while the cut is looked at: its books would outgrow its disk.
	if err := d.running.Process.Signal(syscall.SIGSTOP); err != nil {
		d.Fatal(err)
	}
	defer d.running.Process.Signal(syscall.SIGCONT)
	return cut.Way, cut.Look(func(folder string) error {
		data := filepath.Join(folder, "data")
		if again {
			if err := d.askAgain(data, promised); err != nil {
				return err
			}
		}
		return d.compare(data, promised, again)
	})
}

// askAgain has a central that begins on what is left answer what was on its way when the power went.
func (d *darkroom) askAgain(data string, promised []asked) error {
	d.Helper()
	address := d.freeAddress()
	running := d.startOver(data, address)
	defer d.end(running)
	way, err := client.New("http://"+address, client.Options{})
	if err != nil {
		return err
	}
	defer way.Close()
	for _, one := range promised {
		if one.answered {
			continue
		}
		_, err := way.Register(d.Context(), one.key, one.register)
		refusal, refused := errors.AsType[*tournament.Refusal](err)
		// Its clerk had her answer, and asked for the next one already, just before the power went.
		if err != nil && !(refused && refusal.Reason == tournament.KeySettled) {
			return fmt.Errorf("asked again: %w", err)
		}
	}
	return nil
}

// compare compares the books in a folder with what was promised. Where it was asked again for what was on its way, all of
// that must be there too.
func (d *darkroom) compare(data string, promised []asked, again bool) error {
	seats, people, err := d.auditOf(data)
	if err != nil {
		return err
	}
	if people != clerks*playersEach {
		return fmt.Errorf("%d people are in the books, not %d", people, clerks*playersEach)
	}
	type place struct {
		person tournament.PersonID
		heat   tournament.HeatID
	}
	found := map[place]wire.Seat{}
	for _, seat := range seats {
		found[place{seat.Person, seat.Heat}] = seat
	}
	for _, one := range promised {
		seat, is := found[place{one.register.Person, one.register.Heat}]
		switch {
		case one.answered && (!is || seat.ID != one.seat.ID || seat.Machine != one.seat.Machine):
			return fmt.Errorf("machine %d was answered, in the books is %+v", one.seat.Machine, seat)
		case again && !is:
			return errors.New("what was asked again is not in the books")
		}
	}
	return nil
}

// TestNothingThatCentralAnsweredIsLostInAPowerCut cuts the power 500 times under the real program while clerks register.
// Each time the books open and the events add up to them; every answer is in them and nothing is there twice; and where
// central starts again on what is left, whoever asks again with the same key gets one seat.
func TestNothingThatCentralAnsweredIsLostInAPowerCut(t *testing.T) {
	if !powercut.Apart(t) {
		return
	}
	random := rand.New(rand.NewPCG(seed(t), 1))
	ways, answers := map[string]int{}, 0
	for left := cuts(); left > 0; left -= perEvening {
		d := openDarkroom(t, random.Uint64())
		for number := range min(left, perEvening) {
			time.Sleep(time.Duration(random.IntN(40)) * time.Millisecond) // the moment of the cut is what is tested
			way, wrong := d.cut(random, number%5 == 4)
			ways[way]++
			if wrong != nil {
				t.Errorf("a cut that left %s: %v", way, wrong)
			}
		}
		d.close()
		answers += len(d.soFar())
	}
	t.Logf("%d registrations, cuts: %v", answers, ways)
	if answers < cuts() {
		t.Error("hardly anybody registered: this tests nothing")
	}
}

// TestADiskThatLiesLosesWhatCentralAnswered is the control: a disk that forgets what it said is safe must be found out.
func TestADiskThatLiesLosesWhatCentralAnswered(t *testing.T) {
	if !powercut.Apart(t) {
		return
	}
	random := rand.New(rand.NewPCG(seed(t), 1))
	d := openDarkroom(t, random.Uint64())
	defer d.close()
	for len(d.soFar()) < 200 {
		time.Sleep(time.Millisecond)
	}
	d.disk.Lie()
	begun := len(d.soFar())
	for len(d.soFar()) < begun+200 {
		time.Sleep(time.Millisecond)
	}
	found := map[string]int{}
	for range perEvening {
		if way, wrong := d.cut(random, false); wrong != nil {
			found[way]++
		}
	}
	t.Logf("found out: %v", found)
	if len(found) < 2 {
		t.Error("nothing was found wrong with a disk that lies")
	}
}
