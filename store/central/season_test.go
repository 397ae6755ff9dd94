package central

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"reelkiosk/store/definition"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// seasonText is a tournament of twenty-five weeks: four heats of twelve on each Friday and Saturday, five semi-finals, a final.
const seasonText = `
id = "season"
name = "Season"
property = "The Ridge Casino"
zone = "Africa/Johannesburg"
[period]
first = 2026-12-01
last = 2027-05-30
[text]
version = 1
body = "1. Adults only."
[rules]
final_places = 9
fica_threshold = "25000.00"
prizes = ["20000.00", "10000.00", "5000.00"]
[[machines]]
numbers = "1-12"
place = "Main floor"
asset = "A-1"
[[stages]]
kind = "qualifying"
size = 12
  [[stages.timetables]]
  days = ["friday", "saturday"]
  until = 2027-05-22
  first = "18:00"
  last = "19:00"
  every = "20m"
[[stages]]
kind = "semi-final"
size = 12
  [[stages.timetables]]
  days = [2027-05-28]
  first = "18:00"
  last = "19:20"
  every = "20m"
[[stages]]
kind = "final"
size = 12
  [[stages.heats]]
  start = 2027-05-29T20:00:00
`

// seasonPlayers is how many people play at least once.
const seasonPlayers = 2000

// season is the script, and what it remembers of its own: it asks the books for nothing that it compares with them.
type season struct {
	*house
	*rand.Rand
	// scripted guards what follows against the script's own goroutines.
	scripted sync.Mutex
	people   map[tournament.PersonID]*seasonPlayer
	next     int
	// today is the day for which the operators signed in.
	today tournament.Date
	// waiting are those who come again to the next heat.
	waiting []*seasonPlayer
	// regular plays often and well, so that he has more places in the semi-final than it has heats.
	regular *seasonPlayer
	// results are all scores that should count, by stage.
	results map[tournament.StageKind][]*seasonResult
	// taken is the money taken by kind, in cents.
	taken map[tournament.EntryKind]int64
	// done counts what the script did, so that nothing of it is left out unnoticed.
	done map[string]int
}

type seasonPlayer struct {
	document *wire.Document
	id       tournament.PersonID
	excluded bool
}

type seasonResult struct {
	player *seasonPlayer
	seat   tournament.SeatID
	points int64
	cards  []int
}

// TestASeasonOfTwentyFiveWeeks plays a whole tournament through the API: purchases of every kind, no-shows, malfunctions,
// restarts, exclusions in the middle, ties at the cut, semi-finals with proxies, the final, its winners and their prizes. What
// comes of it must be what a plain computation makes of the script's own notes, and the books must replay.
func TestASeasonOfTwentyFiveWeeks(t *testing.T) {
	defined, err := definition.Parse("season.toml", []byte(seasonText))
	if err != nil {
		t.Fatal(err)
	}
	s := &season{
		house: newHouse(t, func(o *Options) { o.Definition = defined }), Rand: rand.New(rand.NewPCG(25, 2000)),
		people: map[tournament.PersonID]*seasonPlayer{}, results: map[tournament.StageKind][]*seasonResult{},
		taken: map[tournament.EntryKind]int64{}, done: map[string]int{},
	}
	for name, duty := range map[string]wire.Duty{"pat": wire.DutyHost, "cas": wire.DutyCashier, "dee": wire.DutyDirector} {
		s.employs(name, "1357", duty)
	}
	s.regular = &seasonPlayer{document: document(9999)}
	for i, heat := range defined.Stages[0].Heats {
		s.qualifyingHeat(i, heat)
	}
	if len(s.people) < seasonPlayers {
		t.Errorf("%d people played", len(s.people))
	}
	semi := s.declares(wire.ListSemiFinal, tournament.Qualifying)
	s.exclusionBeforeTheDraw(semi)
	s.finalStage(wire.ListSemiFinal, defined.Stages[1])
	s.declares(wire.ListFinal, tournament.SemiFinal)
	s.finalStage(wire.ListFinal, defined.Stages[2])
	s.prizes(s.declares(wire.ListWinners, tournament.Final))
	s.money()
	t.Logf("%v, %d events", s.done, s.sequence())
	for _, what := range []string{
		"cash", "card", "package", "complimentary", "claimed", "no-show", "replaced", "restarted", "excluded", "disqualified", "corrected",
		"tie", "moved up", "proxy", "prize",
	} {
		if s.done[what] == 0 {
			t.Errorf("the script never came to %q", what)
		}
	}
	s.replays()
}

