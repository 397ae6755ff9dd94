package config

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// Mistake is one thing in a configuration that cannot stay as it is.
type Mistake struct {
	// File and Line say where it is, Line from 1. What is missing is missed on the line that begins its table.
	File string
	Line int
	// Key is the dotted name of the key, empty where the text cannot be read as TOML at all. Value is what stands there,
	// empty where it is missing.
	Key, Value string
	// Allowed says what has to be there instead.
	Allowed string
}

// String returns the mistake as `FILE:LINE: KEY = VALUE: ALLOWED`, one line.
func (m Mistake) String() string {
	switch {
	case m.Key == "":
		return fmt.Sprintf("%s:%d: %s", m.File, m.Line, m.Allowed)
	case m.Value == "":
		return fmt.Sprintf("%s:%d: %s: %s", m.File, m.Line, m.Key, m.Allowed)
	}
	return fmt.Sprintf("%s:%d: %s = %s: %s", m.File, m.Line, m.Key, m.Value, m.Allowed)
}

// Mistakes are all mistakes of a configuration, in the order of their lines. It is never returned empty.
type Mistakes []Mistake

// Error returns the mistakes, one a line.
func (m Mistakes) Error() string {
	lines := make([]string, len(m))
	for i, mistake := range m {
		lines[i] = mistake.String()
	}
	return strings.Join(lines, "\n")
}

// document is a configuration as TOML: its values, the line of each key, and the mistakes found so far. go-toml would stop
// at the first value of a wrong type; so it is given none, and every value is looked at here.
type document struct {
	file     string
	tree     map[string]any
	lines    map[string]int
	mistakes Mistakes
}

// newDocument reads TOML. The error is a Mistakes with the one place that made it unreadable.
func newDocument(file string, text []byte) (*document, error) {
	doc := &document{file: file, tree: map[string]any{}, lines: map[string]int{}}
	if err := toml.Unmarshal(text, &doc.tree); err != nil {
		mistake := Mistake{File: file, Line: 1, Allowed: strings.TrimPrefix(err.Error(), "toml: ")}
		var place *toml.DecodeError
		if errors.As(err, &place) {
			mistake.Line, _ = place.Position()
		}
		return doc, Mistakes{mistake}
	}
	doc.locate(text)
	return doc, nil
}

// locate notes the line of each header and key of a readable text: "display.monitor", and "reader.1.port" in the second
// table of an array.
func (d *document) locate(text []byte) {
	var parser unstable.Parser
	parser.Reset(text)
	inside, tables := "", map[string]int{}
	for parser.NextExpression() {
		node := parser.Expression()
		switch node.Kind {
		case unstable.KeyValue:
			d.note(text, inside, node.Key())
		case unstable.Table:
			inside = d.note(text, "", node.Key())
		case unstable.ArrayTable:
			name := d.note(text, "", node.Key())
			inside = fmt.Sprintf("%s.%d", name, tables[name])
			tables[name]++
			parts := node.Key()
			if parts.Next() {
				d.lines[inside] = lineOf(text, parts.Node().Raw)
			}
		}
	}
}

// note notes the line of a key below another, and returns its path.
func (d *document) note(text []byte, inside string, parts unstable.Iterator) string {
	path := inside
	for parts.Next() {
		path = join(path, string(parts.Node().Data))
		if _, known := d.lines[path]; !known {
			d.lines[path] = lineOf(text, parts.Node().Raw)
		}
	}
	return path
}

func lineOf(text []byte, place unstable.Range) int {
	return strings.Count(string(text[:place.Offset]), "\n") + 1
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// line returns the line of a path, or of the nearest table around it.
func (d *document) line(path string) int {
	for path != "" {
		if line, known := d.lines[path]; known {
			return line
		}
		path = path[:max(0, strings.LastIndexByte(path, '.'))]
	}
	return 1
}

// table is one table of a document. It remembers what was asked for: the rest is unknown.
type table struct {
	doc *document
	// path is where it stands for lines, name how people call it.
	path, name string
	values     map[string]any
	// base holds what is there where the file says nothing.
	base  map[string]any
	asked []string
}

func (d *document) top(base map[string]any) *table {
	return &table{doc: d, values: d.tree, base: base}
}

// table returns the table of a key, empty where there is none.
func (t *table) table(key string) *table {
	values, right := t.values[key].(map[string]any)
	if t.has(key) && !right {
		t.mistake(key, "must be a table: ["+key+"]")
	}
	base, _ := t.base[key].(map[string]any)
	return &table{doc: t.doc, path: join(t.path, key), name: join(t.name, key), values: values, base: base}
}

// tables returns the tables of an array of tables.
func (t *table) tables(key string) (found []*table) {
	if !t.has(key) {
		return nil
	}
	elements, right := t.values[key].([]any)
	for i, element := range elements {
		values, is := element.(map[string]any)
		right = right && is
		path := join(t.path, key) + "." + strconv.Itoa(i)
		found = append(found, &table{doc: t.doc, path: path, name: join(t.name, key), values: values})
	}
	if !right {
		t.mistake(key, "must be tables: [["+key+"]]")
		return nil
	}
	return found
}

// has notes that a key was asked for, and reports whether the file gives it.
func (t *table) has(key string) bool {
	if !slices.Contains(t.asked, key) {
		t.asked = append(t.asked, key)
	}
	_, given := t.values[key]
	return given
}

// value returns the value of a key, or the one that holds where the file says nothing.
func (t *table) value(key string) any {
	if t.has(key) {
		return t.values[key]
	}
	return t.base[key]
}

// mistake notes that the value of a key, or its absence, is not allowed.
func (t *table) mistake(key, allowed string) {
	t.doc.mistakes = append(t.doc.mistakes, Mistake{
		File: t.doc.file, Line: t.doc.line(join(t.path, key)), Key: join(t.name, key), Value: written(t.values[key]), Allowed: allowed,
	})
}

// unknown notes the keys that nobody asked for.
func (t *table) unknown() {
	for _, key := range slices.Sorted(maps.Keys(t.values)) {
		if !slices.Contains(t.asked, key) {
			t.mistake(key, "unknown key; known here: "+strings.Join(t.asked, ", "))
		}
	}
}

// sorted returns the mistakes in the order of their lines, or nil.
func (d *document) sorted() error {
	if len(d.mistakes) == 0 {
		return nil
	}
	slices.SortStableFunc(d.mistakes, func(left, right Mistake) int { return cmp.Compare(left.Line, right.Line) })
	return d.mistakes
}

// written returns a value about as it stands in the file, shortened.
func written(value any) string {
	text := fmt.Sprint(value)
	switch value := value.(type) {
	case nil:
		return ""
	case string:
		text = strconv.Quote(value)
	case map[string]any:
		return "{…}"
	}
	if letters := []rune(text); len(letters) > 60 {
		text = string(letters[:60]) + "…"
	}
	return text
}
