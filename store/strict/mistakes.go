package strict

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Mistake is one thing in a file that cannot stay as it is.
type Mistake struct {
	// File and Line say where it is, Line from 1. What is missing is missed on the line that begins its table.
	File string
	Line int
	// Key is the dotted name of the key, empty where the text cannot be read as TOML at all. Value is what stands there,
	// shortened, and empty where it is missing.
	Key, Value string
	// Allowed says what has to be there instead, as in "must be a whole number from 18 to 99".
	Allowed string
}

// String returns the mistake as `FILE:LINE: KEY = VALUE: ALLOWED`, one line where Allowed is one.
func (m Mistake) String() string {
	switch {
	case m.Key == "":
		return fmt.Sprintf("%s:%d: %s", m.File, m.Line, m.Allowed)
	case m.Value == "":
		return fmt.Sprintf("%s:%d: %s: %s", m.File, m.Line, m.Key, m.Allowed)
	}
	return fmt.Sprintf("%s:%d: %s = %s: %s", m.File, m.Line, m.Key, m.Value, m.Allowed)
}

// Mistakes are all mistakes of a file, in the order of their lines. It is never returned empty.
type Mistakes []Mistake

// Error returns the mistakes, one a line.
func (m Mistakes) Error() string {
	lines := make([]string, len(m))
	for i, mistake := range m {
		lines[i] = mistake.String()
	}
	return strings.Join(lines, "\n")
}

func (m Mistakes) sort() {
	slices.SortStableFunc(m, func(left, right Mistake) int { return cmp.Compare(left.Line, right.Line) })
}

// written returns a value about as it stands in the file, shortened, for a mistake.
func written(value any) string {
	var text string
	switch value := value.(type) {
	case nil:
		return ""
	case string:
		text = strconv.Quote(value)
	case map[string]any:
		return "{…}"
	case []any:
		parts := make([]string, min(len(value), 10))
		for i := range parts {
			parts[i] = written(value[i])
		}
		text = "[" + strings.Join(parts, ", ") + "]"
	default:
		text = fmt.Sprint(value)
	}
	if letters := []rune(text); len(letters) > 60 {
		text = string(letters[:60]) + "…"
	}
	return text
}

// nearest returns the known word that a mistyped one was probably meant to be, or nothing: one that is at most two
// changes away, and no more than half of what was typed.
func nearest(typed string, known []string) string {
	best, least := "", 3
	for _, word := range known {
		if steps := distance(typed, word); steps < least && 2*steps <= len(typed) {
			best, least = word, steps
		}
	}
	return best
}

// distance returns in how many insertions, deletions and changes of a byte one word becomes the other.
func distance(left, right string) int {
	row := make([]int, len(right)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(left) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(right) {
			change := diagonal
			if left[i] != right[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(right)]
}
