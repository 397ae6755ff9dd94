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

// longestWindow is the time of clauses 5 and 6. It is elapsed time, so that a change of the clocks moves no window.
const longestWindow = 48 * time.Hour

// Window is the time in which an entry's heat must start. It is half-open: From is inside, Ends is not.
type Window struct {
	From, Ends time.Time
}

// Holds reports whether a heat that is scheduled to start at that moment may be played with the entry. It is asked once,
// when the seat is issued: a heat that is moved later costs nobody an entry (clauses 5 to 8).
func (w Window) Holds(start time.Time) bool { return !start.Before(w.From) && start.Before(w.Ends) }

// WindowOf returns the window of an entry bought at that moment in a zone (clauses 5 to 8).
func (r Rules) WindowOf(bought time.Time, zone *time.Location) Window {
	ends := bought.Add(longestWindow)
	today := GamingDay(bought, r.GamingDayStarts, zone)
	switch r.Window {
	case WindowSameDay:
		ends = DayStart(today.AddDays(1), r.GamingDayStarts, zone)
	case WindowNextDay:
		if next := DayStart(today.AddDays(2), r.GamingDayStarts, zone); next.Before(ends) {
			ends = next
		}
	}
	return Window{From: bought.In(zone), Ends: ends.In(zone)}
}

// GamingDay returns the gaming day that a moment belongs to: before the hour at which gaming days start it is still
// yesterday's.
func GamingDay(moment time.Time, starts TimeOfDay, zone *time.Location) Date {
	day := DateOf(moment.In(zone))
	if moment.Before(DayStart(day, starts, zone)) {
		return day.AddDays(-1)
	}
	return day
}

// DayStart returns the moment at which a gaming day begins: the first one at which the zone's clocks show the hour, or a
// later one where they skip it. So each gaming day has one beginning on the nights when the clocks are changed, and no
// moment belongs to two.
func DayStart(day Date, starts TimeOfDay, zone *time.Location) time.Time {
	wall := time.Date(day.Year, day.Month, day.Day, int(starts)/60, int(starts)%60, 0, 0, time.UTC)
	// The offsets a day before and a day after are those on either side of any change of the clocks near by.
	_, before := wall.Add(-24 * time.Hour).In(zone).Zone()
	_, after := wall.Add(24 * time.Hour).In(zone).Zone()
	earlier := wall.Add(-time.Duration(max(before, after)) * time.Second).In(zone)
	later := wall.Add(-time.Duration(min(before, after)) * time.Second).In(zone)
	for _, moment := range []time.Time{earlier, later} {
		if moment.Hour() == wall.Hour() && moment.Minute() == wall.Minute() {
			return moment
		}
	}
	// The hour is skipped: the day begins when the clocks jump over it.
	jump, _ := later.ZoneBounds()
	return jump
}
