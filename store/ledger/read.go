package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"reelkiosk/store/kv"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// Last returns the sequence and the time of the newest event; zero in empty books.
func Last(view kv.Reader) (sequence uint64, at time.Time, err error) {
	newest, err := loadLast(view)
	return newest.sequence, newest.at, err
}

// Heats returns at most limit heats that start at that moment or later, in order, with their fill. An error wraps
// ErrBooks or is the view's.
func (b *Books) Heats(view kv.Reader, from time.Time, limit int) ([]wire.Heat, error) {
	out, err := b.outOfService(view)
	if err != nil {
		return nil, err
	}
	heats := []wire.Heat{}
	if limit < 1 {
		return heats, nil
	}
	err = b.heatsFrom(view, from, func(now playing) (bool, error) {
		heats = append(heats, b.wireHeat(now, out))
		return len(heats) < limit, nil
	})
	return heats, err
}

func (b *Books) wireHeat(now playing, out func(int) bool) wire.Heat {
	size, free := b.room(now, out)
	answer := wire.Heat{
		ID: now.ID, Stage: now.Stage, Day: now.Day, Number: now.Number, Start: now.Heat.Start,
		Opens: now.Opens(b.definition.Rules), Closes: now.Closes(b.definition.Rules), Size: size, Free: free,
		State: "scheduled",
	}
	if state := now.state(); state != "" {
		answer.State, answer.Free = state, 0
	}
	order := b.definition.Seats(now.Size)
	if len(order) == 0 {
		return answer
	}
	var places []string
	numbers := make([]int, 0, len(order))
	for _, machine := range order {
		numbers = append(numbers, machine.Number)
		if machine.Place != "" && !slices.Contains(places, machine.Place) {
			places = append(places, machine.Place)
		}
	}
	answer.Place = stretch(places)
	answer.Machines = [2]int{slices.Min(numbers), slices.Max(numbers)}
	return answer
}

// stretch says over which places a heat's machines stand: the first and the last, since a line on a screen holds no more.
func stretch(places []string) string {
	if len(places) < 2 {
		return strings.Join(places, "")
	}
	return places[0] + " – " + places[len(places)-1]
}

// Seats returns the seats of a heat that hold a machine, by machine, with their players' ids and their kiosks. For an
// unknown heat it is the refusal UnknownHeat.
func (b *Books) Seats(view kv.Reader, id tournament.HeatID) ([]wire.Seat, error) {
	now, known, err := b.heat(view, id)
	if err != nil {
		return nil, err
	}
	if !known {
		return nil, tournament.UnknownHeat.Refuse()
	}
	seats := []wire.Seat{}
	err = eachSeat(view, id, func(id tournament.SeatID, record *seat) {
		answer := b.wireSeat(id, record, now)
		answer.Person, answer.Kiosk, answer.Proxy, answer.Disqualified = record.Person, record.Where, record.Proxy, record.Disqualified
		seats = append(seats, answer)
	})
	return seats, err
}

// Cases returns the cases in the order in which they were opened, with their evidence as JSON in Detail.
func (b *Books) Cases(view kv.Reader) ([]wire.Case, error) {
	type opened struct {
		sequence uint64
		wire.Case
	}
	var all []opened
	low := []byte(prefixCase)
	keys, failed := view.Range(low, after(low))
	for key, value := range keys {
		var record caseRecord
		if err := json.Unmarshal(value, &record); err != nil {
			return nil, fmt.Errorf("%w: a case: %w", ErrBooks, err)
		}
		detail, err := json.Marshal(record.Evidence)
		if err != nil {
			return nil, fmt.Errorf("writing a case: %w", err)
		}
		all = append(all, opened{record.Opened, wire.Case{
			ID: tournament.CaseID(key[len(prefixCase):]), Kind: string(record.Kind), Opened: record.At,
			Person: record.Person, Detail: string(detail), Closed: record.Closed,
		}})
	}
	if err := failed(); err != nil {
		return nil, fmt.Errorf("reading cases: %w", err)
	}
	slices.SortFunc(all, func(left, right opened) int { return int(left.sequence) - int(right.sequence) })
	cases := make([]wire.Case, len(all))
	for i, one := range all {
		cases[i] = one.Case
	}
	return cases, nil
}

// Events returns at most limit events that come after the sequence, in order.
func (b *Books) Events(view kv.Reader, after uint64, limit int) ([]Event, error) {
	events := []Event{}
	if limit < 1 {
		return events, nil
	}
	err := eachEvent(view, after, func(event *Event, _ []byte) error {
		events = append(events, *event)
		if len(events) == limit {
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return events, err
}

// errEnough ends a walk over events early.
var errEnough = errors.New("enough")

// eachEvent calls yield with the events after a sequence, in order, and with what they were read from, until it fails.
func eachEvent(view kv.Reader, newer uint64, yield func(event *Event, text []byte) error) error {
	keys, failed := view.Range(eventKey(newer+1), after([]byte(prefixEvent)))
	for _, value := range keys {
		var event Event
		if err := json.Unmarshal(value, &event); err != nil {
			return fmt.Errorf("%w: an event: %w", ErrBooks, err)
		}
		if err := yield(&event, value); err != nil {
			return err
		}
	}
	if err := failed(); err != nil {
		return fmt.Errorf("reading events: %w", err)
	}
	return nil
}

// EntryRecord is an entry as operators list it.
type EntryRecord struct {
	ID       tournament.EntryID    `json:"id"`
	Purchase tournament.PurchaseID `json:"purchase"`
	Person   tournament.PersonID   `json:"person,omitempty"`
	Kind     tournament.EntryKind  `json:"kind"`
	State    tournament.EntryState `json:"state"`
	Expired  bool                  `json:"expired" doc:"unused, and its window is over"`
	Bought   time.Time             `json:"bought"`
	Ends     time.Time             `json:"ends"`
	Index    int                   `json:"index"`
	Count    int                   `json:"count"`
	Seat     tournament.SeatID     `json:"seat,omitempty"`
}

// Entries returns at most limit entries whose ids come after the given one, in the order of their ids, as they stand at
// that time.
func (b *Books) Entries(view kv.Reader, newer tournament.EntryID, limit int, now time.Time) ([]EntryRecord, error) {
	entries := []EntryRecord{}
	keys, failed := view.Range(append(join(prefixEntry, string(newer)), 0), after([]byte(prefixEntry)))
	for key, value := range keys {
		if len(entries) >= limit {
			break
		}
		var e entry
		if err := read(key, value, &e); err != nil {
			return nil, err
		}
		id := tournament.EntryID(key[len(prefixEntry):])
		entries = append(entries, EntryRecord{
			ID: id, Purchase: e.Purchase, Person: e.Person, Kind: e.Kind, State: e.State,
			Expired: e.State == tournament.EntryUnused && e.rules(id).Expired(now), Bought: e.Bought, Ends: e.Ends,
			Index: e.Index, Count: e.Count, Seat: e.Seat,
		})
	}
	if err := failed(); err != nil {
		return nil, fmt.Errorf("reading entries: %w", err)
	}
	return entries, nil
}
