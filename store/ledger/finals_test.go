package ledger

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"reelkiosk/devices/emulator"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// withFinals gives the tournament four places in two semi-finals, and a final of two and the participant of clause 13.
func withFinals(d *tournament.Tournament) {
	d.Rules.SemiFinalPlaces, d.Rules.FinalPlaces = 4, 2
	d.Rules.Prizes = []tournament.Money{{Cents: 3000000, Currency: "ZAR"}, {Cents: 100000, Currency: "ZAR"}}
	d.Rules.FICAThreshold = tournament.Money{Cents: 2500000, Currency: "ZAR"}
	semi := &d.Stages[1]
	second := semi.Heats[0]
	second.ID, second.Number, second.Start = "semi-final-2026-12-06-2", 2, second.Start.Add(20*time.Minute)
	semi.Heats = append(semi.Heats, second)
	final := tournament.Heat{
		ID: "final-2026-12-06-1", Stage: tournament.Final, Day: d.Last, Number: 1, Start: second.Start.Add(time.Hour), Size: 3,
	}
	d.Stages = append(d.Stages, tournament.Stage{Kind: tournament.Final, Size: 3, Heats: []tournament.Heat{final}})
}

// The heats of the final stages.
const (
	semi1  = tournament.HeatID("semi-final-2026-12-06-1")
	semi2  = tournament.HeatID("semi-final-2026-12-06-2")
	finale = tournament.HeatID("final-2026-12-06-1")
)

// finals is a floor whose qualifying heats are over.
type finals struct {
	*floor
	papers map[tournament.PersonID]*wire.Document
	byName map[string]tournament.PersonID
}

// newFinals plays qualifying heats in which players, by letter, earn points: "A900 B800 A700".
func newFinals(t *testing.T, results ...string) *finals {
	t.Helper()
	f := &finals{newFloor(t, withFinals), map[tournament.PersonID]*wire.Document{}, map[string]tournament.PersonID{}}
	hour := 13
	for i, result := range results {
		var points int64
		if _, err := fmt.Sscan(result[1:], &points); err != nil {
			t.Fatal(err)
		}
		seat := f.plays(result[:1], heatID(today.AddDays(i/7), hour+i%7))
		f.scores(seat.ID, points)
		done[wire.Accepted](f.floor, FinishHeat{By: pat, Heat: seat.Heat})
	}
	f.now = today.AddDays(5).At(21, 0, johannesburg) // every other heat was played by nobody
	return f
}

// of returns a player's document.
func (f *finals) of(player string) *wire.Document {
	return document(emulator.IdentityNumber(born1980, 6000+int(player[0]-'A')), "Player", player, born1980)
}

// plays has a player bought, seated, checked in and started in a heat of his own.
func (f *finals) plays(player string, heat tournament.HeatID) wire.Seat {
	f.Helper()
	now, _, err := f.books.heat(f.view, heat)
	if err != nil {
		f.Fatal(err)
	}
	f.now = now.Heat.Start.Add(-30 * time.Minute)
	bought := f.buys(f.of(player), 1)
	f.papers[bought.Person], f.byName[player] = f.of(player), bought.Person
	seat := done[wire.Seat](f.floor, registration(bought.Person, heat))
	f.checksIn(seat, f.of(player))
	f.starts(heat)
	return seat
}

// names says whose the places of a list are.
func (f *finals) names(list wire.List) (names string) {
	f.Helper()
	for _, place := range list.Places {
		name := "?"
		for player, id := range f.byName {
			if id == place.Person {
				name = player
			}
		}
		if place.Struck {
			name = "-"
		}
		names += name
	}
	return names
}

func (f *finals) declares(list wire.ListName) wire.List {
	f.Helper()
	return done[wire.List](f.floor, DeclareList{because, list})
}

func (f *finals) draws(list wire.ListName) wire.Draw {
	f.Helper()
	committed := done[wire.Committed](f.floor, CommitDraw{By: pat, List: list})
	draw := done[wire.Draw](f.floor, DrawSeats{By: pat, List: list, Public: "4 2 6"})
	if draw.Commitment != committed.Commitment {
		f.Errorf("drawn by %s, committed to %s", draw.Commitment, committed.Commitment)
	}
	return draw
}