// atDesks does something for each of a list, several at a time, as several desks do.
func atDesks[T any](s *season, list []T, do func(T) error) {
	s.Helper()
	work := make(chan T)
	failed := make(chan error, len(list))
	var desks sync.WaitGroup
	for range 8 {
		desks.Go(func() {
			for one := range work {
				failed <- do(one)
			}
		})
	}
	for _, one := range list {
		work <- one
	}
	close(work)
	desks.Wait()
	for range list {
		if err := <-failed; err != nil {
			s.Fatal(err)
		}
	}
}

// until lets the time come to a moment, and has the operators sign in for the day.
func (s *season) until(moment time.Time) {
	s.Helper()
	s.pass(moment.Sub(s.now()))
	if today := tournament.DateOf(moment); today != s.today {
		s.today = today
		for _, name := range []string{"pat", "cas"} {
			s.proves(name, "1357", false)
		}
	}
}

// decided is what the director's decisions say, with the PIN just typed.
func (s *season) decided() wire.Decision {
	s.Helper()
	s.proves("dee", "1357", true)
	return wire.Decision{By: at("dee"), Why: "as the script says"}
}

// qualifyingHeat plays one heat, with what the script has for it.
func (s *season) qualifyingHeat(index int, heat tournament.Heat) {
	s.Helper()
	s.until(heat.Start.Add(-15 * time.Minute))
	players := s.waiting
	s.waiting = nil
	if index%20 == 3 {
		players = append(players, s.regular)
	}
	for len(players) < 11 {
		s.next++
		players = append(players, &seasonPlayer{document: document(s.next)})
	}
	atDesks(s, players, func(p *seasonPlayer) error { return s.buysAndRegisters(p, heat) })
	if index%4 < 3 {
		for _, p := range players {
			if p.id != "" && s.IntN(6) == 0 {
				s.waiting = append(s.waiting, p)
			}
		}
		s.waiting = s.waiting[:min(len(s.waiting), 1)]
	}
	s.until(heat.Start)
	playing := s.startWith(heat.ID, func(seat wire.Seat) bool { return seat.Person == s.regular.id || s.IntN(15) > 0 })
	if index%9 == 4 {
		playing = s.malfunction(playing)
	}
	s.typesScores(tournament.Qualifying, playing, s.luck)
	if index%23 == 11 {
		s.brokenRun(heat.ID, playing)
	}
	s.finishes(heat.ID)
	if index%20 == 13 {
		s.excludesSomebody()
	}
	if index%50 == 30 {
		s.topScore()
	}
}

// luck is what a seat earns in a qualifying heat.
func (s *season) luck(seat wire.Seat) int64 {
	if seat.Person == s.regular.id {
		return 2990
	}
	return int64(s.IntN(300)) * 10
}

func (s *season) finishes(heat tournament.HeatID) {
	s.Helper()
	came(s.client.FinishHeat(s.Context(), s.key(), wire.HeatAct{By: at("pat"), Heat: heat}))(s)
}

