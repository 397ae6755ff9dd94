package visit

import (
	"slices"
	"time"

	"reelkiosk/store/wire"
)

// refresh works out anew what can be offered, and takes an offer off the screen that is none any more: what a player
// is about to touch never changes into another heat.
func (t *turn) refresh() {
	if t.memory.person == "" {
		return
	}
	if t.Screen == ScreenOffer && len(t.Offer) > 0 {
		t.memory.chosen = t.Offer[0].ID
	}
	offered := t.Offer
	t.Offer = t.offers()
	t.Together = t.together(t.Offer)
	at := slices.IndexFunc(t.Offer, func(h Heat) bool { return h.ID == t.memory.chosen })
	if at > 0 {
		chosen := t.Offer[at]
		t.Offer = slices.Insert(slices.Delete(t.Offer, at, at+1), 0, chosen)
		t.Together = 0 // 'the next 3 heats' would not be those
	}
	if t.Screen != ScreenOffer && t.Screen != ScreenHeats || t.Busy() {
		return
	}
	if why, until := t.nothingToOffer(); why != TroubleNone {
		t.trouble(why, until)
	} else if t.Screen == ScreenOffer && at < 0 && len(offered) > 0 {
		t.gone(offered[0])
	}
}

// gone says that the heat on the screen filled up, closed or was cancelled in front of her.
func (t *turn) gone(offered Heat) {
	t.memory.chosen = ""
	now := slices.IndexFunc(t.memory.heats, func(h Heat) bool { return h.ID == offered.ID })
	if now >= 0 && t.memory.heats[now].Free == 0 && t.Now.Before(offered.Closes) {
		t.trouble(TroubleHeatFull, time.Time{})
		return
	}
	t.trouble(TroubleClosed, time.Time{})
}

// offers returns the heats that the player may have a seat in, in order, each with the entry that it would use.
func (t *turn) offers() []Heat {
	var offers []Heat
	for _, heat := range t.memory.heats {
		index := entryFor(t.memory.entries, heat, nil)
		if index < 0 || heat.Free == 0 || t.memory.seated[heat.ID] || !heat.open(t.Now) {
			continue
		}
		heat.EntryIndex = index
		offers = append(offers, heat)
	}
	return offers
}

// together returns how many of the offers, from the first without a gap, the entries are enough for.
func (t *turn) together(offers []Heat) int {
	used := map[int]bool{}
	for i, heat := range offers {
		index := entryFor(t.memory.entries, heat, used)
		if index < 0 || i == t.MostTogether {
			break
		}
		used[index] = true
	}
	return len(used)
}

// entryFor returns which entry a seat in the heat would use, -1 for none: the heat's start lies inside its window, whose
// end is not included, and it was bought before the heat's registration closed (clauses 5 to 9). Entries are in the order
// in which they are used.
func entryFor(entries []wire.Entry, heat Heat, used map[int]bool) int {
	for i, entry := range entries {
		if !used[i] && heat.Start.Before(entry.Ends) && entry.Bought.Before(heat.Closes) {
			return i
		}
	}
	return -1
}

// open reports whether registration is open at the moment; the closing itself is closed (clause 11).
func (h Heat) open(now time.Time) bool { return !now.Before(h.Opens) && now.Before(h.Closes) }

// nothingToOffer returns why no heat can be offered, and the moment that matters; TroubleNone if one can.
func (t *turn) nothingToOffer() (Trouble, time.Time) {
	switch {
	case len(t.Offer) > 0:
		return TroubleNone, time.Time{}
	case len(t.memory.entries) == 0 && t.Expired > 0:
		return TroubleWindowOver, time.Time{}
	case len(t.memory.entries) == 0:
		return TroubleNoEntries, time.Time{}
	}
	why := TroubleNoHeats
	for _, heat := range t.memory.heats {
		switch {
		case !heat.open(t.Now):
		case t.memory.seated[heat.ID]:
			if why == TroubleNoHeats {
				why = TroubleAllSeated
			}
		case entryFor(t.memory.entries, heat, nil) >= 0:
			return TroubleHeatsFull, time.Time{}
		default:
			why = TroubleWindowOver
		}
	}
	if why != TroubleWindowOver {
		return why, time.Time{}
	}
	var last time.Time
	for _, entry := range t.memory.entries {
		if entry.Ends.After(last) {
			last = entry.Ends
		}
	}
	return why, last
}
