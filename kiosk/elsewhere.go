package kiosk

import (
	"errors"
	"slices"
	"time"

	"reelkiosk/store/replica"
)

// aliveFor is for how long a kiosk that is cut off takes another one to be alive, after central last said so. Most cuts are
// over by then; and who is sent over the floor for nothing comes back angrier than who was sent to the desk.
const aliveFor = 10 * time.Minute

// silence is what central said of other kiosks: those of which nothing was heard. at is when, by the clock that counts.
type silence struct {
	silent []string
	at     time.Duration
}

// elsewhere returns the kiosk to which a player is sent whom this one, cut off, refused by that error: her home, where central
// knew it to be alive not long ago. It returns none where only the desk can help.
func (c *Conductor) elsewhere(refused error) string {
	away, is := errors.AsType[*replica.NotHomeError](refused)
	said := c.silence.Load()
	if !is || said == nil || away.Home == c.Name || c.Clock.boot()-said.at > aliveFor || slices.Contains(said.silent, away.Home) {
		return ""
	}
	return away.Home
}
