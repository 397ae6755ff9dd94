package ledger

import (
	"fmt"
	"slices"
	"time"

	"reelkiosk/store/kv"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

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
