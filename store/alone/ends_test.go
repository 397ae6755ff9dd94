package alone

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"reelkiosk/store/kv"
	"reelkiosk/store/ledger"
	"reelkiosk/store/tournament"
)

// told is what a second reader makes of the events: the seats that are live, and who has what. It shares nothing with the
// ledger but the events' own words.
type told struct {
	live    map[tournament.SeatID]toldSeat
	holders map[string]tournament.SeatID
	tickets map[tournament.TicketNumber]bool
	// twice are seats that were given though another had what they take.
	twice []string
	// cases are the seats of each case of something given twice.
	cases [][]tournament.SeatID
}

type toldSeat struct {
	Seat    tournament.SeatID       `json:"seat"`
	Person  tournament.PersonID     `json:"person"`
	Heat    tournament.HeatID       `json:"heat"`
	Machine int                     `json:"machine"`
	Entry   tournament.EntryID      `json:"entry"`
	Ticket  tournament.TicketNumber `json:"ticket"`
	Void    bool                    `json:"void"`
}

// takes are the things that no two live seats may have.
func (s toldSeat) takes() []string {
	return []string{
		fmt.Sprintf("machine %d of %s", s.Machine, s.Heat), fmt.Sprintf("the place of %s in %s", s.Person, s.Heat),
		"the entry " + string(s.Entry),
	}
}

func (t *told) give(s toldSeat) {
	t.tickets[s.Ticket] = true
	if s.Void {
		return
	}
	t.live[s.Seat] = s
	for _, what := range s.takes() {
		if other := t.holders[what]; other != "" {
			named := slices.ContainsFunc(t.cases, func(seats []tournament.SeatID) bool {
				return slices.Contains(seats, other) && slices.Contains(seats, s.Seat)
			})
			if !named {
				t.twice = append(t.twice, fmt.Sprintf("%s: %s and %s", what, other, s.Seat))
			}
			continue
		}
		t.holders[what] = s.Seat
	}
}

func (t *told) void(id tournament.SeatID) {
	for _, what := range t.live[id].takes() {
		if t.holders[what] == id {
			delete(t.holders, what)
		}
	}
	delete(t.live, id)
}

// reads has the second reader read all events.
func (f *floor) reads() *told {
	t := &told{live: map[tournament.SeatID]toldSeat{}, holders: map[string]tournament.SeatID{}, tickets: map[tournament.TicketNumber]bool{}}
	events, err := f.books.Events(f.view, 0, 1<<20)
	if err != nil {
		f.Fatal(err)
	}
	read := func(event ledger.Event, into any) {
		if err := json.Unmarshal(event.Outcome, into); err != nil {
			f.Fatal(err)
		}
	}
	for _, event := range events {
		if event.What != ledger.CaseOpened {
			continue
		}
		var opened struct {
			Kind     ledger.CaseKind
			Evidence struct{ Seats []tournament.SeatID }
		}
		if read(event, &opened); opened.Kind == ledger.CaseTwice {
			t.cases = append(t.cases, opened.Evidence.Seats)
		}
	}
	for _, event := range events {
		switch event.What {
		case ledger.Registered, ledger.SeatReported:
			var seat toldSeat
			read(event, &seat)
			t.give(seat)
		case ledger.HeatCancelled:
			var cancelled struct{ Seats []tournament.SeatID }
			read(event, &cancelled)
			for _, id := range cancelled.Seats {
				t.void(id)
			}
		case ledger.ExclusionRecorded:
			var excluded struct {
				Hits []struct{ Seats []tournament.SeatID }
			}
			read(event, &excluded)
			for _, hit := range excluded.Hits {
				for _, id := range hit.Seats {
					t.void(id)
				}
			}
		}
	}
	return t
}

// ends brings all kiosks back, has them stop as planned, and checks what must hold of the whole evening.
func (f *floor) ends() {
	f.Helper()
	for _, k := range f.kiosks {
		k.linked, k.deaf = true, false
	}
	for machine := range f.definition.Machines {
		f.must("office", ledger.MachineService{Machine: machine + 1, Operator: "tech", Reason: "it is late"})
	}
	f.settles()
	for _, k := range f.kiosks {
		k.back(k.Holding.Stop())
	}
	f.stops()
	f.checksDrained()
	seen := f.reads()
	if !f.decided {
		for _, seats := range seen.cases {
			f.fault("given twice, as a case says: %v", seats)
		}
	}
	for _, twice := range seen.twice {
		f.fault("given twice: %s", twice)
	}
	papers := map[tournament.TicketNumber]int{}
	for _, one := range f.papers {
		papers[one.ticket]++
		if !seen.tickets[one.ticket] {
			f.fault("the ticket %s of %s is not in the books", one.ticket, one.kiosk)
		}
		if papers[one.ticket] == 2 {
			f.fault("the ticket %s was printed twice", one.ticket)
		}
	}
	f.checksHeats(seen)
	again := kv.NewOverlay(nowhere{})
	if err := f.books.Replay(f.view, again); err != nil {
		f.fault("replaying: %v", err)
	} else if err := ledger.Same(f.view, again); err != nil {
		f.fault("the books replayed: %v", err)
	}
}

// settles lets kiosks do what they have to do until nothing is left.
func (f *floor) settles() {
	for range 60 {
		for _, k := range f.kiosks {
			k.tick()
		}
		f.passes(10 * time.Second)
	}
}

// stops lets kiosks send what they have, and ask for nothing more.
func (f *floor) stops() {
	for range 60 {
		busy := false
		for _, k := range f.kiosks {
			k.follows()
			k.letsGo()
			for _, l := range slices.Clone(k.Letters) {
				k.send(l)
			}
			busy = busy || len(k.Letters)+len(k.Laid) > 0
		}
		f.passes(10 * time.Second)
		for _, k := range f.kiosks { // a grant that was on its way goes back as well
			k.learns()
			k.back(k.Holding.Stop())
		}
		if !busy {
			return
		}
	}
}

func (f *floor) checksDrained() {
	for _, k := range f.kiosks {
		if len(k.Letters) > 0 || len(k.Laid) > 0 {
			f.fault("%s has %d requests and %d seats left", k.name, len(k.Letters), len(k.Laid))
		}
	}
}

// checksHeats checks that nothing stays granted, and that the heats count as free what nobody has.
func (f *floor) checksHeats(seen *told) {
	heats, err := f.books.Heats(f.view, evening, 100)
	if err != nil {
		f.Fatal(err)
	}
	taken := map[tournament.HeatID]map[int]bool{}
	for _, seat := range seen.live {
		if taken[seat.Heat] == nil {
			taken[seat.Heat] = map[int]bool{}
		}
		taken[seat.Heat][seat.Machine] = true
	}
	for _, heat := range heats {
		if heat.State != "cancelled" && heat.Free != heat.Size-len(taken[heat.ID]) {
			f.fault("%s has %d of %d free with %d machines taken", heat.ID, heat.Free, heat.Size, len(taken[heat.ID]))
		}
	}
}
