package kiosk

import (
	"context"
	crand "crypto/rand"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"reelkiosk/store/central"
	"reelkiosk/store/exclusion"
	"reelkiosk/store/kv"
	"reelkiosk/store/kv/bolt"
	"reelkiosk/store/ledger"
	"reelkiosk/store/replica"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// ending is how a floor stands at the end of an evening: the books, what came out of the printers, and what the kiosks showed.
type ending struct {
	seats   []wire.Seat
	entries map[tournament.PersonID]int // those that are not used
	papers  []string
	served  map[tournament.PersonID]bool // those whose kiosk showed that their ticket is printed
	cases   []wire.Case
	left    []string // what a kiosk still has to tell, or cannot
}

// wrong lists what must not be: a machine given twice, an entry spent twice or lost, a ticket that came out twice or that
// the books do not know, a copy of which nobody knows what became of it, something that was shown and is not so, something
// that never reached central.
func (e *ending) wrong(guests []guest) (wrong []string) {
	say := func(format string, words ...any) { wrong = append(wrong, fmt.Sprintf(format, words...)) }
	machines, players := map[string]bool{}, map[tournament.PersonID]wire.Seat{}
	known := map[string]bool{}
	for _, seat := range e.seats {
		place := fmt.Sprint(seat.Heat, " ", seat.Machine)
		if machines[place] {
			say("machine %s was given twice", place)
		}
		machines[place], players[seat.Person] = true, seat
		known[seat.Ticket] = true
		papers := 0
		for _, paper := range e.papers {
			if strings.Contains(paper, seat.Ticket) {
				papers++
			}
		}
		switch {
		case papers > 1:
			say("the ticket of machine %s came out %d times", place, papers)
		case seat.CopyState == tournament.CopyPrinted && papers == 0:
			say("the ticket of machine %s is said to be printed", place)
		case seat.CopyState == tournament.CopyLost && papers > 0:
			say("the ticket of machine %s is said to be lost", place)
		case seat.CopyState == tournament.CopyIntended:
			say("nobody knows what became of the ticket of machine %s", place)
		}
	}
	for _, paper := range e.papers {
		for _, symbol := range symbols.FindAllStringSubmatch(paper, -1) {
			if !known[symbol[1]] {
				say("a ticket that the books do not know came out:\n%s", paper)
			}
		}
	}
	for i, guest := range guests {
		seats := 0
		for _, seat := range e.seats {
			if seat.Person == guest.person {
				seats++
			}
		}
		if seats+e.entries[guest.person] != 1 {
			say("of the entry of player %d came %d seats, and %d entries are left", i, seats, e.entries[guest.person])
		}
		if e.served[guest.person] && players[guest.person].CopyState != tournament.CopyPrinted {
			say("player %d was shown that the ticket is printed, the books say %q", i, players[guest.person].CopyState)
		}
	}
	for _, one := range e.cases {
		say("a case: %+v", one)
	}
	return append(wrong, e.left...)
}

// symbols finds the ticket numbers on a paper, as the emulated printer writes down a QR code. A ticket that was torn off by a
// kill has the beginning of the next on the same paper.
var symbols = regexp.MustCompile(`\[QR([0-9A-Z]{17})\]`)

// evening is a venue in which everything is killed.
type evening struct {
	*venue
	mu     sync.Mutex // guards what follows
	served map[tournament.PersonID]bool
	counts map[string]int
}

func (e *evening) note(what string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.counts[what]++
}

// serveAt serves one guest after another at a post, and kills the kiosk in each visit or after it, some with the line cut.
func (e *evening) serveAt(p *post, guests []guest, random *rand.Rand) {
	for _, guest := range guests {
		p.launch()
		cut := guest.home == p.name && random.IntN(2) == 0
		if cut {
			p.line.Cut()
		} else {
			p.line.Mend()
			p.kiosk.hears(2*time.Second, "settled") // it may be that central is killed just then
		}
		time.Sleep(time.Duration(random.IntN(300)) * time.Millisecond)
		p.swipe(guest.card)
		switch word := p.kiosk.hears(patience, "take", "trouble", "see-host"); word {
		case "take":
			// A share of a visit that takes about this long, more often at the start.
			share := random.Float64() * 1.3
			word = p.kiosk.hears(time.Duration(share*share*float64(2*time.Second)), "done")
			if word == "done" {
				e.mu.Lock()
				e.served[guest.person] = true
				e.mu.Unlock()
			}
			e.note(fmt.Sprintf("cut %v, done %v", cut, word == "done"))
		default:
			e.note(fmt.Sprintf("cut %v, %s", cut, word))
		}
		p.kiosk.kill()
		if random.IntN(3) > 0 { // else the next life begins in the cut
			p.line.Mend()
		}
	}
}

// killCentral kills central and starts it again, over and over, until ctx ends.
func (e *evening) killCentral(ctx context.Context, random *rand.Rand) {
	for {
		timer := time.NewTimer(time.Duration(200+random.IntN(2500)) * time.Millisecond)
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-timer.C:
		}
		e.central.kill()
		e.note("central killed")
		e.serve()
	}
}

