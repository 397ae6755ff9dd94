package ledger

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"reelkiosk/store/kv"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

type (
	// CommitDraw commits to a secret before the public number of a draw is known (clause 14); the answer is a wire.Committed.
	CommitDraw wire.CommitDraw
	// DrawSeats draws the seats of a declared list by the public number; the answer is a wire.Draw.
	DrawSeats wire.DrawSeats
)

// secretBytes is how many bytes a draw's secret has.
const secretBytes = 32

// drawRecord is one draw.
type drawRecord struct {
	List wire.ListName     `json:"list"`
	Heat tournament.HeatID `json:"heat,omitempty"`
	// Draw is what it is drawn from; Secret in it is empty before the draw, and Sealed, under the key of Owner, until then holds
	// it. Kiosks and desks do not have that key.
	tournament.Draw
	Owner  string             `json:"owner"`
	Sealed []byte             `json:"sealed"`
	Seats  []tournament.Drawn `json:"seats,omitempty"`
}

// drawCommitted is the outcome of DrawCommitted.
type drawCommitted struct {
	List   wire.ListName     `json:"list"`
	Heat   tournament.HeatID `json:"heat,omitempty"`
	Draw   tournament.Draw   `json:"draw"`
	Owner  string            `json:"owner"`
	Sealed []byte            `json:"sealed"`
}

// seatsDrawn is the outcome of SeatsDrawn.
type seatsDrawn struct {
	List   wire.ListName     `json:"list"`
	Heat   tournament.HeatID `json:"heat,omitempty"`
	Public string            `json:"public"`
	Secret string            `json:"secret"`
	Seats  []drawnSeat       `json:"seats"`
}

// drawnSeat is one drawn seat: its id, and the number of its ticket's first copy.
type drawnSeat struct {
	tournament.Drawn
	Seat   tournament.SeatID       `json:"seat"`
	Ticket tournament.TicketNumber `json:"ticket"`
}

func (*drawCommitted) what() What { return DrawCommitted }
func (*seatsDrawn) what() What    { return SeatsDrawn }

func drawKey(list wire.ListName, heat tournament.HeatID) []byte {
	return append(append(join(prefixDraw, string(list)), '/'), heat...)
}

func (o *drawCommitted) apply(s *state, _ *Event) error {
	return s.put(drawKey(o.List, o.Heat), &drawRecord{List: o.List, Heat: o.Heat, Draw: o.Draw, Owner: o.Owner, Sealed: o.Sealed})
}

