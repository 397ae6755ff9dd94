package ledger

import (
	"fmt"
	"slices"
	"time"

	"reelkiosk/store/kv"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// Grants and homes: how kiosks that are cut off from each other and from central give seats, and none twice (design
// decision 4). This file and home.go, letgo.go and report.go are central's side; alone.go and store/replica are a kiosk's.
//
// Central grants a kiosk machines of the open heats (a block) and, by the list of homes, the players whom it may give them
// to. What central holds to be granted is never less than what a kiosk may use, whatever message is lost, late or doubled:
//
//	message     its sender persists before it is sent        central, when it arrives
//	AskGrant    the request, with the time of sending        adds machines with tickets; a new number, list and position
//	GiveBack    that these tickets are gone                  frees the machines of those tickets, and no others
//	LetGo       that the player gets nothing                 lets others act for the player, until the kiosk's next grant
//	SeatReport  the seat, before its ticket is printed       records it as what happened; its machine is no longer granted
//
// No machine is given twice. A machine is granted with a ticket number of its own. Central gives nobody else a machine
// while it is granted, and frees it only when the kiosk gave that ticket back or reported it, or by a decision (EndGrants).
// The kiosk gives a machine only on its ticket, once, and never after it gave the ticket back; a ticket that is gone stays
// gone, so that an old answer which arrives late brings nothing back. A machine that is granted again has another ticket.
//
// No entry is spent twice, and nobody has two seats in a heat. At any time at most one kiosk may give a player seats by
// itself: the home by the list that its grant names. While lists change, two kiosks may go by two lists; so a grant also
// names every other kiosk that may still use another list, and its holder leaves the players of those to them. The grant
// that is made later gives way, so that the players of any two grants are never the same. A kiosk may use a list until it
// has said, by AskGrant.Holds, that it has a later grant in use and that every seat given by the earlier ones is reported.
//
// Whoever else acts for the player (a desk, another kiosk) needs the home to let him go first. It did so before it said so,
// and gives him nothing until a grant that it asked for after central had heard of it, and until its copy has applied the
// events up to that grant: by then it knows what was done meanwhile. Central for its part takes the player for the home's
// again as soon as that grant is made. The home itself acts online for a player only once all that it gave him is reported,
// and gives him nothing by itself until the request is settled and its copy has applied what came of it.
//
// Nobody excluded slips through for longer than exclusions_max_age: a kiosk whose copy was last known to be complete longer
// ago gives no seats, nor does one that has started since its last contact and does not know how long ago that was. What
// slips through in that time is recorded, is void while the heat has not started, and is a case.
//
// When the other side is silent: a kiosk goes on with its grant until it ends by the clock that runs through sleep, counted
// from the sending of the request for it; central keeps machines and players for the kiosk for as long as it is silent, and
// a host decides otherwise for a player (Override) or for the kiosk (EndGrants). A kiosk that reboots without contact gives
// nothing. One whose grants were ended finds its seats recorded all the same, and where others had been given the same, both
// stand in a case.

// grant is what a kiosk has of central's, as central knows it: never less than what the kiosk may use.
type grant struct {
	// Holder is the enrolment whose disk has it.
	Holder string `json:"holder,omitempty"`
	// Number is that of the newest grant; it counts on when grants end.
	Number uint64 `json:"number"`
	// Issues are the grants that may still be in use, oldest first.
	Issues []issue `json:"issues,omitempty"`
	// Blocks are the machines that are neither given back nor reported.
	Blocks []wire.Block `json:"blocks,omitempty"`
	// Ended is the number up to which grants were ended by a decision.
	Ended uint64 `json:"ended,omitempty"`
	// Heard is when the kiosk last spoke of its grants.
	Heard time.Time `json:"heard,omitzero"`
}

// issue is one grant and the list of homes it goes by.
type issue struct {
	Number uint64 `json:"number"`
	List   uint64 `json:"list"`
}

// live reports whether the kiosk may give seats, or has given some that were not reported.
func (g *grant) live() bool { return len(g.Blocks) > 0 }

// lists returns the lists of homes that the kiosk may use.
func (g *grant) lists() (lists []uint64) {
	if !g.live() {
		return nil
	}
	for _, one := range g.Issues {
		if !slices.Contains(lists, one.List) {
			lists = append(lists, one.List)
		}
	}
	return lists
}

// find returns the heat and the machine that a ticket was granted for.
func (g *grant) find(ticket tournament.TicketNumber) (tournament.HeatID, int, bool) {
	for _, block := range g.Blocks {
		for _, seat := range block.Seats {
			if seat.Ticket == ticket {
				return block.Heat, seat.Machine, true
			}
		}
	}
	return "", 0, false
}

// of returns the block of a heat.
func (g *grant) of(heat tournament.HeatID) []wire.GrantedSeat {
	at := slices.IndexFunc(g.Blocks, func(block wire.Block) bool { return block.Heat == heat })
	if at < 0 {
		return nil
	}
	return g.Blocks[at].Seats
}

// granted is the outcome of Granted.
type granted struct {
	Kiosk  string `json:"kiosk"`
	Holder string `json:"holder"`
	Number uint64 `json:"number"`
	List   uint64 `json:"list"`
	// Holds is the lowest grant that the kiosk may still use or has not reported all of; 0 where it holds none.
	Holds uint64 `json:"holds,omitempty"`
	// Blocks are the machines that it got with this grant.
	Blocks []wire.Block `json:"blocks,omitempty"`
}

// givenBack is the outcome of GivenBack.
type givenBack struct {
	Kiosk   string                    `json:"kiosk"`
	Tickets []tournament.TicketNumber `json:"tickets"`
}

// calledBack is the outcome of CalledBack.
type calledBack struct {
	Heat tournament.HeatID `json:"heat"`
}

// grantsEnded is the outcome of GrantsEnded.
type grantsEnded struct {
	Kiosk string `json:"kiosk"`
	// Number is that of the last grant that ends.
	Number uint64 `json:"number"`
}

func (*granted) what() What     { return Granted }
func (*givenBack) what() What   { return GivenBack }
func (*calledBack) what() What  { return CalledBack }
func (*grantsEnded) what() What { return GrantsEnded }

func (o *granted) apply(s *state, event *Event) error {
	for _, block := range o.Blocks {
		err := s.setHeat(block.Heat, func(h *heat) {
			for _, seat := range block.Seats {
				h.Granted = h.Granted.with(seat.Machine)
			}
		})
		if err != nil {
			return err
		}
		for _, seat := range block.Seats {
			s.view.Put(join(prefixGrantedTicket, string(seat.Ticket)), []byte(o.Kiosk))
		}
	}
	return s.setGrant(o.Kiosk, func(g *grant) {
		issues := slices.DeleteFunc(slices.Clone(g.Issues), func(one issue) bool { return !g.live() || o.Holds == 0 || one.Number < o.Holds })
		g.Issues = append(issues, issue{o.Number, o.List})
		g.Holder, g.Number, g.Heard = o.Holder, o.Number, event.At
		for _, block := range o.Blocks {
			g.add(s.Books, block)
		}
	})
}

// add adds a block to what is granted, with the seats of each heat in the order of the machines.
func (g *grant) add(b *Books, more wire.Block) {
	at := slices.IndexFunc(g.Blocks, func(block wire.Block) bool { return block.Heat == more.Heat })
	if at < 0 {
		at = len(g.Blocks)
		g.Blocks = append(g.Blocks, wire.Block{Heat: more.Heat})
	}
	seats := slices.Concat(g.Blocks[at].Seats, more.Seats)
	slices.SortFunc(seats, func(left, right wire.GrantedSeat) int { return b.order[left.Machine] - b.order[right.Machine] })
	g.Blocks[at].Seats = seats
}

func (o *givenBack) apply(s *state, event *Event) error {
	for _, ticket := range o.Tickets {
		s.view.Delete(join(prefixGrantedTicket, string(ticket)))
	}
	return s.ungrant(o.Kiosk, o.Tickets, event.At)
}

func (o *calledBack) apply(s *state, _ *Event) error {
	return s.setHeat(o.Heat, func(h *heat) { h.Called = true })
}

// apply leaves the tickets known: one of them may turn up at the check-in.
func (o *grantsEnded) apply(s *state, _ *Event) error {
	before, err := load[grant](s.view, join(prefixGrant, o.Kiosk))
	if err != nil || before == nil {
		return err
	}
	for _, block := range before.Blocks {
		err := s.setHeat(block.Heat, func(h *heat) {
			for _, seat := range block.Seats {
				h.Granted = h.Granted.without(seat.Machine)
			}
		})
		if err != nil {
			return err
		}
	}
	return s.setGrant(o.Kiosk, func(g *grant) { g.Holder, g.Issues, g.Blocks, g.Ended = "", nil, nil, o.Number })
}

// setGrant changes what a kiosk has of central's.
func (s *state) setGrant(kiosk string, edit func(*grant)) error {
	key := join(prefixGrant, kiosk)
	record, err := load[grant](s.view, key)
	if err != nil {
		return err
	}
	if record == nil {
		record = &grant{}
	}
	before := record.lists()
	edit(record)
	if !record.live() {
		record.Issues = nil
	}
	if now := record.lists(); !slices.Equal(before, now) {
		if err := s.setUses(kiosk, now); err != nil {
			return err
		}
	}
	return s.put(key, record)
}

// ungrant takes the machines of tickets from what is granted to a kiosk, which spoke of them at that time.
func (s *state) ungrant(kiosk string, tickets []tournament.TicketNumber, heard time.Time) error {
	record, err := load[grant](s.view, join(prefixGrant, kiosk))
	if err != nil || record == nil {
		return err
	}
	var rest []wire.Block
	for _, block := range record.Blocks {
		var kept, gone []wire.GrantedSeat
		for _, seat := range block.Seats {
			if slices.Contains(tickets, seat.Ticket) {
				gone = append(gone, seat)
			} else {
				kept = append(kept, seat)
			}
		}
		if len(gone) > 0 {
			err := s.setHeat(block.Heat, func(h *heat) {
				for _, seat := range gone {
					h.Granted = h.Granted.without(seat.Machine)
				}
			})
			if err != nil {
				return err
			}
		}
		if len(kept) > 0 {
			rest = append(rest, wire.Block{Heat: block.Heat, Seats: kept})
		}
	}
	return s.setGrant(kiosk, func(g *grant) { g.Blocks, g.Heard = rest, heard })
}

func (a AskGrant) decide(t *turn) (any, error) {
	version, list, err := homes(t.view)
	if err != nil {
		return nil, err
	}
	record, err := load[grant](t.view, join(prefixGrant, a.Kiosk))
	if err != nil {
		return nil, err
	}
	if record == nil {
		record = &grant{}
	}
	switch {
	case a.Kiosk != t.request.Where || t.request.Key == (wire.Key{}):
		return nil, fmt.Errorf("%w: a kiosk asks for itself, under a key", ErrInvalid)
	case !slices.Contains(list, a.Kiosk):
		return nil, tournament.NotListed.Refuse()
	case t.definition.Rules.GrantShare == 0:
		return nil, tournament.NoGrant.Refuse()
	case record.live() && record.Holder != t.request.Key.Enrolment:
		return nil, tournament.FormerDisk.Refuse()
	case a.Holds > record.Number:
		return nil, fmt.Errorf("%w: grant %d was never given", ErrInvalid, a.Holds)
	}
	came := granted{
		Kiosk: a.Kiosk, Holder: t.request.Key.Enrolment, Number: record.Number + 1, List: version, Holds: a.Holds,
	}
	if came.Blocks, err = t.newBlocks(a.Kiosk, record, list); err != nil {
		return nil, err
	}
	if err := t.record("", &came); err != nil {
		return nil, err
	}
	return t.wireGrant(a.Kiosk, version, list)
}

// wireGrant answers all that a kiosk may use now.
func (t *turn) wireGrant(kiosk string, version uint64, list []string) (wire.Grant, error) {
	record, err := need[grant](t.view, join(prefixGrant, kiosk))
	if err != nil {
		return wire.Grant{}, err
	}
	answer := wire.Grant{
		Number: record.Number, List: version, Position: t.last.sequence,
		Lives: int(t.definition.Rules.GrantLives / time.Second), Blocks: record.Blocks,
	}
	if answer.Blocks == nil {
		answer.Blocks = []wire.Block{}
	}
	if answer.Back, err = t.overShare(kiosk, record, list); err != nil {
		return answer, err
	}
	uses, err := loadUses(t.view)
	for _, one := range uses {
		for _, other := range one.Kiosks {
			if one.List != version && other != kiosk {
				answer.Others = append(answer.Others, wire.Elsewhere{Kiosk: other, List: one.List})
			}
		}
	}
	return answer, err
}

// overShare returns the tickets by which a kiosk has more than its share of a heat, since there are more kiosks now.
func (t *turn) overShare(kiosk string, has *grant, list []string) (back []tournament.TicketNumber, err error) {
	out, err := t.outOfService(t.view)
	if err != nil {
		return nil, err
	}
	for _, block := range has.Blocks {
		now, _, err := t.heat(t.view, block.Heat)
		if err != nil {
			return nil, err
		}
		_, share := t.shares(now, out, kiosk, list)
		for _, seat := range block.Seats[:max(0, len(block.Seats)-share)] {
			back = append(back, seat.Ticket)
		}
	}
	return back, nil
}

// newBlocks returns the machines that a kiosk gets now, from the end of the order of each open heat, so that what is given
// online stays 1, 2, 3 (clause 11).
func (t *turn) newBlocks(kiosk string, has *grant, list []string) (blocks []wire.Block, err error) {
	out, err := t.outOfService(t.view)
	if err != nil {
		return nil, err
	}
	rules := t.definition.Rules
	var drawn error
	err = t.heatsFrom(t.view, t.at, func(now playing) (bool, error) {
		if t.at.Before(now.Opens(rules)) {
			return false, nil
		}
		if now.Stage != tournament.Qualifying || now.Cancelled || now.Called || !t.at.Before(now.GrantEnds(rules)) {
			return true, nil
		}
		quota, share := t.shares(now, out, kiosk, list)
		count := min(share-len(has.of(now.ID)), quota-now.Granted.count())
		block := wire.Block{Heat: now.ID}
		for _, machine := range slices.Backward(t.definition.Seats(now.Size)) {
			if len(block.Seats) >= count {
				break
			}
			if out(machine.Number) || now.Taken.has(machine.Number) || now.Granted.has(machine.Number) {
				continue
			}
			seat := wire.GrantedSeat{Machine: machine.Number}
			if seat.Ticket, drawn = tournament.NewTicketNumber(t.request.Random); drawn != nil {
				return false, drawn
			}
			block.Seats = append(block.Seats, seat)
		}
		if len(block.Seats) > 0 {
			blocks = append(blocks, block)
		}
		return true, nil
	})
	return blocks, err
}

// shares returns how many machines of a heat may be granted to all kiosks, and how many of them to one. What cannot be
// shared evenly goes to other kiosks in each heat.
func (b *Books) shares(now playing, out func(int) bool, kiosk string, list []string) (quota, share int) {
	size, _ := b.room(now, out)
	quota = size * b.definition.Rules.GrantShare / 100
	share = quota / len(list)
	rest := quota % len(list)
	if rest == 0 {
		return quota, share
	}
	own, before := weigh(kiosk, string(now.ID)), 0
	for _, other := range list {
		if weigh(other, string(now.ID)) > own {
			before++
		}
	}
	if before < rest {
		share++
	}
	return quota, share
}

func (a GiveBack) decide(t *turn) (any, error) {
	if a.Kiosk != t.request.Where {
		return nil, fmt.Errorf("%w: a kiosk gives back what is its own", ErrInvalid)
	}
	record, err := load[grant](t.view, join(prefixGrant, a.Kiosk))
	if err != nil {
		return nil, err
	}
	came := givenBack{Kiosk: a.Kiosk}
	for _, ticket := range a.Tickets {
		if record == nil || slices.Contains(came.Tickets, ticket) {
			continue
		}
		if _, _, held := record.find(ticket); held {
			came.Tickets = append(came.Tickets, ticket)
		}
	}
	if len(came.Tickets) > 0 {
		err = t.record("", &came)
	}
	return wire.Accepted{Sequence: t.last.sequence}, err
}

// callBack calls for the machines of a heat that kiosks have, once no other is free: they are asked to give back what they
// have not given, before the heat is called full.
func (t *turn) callBack(id tournament.HeatID, out func(int) bool) error {
	now, _, err := t.heat(t.view, id)
	if err != nil || now.Called || now.Granted.count() == 0 {
		return err
	}
	if _, free := t.lowestFree(now, out); free {
		return nil
	}
	return t.record("", &calledBack{Heat: id})
}

// GrantedTo returns how many machines a kiosk may give, or has given without having reported it.
func (b *Books) GrantedTo(view kv.Reader, kiosk string) (count int, err error) {
	record, err := load[grant](view, join(prefixGrant, kiosk))
	if err != nil || record == nil {
		return 0, err
	}
	for _, block := range record.Blocks {
		count += len(block.Seats)
	}
	return count, nil
}

// CalledFor reports whether a heat has no free machine but some that kiosks were asked to give back: it is not full yet.
func (b *Books) CalledFor(view kv.Reader, id tournament.HeatID) (bool, error) {
	now, known, err := b.heat(view, id)
	if err != nil || !known || !now.Called || now.Granted.count() == 0 {
		return false, err
	}
	out, err := b.outOfService(view)
	if err != nil {
		return false, err
	}
	_, free := b.lowestFree(now, out)
	return !free, nil
}

// silence is how long a kiosk must have been silent before somebody decides without it.
const silence = 2 * time.Minute

func (a EndGrants) decide(t *turn) (any, error) {
	if a.Why == "" || len(a.Why) > mostText {
		return nil, fmt.Errorf("%w: a decision without a reason", ErrInvalid)
	}
	record, err := load[grant](t.view, join(prefixGrant, a.Kiosk))
	if err != nil {
		return nil, err
	}
	if record == nil || !record.live() {
		return wire.Accepted{Sequence: t.last.sequence}, nil
	}
	heard := record.Heard
	if a.Heard.After(heard) {
		heard = a.Heard
	}
	if until := heard.Add(silence); t.at.Before(until) {
		return nil, tournament.TooSoon.Refuse().At(until)
	}
	err = t.endGrants(a.Kiosk, a.Why)
	return wire.Accepted{Sequence: t.last.sequence}, err
}

// endGrants makes what was granted to a kiosk central's again, by a decision. Who takes a kiosk out of use calls it too.
func (t *turn) endGrants(kiosk, why string) error {
	record, err := load[grant](t.view, join(prefixGrant, kiosk))
	if err != nil || record == nil || !record.live() {
		return err
	}
	return t.record(why, &grantsEnded{Kiosk: kiosk, Number: record.Number})
}
