package definition

import (
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"

	"reelkiosk/store/tournament"
)

// kind is a kind of value: what is said of a wrong one, and how a right one is read.
type kind[T any] struct {
	allowed string
	read    func(value any) (T, bool)
}

// take returns the value of a key, or the table's default; where it is wrong or missing, that is noted and the result is
// the zero value, or for a wrong one the default.
func take[T any](t *table, key string, k kind[T]) T {
	t.asked[key] = true
	fallback, _ := k.read(t.defaults[key])
	value, given := t.values[key]
	if !given {
		if _, has := t.defaults[key]; !has {
			t.missing(key, k.allowed)
		}
		return fallback
	}
	read, right := k.read(value)
	if !right {
		t.mistake(key, k.allowed)
		return fallback
	}
	return read
}

// takeOr is take for a key that need not be given.
func takeOr[T any](t *table, key string, k kind[T], otherwise T) T {
	if t.asked[key] = true; !t.has(key) {
		return otherwise
	}
	return take(t, key, k)
}

var identifierForm = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// identifier is a name for addresses and files.
var identifier = kind[string]{
	`must be lower-case letters and digits with single hyphens between, at most 64, such as "ridge-2028"`,
	func(value any) (string, bool) {
		text, _ := value.(string)
		return text, len(text) <= 64 && identifierForm.MatchString(text)
	},
}

// line is a text for people on one line.
var line = kind[string]{
	"must be a text on one line of at most 100 letters",
	func(value any) (string, bool) {
		text, _ := value.(string)
		return text, strings.TrimSpace(text) != "" && utf8.RuneCountInString(text) <= 100 &&
			!strings.ContainsFunc(text, func(letter rune) bool { return !unicode.IsPrint(letter) })
	},
}

// zone is a time zone by its IANA name.
var zone = kind[*time.Location]{
	`must be the IANA name of a time zone, such as "Africa/Johannesburg"`,
	func(value any) (*time.Location, bool) {
		name, _ := value.(string)
		if name == "" || name == "Local" {
			return nil, false
		}
		found, err := time.LoadLocation(name)
		return found, err == nil
	},
}

// currency is an ISO 4217 code.
var currency = kind[string]{
	`must be the ISO 4217 code of a currency, such as "ZAR"`,
	func(value any) (string, bool) {
		code, _ := value.(string)
		return code, len(code) == 3 && !strings.ContainsFunc(code, func(letter rune) bool { return letter < 'A' || letter > 'Z' })
	},
}

// date is a day, as TOML writes it or in quotes.
var date = kind[tournament.Date]{"must be a date such as 2028-06-05", asDate}

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
var clock = kind[tournament.TimeOfDay]{
	`must be a time of day from "00:00" to "23:59"`,
	func(value any) (tournament.TimeOfDay, bool) {
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

var truth = kind[bool]{"must be true or false", func(value any) (bool, bool) {
	given, right := value.(bool)
	return given, right
}}

// whole is a whole number within limits.
func whole(least, most int) kind[int] {
	return kind[int]{
		fmt.Sprintf("must be a whole number from %d to %d", least, most),
		func(value any) (int, bool) {
			number, right := value.(int64)
			return int(number), right && number >= int64(least) && number <= int64(most)
		},
	}
}

// duration is a time span within limits, of whole seconds.
func duration(least, most time.Duration) kind[time.Duration] {
	return kind[time.Duration]{
		fmt.Sprintf(`must be a time from %s to %s, such as "20m", "1h30m" or "45s"`, short(least), short(most)),
		func(value any) (time.Duration, bool) {
			text, _ := value.(string)
			span, err := time.ParseDuration(text)
			return span, err == nil && span >= least && span <= most && span%time.Second == 0
		},
	}
}

// short writes 90 minutes as "1h30m", without the zero minutes and seconds that Duration.String adds.
func short(span time.Duration) string {
	text := span.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// choice is one of a few words.
func choice[T ~string](words ...T) kind[T] {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = `"` + string(word) + `"`
	}
	return kind[T]{
		"must be " + strings.Join(quoted[:len(quoted)-1], ", ") + " or " + quoted[len(quoted)-1],
		func(value any) (T, bool) {
			text, _ := value.(string)
			for _, word := range words {
				if string(word) == text {
					return word, true
				}
			}
			return "", false
		},
	}
}

var moneyForm = regexp.MustCompile(`^[0-9]{1,9}(\.[0-9]{2})?$`)

// money is an amount in a currency, written "50.00" or "50". A bare number is refused: some read 5000 as cents.
func money(code string) kind[tournament.Money] {
	return kind[tournament.Money]{
		`must be an amount in quotes, such as "50.00"`,
		func(value any) (tournament.Money, bool) {
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
