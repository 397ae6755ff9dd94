package alone

import (
	"container/heap"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"reelkiosk/devices/emulator"
	"reelkiosk/store/exclusion"
	"reelkiosk/store/kv"
	"reelkiosk/store/ledger"
	"reelkiosk/store/tournament"
	"reelkiosk/store/vault"
	"reelkiosk/store/wire"
)

// A floor is a casino in one process and without a clock: central with its books, kiosks with their copies, holdings and
// outboxes, desks, and a network between them that cuts, delays, doubles and reorders. Everything that happens is an event
// at a time, drawn from one seed: the same seed plays the same evening.

// rule is one that keeps seats from being given twice. A test takes one out, and what it keeps away must happen.
type rule string

// The rules that can be taken out.
const (
	// settles: nothing is given to a player any of whose requests is unsettled.
	settles rule = "settles"
	// givesWay: the later grant leaves the players of others to them while lists change.
	givesWay rule = "gives way"
	// asksHome: whoever acts for a player elsewhere needs the home to let him go.
	asksHome rule = "asks the home"
	// staysGone: a ticket that was given back is gone for good.
	staysGone rule = "stays gone"
	// diesAtBoot: a grant, and what was heard of exclusions, die with a start of the machine.
	diesAtBoot rule = "dies at boot"
	// persists: a player is let go on the disk before it is said.
	persists rule = "persists"
	// reports: a kiosk says which grants it may still use or has not reported all of.
	reports rule = "reports"
	// reportsFirst: the home itself acts online for a player only once all that it gave him is reported.
	reportsFirst rule = "reports first"
	// catchesUp: a grant is used only once the copy has applied what it names.
	catchesUp rule = "catches up"
	// once: a machine is given on its ticket once.
	once rule = "once"
)

// nowhere is the view of an empty store.
type nowhere struct{}

func (nowhere) Get([]byte) ([]byte, error) { return nil, kv.ErrNotFound }

func (nowhere) Range(_, _ []byte) (iter.Seq2[[]byte, []byte], func() error) {
	return func(func([]byte, []byte) bool) {}, func() error { return nil }
}

// floorKey is the number of the floor key.
const floorKey = 1

// evening is when every floor begins, on Saturday 5 December 2026.
var evening = tournament.Date{Year: 2026, Month: 12, Day: 5}.At(18, 0, time.UTC)

// floorTournament has eight machines and a heat every half hour, of which kiosks may be granted half.
func floorTournament() *tournament.Tournament {
	day := tournament.DateOf(evening)
	definition := &tournament.Tournament{
		ID: "floor", Name: "Reels", Property: "The Floor", Zone: time.UTC, First: day.AddDays(-1), Last: day.AddDays(1),
		Rules: tournament.Rules{
			MinAge: 18, CardSuffices: tournament.CardVerified, SeatPrice: tournament.Money{Cents: 5000, Currency: "ZAR"},
			Window: tournament.Window48h, GamingDayStarts: 6 * 60, OpensBefore: 3 * time.Hour, ClosesBefore: 5 * time.Minute,
			HeatLength: 15 * time.Minute, GrantShare: 50, GrantLives: time.Hour, GrantMargin: 5 * time.Minute, ExclusionsMaxAge: 30 * time.Minute,
		},
		Text: tournament.RulesText{Version: 1, Hash: "rules-1", Body: "1. Adults only."},
	}
	for number := 1; number <= 8; number++ {
		definition.Machines = append(definition.Machines, tournament.Machine{Number: number})
	}
	stage := tournament.Stage{Kind: tournament.Qualifying, Size: 8}
	for number := range 10 {
		stage.Heats = append(stage.Heats, tournament.Heat{
			ID: tournament.HeatID(fmt.Sprintf("qualifying-%s-%d", day, number+1)), Stage: tournament.Qualifying, Day: day,
			Number: number + 1, Start: evening.Add(time.Duration(number+1) * 30 * time.Minute), Size: 8,
		})
	}
	definition.Stages = []tournament.Stage{stage}
	return definition
}

