package definition

import (
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"

	"reelkiosk/store/strict"
	"reelkiosk/store/tournament"
)

var identifierForm = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// identifier is a name for addresses and files.
var identifier = strict.Text(
	`must be lower-case letters and digits with single hyphens between, at most 64, such as "ridge-2028"`,
	func(text string) bool {
		return len(text) <= 64 && identifierForm.MatchString(text)
	},
)

// line is a text for people on one line.
var line = strict.Text(
	"must be a text on one line of at most 100 letters",
	func(text string) bool {
		return strings.TrimSpace(text) != "" && utf8.RuneCountInString(text) <= 100 &&
			!strings.ContainsFunc(text, func(letter rune) bool { return !unicode.IsPrint(letter) })
	},
)

// zone is a time zone by its IANA name.
var zone = strict.Kind[*time.Location]{
	Allowed: `must be the IANA name of a time zone, such as "Africa/Johannesburg"`,
	Read: func(value any) (*time.Location, bool) {
		name, _ := value.(string)
		if name == "" || name == "Local" {
			return nil, false
		}
		found, err := time.LoadLocation(name)
		return found, err == nil
	},
}

// currency is an ISO 4217 code.
var currency = strict.Text(
	`must be the ISO 4217 code of a currency, such as "ZAR"`,
	func(code string) bool {
		return len(code) == 3 && !strings.ContainsFunc(code, func(letter rune) bool { return letter < 'A' || letter > 'Z' })
	},
)

// date is a day, as TOML writes it or in quotes.
var date = strict.Kind[tournament.Date]{Allowed: "must be a date such as 2028-06-05", Read: asDate}

func asDate(value any) (tournament.Date, bool) {
	switch value := value.(type) {
	case toml.LocalDate:
		return tournament.NewDate(value.Year, time.Month(value.Month), value.Day)
	case string:
		day, err := tournament.ParseDate(value)
		return day, err == nil
	}
	return tournament.Date{}, false
}

// clock is a time of day in minutes, as TOML writes it or in quotes.
var clock = strict.Kind[tournament.TimeOfDay]{
	Allowed: `must be a time of day from "00:00" to "23:59"`,
	Read: func(value any) (tournament.TimeOfDay, bool) {
		switch value := value.(type) {
		case toml.LocalTime:
			return tournament.TimeOfDay(value.Hour*60 + value.Minute), value.Second == 0 && value.Nanosecond == 0
		case string:
			moment, err := time.Parse("15:04", value)
			return tournament.TimeOfDay(moment.Hour()*60 + moment.Minute()), err == nil && len(value) == len("15:04")
		}
		return 0, false
	},
}

// duration is a length of time within limits, of whole seconds.
func duration(least, most time.Duration) strict.Kind[time.Duration] {
	allowed := fmt.Sprintf(`must be a time from %s to %s, such as "20m", "1h30m" or "45s"`, strict.Short(least), strict.Short(most))
	return strict.Duration(allowed, least, most, time.Second)
}

var moneyForm = regexp.MustCompile(`^[0-9]{1,9}(\.[0-9]{2})?$`)

// money is an amount in a currency, written "50.00" or "50". A bare number is refused: some read 5000 as cents.
func money(code string) strict.Kind[tournament.Money] {
	return strict.Kind[tournament.Money]{
		Allowed: `must be an amount in quotes, such as "50.00"`,
		Read: func(value any) (tournament.Money, bool) {
			amount := tournament.Money{Currency: code}
			text, _ := value.(string)
			if !moneyForm.MatchString(text) {
				return amount, false
			}
			units, cents, _ := strings.Cut(text, ".")
			for _, digit := range units + (cents + "00")[:2] {
				amount.Cents = amount.Cents*10 + int64(digit-'0')
			}
			return amount, true
		},
	}
}

// amounts are those of several prizes, the first first.
func amounts(code string) strict.Kind[[]tournament.Money] {
	one := money(code)
	return strict.Kind[[]tournament.Money]{
		Allowed: `must be a list of amounts in quotes, none above the one before it, such as ["10000.00", "5000.00"]`,
		Read: func(value any) (amounts []tournament.Money, right bool) {
			elements, right := value.([]any)
			for i, element := range elements {
				amount, read := one.Read(element)
				right = right && read && (i == 0 || amount.Cents <= amounts[i-1].Cents)
				amounts = append(amounts, amount)
			}
			return amounts, right && len(amounts) <= most
		},
	}
}
