package ledger

import (
	"fmt"
	"slices"
	"time"

	"reelkiosk/store/kv"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

type (
	// DeclareList declares who plays a final stage, or who won (clauses 13, 14 and 17); the answer is a wire.List.
	DeclareList wire.DeclareList
	// SettleList settles what was found about a declared list (clause 14); the answer is a wire.List.
	SettleList wire.SettleList
)

// listRecord is a declared list.
type listRecord struct {
	Declared time.Time `json:"declared"`
	// First is the participant of clause 13, on the list that the qualifying heats come to.
	First  *placeRecord  `json:"first,omitempty"`
	Places []placeRecord `json:"places"`
	Drawn  bool          `json:"drawn,omitempty"`
}

// placeRecord is one place of a list; its number is its index in it, from 1.
type placeRecord struct {
	Person tournament.PersonID `json:"person"`
	Points int64               `json:"points"`
	Score  tournament.SeatID   `json:"score"`
	Seat   tournament.SeatID   `json:"seat,omitempty"`
	Struck bool                `json:"struck,omitempty"`
}

// listDeclared is the outcome of ListDeclared: the whole list as it is from then on.
type listDeclared struct {
	List   wire.ListName `json:"list"`
	First  *placeRecord  `json:"first,omitempty"`
	Places []placeRecord `json:"places"`
}

// placesStruck is the outcome of PlacesStruck: places of a list whose seats were drawn stay empty.
type placesStruck struct {
	List   wire.ListName `json:"list"`
	Places []int         `json:"places"`
	// Seats are those that become void.
	Seats []tournament.SeatID `json:"seats,omitempty"`
}

func (*listDeclared) what() What { return ListDeclared }
func (*placesStruck) what() What { return PlacesStruck }

func (o *listDeclared) apply(s *state, event *Event) error {
	// A draw that was only committed to was for another list.
	s.view.Delete(drawKey(o.List, ""))
	return s.put(join(prefixDeclared, string(o.List)), &listRecord{Declared: event.At, First: o.First, Places: o.Places})
}

func (o *placesStruck) apply(s *state, _ *Event) error {
	for _, id := range o.Seats {
		if err := s.voidSeat(id, nil); err != nil {
			return err
		}
	}
	return change(s, join(prefixDeclared, string(o.List)), func(list *listRecord) error {
		for _, place := range o.Places {
			list.Places[place-1].Struck = true
		}
		return nil
	})
}

// declared returns a declared list, or nil.
func declared(view kv.Reader, list wire.ListName) (*listRecord, error) {
	return load[listRecord](view, join(prefixDeclared, string(list)))
}

// source is the stage whose scores a list is made of.
func (b *Books) source(list wire.ListName) (tournament.StageKind, error) {
	has := func(kind tournament.StageKind) bool {
		return slices.ContainsFunc(b.definition.Stages, func(stage tournament.Stage) bool { return stage.Kind == kind })
	}
	switch {
	case list == wire.ListSemiFinal && has(tournament.SemiFinal):
		return tournament.Qualifying, nil
	case list == wire.ListFinal && has(tournament.Final) && has(tournament.SemiFinal):
		return tournament.SemiFinal, nil
	case list == wire.ListFinal && has(tournament.Final):
		return tournament.Qualifying, nil
	case list == wire.ListWinners && has(tournament.Final):
		return tournament.Final, nil
	}
	return "", fmt.Errorf("%w: the tournament has no such list", ErrInvalid)
}

// listOf is the list that a stage's scores come to.
func (b *Books) listOf(stage tournament.StageKind) (wire.ListName, bool) {
	for _, list := range []wire.ListName{wire.ListSemiFinal, wire.ListFinal, wire.ListWinners} {
		if of, err := b.source(list); err == nil && of == stage {
			return list, true
		}
	}
	return "", false
}

// refuseDeclared refuses where the list that a stage's scores come to was declared.
func (t *turn) refuseDeclared(stage tournament.StageKind) error {
	list, has := t.listOf(stage)
	if !has {
		return nil
	}
	record, err := declared(t.view, list)
	if err == nil && record != nil {
		err = tournament.ListDeclared.Refuse().At(record.Declared)
	}
	return err
}

// draft is a list as the scores come to, before it is declared.
type draft struct {
	first  *tournament.Score
	places []tournament.Score
	ties   []tournament.Tie
}

// drawUp makes a list of the scores of its stage as they stand.
func (t *turn) drawUp(list wire.ListName) (draft, error) {
	rules := t.definition.Rules
	stage, err := t.source(list)
	if err != nil {
		return draft{}, err
	}
	scores, err := t.scores(stage, 0)
	if err != nil {
		return draft{}, err
	}
	switch {
	case list == wire.ListWinners:
		ranked, ties := tournament.Winners(scores, rules.Prizes)
		return draft{places: ranked, ties: ties}, nil
	case stage == tournament.SemiFinal:
		best, ties := tournament.Best(scores, rules.FinalPlaces, rules.PlacesPerPlayer)
		return draft{places: best, ties: ties}, nil
	}
	places := rules.SemiFinalPlaces
	if list == wire.ListFinal {
		places = rules.FinalPlaces
	}
	of := tournament.Qualify(scores, places, rules.PlacesPerPlayer)
	up := draft{places: of.Places, ties: of.Ties}
	if of.First.Seat != "" {
		up.first = &of.First
	}
	return up, nil
}

// refuseOpen refuses while a stage has heats that are not over, or seats without a score (clauses 13 and 14).
func (t *turn) refuseOpen(stage tournament.StageKind) error {
	heats, err := t.stageHeats(t.view, stage)
	if err != nil {
		return err
	}
	for _, now := range heats {
		if now.Cancelled || now.Phase != phaseFinished && now.Taken.count() == 0 && now.Heat.Start.Before(t.at) {
			continue // nobody played it
		}
		open := now.Phase != phaseFinished
		err := eachSeat(t.view, now.ID, func(_ tournament.SeatID, held *seat) { open = open || held.live() })
		if err != nil {
			return err
		}
		if open {
			return tournament.StageOpen.Refuse().At(now.Heat.Start)
		}
	}
	return nil
}

func (a DeclareList) decide(t *turn) (any, error) {
	before, err := declared(t.view, a.List)
	if err != nil {
		return nil, err
	}
	if before != nil {
		return nil, tournament.ListDeclared.Refuse().At(before.Declared)
	}
	stage, err := t.source(a.List)
	if err != nil {
		return nil, err
	}
	if err := t.refuseOpen(stage); err != nil {
		return nil, err
	}
	return t.declare(a.Why, a.List)
}

// declare records a list as the scores come to.
func (t *turn) declare(why string, list wire.ListName) (any, error) {
	up, err := t.drawUp(list)
	if err != nil {
		return nil, err
	}
	if len(up.ties) > 0 {
		return nil, tournament.TiesOpen.Refuse()
	}
	came := listDeclared{List: list, Places: []placeRecord{}}
	if up.first != nil {
		came.First = &placeRecord{Person: up.first.Player, Points: up.first.Points, Score: up.first.Seat}
	}
	for _, one := range up.places {
		came.Places = append(came.Places, placeRecord{Person: one.Player, Points: one.Points, Score: one.Seat})
	}
	if list == wire.ListFinal {
		if err := t.addFirst(&came); err != nil {
			return nil, err
		}
	}
	if err := t.record(why, &came); err != nil {
		return nil, err
	}
	record, err := declared(t.view, list)
	if err != nil {
		return nil, err
	}
	return wireList(list, record), nil
}

// addFirst adds the participant of clause 13 to the final: it includes the top score of all qualifying heats (clause 17).
func (t *turn) addFirst(came *listDeclared) error {
	first := came.First
	if first == nil {
		semi, err := declared(t.view, wire.ListSemiFinal)
		if err != nil {
			return err
		}
		if semi == nil {
			return tournament.ListNotDeclared.Refuse()
		}
		first = semi.First
	}
	if first == nil {
		return nil
	}
	out, err := t.outOfRanking(first.Person)
	if err != nil || out {
		return err
	}
	came.Places = append(came.Places, *first)
	return nil
}

// wireList returns a list as it is answered.
func wireList(list wire.ListName, record *listRecord) wire.List {
	answer := wire.List{List: list, Declared: record.Declared, Places: []wire.ListedPlace{}, Drawn: record.Drawn}
	place := func(number int, one placeRecord) wire.ListedPlace {
		return wire.ListedPlace{Place: number, Person: one.Person, Points: one.Points, Score: one.Score, Seat: one.Seat, Struck: one.Struck}
	}
	if record.First != nil {
		first := place(0, *record.First)
		answer.First = &first
	}
	for i, one := range record.Places {
		answer.Places = append(answer.Places, place(i+1, one))
	}
	return answer
}

// List returns a declared list, or the refusal ListNotDeclared.
func (b *Books) List(view kv.Reader, list wire.ListName) (wire.List, error) {
	record, err := declared(view, list)
	switch {
	case err != nil:
		return wire.List{}, err
	case record == nil:
		return wire.List{}, tournament.ListNotDeclared.Refuse()
	}
	return wireList(list, record), nil
}

func (a SettleList) decide(t *turn) (any, error) {
	record, err := declared(t.view, a.List)
	switch {
	case err != nil:
		return nil, err
	case record == nil:
		return nil, tournament.ListNotDeclared.Refuse()
	case !record.Drawn && len(a.Strike) > 0:
		return nil, fmt.Errorf("%w: before the draw the next in rank moves up by itself", ErrInvalid)
	case !record.Drawn:
		return t.declare(a.Why, a.List)
	}
	came := placesStruck{List: a.List, Places: a.Strike}
	for _, place := range a.Strike {
		if place < 1 || place > len(record.Places) || record.Places[place-1].Struck {
			return nil, tournament.UnknownPlace.Refuse()
		}
		id := record.Places[place-1].Seat
		held, err := load[seat](t.view, join(prefixSeat, string(id)))
		if err != nil {
			return nil, err
		}
		if held != nil && held.live() {
			came.Seats = append(came.Seats, id)
		}
	}
	if len(came.Places) == 0 {
		return wireList(a.List, record), nil
	}
	if err := t.record(a.Why, &came); err != nil {
		return nil, err
	}
	if record, err = declared(t.view, a.List); err != nil {
		return nil, err
	}
	return wireList(a.List, record), nil
}

// caseForLists opens a case where somebody is on a declared list of whom something was found (clause 14): of one seat's score
// where a seat is given.
func (t *turn) caseForLists(who tournament.PersonID, of tournament.SeatID, reason tournament.Reason) error {
	for _, list := range []wire.ListName{wire.ListSemiFinal, wire.ListFinal, wire.ListWinners} {
		record, err := declared(t.view, list)
		if err != nil || record == nil {
			if err != nil {
				return err
			}
			continue
		}
		concerned := record.First != nil && record.First.Person == who
		for _, place := range record.Places {
			concerned = concerned || place.Person == who
		}
		if of != "" { // a score that changed may also belong on the list now
			held, _, err := t.seatOf(of)
			if err != nil {
				return err
			}
			stage, err := t.stageOf(held.Heat)
			if err != nil {
				return err
			}
			source, err := t.source(list)
			concerned = err == nil && source == stage
		}
		if !concerned {
			continue
		}
		evidence := Evidence{Reason: reason, Said: string(list)}
		if of != "" {
			evidence.Seats = []tournament.SeatID{of}
		}
		if err := t.openCase(CaseList, who, evidence); err != nil {
			return err
		}
	}
	return nil
}

// finalSeatsOf returns a participant's seats in heats of the final stages that have not begun.
func (t *turn) finalSeatsOf(who tournament.PersonID) (live []tournament.SeatID, err error) {
	for _, stage := range []tournament.StageKind{tournament.SemiFinal, tournament.Final} {
		seats, err := t.placedOf(who, stage)
		if err != nil {
			return nil, err
		}
		for _, id := range seats {
			held, now, err := t.seatOf(id)
			if err != nil {
				return nil, err
			}
			if held.live() && !now.Phase.begun() {
				live = append(live, id)
			}
		}
	}
	return live, nil
}
