package tournament

import "testing"

// The pairs are the arrows of rules.md, and those by which an act is undone or a heat restarted; every other pair of states is forbidden.
func TestLives(t *testing.T) {
	t.Run("entry", func(t *testing.T) {
		checkLife(t, []EntryState{
			EntryUnused, EntrySeated, EntryPlayed, EntryForfeited, EntryReplaced, EntryRefunded, EntryReversed, EntryHeld,
		}, [][2]EntryState{
			{EntryUnused, EntrySeated}, {EntrySeated, EntryPlayed}, {EntrySeated, EntryForfeited}, {EntrySeated, EntryUnused},
			{EntrySeated, EntryReplaced}, {EntryUnused, EntryRefunded}, {EntryUnused, EntryReversed}, {EntryUnused, EntryHeld},
			{EntryHeld, EntryUnused}, {EntryHeld, EntryRefunded}, {EntryHeld, EntryForfeited},
			{EntryPlayed, EntrySeated},
		}, EntryState.MayBecome)
	})
	t.Run("seat", func(t *testing.T) {
		checkLife(t, []SeatState{SeatIssued, SeatCheckedIn, SeatPlayed, SeatVoid, SeatForfeited, SeatMalfunction}, [][2]SeatState{
			{SeatIssued, SeatCheckedIn}, {SeatIssued, SeatVoid}, {SeatIssued, SeatForfeited}, {SeatCheckedIn, SeatPlayed},
			{SeatCheckedIn, SeatMalfunction}, {SeatCheckedIn, SeatVoid}, {SeatCheckedIn, SeatIssued}, {SeatPlayed, SeatCheckedIn},
		}, SeatState.MayBecome)
	})
	t.Run("copy", func(t *testing.T) {
		checkLife(t, []CopyState{CopyIntended, CopyPrinted, CopyUnconfirmed, CopyLost, CopyVoid}, [][2]CopyState{
			{CopyIntended, CopyPrinted}, {CopyIntended, CopyUnconfirmed}, {CopyIntended, CopyLost}, {CopyIntended, CopyVoid},
			{CopyUnconfirmed, CopyPrinted}, {CopyUnconfirmed, CopyVoid}, {CopyPrinted, CopyVoid}, {CopyLost, CopyVoid},
		}, CopyState.MayBecome)
	})
}

func checkLife[State ~string](t *testing.T, states []State, arrows [][2]State, may func(State, State) bool) {
	t.Helper()
	allowed := map[[2]State]bool{}
	for _, arrow := range arrows {
		allowed[arrow] = true
	}
	for _, from := range states {
		for _, to := range states {
			if may(from, to) != allowed[[2]State{from, to}] {
				t.Errorf("from %s to %s: got %v", from, to, may(from, to))
			}
		}
	}
}
