package tournament

import "slices"

// The lives of an entry, a seat and a copy are those that rules.md draws; what is not listed cannot happen.

var entryLife = map[EntryState][]EntryState{
	EntryUnused: {EntrySeated, EntryRefunded, EntryReversed, EntryHeld},
	EntrySeated: {EntryPlayed, EntryForfeited, EntryUnused, EntryReplaced},
	EntryHeld:   {EntryUnused, EntryRefunded, EntryForfeited},
}

var seatLife = map[SeatState][]SeatState{
	SeatIssued:    {SeatCheckedIn, SeatVoid, SeatForfeited},
	SeatCheckedIn: {SeatPlayed, SeatMalfunction, SeatVoid},
}

var copyLife = map[CopyState][]CopyState{
	CopyIntended:    {CopyPrinted, CopyUnconfirmed, CopyLost, CopyVoid},
	CopyUnconfirmed: {CopyPrinted, CopyVoid},
	CopyPrinted:     {CopyVoid},
	CopyLost:        {CopyVoid},
}

// MayBecome reports whether an entry's life leads from one state straight to the other. An unused entry that expired is
// still EntryUnused: its reinstatement changes its window, and its refund its state.
func (s EntryState) MayBecome(next EntryState) bool { return slices.Contains(entryLife[s], next) }

// MayBecome reports whether a seat's life leads from one state straight to the other. A seat of a player who is excluded
// after checking in is void as well (clause 2).
func (s SeatState) MayBecome(next SeatState) bool { return slices.Contains(seatLife[s], next) }

// MayBecome reports whether a copy's life leads from one state straight to the other: a late answer of the printer turns
// unconfirmed into printed, never back, and a later copy, once printed, makes any earlier one void (design decision 5).
func (s CopyState) MayBecome(next CopyState) bool { return slices.Contains(copyLife[s], next) }