// seatsIn returns the live seats of a heat.
func (f *finals) seatsIn(heat tournament.HeatID) []wire.Seat {
	f.Helper()
	seats, err := f.books.Seats(f.view, heat)
	if err != nil {
		f.Fatal(err)
	}
	return seats
}

// playsOut checks everybody in and has a final heat played, with points by machine.
func (f *finals) playsOut(heat tournament.HeatID, points func(wire.Seat) int64) {
	f.Helper()
	for _, seat := range f.seatsIn(heat) {
		f.checksIn(seat, f.papers[seat.Person])
	}
	f.starts(heat)
	for _, seat := range f.seatsIn(heat) {
		f.scores(seat.ID, points(seat))
	}
	done[wire.Accepted](f.floor, FinishHeat{By: pat, Heat: heat})
}

func TestTheSemiFinalIsTheNextBestWithoutTheFirst(t *testing.T) {
	f := newFinals(t, "A900", "B800", "A700", "C600", "D500", "E400", "F300")
	list := f.declares(wire.ListSemiFinal)
	if got := f.names(list); got != "BCDE" || list.First == nil || list.First.Person != f.byName["A"] {
		t.Errorf("got %s and %+v", got, list.First)
	}
	f.refused(DeclareList{because, wire.ListSemiFinal}, tournament.ListDeclared, 14)
	if _, err := f.ask(DeclareList{because, "third"}); !errors.Is(err, ErrInvalid) {
		t.Errorf("got %v", err)
	}
	f.refused(DeclareList{because, wire.ListFinal}, tournament.StageOpen, 14)
	// Clause 20: nothing is restarted any more whose scores were declared.
	f.refused(RestartHeat{because, at13}, tournament.ListDeclared, 14)
}

func TestNothingIsDeclaredWhileAHeatIsOpen(t *testing.T) {
	f := newFinals(t, "A900", "B800")
	f.now = today.AddDays(5).At(19, 30, johannesburg)
	f.refused(DeclareList{because, wire.ListSemiFinal}, tournament.StageOpen, 14)
}

// Clause 19: cards decide what a tie decides; the program draws none.
func TestATieAtTheCutIsDecidedByDrawnCards(t *testing.T) {
	f := newFinals(t, "A900", "B800", "C700", "D600", "E500", "F500", "G500")
	f.refused(DeclareList{because, wire.ListSemiFinal}, tournament.TiesOpen, 19)
	ties, err := f.books.Ties(f.view, tournament.Qualifying)
	if err != nil || len(ties.Ties) != 1 || len(ties.Ties[0].Seats) != 3 || ties.Ties[0].Points != 500 || ties.Ties[0].Round != 1 {
		t.Fatalf("got %+v, %v", ties, err)
	}
	seats := ties.Ties[0].Seats
	cards := func(faces ...int) DrawCards {
		act := DrawCards{By: pat, Stage: tournament.Qualifying, Points: 500}
		for i, face := range faces {
			suit := []tournament.Suit{tournament.Clubs, tournament.Hearts, tournament.Spades}[i]
			act.Cards = append(act.Cards, wire.DrawnCard{Seat: seats[i], Card: tournament.Card{Face: face, Suit: suit}, Drawer: "public"})
		}
		return act
	}
	f.refused(cards(5, 6), tournament.WrongCards, 19)     // one card for each
	f.refused(cards(5, 6, 14), tournament.WrongCards, 19) // there is no such card
	same := cards(5, 5, 5)
	same.Cards[1].Suit = tournament.Clubs
	f.refused(same, tournament.WrongCards, 19) // without replacement
	// The Ace is low; the two Kings draw again among themselves.
	again := done[wire.Ties](f.floor, cards(13, 1, 13))
	if len(again.Ties) != 1 || !slices.Equal(again.Ties[0].Seats, []tournament.SeatID{seats[0], seats[2]}) || again.Ties[0].Round != 2 {
		t.Fatalf("got %+v", again)
	}
	seats = again.Ties[0].Seats
	if left := done[wire.Ties](f.floor, cards(2, 9)); len(left.Ties) != 0 {
		t.Errorf("got %+v", left)
	}
	if got := f.names(f.declares(wire.ListSemiFinal)); got != "BCDG" {
		t.Errorf("got %s", got)
	}
}

