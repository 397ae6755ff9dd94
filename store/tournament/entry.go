package tournament

import (
	"cmp"
	"time"
)

// Entry is what the rules need to know of an unused entry.
type Entry struct {
	ID   EntryID
	Kind EntryKind
	// Bought is the moment of its purchase; Ends is the end of its window, not included.
	Bought, Ends time.Time
	// Freed says that the casino gave the entry back (a cancelled heat, a malfunction): it does not expire.
	Freed bool
	// Index is which of its purchase's entries it is, from 1.
	Index int
}

// Expired reports whether the entry's time has ended. It is computed wherever it is asked, never stored.
func (e Entry) Expired(now time.Time) bool { return !e.Freed && !now.Before(e.Ends) }

// Compare orders entries as they are used up: the one whose window ends first, and those that do not expire last; with
// equal ends paid before complimentary, then older, then as the purchase counts them (clauses 5 to 8).
func (e Entry) Compare(other Entry) int {
	return cmp.Or(
		compareBool(e.Freed, other.Freed),
		e.Ends.Compare(other.Ends),
		compareBool(e.Kind == Complimentary, other.Kind == Complimentary),
		e.Bought.Compare(other.Bought),
		cmp.Compare(e.Index, other.Index),
		cmp.Compare(e.ID, other.ID),
	)
}

// CheckEntry returns nil where an entry may be used for a heat: it was bought before the heat's registration closed
// (BoughtTooLate, clause 9), and the heat's scheduled start lies in its window (WindowOver, clauses 5 to 8).
func (r Rules) CheckEntry(entry Entry, heat Heat) *Refusal {
	if !entry.Bought.Before(heat.Closes(r)) {
		return BoughtTooLate.Refuse()
	}
	if !entry.Freed && !(Window{entry.Bought, entry.Ends}).Holds(heat.Start) {
		return WindowOver.Refuse().At(entry.Ends)
	}
	return nil
}

// ChooseEntry returns which of a player's unused entries, given in any order, is used for a heat: among those valid for
// it the first by Compare. Where none is valid it returns why: NoEntries where there are none at all, BoughtTooLate where
// only their purchase came too late, and otherwise WindowOver with the latest end.
func (r Rules) ChooseEntry(entries []Entry, heat Heat) (Entry, *Refusal) {
	var chosen *Entry
	refusal := NoEntries.Refuse()
	for i, entry := range entries {
		if why := r.CheckEntry(entry, heat); why != nil {
			if refusal.Reason != WindowOver || why.Until.After(refusal.Until) {
				refusal = why
			}
			continue
		}
		if chosen == nil || entry.Compare(*chosen) < 0 {
			chosen = &entries[i]
		}
	}
	if chosen == nil {
		return Entry{}, refusal
	}
	return *chosen, nil
}

func compareBool(left, right bool) int {
	switch {
	case left == right:
		return 0
	case right:
		return -1
	}
	return 1
}
