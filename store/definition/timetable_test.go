package definition

import (
	"strings"
	"testing"
	"time"

	"reelkiosk/store/tournament"
)

// starts returns the starts of the qualifying heats as "02 15:04 -0700", day of the month first.
func starts(read *tournament.Tournament) (starts []string) {
	for _, heat := range read.Stages[0].Heats {
		starts = append(starts, heat.Start.Format("02 15:04 -0700"))
	}
	return starts
}

// inBerlin is small in a zone that changes its clocks, over some days, with one timetable or some heats.
func inBerlin(t *testing.T, first, last, heats string) string {
	t.Helper()
	return changed(t, "Africa/Johannesburg", "Europe/Berlin", "2028-06-05", first, "2028-06-11", last,
		small[strings.Index(small, "[[stages.timetables]]"):], heats)
}

func TestTimetableSpeaksOfWhatTheClocksShow(t *testing.T) {
	for _, c := range []struct {
		situation, first, last, heats string
		want                          []string
	}{
		{"clocks put forward: times that they leave out have no heat", "2028-03-26", "2028-03-26",
			"[[stages.timetables]]\ndays = \"daily\"\nfirst = \"01:20\"\nlast = \"03:20\"\nevery = \"20m\"\n",
			[]string{"26 01:20 +0100", "26 01:40 +0100", "26 03:00 +0200", "26 03:20 +0200"}},
		{"clocks put back: times that they show twice have one heat, at the first", "2028-10-29", "2028-10-29",
			"[[stages.timetables]]\ndays = \"daily\"\nfirst = \"01:40\"\nlast = \"03:00\"\nevery = \"20m\"\n",
			[]string{"29 01:40 +0200", "29 02:00 +0200", "29 02:20 +0200", "29 02:40 +0200", "29 03:00 +0100"}},
		{"an evening into the night in which clocks change", "2028-10-28", "2028-10-28",
			"[[stages.timetables]]\ndays = [2028-10-28]\nfirst = \"23:30\"\nlast = \"03:30\"\nevery = \"1h\"\n",
			[]string{"28 23:30 +0200", "29 00:30 +0200", "29 01:30 +0200", "29 02:30 +0200", "29 03:30 +0100"}},
		{"a single heat at a time shown twice, and one at the second by its offset", "2028-10-29", "2028-10-29",
			"[[stages.heats]]\nstart = 2028-10-29T02:30:00\n[[stages.heats]]\nstart = 2028-10-29T02:30:00+01:00\n",
			[]string{"29 02:30 +0200", "29 02:30 +0100"}},
		{"a single heat with the offset of another zone", "2028-07-01", "2028-07-01",
			"[[stages.heats]]\nstart = 2028-07-01T08:00:00Z\n",
			[]string{"01 10:00 +0200"}},
		{"the last at the time of the first", "2028-07-01", "2028-07-01",
			"[[stages.timetables]]\ndays = \"daily\"\nfirst = \"12:00\"\nlast = \"12:00\"\nevery = \"20m\"\n",
			[]string{"01 12:00 +0200"}},
		{"a last that the interval does not meet", "2028-07-01", "2028-07-01",
			"[[stages.timetables]]\ndays = \"daily\"\nfirst = \"12:00\"\nlast = \"12:59\"\nevery = \"30m\"\n",
			[]string{"01 12:00 +0200", "01 12:30 +0200"}},
		{"weekdays, dates and exceptions", "2028-07-01", "2028-07-10", // the first is a Saturday
			"[[stages.timetables]]\ndays = [\"Saturday\", \"sun\", 2028-07-04, \"2028-07-05\"]\nexcept = [2028-07-02]\nfirst = 12:00:00\nlast = \"12:00\"\nevery = \"20m\"\n",
			[]string{"01 12:00 +0200", "04 12:00 +0200", "05 12:00 +0200", "08 12:00 +0200", "09 12:00 +0200"}},
		{"every day but Sundays, for a part of the period", "2028-07-01", "2028-07-10",
			"[[stages.timetables]]\ndays = \"daily\"\nexcept = [\"sunday\"]\nfrom = 2028-07-02\nuntil = 2028-07-04\nfirst = \"12:00\"\nlast = \"12:00\"\nevery = \"20m\"\n",
			[]string{"03 12:00 +0200", "04 12:00 +0200"}},
		{"timetables and heats, whatever their order in the file", "2028-07-01", "2028-07-01",
			"[[stages.heats]]\nstart = 2028-07-01T20:00:00\n[[stages.timetables]]\ndays = \"daily\"\nfirst = \"19:00\"\nlast = \"21:00\"\nevery = \"2h\"\n",
			[]string{"01 19:00 +0200", "01 20:00 +0200", "01 21:00 +0200"}},
	} {
		t.Run(c.situation, func(t *testing.T) {
			got := starts(parsed(t, inBerlin(t, c.first, c.last, c.heats)))
			if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("heats start\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

func TestSingleHeatThatClocksNeverShowIsAMistake(t *testing.T) {
	_, err := Parse("small.toml", []byte(inBerlin(t, "2028-03-26", "2028-03-26", "[[stages.heats]]\nstart = 2028-03-26T02:30:00\n")))
	if err == nil || !strings.Contains(err.Error(), "they are put forward over this one") {
		t.Errorf("read with %v", err)
	}
}

func TestAroundTheClockHasEveryTimeOfEveryDay(t *testing.T) {
	const heats = "[[stages.timetables]]\ndays = \"daily\"\nfirst = \"00:00\"\nlast = \"23:40\"\nevery = \"20m\"\n"
	for _, c := range []struct {
		day  string
		want int
	}{{"2028-07-01", 72}, {"2028-03-26", 69}, {"2028-10-29", 72}} {
		read := parsed(t, inBerlin(t, c.day, c.day, heats))
		if got := read.Stages[0].Heats; len(got) != c.want {
			t.Errorf("%s has %d heats, want %d", c.day, len(got), c.want)
		}
		check(t, read)
	}
}

func TestHeatsAreNumberedWithinTheGamingDay(t *testing.T) {
	text := changed(t, `first = "12:00"`, `first = "04:00"`, `last = "13:00"`, `last = "03:00"`, `every = "20m"`, `every = "1h"`,
		"[rules]", "[rules]\ngaming_day_starts = \"05:30\"", "last = 2028-06-11", "last = 2028-06-06")
	heats := parsed(t, text).Stages[0].Heats
	for _, c := range []struct {
		index int
		id    tournament.HeatID
		start string
	}{
		{0, "qualifying-2028-06-04-1", "05 04:00"}, // Monday before half past five is still Sunday's
		{1, "qualifying-2028-06-04-2", "05 05:00"},
		{2, "qualifying-2028-06-05-1", "05 06:00"},
		{23, "qualifying-2028-06-05-22", "06 03:00"},
		{24, "qualifying-2028-06-05-23", "06 04:00"},
		{26, "qualifying-2028-06-06-1", "06 06:00"},
		{47, "qualifying-2028-06-06-22", "07 03:00"}, // after the period's last midnight, in its last gaming day
	} {
		if heat := heats[c.index]; heat.ID != c.id || heat.Start.Format("02 15:04") != c.start || heat.Size != 4 {
			t.Errorf("heat %d is %s at %s, want %s at %s", c.index, heat.ID, heat.Start.Format("02 15:04"), c.id, c.start)
		}
	}
	if len(heats) != 48 {
		t.Errorf("%d heats, want 48", len(heats))
	}
}

func TestEveryStageIsNumberedByItself(t *testing.T) {
	text := changed(t, "[rules]", "[rules]\nfinal_places = 3") + `
[[stages]]
kind = "semi-final"
size = 2
heats = [{start = 2028-06-11T18:00:00}, {start = 2028-06-11T17:00:00}]
[[stages]]
kind = "final"
size = 4
heats = [{start = 2028-06-12T01:00:00}]
`
	read := parsed(t, text)
	var got []string
	for _, stage := range read.Stages[1:] {
		for _, heat := range stage.Heats {
			got = append(got, string(heat.ID)+heat.Start.Format(" 15:04"))
		}
	}
	want := "semi-final-2028-06-11-1 17:00, semi-final-2028-06-11-2 18:00, final-2028-06-11-1 01:00"
	if strings.Join(got, ", ") != want {
		t.Errorf("the heats are %s, want %s", strings.Join(got, ", "), want)
	}
	if read.Rules.FinalPlaces != 3 {
		t.Errorf("%d final places, want 3", read.Rules.FinalPlaces)
	}
}

// TestWallFindsEveryMomentOfAYear: in zones with changes of an hour, of half an hour, of a whole day, and none.
func TestWallFindsEveryMomentOfAYear(t *testing.T) {
	for _, c := range []struct {
		zone string
		year int
	}{{"Africa/Johannesburg", 2028}, {"Europe/Berlin", 2028}, {"Australia/Lord_Howe", 2028}, {"America/St_Johns", 2028},
		{"Pacific/Apia", 2011}, {"Africa/Casablanca", 2028}} {
		zone, err := time.LoadLocation(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		first := map[string]time.Time{}
		for moment := time.Date(c.year, 1, 1, 0, 0, 0, 0, zone); moment.Year() == c.year; moment = moment.Add(10 * time.Minute) {
			if shown := moment.Format("01-02 15:04"); first[shown].IsZero() {
				first[shown] = moment
			}
		}
		for day := (tournament.Date{Year: c.year, Month: 1, Day: 1}); day.Year == c.year; day = day.AddDays(1) {
			for minutes := 0; minutes < dayLong; minutes += 10 {
				shown := time.Date(day.Year, day.Month, day.Day, 0, minutes, 0, 0, time.UTC).Format("01-02 15:04")
				got, there := wall(day, minutes, zone)
				if want := first[shown]; there == want.IsZero() || there && !got.Equal(want) {
					t.Fatalf("%s, %s: %v, %v; want %v", c.zone, shown, got, there, want)
				}
			}
		}
	}
}
