package ledger

import (
	"slices"
	"time"

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
// that is made later gives way, so that the players of any two grants are never the same. Central takes a kiosk to use a
// list until it has said, by AskGrant.Holds, that it has a later grant in use and has reported every seat given by earlier
// ones; so a player's new home gets him by a grant whose position has all that the old one gave.
//
// Whoever else acts for the player (a desk, another kiosk) needs the home to let him go first. It did so before it said so,
// and gives him nothing until a grant that it asked for after central had heard of it, and until its copy has applied the
// events up to that grant: by then it knows what was done meanwhile. Central for its part takes the player for the home's
// again as soon as that grant is made. The home itself acts online for a player only once all that it gave him is reported,
// and gives him nothing by itself until the request is settled and its copy has the seat that came of it.
//
// Nobody excluded slips through for longer than exclusions_max_age: a kiosk whose copy was last known to be complete longer
// ago gives no seats, nor does one that has started since its last contact and does not know how long ago that was. What
// slips through in that time is recorded, is void while the heat has not started, and is a case.
//
// When the other side is silent: a kiosk goes on with its grant until it ends by the clock that runs through sleep, counted
// from the sending of the request for it; central keeps machines and players for the kiosk for as long as it is silent, and
// a host decides otherwise for a player (Override) or for the kiosk (EndGrants). A kiosk that reboots without contact gives
// nothing. One whose grants were ended finds its seats recorded all the same, and where others had been given the same, both
// stand in a case. Another disk under the same name gets nothing while the first has not reported (FormerDisk).
//
// Each sentence that begins a paragraph above is checked on random evenings in store/alone, whose named ones show what
// happens without each of the rules.

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
