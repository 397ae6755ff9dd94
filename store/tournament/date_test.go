package tournament

import (
	"encoding/json"
	"errors"
	"testing"
	"time"
)

func TestDatesOfTheCalendar(t *testing.T) {
	for _, text := range []string{"2026-11-30", "2024-02-29", "2000-02-29", "1900-01-01", "0001-01-01"} {
		date, err := ParseDate(text)
		if err != nil || date.String() != text {
			t.Errorf("%s: got %s, %v", text, date, err)
		}
	}
	for _, text := range []string{"", "2026-02-29", "1900-02-29", "2026-13-01", "2026-00-10", "2026-11-31", "0000-01-01", "26-11-30", "2026-11-30T00:00:00Z", "2026-1-3"} {
		if date, err := ParseDate(text); !errors.Is(err, ErrDate) {
			t.Errorf("%q: got %s, %v; want ErrDate", text, date, err)
		}
	}
	if _, exists := NewDate(2026, 2, 29); exists {
		t.Error("29 February 2026 exists")
	}
}

// vxsuite#4611: a birth date parsed as midnight UTC showed the day before.
func TestBirthDateIsTheSameInEveryZone(t *testing.T) {
	local := time.Local
	defer func() { time.Local = local }()
	for _, name := range []string{"Etc/GMT+8", "America/Los_Angeles", "UTC", "Africa/Johannesburg", "Pacific/Tongatapu", "Etc/GMT-13"} {
		time.Local = zone(t, name)
		for _, text := range []string{"1980-01-01", "2008-02-29", "1999-12-31"} {
			var read struct{ Born Date }
			if err := json.Unmarshal([]byte(`{"Born":"`+text+`"}`), &read); err != nil {
				t.Fatal(err)
			}
			written, err := json.Marshal(read)
			if err != nil || string(written) != `{"Born":"`+text+`"}` {
				t.Errorf("%s in %s: got %s, %v", text, name, written, err)
			}
		}
	}
}

func TestDaysAreAddedAcrossMonthsYearsAndClockChanges(t *testing.T) {
	for _, c := range []struct {
		from Date
		days int
		want Date
	}{
		{Date{2026, 12, 31}, 1, Date{2027, 1, 1}},
		{Date{2028, 2, 28}, 1, Date{2028, 2, 29}},
		{Date{2026, 3, 28}, 2, Date{2026, 3, 30}},
		{Date{2026, 1, 1}, -1, Date{2025, 12, 31}},
	} {
		if got := c.from.AddDays(c.days); got != c.want {
			t.Errorf("%s and %d days: got %s, want %s", c.from, c.days, got, c.want)
		}
	}
	if (Date{2026, 11, 30}).Weekday() != time.Monday {
		t.Error("30 November 2026 is a Monday")
	}
}
