package alone

import (
	"time"

	"reelkiosk/store/tournament"
)

// Held returns how many machines the kiosk may still give by itself, and for how long yet; no time where that cannot be
// known any more.
func (h *Holding) Held(now Moment) (machines int, left time.Duration) {
	counted := map[tournament.TicketNumber]bool{}
	for _, held := range []*Held{h.Using, h.Next} {
		if held == nil {
			continue
		}
		for _, block := range held.Blocks {
			for _, seat := range block.Seats {
				if _, gone := h.Gone[seat.Ticket]; !gone {
					counted[seat.Ticket] = true
				}
			}
		}
		if age, known := now.since(held.Asked.Sent); known {
			left = max(left, held.life()-age)
		}
	}
	return len(counted), left
}
