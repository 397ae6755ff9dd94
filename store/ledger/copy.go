package ledger

import (
	"fmt"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// copyIntended is the outcome of CopyIntended.
type copyIntended struct {
	Seat tournament.SeatID `json:"seat"`
	// Copy counts the copies of the seat from 1.
	Copy   int                     `json:"copy"`
	Ticket tournament.TicketNumber `json:"ticket"`
	// Player says that the player made it, of an unconfirmed copy.
	Player bool `json:"player,omitempty"`
}

// copyReported is the outcome of CopyReported.
type copyReported struct {
	Seat  tournament.SeatID    `json:"seat"`
	Copy  int                  `json:"copy"`
	State tournament.CopyState `json:"state"`
	// Void are the earlier copies that this one, being printed, makes void.
	Void []int `json:"void,omitempty"`
}

func (*copyIntended) what() What { return CopyIntended }
func (*copyReported) what() What { return CopyReported }

func (o *copyIntended) apply(s *state, _ *Event) error {
	s.view.Put(join(prefixTicket, string(o.Ticket)), []byte(o.Seat))
	return change(s, join(prefixSeat, string(o.Seat)), func(held *seat) error {
		if len(held.Copies)+1 != o.Copy {
			return fmt.Errorf("%w: copy %d after %d copies", ErrBooks, o.Copy, len(held.Copies))
		}
		held.Copies = append(held.Copies, copyRecord{Ticket: o.Ticket, State: tournament.CopyIntended, Player: o.Player})
		return nil
	})
}

func (o *copyReported) apply(s *state, _ *Event) error {
	return change(s, join(prefixSeat, string(o.Seat)), func(held *seat) error {
		become := func(number int, next tournament.CopyState) error {
			if number < 1 || number > len(held.Copies) {
				return fmt.Errorf("%w: copy %d of %d", ErrBooks, number, len(held.Copies))
			}
			one := &held.Copies[number-1]
			if !one.State.MayBecome(next) {
				return fmt.Errorf("%w: a copy cannot go from %s to %s", ErrBooks, one.State, next)
			}
			one.State = next
			return nil
		}
		for _, number := range o.Void {
			if err := become(number, tournament.CopyVoid); err != nil {
				return err
			}
		}
		return become(o.Copy, o.State)
	})
}

// copyUnder returns the seat and the number of the copy that has this ticket number, or UnknownTicket.
func (t *turn) copyUnder(text string) (tournament.SeatID, *seat, int, error) {
	ticket, err := tournament.ParseTicketNumber(text)
	if err != nil {
		return "", nil, 0, tournament.UnknownTicket.Refuse()
	}
	id, err := name[tournament.SeatID](t.view, join(prefixTicket, string(ticket)))
	if err != nil {
		return "", nil, 0, err
	}
	if id == "" {
		return "", nil, 0, tournament.UnknownTicket.Refuse()
	}
	held, err := t.seat(id)
	if err != nil {
		return "", nil, 0, err
	}
	for i, one := range held.Copies {
		if one.Ticket == ticket {
			return id, held, i + 1, nil
		}
	}
	return "", nil, 0, fmt.Errorf("%w: a ticket number that its seat does not have", ErrBooks)
}

func (a PrintOutcome) decide(t *turn) (any, error) {
	switch a.State {
	case tournament.CopyPrinted, tournament.CopyUnconfirmed, tournament.CopyLost:
	default:
		return nil, fmt.Errorf("%w: a print does not come out as %q", ErrInvalid, a.State)
	}
	if len(a.Reason) > mostText {
		return nil, fmt.Errorf("%w: a reason of %d bytes", ErrInvalid, len(a.Reason))
	}
	id, held, number, err := t.copyUnder(a.Ticket)
	if err != nil {
		return nil, err
	}
	before := held.Copies[number-1].State
	switch {
	case before == tournament.CopyLost && a.State == tournament.CopyPrinted:
		// It was given up as never started, and yet there is paper: a host has to look for it.
		evidence := Evidence{Seats: []tournament.SeatID{id}, Copy: number, Said: a.Reason}
		err = t.openCase(CaseCopy, held.Person, evidence)
	case before.MayBecome(a.State):
		reported := copyReported{Seat: id, Copy: number, State: a.State}
		if a.State == tournament.CopyPrinted {
			reported.Void = earlierCopies(held, number)
		}
		err = t.record(a.Reason, &reported)
	}
	// Whatever else is reported is known already, or comes too late to change anything.
	if err != nil {
		return nil, err
	}
	return wire.Accepted{Sequence: t.last.sequence}, nil
}

// earlierCopies returns the copies before this one that are not void yet.
func earlierCopies(held *seat, number int) (earlier []int) {
	for i := range number - 1 {
		if held.Copies[i].State != tournament.CopyVoid {
			earlier = append(earlier, i+1)
		}
	}
	return earlier
}

func (a Reprint) decide(t *turn) (any, error) {
	player, err := load[person](t.view, join(prefixPerson, string(a.Person)))
	if err != nil {
		return nil, err
	}
	if player == nil {
		return nil, tournament.UnknownPerson.Refuse()
	}
	if refusal, err := t.barred(a.Person, player); refusal != nil || err != nil {
		return nil, asError(refusal, err)
	}
	record, err := load[seat](t.view, join(prefixSeat, string(a.Seat)))
	if err != nil {
		return nil, err
	}
	if record == nil || record.Person != a.Person {
		return nil, tournament.UnknownTicket.Refuse()
	}
	now, _, err := t.heat(t.view, record.Heat)
	if err != nil {
		return nil, err
	}
	held := heldSeat{t.wireSeat(a.Seat, record, now), record}
	switch {
	case !t.at.Before(now.Heat.Start):
		return nil, tournament.HeatGone.Refuse()
	case record.State == tournament.SeatIssued && held.CopyState == tournament.CopyUnconfirmed && record.reprinted():
		return nil, tournament.ReprintUsed.Refuse()
	case record.State != tournament.SeatIssued || !held.mayReprint():
		return nil, tournament.NotReprintable.Refuse()
	}
	ticket, err := tournament.NewTicketNumber(t.request.Random)
	if err != nil {
		return nil, err
	}
	err = t.record("", &copyIntended{
		Seat: a.Seat, Copy: len(record.Copies) + 1, Ticket: ticket, Player: held.CopyState == tournament.CopyUnconfirmed,
	})
	if err != nil {
		return nil, err
	}
	if record, err = t.seat(a.Seat); err != nil {
		return nil, err
	}
	return t.wireSeat(a.Seat, record, now), nil
}