// buysAndRegisters has a player buy an entry of one of the kinds and take a seat.
func (s *season) buysAndRegisters(p *seasonPlayer, heat tournament.Heat) error {
	ctx := context.Background()
	s.scripted.Lock()
	kind := []tournament.EntryKind{tournament.CashBuyIn, tournament.CardBuyIn, tournament.PackageBuyIn, tournament.Complimentary}[s.IntN(4)]
	unnamed := kind == tournament.CashBuyIn && s.IntN(3) == 0
	s.scripted.Unlock()
	purchase := wire.Purchase{Kind: kind, Seats: 1, Document: p.document, Operator: "cas", Desk: "desk-1"}
	if kind == tournament.PackageBuyIn {
		purchase.Seats, purchase.Package = 0, "R200"
	}
	if unnamed {
		purchase.Document = nil
	}
	bought, err := s.client.Purchase(ctx, s.key(), purchase)
	if err != nil {
		return fmt.Errorf("buying: %w", err)
	}
	id := bought.Person
	if unnamed {
		who, err := s.client.Identify(ctx, wire.Identify{Document: p.document, Kiosk: "kiosk-1"})
		if err != nil {
			return fmt.Errorf("identifying: %w", err)
		}
		id = who.ID
		if _, err := s.client.Claim(ctx, s.key(), wire.Claim{Person: id, Receipt: bought.Receipt, Kiosk: "kiosk-1"}); err != nil {
			return fmt.Errorf("claiming: %w", err)
		}
	}
	seat, err := s.client.Register(ctx, s.key(), wire.Register{
		Person: id, Heat: heat.ID, Kiosk: "kiosk-1", Rules: s.rules, Declared: true, By: "document",
	})
	if err != nil {
		return fmt.Errorf("registering: %w", err)
	}
	printed := wire.PrintOutcome{Ticket: seat.Ticket, State: tournament.CopyPrinted, Kiosk: "kiosk-1"}
	if _, err := s.client.Print(ctx, s.key(), printed); err != nil {
		return fmt.Errorf("printing: %w", err)
	}
	s.scripted.Lock()
	defer s.scripted.Unlock()
	p.id = id
	s.people[id] = p
	s.taken[kind] += map[tournament.EntryKind]int64{tournament.CashBuyIn: 5000, tournament.CardBuyIn: 5000, tournament.PackageBuyIn: 20000}[kind]
	s.done[string(kind)]++
	if unnamed {
		s.done["claimed"]++
	}
	return nil
}

// startWith checks those in who come, and starts the heat with the others marked absent. It returns the seats that play.
func (s *season) startWith(heat tournament.HeatID, comes func(wire.Seat) bool) (playing []wire.Seat) {
	s.Helper()
	seats := came(s.client.Seats(s.Context(), heat))(s).Seats
	var absent []tournament.SeatID
	for _, seat := range seats {
		switch {
		case seat.State != tournament.SeatIssued:
		case comes(seat):
			playing = append(playing, seat)
		default:
			absent = append(absent, seat.ID)
			s.done["no-show"]++
		}
	}
	atDesks(s, playing, func(seat wire.Seat) error {
		holder := seat.Person
		if seat.Proxy != "" {
			holder = seat.Proxy
		}
		_, err := s.client.CheckIn(s.Context(), s.key(), wire.CheckIn{
			By: at("pat"), Presence: wire.Presence{Document: s.people[holder].document}, Heat: heat, Ticket: seat.Ticket,
		})
		return err
	})
	started := came(s.client.StartHeat(s.Context(), s.key(), wire.StartHeat{By: at("pat"), Heat: heat, Absent: absent}))(s)
	if len(started.Forfeited)+len(started.Cases) != len(absent) {
		s.Errorf("%d absent, %+v", len(absent), started)
	}
	for _, id := range started.Cases { // the ticket of a replacement, which nobody printed
		came(s.client.DecideSeat(s.Context(), s.key(), wire.DecideSeat{Decision: s.decided(), Seat: id, Free: true}))(s)
		s.done["case"]++
	}
	return playing
}

// came returns what a call came to; where it failed, so does the test.
func came[A any](answer A, err error) func(*season) A {
	return func(s *season) A {
		s.Helper()
		if err != nil {
			s.Fatal(err)
		}
		return answer
	}
}