// Clause 14: before the draw the next in rank moves up, after it the seat stays empty.
func TestWhatIsFoundAboutADeclaredListIsACase(t *testing.T) {
	f := newFinals(t, "A900", "B800", "C700", "D600", "E500", "F400")
	f.declares(wire.ListSemiFinal)
	f.excludes("R1", "self-excluded", f.of("C").IDNumber)
	if open := f.cases(); !slices.Contains(open, "declared-list") {
		t.Errorf("cases %v", open)
	}
	list := done[wire.List](f.floor, SettleList{Decision: because, List: wire.ListSemiFinal})
	if got := f.names(list); got != "BDEF" {
		t.Errorf("before the draw: %s", got)
	}
	f.draws(wire.ListSemiFinal)
	f.excludes("R2", "self-excluded", f.of("D").IDNumber)
	f.refused(SettleList{because, wire.ListSemiFinal, []int{9}}, tournament.UnknownPlace, 14)
	list = done[wire.List](f.floor, SettleList{because, wire.ListSemiFinal, []int{2}})
	if got := f.names(list); got != "B-EF" {
		t.Errorf("after the draw: %s", got)
	}
	live := 0
	for _, heat := range []tournament.HeatID{semi1, semi2} {
		live += len(f.seatsIn(heat))
	}
	if live != 3 {
		t.Errorf("%d seats are left", live)
	}
}

func TestACorrectionAfterTheListIsACase(t *testing.T) {
	f := newFinals(t, "A900", "B800", "C700", "D600", "E500", "F400")
	list := f.declares(wire.ListSemiFinal)
	done[wire.Scored](f.floor, CorrectScore{because, list.Places[1].Score, 100})
	if open := f.cases(); !slices.Equal(open, []string{"declared-list"}) {
		t.Errorf("cases %v", open)
	}
	if got := f.names(done[wire.List](f.floor, SettleList{Decision: because, List: wire.ListSemiFinal})); got != "BDEF" {
		t.Errorf("got %s", got)
	}
}

func TestSeatsAreDrawnByASecretAndAPublicNumberThatAnybodyCanCheck(t *testing.T) {
	f := newFinals(t, "A900", "B800", "C700", "D600", "E500")
	f.refused(CommitDraw{By: pat, List: wire.ListSemiFinal}, tournament.ListNotDeclared, 14)
	f.declares(wire.ListSemiFinal)
	f.refused(DrawSeats{By: pat, List: wire.ListSemiFinal, Public: "6"}, tournament.NotCommitted, 0)
	committed := done[wire.Committed](f.floor, CommitDraw{By: pat, List: wire.ListSemiFinal})
	again := done[wire.Committed](f.floor, CommitDraw{By: pat, List: wire.ListSemiFinal})
	if again.Commitment != committed.Commitment || len(committed.Places) != 4 || len(committed.Heats) != 2 {
		t.Errorf("got %+v and %+v", committed, again)
	}
	if _, err := f.ask(DrawSeats{By: pat, List: wire.ListSemiFinal, Public: " "}); !errors.Is(err, ErrInvalid) {
		t.Errorf("got %v", err)
	}
	draw := done[wire.Draw](f.floor, DrawSeats{By: pat, List: wire.ListSemiFinal, Public: "4 2 6"})
	if seats, err := draw.Draw.Seats(); err != nil || !slices.Equal(seats, draw.Seats) {
		t.Errorf("drawn again: %v, %v", seats, err)
	}
	if all, err := f.books.Draws(f.view); err != nil || len(all.Draws) != 1 || !slices.Equal(all.Draws[0].Seats, draw.Seats) || all.Draws[0].Secret != draw.Secret {
		t.Errorf("got %+v, %v", all, err)
	}
	f.refused(DrawSeats{By: pat, List: wire.ListSemiFinal, Public: "1"}, tournament.SeatsDrawn, 0)
	f.refused(CommitDraw{By: pat, List: wire.ListSemiFinal}, tournament.SeatsDrawn, 0)
	if one, two := len(f.seatsIn(semi1)), len(f.seatsIn(semi2)); one != 2 || two != 2 {
		t.Errorf("%d and %d seats", one, two)
	}
}

