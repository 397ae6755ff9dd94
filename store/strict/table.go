package strict

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Table is one table of a document, and remembers what was asked for: the rest is unknown.
type Table struct {
	doc *Document
	// path is where it stands for locate, name how people call it: without the numbers of the tables.
	path, name string
	values     map[string]any
	defaults   map[string]any
	asked      map[string]bool
	// inner are the tables in it that were asked for, and byPath the same.
	inner  []*Table
	byPath map[string]*Table
}

// Table returns the table of a key. A missing one is empty, so that what is missing in it is said key by key.
func (t *Table) Table(key string) *Table {
	given := t.Has(key)
	values, readable := t.values[key].(map[string]any)
	if given && !readable {
		t.Mistake(key, "must be a table: ["+t.called(key)+"]")
	}
	defaults, _ := t.defaults[key].(map[string]any)
	return t.within(key, join(t.path, key), values, defaults)
}

// Tables returns the tables of an array of tables; one that is missing has those of the defaults.
func (t *Table) Tables(key string) []*Table {
	allowed := "[[" + t.called(key) + "]]"
	elements, readable := t.Value(key).([]any)
	if t.Has(key) && !readable {
		t.Mistake(key, "must be tables: "+allowed)
	}
	var found []*Table
	for i, element := range elements {
		path := join(join(t.path, key), strconv.Itoa(i))
		values, readable := element.(map[string]any)
		if !readable {
			t.note(path, t.called(key), element, "must be a table: "+allowed)
			continue
		}
		found = append(found, t.within(key, path, values, nil))
	}
	return found
}

func (t *Table) within(key, path string, values, defaults map[string]any) *Table {
	if inner, known := t.byPath[path]; known {
		return inner
	}
	inner := &Table{doc: t.doc, path: path, name: t.called(key), values: values, defaults: defaults, asked: map[string]bool{}}
	if t.byPath == nil {
		t.byPath = map[string]*Table{}
	}
	t.inner, t.byPath[path] = append(t.inner, inner), inner
	return inner
}

// Has reports whether the file gives the key, with whatever value.
func (t *Table) Has(key string) bool {
	t.asked[key] = true
	_, given := t.values[key]
	return given
}

// Value returns the value of a key as go-toml reads it into an any, or that of the defaults, or nil.
func (t *Table) Value(key string) any {
	if t.Has(key) {
		return t.values[key]
	}
	return t.defaults[key]
}

// File returns the name of the file, as it was given to Read.
func (t *Table) File() string { return t.doc.file }

// Line returns the line, from 1, on which the table begins.
func (t *Table) Line() int { return t.doc.line(t.path) }

// Noted returns how many mistakes the document has so far: whoever asks before and after knows whether what was taken in
// between was right.
func (t *Table) Noted() int { return len(t.doc.mistakes) }

// Span returns where the value of a key stands in the text, from its first byte to after its last; 0, 0 where it is not
// given, or is an array or a table.
func (t *Table) Span(key string) (from, to int) {
	place := t.doc.spans[join(t.path, key)]
	return place.from, place.to
}

// Mistake notes that the value of a key, or its absence, is not allowed, and says what is. An empty key is the table
// itself.
func (t *Table) Mistake(key, allowed string) { t.MistakeOf(key, t.values[key], allowed) }

// MistakeOf is Mistake for a value that holds though the file does not give it.
func (t *Table) MistakeOf(key string, value any, allowed string) {
	if key == "" {
		t.note(t.path, t.name, nil, allowed)
		return
	}
	t.note(join(t.path, key), t.called(key), value, allowed)
}

// Missing notes that a key has to be given, and what is allowed then.
func (t *Table) Missing(key, allowed string) { t.Mistake(key, "is missing; "+allowed) }

func (t *Table) note(path, name string, value any, allowed string) {
	t.doc.mistakes = append(t.doc.mistakes, Mistake{t.doc.file, t.doc.line(path), name, written(value), allowed})
}

var bare = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// called returns the dotted name of a key of this table, as people would write it.
func (t *Table) called(key string) string {
	if !bare.MatchString(key) {
		key = strconv.Quote(key)
	}
	return join(t.name, key)
}

// unknown notes every key, of this table and those in it, that was never asked for.
func (t *Table) unknown() {
	known := slices.Sorted(maps.Keys(t.asked))
	for _, key := range slices.Sorted(maps.Keys(t.values)) {
		if t.asked[key] {
			continue
		}
		allowed := "unknown key; known here: " + strings.Join(known, ", ")
		if meant := nearest(key, known); meant != "" {
			allowed = fmt.Sprintf("unknown key; did you mean %q?", meant)
		}
		t.note(join(t.path, key), t.called(key), t.values[key], allowed)
	}
	for _, inner := range t.inner {
		inner.unknown()
	}
}
