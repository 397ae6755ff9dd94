package ledger

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"testing"
	"time"

	"reelkiosk/store/exclusion"
	"reelkiosk/store/kv"
	"reelkiosk/store/tournament"
	"reelkiosk/store/vault"
	"reelkiosk/store/wire"
)

// nothing is the view of an empty store.
type nothing struct{}

func (nothing) Get([]byte) ([]byte, error) { return nil, kv.ErrNotFound }

func (nothing) Range(_, _ []byte) (iter.Seq2[[]byte, []byte], func() error) {
	return func(func([]byte, []byte) bool) {}, func() error { return nil }
}

// johannesburg is the zone of the tests.
var johannesburg = func() *time.Location {
	zone, err := time.LoadLocation("Africa/Johannesburg")
	if err != nil {
		panic(err)
	}
	return zone
}()

// noon is when the tests begin: Monday 30 November 2026.
var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, johannesburg)

// testDefinition has three machines, and heats every hour from 10:00 to 20:00 on each of a week's days, 5 December 2026
// being their last; a semi-final stands on 6 December.
func testDefinition() *tournament.Tournament {
	definition := &tournament.Tournament{
		ID: "ridge", Name: "Slots Reel Tournament", Property: "The Ridge", Zone: johannesburg,
		First: tournament.Date{Year: 2026, Month: 11, Day: 29}, Last: tournament.Date{Year: 2026, Month: 12, Day: 6},
		Rules: tournament.Rules{
			MinAge: 18, CardSuffices: tournament.CardVerified, SeatPrice: tournament.Money{Cents: 5000, Currency: "ZAR"},
			Packages: []tournament.Package{{
				Name: "four", Price: tournament.Money{Cents: 20000, Currency: "ZAR"}, Seats: 4,
				SeatValue: tournament.Money{Cents: 5000, Currency: "ZAR"},
			}, {
				Name: "gold", Price: tournament.Money{Cents: 50000, Currency: "ZAR"}, Seats: 4,
				Credit:    tournament.Money{Cents: 30000, Currency: "ZAR"},
				SeatValue: tournament.Money{Cents: 5000, Currency: "ZAR"},
			}},
			PackagesCashOnly: true, Window: tournament.Window48h, GamingDayStarts: 6 * 60, OpensBefore: 24 * time.Hour,
			ClosesBefore: 5 * time.Minute, HeatLength: 15 * time.Minute,
		},
		Machines: []tournament.Machine{
			{Number: 1, Asset: "A1", Place: "Main floor"}, {Number: 2, Asset: "A2", Place: "Main floor"},
			{Number: 3, Asset: "A3", Place: "Main floor"},
		},
		Text: tournament.RulesText{Version: 1, Hash: "rules-1", Body: "1. Adults only."},
	}
	qualifying := tournament.Stage{Kind: tournament.Qualifying, Size: 3}
	for day := definition.First; !day.After(tournament.Date{Year: 2026, Month: 12, Day: 5}); day = day.AddDays(1) {
		for hour := 10; hour <= 20; hour++ {
			qualifying.Heats = append(qualifying.Heats, tournament.Heat{
				ID: heatID(day, hour), Stage: tournament.Qualifying, Day: day, Number: hour - 9, Start: day.At(hour, 0, johannesburg),
				Size: 3,
			})
		}
	}
	final := tournament.Heat{
		ID: "semi-final-2026-12-06-1", Stage: tournament.SemiFinal, Day: definition.Last, Number: 1,
		Start: definition.Last.At(18, 0, johannesburg), Size: 3,
	}
	definition.Stages = []tournament.Stage{qualifying, {Kind: tournament.SemiFinal, Size: 3, Heats: []tournament.Heat{final}}}
	return definition
}

// heatID names the heat that starts at that hour.
func heatID(day tournament.Date, hour int) tournament.HeatID {
	return tournament.HeatID(fmt.Sprintf("qualifying-%s-%d", day, hour-9))
}

// at13, at14 and at20 are heats of the day on which the tests begin.
var (
	today = tournament.DateOf(noon)
	at13  = heatID(today, 13)
	at14  = heatID(today, 14)
	at20  = heatID(today, 20)
)

// floor is a casino floor with its books.
type floor struct {
	testing.TB
	definition *tournament.Tournament
	books      *Books
	view       *kv.Overlay
	random     io.Reader
	now        time.Time
	// sequence counts the requests with a key.
	sequence uint64
	// rough says that the books are not replayed in the end.
	rough bool
}

