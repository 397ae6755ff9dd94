package tournament

import "slices"

// The lives of an entry, a seat and a copy are those that rules.md draws; what is not listed cannot happen.

var entryLife = map[EntryState][]EntryState{
	EntryUnused: {EntrySeated, EntryRefunded, EntryReversed, EntryHeld},
	EntrySeated: {EntryPlayed, EntryForfeited, EntryUnused, EntryReplaced},
	EntryPlayed: {EntrySeated},
	EntryHeld:   {EntryUnused, EntryRefunded, EntryForfeited},
}

var seatLife = map[SeatState][]SeatState{
	SeatIssued:    {SeatCheckedIn, SeatVoid, SeatForfeited},
	SeatCheckedIn: {SeatPlayed, SeatMalfunction, SeatVoid, SeatIssued},
	SeatPlayed:    {SeatCheckedIn},
}

var copyLife = map[CopyState][]CopyState{
	CopyIntended:    {CopyPrinted, CopyUnconfirmed, CopyLost, CopyVoid},
	CopyUnconfirmed: {CopyPrinted, CopyVoid},
	CopyPrinted:     {CopyVoid},
	CopyLost:        {CopyVoid},
}

// MayBecome reports whether an entry's life leads from one state straight to the other. An unused entry that expired is
// still EntryUnused: its reinstatement changes its window, and its refund its state. An entry that was played is its seat's
// again where the heat is restarted (clause 20).
func (s EntryState) MayBecome(next EntryState) bool { return slices.Contains(entryLife[s], next) }

// MayBecome reports whether a seat's life leads from one state straight to the other. A seat of a player who is excluded
// after checking in is void as well (clause 2). A check-in is undone within seconds, or where the heat is postponed, and a
// seat whose heat is restarted is to be played again (clause 20).
func (s SeatState) MayBecome(next SeatState) bool { return slices.Contains(seatLife[s], next) }

// MayBecome reports whether a copy's life leads from one state straight to the other: a late answer of the printer turns
// unconfirmed into printed, never back, and a later copy, once printed, makes any earlier one void (design decision 5).
func (s CopyState) MayBecome(next CopyState) bool { return slices.Contains(copyLife[s], next) }
