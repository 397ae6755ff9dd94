package config

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"reelkiosk/devices/port"
	"reelkiosk/devices/printer"
	"reelkiosk/devices/reader"
)

var (
	validName     = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9-]{0,31}$`)
	validLanguage = regexp.MustCompile(`^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$`)
)

// parse reads a file over the values that hold where it says nothing; without those it reads the defaults themselves.
func parse(path string, text []byte, base map[string]any) (Config, error) {
	doc, err := newDocument(path, text)
	if err != nil {
		return Default(), err
	}
	top := doc.top(base)
	c := Config{
		Name:           top.text("name", "letters, digits and hyphens, at most 32", validName.MatchString),
		Central:        top.text("central", `an address like "http://127.0.0.1:7180"`, validCentral),
		Data:           top.text("data", "the path of a folder", func(text string) bool { return text != "" }),
		Languages:      top.languages("languages"),
		Identification: top.choice("identification", "either", "card", "document", "both"),
		MostTogether:   top.number("most_together", 1, 12),
		House:          top.text("house", "a built-in theme, or the path of a theme file", func(text string) bool { return text != "" }),
		Refresh:        top.span("refresh", time.Second, time.Minute),
	}
	display := top.table("display")
	c.Monitor = display.text("monitor", `a connector such as "HDMI-1", or empty`, func(string) bool { return true })
	display.unknown()
	c.readers(top)
	c.printer(top)
	c.times(top.table("times"))
	top.unknown()
	return c, doc.sorted()
}

func validCentral(text string) bool {
	address, err := url.Parse(text)
	return err == nil && (address.Scheme == "http" || address.Scheme == "https") && address.Host != "" &&
		(address.Path == "" || address.Path == "/") && address.RawQuery == "" && address.User == nil
}

func (c *Config) readers(top *table) {
	for _, each := range top.tables("reader") {
		role := each.choice("role", "card", "document")
		read := &Reader{}
		read.Profile = profile(each, reader.Names(), reader.Named, reader.ParseProfile)
		read.Port = each.port(read.Profile.Settings)
		each.unknown()
		scans := read.Profile.Type == reader.TypeScanner || read.Profile.Type == reader.TypeMRZ
		if read.Profile.Type != "" && role != "" && scans != (role == "document") {
			each.mistake("profile", fmt.Sprintf("is one of a %s reader, which has not the role %q", read.Profile.Type, role))
		}
		into := &c.Card
		if role == "document" {
			into = &c.Document
		}
		if role != "" && *into != nil {
			each.mistake("role", "there is another reader with this role")
		}
		*into = read
	}
}

func (c *Config) printer(top *table) {
	if !top.has("printer") {
		return
	}
	from := top.table("printer")
	var names []string
	for _, each := range printer.Profiles() {
		names = append(names, each.Name)
	}
	named := func(name string) (printer.Profile, error) {
		found, is := printer.ProfileNamed(name)
		if !is {
			return found, errors.New("unknown")
		}
		return found, nil
	}
	c.Printer = &Printer{Profile: profile(from, names, named, printer.ReadProfile)}
	c.Printer.Port = from.port(func(name string) port.Settings {
		return port.Settings{Name: name, Baud: c.Printer.Profile.Baud}.Normal()
	})
	from.unknown()
}

func (c *Config) times(from *table) {
	for _, each := range []struct {
		key         string
		into        *time.Duration
		least, most time.Duration
	}{
		{"idle", &c.Times.Idle, 10 * time.Second, 5 * time.Minute},
		{"still_there", &c.Times.StillThere, 5 * time.Second, time.Minute},
		{"reading", &c.Times.Reading, 10 * time.Second, 10 * time.Minute},
		{"done", &c.Times.Done, 3 * time.Second, time.Minute},
		{"trouble", &c.Times.Trouble, 5 * time.Second, 2 * time.Minute},
		{"host", &c.Times.Host, 5 * time.Second, 2 * time.Minute},
		{"hint", &c.Times.Hint, 2 * time.Second, 30 * time.Second},
		{"paper", &c.Times.Paper, 5 * time.Second, 5 * time.Minute},
	} {
		*each.into = from.span(each.key, each.least, each.most)
	}
	from.unknown()
}

// profile returns a built-in profile by its name, or one from the file at a path; a relative path is beside the
// configuration.
func profile[P any](t *table, names []string, named func(string) (P, error), parsed func(string, []byte) (P, error)) (found P) {
	name := t.text("profile", "one of "+strings.Join(names, ", ")+", or the path of a profile file, NAME.toml", func(text string) bool {
		return text != ""
	})
	if name == "" {
		return found
	}
	if !strings.HasSuffix(name, ".toml") {
		found, err := named(name)
		if err != nil {
			t.mistake("profile", "must be one of "+strings.Join(names, ", ")+", or the path of a profile file, NAME.toml")
		}
		return found
	}
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(t.doc.file), path)
	}
	text, err := os.ReadFile(path)
	if err == nil {
		found, err = parsed(path, text)
	}
	if err != nil {
		t.mistake("profile", err.Error())
	}
	return found
}

// port returns the settings of a port: its name, and those of the profile but for the speed, where that is given.
func (t *table) port(settings func(name string) port.Settings) port.Settings {
	name := t.text("port", "the link of a serial port under /dev/serial/by-id", func(text string) bool { return text != "" })
	set := settings(name)
	if t.has("baud") {
		set.Baud = t.number("baud", port.Bauds[0], port.Bauds[len(port.Bauds)-1])
		if set.Baud != 0 && !slices.Contains(port.Bauds, set.Baud) {
			t.mistake("baud", "must be one of "+strings.Trim(fmt.Sprint(port.Bauds), "[]"))
		}
	}
	if name != "" {
		if err := (port.Settings{Name: name, Baud: port.Bauds[0]}).Validate(); err != nil {
			t.mistake("port", strings.TrimPrefix(err.Error(), port.ErrSettings.Error()+": "))
		}
	}
	return set
}

func (t *table) text(key, allowed string, valid func(string) bool) string {
	value := t.value(key)
	text, right := value.(string)
	switch {
	case value == nil && t.doc.file != "defaults":
		t.mistake(key, "is missing; must be "+allowed)
	case value != nil && (!right || !valid(text)):
		t.mistake(key, "must be "+allowed)
		return ""
	}
	return text
}

func (t *table) choice(key string, words ...string) string {
	return t.text(key, "one of "+strings.Join(words, ", "), func(text string) bool { return slices.Contains(words, text) })
}

func (t *table) number(key string, least, most int) int {
	number, right := t.value(key).(int64)
	if !right || number < int64(least) || number > int64(most) {
		t.mistake(key, fmt.Sprintf("must be a whole number from %d to %d", least, most))
		return 0
	}
	return int(number)
}

// span returns a length of time in whole seconds.
func (t *table) span(key string, least, most time.Duration) time.Duration {
	text, _ := t.value(key).(string)
	span, err := time.ParseDuration(text)
	if err != nil || span < least || span > most || span%time.Second != 0 {
		t.mistake(key, fmt.Sprintf("must be whole seconds from %q to %q", short(least), short(most)))
		return least
	}
	return span
}

// short writes a length of time without the zero seconds that Duration.String adds.
func short(span time.Duration) string {
	if span%time.Minute == 0 {
		return fmt.Sprintf("%dm", span/time.Minute)
	}
	return fmt.Sprintf("%ds", span/time.Second)
}

func (t *table) languages(key string) []string {
	const allowed = `must be a list of languages, each once, such as ["en", "af", "zu"]`
	list, right := t.value(key).([]any)
	var languages []string
	for _, each := range list {
		text, is := each.(string)
		if !is || !validLanguage.MatchString(text) || slices.Contains(languages, text) {
			right = false
			continue
		}
		languages = append(languages, text)
	}
	if !right || len(languages) == 0 {
		t.mistake(key, allowed)
	}
	return languages
}
