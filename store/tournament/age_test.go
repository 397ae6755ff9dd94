package tournament

import (
	"testing"
	"time"
)

func TestAgeIsCheckedAtTheActAndOnTheDayOfTheHeat(t *testing.T) {
	johannesburg := zone(t, "Africa/Johannesburg")
	rules := Rules{MinAge: 18}
	act := at(t, "2026-11-30 12:00", johannesburg)
	cases := []struct {
		name  string
		born  Date
		act   time.Time
		heats []time.Time
		want  Reason
	}{
		{"clause 1: eighteen today", Date{2008, 11, 30}, act, nil, ""},
		{"clause 1: eighteen tomorrow", Date{2008, 12, 1}, act, nil, UnderAge},
		{"clause 1: eighteen tomorrow, and the heat is tomorrow", Date{2008, 12, 1}, act, []time.Time{act.Add(24 * time.Hour)}, UnderAge},
		{"clause 1: eighteen today, the heat was yesterday by the calendar", Date{2008, 11, 30}, act, []time.Time{act.Add(-24 * time.Hour)}, UnderAge},
		{"clause 1: born on 29 February, on 28 February", Date{2008, 2, 29}, at(t, "2026-02-28 23:59", johannesburg), nil, UnderAge},
		{"clause 1: born on 29 February, on 1 March", Date{2008, 2, 29}, at(t, "2026-03-01 00:00", johannesburg), nil, ""},
		{"clause 1: born on 29 February, on 29 February", Date{2008, 2, 29}, at(t, "2028-02-29 00:00", johannesburg), nil, ""},
		{"clause 1: age unknown", Date{}, act, nil, AgeUnknown},
		{"clause 1: born tomorrow is a misreading", Date{2026, 12, 1}, act, nil, AgeUnknown},
		{"clause 1: born today is under age", Date{2026, 11, 30}, act, nil, UnderAge},
		{"clause 1: born in the year 1 was an adult", Date{1, 1, 1}, act, nil, AgeUnknown},
		{"clause 1: 121 years old was an adult", Date{1905, 11, 30}, act, nil, AgeUnknown},
		{"clause 1: 120 years old", Date{1906, 11, 30}, act, nil, ""},
		{"clause 1: after midnight the calendar day counts, not the gaming day", Date{2008, 12, 1}, at(t, "2026-12-01 00:30", johannesburg), nil, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			refusal := rules.CheckAge(c.born, johannesburg, c.act, c.heats...)
			switch {
			case c.want == "" && refusal != nil:
				t.Errorf("refused: %v", refusal)
			case c.want != "" && (refusal == nil || refusal.Reason != c.want || refusal.Clause != 1):
				t.Errorf("got %v, want %s on clause 1", refusal, c.want)
			}
		})
	}
}

// A birth date is a civil date: the same person is eighteen when the calendar of the tournament's zone says so, from the
// far west to the far east.
func TestAgeIsCountedInTheTournamentsZone(t *testing.T) {
	born := Date{2008, 11, 30}
	for _, name := range []string{
		"Etc/GMT+8", "America/Los_Angeles", "America/Sao_Paulo", "UTC", "Africa/Johannesburg", "Asia/Kolkata",
		"Australia/Sydney", "Pacific/Auckland", "Pacific/Tongatapu", "Etc/GMT-13",
	} {
		location := zone(t, name)
		rules := Rules{MinAge: 18}
		birthday := Date{2026, 11, 30}.At(0, 0, location)
		if refusal := rules.CheckAge(born, location, birthday); refusal != nil {
			t.Errorf("%s: on the birthday's first moment: %v", name, refusal)
		}
		if refusal := rules.CheckAge(born, location, birthday.Add(-time.Second).UTC()); refusal == nil {
			t.Errorf("%s: a second before the birthday nobody refused", name)
		}
	}
}

func TestRegistrationOpensAndCloses(t *testing.T) {
	rules := Rules{OpensBefore: 24 * time.Hour, ClosesBefore: 5 * time.Minute, HeatLength: 15 * time.Minute}
	start := time.Date(2026, 11, 30, 14, 0, 0, 0, time.UTC)
	heat := Heat{Start: start}
	cases := []struct {
		name  string
		now   time.Time
		want  Reason
		until time.Time
	}{
		{"clause 11: before it opens", start.Add(-24*time.Hour - time.Second), NotOpen, start.Add(-24 * time.Hour)},
		{"clause 11: as it opens", start.Add(-24 * time.Hour), "", time.Time{}},
		{"clause 11: a second before it closes", start.Add(-5*time.Minute - time.Second), "", time.Time{}},
		{"clause 11: as it closes it is closed", start.Add(-5 * time.Minute), Closed, start.Add(-5 * time.Minute)},
		{"clause 11: during the heat", start.Add(14 * time.Minute), Closed, start.Add(-5 * time.Minute)},
		{"clause 10: when it is over", start.Add(15 * time.Minute), HeatGone, time.Time{}},
	}
	for _, c := range cases {
		refusal := rules.CheckRegistration(heat, c.now)
		switch {
		case c.want == "" && refusal != nil:
			t.Errorf("%s: refused: %v", c.name, refusal)
		case c.want != "" && (refusal == nil || refusal.Reason != c.want || !refusal.Until.Equal(c.until)):
			t.Errorf("%s: got %+v, want %s until %s", c.name, refusal, c.want, c.until)
		}
	}
}
