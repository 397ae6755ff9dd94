package ledger

import (
	"errors"
	"fmt"
	"time"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// undoTime is how long after a check-in it can be undone.
const undoTime = 10 * time.Second

// What hosts do at the desk with one seat.
type (
	// CancelSeat makes a seat void before its heat closes; the answer is a wire.Accepted. The entry is unused again.
	CancelSeat wire.CancelSeat
	// HostReprint makes the next copy of a ticket whose holder is present; the answer is a wire.Seat.
	HostReprint wire.HostReprint
	// CheckIn checks a holder in with a ticket (clause 12); the answer is a wire.CheckedIn.
	CheckIn wire.CheckIn
	// UndoCheckIn takes a check-in back within ten seconds; the answer is a wire.Accepted.
	UndoCheckIn wire.UndoCheckIn
)

// seatCancelled is the outcome of SeatCancelled. Freed says that the entry does not expire any more.
type seatCancelled struct {
	Seat  tournament.SeatID `json:"seat"`
	Freed bool              `json:"freed,omitempty"`
}

// checkedIn is the outcome of CheckedIn.
type checkedIn struct {
	Seat tournament.SeatID `json:"seat"`
	Copy int               `json:"copy"`
	// By says how the holder was identified: "document" or "host".
	By string `json:"identified_by"`
}

// checkInUndone is the outcome of CheckInUndone.
type checkInUndone struct {
	Seat tournament.SeatID `json:"seat"`
}

// admitted is the outcome of Admitted: the ticket was granted to a kiosk that had not reported it.
type admitted struct {
	Ticket tournament.TicketNumber `json:"ticket"`
	Person tournament.PersonID     `json:"person"`
	Heat   tournament.HeatID       `json:"heat"`
}

func (*seatCancelled) what() What { return SeatCancelled }
func (*checkedIn) what() What     { return CheckedIn }
func (*checkInUndone) what() What { return CheckInUndone }
func (*admitted) what() What      { return Admitted }

func (o *seatCancelled) apply(s *state, _ *Event) error {
	return s.voidSeat(o.Seat, func(e *entry) { e.Freed = e.Freed || o.Freed }, tournament.EntryUnused)
}

func (o *checkedIn) apply(s *state, event *Event) error {
	return s.setSeat(o.Seat, tournament.SeatCheckedIn, func(held *seat) { held.CheckedIn = event.At })
}

func (o *checkInUndone) apply(s *state, _ *Event) error {
	return s.setSeat(o.Seat, tournament.SeatIssued, func(held *seat) { held.CheckedIn = time.Time{} })
}

func (o *admitted) apply(s *state, _ *Event) error {
	s.view.Put(join(prefixAdmitted, string(o.Ticket)), []byte(o.Person))
	return nil
}

// setSeat leads a seat on to a state, as its life allows; edit, if any, changes it besides.
func (s *state) setSeat(id tournament.SeatID, next tournament.SeatState, edit func(*seat)) error {
	return change(s, join(prefixSeat, string(id)), func(held *seat) error {
		if !held.State.MayBecome(next) {
			return fmt.Errorf("%w: a seat cannot go from %s to %s", ErrBooks, held.State, next)
		}
		held.State = next
		if edit != nil {
			edit(held)
		}
		return nil
	})
}

// seatOf returns a seat that an act names, with its heat, or UnknownSeat.
func (t *turn) seatOf(id tournament.SeatID) (*seat, playing, error) {
	held, err := load[seat](t.view, join(prefixSeat, string(id)))
	if err != nil {
		return nil, playing{}, err
	}
	if held == nil {
		return nil, playing{}, tournament.UnknownSeat.Refuse()
	}
	now, _, err := t.heat(t.view, held.Heat)
	return held, now, err
}

// holder is who sits on a seat: the participant, or his proxy (clause 16).
func (held *seat) holder() tournament.PersonID {
	if held.Proxy != "" {
		return held.Proxy
	}
	return held.Person
}

// present refuses unless somebody was identified there and then and may take part (clauses 1 to 3 and 12): by a document, or
// by a host who saw one or the photograph. A card alone, or a ticket, is never enough.
func (t *turn) present(by wire.Presence, who tournament.PersonID, heats ...tournament.Heat) (how string, err error) {
	switch {
	case by.Document != nil:
		v, err := t.admit(by.Card, by.Document)
		if err != nil {
			return "", err
		}
		if v.id != who {
			return "", tournament.NotHolder.Refuse()
		}
		how = "document"
	case by.Seen:
		how = "host"
	default:
		return "", tournament.HolderUnseen.Refuse()
	}
	record, err := load[person](t.view, join(prefixPerson, string(who)))
	if err != nil {
		return "", err
	}
	if record == nil {
		return "", tournament.UnknownPerson.Refuse()
	}
	refusal, err := t.barred(who, record, heats...)
	return how, asError(refusal, err)
}

func (a CancelSeat) decide(t *turn) (any, error) {
	held, now, err := t.seatOf(a.Seat)
	if err != nil {
		return nil, err
	}
	switch {
	case held.State == tournament.SeatVoid:
		return wire.Accepted{Sequence: t.last.sequence}, nil
	case held.State != tournament.SeatIssued || held.Entry == "":
		return nil, tournament.SeatOver.Refuse()
	case now.Phase.begun() || !t.at.Before(now.Closes(t.definition.Rules)):
		return nil, tournament.Closed.Refuse().At(now.Closes(t.definition.Rules))
	}
	if err := t.needLetGo(held.Person); err != nil {
		return nil, err
	}
	return t.accept(a.Why, &seatCancelled{Seat: a.Seat})
}

// accept records an outcome, and answers with its sequence.
func (t *turn) accept(why string, came outcome) (any, error) {
	if err := t.record(why, came); err != nil {
		return nil, err
	}
	return wire.Accepted{Sequence: t.last.sequence}, nil
}

func (a HostReprint) decide(t *turn) (any, error) {
	held, now, err := t.seatOf(a.Seat)
	if err != nil {
		return nil, err
	}
	switch {
	case a.Why == "" || len(a.Why) > mostText:
		return nil, fmt.Errorf("%w: a reprint without a reason", ErrInvalid)
	case !held.live() || now.Phase == phaseFinished:
		return nil, tournament.NotReprintable.Refuse()
	}
	if _, err := t.present(a.Presence, held.holder(), now.Heat); err != nil {
		return nil, err
	}
	ticket, err := tournament.NewTicketNumber(t.request.Random)
	if err != nil {
		return nil, err
	}
	if err := t.record(a.Why, &copyIntended{Seat: a.Seat, Copy: len(held.Copies) + 1, Ticket: ticket}); err != nil {
		return nil, err
	}
	if held, err = t.seat(a.Seat); err != nil {
		return nil, err
	}
	return t.wireSeat(a.Seat, held, now), nil
}

func (a CheckIn) decide(t *turn) (any, error) {
	now, err := t.needHeat(a.Heat)
	if err != nil {
		return nil, err
	}
	if now.Phase == phaseFinished {
		return nil, tournament.HeatGone.Refuse()
	}
	id, held, number, err := t.copyUnder(a.Ticket)
	if refusal, refused := errors.AsType[*tournament.Refusal](err); refused && refusal.Reason == tournament.UnknownTicket {
		return t.admitUnreported(a, now, refusal)
	}
	if err != nil {
		return nil, err
	}
	if err := t.admits(a, now, held, number); err != nil {
		return nil, err
	}
	how, err := t.present(a.Presence, held.holder(), now.Heat)
	if err != nil {
		return nil, err
	}
	if err := t.plays(held); err != nil {
		return nil, err
	}
	if err := t.record("", &checkedIn{Seat: id, Copy: number, By: how}); err != nil {
		return nil, err
	}
	if held, err = t.seat(id); err != nil {
		return nil, err
	}
	answer := t.wireSeat(id, held, now)
	return wire.CheckedIn{Seat: &answer, Machine: held.Machine, Until: t.at.Add(undoTime)}, nil
}

// admits refuses a ticket that does not admit to the heat, whoever holds it.
func (t *turn) admits(a CheckIn, now playing, held *seat, number int) error {
	switch {
	case held.Heat != a.Heat:
		other, _, err := t.heat(t.view, held.Heat)
		return asError(tournament.WrongHeat.Refuse().At(other.Heat.Start), err)
	case held.Copies[number-1].State == tournament.CopyVoid:
		return tournament.VoidCopy.Refuse()
	case held.State == tournament.SeatCheckedIn:
		return tournament.CheckedInTwice.Refuse().At(held.CheckedIn)
	case held.State == tournament.SeatVoid:
		return tournament.SeatVoidNow.Refuse()
	case held.State == tournament.SeatForfeited:
		return tournament.SeatForfeit.Refuse()
	case held.State != tournament.SeatIssued:
		return tournament.SeatOver.Refuse()
	case now.Phase.begun() && !held.Present:
		before, err := t.wasAdmitted(held)
		if err != nil || before {
			return err
		}
		return tournament.HeatStarted.Refuse().At(now.Began)
	}
	return nil
}

// wasAdmitted reports whether the holder was let in before the kiosk that gave the seat had reported it.
func (t *turn) wasAdmitted(held *seat) (bool, error) {
	for _, one := range held.Copies {
		who, err := name[tournament.PersonID](t.view, join(prefixAdmitted, string(one.Ticket)))
		if err != nil || who == held.Person {
			return err == nil, err
		}
	}
	return false, nil
}

// admitUnreported admits the holder of a ticket that was granted to a kiosk which has not reported it yet, against the
// document, as a case (design decision 5).
func (t *turn) admitUnreported(a CheckIn, now playing, unknown *tournament.Refusal) (any, error) {
	ticket, err := tournament.ParseTicketNumber(a.Ticket)
	if err != nil {
		return nil, unknown
	}
	kiosk, err := name[string](t.view, join(prefixGrantedTicket, string(ticket)))
	if err != nil || kiosk == "" {
		return nil, asError(unknown, err)
	}
	has, err := load[grant](t.view, join(prefixGrant, kiosk))
	if err != nil {
		return nil, err
	}
	machine := 0
	if has != nil {
		heat, granted, held := has.find(ticket)
		if held && heat != a.Heat {
			return nil, tournament.WrongHeat.Refuse()
		}
		machine = granted
	}
	switch {
	case now.Phase.begun():
		return nil, tournament.HeatStarted.Refuse().At(now.Began)
	case a.Document == nil:
		// Nobody knows yet whose the seat is: only a document says who sits there.
		return nil, tournament.HolderUnseen.Refuse()
	}
	before, err := name[tournament.PersonID](t.view, join(prefixAdmitted, string(ticket)))
	if err != nil {
		return nil, err
	}
	if before != "" {
		return nil, tournament.CheckedInTwice.Refuse()
	}
	v, err := t.admit(a.Card, a.Document)
	if err != nil {
		return nil, err
	}
	if _, err := t.present(a.Presence, v.id, now.Heat); err != nil {
		return nil, err
	}
	if err := t.record("", &admitted{Ticket: ticket, Person: v.id, Heat: a.Heat}); err != nil {
		return nil, err
	}
	evidence := Evidence{Heat: a.Heat, Machine: machine, Kiosk: kiosk, Said: string(ticket)}
	if err := t.openCase(CaseUnreported, v.id, evidence); err != nil {
		return nil, err
	}
	return wire.CheckedIn{Machine: machine, Case: true, Kiosk: kiosk}, nil
}

func (a UndoCheckIn) decide(t *turn) (any, error) {
	held, now, err := t.seatOf(a.Seat)
	if err != nil {
		return nil, err
	}
	switch {
	case held.State == tournament.SeatIssued:
		return wire.Accepted{Sequence: t.last.sequence}, nil
	case held.State != tournament.SeatCheckedIn:
		return nil, tournament.SeatOver.Refuse()
	case now.Phase.begun():
		return nil, tournament.HeatStarted.Refuse()
	case t.at.After(held.CheckedIn.Add(undoTime)):
		return nil, tournament.UndoOver.Refuse().At(held.CheckedIn.Add(undoTime))
	}
	return t.accept("", &checkInUndone{Seat: a.Seat})
}
