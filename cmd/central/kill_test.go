package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"reelkiosk/assets"
	"reelkiosk/devices/identity"
	"reelkiosk/store/central"
	"reelkiosk/store/client"
	"reelkiosk/store/definition"
	"reelkiosk/store/exclusion"
	"reelkiosk/store/kv"
	"reelkiosk/store/kv/bolt"
	"reelkiosk/store/ledger"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// kills is how often central is killed: 200 times with REELKIOSK_LONG=1, a tenth of that otherwise.
func kills() int {
	if os.Getenv("REELKIOSK_LONG") == "1" {
		return 200
	}
	return 20
}

// seed is drawn anew for each run, and can be given to see one again.
func seed(t *testing.T) uint64 {
	t.Helper()
	drawn := rand.Uint64()
	if given := os.Getenv("REELKIOSK_SEED"); given != "" {
		var err error
		if drawn, err = strconv.ParseUint(given, 10, 64); err != nil {
			t.Fatal("REELKIOSK_SEED: ", err)
		}
	}
	t.Logf("REELKIOSK_SEED=%d", drawn)
	return drawn
}

const (
	// clerks is how many clients register at the same time; each has players of its own.
	clerks = 8
	// playersEach and entriesEach bound what a clerk can register: one seat for each player in each heat.
	playersEach, entriesEach = 32, 60
)

// TestKilledAtAnyMoment kills the real program while clerks register, and starts it again, over and over. Clerks send a
// request again, with its key, until it is answered. In the end each registration was made exactly once, every answer is in
// the books, and the events add up to the books, byte for byte.
func TestKilledAtAnyMoment(t *testing.T) {
	c := newCasino(t)
	answered := c.evening(kills(), false)
	made, people := c.audit()
	if len(answered) == 0 {
		t.Fatal("nobody registered: the test tests nothing")
	}
	for _, seat := range answered {
		if made[seat.ID] != seat.Machine {
			t.Errorf("machine %d was answered, the books say %d", seat.Machine, made[seat.ID])
		}
	}
	if len(made) != len(answered) {
		t.Errorf("%d seats were answered, %d are in the books", len(answered), len(made))
	}
	if people != clerks*playersEach {
		t.Errorf("%d people, want %d", people, clerks*playersEach)
	}
	t.Logf("%d registrations over %d kills", len(answered), kills())
}

// TestKilledWithoutKeys is the control: clerks who take a new key for each try are told 'already seated' for seats that
// they never got an answer for. If they were not, the kills would hit nothing.
func TestKilledWithoutKeys(t *testing.T) {
	c := newCasino(t)
	answered := c.evening(20, true)
	if made, _ := c.audit(); len(made) <= len(answered) {
		t.Errorf("%d seats were answered and %d made: no kill came between a commit and its answer", len(answered), len(made))
	}
}

// casino is a tournament with its books, a central that can be killed, and players with entries.
type casino struct {
	*testing.T
	random *rand.Rand
	folder string
	// data is the folder of the books.
	data       string
	terms      terms
	program    string
	address    string
	definition *tournament.Tournament
	client     *client.Client
	players    []tournament.PersonID
	heats      []tournament.HeatID
}

func newCasino(t *testing.T) *casino {
	t.Helper()
	folder := t.TempDir()
	return openCasino(t, folder, filepath.Join(folder, "data"), terms{entries: entriesEach, size: 300}, seed(t))
}

// terms are how many entries each player has, and how many seats a heat.
type terms struct{ entries, size int }

