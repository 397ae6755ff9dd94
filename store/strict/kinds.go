package strict

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Kind is a kind of value: what is said of a wrong one, and how a right one is read.
type Kind[T any] struct {
	// Allowed is what must be there, as in "must be a whole number from 1 to 50". Whoever has better words for his file
	// puts them in place of those of a kind of this package.
	Allowed string
	// Read returns the value, and whether it is right, of what go-toml reads into an any: string, int64, float64, bool,
	// time.Time, toml.LocalDate, toml.LocalTime, toml.LocalDateTime, []any, map[string]any.
	Read func(value any) (T, bool)
}

// Take returns the value of a key. Where it is missing, that is the default; where there is none or the value is wrong, that
// is noted, and the result is the default or the zero value.
func Take[T any](t *Table, key string, kind Kind[T]) T {
	var otherwise T
	standard, has := t.defaults[key]
	if has {
		otherwise, _ = kind.Read(standard)
	} else if !t.Has(key) {
		t.Missing(key, kind.Allowed)
	}
	return TakeOr(t, key, kind, otherwise)
}

// TakeOr is Take for a key that need not be given: where it is missing, or wrong, the result is otherwise.
func TakeOr[T any](t *Table, key string, kind Kind[T], otherwise T) T {
	if !t.Has(key) {
		return otherwise
	}
	read, right := kind.Read(t.values[key])
	if !right {
		t.Mistake(key, kind.Allowed)
		return otherwise
	}
	return read
}

// Text is a text that passes a check; nil takes every text.
func Text(allowed string, valid func(text string) bool) Kind[string] {
	return Kind[string]{allowed, func(value any) (string, bool) {
		text, right := value.(string)
		return text, right && (valid == nil || valid(text))
	}}
}

// Truth is true or false.
var Truth = Kind[bool]{"must be true or false", func(value any) (bool, bool) {
	given, right := value.(bool)
	return given, right
}}

// Whole is a whole number within limits, both included.
func Whole(least, most int) Kind[int] {
	return Kind[int]{
		fmt.Sprintf("must be a whole number from %d to %d", least, most),
		func(value any) (int, bool) {
			number, right := value.(int64)
			return int(number), right && number >= int64(least) && number <= int64(most)
		},
	}
}

// Among is one of a few whole numbers.
func Among(numbers ...int) Kind[int] {
	return Kind[int]{
		"must be one of " + strings.Trim(fmt.Sprint(numbers), "[]"),
		func(value any) (int, bool) {
			number, right := value.(int64)
			return int(number), right && slices.Contains(numbers, int(number))
		},
	}
}

// Choice is one of a few words. At least two must be given.
func Choice[T ~string](words ...T) Kind[T] {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = `"` + string(word) + `"`
	}
	return Kind[T]{
		"must be " + strings.Join(quoted[:len(quoted)-1], ", ") + " or " + quoted[len(quoted)-1],
		func(value any) (T, bool) {
			text, _ := value.(string)
			return T(text), slices.Contains(words, T(text))
		},
	}
}

// Duration is a length of time within limits, both included, in whole steps, as time.ParseDuration reads it.
func Duration(allowed string, least, most, step time.Duration) Kind[time.Duration] {
	return Kind[time.Duration]{allowed, func(value any) (time.Duration, bool) {
		text, _ := value.(string)
		span, err := time.ParseDuration(text)
		return span, err == nil && span >= least && span <= most && span%step == 0
	}}
}

// Short writes 90 minutes as "1h30m", without the zero minutes and seconds that Duration.String adds.
func Short(span time.Duration) string {
	text := span.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
