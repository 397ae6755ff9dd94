package ledger

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"reelkiosk/store/kv"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

type (
	// NameProxy receives the form by which somebody plays a seat for a participant (clause 16); the answer is a wire.Accepted.
	NameProxy wire.NameProxy
	// HandPrize hands a prize to its winner in person; the answer is a wire.Prize.
	HandPrize wire.HandPrize
)

// proxyNamed is the outcome of ProxyNamed.
type proxyNamed struct {
	Seat  tournament.SeatID   `json:"seat"`
	Proxy tournament.PersonID `json:"proxy"`
	// Rules is the hash of the rules that the proxy accepted.
	Rules string `json:"rules_hash"`
}

// prizeHanded is the outcome of PrizeHanded.
type prizeHanded struct {
	Place  int                 `json:"place"`
	Person tournament.PersonID `json:"person"`
	Amount tournament.Money    `json:"amount"`
	FICA   string              `json:"fica,omitempty"`
}

// prizeRecord is a prize that was handed out.
type prizeRecord struct {
	prizeHanded
	At time.Time `json:"at"`
	By string    `json:"by"`
}

func (*proxyNamed) what() What  { return ProxyNamed }
func (*prizeHanded) what() What { return PrizeHanded }

func (o *proxyNamed) apply(s *state, _ *Event) error {
	return change(s, join(prefixSeat, string(o.Seat)), func(held *seat) error {
		held.Proxy = o.Proxy
		return nil
	})
}

func (o *prizeHanded) apply(s *state, event *Event) error {
	if err := s.moveCash(event, event.At, cashMove{Kind: cashPrize, Cents: -o.Amount.Cents}); err != nil {
		return err
	}
	return s.put(prizeKey(o.Place), &prizeRecord{*o, event.At, event.Who})
}

func prizeKey(place int) []byte { return fmt.Appendf(nil, "%s%05d", prefixPrize, place) }

func (a NameProxy) decide(t *turn) (any, error) {
	held, now, err := t.seatOf(a.Seat)
	switch {
	case err != nil:
		return nil, err
	case held.Place == 0:
		return nil, tournament.NoExtraSeat.Refuse()
	case held.State != tournament.SeatIssued:
		return nil, tournament.SeatOver.Refuse()
	case now.Phase.begun():
		return nil, tournament.HeatStarted.Refuse()
	case a.Rules != t.definition.Text.Hash:
		return nil, tournament.NotAccepted.Refuse()
	case !a.Declared:
		return nil, tournament.NotDeclared.Refuse()
	case a.Document == nil:
		return nil, tournament.HolderUnseen.Refuse()
	}
	v, err := t.admit(a.Card, a.Document)
	if err != nil {
		return nil, err
	}
	if refusal, err := t.barred(v.id, v.record, now.Heat); refusal != nil || err != nil {
		return nil, asError(refusal, err)
	}
	if err := t.mayServe(v.id, a.Seat, held, now); err != nil {
		return nil, err
	}
	return t.accept("", &proxyNamed{Seat: a.Seat, Proxy: v.id, Rules: a.Rules})
}

// mayServe refuses a proxy where the participant plays himself, and one who plays in that stage or for another in that heat
// (clause 16).
func (t *turn) mayServe(who tournament.PersonID, id tournament.SeatID, held *seat, now playing) error {
	own, err := t.placedIn(held.Person, held.Heat)
	if err != nil {
		return err
	}
	himself := false
	for _, other := range own {
		record, err := t.seat(other)
		if err != nil {
			return err
		}
		himself = himself || other != id && record.Proxy == "" && record.State != tournament.SeatVoid
	}
	if !himself {
		return tournament.NoExtraSeat.Refuse()
	}
	list := wire.ListSemiFinal
	if now.Stage == tournament.Final {
		list = wire.ListFinal
	}
	record, err := declared(t.view, list)
	if err != nil {
		return err
	}
	if record == nil {
		return fmt.Errorf("%w: a drawn seat without its list", ErrBooks)
	}
	for _, place := range record.Places {
		if place.Person == who && !place.Struck {
			return tournament.ProxyPlays.Refuse()
		}
	}
	serves := false
	err = eachSeat(t.view, held.Heat, func(other tournament.SeatID, record *seat) {
		serves = serves || other != id && record.Proxy == who && record.State != tournament.SeatVoid
	})
	if err == nil && serves {
		err = tournament.ProxyServes.Refuse()
	}
	return err
}

func (a HandPrize) decide(t *turn) (any, error) {
	winners, err := declared(t.view, wire.ListWinners)
	switch {
	case err != nil:
		return nil, err
	case winners == nil:
		return nil, tournament.ListNotDeclared.Refuse()
	case a.Place < 1 || a.Place > len(winners.Places) || winners.Places[a.Place-1].Struck:
		return nil, tournament.UnknownPlace.Refuse()
	}
	rules := t.definition.Rules
	before, err := load[prizeRecord](t.view, prizeKey(a.Place))
	switch {
	case err != nil:
		return nil, err
	case before != nil:
		return nil, tournament.PrizeHanded.Refuse().At(before.At)
	case a.Amount.Currency != rules.SeatPrice.Currency || a.Amount.Cents <= 0 || len(a.FICA) > mostText:
		return nil, fmt.Errorf("%w: a prize is an amount in %s", ErrInvalid, rules.SeatPrice.Currency)
	case a.Place <= len(rules.Prizes) && a.Amount.Cents < rules.Prizes[a.Place-1].Cents:
		return nil, tournament.PrizeBelow.Refuse()
	case rules.FICAThreshold.Cents > 0 && a.Amount.Cents >= rules.FICAThreshold.Cents && a.FICA == "":
		return nil, tournament.FICANeeded.Refuse()
	case a.Document == nil:
		return nil, tournament.HolderUnseen.Refuse()
	}
	who := winners.Places[a.Place-1].Person
	if _, err := t.present(a.Presence, who); err != nil {
		return nil, err
	}
	if err := t.record("", &prizeHanded{Place: a.Place, Person: who, Amount: a.Amount, FICA: a.FICA}); err != nil {
		return nil, err
	}
	return wire.Prize{Place: a.Place, Person: who, Amount: a.Amount}, nil
}

// PrizeGiven is a prize as it is exported.
type PrizeGiven struct {
	Place  int                 `json:"place"`
	Person tournament.PersonID `json:"person"`
	Cents  int64               `json:"cents"`
	FICA   string              `json:"fica"`
	At     time.Time           `json:"at"`
	By     string              `json:"by"`
}

// Prizes returns the prizes that were handed out after a place, at most so many.
func (b *Books) Prizes(view kv.Reader, newer string, limit int) ([]PrizeGiven, error) {
	given := []PrizeGiven{}
	place, _ := strconv.Atoi(newer) // nothing is before the first
	keys, failed := view.Range(prizeKey(place+1), after([]byte(prefixPrize)))
	for _, value := range keys {
		if len(given) == limit {
			break
		}
		var record prizeRecord
		if err := json.Unmarshal(value, &record); err != nil {
			return nil, fmt.Errorf("%w: a prize: %w", ErrBooks, err)
		}
		given = append(given, PrizeGiven{record.Place, record.Person, record.Amount.Cents, record.FICA, record.At, record.By})
	}
	if err := failed(); err != nil {
		return nil, fmt.Errorf("reading prizes: %w", err)
	}
	return given, nil
}
