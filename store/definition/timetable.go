package definition

import (
	"fmt"
	"strings"
	"time"

	"reelkiosk/store/strict"
	"reelkiosk/store/tournament"
)

// A slot is the start of a heat with the line of the file that it comes from, before heats are numbered.
type slot struct {
	start time.Time
	stage int
	// from is the table whose mistake it is if the heat cannot be: a timetable or a single heat, and the key in it.
	from *strict.Table
	key  string
}

// dayLong is a day in minutes, on the clocks of the wall.
const dayLong = 24 * 60

// readTimetable returns the starts of a timetable, in order. It stops at the most that a definition may have.
func readTimetable(timetable *strict.Table, result *tournament.Tournament, stage int) (slots []slot) {
	noted := timetable.Noted()
	chosen := readDays(timetable)
	from := strict.TakeOr(timetable, "from", date, result.First)
	until := strict.TakeOr(timetable, "until", date, result.Last)
	first, last := strict.Take(timetable, "first", clock), strict.Take(timetable, "last", clock)
	every := strict.Take(timetable, "every", duration(time.Minute, 24*time.Hour))
	if !usable(result) || timetable.Noted() > noted {
		return nil
	}
	switch length := result.Rules.HeatLength; {
	case every%time.Minute != 0:
		timetable.Mistake("every", "must be whole minutes")
	case every < length:
		timetable.Mistake("every", "must not be shorter than heat_length, "+strict.Short(length)+
			": heats of the same machines must not overlap (clause 11)")
	}
	within(timetable, "from", from, result)
	within(timetable, "until", until, result)
	if until.Before(from) {
		timetable.Mistake("until", "must not be before from, "+from.String())
	}
	if timetable.Noted() > noted {
		return nil
	}
	end := int(last)
	if last < first {
		end += dayLong
	}
	for date := from; !date.After(until); date = date.AddDays(1) {
		if !chosen(date) {
			continue
		}
		for minutes := int(first); minutes <= end; minutes += int(every / time.Minute) {
			if start, shown := wall(date, minutes, result.Zone); shown {
				slots = append(slots, slot{start, stage, timetable, "every"})
			}
		}
		if len(slots) > manyHeats {
			return slots
		}
	}
	if len(slots) == 0 {
		timetable.Mistake("days", "must include a day from "+from.String()+" to "+until.String()+" on which a heat can start")
	}
	return slots
}

// usable reports whether the zone, the period and the rules were read, without which no heat can be placed.
func usable(result *tournament.Tournament) bool {
	return result.Zone != nil && !result.First.IsZero() && !result.Last.IsZero() && !result.Last.Before(result.First) &&
		!result.Last.After(result.First.AddDays(longestPeriod)) && result.Rules.HeatLength > 0
}

// within notes a day outside the period.
func within(timetable *strict.Table, key string, day tournament.Date, result *tournament.Tournament) {
	if day.Before(result.First) || day.After(result.Last) {
		timetable.Mistake(key, fmt.Sprintf("must be in the period, %s to %s", result.First, result.Last))
	}
}

// days are what a timetable's days or except list: weekdays and dates.
type days struct {
	daily    bool
	weekdays [7]bool
	dates    map[tournament.Date]bool
}

func (d days) has(date tournament.Date) bool {
	return d.daily || d.weekdays[date.Weekday()] || d.dates[date]
}

// readDays returns which days a timetable is for.
func readDays(timetable *strict.Table) func(tournament.Date) bool {
	chosen := strict.Take(timetable, "days", dayList)
	except := strict.TakeOr(timetable, "except", dayList, days{})
	return func(date tournament.Date) bool { return chosen.has(date) && !except.has(date) }
}

var dayList = strict.Kind[days]{
	Allowed: `must be "daily", or a list of weekdays and dates such as ["friday", 2028-12-16]`,
	Read: func(value any) (days, bool) {
		listed := days{dates: map[tournament.Date]bool{}}
		if value == "daily" {
			listed.daily = true
			return listed, true
		}
		elements, right := value.([]any)
		for _, element := range elements {
			right = listed.add(element) && right
		}
		return listed, right && len(elements) > 0
	},
}

// add adds a weekday, in full or its first three letters, or a date.
func (d *days) add(element any) bool {
	if date, right := asDate(element); right {
		d.dates[date] = true
		return true
	}
	name, _ := element.(string)
	for weekday := range d.weekdays {
		full := strings.ToLower(time.Weekday(weekday).String())
		if lower := strings.ToLower(name); lower == full || lower == full[:3] {
			d.weekdays[weekday] = true
			return true
		}
	}
	return false
}
