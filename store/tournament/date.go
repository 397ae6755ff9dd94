package tournament

import (
	"encoding"
	"errors"
	"fmt"
	"time"
)

// Date is a civil date: a day on a calendar, in no zone and at no hour. A birth date or an expiry is a Date and never
// a midnight, since a midnight becomes the day before in another zone.
type Date struct {
	Year  int
	Month time.Month
	Day   int
}

var (
	_ encoding.TextMarshaler   = Date{}
	_ encoding.TextUnmarshaler = (*Date)(nil)
)

// ErrDate is wrapped by ParseDate where the text is no date of the calendar.
var ErrDate = errors.New("not a date of the form YYYY-MM-DD")

// NewDate returns the date, and whether the calendar has it: 29 February only in leap years, no month 13.
func NewDate(year int, month time.Month, day int) (Date, bool) {
	moment := time.Date(year, month, day, 12, 0, 0, 0, time.UTC)
	return Date{year, month, day}, year > 0 && moment.Year() == year && moment.Month() == month && moment.Day() == day
}

// ParseDate reads YYYY-MM-DD (RFC 3339, full-date). The error wraps ErrDate.
func ParseDate(text string) (Date, error) {
	moment, err := time.Parse(time.DateOnly, text)
	if err != nil || moment.Year() == 0 {
		return Date{}, fmt.Errorf("%q: %w", text, ErrDate)
	}
	return DateOf(moment), nil
}

// DateOf returns the day that a moment falls on in the moment's own location.
func DateOf(moment time.Time) Date {
	year, month, day := moment.Date()
	return Date{year, month, day}
}

// IsZero reports whether no date is known.
func (d Date) IsZero() bool { return d == Date{} }

// Compare returns -1, 0 or 1 as d is before, the same as, or after other.
func (d Date) Compare(other Date) int {
	switch left, right := d.ordinal(), other.ordinal(); {
	case left < right:
		return -1
	case left > right:
		return 1
	}
	return 0
}

// Before reports whether d is earlier than other.
func (d Date) Before(other Date) bool { return d.Compare(other) < 0 }

// After reports whether d is later than other.
func (d Date) After(other Date) bool { return d.Compare(other) > 0 }

// AddDays returns the date that many days later, or earlier where days is negative.
func (d Date) AddDays(days int) Date {
	return DateOf(time.Date(d.Year, d.Month, d.Day+days, 12, 0, 0, 0, time.UTC))
}

// Weekday returns the day of the week.
func (d Date) Weekday() time.Weekday {
	return time.Date(d.Year, d.Month, d.Day, 12, 0, 0, 0, time.UTC).Weekday()
}

// At returns the moment at which the zone's clocks show hour and minute on that day.
func (d Date) At(hour, minute int, zone *time.Location) time.Time {
	return time.Date(d.Year, d.Month, d.Day, hour, minute, 0, 0, zone)
}

// AgeOn returns the age in whole years on a day of somebody born on d. Who was born on 29 February has a birthday on
// 1 March in other years (clause 1). It is negative before the birth.
func (d Date) AgeOn(day Date) int {
	age := day.Year - d.Year
	if day.Month < d.Month || day.Month == d.Month && day.Day < d.Day {
		age--
	}
	return age
}

// String returns YYYY-MM-DD, or nothing for the zero date.
func (d Date) String() string {
	if d.IsZero() {
		return ""
	}
	return fmt.Sprintf("%04d-%02d-%02d", d.Year, d.Month, d.Day)
}

// MarshalText writes YYYY-MM-DD, or nothing for the zero date.
func (d Date) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads YYYY-MM-DD, or nothing as the zero date.
func (d *Date) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*d = Date{}
		return nil
	}
	read, err := ParseDate(string(text))
	if err == nil {
		*d = read
	}
	return err
}

func (d Date) ordinal() int { return (d.Year*16+int(d.Month))*32 + d.Day }
