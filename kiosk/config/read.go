package config

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"reelkiosk/devices/port"
	"reelkiosk/devices/printer"
	"reelkiosk/devices/reader"
	"reelkiosk/store/strict"
)

var (
	validName     = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9-]{0,31}$`)
	validLanguage = regexp.MustCompile(`^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$`)
)

// parse reads a file over the values that hold where it says nothing; without those it reads the defaults themselves.
func parse(path string, text []byte, base map[string]any) (Config, error) {
	doc, err := strict.Read(path, text)
	if err != nil {
		return Default(), err
	}
	top := doc.Top(base)
	c := Config{
		Name:           strict.Take(top, "name", strict.Text("must be letters, digits and hyphens, at most 32", validName.MatchString)),
		Central:        strict.Take(top, "central", strict.Text(`must be an address like "https://central.example:7180"`, validCentral)),
		Data:           strict.Take(top, "data", filled("must be the path of a folder")),
		Languages:      strict.Take(top, "languages", languages),
		Identification: strict.Take(top, "identification", choice("either", "card", "document", "both")),
		MostTogether:   strict.Take(top, "most_together", strict.Whole(1, 12)),
		House:          strict.Take(top, "house", filled("must be a built-in theme, or the path of a theme file")),
		Refresh:        strict.Take(top, "refresh", span(time.Second, time.Minute)),
		Monitor:        strict.Take(top.Table("display"), "monitor", strict.Text(`must be a connector such as "HDMI-1", or empty`, nil)),
	}
	c.readers(top)
	c.printer(top)
	c.times(top.Table("times"))
	return c, doc.Finish()
}

func validCentral(text string) bool {
	address, err := url.Parse(text)
	return err == nil && (address.Scheme == "http" || address.Scheme == "https") && address.Host != "" &&
		(address.Path == "" || address.Path == "/") && address.RawQuery == "" && address.User == nil
}

func (c *Config) readers(top *strict.Table) {
	for _, each := range top.Tables("reader") {
		role := strict.Take(each, "role", choice("card", "document"))
		read := &Reader{}
		read.Profile = profile(each, reader.Names(), reader.Named, reader.ParseProfile)
		read.Port = portOf(each, read.Profile.Settings)
		scans := read.Profile.Type == reader.TypeScanner || read.Profile.Type == reader.TypeMRZ
		if read.Profile.Type != "" && role != "" && scans != (role == "document") {
			each.Mistake("profile", fmt.Sprintf("is one of a %s reader, which has not the role %q", read.Profile.Type, role))
		}
		into := &c.Card
		if role == "document" {
			into = &c.Document
		}
		if role != "" && *into != nil {
			each.Mistake("role", "there is another reader with this role")
		}
		*into = read
	}
}

func (c *Config) printer(top *strict.Table) {
	if !top.Has("printer") {
		return
	}
	from := top.Table("printer")
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
	c.Printer.Port = portOf(from, func(name string) port.Settings {
		return port.Settings{Name: name, Baud: c.Printer.Profile.Baud}.Normal()
	})
}

func (c *Config) times(from *strict.Table) {
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
		*each.into = strict.Take(from, each.key, span(each.least, each.most))
	}
}

// profile returns a built-in profile by its name, or one from the file at a path; a relative path is beside the
// configuration.
func profile[P any](t *strict.Table, names []string, named func(string) (P, error), parsed func(string, []byte) (P, error)) (found P) {
	allowed := "must be one of " + strings.Join(names, ", ") + ", or the path of a profile file, NAME.toml"
	name := strict.Take(t, "profile", filled(allowed))
	if name == "" {
		return found
	}
	if !strings.HasSuffix(name, ".toml") {
		found, err := named(name)
		if err != nil {
			t.Mistake("profile", allowed)
		}
		return found
	}
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(t.File()), path)
	}
	text, err := strict.ReadFile(path)
	if err == nil {
		found, err = parsed(path, text)
	}
	if err != nil {
		t.Mistake("profile", err.Error())
	}
	return found
}

// portOf returns the settings of a port: its name, and those of the profile but for the speed, where that is given.
func portOf(t *strict.Table, settings func(name string) port.Settings) port.Settings {
	name := strict.Take(t, "port", filled("must be the link of a serial port under /dev/serial/by-id"))
	set := settings(name)
	set.Baud = strict.TakeOr(t, "baud", strict.Among(port.Bauds...), set.Baud)
	if name != "" {
		if err := (port.Settings{Name: name, Baud: port.Bauds[0]}).Validate(); err != nil {
			t.Mistake("port", strings.TrimPrefix(err.Error(), port.ErrSettings.Error()+": "))
		}
	}
	return set
}

// filled is a text that is not empty.
func filled(allowed string) strict.Kind[string] {
	return strict.Text(allowed, func(text string) bool { return text != "" })
}

func choice(words ...string) strict.Kind[string] {
	kind := strict.Choice(words...)
	kind.Allowed = "must be one of " + strings.Join(words, ", ")
	return kind
}

// span is a length of time in whole seconds.
func span(least, most time.Duration) strict.Kind[time.Duration] {
	allowed := fmt.Sprintf("must be whole seconds from %q to %q", strict.Short(least), strict.Short(most))
	return strict.Duration(allowed, least, most, time.Second)
}

// mostLanguages is more than any country has on its signs.
const mostLanguages = 20

var languages = strict.Kind[[]string]{
	Allowed: fmt.Sprintf(`must be a list of languages, each once, at most %d, such as ["en", "af", "zu"]`, mostLanguages),
	Read: func(value any) (tags []string, right bool) {
		list, right := value.([]any)
		if len(list) > mostLanguages {
			return nil, false
		}
		for _, each := range list {
			tag, _ := each.(string)
			right = right && validLanguage.MatchString(tag) && !slices.Contains(tags, tag)
			tags = append(tags, tag)
		}
		return tags, right && len(tags) > 0
	},
}
