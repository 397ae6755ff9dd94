package ledger

import (
	"fmt"
	"slices"
	"time"

	"reelkiosk/store/tournament"
)

// identifiedBy are the ways in which a player can have been identified, for the record.
var identifiedBy = []string{"card", "document", "both", "host"}

// registered is the outcome of Registered.
type registered struct {
	Seat    tournament.SeatID   `json:"seat"`
	Person  tournament.PersonID `json:"person"`
	Heat    tournament.HeatID   `json:"heat"`
	Start   time.Time           `json:"start"`
	Machine int                 `json:"machine"`
	Entry   tournament.EntryID  `json:"entry"`
	// Ticket is the number of copy 1, which is intended.
	Ticket tournament.TicketNumber `json:"ticket"`
	// Rules is the hash of the rules that were accepted; with the declaration of clause 3 nobody gets here without.
	Rules string `json:"rules_hash"`
	By    string `json:"identified_by"`

	// issued is the seat that applying it made.
	issued *seat
}

func (*registered) what() What { return Registered }

func (o *registered) apply(s *state, event *Event) error {
	used, err := s.useEntry(o.Entry, o.Person, o.Seat)
	if err != nil {
		return err
	}
	err = s.setHeat(o.Heat, func(h *heat) { h.Taken = h.Taken.with(o.Machine) })
	if err != nil {
		return err
	}
	s.view.Put(takenKey(o.Heat, o.Machine), []byte(o.Seat))
	s.view.Put(seatedKey(o.Person, o.Heat), []byte(o.Seat))
	s.view.Put(join(prefixTicket, string(o.Ticket)), []byte(o.Seat))
	o.issued = &seat{
		Heat: o.Heat, Machine: o.Machine, Person: o.Person, Entry: o.Entry, Index: used.Index, Count: used.Count,
		Ends: used.Ends, State: tournament.SeatIssued, Issued: event.At, Where: event.Where, Rules: o.Rules,
		Copies: []copyRecord{{Ticket: o.Ticket, State: tournament.CopyIntended}},
	}
	return s.put(join(prefixSeat, string(o.Seat)), o.issued)
}

func (a Register) decide(t *turn) (any, error) {
	now, err := t.admitRegistration(a, t.barred)
	if err != nil {
		return nil, err
	}
	return t.register(a, now)
}

// admitRegistration refuses a registration for what neither the player's entries nor the heat's machines decide, and
// returns the heat. Whether the player may take part at all is asked of barred, before anything else is said.
func (t *turn) admitRegistration(
	a Register, barred func(tournament.PersonID, *person, ...tournament.Heat) (*tournament.Refusal, error),
) (playing, error) {
	if !slices.Contains(identifiedBy, a.By) {
		return playing{}, fmt.Errorf("%w: identified by %q", ErrInvalid, a.By)
	}
	player, err := load[person](t.view, join(prefixPerson, string(a.Person)))
	if err != nil {
		return playing{}, err
	}
	if player == nil {
		return playing{}, tournament.UnknownPerson.Refuse()
	}
	now, known, err := t.heat(t.view, a.Heat)
	if err != nil {
		return now, err
	}
	var heats []tournament.Heat
	if known {
		heats = []tournament.Heat{now.Heat}
	}
	if refusal, err := barred(a.Person, player, heats...); refusal != nil || err != nil {
		return now, asError(refusal, err)
	}
	if !known {
		return now, tournament.UnknownHeat.Refuse()
	}
	if refusal := t.checkRegistration(a, now); refusal != nil {
		return now, refusal
	}
	return now, nil
}

// checkRegistration checks what needs no more of the books than the heat: clauses 3, 10, 11, 14 and 25.
func (t *turn) checkRegistration(a Register, now playing) *tournament.Refusal {
	switch rules := t.definition.Rules; {
	case now.Cancelled:
		return tournament.HeatGone.Refuse()
	case now.Held:
		return tournament.HeatHeld.Refuse()
	case now.Phase.begun():
		return tournament.Closed.Refuse().At(now.Began)
	case now.Stage != tournament.Qualifying:
		// Seats of the final stages are drawn (clause 14), never registered for.
		return tournament.Refuse(tournament.NotOpen, 14)
	default:
		if refusal := rules.CheckRegistration(now.Heat, t.at); refusal != nil {
			return refusal
		}
	}
	if a.Rules != t.definition.Text.Hash {
		return tournament.NotAccepted.Refuse()
	}
	if !a.Declared {
		return tournament.NotDeclared.Refuse()
	}
	return nil
}

// register gives the player the lowest free machine of the heat for the entry that is used up first (clauses 5 to 9, 11
// and 16).
func (t *turn) register(a Register, now playing) (any, error) {
	held, err := name[tournament.SeatID](t.view, seatedKey(a.Person, a.Heat))
	if err != nil {
		return nil, err
	}
	if held != "" {
		return nil, tournament.AlreadySeated.Refuse()
	}
	if err := t.needLetGo(a.Person); err != nil {
		return nil, err
	}
	use, err := t.chooseEntry(a.Person, now.Heat)
	if err != nil {
		return nil, err
	}
	out, err := t.outOfService(t.view)
	if err != nil {
		return nil, err
	}
	machine, free := t.lowestFree(now, out)
	if !free {
		return nil, asError(tournament.HeatFull.Refuse(), t.callBack(a.Heat, out))
	}
	id, err := orderedID[tournament.SeatID](t)
	if err != nil {
		return nil, err
	}
	ticket, err := tournament.NewTicketNumber(t.request.Random)
	if err != nil {
		return nil, err
	}
	came := registered{
		Seat: id, Person: a.Person, Heat: a.Heat, Start: now.Heat.Start, Machine: machine.Number, Entry: use,
		Ticket: ticket, Rules: a.Rules, By: a.By,
	}
	if err := t.record("", &came); err != nil {
		return nil, err
	}
	return t.wireSeat(id, came.issued, now), t.callBack(a.Heat, out)
}

// barred is checkPerson that opens a case where a host has to decide about a possible match.
func (t *turn) barred(id tournament.PersonID, record *person, heats ...tournament.Heat) (*tournament.Refusal, error) {
	refusal, err := t.checkPerson(id, record, heats...)
	if err == nil && refusal != nil && refusal.Reason == tournament.PossibleMatch {
		err = t.openCase(CasePossibleMatch, id, Evidence{Reason: refusal.Reason})
	}
	return refusal, err
}

// asError returns the failure where there is one, and otherwise the refusal.
func asError(refusal *tournament.Refusal, err error) error {
	if err != nil || refusal == nil {
		return err
	}
	return refusal
}
