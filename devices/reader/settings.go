package reader

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// settings are the keys of a TOML file, written with dots. Each is taken once; what is left over at the end is unknown.
type settings struct {
	file   string
	values map[string]any
	known  []string
	found  []error
}

func (s *settings) flatten(prefix string, table map[string]any) {
	for key, value := range table {
		if inner, ok := value.(map[string]any); ok {
			s.flatten(prefix+key+".", inner)
		} else {
			s.values[prefix+key] = value
		}
	}
}

// take returns the value of a key, if it is given.
func (s *settings) take(key string) (any, bool) {
	value, given := s.values[key]
	delete(s.values, key)
	s.known = append(s.known, key)
	return value, given
}

func (s *settings) wrong(key string, value any, allowed string) {
	s.found = append(s.found, fmt.Errorf("%w: %s: %s = %#v: %s", ErrProfile, s.file, key, value, allowed))
}

func (s *settings) text(key string, into *string) {
	if value, given := s.take(key); given {
		text, ok := value.(string)
		if !ok {
			s.wrong(key, value, "must be text in quotation marks")
			return
		}
		*into = text
	}
}

func (s *settings) flag(key string, into *bool) {
	if value, given := s.take(key); given {
		flag, ok := value.(bool)
		if !ok {
			s.wrong(key, value, "must be true or false")
			return
		}
		*into = flag
	}
}

func (s *settings) number(key string, into *int, allowed ...int) {
	if value, given := s.take(key); given {
		number, ok := value.(int64)
		if !ok || !slices.Contains(allowed, int(number)) {
			s.wrong(key, value, "must be one of "+strings.Trim(fmt.Sprint(allowed), "[]"))
			return
		}
		*into = int(number)
	}
}

func (s *settings) duration(key string, into *time.Duration, least, most time.Duration) {
	if value, given := s.take(key); given {
		text, _ := value.(string)
		duration, err := time.ParseDuration(text)
		if err != nil || duration < least || duration > most {
			s.wrong(key, value, fmt.Sprintf("must be a time from \"%v\" to \"%v\", such as \"80ms\"", least, most))
			return
		}
		*into = duration
	}
}

// choose takes a word that must be one of a few.
func choose[Word ~string](s *settings, key string, into *Word, allowed ...Word) {
	if value, given := s.take(key); given {
		word, ok := value.(string)
		if !ok || !slices.Contains(allowed, Word(word)) {
			s.wrong(key, value, fmt.Sprintf("must be one of %q", allowed))
			return
		}
		*into = Word(word)
	}
}

// mistakes is everything that was found, and every key that nobody took.
func (s *settings) mistakes() error {
	for _, key := range slices.Sorted(maps.Keys(s.values)) {
		s.wrong(key, s.values[key], "unknown key; there are "+strings.Join(s.known, ", "))
	}
	return errors.Join(s.found...)
}
