package ledger

import (
	"pgregory.net/rapid"

	"reelkiosk/store/tournament"
)

// check asserts what must hold of the books at any time, by what they themselves answer.
func (w *walk) check(rt *rapid.T) {
	players := map[tournament.PersonID]*modelPlayer{}
	for _, p := range w.players {
		if p.id != "" {
			players[p.id] = p
		}
	}
	all, err := w.books.Entries(w.view, "", 1<<20, w.now)
	if err != nil {
		rt.Fatal(err)
	}
	entries := map[tournament.EntryID]EntryRecord{}
	for _, one := range all {
		entries[one.ID] = one
	}
	// spent is the state of an entry whose seat is in a state.
	spent := map[tournament.SeatState]tournament.EntryState{
		tournament.SeatIssued: tournament.EntrySeated, tournament.SeatCheckedIn: tournament.EntrySeated,
		tournament.SeatPlayed: tournament.EntryPlayed, tournament.SeatForfeited: tournament.EntryForfeited,
	}
	freed := map[tournament.EntryID]bool{}
	for _, e := range w.entries {
		freed[e.id] = e.freed
	}
	used := map[tournament.EntryID]bool{}
	seats, live := 0, 0
	for _, h := range w.heats {
		onMachine, ofPlayer := map[int]bool{}, map[tournament.PersonID]bool{}
		issued, err := w.books.Seats(w.view, h.id)
		if err != nil {
			rt.Fatal(err)
		}
		for _, s := range issued {
			seats++
			e, known := entries[s.Entry]
			p := players[s.Person]
			switch {
			case onMachine[s.Machine]:
				rt.Fatalf("two players on machine %d of %s", s.Machine, h.id)
			case ofPlayer[s.Person]:
				rt.Fatalf("two seats of one player in %s (clause 16)", h.id)
			case used[s.Entry]:
				rt.Fatalf("two seats for one entry (clauses 5 to 8)")
			case !known || e.State != spent[s.State] || e.Person != s.Person || e.Seat != s.ID:
				rt.Fatalf("a seat for the entry %+v", e)
			case !freed[s.Entry] && (s.Start.Before(e.Bought) || !s.Start.Before(e.Ends)):
				rt.Fatalf("a heat at %s for an entry from %s to %s (clauses 5 to 8)", s.Start, e.Bought, e.Ends)
			case p == nil:
				rt.Fatalf("a seat of a stranger")
			case p.excluded && s.Start.After(w.now) && s.State != tournament.SeatPlayed:
				rt.Fatalf("an excluded player is seated (clause 2)")
			case !p.adult(s.Issued) || !p.adult(s.Start):
				rt.Fatalf("a player under age is seated (clause 1)")
			}
			onMachine[s.Machine], ofPlayer[s.Person], used[s.Entry] = true, true, true
		}
	}
	for _, s := range w.seats {
		if !s.void {
			live++
		}
	}
	w.checkRanking(rt)
	if seats != live || seats > len(entries) {
		rt.Fatalf("%d seats for %d entries; the model has %d seats", seats, len(entries), live)
	}
}
