package alone

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"reelkiosk/store/exclusion"
	"reelkiosk/store/kv"
	"reelkiosk/store/ledger"
	"reelkiosk/store/tournament"
	"reelkiosk/store/vault"
	"reelkiosk/store/wire"
)

// disk is what a kiosk has on its disk beside its copy of the books.
type disk struct {
	Holding Holding  `json:"holding"`
	Last    uint64   `json:"last"`
	Letters []letter `json:"letters,omitempty"`
	// Laid are the seats that the feed has not brought yet.
	Laid []wire.SeatReport `json:"laid,omitempty"`
}

// kiosk is one of the floor.
type kiosk struct {
	*floor
	name  string
	books *ledger.Books
	// copy and written survive a start of the program; disk is what the program has read of written.
	copy    *kv.Overlay
	written []byte
	disk

	// linked says that it reaches central; process counts the starts of the program, boots those of the machine.
	linked         bool
	process, boots int
	booted         time.Duration
	// drift is how fast its clock runs.
	drift float64
	// heard is BOOTTIME when the copy was last complete, and told the time of day then; zero before.
	heard time.Duration
	told  time.Time
	// flying are the letters on their way, and when they were sent.
	flying map[uint64]time.Duration
	// asked is when each grant was really asked for.
	asked map[uint64]time.Duration
	// deaf says that the feed stands still, though requests are answered.
	deaf bool
}

// installs puts a kiosk on the floor and on the list of homes.
func (f *floor) installs(name string) *kiosk {
	f.Helper()
	k := &kiosk{
		floor: f, name: name, books: ledger.New(f.definition, vault.New(f.keys.Floor(floorKey)), exclusion.NewSet(nil)),
		copy: kv.NewOverlay(nowhere{}), linked: true, drift: 1, asked: map[uint64]time.Duration{},
	}
	k.Holding.Kiosk = name
	k.write()
	k.starts(true)
	f.kiosks = append(f.kiosks, k)
	f.must("office", ledger.Enlist{Kiosk: name})
	return k
}

// write commits what the kiosk has in memory to its disk.
func (k *kiosk) write() {
	record := k.disk
	if k.without == persists {
		record.Holding.Let = nil
	}
	text, err := json.Marshal(record)
	if err != nil {
		k.Fatal(err)
	}
	k.written = text
}

// starts starts the program from what is on the disk, or the machine.
func (k *kiosk) starts(machine bool) {
	k.process++
	k.disk, k.flying = disk{}, map[uint64]time.Duration{}
	if err := json.Unmarshal(k.written, &k.disk); err != nil {
		k.Fatal(err)
	}
	if machine {
		k.boots, k.booted = k.boots+1, k.now
	}
	if k.without != diesAtBoot {
		k.heard, k.told = 0, time.Time{}
	}
}

// boottime is the clock that runs through sleep, and begins anew with the machine.
func (k *kiosk) boottime() time.Duration {
	return time.Second + time.Duration(float64(k.now-k.booted)*k.drift)
}

func (k *kiosk) moment() Moment {
	applied, _, err := ledger.Last(k.copy)
	if err != nil {
		k.Fatal(err)
	}
	now := Moment{Boot: fmt.Sprint("boot-", k.boots), Now: k.boottime(), Heard: k.heard, Applied: applied}
	if k.without == diesAtBoot {
		now.Boot = "boot"
	}
	if !k.told.IsZero() {
		now.At = k.told.Add(max(0, now.Now-k.heard))
	}
	return now
}

// post writes a request to the disk, to be sent until it is answered.
func (k *kiosk) post(kind string, who tournament.PersonID, body any) letter {
	text, err := json.Marshal(body)
	if err != nil {
		k.Fatal(err)
	}
	k.Last++
	l := letter{Sequence: k.Last, Kind: kind, Body: text, Person: who}
	k.Letters = append(k.Letters, l)
	k.write()
	return l
}

// pending reports whether a request of a kind is unsettled, of a player where one is named.
func (k *kiosk) pending(kind string, who tournament.PersonID) bool {
	return slices.ContainsFunc(k.Letters, func(l letter) bool { return l.Kind == kind && (who == "" || l.Person == who) })
}