// testVault has fixed keys.
func testVault() *vault.Vault {
	return vault.New(vault.Keys{Lookup: sha256.Sum256([]byte("lookup")), Data: sha256.Sum256([]byte("data"))})
}

// newFloor returns an empty tournament at noon; edit, if given, changes its definition. When the test ends, the books
// replayed are compared with the books.
func newFloor(t testing.TB, edit ...func(*tournament.Tournament)) *floor {
	t.Helper()
	definition := testDefinition()
	for _, change := range edit {
		change(definition)
	}
	f := &floor{
		TB: t, definition: definition, books: New(definition, testVault(), exclusion.NewSet(nil)),
		view: kv.NewOverlay(nothing{}), random: rand.NewChaCha8([32]byte{1}), now: noon,
	}
	t.Cleanup(f.replays)
	return f
}

// replays checks that the events add up to the same books.
func (f *floor) replays() {
	f.Helper()
	if f.Failed() || f.rough {
		return
	}
	again := kv.NewOverlay(nothing{})
	if err := f.books.Replay(f.view, again); err != nil {
		f.Fatalf("replaying the books: %v", err)
	}
	if err := Same(f.view, again); err != nil {
		f.Fatalf("the books replayed are not the books: %v", err)
	}
	if err := followed(f.books, f.view); err != nil {
		f.Fatalf("the books at a kiosk are not the books: %v", err)
	}
}

// request returns a request without a key.
func (f *floor) request(act Act) Request {
	return Request{At: f.now, Who: "player", Where: "kiosk-1", Random: f.random, Act: act}
}

// ask applies an act.
func (f *floor) ask(act Act) (Answer, error) { return f.books.Apply(f.view, f.request(act)) }

// done applies an act that must be allowed, and returns its answer.
func done[T any](f *floor, act Act) T {
	f.Helper()
	answer, err := f.ask(act)
	if err != nil {
		f.Fatalf("%T: %v", act, err)
	}
	value, err := As[T](answer)
	if err != nil {
		f.Fatal(err)
	}
	return value
}

// refused applies an act that must be refused for that reason and on that clause, and returns the refusal.
func (f *floor) refused(act Act, reason tournament.Reason, clause int) *tournament.Refusal {
	f.Helper()
	_, err := f.ask(act)
	refusal, is := errors.AsType[*tournament.Refusal](err)
	if !is || refusal.Reason != reason || refusal.Clause != clause {
		f.Fatalf("%T: got %v, want %s (clause %d)", act, err, reason, clause)
	}
	return refusal
}

// document returns the smart identity card of somebody born on that day.
func document(number, surname, given string, born tournament.Date) *wire.Document {
	return &wire.Document{Kind: "sa-smart-id", IDNumber: number, Surname: surname, Given: given, BirthDate: born}
}

// thandi is an adult with an identity card; born1980 is her birth date.
var (
	born1980 = tournament.Date{Year: 1980, Month: 1, Day: 1}
	thandi   = document("8001015009087", "Dlamini", "Thandi Grace", born1980)
	sipho    = document("8505055009088", "Nkosi", "Sipho", tournament.Date{Year: 1985, Month: 5, Day: 5})
)

// meets identifies somebody by a document.
func (f *floor) meets(document *wire.Document) wire.Person {
	f.Helper()
	return done[wire.Person](f, Identify{Document: document, Kiosk: "kiosk-1"})
}

// buys sells somebody seats for cash.
func (f *floor) buys(document *wire.Document, seats int) wire.Bought {
	f.Helper()
	return done[wire.Bought](f, Purchase{Kind: tournament.CashBuyIn, Seats: seats, Document: document, Operator: "pat", Desk: "cash-1"})
}

// registration returns the request for a seat of somebody who accepted the rules and declared.
func registration(who tournament.PersonID, into tournament.HeatID) Register {
	return Register{Person: who, Heat: into, Kiosk: "kiosk-1", Rules: "rules-1", Declared: true, By: "document"}
}

// cases returns the kinds of all open cases in order.
func (f *floor) cases() []string {
	f.Helper()
	all, err := f.books.Cases(f.view)
	if err != nil {
		f.Fatal(err)
	}
	var kinds []string
	for _, one := range all {
		if !one.Closed {
			kinds = append(kinds, one.Kind)
		}
	}
	return kinds
}

// imports takes rows, which must be taken.
func (f *floor) imports(act Act) wire.ImportDone {
	f.Helper()
	return done[wire.ImportDone](f, act)
}

func (f *floor) events() []Event {
	f.Helper()
	events, err := f.books.Events(f.view, 0, 100000)
	if err != nil {
		f.Fatal(err)
	}
	return events
}
