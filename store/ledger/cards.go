package ledger

import (
	"fmt"
	"slices"

	"reelkiosk/store/kv"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// DrawCards records the cards that were drawn in a tie (clause 19); the answer is a wire.Ties, of what is still open. The
// program never draws a card.
type DrawCards wire.DrawCards

// cardsDrawn is the outcome of CardsDrawn.
type cardsDrawn struct {
	Stage  tournament.StageKind `json:"stage"`
	Points int64                `json:"points"`
	Round  int                  `json:"round"`
	Cards  []cardDrawn          `json:"cards"`
}

// cardDrawn is one card: Value is what it counts by the tournament's rules.
type cardDrawn struct {
	Seat   tournament.SeatID   `json:"seat"`
	Person tournament.PersonID `json:"person"`
	Card   tournament.Card     `json:"card"`
	Value  int                 `json:"value"`
	Drawer string              `json:"drawer"`
}

func (*cardsDrawn) what() What { return CardsDrawn }

func (o *cardsDrawn) apply(s *state, _ *Event) error {
	for _, one := range o.Cards {
		key := cardsKey(o.Stage, one.Seat)
		before, err := load[[]int](s.view, key)
		if err != nil {
			return err
		}
		var cards []int
		if before != nil {
			cards = *before
		}
		if err := s.put(key, append(cards, one.Value)); err != nil {
			return err
		}
	}
	return nil
}

// Ties returns the ties of a stage that decide something and are not resolved (clause 19).
func (b *Books) Ties(view kv.Reader, stage tournament.StageKind) (wire.Ties, error) {
	t, err := b.turn(kv.NewOverlay(view), &Request{})
	if err != nil {
		return wire.Ties{}, err
	}
	return t.openTies(stage)
}

func (t *turn) openTies(stage tournament.StageKind) (wire.Ties, error) {
	answer := wire.Ties{Stage: stage, Ties: []wire.Tie{}}
	list, has := t.listOf(stage)
	if !has {
		return answer, fmt.Errorf("%w: the tournament has no such stage, or nothing comes of it", ErrInvalid)
	}
	up, err := t.drawUp(list)
	if err != nil {
		return answer, err
	}
	for _, tie := range up.ties {
		cards, err := load[[]int](t.view, cardsKey(stage, tie.Seats[0]))
		if err != nil {
			return answer, err
		}
		one := wire.Tie{Points: tie.Points, Seats: tie.Seats, Round: 1}
		if cards != nil {
			one.Round += len(*cards)
		}
		answer.Ties = append(answer.Ties, one)
	}
	return answer, nil
}

func (a DrawCards) decide(t *turn) (any, error) {
	if err := t.refuseOpen(a.Stage); err != nil {
		return nil, err
	}
	open, err := t.openTies(a.Stage)
	if err != nil {
		return nil, err
	}
	came := cardsDrawn{Stage: a.Stage, Points: a.Points}
	var seats []tournament.SeatID
	seen := map[tournament.Card]bool{}
	for _, one := range a.Cards {
		held, _, err := t.seatOf(one.Seat)
		switch {
		case err != nil:
			return nil, err
		case !one.Card.Valid() || seen[one.Card] || slices.Contains(seats, one.Seat):
			return nil, tournament.WrongCards.Refuse()
		case one.Drawer != "player" && one.Drawer != "public" && !(one.Drawer == "proxy" && held.Proxy != ""):
			return nil, fmt.Errorf("%w: a card is drawn by the player, his proxy or a member of the public", ErrInvalid)
		}
		seen[one.Card], seats = true, append(seats, one.Seat)
		came.Cards = append(came.Cards, cardDrawn{
			Seat: one.Seat, Person: held.Person, Card: one.Card, Value: one.Card.Value(t.definition.Rules.SuitsCount), Drawer: one.Drawer,
		})
	}
	slices.Sort(seats)
	at := slices.IndexFunc(open.Ties, func(tie wire.Tie) bool {
		tied := slices.Clone(tie.Seats)
		slices.Sort(tied)
		return tie.Points == a.Points && slices.Equal(tied, seats)
	})
	if at < 0 {
		return nil, tournament.WrongCards.Refuse()
	}
	came.Round = open.Ties[at].Round
	if err := t.record("", &came); err != nil {
		return nil, err
	}
	return t.openTies(a.Stage)
}