func (o *seatsDrawn) apply(s *state, event *Event) error {
	err := change(s, drawKey(o.List, o.Heat), func(record *drawRecord) error {
		record.Public, record.Secret, record.Seats = o.Public, o.Secret, nil
		for _, one := range o.Seats {
			record.Seats = append(record.Seats, one.Drawn)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return change(s, join(prefixDeclared, string(o.List)), func(list *listRecord) error {
		list.Drawn = true
		for _, one := range o.Seats {
			if one.Place < 1 || one.Place > len(list.Places) {
				return fmt.Errorf("%w: a seat was drawn for place %d of %d", ErrBooks, one.Place, len(list.Places))
			}
			place := &list.Places[one.Place-1]
			earned, err := s.seat(place.Score)
			if err != nil {
				return err
			}
			place.Seat = one.Seat
			err = s.seatAt(one.Seat, &seat{
				Heat: one.Heat, Machine: one.Machine, Person: one.Player, Index: 1, Count: 1, State: tournament.SeatIssued, Issued: event.At,
				Where: event.Where, Rules: earned.Rules, Place: one.Place,
				Copies: []copyRecord{{Ticket: one.Ticket, State: tournament.CopyIntended}},
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// stageFor is the stage that a list's places play.
func stageFor(list wire.ListName) (tournament.StageKind, error) {
	switch list {
	case wire.ListSemiFinal:
		return tournament.SemiFinal, nil
	case wire.ListFinal:
		return tournament.Final, nil
	}
	return "", fmt.Errorf("%w: no seats are drawn for that list", ErrInvalid)
}

func (a CommitDraw) decide(t *turn) (any, error) {
	before, err := load[drawRecord](t.view, drawKey(a.List, a.Heat))
	if err != nil {
		return nil, err
	}
	if before != nil && before.Secret != "" {
		return nil, tournament.SeatsDrawn.Refuse()
	}
	if before != nil { // a second touch: there is one commitment, which nobody chooses among others
		return before.committed(), nil
	}
	list, err := declared(t.view, a.List)
	if err != nil {
		return nil, err
	}
	if list == nil {
		return nil, tournament.ListNotDeclared.Refuse()
	}
	came := drawCommitted{List: a.List, Heat: a.Heat, Draw: tournament.Draw{Name: t.definition.ID + " " + string(a.List)}}
	if a.Heat != "" {
		came.Draw.Name += " " + string(a.Heat)
	} else if list.Drawn {
		return nil, tournament.SeatsDrawn.Refuse()
	}
	if came.Draw.Places, err = t.toDraw(list, a.Heat != ""); err != nil {
		return nil, err
	}
	if came.Draw.Heats, err = t.drawHeats(a); err != nil {
		return nil, err
	}
	seats := 0
	for _, heat := range came.Draw.Heats {
		seats += len(heat.Machines)
	}
	if seats < len(came.Draw.Places) || len(came.Draw.Places) == 0 {
		return nil, tournament.TooFewSeats.Refuse()
	}
	secret := make([]byte, secretBytes)
	if _, err := io.ReadFull(t.request.Random, secret); err != nil {
		return nil, fmt.Errorf("making a secret: %w", err)
	}
	came.Draw.Commitment = tournament.Commitment(secret)
	if came.Owner, err = newID[string](t.request.Random); err != nil {
		return nil, err
	}
	came.Owner = secretOwner + came.Owner
	if err := t.makeKey(came.Owner, t.request.Random); err != nil {
		return nil, err
	}
	if came.Sealed, err = t.seal(came.Owner, hex.EncodeToString(secret), t.request.Random); err != nil {
		return nil, err
	}
	if err := t.record("", &came); err != nil {
		return nil, err
	}
	record, err := need[drawRecord](t.view, drawKey(a.List, a.Heat))
	if err != nil {
		return nil, err
	}
	return record.committed(), nil
}

func (d *drawRecord) committed() wire.Committed {
	return wire.Committed{Name: d.Name, Commitment: d.Commitment, Places: d.Places, Heats: d.Heats}
}

// toDraw returns the places that need a seat: all of a list, or for an additional heat those whose seats broke down or were
// void with their heat (clause 21).
func (t *turn) toDraw(list *listRecord, additional bool) (places []tournament.DrawPlace, err error) {
	for i, one := range list.Places {
		if one.Struck {
			continue
		}
		if additional {
			lost, err := t.lostSeat(one)
			if err != nil {
				return nil, err
			}
			if !lost {
				continue
			}
		}
		places = append(places, tournament.DrawPlace{Place: i + 1, Player: one.Person})
	}
	return places, nil
}

// lostSeat reports whether a place lost its seat through no fault of its player.
func (t *turn) lostSeat(place placeRecord) (bool, error) {
	out, err := t.outOfRanking(place.Person)
	if err != nil || out || place.Seat == "" {
		return false, err
	}
	for id := place.Seat; ; {
		held, err := t.seat(id)
		switch {
		case err != nil:
			return false, err
		case held.Instead == "":
			return held.State == tournament.SeatMalfunction || held.State == tournament.SeatVoid, nil
		}
		id = held.Instead
	}
}

// drawHeats returns the heats of a draw with their machines that are in service and free.
func (t *turn) drawHeats(a CommitDraw) ([]tournament.DrawHeat, error) {
	stage, err := stageFor(a.List)
	if err != nil {
		return nil, err
	}
	heats, err := t.stageHeats(t.view, stage)
	if err != nil {
		return nil, err
	}
	out, err := t.outOfService(t.view)
	if err != nil {
		return nil, err
	}
	var drawn []tournament.DrawHeat
	for _, now := range heats {
		if now.Cancelled || now.Phase.begun() || a.Heat != "" && now.ID != a.Heat {
			continue
		}
		one := tournament.DrawHeat{Heat: now.ID, Machines: []int{}}
		for _, machine := range t.definition.Seats(now.Size) {
			if !out(machine.Number) && !now.Taken.has(machine.Number) {
				one.Machines = append(one.Machines, machine.Number)
			}
		}
		drawn = append(drawn, one)
	}
	return drawn, nil
}

func (a DrawSeats) decide(t *turn) (any, error) {
	record, err := load[drawRecord](t.view, drawKey(a.List, a.Heat))
	switch {
	case err != nil:
		return nil, err
	case record == nil:
		return nil, tournament.NotCommitted.Refuse()
	case record.Secret != "":
		return nil, tournament.SeatsDrawn.Refuse()
	case strings.TrimSpace(a.Public) == "" || len(a.Public) > mostText || strings.ContainsAny(a.Public, "\r\n"):
		return nil, fmt.Errorf("%w: a public number is a line of its own", ErrInvalid)
	}
	secret, known, err := open[string](t.view, t.vault, record.Owner, record.Sealed)
	if err == nil && !known {
		err = fmt.Errorf("%w: the secret of a draw is gone", ErrBooks)
	}
	if err != nil {
		return nil, err
	}
	draw := record.Draw
	draw.Secret, draw.Public = secret, a.Public
	seats, err := draw.Seats()
	if errors.Is(err, tournament.ErrCommitment) {
		err = fmt.Errorf("%w: %w", ErrBooks, err)
	}
	if err != nil {
		return nil, err
	}
	came := seatsDrawn{List: a.List, Heat: a.Heat, Public: a.Public, Secret: secret}
	for _, one := range seats {
		drawn := drawnSeat{Drawn: one}
		if drawn.Seat, err = orderedID[tournament.SeatID](t); err != nil {
			return nil, err
		}
		if drawn.Ticket, err = tournament.NewTicketNumber(t.request.Random); err != nil {
			return nil, err
		}
		came.Seats = append(came.Seats, drawn)
	}
	if err := t.record("", &came); err != nil {
		return nil, err
	}
	return wire.Draw{Draw: draw, Seats: seats}, nil
}

// Draws returns all draws that were made.
func (b *Books) Draws(view kv.Reader) (wire.Draws, error) {
	answer := wire.Draws{Draws: []wire.Draw{}}
	low := []byte(prefixDraw)
	keys, failed := view.Range(low, after(low))
	for _, value := range keys {
		var record drawRecord
		if err := json.Unmarshal(value, &record); err != nil {
			return answer, fmt.Errorf("%w: a draw: %w", ErrBooks, err)
		}
		if record.Secret != "" {
			answer.Draws = append(answer.Draws, wire.Draw{Draw: record.Draw, Seats: record.Seats})
		}
	}
	if err := failed(); err != nil {
		return answer, fmt.Errorf("reading draws: %w", err)
	}
	slices.SortFunc(answer.Draws, func(left, right wire.Draw) int { return strings.Compare(left.Name, right.Name) })
	return answer, nil
}
