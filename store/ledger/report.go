package ledger

import (
	"fmt"
	"slices"
	"time"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// seatReported is the outcome of SeatReported. The seat is recorded as the kiosk gave it; what others have by then stays
// theirs.
type seatReported struct {
	Seat    tournament.SeatID       `json:"seat"`
	Person  tournament.PersonID     `json:"person"`
	Heat    tournament.HeatID       `json:"heat"`
	Machine int                     `json:"machine"`
	Entry   tournament.EntryID      `json:"entry"`
	Ticket  tournament.TicketNumber `json:"ticket"`
	Rules   string                  `json:"rules_hash"`
	By      string                  `json:"identified_by"`
	Kiosk   string                  `json:"kiosk"`
	Issued  time.Time               `json:"issued"`
	Start   time.Time               `json:"start"`
	Grant   uint64                  `json:"grant"`
	// Known is how far the kiosk's copy of the books was.
	Known uint64 `json:"known"`
	// Takes, Seats, Spends and Names say that the machine, the player's place in the heat, the entry and the ticket number
	// are this seat's; without them they are another's.
	Takes  bool `json:"takes,omitempty"`
	Seats  bool `json:"seats,omitempty"`
	Spends bool `json:"spends,omitempty"`
	Names  bool `json:"names,omitempty"`
	// Void says that the seat is void from the first: the heat was cancelled, and its entry is free, or the player was
	// excluded, and the entry is held (Held).
	Void bool `json:"void,omitempty"`
	Held bool `json:"held,omitempty"`
}

func (*seatReported) what() What { return SeatReported }

func (o *seatReported) apply(s *state, event *Event) error {
	if err := s.takeGranted(o, event.At); err != nil {
		return err
	}
	used, err := s.spend(o)
	if err != nil {
		return err
	}
	if o.Takes {
		if err := s.setHeat(o.Heat, func(h *heat) { h.Taken = h.Taken.with(o.Machine) }); err != nil {
			return err
		}
		s.view.Put(takenKey(o.Heat, o.Machine), []byte(o.Seat))
	}
	if o.Seats {
		s.view.Put(seatedKey(o.Person, o.Heat), []byte(o.Seat))
	}
	if o.Names {
		s.view.Put(join(prefixTicket, string(o.Ticket)), []byte(o.Seat))
	}
	err = s.put(join(prefixSeat, string(o.Seat)), &seat{
		Heat: o.Heat, Machine: o.Machine, Person: o.Person, Entry: o.Entry, Index: used.Index, Count: used.Count,
		Ends: used.Ends, State: tournament.SeatIssued, Issued: o.Issued, Where: o.Kiosk, Rules: o.Rules,
		Copies: []copyRecord{{Ticket: o.Ticket, State: tournament.CopyIntended}},
	})
	if err != nil || !o.Void {
		return err
	}
	edit := func(e *entry) { e.Freed = e.Freed || !o.Held }
	if err := s.voidSeat(o.Seat, edit, tournament.EntryUnused); err != nil {
		return err
	}
	if !o.Held || !o.Spends {
		return nil
	}
	return s.setEntry(o.Entry, nil, tournament.EntryHeld)
}

// takeGranted takes the machine from what is granted to the kiosk, if it is still.
func (s *state) takeGranted(o *seatReported, heard time.Time) error {
	key := join(prefixGrantedTicket, string(o.Ticket))
	kiosk, err := name[string](s.view, key)
	if err != nil || kiosk != o.Kiosk {
		return err
	}
	s.view.Delete(key)
	return s.ungrant(kiosk, []tournament.TicketNumber{o.Ticket}, heard)
}

// spend makes the entry the seat's, or only returns it where it is another's.
func (s *state) spend(o *seatReported) (*entry, error) {
	if o.Spends {
		return s.useEntry(o.Entry, o.Person, o.Seat)
	}
	return need[entry](s.view, join(prefixEntry, string(o.Entry)))
}

// others are the seats that have what a reported seat would have.
type others []tournament.SeatID

func (o *others) add(seat tournament.SeatID) {
	if seat != "" && !slices.Contains(*o, seat) {
		*o = append(*o, seat)
	}
}

// weighReport says what of a reported seat is its own as the view stands, and which other seats have the rest.
func (s *state) weighReport(a *wire.SeatReport) (*seatReported, others, error) {
	came := &seatReported{
		Seat: a.Seat, Person: a.Person, Heat: a.Heat, Machine: a.Machine, Entry: a.Entry, Ticket: a.Ticket, Rules: a.Rules,
		By: a.By, Kiosk: a.Kiosk, Issued: a.Issued.In(s.definition.Zone), Start: a.Start.In(s.definition.Zone), Grant: a.Grant, Known: a.Position,
	}
	var rivals others
	free := func(key []byte) (bool, error) {
		rival, err := name[tournament.SeatID](s.view, key)
		rivals.add(rival)
		return rival == "", err
	}
	var err error
	if came.Takes, err = free(takenKey(a.Heat, a.Machine)); err != nil {
		return nil, nil, err
	}
	if came.Seats, err = free(seatedKey(a.Person, a.Heat)); err != nil {
		return nil, nil, err
	}
	if came.Names, err = free(join(prefixTicket, string(a.Ticket))); err != nil {
		return nil, nil, err
	}
	used, err := need[entry](s.view, join(prefixEntry, string(a.Entry)))
	if err != nil {
		return nil, nil, err
	}
	came.Spends = used.State == tournament.EntryUnused && used.Person == a.Person
	if used.State != tournament.EntryUnused && used.State != tournament.EntryHeld {
		rivals.add(used.Seat)
	}
	return came, rivals, nil
}

func (a ReportSeat) decide(t *turn) (any, error) {
	before, err := load[seat](t.view, join(prefixSeat, string(a.Seat)))
	if err != nil {
		return nil, err
	}
	if before != nil { // it came by another way before
		return wire.Accepted{Sequence: t.last.sequence}, nil
	}
	now, player, err := t.checkReport(a)
	if err != nil {
		return nil, err
	}
	came, rivals, err := t.weighReport((*wire.SeatReport)(&a))
	if err != nil {
		return nil, err
	}
	reason, err := t.excludedNow(a.Person, player)
	if err != nil {
		return nil, err
	}
	excluded := reason != ""
	came.Held = excluded && now.Heat.Start.After(t.at)
	came.Void = came.Held || now.Cancelled
	if err := t.record("", came); err != nil {
		return nil, err
	}
	if err := t.reportCases(came, rivals, reason, now); err != nil {
		return nil, err
	}
	return wire.Accepted{Sequence: t.last.sequence}, nil
}

// checkReport refuses what cannot be a seat of these books at all.
func (t *turn) checkReport(a ReportSeat) (playing, *person, error) {
	invalid := func(what string) (playing, *person, error) {
		return playing{}, nil, fmt.Errorf("%w: a seat report with %s", ErrInvalid, what)
	}
	if a.Kiosk != t.request.Where || !slices.Contains(identifiedBy, a.By) || a.Seat == "" {
		return invalid("another kiosk's name, no seat, or no way of identifying")
	}
	now, known, err := t.heat(t.view, a.Heat)
	if err != nil {
		return now, nil, err
	}
	if _, exists := t.machines[a.Machine]; !known || !exists {
		return invalid("a heat or a machine that the tournament does not have")
	}
	if ticket, err := tournament.ParseTicketNumber(string(a.Ticket)); err != nil || ticket != a.Ticket {
		return invalid("a ticket number that is none")
	}
	player, err := load[person](t.view, join(prefixPerson, string(a.Person)))
	if err != nil {
		return now, nil, err
	}
	used, err := load[entry](t.view, join(prefixEntry, string(a.Entry)))
	if err != nil {
		return now, nil, err
	}
	if player == nil || used == nil {
		return invalid("a person or an entry that the books do not have")
	}
	return now, player, nil
}

// excludedNow returns why the person is excluded by now, or "".
func (t *turn) excludedNow(id tournament.PersonID, player *person) (tournament.Reason, error) {
	marks, err := player.Marks.list()
	if err != nil {
		return "", err
	}
	refusal, err := t.barredBy(marks)
	switch {
	case err != nil:
		return "", err
	case refusal != nil:
		return refusal.Reason, nil
	case player.Disqualified:
		return tournament.Disqualified, nil
	}
	return "", nil
}

// reportCases opens the cases of a reported seat, with what both sides went by.
func (t *turn) reportCases(came *seatReported, rivals others, excluded tournament.Reason, now playing) error {
	evidence := Evidence{
		Heat: came.Heat, Machine: came.Machine, Seats: append([]tournament.SeatID{came.Seat}, rivals...),
		Entries: []tournament.EntryID{came.Entry}, Kiosk: came.Kiosk, Issued: came.Issued, Known: came.Known,
	}
	var err error
	if evidence.Overridden, err = t.wasOverridden(came.Kiosk, came.Person); err != nil {
		return err
	}
	open := func(when bool, kind CaseKind, reason tournament.Reason) {
		if when && err == nil {
			evidence.Reason = reason
			err = t.openCase(kind, came.Person, evidence)
		}
	}
	open(excluded != "", CaseExcluded, excluded)
	open(now.Cancelled, CaseCancelled, "")
	open(!now.Cancelled && !now.Heat.Start.Equal(came.Start), CaseHeat, "")
	held := excluded != "" && !came.Spends // by the exclusion, which is the case
	open(!came.Takes || !came.Seats || !came.Names || !came.Spends && !held, CaseTwice, "")
	if err != nil {
		return err
	}
	out, err := t.outOfService(t.view)
	open(err == nil && out(came.Machine) && !came.Void, CaseMachine, "")
	return err
}