// floor is the whole of it.
type floor struct {
	testing.TB
	seed  uint64
	dice  *rand.Rand
	bytes *rand.ChaCha8
	// without is the rule that is taken out, if any.
	without rule
	// now is how long the evening has lasted; agenda is what is still to happen, in the order of its time.
	now    time.Duration
	agenda agenda
	order  uint64

	definition *tournament.Tournament
	books      *ledger.Books
	keys       *vault.Vault
	view       *kv.Overlay
	kiosks     []*kiosk
	desk       uint64
	players    []*player
	papers     []paper
	// decided says that a host decided without a kiosk: what the kiosk gave may be given twice, as a case.
	decided bool
	// wrong is what must not happen and did.
	wrong []string
}

// player is somebody with entries.
type player struct {
	document wire.Document
	id       tournament.PersonID
	// excluded is when the player was excluded; negative is never.
	excluded time.Duration
}

// paper is a printed ticket.
type paper struct {
	ticket tournament.TicketNumber
	seat   tournament.SeatID
	kiosk  string
	// online says that central gave it.
	online bool
}

// newFloor returns a floor on which that many kiosks are listed and nobody has asked for anything.
func newFloor(t testing.TB, seed uint64, kiosks, players int, without rule) *floor {
	t.Helper()
	keys := vault.New(vault.Keys{Lookup: sha256.Sum256([]byte("lookup")), Data: sha256.Sum256([]byte("data"))})
	f := &floor{
		TB: t, seed: seed, dice: rand.New(rand.NewPCG(seed, 1)), bytes: rand.NewChaCha8(sha256.Sum256(fmt.Append(nil, seed))),
		without: without, definition: floorTournament(), keys: keys, view: kv.NewOverlay(nowhere{}),
	}
	f.books = ledger.New(f.definition, keys, exclusion.NewSet(nil))
	for i := range kiosks {
		f.installs(fmt.Sprint("kiosk-", i+1))
	}
	for i := range players {
		f.comes(i)
	}
	return f
}

// at returns the time of day.
func (f *floor) at() time.Time { return evening.Add(f.now) }

// heat returns the id of the heat of that number.
func (f *floor) heat(number int) tournament.HeatID { return f.definition.Stages[0].Heats[number-1].ID }

// does has central apply an act that is nobody's request.
func (f *floor) does(where string, act ledger.Act) (ledger.Answer, error) {
	return f.books.Apply(f.view, ledger.Request{At: f.at(), Who: "host", Where: where, Random: f.bytes, Act: act})
}

// must is does of what must be allowed.
func (f *floor) must(where string, act ledger.Act) ledger.Answer {
	f.Helper()
	answer, err := f.does(where, act)
	if err != nil {
		f.Fatalf("seed %d: %T: %v", f.seed, act, err)
	}
	return answer
}

// comes brings a player who has bought four seats.
func (f *floor) comes(index int) *player {
	f.Helper()
	p := &player{excluded: -1, document: wire.Document{
		Kind: "sa-smart-id", IDNumber: emulator.IdentityNumber(tournament.Date{Year: 1980, Month: 1, Day: 1}, index), Surname: fmt.Sprint("No ", index), Given: "Player",
		BirthDate: tournament.Date{Year: 1980, Month: 1, Day: 1},
	}}
	answer := f.must("cash-1", ledger.Purchase{Kind: tournament.CashBuyIn, Seats: 4, Document: &p.document, Operator: "pat", Desk: "cash-1"})
	bought, err := ledger.As[wire.Bought](answer)
	if err != nil {
		f.Fatal(err)
	}
	p.id = bought.Person
	f.players = append(f.players, p)
	return p
}

// excludes bars a player.
func (f *floor) excludes(p *player) {
	f.Helper()
	if p.excluded >= 0 {
		return
	}
	p.excluded = f.now
	f.must("office", ledger.ImportExclusions{Rows: []wire.Exclusion{{
		Reference: "R" + p.document.IDNumber, Kind: "self-excluded", IDNumber: p.document.IDNumber,
	}}})
}

// fault notes what must not happen.
func (f *floor) fault(format string, values ...any) {
	f.wrong = append(f.wrong, fmt.Sprintf("%s: ", f.now.Round(time.Second))+fmt.Sprintf(format, values...))
}

// task is something that happens at a time.
type task struct {
	at    time.Duration
	order uint64
	run   func()
}

// agenda has the first task first (container/heap).
type agenda []task

func (a agenda) Len() int { return len(a) }
func (a agenda) Less(i, j int) bool {
	return a[i].at < a[j].at || a[i].at == a[j].at && a[i].order < a[j].order
}
func (a agenda) Swap(i, j int) { a[i], a[j] = a[j], a[i] }
func (a *agenda) Push(one any) { *a = append(*a, one.(task)) }
func (a *agenda) Pop() any {
	last := (*a)[len(*a)-1]
	*a = (*a)[:len(*a)-1]
	return last
}

