package tournament

import (
	"testing"
	"time"
)

// zone loads a zone of the tests.
func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	location, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return location
}

// at reads a moment as it stands on the zone's clocks.
func at(t testing.TB, text string, location *time.Location) time.Time {
	t.Helper()
	moment, err := time.ParseInLocation("2006-01-02 15:04", text, location)
	if err != nil {
		t.Fatal(err)
	}
	return moment
}

func TestWindowEnds(t *testing.T) {
	cases := []struct {
		name, zone string
		policy     WindowPolicy
		starts     TimeOfDay
		bought     string
		ends       string
	}{
		{"clause 5: 48 hours from the purchase", "Africa/Johannesburg", Window48h, 360, "2026-11-30 14:05", "2026-12-02 14:05"},
		{"clause 5: 48 hours over the end of a year", "Africa/Johannesburg", Window48h, 360, "2026-12-30 23:59", "2027-01-01 23:59"},
		{"clause 7: the same gaming day", "Africa/Johannesburg", WindowSameDay, 360, "2026-11-30 14:05", "2026-12-01 06:00"},
		{"clause 7: bought after midnight it is still yesterday", "Africa/Johannesburg", WindowSameDay, 360, "2026-12-01 02:00", "2026-12-01 06:00"},
		{"clause 7: bought as the gaming day begins", "Africa/Johannesburg", WindowSameDay, 360, "2026-12-01 06:00", "2026-12-02 06:00"},
		{"clause 7: a minute before the gaming day begins", "Africa/Johannesburg", WindowSameDay, 360, "2026-12-01 05:59", "2026-12-01 06:00"},
		{"clause 7: gaming days that start at midnight", "Africa/Johannesburg", WindowSameDay, 0, "2026-12-01 00:00", "2026-12-02 00:00"},
		{"clause 6: the next gaming day, bought late", "Africa/Johannesburg", WindowNextDay, 360, "2026-12-01 02:00", "2026-12-02 06:00"},
		{"clause 6: the next gaming day, but 48 hours at most", "Africa/Johannesburg", WindowNextDay, 360, "2026-11-30 06:00", "2026-12-02 06:00"},
		{"clause 6: bought at noon the gaming day ends first", "Africa/Johannesburg", WindowNextDay, 360, "2026-11-30 12:00", "2026-12-02 06:00"},

		{"48 hours are elapsed time when clocks go forward", "Europe/Berlin", Window48h, 360, "2026-03-28 12:00", "2026-03-30 13:00"},
		{"48 hours are elapsed time when clocks go back", "Europe/Berlin", Window48h, 360, "2026-10-24 12:00", "2026-10-26 11:00"},
		{"the same gaming day when clocks go forward", "Europe/Berlin", WindowSameDay, 360, "2026-03-28 12:00", "2026-03-29 06:00"},
		{"the same gaming day when clocks go back", "Europe/Berlin", WindowSameDay, 360, "2026-10-24 12:00", "2026-10-25 06:00"},
		{"two gaming days of 49 hours: 48 hours come first", "Europe/Berlin", WindowNextDay, 360, "2026-10-24 06:00", "2026-10-26 05:00"},
		{"a gaming day that starts in the hour that is skipped", "Europe/Berlin", WindowSameDay, 150, "2026-03-28 12:00", "2026-03-29 03:00"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			location := zone(t, c.zone)
			rules := Rules{Window: c.policy, GamingDayStarts: c.starts}
			window := rules.WindowOf(at(t, c.bought, location), location)
			if want := at(t, c.ends, location); !window.Ends.Equal(want) {
				t.Errorf("bought %s: ends %s, want %s", c.bought, window.Ends, want)
			}
		})
	}
}

func TestWindowIsHalfOpen(t *testing.T) {
	bought := time.Date(2026, 11, 30, 14, 5, 0, 0, time.UTC)
	window := Rules{Window: Window48h}.WindowOf(bought, time.UTC)
	for _, c := range []struct {
		name  string
		start time.Time
		holds bool
	}{
		{"before the purchase", bought.Add(-time.Nanosecond), false},
		{"at the purchase", bought, true},
		{"just before the end", window.Ends.Add(-time.Nanosecond), true},
		{"at the end (clauses 5 to 8: not included)", window.Ends, false},
	} {
		if window.Holds(c.start) != c.holds {
			t.Errorf("%s: got %v, want %v", c.name, !c.holds, c.holds)
		}
	}
}

func TestGamingDay(t *testing.T) {
	cases := []struct {
		name, zone string
		starts     TimeOfDay
		moment     string
		want       Date
	}{
		{"noon", "Africa/Johannesburg", 360, "2026-11-30 12:00", Date{2026, 11, 30}},
		{"after midnight", "Africa/Johannesburg", 360, "2026-12-01 00:30", Date{2026, 11, 30}},
		{"a minute before it starts", "Africa/Johannesburg", 360, "2026-12-01 05:59", Date{2026, 11, 30}},
		{"as it starts", "Africa/Johannesburg", 360, "2026-12-01 06:00", Date{2026, 12, 1}},
		{"far west", "America/Los_Angeles", 360, "2026-11-30 23:59", Date{2026, 11, 30}},
		{"far east", "Pacific/Tongatapu", 360, "2026-12-01 05:00", Date{2026, 11, 30}},
		{"the first morning of the year", "Pacific/Tongatapu", 360, "2027-01-01 03:00", Date{2026, 12, 31}},
	}
	for _, c := range cases {
		location := zone(t, c.zone)
		if got := GamingDay(at(t, c.moment, location), c.starts, location); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

// Every moment belongs to one gaming day, and gaming days follow one another, whatever the clocks do meanwhile.
func TestGamingDaysNeverGoBack(t *testing.T) {
	for _, name := range []string{"Africa/Johannesburg", "Europe/Berlin", "America/Los_Angeles", "Australia/Lord_Howe", "America/St_Johns"} {
		location := zone(t, name)
		for starts := TimeOfDay(0); starts < 24*60; starts += 15 {
			before := Date{}
			for moment := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC); moment.Year() == 2026; moment = moment.Add(6 * time.Hour) {
				checkDay(t, moment, starts, location, &before)
			}
			for _, change := range []Date{{2026, 3, 8}, {2026, 3, 29}, {2026, 4, 5}, {2026, 10, 4}, {2026, 10, 25}, {2026, 11, 1}} {
				before = Date{}
				from := change.At(0, 0, location).Add(-2 * time.Hour)
				for minute := 0; minute < 60*8; minute += 5 {
					checkDay(t, from.Add(time.Duration(minute)*time.Minute), starts, location, &before)
				}
			}
		}
	}
}

func checkDay(t *testing.T, moment time.Time, starts TimeOfDay, location *time.Location, before *Date) {
	t.Helper()
	day := GamingDay(moment, starts, location)
	if day.Before(*before) {
		t.Fatalf("%s: gaming day %s after %s (start %d)", moment.In(location), day, *before, starts)
	}
	if moment.Before(DayStart(day, starts, location)) || !moment.Before(DayStart(day.AddDays(1), starts, location)) {
		t.Fatalf("%s is not between the beginnings of its gaming day %s (start %d) and the next", moment.In(location), day, starts)
	}
	*before = day
}
