package ledger

import (
	"fmt"
	"time"

	"reelkiosk/store/kv"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// A kiosk that is cut off decides on its copy of the books with the seats that it gave since laid over it, by the same rules
// as central (clauses 1 to 11, 16 and 25), and gives only what its grant has. When it may use the grant at all, and whose
// requests are unsettled, store/replica knows.

// Alone is what a kiosk that is cut off gives by.
type Alone struct {
	// Kiosk is its own name.
	Kiosk string
	// Grant is the one in use; store/replica says which it is.
	Grant *wire.Grant
	// Gone reports whether a ticket was used or given back.
	Gone func(tournament.TicketNumber) bool
	// Known is how far the copy is.
	Known uint64
}

// SeatAlone gives a seat at a kiosk that is cut off, and writes it into the view as Lay would. It returns the report, which
// must be kept before anything is printed, and the seat. The request needs no key; its Act is a Register, its At the
// kiosk's time (design decision 9). The errors are those of Apply; besides those of a registration at central the reasons
// NotHome and BlockUsed are possible.
func (b *Books) SeatAlone(view *kv.Overlay, request Request, by Alone) (wire.SeatReport, wire.Seat, error) {
	trial := view.Nest()
	report, seat, err := b.seatAlone(trial, request, by)
	if err == nil {
		trial.Keep()
	}
	return report, seat, err
}

func (b *Books) seatAlone(view *kv.Overlay, request Request, by Alone) (report wire.SeatReport, seat wire.Seat, err error) {
	a, is := request.Act.(Register)
	if !is {
		return report, seat, fmt.Errorf("%w: only seats are given at a kiosk that is cut off", ErrInvalid)
	}
	t, err := b.turn(view, &request)
	if err != nil {
		return report, seat, err
	}
	now, err := t.admitRegistration(a, t.checkPerson)
	if err != nil {
		return report, seat, err
	}
	_, own, err := serves(view, by.Kiosk, by.Grant, a.Person)
	if err == nil && !own {
		err = tournament.NotHome.Refuse()
	}
	if err != nil {
		return report, seat, err
	}
	held, err := name[tournament.SeatID](view, seatedKey(a.Person, a.Heat))
	if err == nil && held != "" {
		err = tournament.AlreadySeated.Refuse()
	}
	if err != nil {
		return report, seat, err
	}
	use, err := t.chooseEntry(a.Person, now.Heat)
	if err != nil {
		return report, seat, err
	}
	given, err := t.lowestGranted(now, by)
	if err != nil {
		return report, seat, err
	}
	report = wire.SeatReport{
		Person: a.Person, Heat: a.Heat, Machine: given.Machine, Entry: use, Ticket: given.Ticket, Rules: a.Rules, By: a.By,
		Kiosk: by.Kiosk, Issued: t.at, Start: now.Heat.Start, Grant: by.Grant.Number, Position: by.Known,
	}
	if report.Seat, err = newID[tournament.SeatID](request.Random); err != nil {
		return report, seat, err
	}
	if err := b.Lay(view, &report); err != nil {
		return report, seat, err
	}
	record, err := t.seat(report.Seat)
	if err != nil {
		return report, seat, err
	}
	return report, t.wireSeat(report.Seat, record, now), nil
}

// lowestGranted returns the first machine in the order that the kiosk may give of a heat.
func (t *turn) lowestGranted(now playing, by Alone) (wire.GrantedSeat, error) {
	free, err := t.grantedFree(now, by)
	if err != nil {
		return wire.GrantedSeat{}, err
	}
	if len(free) == 0 {
		return wire.GrantedSeat{}, tournament.BlockUsed.Refuse()
	}
	return free[0], nil
}

// grantedFree returns the machines of a heat that the kiosk was granted and has neither given nor given back, in the order
// in which they are given out.
func (t *turn) grantedFree(now playing, by Alone) (free []wire.GrantedSeat, err error) {
	out, err := t.outOfService(t.view)
	if err != nil || now.Cancelled || !t.at.Before(now.GrantEnds(t.definition.Rules)) {
		return nil, err
	}
	for _, block := range by.Grant.Blocks {
		for _, seat := range block.Seats {
			if block.Heat == now.ID && !by.Gone(seat.Ticket) && !now.Taken.has(seat.Machine) && !out(seat.Machine) {
				free = append(free, seat)
			}
		}
	}
	return free, nil
}

// Lay lays a seat that a kiosk gave while it was cut off over its copy of the books, for as long as the feed has not brought
// what central recorded of it. It decides nothing and cannot be refused: where the copy knows of others by now, they keep
// what they have. A seat that the copy has already changes nothing.
func (b *Books) Lay(view *kv.Overlay, report *wire.SeatReport) error {
	s := state{b, view}
	known, err := load[seat](view, join(prefixSeat, string(report.Seat)))
	if err != nil || known != nil {
		return err
	}
	came, _, err := s.weighReport(report)
	if err != nil {
		return err
	}
	return came.apply(&s, &Event{At: report.Issued, Where: report.Kiosk})
}

// HasSeat reports whether the books have a seat: a copy that does knows what became of its report, or of the request for it.
func HasSeat(view kv.Reader, id tournament.SeatID) (bool, error) {
	record, err := load[seat](view, join(prefixSeat, string(id)))
	return record != nil, err
}

// GrantsEnded returns the number up to which the grants of a kiosk were ended by a decision.
func (b *Books) GrantsEnded(view kv.Reader, kiosk string) (uint64, error) {
	record, err := load[grant](view, join(prefixGrant, kiosk))
	if err != nil || record == nil {
		return 0, err
	}
	return record.Ended, nil
}

// Home returns the kiosk that gives a person seats while lines are cut, as a kiosk knows by its grant, and whether it is that
// kiosk itself.
func (b *Books) Home(view kv.Reader, kiosk string, by *wire.Grant, who tournament.PersonID) (home string, own bool, err error) {
	return serves(view, kiosk, by, who)
}

// GoBack returns the heats of a grant whose machines have to go back at that time: their grants have ended or they were
// called back, or the heats were cancelled.
func (b *Books) GoBack(view kv.Reader, by *wire.Grant, at time.Time) ([]tournament.HeatID, error) {
	var heats []tournament.HeatID
	for _, block := range by.Blocks {
		now, known, err := b.heat(view, block.Heat)
		if err != nil {
			return nil, err
		}
		if !known || now.Cancelled || now.Called || !at.Before(now.GrantEnds(b.definition.Rules)) {
			heats = append(heats, block.Heat)
		}
	}
	return heats, nil
}

// HasPerson reports whether the books know a person.
func HasPerson(view kv.Reader, id tournament.PersonID) (bool, error) {
	record, err := load[person](view, join(prefixPerson, string(id)))
	return record != nil, err
}

// HeatsAlone is Heats for a kiosk that is cut off: of each heat only those seats are free that it may give.
func (b *Books) HeatsAlone(view kv.Reader, from time.Time, limit int, by Alone) ([]wire.Heat, error) {
	heats, err := b.Heats(view, from, limit)
	if err != nil {
		return nil, err
	}
	t, err := b.turn(kv.NewOverlay(view), &Request{At: from})
	if err != nil {
		return nil, err
	}
	for i := range heats {
		now, _, err := b.heat(view, heats[i].ID)
		if err != nil {
			return nil, err
		}
		seats, err := t.grantedFree(now, by)
		if err != nil {
			return nil, err
		}
		heats[i].Free = min(heats[i].Size, len(seats))
	}
	return heats, nil
}
