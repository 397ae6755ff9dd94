package printer

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"reelkiosk/devices/port"
	"reelkiosk/devices/printer/escpos"
)

// ErrProfile is wrapped by everything that ReadProfile finds wrong.
var ErrProfile = errors.New("printer profile")

// ReadProfile reads a profile's TOML. Every key must be there and no other; assets/printers/epson-48.toml explains them.
// All mistakes are reported at once, each with the file, the key, the value and what is allowed. The error wraps
// ErrProfile.
func ReadProfile(file string, text []byte) (Profile, error) {
	var values map[string]any
	if err := toml.Unmarshal(text, &values); err != nil {
		var place *toml.DecodeError
		if errors.As(err, &place) {
			line, column := place.Position()
			return Profile{}, fmt.Errorf("%w %s, line %d, column %d: %w", ErrProfile, file, line, column, err)
		}
		return Profile{}, fmt.Errorf("%w %s: %w", ErrProfile, file, err)
	}
	read := &table{file: file, values: values}
	profile := Profile{
		Name:          profileName(file),
		About:         read.text("about"),
		Dots:          read.number("dots", 128, 2048),
		Columns:       read.number("columns", 20, 128),
		UnitsPerDot:   read.number("units_per_dot", 1, 2),
		RowsPerSecond: read.number("rows_per_second", 50, 5000),
		Buffer:        read.number("buffer", 512, 1<<20),
		Baud:          read.number("baud", port.Bauds[0], port.Bauds[len(port.Bauds)-1]),
		Symbols:       Symbols(read.choice("symbols", string(NativeSymbols), string(RasterSymbols))),
		Cutter:        Cutter(read.choice("cutter", string(PartialCutter), string(FullCutter), string(NoCutter))),
		Smoothing:     read.flag("smoothing"),
		Asked:         read.choice("status", "asked", "none") == "asked",
		Push:          read.flag("push"),
		Confirm: Confirm(read.choice("confirm",
			string(ConfirmProcessID), string(ConfirmQueued), string(ConfirmNone))),
		Clear: read.flag("clear"),
		Pages: read.pages("code_page"),
	}
	read.unknown()
	read.together(profile)
	return profile, errors.Join(read.mistakes...)
}

// table reads the keys of a TOML table and collects what is wrong with them.
type table struct {
	file     string
	within   string // the tables around it, such as "code_page 2: "
	values   map[string]any
	known    []string
	mistakes []error
}

func (t *table) wrong(key string, value any, allowed string) {
	t.mistakes = append(t.mistakes, fmt.Errorf("%w %s: %s%s = %v: %s", ErrProfile, t.file, t.within, key, value, allowed))
}

func (t *table) value(key string) (any, bool) {
	t.known = append(t.known, key)
	value, found := t.values[key]
	if !found {
		t.mistakes = append(t.mistakes, fmt.Errorf("%w %s: %s%s is missing", ErrProfile, t.file, t.within, key))
	}
	return value, found
}

func (t *table) text(key string) string {
	value, found := t.value(key)
	text, right := value.(string)
	if found && (!right || text == "") {
		t.wrong(key, value, "must be a text")
	}
	return text
}

func (t *table) choice(key string, allowed ...string) string {
	value, found := t.value(key)
	text, _ := value.(string)
	if found && !slices.Contains(allowed, text) {
		t.wrong(key, value, "must be one of "+strings.Join(allowed, ", "))
	}
	return text
}

func (t *table) number(key string, least, most int) int {
	value, found := t.value(key)
	number, right := value.(int64)
	if found && (!right || number < int64(least) || number > int64(most)) {
		t.wrong(key, value, fmt.Sprintf("must be a whole number from %d to %d", least, most))
		return 0
	}
	return int(number)
}

func (t *table) flag(key string) bool {
	value, found := t.value(key)
	flag, right := value.(bool)
	if found && !right {
		t.wrong(key, value, "must be true or false")
	}
	return flag
}

func (t *table) pages(key string) []escpos.Page {
	value, found := t.value(key)
	list, right := value.([]any)
	if found && (!right || len(list) == 0) {
		t.wrong(key, value, "must be one or more tables [[code_page]]")
	}
	var names []string
	for _, page := range escpos.Pages {
		names = append(names, page.Name)
	}
	var pages []escpos.Page
	for at, entry := range list {
		values, right := entry.(map[string]any)
		if !right {
			t.wrong(key, entry, "must be a table")
			continue
		}
		inner := &table{file: t.file, within: fmt.Sprintf("%s %d: ", key, at+1), values: values}
		page := escpos.Page{Name: inner.choice("name", names...), Number: byte(inner.number("number", 0, 255))}
		if slices.ContainsFunc(pages, func(other escpos.Page) bool { return other.Name == page.Name }) {
			inner.wrong("name", page.Name, "stands there twice")
		}
		inner.unknown()
		t.mistakes = append(t.mistakes, inner.mistakes...)
		pages = append(pages, page)
	}
	return pages
}

// unknown reports the keys that nothing asked for.
func (t *table) unknown() {
	for _, key := range slices.Sorted(maps.Keys(t.values)) {
		if !slices.Contains(t.known, key) {
			t.wrong(key, t.values[key], "is no key of a printer profile; these are: "+strings.Join(t.known, ", "))
		}
	}
}

// together checks what hangs together. A number that was missing or wrong by itself is 0 here.
func (t *table) together(profile Profile) {
	if width := profile.Columns * letterWidth; profile.Dots > 0 && width > profile.Dots {
		t.wrong("columns", profile.Columns, fmt.Sprintf("take %d dots at %d each, of %d", width, letterWidth, profile.Dots))
	}
	if profile.Dots%8 != 0 {
		t.wrong("dots", profile.Dots, "must be a multiple of 8")
	}
	if profile.Baud > 0 && !slices.Contains(port.Bauds, profile.Baud) {
		t.wrong("baud", profile.Baud, "must be one of "+strings.Trim(fmt.Sprint(port.Bauds), "[]"))
	}
	if !profile.Asked && (profile.Confirm != ConfirmNone || profile.Push) {
		t.wrong("status", "none", "means that it tells nothing: confirm must be none and push false")
	}
}
