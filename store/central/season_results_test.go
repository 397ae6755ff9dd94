package central

import (
	"cmp"
	"slices"
	"time"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// ranked is the plain computation of a ranking: the scores of those who may take part, the best first.
func (s *season) ranked(stage tournament.StageKind) []*seasonResult {
	all := slices.DeleteFunc(slices.Clone(s.results[stage]), func(r *seasonResult) bool { return r.player.excluded })
	slices.SortFunc(all, func(one, other *seasonResult) int {
		return cmp.Or(cmp.Compare(other.points, one.points), slices.Compare(other.cards, one.cards), cmp.Compare(one.seat, other.seat))
	})
	return all
}

// expected is the plain computation of a list.
func (s *season) expected(list wire.ListName) (first *seasonResult, places []*seasonResult) {
	switch list {
	case wire.ListSemiFinal:
		for _, one := range s.ranked(tournament.Qualifying) {
			switch {
			case first == nil:
				first = one
			case one.player != first.player && len(places) < 49:
				places = append(places, one)
			}
		}
	case wire.ListFinal:
		all := s.ranked(tournament.SemiFinal)
		first, _ := s.expected(wire.ListSemiFinal)
		places = append(slices.Clone(all[:min(9, len(all))]), first)
	case wire.ListWinners:
		places = s.ranked(tournament.Final)
	}
	return first, places
}

// declares resolves the ties of a stage by drawn cards, declares the list, and compares it with the plain computation.
func (s *season) declares(list wire.ListName, stage tournament.StageKind) wire.List {
	s.Helper()
	s.until(s.now().Add(time.Hour))
	s.drawsCards(stage)
	declared := came(s.client.DeclareList(s.Context(), s.key(), wire.DeclareList{Decision: s.decided(), List: list}))(s)
	s.compare(list, declared)
	return declared
}

func (s *season) compare(list wire.ListName, declared wire.List) {
	s.Helper()
	first, places := s.expected(list)
	if first != nil && (declared.First == nil || declared.First.Score != first.seat) {
		s.Errorf("%s: first %+v, the script has %s", list, declared.First, first.seat)
	}
	if len(places) != len(declared.Places) {
		s.Fatalf("%s: %d places, the script has %d", list, len(declared.Places), len(places))
	}
	for i, want := range places {
		if got := declared.Places[i]; got.Score != want.seat || got.Points != want.points || got.Person != want.player.id {
			s.Errorf("%s: place %d is %+v, the script has %+v", list, i+1, got, want)
		}
	}
}

// drawsCards has a member of the public draw a card for each tied score, until nothing is tied that decides something.
func (s *season) drawsCards(stage tournament.StageKind) {
	s.Helper()
	for open := came(s.client.Ties(s.Context(), stage))(s); len(open.Ties) > 0; {
		tie := open.Ties[0]
		draw := wire.DrawCards{By: at("pat"), Stage: stage, Points: tie.Points}
		pack := s.Perm(52)
		for i, seat := range tie.Seats {
			card := tournament.Card{Face: pack[i]%13 + 1, Suit: []tournament.Suit{tournament.Clubs, tournament.Diamonds, tournament.Hearts, tournament.Spades}[pack[i]/13]}
			draw.Cards = append(draw.Cards, wire.DrawnCard{Seat: seat, Card: card, Drawer: "public"})
			for _, one := range s.results[stage] {
				if one.seat == seat {
					one.cards = append(one.cards, card.Face)
				}
			}
		}
		open = came(s.client.DrawCards(s.Context(), s.key(), draw))(s)
		s.done["tie"]++
	}
}

// exclusionBeforeTheDraw excludes somebody on the list of the semi-final: the next in rank moves up.
func (s *season) exclusionBeforeTheDraw(semi wire.List) {
	s.Helper()
	place := slices.IndexFunc(semi.Places, func(one wire.ListedPlace) bool { return one.Person != s.regular.id })
	barred := s.people[semi.Places[place].Person]
	came(s.client.Exclude(s.Context(), s.key(), wire.Exclude{
		Decision:  wire.Decision{By: at("pat"), Why: "order of today"},
		Exclusion: wire.Exclusion{Reference: "late", From: tournament.DateOf(s.now()), Kind: "self-excluded", IDNumber: barred.document.IDNumber},
	}))(s)
	barred.excluded = true
	settle := func() (wire.List, error) {
		return s.client.SettleList(s.Context(), s.key(), wire.SettleList{Decision: s.decided(), List: wire.ListSemiFinal})
	}
	settled, err := settle()
	if reasonOf(err) == tournament.TiesOpen { // the next in rank is tied with others
		s.drawsCards(tournament.Qualifying)
		settled, err = settle()
	}
	s.compare(wire.ListSemiFinal, came(settled, err)(s))
	s.done["moved up"]++
}

// finalStage draws the seats of a list, names proxies, and plays the heats.
func (s *season) finalStage(list wire.ListName, stage tournament.Stage) {
	s.Helper()
	s.until(stage.Heats[0].Start.Add(-2 * time.Hour))
	committed := came(s.client.CommitDraw(s.Context(), s.key(), wire.CommitDraw{By: at("pat"), List: list}))(s)
	draw := came(s.client.DrawSeats(s.Context(), s.key(), wire.DrawSeats{By: at("pat"), List: list, Public: "3 5 1 1"}))(s)
	if again, err := draw.Draw.Seats(); err != nil || draw.Commitment != committed.Commitment || !slices.Equal(again, draw.Seats) {
		s.Errorf("the draw does not verify: %v", err)
	}
	for _, heat := range stage.Heats {
		seats := came(s.client.Seats(s.Context(), heat.ID))(s).Seats
		served := map[tournament.PersonID]bool{}
		for _, seat := range seats {
			if !served[seat.Person] {
				served[seat.Person] = true
				continue
			}
			s.next++
			proxy := &seasonPlayer{document: document(s.next)}
			came(s.client.NameProxy(s.Context(), s.key(), wire.NameProxy{
				By: at("pat"), Presence: wire.Presence{Document: proxy.document}, Seat: seat.ID, Rules: s.rules, Declared: true,
			}))(s)
			who := came(s.client.Seats(s.Context(), heat.ID))(s)
			for _, now := range who.Seats {
				if now.ID == seat.ID {
					proxy.id = now.Proxy
				}
			}
			s.people[proxy.id] = proxy
			s.done["proxy"]++
		}
		s.until(heat.Start)
		playing := s.startWith(heat.ID, func(wire.Seat) bool { return true })
		s.typesScores(stage.Kind, playing, func(wire.Seat) int64 { return int64(s.IntN(12)) * 100 })
		s.finishes(heat.ID)
	}
}

// prizes hands the three prizes to the winners.
func (s *season) prizes(winners wire.List) {
	s.Helper()
	for place, cents := range []int64{2000000, 1000000, 500000} {
		winner := winners.Places[place]
		came(s.client.HandPrize(s.Context(), s.key(), wire.HandPrize{
			By: at("cas"), Presence: wire.Presence{Document: s.people[winner.Person].document}, Place: place + 1,
			Amount: tournament.Money{Cents: cents, Currency: "ZAR"},
		}))(s)
		s.done["prize"]++
	}
}

// money adds up all gaming days, and compares them with what the script paid.
func (s *season) money() {
	s.Helper()
	got := map[string]int64{}
	for day := s.options.Definition.First; !day.After(s.options.Definition.Last); day = day.AddDays(1) {
		if day.Weekday() != time.Friday && day.Weekday() != time.Saturday {
			continue
		}
		for _, line := range came(s.client.CashDay(s.Context(), day))(s).Lines {
			got[line.Kind] += line.Amount.Cents
		}
	}
	for kind, want := range s.taken {
		if got[string(kind)] != want {
			s.Errorf("%s: %d cents, the script paid %d", kind, got[string(kind)], want)
		}
	}
	if got["prize"] != -3500000 {
		s.Errorf("prizes: %d cents", got["prize"])
	}
}