// end lets everything come to its end, and returns how it stands.
func (e *evening) end() *ending {
	e.Helper()
	ending := &ending{served: e.served, entries: map[tournament.PersonID]int{}}
	for _, p := range e.posts {
		p.line.Mend()
		p.launch()
	}
	for _, p := range e.posts {
		p.kiosk.says(e.TB, "settled")
	}
	for _, p := range e.posts {
		p.kiosk.kill()
		ending.papers = append(ending.papers, p.papers()...)
		file, err := replica.Open(replicaOf(p.folder), nil)
		e.must(err)
		for _, request := range file.Requests() {
			if request.Path == wire.PathSeatReports || request.Path == wire.PathPrints || request.Path == wire.PathRegistrations {
				ending.left = append(ending.left, fmt.Sprintf("%s still has to tell %s", p.name, request.Path))
			}
		}
		for _, dead := range file.Dead() {
			ending.left = append(ending.left, fmt.Sprintf("%s cannot tell %s: %s", p.name, dead.Path, dead.Reason))
		}
		e.must(file.Close())
	}
	e.central.kill()
	e.read(ending)
	return ending
}

// papers returns what came out of the printer until nothing more does, without the gaps between groups of symbols.
func (p *post) papers() (papers []string) {
	for {
		select {
		case piece := <-p.printer.Tickets():
			papers = append(papers, strings.NewReplacer(" ", "", "-", "").Replace(piece.Text))
		case <-time.After(time.Second):
			return papers
		}
	}
}

// read reads the books, and checks that the events add up to them.
func (e *evening) read(ending *ending) {
	e.Helper()
	options, err := central.Load(e.data(), e.keysFile(), "")
	e.must(err)
	store, err := bolt.Open(filepath.Join(e.data(), central.BooksFile), bolt.Options{})
	e.must(err)
	defer store.Close()
	books := ledger.New(options.Definition, options.Vault, exclusion.NewSet(nil))
	e.must(store.View(e.Context(), func(view kv.Reader) error {
		again := kv.NewOverlay(empty{})
		if err := errors.Join(books.Replay(view, again), ledger.Same(view, again)); err != nil {
			return err
		}
		heats, err := books.Heats(view, time.Now().Add(-12*time.Hour), 1000)
		if err != nil {
			return err
		}
		for _, heat := range heats {
			seats, err := books.Seats(view, heat.ID)
			if err != nil {
				return err
			}
			ending.seats = append(ending.seats, seats...)
		}
		entries, err := books.Entries(view, "", 1<<20, time.Now())
		for _, entry := range entries {
			if entry.State == tournament.EntryUnused {
				ending.entries[entry.Person]++
			}
		}
		if err != nil {
			return err
		}
		ending.cases, err = books.Cases(view)
		return err
	}))
}

// empty is the view of an empty store.
type empty struct{}

func (empty) Get([]byte) ([]byte, error) { return nil, kv.ErrNotFound }

func (empty) Range(_, _ []byte) (iter.Seq2[[]byte, []byte], func() error) {
	return func(func([]byte, []byte) bool) {}, func() error { return nil }
}

// openEvening opens a venue of two kiosks that central has granted something, and guests.
func openEvening(t *testing.T, guests int) (*evening, []guest) {
	t.Helper()
	e := &evening{venue: openVenue(t, "kiosk-1", "kiosk-2"), served: map[tournament.PersonID]bool{}, counts: map[string]int{}}
	invited := e.invite(guests)
	for _, p := range e.posts {
		p.launch()
		p.kiosk.says(t, "alone")
		p.kiosk.kill()
	}
	return e, invited
}

func eveningSeed(t *testing.T) uint64 {
	t.Helper()
	seed := rand.Uint64()
	if given := os.Getenv("REELKIOSK_SEED"); given != "" {
		var err error
		if seed, err = strconv.ParseUint(given, 10, 64); err != nil {
			t.Fatalf("REELKIOSK_SEED: %v", err)
		}
	}
	t.Logf("REELKIOSK_SEED=%d", seed)
	return seed
}

