package ledger

import (
	"fmt"
	"slices"
	"time"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

type (
	// ReplaceSeat finds a seat for a player whose machine is out of order (clauses 20 and 21); the answer is a wire.Replaced.
	ReplaceSeat wire.SeatDecision
	// DisqualifySeat disqualifies a player from a seat by his own fault (clause 20); the answer is a wire.Accepted.
	DisqualifySeat wire.SeatDecision
	// DecideSeat decides about a seat of a heat that has begun whose holder was not checked in; the answer is a wire.Accepted.
	DecideSeat wire.DecideSeat
	// DisqualifyPlayer disqualifies a player from the tournament (clauses 20 and 23); the answer is a wire.Accepted.
	DisqualifyPlayer wire.PlayerDecision
)

// seatMoved is the outcome of SeatMoved: the same seat, on another machine.
type seatMoved struct {
	Seat    tournament.SeatID `json:"seat"`
	Machine int               `json:"machine"`
}

// seatReplaced is the outcome of SeatReplaced: a new seat in a later heat carries this one on.
type seatReplaced struct {
	Seat    tournament.SeatID `json:"seat"`
	New     tournament.SeatID `json:"new"`
	Heat    tournament.HeatID `json:"heat"`
	Start   time.Time         `json:"start"`
	Machine int               `json:"machine"`
	// Entry is the entry that carries the old one on; it does not expire. A seat of a final stage has none.
	Entry  tournament.EntryID      `json:"entry,omitempty"`
	Ticket tournament.TicketNumber `json:"ticket"`
}

// seatBroken is the outcome of SeatBroken: there was nothing free, and the entry waits for a refund or a later heat.
type seatBroken struct {
	Seat tournament.SeatID `json:"seat"`
}

// seatDisqualified is the outcome of SeatDisqualified.
type seatDisqualified struct {
	Seat tournament.SeatID `json:"seat"`
}

// seatDecided is the outcome of SeatDecided.
type seatDecided struct {
	Seat tournament.SeatID `json:"seat"`
	Free bool              `json:"free,omitempty"`
}

// playerDisqualified is the outcome of PlayerDisqualified.
type playerDisqualified struct {
	Hit hit `json:"hit"`
}

func (*seatMoved) what() What          { return SeatMoved }
func (*seatReplaced) what() What       { return SeatReplaced }
func (*seatBroken) what() What         { return SeatBroken }
func (*seatDisqualified) what() What   { return SeatDisqualified }
func (*seatDecided) what() What        { return SeatDecided }
func (*playerDisqualified) what() What { return PlayerDisqualified }

func (o *seatMoved) apply(s *state, _ *Event) error {
	return change(s, join(prefixSeat, string(o.Seat)), func(held *seat) error {
		own, err := s.dropOwn(takenKey(held.Heat, held.Machine), o.Seat)
		if err != nil {
			return err
		}
		err = s.setHeat(held.Heat, func(h *heat) {
			if own {
				h.Taken = h.Taken.without(held.Machine)
			}
			h.Taken = h.Taken.with(o.Machine)
		})
		held.Machine = o.Machine
		s.view.Put(takenKey(held.Heat, o.Machine), []byte(o.Seat))
		return err
	})
}

func (o *seatReplaced) apply(s *state, event *Event) error {
	old, err := s.seat(o.Seat)
	if err != nil {
		return err
	}
	next := seat{
		Heat: o.Heat, Machine: o.Machine, Person: old.Person, Entry: o.Entry, Index: old.Index, Count: old.Count, Ends: old.Ends,
		State: tournament.SeatIssued, Issued: event.At, Where: event.Where, Rules: old.Rules, Place: old.Place, Proxy: old.Proxy,
		Copies: []copyRecord{{Ticket: o.Ticket, State: tournament.CopyIntended}},
	}
	if o.Entry != "" {
		used, err := need[entry](s.view, join(prefixEntry, string(old.Entry)))
		if err != nil {
			return err
		}
		carries := *used
		carries.State, carries.Freed, carries.Seat = tournament.EntrySeated, true, o.New
		if err := s.put(join(prefixEntry, string(o.Entry)), &carries); err != nil {
			return err
		}
	}
	if err := s.breakSeat(o.Seat, o.New, nil, tournament.EntryReplaced); err != nil {
		return err
	}
	return s.seatAt(o.New, &next)
}

// seatAt puts a seat on its machine.
func (s *state) seatAt(id tournament.SeatID, held *seat) error {
	if err := s.setHeat(held.Heat, func(h *heat) { h.Taken = h.Taken.with(held.Machine) }); err != nil {
		return err
	}
	s.view.Put(takenKey(held.Heat, held.Machine), []byte(id))
	if held.Place > 0 {
		s.view.Put(placedKey(held.Person, held.Heat, held.Place), []byte(id))
	} else {
		s.view.Put(seatedKey(held.Person, held.Heat), []byte(id))
	}
	for _, one := range held.Copies {
		s.view.Put(join(prefixTicket, string(one.Ticket)), []byte(id))
	}
	return s.put(join(prefixSeat, string(id)), held)
}

func (o *seatBroken) apply(s *state, _ *Event) error {
	return s.breakSeat(o.Seat, "", func(e *entry) { e.Freed = true }, tournament.EntryUnused)
}

// breakSeat ends a seat whose machine is out of order: void before the heat, a malfunction during it. Its entry is led on.
func (s *state) breakSeat(id, instead tournament.SeatID, edit func(*entry), next tournament.EntryState) error {
	held, err := s.seat(id)
	if err != nil {
		return err
	}
	if held.State == tournament.SeatIssued && !held.Present {
		err = s.voidSeat(id, edit, next)
	} else {
		if held.State == tournament.SeatIssued { // marked present, and never scanned
			err = s.setSeat(id, tournament.SeatCheckedIn, nil)
		}
		if err == nil {
			err = s.setSeat(id, tournament.SeatMalfunction, nil)
		}
		if err == nil && held.Entry != "" {
			err = s.setOwnEntry(held.Entry, id, edit, next)
		}
	}
	if err != nil {
		return err
	}
	return change(s, join(prefixSeat, string(id)), func(held *seat) error {
		held.Instead = instead
		return nil
	})
}

func (o *seatDisqualified) apply(s *state, _ *Event) error {
	held, err := s.seat(o.Seat)
	if err != nil {
		return err
	}
	if err := s.unrank(o.Seat); err != nil {
		return err
	}
	if held.State == tournament.SeatPlayed {
		return change(s, join(prefixSeat, string(o.Seat)), func(held *seat) error {
			held.Disqualified = true
			return nil
		})
	}
	if err := s.setSeat(o.Seat, tournament.SeatPlayed, func(held *seat) { held.Disqualified = true }); err != nil || held.Entry == "" {
		return err
	}
	return s.setOwnEntry(held.Entry, o.Seat, nil, tournament.EntryForfeited)
}

func (o *seatDecided) apply(s *state, _ *Event) error {
	if !o.Free {
		return s.forfeit(o.Seat)
	}
	return s.voidSeat(o.Seat, func(e *entry) { e.Freed = true }, tournament.EntryUnused)
}

func (o *playerDisqualified) apply(s *state, _ *Event) error { return s.disqualify(o.Hit) }

func (a ReplaceSeat) decide(t *turn) (any, error) {
	held, now, err := t.seatOf(a.Seat)
	switch {
	case err != nil:
		return nil, err
	case !held.live():
		return nil, tournament.SeatOver.Refuse()
	case now.Phase.begun() && held.State == tournament.SeatIssued && !held.Present:
		return nil, tournament.NotCheckedIn.Refuse()
	}
	out, err := t.outOfService(t.view)
	if err != nil {
		return nil, err
	}
	if machine, free := t.lowestFree(now, out); free && !now.Phase.begun() {
		if err := t.record(a.Why, &seatMoved{Seat: a.Seat, Machine: machine.Number}); err != nil {
			return nil, err
		}
		return t.replaced(a.Seat, true)
	}
	if err := t.needLetGo(held.Person); err != nil {
		return nil, err
	}
	return t.laterSeat(a, held, now, out)
}

// replaced answers with the seat that a player has now.
func (t *turn) replaced(id tournament.SeatID, moved bool) (any, error) {
	held, now, err := t.seatOf(id)
	if err != nil {
		return nil, err
	}
	answer := t.wireSeat(id, held, now)
	return wire.Replaced{Seat: &answer, Moved: moved}, nil
}

// laterSeat gives the player the first available seat in a later heat of the same stage in which he holds none, whatever his
// window says and even after closing, until the start. Where there is none it opens a case: a refund, which the director
// authorises (clause 20), or an additional heat (clause 21).
func (t *turn) laterSeat(a ReplaceSeat, held *seat, now playing, out func(int) bool) (any, error) {
	came := seatReplaced{Seat: a.Seat}
	err := t.heatsFrom(t.view, now.Heat.Start.Add(time.Nanosecond), func(later playing) (bool, error) {
		late := later.Heat.Start.Before(t.at) && later.Phase != phaseCalled
		if later.Stage != now.Stage || later.Cancelled || later.Held || later.Phase.begun() || late {
			return true, nil
		}
		if has, err := t.holdsSeat(held.Person, later); has || err != nil {
			return true, err
		}
		machine, free := t.lowestFree(later, out)
		if free {
			came.Heat, came.Start, came.Machine = later.ID, later.Heat.Start, machine.Number
		}
		return !free, nil
	})
	if err != nil {
		return nil, err
	}
	if came.Heat == "" {
		if err := t.record(a.Why, &seatBroken{Seat: a.Seat}); err != nil {
			return nil, err
		}
		evidence := Evidence{Heat: held.Heat, Machine: held.Machine, Seats: []tournament.SeatID{a.Seat}}
		if held.Entry != "" {
			evidence.Entries = []tournament.EntryID{held.Entry}
		}
		return wire.Replaced{Case: true}, t.openCase(CaseUnplaced, held.Person, evidence)
	}
	if came.New, err = orderedID[tournament.SeatID](t); err != nil {
		return nil, err
	}
	if held.Entry != "" {
		if came.Entry, err = orderedID[tournament.EntryID](t); err != nil {
			return nil, err
		}
	}
	if came.Ticket, err = tournament.NewTicketNumber(t.request.Random); err != nil {
		return nil, err
	}
	if err := t.record(a.Why, &came); err != nil {
		return nil, err
	}
	return t.replaced(came.New, false)
}

func (a DisqualifySeat) decide(t *turn) (any, error) {
	held, _, err := t.seatOf(a.Seat)
	switch {
	case err != nil:
		return nil, err
	case held.Disqualified:
		return wire.Accepted{Sequence: t.last.sequence}, nil
	case held.State != tournament.SeatCheckedIn && held.State != tournament.SeatPlayed:
		return nil, tournament.SeatOver.Refuse()
	}
	if err := t.record(a.Why, &seatDisqualified{Seat: a.Seat}); err != nil {
		return nil, err
	}
	if err := t.caseForLists(held.Person, a.Seat, tournament.Disqualified); err != nil {
		return nil, err
	}
	return wire.Accepted{Sequence: t.last.sequence}, nil
}

func (a DecideSeat) decide(t *turn) (any, error) {
	held, now, err := t.seatOf(a.Seat)
	switch {
	case err != nil:
		return nil, err
	case !now.Phase.begun():
		return nil, tournament.HeatNotStarted.Refuse()
	case held.State != tournament.SeatIssued:
		return nil, tournament.SeatOver.Refuse()
	}
	if a.Free {
		if err := t.needLetGo(held.Person); err != nil {
			return nil, err
		}
	}
	return t.accept(a.Why, &seatDecided{Seat: a.Seat, Free: a.Free})
}

func (a DisqualifyPlayer) decide(t *turn) (any, error) {
	record, err := load[person](t.view, join(prefixPerson, string(a.Person)))
	switch {
	case err != nil:
		return nil, err
	case record == nil:
		return nil, tournament.UnknownPerson.Refuse()
	case record.Disqualified:
		return wire.Accepted{Sequence: t.last.sequence}, nil
	case a.Why == "":
		return nil, fmt.Errorf("%w: a decision without a reason", ErrInvalid)
	}
	who, err := t.hitOf(a.Person)
	if err != nil {
		return nil, err
	}
	if err := t.record(a.Why, &playerDisqualified{Hit: who}); err != nil {
		return nil, err
	}
	if err := t.caseForLists(a.Person, "", tournament.Disqualified); err != nil {
		return nil, err
	}
	return wire.Accepted{Sequence: t.last.sequence}, nil
}

// holdsSeat reports whether a person has a seat in a heat.
func (t *turn) holdsSeat(who tournament.PersonID, now playing) (bool, error) {
	if now.Stage == tournament.Qualifying {
		held, err := name[tournament.SeatID](t.view, seatedKey(who, now.ID))
		return held != "", err
	}
	seats, err := t.placedIn(who, now.ID)
	return len(seats) > 0, err
}

// placedIn returns the seats that a participant has in a heat of a final stage, in the order of their places.
func (s *state) placedIn(who tournament.PersonID, heat tournament.HeatID) ([]tournament.SeatID, error) {
	return s.namesUnder(append(seatedKey(who, heat), '/'))
}

// placedOf returns the seats that a participant has in the heats of a final stage.
func (s *state) placedOf(who tournament.PersonID, stage tournament.StageKind) ([]tournament.SeatID, error) {
	return s.namesUnder(seatedKey(who, tournament.HeatID(stage+"-")))
}

func (s *state) namesUnder(low []byte) (seats []tournament.SeatID, err error) {
	keys, failed := s.view.Range(low, after(low))
	for _, id := range keys {
		seats = append(seats, tournament.SeatID(id))
	}
	if err := failed(); err != nil {
		return nil, fmt.Errorf("reading a person's seats: %w", err)
	}
	return seats, nil
}

// plays refuses a participant who is checked in for another of his seats in the same heat: he plays one of them, and proxies
// play the others (clause 16).
func (t *turn) plays(held *seat) error {
	if held.Place == 0 || held.Proxy != "" {
		return nil
	}
	seats, err := t.placedIn(held.Person, held.Heat)
	if err != nil {
		return err
	}
	for _, id := range seats {
		other, err := t.seat(id)
		if err != nil {
			return err
		}
		if other.Place != held.Place && other.Proxy == "" && slices.Contains(sat, other.State) {
			return tournament.CheckedInTwice.Refuse().At(other.CheckedIn)
		}
	}
	return nil
}

// sat are the states of a seat on which somebody has sat down.
var sat = []tournament.SeatState{tournament.SeatCheckedIn, tournament.SeatPlayed, tournament.SeatMalfunction}
