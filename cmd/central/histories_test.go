package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"reelkiosk/store/client"
	"reelkiosk/store/linecut"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// fewSeats is how many seats a heat has in the histories, so that heats fill up.
const fewSeats = 20

// wish is what a clerk asks for in a history: a seat for a player in a heat.
type wish struct {
	person tournament.PersonID
	heat   tournament.HeatID
}

// word is what came of it: a machine, a refusal, or nothing that anybody heard of.
type word struct {
	machine int
	refused tournament.Reason
	unheard bool
}

// standing is what a heat must be like for the words to be right: how many seats were given, and to whom, in order.
type standing struct {
	given int
	to    string
}

func (s standing) has(who tournament.PersonID) bool {
	return strings.Contains(s.to, "|"+string(who)+"|")
}

func (s standing) with(who tournament.PersonID) standing {
	return standing{s.given + 1, s.to + "|" + string(who) + "|"}
}

// oneByOne is how registrations must look from outside: as if one came after another, each getting the next machine of its
// heat, nobody two in one heat, none when the heat is full. What was not heard of may have been done or not.
func oneByOne() porcupine.Model {
	model := porcupine.NondeterministicModel{
		Partition: byHeat,
		Init:      func() []any { return []any{standing{}} },
		Step: func(state, input, output any) []any {
			before, asked, heard := state.(standing), input.(wish), output.(word)
			mayGive := !before.has(asked.person) && before.given < fewSeats
			switch {
			case heard.unheard && mayGive:
				return []any{before, before.with(asked.person)}
			case heard.unheard,
				heard.refused == tournament.AlreadySeated && before.has(asked.person),
				heard.refused == tournament.HeatFull && !before.has(asked.person) && before.given == fewSeats:
				return []any{before}
			case mayGive && heard.machine == before.given+1:
				return []any{before.with(asked.person)}
			}
			return nil
		},
		Equal: func(one, other any) bool { return one == other },
	}
	return model.ToModel()
}

func byHeat(history []porcupine.Operation) (parts [][]porcupine.Operation) {
	heats := map[tournament.HeatID][]porcupine.Operation{}
	for _, one := range history {
		heat := one.Input.(wish).heat
		heats[heat] = append(heats[heat], one)
	}
	for _, part := range heats {
		parts = append(parts, part)
	}
	return parts
}

// arcade is a casino whose clerks register the same players in the same small heats, over a line that breaks.
type arcade struct {
	*casino
	line *linecut.Line
	// fresh has clerks take a new key for each try.
	fresh bool
	tries atomic.Uint64
	clock atomic.Int64

	// mu guards what follows.
	mu      sync.Mutex
	history []porcupine.Operation
}

func openArcade(t *testing.T) *arcade {
	t.Helper()
	folder := t.TempDir()
	a := &arcade{casino: openCasino(t, folder, filepath.Join(folder, "data"), terms{entries: entriesEach, size: fewSeats}, seed(t))}
	line, err := linecut.Lay(a.address)
	if err != nil {
		t.Fatal(err)
	}
	a.line = line
	t.Cleanup(func() { line.Close() })
	return a
}

// plays has clerks register while the line breaks and central is killed, so many times, and returns what they heard.
func (a *arcade) plays(kills int) []porcupine.Operation {
	a.Helper()
	way, err := client.New("http://"+a.line.Address(), client.Options{Timeout: 5 * time.Second})
	if err != nil {
		a.Fatal(err)
	}
	defer way.Close()
	over, stop := context.WithCancel(a.Context())
	var waiting sync.WaitGroup
	var window atomic.Int64
	for clerk := range clerks {
		random := rand.New(rand.NewPCG(a.random.Uint64(), uint64(clerk)))
		waiting.Go(func() { a.serve(over, way, clerk, random, &window) })
	}
	for kill := range kills {
		// Every so often other heats, before all of them are full.
		window.Store(int64(kill * (len(a.heats) - 3) / kills))
		running := a.start()
		for range a.random.IntN(4) {
			a.pass(5)
			a.line.Break()
		}
		a.pass(15)
		if err := running.Process.Kill(); err != nil {
			a.Fatal(err)
		}
		running.Wait()
	}
	running := a.start()
	stop()
	waiting.Wait()
	a.client.Close()
	a.end(running)
	return a.history
}

// pass lets so many registrations come to an end, and some moments more: when exactly is what is tested.
func (a *arcade) pass(registrations int) {
	for wanted := a.soFar() + registrations; a.soFar() < wanted; {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(time.Duration(a.random.IntN(10_000)) * time.Microsecond)
}

func (a *arcade) soFar() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.history)
}

