package tournament

import "time"

// WindowPolicy says how long after its purchase an entry may be used (clauses 5 to 8, which contradict each other: the
// definition chooses).
type WindowPolicy string

const (
	// Window48h is 48 hours from the purchase: clauses 5 and 6, the reading that favours the player, and the default.
	Window48h WindowPolicy = "48h"
	// WindowSameDay ends with the gaming day of the purchase: clauses 7 and 8.
	WindowSameDay WindowPolicy = "same-day"
	// WindowNextDay ends with the next gaming day, and at 48 hours at the latest: clause 6.
	WindowNextDay WindowPolicy = "next-day"
)

// GamingDay returns the gaming day that a moment belongs to: before the hour at which gaming days start it is still
// yesterday's.
func GamingDay(moment time.Time, starts TimeOfDay, zone *time.Location) Date {
	local := moment.In(zone)
	day := DateOf(local)
	if TimeOfDay(local.Hour()*60+local.Minute()) < starts {
		return day.AddDays(-1)
	}
	return day
}