func TestTheCommitmentOfAListThatChangedIsNoneAnyMore(t *testing.T) {
	f := newFinals(t, "A900", "B800", "C700", "D600", "E500", "F400")
	f.declares(wire.ListSemiFinal)
	done[wire.Committed](f.floor, CommitDraw{By: pat, List: wire.ListSemiFinal})
	f.excludes("R1", "self-excluded", f.of("C").IDNumber)
	done[wire.List](f.floor, SettleList{Decision: because, List: wire.ListSemiFinal})
	f.refused(DrawSeats{By: pat, List: wire.ListSemiFinal, Public: "6"}, tournament.NotCommitted, 0)
}

// Clause 16: one of a player's seats in a heat is his own, each other may be a proxy's.
func TestProxies(t *testing.T) {
	f := newFinals(t, "A900", "B800", "B790", "B780", "C700")
	f.declares(wire.ListSemiFinal)
	f.draws(wire.ListSemiFinal)
	var own []wire.Seat // B's two in one heat
	for _, heat := range []tournament.HeatID{semi1, semi2} {
		var his []wire.Seat
		for _, seat := range f.seatsIn(heat) {
			if seat.Person == f.byName["B"] {
				his = append(his, seat)
			}
		}
		if len(his) == 2 {
			own = his
		}
		if len(his) == 3 {
			t.Fatal("the draw did not spread a player's places")
		}
	}
	name := func(proxy *wire.Document, seat wire.Seat) NameProxy {
		return NameProxy{By: pat, Presence: shows(proxy), Seat: seat.ID, Rules: "rules-1", Declared: true}
	}
	alone := f.seatsIn(semi1)
	if own[0].Heat == semi1 {
		alone = f.seatsIn(semi2)
	}
	f.refused(name(f.of("P"), alone[0]), tournament.NoExtraSeat, 16)
	f.refused(name(f.of("C"), own[0]), tournament.ProxyPlays, 16)
	f.refused(name(f.of("B"), own[0]), tournament.ProxyPlays, 16) // who plays himself
	unread := name(f.of("P"), own[0])
	unread.Rules = "old"
	f.refused(unread, tournament.NotAccepted, 25)
	undeclared := name(f.of("P"), own[0])
	undeclared.Declared = false
	f.refused(undeclared, tournament.NotDeclared, 3)
	unseen := name(f.of("P"), own[0])
	unseen.Presence = seen
	f.refused(unseen, tournament.HolderUnseen, 12)
	f.excludes("R9", "self-excluded", f.of("X").IDNumber)
	f.refused(name(f.of("X"), own[0]), tournament.Excluded, 2)
	done[wire.Accepted](f.floor, name(f.of("P"), own[0]))
	f.refused(name(f.of("Q"), own[1]), tournament.NoExtraSeat, 16) // the other is his own to play

	in := CheckIn{By: pat, Heat: own[0].Heat, Ticket: own[0].Ticket, Presence: shows(f.of("B"))}
	f.refused(in, tournament.NotHolder, 12)
	f.checksIn(own[0], f.of("P"))
	f.checksIn(own[1], f.of("B"))
}

// Clause 16: a form that was not received when the stage starts forfeits the extra seat.
func TestAnExtraSeatWithoutAProxyIsForfeited(t *testing.T) {
	f := newFinals(t, "A900", "B800", "B790", "B780", "B770")
	f.declares(wire.ListSemiFinal)
	f.draws(wire.ListSemiFinal)
	seats := f.seatsIn(semi1)
	f.checksIn(seats[0], f.of("B"))
	f.refused(CheckIn{By: pat, Heat: semi1, Ticket: seats[1].Ticket, Presence: shows(f.of("B"))}, tournament.CheckedInTwice, 12)
	if came := f.starts(semi1); !slices.Equal(came.Forfeited, []tournament.SeatID{seats[1].ID}) || len(came.Cases) != 0 {
		t.Errorf("got %+v", came)
	}
	f.refused(NameProxy{By: pat, Presence: shows(f.of("P")), Seat: seats[1].ID, Rules: "rules-1", Declared: true}, tournament.SeatOver, 0)
}