// send sends a letter over the network, which may lose, delay and double it.
func (k *kiosk) send(l letter) {
	k.flying[l.Sequence] = k.now
	copies := 1
	if k.dice.IntN(10) == 0 {
		copies = 2
	}
	for range copies {
		process := k.process
		k.after(k.delay(), func() {
			if !k.linked {
				return
			}
			answer, err := k.receives(k.name, l)
			k.after(k.delay(), func() {
				if k.linked && k.process == process {
					k.answered(l, answer, err)
				}
			})
		})
	}
}

// delay is how long a message takes: mostly little, now and then a while.
func (k *kiosk) delay() time.Duration {
	if k.dice.IntN(8) == 0 {
		return time.Duration(k.dice.IntN(90_000)) * time.Millisecond
	}
	return time.Duration(5+k.dice.IntN(50)) * time.Millisecond
}

// answered takes the first answer to a letter.
func (k *kiosk) answered(l letter, answer ledger.Answer, failure error) {
	at := slices.IndexFunc(k.Letters, func(other letter) bool { return other.Sequence == l.Sequence })
	if at < 0 {
		return
	}
	k.Letters = slices.Delete(k.Letters, at, at+1)
	delete(k.flying, l.Sequence)
	var seat *wire.Seat
	switch act := l.act().(type) {
	case ledger.Register:
		seat = k.registered(act.Person, answer, failure)
	case ledger.AskGrant:
		k.granted(l.Sequence, answer, failure)
	case ledger.GiveBack:
		k.Holding.Settled(k.Last+1, "", act.Tickets...)
		if k.without == staysGone {
			for _, ticket := range act.Tickets {
				delete(k.Holding.Gone, ticket)
			}
		}
	case ledger.LetGo:
		k.Holding.Settled(k.Last+1, act.Person)
	case ledger.ReportSeat:
		if failure != nil {
			k.fault("%s: a seat report was refused: %v", k.name, failure)
		}
		k.Holding.Settled(k.Last+1, "", act.Ticket)
	}
	k.write()
	if seat != nil {
		k.printed(k.name, *seat, true)
	}
}

func (k *kiosk) registered(who tournament.PersonID, answer ledger.Answer, failure error) *wire.Seat {
	if failure != nil {
		return nil
	}
	seat, err := ledger.As[wire.Seat](answer)
	if err != nil {
		k.Fatal(err)
	}
	k.Holding.Seated(seat.ID, who)
	return &seat
}

func (k *kiosk) granted(sequence uint64, answer ledger.Answer, failure error) {
	if failure != nil {
		if k.Holding.Refused(sequence) {
			k.back(k.Holding.Stop())
		}
		return
	}
	grant, err := ledger.As[wire.Grant](answer)
	if err != nil {
		k.Fatal(err)
	}
	if k.without == givesWay {
		grant.Others = nil
	}
	k.Holding.Take(sequence, grant)
	k.learns()
}

// learns takes over what the copy knows.
func (k *kiosk) learns() {
	now := k.moment()
	if k.without == catchesUp {
		now.Applied = math.MaxUint64
	}
	if _, err := k.Holding.Follow(k.books, k.copy, now); err != nil {
		k.Fatal(err)
	}
	k.Laid = slices.DeleteFunc(k.Laid, func(report wire.SeatReport) bool {
		has, err := ledger.HasSeat(k.copy, report.Seat)
		return has && err == nil
	})
}

// tick is what a kiosk does again and again.
func (k *kiosk) tick() {
	if k.linked && !k.deaf {
		k.follows()
	}
	k.letsGo()
	k.givesBack()
	k.asks()
	if !k.linked {
		return
	}
	for _, l := range slices.Clone(k.Letters) {
		if sent, flies := k.flying[l.Sequence]; !flies || k.now-sent > 20*time.Second {
			k.send(l)
		}
	}
}

// follows applies what the feed brings.
func (k *kiosk) follows() {
	items, err := k.floor.books.Feed(k.view, k.moment().Applied, 1+k.dice.IntN(60), k.keys.Rewrapper(floorKey))
	if err != nil {
		k.Fatal(err)
	}
	for i := range items {
		if _, err := k.books.Follow(k.copy, &items[i]); err != nil {
			k.Fatal(err)
		}
	}
	k.learns()
	k.write()
	if now := k.moment(); now.Applied == k.position() {
		k.heard, k.told = now.Now, k.at()
	}
}