// after has something happen later.
func (f *floor) after(wait time.Duration, run func()) {
	f.order++
	heap.Push(&f.agenda, task{f.now + wait, f.order, run})
}

// passes lets time pass, with all that happens in it.
func (f *floor) passes(time time.Duration) {
	until := f.now + time
	for len(f.agenda) > 0 && f.agenda[0].at <= until {
		next := heap.Pop(&f.agenda).(task)
		f.now = next.at
		next.run()
	}
	f.now = until
}

// letter is a request on its way, byte for byte as it lies on the kiosk's disk.
type letter struct {
	Sequence uint64          `json:"sequence"`
	Kind     string          `json:"kind"`
	Body     json.RawMessage `json:"body"`
	// Person is whom it is about; Done that central has answered it.
	Person tournament.PersonID `json:"person,omitempty"`
	Done   bool                `json:"done,omitempty"`
}

// act reads the letter's act.
func (l *letter) act() ledger.Act {
	read := func(into any) {
		if err := json.Unmarshal(l.Body, into); err != nil {
			panic(err)
		}
	}
	switch l.Kind {
	case "register":
		var act ledger.Register
		read(&act)
		return act
	case "ask":
		var act ledger.AskGrant
		read(&act)
		return act
	case "back":
		var act ledger.GiveBack
		read(&act)
		return act
	case "let":
		var act ledger.LetGo
		read(&act)
		return act
	case "seat":
		var act ledger.ReportSeat
		read(&act)
		return act
	}
	panic("a letter of no kind: " + l.Kind)
}

// receives has central take a letter, and returns what comes back.
func (f *floor) receives(from string, l letter) (ledger.Answer, error) {
	where, act := from, l.act()
	if register, is := act.(ledger.Register); is && f.without == asksHome {
		where = f.homeOf(register.Person)
	}
	answer, err := f.books.Apply(f.view, ledger.Request{
		Key: wire.Key{Enrolment: "disk-" + from, Sequence: l.Sequence}, Body: sha256.Sum256(l.Body), At: f.at(), Who: "player", Where: where,
		Random: f.bytes, Act: act,
	})
	if _, refused := errors.AsType[*tournament.Refusal](err); err != nil && !refused {
		f.fault("central failed at a %s of %s: %v", l.Kind, from, err)
	}
	return answer, err
}

// homeOf returns the kiosk in which central sees the player's home.
func (f *floor) homeOf(who tournament.PersonID) string {
	for _, k := range f.kiosks {
		held, err := f.books.Held(f.view, who, "")
		without, otherErr := f.books.Held(f.view, who, k.name)
		if err != nil || otherErr != nil {
			f.Fatal(err, otherErr)
		}
		if held && !without {
			return k.name
		}
	}
	return "desk-1"
}

// deskRegisters asks at the desk for a seat: a place that has no grants, over a line that is never cut.
func (f *floor) deskRegisters(p *player, heat tournament.HeatID) error {
	f.desk++
	body, err := json.Marshal(wire.Register{Person: p.id, Heat: heat, Kiosk: "desk-1", Rules: "rules-1", Declared: true, By: "document"})
	if err != nil {
		f.Fatal(err)
	}
	answer, err := f.receives("desk-1", letter{Sequence: f.desk, Kind: "register", Body: body})
	if err != nil {
		return err
	}
	seat, err := ledger.As[wire.Seat](answer)
	if err == nil {
		f.printed("desk-1", seat, true)
	}
	return err
}

// printed notes a ticket that came out of a printer.
func (f *floor) printed(where string, seat wire.Seat, online bool) {
	f.papers = append(f.papers, paper{tournament.TicketNumber(seat.Ticket), seat.ID, where, online})
}

// position returns the last event of the books.
func (f *floor) position() uint64 {
	position, _, err := ledger.Last(f.view)
	if err != nil {
		f.Fatal(err)
	}
	return position
}

// kioskNamed returns a kiosk.
func (f *floor) kioskNamed(name string) *kiosk {
	at := slices.IndexFunc(f.kiosks, func(k *kiosk) bool { return k.name == name })
	if at < 0 {
		f.Fatalf("no kiosk %s", name)
	}
	return f.kiosks[at]
}