// serve asks for seats, and gives up now and then when it hears nothing.
func (a *arcade) serve(over context.Context, way *client.Client, clerk int, random *rand.Rand, window *atomic.Int64) {
	for sequence := uint64(1); over.Err() == nil; sequence++ {
		asked := wish{
			person: a.players[random.IntN(len(a.players)/4)],
			heat:   a.heats[int(window.Load())+random.IntN(3)],
		}
		key := client.Key{Enrolment: fmt.Sprint("kiosk-", clerk), Sequence: sequence, Settled: sequence}
		patience := 1 + random.IntN(20)
		begun := a.clock.Add(1)
		heard := a.ask(way, key, asked, patience)
		ended := a.clock.Add(1)
		if heard.unheard {
			ended = math.MaxInt64 // it may still be done
		}
		a.mu.Lock()
		a.history = append(a.history, porcupine.Operation{ClientId: clerk, Input: asked, Output: heard, Call: begun, Return: ended})
		a.mu.Unlock()
	}
}

func (a *arcade) ask(way *client.Client, key client.Key, asked wish, patience int) word {
	var seat wire.Seat
	// It ends with its tries, not with the evening: central is there again by then.
	err := client.Retry(context.Background(), client.Backoff{First: 5 * time.Millisecond, Most: 50 * time.Millisecond, Tries: patience},
		func(ctx context.Context) (err error) {
			if a.fresh {
				key = client.Key{Enrolment: "fresh", Sequence: a.tries.Add(1)}
			}
			seat, err = way.Register(ctx, key, wire.Register{
				Person: asked.person, Heat: asked.heat, Kiosk: "kiosk-1", Rules: a.definition.Text.Hash, Declared: true, By: "document",
			})
			return err
		})
	refusal, refused := errors.AsType[*tournament.Refusal](err)
	switch {
	case err == nil:
		return word{machine: seat.Machine}
	case refused:
		return word{refused: refusal.Reason}
	case !errors.Is(err, client.ErrAway):
		a.Error(err)
	}
	return word{unheard: true}
}

// told counts what was heard.
func told(history []porcupine.Operation) map[string]int {
	counts := map[string]int{}
	for _, one := range history {
		switch heard := one.Output.(word); {
		case heard.unheard:
			counts["unheard of"]++
		case heard.refused != "":
			counts[string(heard.refused)]++
		default:
			counts["seated"]++
		}
	}
	return counts
}

// historyTime is how long judging a history may take.
const historyTime = time.Minute

// TestRegistrationsLookAsIfOneCameAfterAnother has clerks register the same players in the same heats over a line that
// breaks, at a central that is killed, and checks that what they heard can be explained by one order of all registrations
// (linearisability): 100 kills with REELKIOSK_LONG=1, a tenth of that otherwise.
func TestRegistrationsLookAsIfOneCameAfterAnother(t *testing.T) {
	a := openArcade(t)
	times := 10
	if os.Getenv("REELKIOSK_LONG") == "1" {
		times = 100
	}
	history := a.plays(times)
	counts := told(history)
	t.Logf("%d registrations over %d kills: %v", len(history), times, counts)
	for _, kind := range []string{"seated", "unheard of", string(tournament.AlreadySeated), string(tournament.HeatFull)} {
		if counts[kind] == 0 {
			t.Errorf("none was %s: this tests less than it should", kind)
		}
	}
	if verdict := porcupine.CheckOperationsTimeout(oneByOne(), history, historyTime); verdict != porcupine.Ok {
		t.Errorf("no order explains what was heard: %s", verdict)
	}
	a.falsify(history)
}

// falsify is a control of the test above: words that nobody can have heard must be found among the others.
func (a *arcade) falsify(history []porcupine.Operation) {
	a.Helper()
	heard := func(wanted func(word) bool) int {
		return slices.IndexFunc(history, func(one porcupine.Operation) bool { return wanted(one.Output.(word)) })
	}
	seated := heard(func(w word) bool { return w.machine > 1 })
	full := heard(func(w word) bool { return w.refused == tournament.HeatFull })
	for situation, lie := range map[string]struct {
		at    int
		words word
	}{
		"a machine was given twice":             {seated, word{machine: history[seated].Output.(word).machine - 1}},
		"a player was seated and told nothing":  {full, word{refused: tournament.AlreadySeated}},
		"a machine was given in a heat's place": {full, word{machine: fewSeats + 1}},
	} {
		lied := slices.Clone(history)
		lied[lie.at].Output = lie.words
		if verdict := porcupine.CheckOperationsTimeout(oneByOne(), lied, historyTime); verdict != porcupine.Illegal {
			a.Errorf("%s, and the verdict is %s", situation, verdict)
		}
	}
}

// TestClerksWithoutKeysAreFoundOut is the other control: where a try that was not heard of is sent again under a new key,
// somebody is told that a player is seated whom nobody seated.
func TestClerksWithoutKeysAreFoundOut(t *testing.T) {
	a := openArcade(t)
	a.fresh = true
	history := a.plays(20)
	if verdict := porcupine.CheckOperationsTimeout(oneByOne(), history, historyTime); verdict != porcupine.Illegal {
		t.Errorf("%d registrations, %v: the verdict is %s", len(history), told(history), verdict)
	}
}