// letsGo says who was let go, once central knows of all that was given to them.
func (k *kiosk) letsGo() {
	for _, who := range k.Holding.Letting() {
		if !k.pending("let", who) && !k.pending("seat", who) {
			k.post("let", who, wire.LetGo{Kiosk: k.name, Person: who})
		}
	}
}

// givesBack gives back what has ended, was called back, or is above the share.
func (k *kiosk) givesBack() {
	now := k.moment()
	if k.Holding.Using == nil || now.At.IsZero() {
		return
	}
	heats, err := k.books.GoBack(k.copy, &k.Holding.Using.Grant, now.At)
	if err != nil {
		k.Fatal(err)
	}
	if len(heats) > 0 {
		k.back(k.Holding.GiveBack(heats...))
	}
	k.back(k.Holding.GiveOverBack())
}

func (k *kiosk) back(request wire.GiveBack) {
	if len(request.Tickets) > 0 {
		k.post("back", "", request)
	}
}

// asks asks for a grant where there is none, or for more time.
func (k *kiosk) asks() {
	if now := k.moment(); k.linked && !now.At.IsZero() && k.Holding.Due(now) {
		k.asksNow()
	}
}

func (k *kiosk) asksNow() {
	now := k.moment()
	var unreported []uint64
	for _, l := range k.Letters {
		if report, is := l.act().(ledger.ReportSeat); is && k.without != reports {
			unreported = append(unreported, report.Grant)
		}
	}
	sequence := k.Last + 1
	k.asked[sequence] = k.now
	request := k.Holding.Ask(sequence, now, unreported...)
	k.post("ask", "", request)
}

// registers asks central for a seat.
func (k *kiosk) registers(p *player, heat tournament.HeatID) {
	if k.pending("register", p.id) || k.pending("seat", p.id) && k.without != reportsFirst {
		return
	}
	k.send(k.post("register", p.id, k.request(p, heat)))
}

func (k *kiosk) request(p *player, heat tournament.HeatID) wire.Register {
	return wire.Register{Person: p.id, Heat: heat, Kiosk: k.name, Rules: "rules-1", Declared: true, By: "document"}
}

// gives gives a seat while the kiosk is cut off, or says why not.
func (k *kiosk) gives(p *player, heat tournament.HeatID) error {
	view := kv.NewOverlay(k.copy)
	for i := range k.Laid {
		if err := k.books.Lay(view, &k.Laid[i]); err != nil {
			k.Fatal(err)
		}
	}
	unsettled := k.pending("register", p.id)
	if k.without == settles {
		unsettled, k.Holding.Waits = false, nil
	}
	now := k.moment()
	report, seat, err := k.Holding.Give(k.books, view, ledger.Register(k.request(p, heat)), unsettled, now, k.bytes)
	if err != nil {
		if _, refused := errors.AsType[*tournament.Refusal](err); !refused {
			k.Fatalf("seed %d: %v", k.seed, err)
		}
		return err
	}
	if k.without == once {
		delete(k.Holding.Gone, report.Ticket)
	}
	k.Laid = append(k.Laid, report)
	k.post("seat", p.id, report)
	k.printed(k.name, seat, false)
	k.checksGiven(p, report)
	return nil
}

// checksGiven checks what must hold at the moment when a seat is given alone, by the time that it really is.
func (k *kiosk) checksGiven(p *player, report wire.SeatReport) {
	rules := k.definition.Rules
	const slow = time.Minute // what clocks that do not run alike may make of it
	if p.excluded >= 0 && k.now-p.excluded > rules.ExclusionsMaxAge+slow {
		k.fault("%s gave a seat to a player who had been excluded for %s", k.name, k.now-p.excluded)
	}
	if asked := k.asked[k.Holding.Using.Asked.Sequence]; k.now-asked > rules.GrantLives {
		k.fault("%s used a grant that it had asked for %s before", k.name, k.now-asked)
	}
	if ends := report.Start.Add(-rules.ClosesBefore - rules.GrantMargin + slow); k.at().After(ends) {
		k.fault("%s gave a machine at %s for the heat at %s", k.name, k.at(), report.Start)
	}
}