// malfunction breaks one machine during the heat: the player gets a seat in a later one, where the script meets him again.
func (s *season) malfunction(playing []wire.Seat) []wire.Seat {
	s.Helper()
	broken := playing[0]
	came := came(s.client.ReplaceSeat(s.Context(), s.key(), wire.SeatDecision{
		Decision: wire.Decision{By: at("pat"), Why: "frozen"}, Seat: broken.ID,
	}))(s)
	if came.Seat == nil || !came.Seat.Start.After(broken.Start) {
		s.Fatalf("got %+v", came)
	}
	s.done["replaced"]++
	s.waiting = slices.DeleteFunc(s.waiting, func(p *seasonPlayer) bool { return p.id == broken.Person }) // he has his seat
	return playing[1:]
}

// typesScores types the scores of seats.
func (s *season) typesScores(stage tournament.StageKind, playing []wire.Seat, points func(wire.Seat) int64) {
	s.Helper()
	type typing struct {
		seat   wire.Seat
		points int64
	}
	var all []typing
	for _, seat := range playing {
		one := typing{seat, points(seat)}
		all = append(all, one)
		s.results[stage] = append(s.results[stage], &seasonResult{player: s.people[seat.Person], seat: seat.ID, points: one.points})
	}
	atDesks(s, all, func(one typing) error {
		_, err := s.client.EnterScore(s.Context(), s.key(), wire.EnterScore{By: at("pat"), Ticket: one.seat.Ticket, Points: one.points})
		return err
	})
}

// brokenRun says that the system failed after the scores were typed: the heat is restarted, and only the second run counts.
func (s *season) brokenRun(heat tournament.HeatID, playing []wire.Seat) {
	s.Helper()
	came(s.client.RestartHeat(s.Context(), s.key(), wire.HeatDecision{Decision: s.decided(), Heat: heat}))(s)
	s.forget(tournament.Qualifying, func(r *seasonResult) bool {
		return slices.ContainsFunc(playing, func(seat wire.Seat) bool { return seat.ID == r.seat })
	})
	s.typesScores(tournament.Qualifying, playing, s.luck)
	s.done["restarted"]++
}

func (s *season) forget(stage tournament.StageKind, which func(*seasonResult) bool) {
	s.results[stage] = slices.DeleteFunc(s.results[stage], which)
}

// excludesSomebody bars a player of the weeks before, and disqualifies another from a seat.
func (s *season) excludesSomebody() {
	s.Helper()
	all := slices.DeleteFunc(slices.Clone(s.results[tournament.Qualifying]), func(r *seasonResult) bool { return r.player == s.regular })
	barred := all[s.IntN(len(all))].player
	came(s.client.Exclude(s.Context(), s.key(), wire.Exclude{
		Decision: wire.Decision{By: at("pat"), Why: "order of today"},
		Exclusion: wire.Exclusion{
			Reference: fmt.Sprint("R", len(s.people)), From: tournament.DateOf(s.now()), Kind: "refusal-of-entry", IDNumber: barred.document.IDNumber,
		},
	}))(s)
	barred.excluded = true
	s.waiting = slices.DeleteFunc(s.waiting, func(p *seasonPlayer) bool { return p == barred })
	s.done["excluded"]++
	unlucky := all[s.IntN(len(all))]
	came(s.client.DisqualifySeat(s.Context(), s.key(), wire.SeatDecision{Decision: s.decided(), Seat: unlucky.seat}))(s)
	s.forget(tournament.Qualifying, func(r *seasonResult) bool { return r == unlucky })
	s.done["disqualified"]++
}

// topScore corrects a score of the heat to the best there is, so that several share the first rank.
func (s *season) topScore() {
	s.Helper()
	of := s.results[tournament.Qualifying]
	best := of[len(of)-1]
	came(s.client.CorrectScore(s.Context(), s.key(), wire.CorrectScore{Decision: s.decided(), Seat: best.seat, Points: 9000}))(s)
	best.points = 9000
	s.done["corrected"]++
}
