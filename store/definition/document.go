package definition

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// largest is the most bytes that a definition may have; the real ones have a few thousand.
const largest = 1 << 20

// document is a definition as TOML: its values, where each stands, and the mistakes found so far.
//
// go-toml reads the values. It stops at the first value of a wrong type, and so is given none: everything goes into maps,
// and this package looks at each value itself, which finds all mistakes at once. Where a key stands comes from a second
// pass with the library's own parser.
type document struct {
	file     string
	tree     map[string]any
	spans    map[string]span
	mistakes Mistakes
}

// span is where a key or a header stands: its line from 1, and the bytes of its value where that is a single one.
type span struct {
	line, from, to int
}

// newDocument reads TOML. The error is a Mistakes with the one place that made it unreadable.
func newDocument(file string, text []byte) (*document, error) {
	doc := &document{file: file}
	if len(text) > largest {
		return nil, Mistakes{{File: file, Line: 1, Allowed: fmt.Sprintf("a definition has at most %d bytes, not %d", largest, len(text))}}
	}
	if err := toml.Unmarshal(text, &doc.tree); err != nil {
		mistake := Mistake{File: file, Line: 1, Allowed: strings.TrimPrefix(err.Error(), "toml: ")}
		var place *toml.DecodeError
		if errors.As(err, &place) {
			mistake.Line, _ = place.Position()
		}
		return nil, Mistakes{mistake}
	}
	if doc.tree == nil {
		doc.tree = map[string]any{}
	}
	doc.spans = locate(text)
	return doc, nil
}

// finish adds what nobody asked for and returns all mistakes in order.
func (d *document) finish(top *table) Mistakes {
	top.unknown()
	d.mistakes.sort()
	return d.mistakes
}

// line returns the line of a path, or of the nearest table around it.
func (d *document) line(path string) int {
	for path != "" {
		if found, known := d.spans[path]; known {
			return found.line
		}
		path = path[:max(0, strings.LastIndexByte(path, '.'))]
	}
	return 1
}

// locate returns where each key and header of a readable text stands. A path is the keys joined by dots, after each array
// of tables the number of the table, from 0: "stages.0.timetables.1.every".
func locate(text []byte) map[string]span {
	walk := walk{spans: map[string]span{}, tables: map[string]int{}}
	walk.parser.Reset(text)
	for walk.parser.NextExpression() {
		walk.expression(walk.parser.Expression())
	}
	return walk.spans
}

type walk struct {
	parser unstable.Parser
	spans  map[string]span
	// tables counts the tables of each array so far; inside is the path of the header that is in force.
	tables map[string]int
	inside string
	// seen is how many bytes newlines were counted in.
	seen, newlines int
}

func (w *walk) expression(node *unstable.Node) {
	switch node.Kind {
	case unstable.KeyValue:
		w.keyValue(w.inside, node)
	case unstable.Table, unstable.ArrayTable:
		path, place := w.key("", node.Key())
		if node.Kind == unstable.ArrayTable {
			w.tables[path]++
			path = join(path, strconv.Itoa(w.tables[path]-1))
		}
		w.inside = path
		w.note(path, place)
	}
}

// keyValue notes a key and what is inside its value.
func (w *walk) keyValue(inside string, node *unstable.Node) {
	path, place := w.key(inside, node.Key())
	w.note(path, place)
	w.value(path, node.Value())
}

func (w *walk) value(path string, node *unstable.Node) {
	switch node.Kind {
	case unstable.InlineTable:
		for children := node.Children(); children.Next(); {
			w.keyValue(path, children.Node())
		}
	case unstable.Array:
		children := node.Children()
		for i := 0; children.Next(); i++ {
			w.element(join(path, strconv.Itoa(i)), children.Node())
		}
	default:
		place := w.spans[path]
		place.from, place.to = int(node.Raw.Offset), int(node.Raw.Offset+node.Raw.Length)
		w.spans[path] = place
	}
}

func (w *walk) element(path string, node *unstable.Node) {
	if node.Kind != unstable.Array {
		w.note(path, node.Raw)
	}
	w.value(path, node)
}