// openCasino opens a casino whose books lie in a folder of their own.
func openCasino(t *testing.T, folder, data string, terms terms, seed uint64) *casino {
	t.Helper()
	c := &casino{T: t, folder: folder, data: data, terms: terms, random: rand.New(rand.NewPCG(seed, 0))}
	c.program = filepath.Join(c.folder, "central")
	build := exec.Command("go", "build", "-o", c.program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	c.begin()
	c.address = c.freeAddress()
	var err error
	if c.client, err = client.New("http://"+c.address, client.Options{}); err != nil {
		t.Fatal(err)
	}
	running := c.start()
	c.sell()
	c.end(running)
	return c
}

// freeAddress returns an address that nobody listens on.
func (c *casino) freeAddress() string {
	c.Helper()
	listener, err := central.Listen("127.0.0.1:0")
	if err != nil {
		c.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// begin writes the demo's tournament around today, with so many machines that no heat fills up, and begins its books.
func (c *casino) begin() {
	c.Helper()
	const name = "tournaments/demo.toml"
	text, err := assets.Tournaments.ReadFile(name)
	if err != nil {
		c.Fatal(err)
	}
	today := tournament.DateOf(time.Now())
	if text, err = definition.WithPeriod(name, text, today.AddDays(-2), today.AddDays(5)); err != nil {
		c.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(text), "[[machines]]")
	_, stages, _ := strings.Cut(rest, "[[stages]]")
	large := before + "[[machines]]\nnumbers = \"1-300\"\nasset = \"A-1\"\nplace = \"Hall\"\n\n[[stages]]" + strings.Replace(stages, "size = 50", fmt.Sprint("size = ", c.terms.size), 1)
	rules, err := assets.Tournaments.ReadFile("tournaments/ridge-rules.txt")
	if err != nil {
		c.Fatal(err)
	}
	file := filepath.Join(c.folder, "demo.toml")
	err = errors.Join(os.WriteFile(file, []byte(large), 0o600), os.WriteFile(filepath.Join(c.folder, "ridge-rules.txt"), rules, 0o600))
	if err != nil {
		c.Fatal(err)
	}
	if c.definition, err = central.Prepare(c.data, c.keys(), file); err != nil {
		c.Fatal(err)
	}
}

func (c *casino) keys() string { return filepath.Join(c.folder, "keys") }

// start starts central and waits until it listens.
func (c *casino) start() *exec.Cmd {
	c.Helper()
	return c.startOver(c.data, c.address)
}

// startOver starts a central over the books in a folder, at an address.
func (c *casino) startOver(data, address string) *exec.Cmd {
	c.Helper()
	var log strings.Builder
	running := exec.Command(c.program, "--data", data, "--keys", c.keys(), "--loopback-demo", "--listen", address)
	running.Stderr = &log
	output, err := running.StdoutPipe()
	if err != nil {
		c.Fatal(err)
	}
	if err := running.Start(); err != nil {
		c.Fatal(err)
	}
	line, err := bufio.NewReader(output).ReadString('\n')
	if err != nil || line != "central listening on http://"+address+"\n" {
		running.Wait()
		c.Fatalf("central said %q, %v\n%s", line, err, log.String())
	}
	return running
}

// end stops central as a service manager does.
func (c *casino) end(running *exec.Cmd) {
	c.Helper()
	if err := running.Process.Signal(os.Interrupt); err != nil {
		c.Fatal(err)
	}
	if err := running.Wait(); err != nil {
		c.Errorf("central ended with %v", err)
	}
}

// sell sells entries to the players and finds the heats that stay open for as long as the test lasts.
func (c *casino) sell() {
	c.Helper()
	heats, err := c.client.Heats(c.Context(), time.Time{}, 200)
	if err != nil {
		c.Fatal(err)
	}
	for _, heat := range heats.Heats {
		if heat.Opens.Before(heats.ServerTime) && heat.Closes.After(heats.ServerTime.Add(time.Hour)) && len(c.heats) < c.terms.entries {
			c.heats = append(c.heats, heat.ID)
		}
	}
	for number := range clerks * playersEach {
		born := tournament.Date{Year: 1960 + number%30, Month: time.Month(1 + number%12), Day: 1 + number%28}
		bought, err := c.client.Purchase(c.Context(), client.Key{Enrolment: "desk", Sequence: uint64(number + 1)}, wire.Purchase{
			Kind: tournament.CashBuyIn, Seats: c.terms.entries, Operator: "Lindiwe", Desk: "cash-desk",
			Document: &wire.Document{Kind: "sa-id-book", IDNumber: idNumber(born, number), BirthDate: born},
		})
		if err != nil {
			c.Fatal(err)
		}
		c.players = append(c.players, bought.Person)
	}
}

// idNumber is an identity number with the right check digit.
func idNumber(born tournament.Date, serial int) string {
	digits := fmt.Sprintf("%02d%02d%02d%04d08", born.Year%100, born.Month, born.Day, serial)
	for check := range 10 {
		if number := digits + strconv.Itoa(check); identity.Luhn(number) {
			return number
		}
	}
	panic("no check digit")
}

// evening has clerks register while central is killed and started again, and returns the seats that they were answered.
func (c *casino) evening(kills int, freshKeys bool) []wire.Seat {
	c.Helper()
	over := make(chan struct{})
	answers := make([][]wire.Seat, clerks)
	var waiting sync.WaitGroup
	var tries atomic.Uint64
	for clerk := range clerks {
		waiting.Go(func() {
			work := c.work(clerk)
			for sequence := uint64(1); ; sequence++ {
				register, more := work()
				select {
				case <-over:
					return
				default:
				}
				if !more {
					return
				}
				key := client.Key{Enrolment: fmt.Sprint("kiosk-", clerk), Sequence: sequence, Settled: sequence}
				seat, err := c.register(key, register, freshKeys, &tries)
				if err == nil {
					answers[clerk] = append(answers[clerk], seat)
				}
			}
		})
	}
	for range kills {
		running := c.start()
		time.Sleep(time.Duration(c.random.IntN(120)) * time.Millisecond) // the moment of the kill is what is tested
		if err := running.Process.Kill(); err != nil {
			c.Fatal(err)
		}
		running.Wait()
	}
	running := c.start()
	close(over)
	waiting.Wait()
	c.client.Close()
	c.end(running)
	var all []wire.Seat
	for _, some := range answers {
		all = append(all, some...)
	}
	return all
}

// work returns a function that gives a clerk's registrations one after another: each of the clerk's players in each heat.
func (c *casino) work(clerk int) func() (wire.Register, bool) {
	next := 0
	return func() (wire.Register, bool) {
		player, heat := next%playersEach, next/playersEach
		if next++; heat >= len(c.heats) {
			return wire.Register{}, false
		}
		return wire.Register{
			Person: c.players[clerk*playersEach+player], Heat: c.heats[heat], Kiosk: fmt.Sprint("kiosk-", clerk), Rules: c.definition.Text.Hash,
			Declared: true, By: "document",
		}, true
	}
}

// register registers until there is an answer. Whoever takes a fresh key for each try may be told that she has the seat.
func (c *casino) register(key client.Key, register wire.Register, freshKeys bool, tries *atomic.Uint64) (seat wire.Seat, err error) {
	err = client.Retry(context.Background(), client.Backoff{First: 5 * time.Millisecond, Most: 50 * time.Millisecond}, func(ctx context.Context) (err error) {
		if freshKeys {
			key = client.Key{Enrolment: "fresh", Sequence: tries.Add(1)}
		}
		seat, err = c.client.Register(ctx, key, register)
		return err
	})
	refusal, refused := errors.AsType[*tournament.Refusal](err)
	if err != nil && !(freshKeys && refused && refusal.Reason == tournament.AlreadySeated) {
		c.Error(err)
	}
	return seat, err
}

// audit opens the books, which checks the file, has the events replayed, and returns the machines of all seats and the
// number of people.
func (c *casino) audit() (seats map[tournament.SeatID]int, people int) {
	c.Helper()
	seats = map[tournament.SeatID]int{}
	list, people, err := c.auditOf(c.data)
	if err != nil {
		c.Error(err)
	}
	for _, seat := range list {
		seats[seat.ID] = seat.Machine
	}
	return seats, people
}

// auditOf opens the books in a folder and returns all seats and the number of people. The error says what must not be: books
// that do not open, events that do not add up to them, a machine or a player that stands twice in a heat, a machine that
// was left out.
func (c *casino) auditOf(data string) (seats []wire.Seat, people int, err error) {
	options, err := central.Load(data, c.keys(), "")
	if err != nil {
		return nil, 0, err
	}
	store, err := bolt.Open(filepath.Join(data, central.BooksFile), bolt.Options{})
	if err != nil {
		return nil, 0, err
	}
	defer store.Close()
	books := ledger.New(options.Definition, options.Vault, exclusion.NewSet(nil))
	err = store.View(c.Context(), func(view kv.Reader) error {
		again := kv.NewOverlay(nothing{})
		if err := errors.Join(books.Replay(view, again), ledger.Same(view, again)); err != nil {
			return err
		}
		for _, heat := range c.heats {
			list, err := books.Seats(view, heat)
			if err != nil {
				return err
			}
			machines, holders := map[int]bool{}, map[tournament.PersonID]bool{}
			for _, seat := range list {
				if machines[seat.Machine] || holders[seat.Person] || seat.Machine > len(list) {
					return fmt.Errorf("heat %s: machine %d, or its player, stands twice, or one before it was left out", heat, seat.Machine)
				}
				machines[seat.Machine], holders[seat.Person] = true, true
			}
			seats = append(seats, list...)
		}
		var err error
		people, err = countPeople(books, view)
		return err
	})
	return seats, people, err
}

func countPeople(books *ledger.Books, view kv.Reader) (int, error) {
	people := map[tournament.PersonID]bool{}
	entries, err := books.Entries(view, "", 1<<20, time.Now())
	for _, entry := range entries {
		people[entry.Person] = true
	}
	return len(people), err
}

// nothing is the view of an empty store.
type nothing struct{}

func (nothing) Get([]byte) ([]byte, error) { return nil, kv.ErrNotFound }

func (nothing) Range(_, _ []byte) (iter.Seq2[[]byte, []byte], func() error) {
	return func(func([]byte, []byte) bool) {}, func() error { return nil }
}