// Clause 21: the first seat in a later heat of the stage, and an additional heat where all are full.
func TestAMachineThatFailsInTheSemiFinal(t *testing.T) {
	f := newFinals(t, "A900", "B800", "C700", "D600", "E500")
	f.declares(wire.ListSemiFinal)
	f.draws(wire.ListSemiFinal)
	first := f.seatsIn(semi1)
	for _, seat := range first {
		f.checksIn(seat, f.papers[seat.Person])
	}
	f.starts(semi1)
	came := done[wire.Replaced](f.floor, ReplaceSeat{because, first[0].ID})
	if came.Seat == nil || came.Seat.Heat != semi2 {
		t.Fatalf("got %+v", came)
	}
	if came = done[wire.Replaced](f.floor, ReplaceSeat{because, first[1].ID}); !came.Case {
		t.Fatalf("the later heat has three machines and three players: %+v", came)
	}
	extra := done[wire.Heat](f.floor, AddHeat{Decision: because, Stage: tournament.SemiFinal, Start: f.now.Add(40 * time.Minute)})
	committed := done[wire.Committed](f.floor, CommitDraw{By: pat, List: wire.ListSemiFinal, Heat: extra.ID})
	if len(committed.Places) != 1 || committed.Places[0].Player != first[1].Person {
		t.Errorf("got %+v", committed)
	}
	done[wire.Draw](f.floor, DrawSeats{By: pat, List: wire.ListSemiFinal, Heat: extra.ID, Public: "3"})
	if seats := f.seatsIn(extra.ID); len(seats) != 1 || seats[0].Person != first[1].Person {
		t.Errorf("got %+v", seats)
	}
}

// Clauses 13 and 17: the final is the best of the semi-final, and the participant with the top score of all.
func TestAFinalFromItsListToItsPrizes(t *testing.T) {
	f := newFinals(t, "A900", "B800", "C700", "D600", "E500")
	f.declares(wire.ListSemiFinal)
	f.draws(wire.ListSemiFinal)
	points := map[tournament.PersonID]int64{f.byName["B"]: 10, f.byName["C"]: 40, f.byName["D"]: 30, f.byName["E"]: 20}
	f.playsOut(semi1, func(seat wire.Seat) int64 { return points[seat.Person] })
	f.playsOut(semi2, func(seat wire.Seat) int64 { return points[seat.Person] })
	if got := f.names(f.declares(wire.ListFinal)); got != "CDA" {
		t.Fatalf("got %s", got)
	}
	f.draws(wire.ListFinal)
	points[f.byName["A"]] = 35
	f.playsOut(finale, func(seat wire.Seat) int64 { return points[seat.Person] })
	if got := f.names(f.declares(wire.ListWinners)); got != "CAD" {
		t.Fatalf("got %s", got)
	}
	rand := func(cents int64) tournament.Money { return tournament.Money{Cents: cents, Currency: "ZAR"} }
	prize := func(place int, cents int64, who string) HandPrize {
		return HandPrize{By: pat, Place: place, Amount: rand(cents), Presence: shows(f.of(who))}
	}
	f.refused(prize(1, 2900000, "C"), tournament.PrizeBelow, 15)
	f.refused(prize(1, 3000000, "C"), tournament.FICANeeded, 0)
	f.refused(prize(9, 3000000, "C"), tournament.UnknownPlace, 14)
	f.refused(prize(2, 100000, "C"), tournament.NotHolder, 12)
	unseen := prize(2, 100000, "A")
	unseen.Presence = seen
	f.refused(unseen, tournament.HolderUnseen, 12)
	big := prize(1, 3000000, "C")
	big.FICA = "FICA-77"
	done[wire.Prize](f.floor, big)
	f.refused(big, tournament.PrizeHanded, 0)
	// Clauses 1 to 3 hold until the prize is handed out.
	f.excludes("R1", "refusal-of-entry", f.of("A").IDNumber)
	f.refused(prize(2, 100000, "A"), tournament.Excluded, 2)
	if given, err := f.books.Prizes(f.view, "", 10); err != nil || len(given) != 1 || given[0].Cents != 3000000 || given[0].FICA != "FICA-77" {
		t.Errorf("got %+v, %v", given, err)
	}
}