// key returns the path of a dotted key below another, and where it begins. Where it goes through an array of tables, it
// goes through the newest.
func (w *walk) key(inside string, parts unstable.Iterator) (path string, place unstable.Range) {
	path = inside
	for first := true; parts.Next(); first = false {
		if first {
			place = parts.Node().Raw
		} else if count := w.tables[path]; count > 0 {
			path = join(path, strconv.Itoa(count-1))
		}
		path = join(path, string(parts.Node().Data))
	}
	return path, place
}

func (w *walk) note(path string, place unstable.Range) {
	at := int(place.Offset)
	if at < w.seen {
		w.seen, w.newlines = 0, 0
	}
	w.newlines += strings.Count(string(w.parser.Data()[w.seen:at]), "\n")
	w.seen = at
	if _, known := w.spans[path]; !known {
		w.spans[path] = span{line: w.newlines + 1}
	}
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// table is one table of a document, and remembers what was asked for: the rest is unknown.
type table struct {
	doc *document
	// path is where it stands for locate, name how people call it: without the numbers of the tables.
	path, name string
	values     map[string]any
	defaults   map[string]any
	asked      map[string]bool
	inner      []*table
}

func (d *document) top() *table {
	return &table{doc: d, values: d.tree, asked: map[string]bool{}}
}

// table returns the table of a key. A missing one is empty, so that what is missing in it is said key by key.
func (t *table) table(key string) *table {
	t.asked[key] = true
	values, readable := t.values[key].(map[string]any)
	if _, there := t.values[key]; there && !readable {
		t.mistake(key, "must be a table: ["+join(t.name, key)+"]")
	}
	return t.within(key, join(t.path, key), values)
}

// tables returns the tables of an array of tables; one that is missing has none.
func (t *table) tables(key string) []*table {
	t.asked[key] = true
	elements, readable := t.values[key].([]any)
	if _, there := t.values[key]; there && !readable {
		t.mistake(key, "must be an array of tables: [["+join(t.name, key)+"]]")
	}
	var found []*table
	for i, element := range elements {
		path := join(join(t.path, key), strconv.Itoa(i))
		values, readable := element.(map[string]any)
		if !readable {
			t.doc.mistakes = append(t.doc.mistakes, Mistake{t.doc.file, t.doc.line(path), join(t.name, key), written(element), "must be a table: [[" + join(t.name, key) + "]]"})
			continue
		}
		found = append(found, t.within(key, path, values))
	}
	return found
}

func (t *table) within(key, path string, values map[string]any) *table {
	for _, inner := range t.inner {
		if inner.path == path {
			return inner
		}
	}
	inner := &table{doc: t.doc, path: path, name: join(t.name, key), values: values, asked: map[string]bool{}}
	t.inner = append(t.inner, inner)
	return inner
}

// has reports whether the key is given, with whatever value.
func (t *table) has(key string) bool {
	_, given := t.values[key]
	return given
}

// mistake notes that the value of a key, or its absence, is not allowed. It is no key of this table where key is empty.
func (t *table) mistake(key, allowed string) {
	path, name := t.path, t.name
	if key != "" {
		path, name = join(path, key), join(name, key)
	}
	t.doc.mistakes = append(t.doc.mistakes, Mistake{t.doc.file, t.doc.line(path), name, written(t.values[key]), allowed})
}

// missing notes that a key of this table has to be given.
func (t *table) missing(key, allowed string) { t.mistake(key, "is missing; "+allowed) }

// unknown notes every key, of this table and those in it, that was never asked for.
func (t *table) unknown() {
	known := slices.Sorted(maps.Keys(t.asked))
	for _, key := range slices.Sorted(maps.Keys(t.values)) {
		if t.asked[key] {
			continue
		}
		allowed := "unknown key; known here: " + strings.Join(known, ", ")
		if meant := nearest(key, known); meant != "" {
			allowed = fmt.Sprintf("unknown key; did you mean %q?", meant)
		}
		t.mistake(key, allowed)
	}
	for _, inner := range t.inner {
		inner.unknown()
	}
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