// TestKiosksAndCentralAreKilledAllEvening kills two enrolled kiosks and central, over TLS, at random moments of visits, half
// of them with the line to central cut: 200 visits with REELKIOSK_LONG=1, a tenth of that otherwise. In the end nothing that
// was shown or printed is missing, nothing was given or spent twice, and everything was told.
func TestKiosksAndCentralAreKilledAllEvening(t *testing.T) {
	rounds := 20
	switch {
	case os.Getenv("REELKIOSK_LONG") == "1":
		rounds = 200
	case testing.Short():
		rounds = 6
	}
	seed := eveningSeed(t)
	e, guests := openEvening(t, rounds)
	ctx, over := context.WithCancel(t.Context())
	var killing, serving sync.WaitGroup
	killing.Go(func() { e.killCentral(ctx, rand.New(rand.NewPCG(seed, 0))) })
	for i, p := range e.posts {
		// Most are at home here; every fourth comes from the other kiosk, which has to let him go.
		var own []guest
		for number, guest := range guests {
			if (guest.home == p.name) != (number%4 == 0) {
				own = append(own, guest)
			}
		}
		random := rand.New(rand.NewPCG(seed, uint64(i+1)))
		serving.Go(func() { e.serveAt(p, own, random) })
	}
	serving.Wait()
	over()
	killing.Wait()
	ending := e.end()
	t.Logf("%d seats, %d papers: %v", len(ending.seats), len(ending.papers), e.counts)
	for _, wrong := range ending.wrong(guests) {
		t.Errorf("REELKIOSK_SEED=%d: %s", seed, wrong)
	}
	if testing.Short() {
		return // chance may have left out a cut
	}
	if e.counts["cut true, done true"]+e.counts["cut true, done false"] == 0 || e.counts["central killed"] == 0 {
		t.Errorf("REELKIOSK_SEED=%d: no seat was given in a cut, or central was not killed: this tests less than it should", seed)
	}
}

// TestWhatIsForgottenInAnEveningIsNoticed is the control: a kiosk that loses its file after it gave a seat in a cut, and a
// central that goes back to yesterday's books, must be found out.
func TestWhatIsForgottenInAnEveningIsNoticed(t *testing.T) {
	e, guests := openEvening(t, 8)
	visit := func(p *post, cut bool) guest {
		t.Helper()
		for i, guest := range guests {
			if guest.home == p.name {
				p.launch()
				if cut {
					p.line.Cut()
					time.Sleep(300 * time.Millisecond)
				}
				p.swipe(guest.card)
				p.kiosk.says(t, "done")
				p.kiosk.kill()
				e.served[guests[i].person] = true
				return guest
			}
		}
		t.Fatal("nobody is left")
		panic("unreachable")
	}
	cut := visit(e.posts[0], true)
	e.must(os.Remove(replicaOf(e.posts[0].folder)))
	e.central.kill()
	books := filepath.Join(e.data(), central.BooksFile)
	yesterday, err := os.ReadFile(books)
	e.must(err)
	e.serve()
	line := visit(e.posts[1], false)
	e.central.kill()
	e.must(os.WriteFile(books, yesterday, 0o600))
	ending := &ending{served: e.served, entries: map[tournament.PersonID]int{}}
	for _, p := range e.posts {
		ending.papers = append(ending.papers, p.papers()...)
	}
	e.read(ending)
	said := strings.Join(ending.wrong(guests), "\n")
	for i, guest := range guests {
		if (guest == cut || guest == line) && !strings.Contains(said, fmt.Sprintf("player %d was shown", i)) {
			t.Errorf("player %d is not missed: %s", i, said)
		}
	}
	if strings.Count(said, "a ticket that the books do not know") != 2 {
		t.Errorf("two papers are not missed: %s", said)
	}
}

// TestADamagedFileIsAcceptedAndWhatItHadToTellArrives damages the file of a kiosk that has given a seat in a cut. It is put
// aside; a technician says yes and enrols it anew: then central hears of the seat, and the kiosk serves players again, though
// not by itself before an operator has ended what the damaged file was granted.
func TestADamagedFileIsAcceptedAndWhatItHadToTellArrives(t *testing.T) {
	e, guests := openEvening(t, 16)
	p := e.posts[0]
	var own []guest
	for _, guest := range guests {
		if guest.home == p.name {
			own = append(own, guest)
		}
	}
	if len(own) < 2 {
		t.Fatalf("%d of 16 guests are at home at %s", len(own), p.name)
	}
	serve := func(guest guest, word string) {
		t.Helper()
		time.Sleep(300 * time.Millisecond)
		p.swipe(guest.card)
		p.kiosk.says(t, word)
		e.served[guest.person] = true
		p.kiosk.kill()
	}
	p.launch()
	p.line.Cut()
	serve(own[0], "done")
	path := replicaOf(p.folder)
	text, err := os.ReadFile(path)
	e.must(err)
	clear(text[:2*os.Getpagesize()]) // both meta pages
	e.must(os.WriteFile(path, text, 0o600))
	_, err = replica.Open(path, crand.Reader)
	if damaged, is := errors.AsType[*replica.DamagedError](err); !is {
		t.Fatalf("a damaged file: %v, %v", damaged, err)
	}
	found, err := replica.Accept(path, p.name, crand.Reader)
	if err != nil || len(found.Told) == 0 {
		t.Fatal(found, err)
	}
	p.line.Mend()
	p.enrol()
	p.launch()
	p.kiosk.says(t, "settled")
	if p.kiosk.hears(time.Second, "alone") != "" {
		t.Error("it may give seats by itself, though nobody knows what it gave before")
	}
	serve(own[1], "done")
	for _, wrong := range e.end().wrong(guests) {
		t.Error(wrong)
	}
}
