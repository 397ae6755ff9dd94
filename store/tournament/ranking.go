package tournament

import (
	"cmp"
	"slices"
)

// Score is what one single entry earned: scores are never summed (clause 12).
type Score struct {
	Seat   SeatID
	Player PersonID
	// Points are tournament credits, and never money (clause 18).
	Points int64
	// Cards are the values of the cards that were drawn for it in a tie, round by round (clause 19).
	Cards []int
}

// Compare orders scores from the best: by points, then by cards; of those that are equal the older seat is first, which
// decides nothing.
func (s Score) Compare(other Score) int {
	return cmp.Or(cmp.Compare(other.Points, s.Points), slices.Compare(other.Cards, s.Cards), cmp.Compare(s.Seat, other.Seat))
}

// ties reports whether two scores are equal for all that is known.
func (s Score) ties(other Score) bool {
	return s.Points == other.Points && slices.Equal(s.Cards, other.Cards)
}

// Tie is a group of equal scores of different players that decide something (clause 19). One card is drawn for each of them.
type Tie struct {
	Points int64
	Seats  []SeatID
}

// Qualified is what the qualifying heats come to (clauses 13 and 14).
type Qualified struct {
	// First is the score of the participant who goes straight to the final.
	First Score
	// Places are the next best single entries, best first, without any of that participant's.
	Places []Score
	// Ties are what has to be decided by cards before the rest is known.
	Ties []Tie
}

// Qualify ranks the scores of the qualifying heats: the highest goes straight to the final (clause 13), and the next best
// fill the places, of which a player holds at most so many, any number where most is 0 (clause 14).
func Qualify(scores []Score, places, most int) Qualified {
	var result Qualified
	ranked := Ranked(scores)
	if len(ranked) == 0 {
		return result
	}
	if tie, tied := across(ranked, 1); tied {
		result.Ties = []Tie{tie}
		return result
	}
	result.First = ranked[0]
	rest := slices.DeleteFunc(ranked, func(one Score) bool { return one.Player == result.First.Player })
	result.Places, result.Ties = Best(rest, places, most)
	return result
}

// Best returns the best so many single entries, of which a player may have at most so many (0: any number), and the tie at
// the cut where there is one: then the scores that are in it are left out (clauses 14 and 17).
func Best(scores []Score, places, most int) (best []Score, ties []Tie) {
	held := map[PersonID]int{}
	able := slices.DeleteFunc(Ranked(scores), func(one Score) bool {
		held[one.Player]++
		return most > 0 && held[one.Player] > most
	})
	if len(able) <= places {
		return able, nil
	}
	best = able[:places]
	if tie, tied := across(able, places); tied {
		best = slices.DeleteFunc(slices.Clone(best), func(one Score) bool { return slices.Contains(tie.Seats, one.Seat) })
		return best, []Tie{tie}
	}
	return best, nil
}

// Winners ranks the scores of the final for prizes by rank, and returns every tie over ranks whose prizes differ (clauses 15
// and 19): ties that decide nothing stay ties.
func Winners(scores []Score, prizes []Money) (ranked []Score, ties []Tie) {
	ranked = Ranked(scores)
	prize := func(rank int) Money {
		if rank > len(prizes) {
			return Money{}
		}
		return prizes[rank-1]
	}
	for rank := 1; rank <= len(prizes) && rank < len(ranked); rank++ {
		if prize(rank).Cents == prize(rank+1).Cents {
			continue
		}
		tie, tied := across(ranked, rank)
		if tied && !slices.ContainsFunc(ties, func(known Tie) bool { return slices.Equal(known.Seats, tie.Seats) }) {
			ties = append(ties, tie)
		}
	}
	return ranked, ties
}

// Ranked returns scores from the best.
func Ranked(scores []Score) []Score {
	ranked := slices.Clone(scores)
	slices.SortFunc(ranked, Score.Compare)
	return ranked
}

// across returns the group of equal scores that lies on both sides of the line below a rank, and whether there is one of more
// than one player: a player draws no card against himself.
func across(ranked []Score, rank int) (Tie, bool) {
	if rank < 1 || rank >= len(ranked) || !ranked[rank-1].ties(ranked[rank]) {
		return Tie{}, false
	}
	tie, several := Tie{Points: ranked[rank].Points}, false
	for _, one := range ranked {
		if one.ties(ranked[rank]) {
			tie.Seats = append(tie.Seats, one.Seat)
			several = several || one.Player != ranked[rank].Player
		}
	}
	return tie, several
}

// Suit is a suit of playing cards, from the lowest to the highest where suits count: clubs, diamonds, hearts, spades.
type Suit string

// The suits.
const (
	Clubs    Suit = "clubs"
	Diamonds Suit = "diamonds"
	Hearts   Suit = "hearts"
	Spades   Suit = "spades"
)

var suits = []Suit{Clubs, Diamonds, Hearts, Spades}

// Card is a playing card: its face from 1, the Ace, which is low, to 13, the King (clause 19).
type Card struct {
	Face int  `json:"face" minimum:"1" maximum:"13" doc:"1 is the Ace, which is low, 11 to 13 are Jack, Queen and King"`
	Suit Suit `json:"suit" enum:"clubs,diamonds,hearts,spades"`
}

// Valid reports whether a set of cards has such a card.
func (c Card) Valid() bool { return c.Face >= 1 && c.Face <= 13 && slices.Contains(suits, c.Suit) }

// Value returns what a card counts, by its suit too where suits count.
func (c Card) Value(suitsCount bool) int {
	if suitsCount {
		return c.Face*len(suits) + slices.Index(suits, c.Suit)
	}
	return c.Face
}
