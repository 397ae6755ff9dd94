package definition

import (
	"time"

	"reelkiosk/store/tournament"
)

// wall returns the moment at which the zone's clocks first show so many minutes after midnight of a day, where minutes
// past 1439 are on the days after; false where they are put forward over that time and never show it.
//
// time.Date does not promise which of two moments it gives, nor which side of a gap.
func wall(day tournament.Date, minutes int, zone *time.Location) (time.Time, bool) {
	shown := time.Date(day.Year, day.Month, day.Day, 0, minutes, 0, 0, time.UTC)
	// No zone is further than a day from UTC, so that these lie before and after any change that could matter.
	_, before := shown.Add(-24 * time.Hour).In(zone).Zone()
	_, after := shown.Add(24 * time.Hour).In(zone).Zone()
	// The larger offset gives the earlier moment.
	for _, offset := range [2]int{max(before, after), min(before, after)} {
		moment := shown.Add(-time.Duration(offset) * time.Second).In(zone)
		if _, there := moment.Zone(); there == offset {
			return moment, true
		}
	}
	return time.Time{}, false
}
