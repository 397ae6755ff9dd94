package ledger

import (
	"fmt"
	"slices"

	"reelkiosk/store/kv"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// seat returns the seat of that id, which must exist.
func (s *state) seat(id tournament.SeatID) (*seat, error) { return loadSeat(s.view, id) }

func loadSeat(view kv.Reader, id tournament.SeatID) (*seat, error) {
	held, err := need[seat](view, join(prefixSeat, string(id)))
	if err == nil && len(held.Copies) == 0 {
		err = fmt.Errorf("%w: a seat without a copy", ErrBooks)
	}
	return held, err
}

// wireSeat returns a seat with its last copy as it is answered to its player.
func (b *Books) wireSeat(id tournament.SeatID, held *seat, now playing) wire.Seat {
	latest := held.Copies[len(held.Copies)-1]
	return wire.Seat{
		ID: id, Heat: held.Heat, Number: now.Number, Start: now.Heat.Start, Machine: held.Machine,
		Place: b.machines[held.Machine].Place, State: held.State, Entry: held.Entry, EntryIndex: held.Index,
		EntryCount: held.Count, EntryEnds: held.Ends, Ticket: string(latest.Ticket), Copy: len(held.Copies),
		CopyState: latest.State, Rules: held.Rules, Issued: held.Issued,
	}
}

// heldSeat is a seat as its holder is told of it.
type heldSeat struct {
	wire.Seat
	record *seat
}

// mayReprint reports whether the player may have the ticket printed again: nothing came of the last copy for certain, and
// the player's own reprint is not used up. A copy that never started may be printed again as often as that happens.
func (h *heldSeat) mayReprint() bool {
	switch h.CopyState {
	case tournament.CopyLost:
		return true
	case tournament.CopyUnconfirmed:
		return !h.record.reprinted()
	}
	return false
}

// reprinted reports whether the player's own reprint of an unconfirmed copy was used.
func (held *seat) reprinted() bool {
	return slices.ContainsFunc(held.Copies, func(one copyRecord) bool { return one.Player })
}

// seatsOf returns a person's qualifying seats in heats of the last month and to come. Ids of heats begin with stage and
// day, so that those of one stage lie in the order of their days.
func (t *turn) seatsOf(who tournament.PersonID) ([]heldSeat, error) {
	stage := string(tournament.Qualifying) + "-"
	since := tournament.DateOf(t.at.Add(-longestMove)).AddDays(-1)
	low := seatedKey(who, tournament.HeatID(stage+since.String()))
	var seats []heldSeat
	keys, failed := t.view.Range(low, after(seatedKey(who, tournament.HeatID(stage))))
	for _, value := range keys {
		id := tournament.SeatID(value)
		record, err := t.seat(id)
		if err != nil {
			return nil, err
		}
		now, known, err := t.heat(t.view, record.Heat)
		if err != nil {
			return nil, err
		}
		if known {
			seats = append(seats, heldSeat{t.wireSeat(id, record, now), record})
		}
	}
	if err := failed(); err != nil {
		return nil, fmt.Errorf("reading a person's seats: %w", err)
	}
	slices.SortStableFunc(seats, func(left, right heldSeat) int { return left.Start.Compare(right.Start) })
	return seats, nil
}

// liveSeats returns the seats of a heat that are issued or checked in, in the order of their machines.
func (t *turn) liveSeats(id tournament.HeatID) ([]tournament.SeatID, error) {
	var live []tournament.SeatID
	err := eachSeat(t.view, id, func(id tournament.SeatID, record *seat) {
		if record.live() {
			live = append(live, id)
		}
	})
	return live, err
}

// live reports whether the seat is still to be played.
func (held *seat) live() bool {
	return held.State == tournament.SeatIssued || held.State == tournament.SeatCheckedIn
}

// eachSeat calls yield with the seats of a heat that hold a machine.
func eachSeat(view kv.Reader, id tournament.HeatID, yield func(tournament.SeatID, *seat)) error {
	low := append(join(prefixHeat, string(id)), '/')
	keys, failed := view.Range(low, after(low))
	for _, value := range keys {
		record, err := loadSeat(view, tournament.SeatID(value))
		if err != nil {
			return err
		}
		yield(tournament.SeatID(value), record)
	}
	if err := failed(); err != nil {
		return fmt.Errorf("reading the seats of a heat: %w", err)
	}
	return nil
}

// voidSeat makes a seat void and its machine free, and leads its entry on through the states; edit, if any, changes the
// entry first. The seat's tickets still name it.
func (s *state) voidSeat(id tournament.SeatID, edit func(*entry), states ...tournament.EntryState) error {
	var voided *seat
	err := change(s, join(prefixSeat, string(id)), func(record *seat) error {
		if !record.State.MayBecome(tournament.SeatVoid) {
			return fmt.Errorf("%w: a seat that is %s cannot be void", ErrBooks, record.State)
		}
		record.State, voided = tournament.SeatVoid, record
		return nil
	})
	if err != nil {
		return err
	}
	if own, err := s.dropOwn(takenKey(voided.Heat, voided.Machine), id); err != nil {
		return err
	} else if own {
		err = s.setHeat(voided.Heat, func(h *heat) { h.Taken = h.Taken.without(voided.Machine) })
		if err != nil {
			return err
		}
	}
	if _, err := s.dropOwn(seatedKey(voided.Person, voided.Heat), id); err != nil {
		return err
	}
	if voided.Entry == "" { // a seat of a final stage
		s.view.Delete(placedKey(voided.Person, voided.Heat, voided.Place))
		return nil
	}
	used, err := need[entry](s.view, join(prefixEntry, string(voided.Entry)))
	if err != nil || used.Seat != id {
		return err
	}
	return s.setEntry(voided.Entry, edit, states...)
}

// dropOwn removes what an index has under a key where it is this seat: of a seat that was given twice (design decision 4),
// the machine, the player's place in the heat and the entry may be another's.
func (s *state) dropOwn(key []byte, id tournament.SeatID) (bool, error) {
	holder, err := name[tournament.SeatID](s.view, key)
	if err != nil || holder != id {
		return false, err
	}
	s.view.Delete(key)
	return true, nil
}
