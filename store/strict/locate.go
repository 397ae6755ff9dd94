package strict

import (
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// span is where a key or a header stands: its line from 1, and the bytes of its value where that is a single one.
type span struct {
	line, from, to int
}

// line returns the line of a path, or of the nearest table around it.
func (d *Document) line(path string) int {
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

// longest is from how many bytes a path is not made longer. A key of half a million dots would take minutes otherwise; what
// stands so deep is said to stand where that depth begins.
const longest = 1024

func join(path, key string) string {
	switch {
	case path == "":
		return key
	case len(path) >= longest:
		return path
	}
	return path + "." + key
}
