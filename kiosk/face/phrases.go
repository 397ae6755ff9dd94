package face

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"
)

// DefaultLanguage is what a visit begins in, and what a phrase is read from that a language lacks.
const DefaultLanguage = "en"

// Language is a language that the face can be shown in.
type Language struct {
	// Tag is its BCP 47 tag, the name of its file; Short is what its button says; Name is what its speakers call it.
	Tag, Short, Name string
}

// Phrases is everything the screens say, in every language that there is a file for.
type Phrases struct {
	bundle    *i18n.Bundle
	languages []Language
	said      map[string]*Said
}

// NewPhrases reads every phrases/*.json of a file system (assets.Phrases). phrases/LANGUAGE.json makes a language of the
// face; phrases/PURPOSE.LANGUAGE.json only adds phrases to it. The error names every file that cannot be read.
func NewPhrases(files fs.FS) (*Phrases, error) {
	names, err := fs.Glob(files, "phrases/*.json")
	if err != nil {
		return nil, err
	}
	phrases := &Phrases{bundle: i18n.NewBundle(language.English), said: map[string]*Said{}}
	phrases.bundle.RegisterUnmarshalFunc("json", json.Unmarshal)
	var faults []error
	for _, name := range names {
		tag := strings.TrimSuffix(path.Base(name), ".json")
		if dot := strings.LastIndexByte(tag, '.'); dot < 0 {
			phrases.languages = append(phrases.languages, Language{Tag: tag})
		} else {
			tag = tag[dot+1:]
		}
		if _, err := language.Parse(tag); err != nil {
			faults = append(faults, fmt.Errorf("%s: %q is no language tag (BCP 47)", name, tag))
			continue
		}
		if _, err := phrases.bundle.LoadMessageFileFS(files, name); err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", name, err))
		}
	}
	if !slices.ContainsFunc(phrases.languages, func(l Language) bool { return l.Tag == DefaultLanguage }) {
		faults = append(faults, fmt.Errorf("phrases/%s.json is missing: it is what every other language falls back on", DefaultLanguage))
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	phrases.describe()
	return phrases, nil
}

// describe asks each language for its own name, and puts the default first and the rest in the order of their tags.
func (p *Phrases) describe() {
	slices.SortFunc(p.languages, func(one, other Language) int {
		if (one.Tag == DefaultLanguage) != (other.Tag == DefaultLanguage) {
			if one.Tag == DefaultLanguage {
				return -1
			}
			return 1
		}
		return strings.Compare(one.Tag, other.Tag)
	})
	for i := range p.languages {
		language := &p.languages[i]
		said := &Said{i18n.NewLocalizer(p.bundle, language.Tag, DefaultLanguage), language.Tag}
		p.said[language.Tag] = said
		language.Short, language.Name = said.Say("language.short"), said.Say("language.name")
	}
}

// Languages returns the languages of the face: the default first, or those that Offer was given.
func (p *Phrases) Languages() []Language { return p.languages }

// Offer has the face offer these languages in this order, and no others. A tag that there is no file for is left out.
func (p *Phrases) Offer(tags []string) {
	var offered []Language
	for _, tag := range tags {
		if at := slices.IndexFunc(p.languages, func(l Language) bool { return l.Tag == tag }); at >= 0 {
			offered = append(offered, p.languages[at])
		}
	}
	p.languages = offered
}

// For returns the phrases in one language; in the default one where there is no such file.
func (p *Phrases) For(tag string) *Said {
	if said, ok := p.said[tag]; ok {
		return said
	}
	return p.said[DefaultLanguage]
}

// Said is the phrases of one language. Any goroutine may ask it.
type Said struct {
	localizer *i18n.Localizer
	tag       string
}

// Fields fill a phrase's {{.Name}} places.
type Fields map[string]any

// Language returns the language's tag.
func (s *Said) Language() string { return s.tag }

// Say returns a phrase. One that no file has is shown as its own name, which a test finds before a player does.
func (s *Said) Say(id string, fields ...Fields) string {
	return s.localize(&i18n.LocalizeConfig{MessageID: id, TemplateData: merged(fields)})
}

// Count returns the form of a phrase for a number, which fills {{.Count}}.
func (s *Said) Count(id string, count int, fields ...Fields) string {
	all := merged(fields)
	all["Count"] = count
	return s.localize(&i18n.LocalizeConfig{MessageID: id, PluralCount: count, TemplateData: all})
}

// Has reports whether this language or the default one has the phrase.
func (s *Said) Has(id string) bool {
	text, _ := s.localizer.Localize(&i18n.LocalizeConfig{MessageID: id, PluralCount: 2})
	return text != ""
}

func (s *Said) localize(config *i18n.LocalizeConfig) string {
	text, err := s.localizer.Localize(config)
	if text == "" && err != nil {
		return config.MessageID
	}
	return text
}

func merged(fields []Fields) Fields {
	all := Fields{}
	for _, some := range fields {
		for name, value := range some {
			all[name] = value
		}
	}
	return all
}

// Clock returns a moment's time of day, '19:40', in the moment's own location.
func (s *Said) Clock(moment time.Time) string { return moment.Format("15:04") }

// weekdays are the endings of the phrases day.short.* and day.long.*.
var weekdays = [7]string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}

// DayShort returns the weekday in three letters or so: 'Tue'.
func (s *Said) DayShort(moment time.Time) string {
	return s.Say("day.short." + weekdays[moment.Weekday()])
}

// DayLong returns the weekday: 'Tuesday'.
func (s *Said) DayLong(moment time.Time) string {
	return s.Say("day.long." + weekdays[moment.Weekday()])
}

// Moment returns day and time, 'Tuesday 14:05'; a day a week or more away with its date, 'Tuesday 8 December 14:05'.
func (s *Said) Moment(moment, now time.Time) string {
	fields := Fields{"Day": s.DayLong(moment), "Time": s.Clock(moment), "Date": moment.Day(),
		"Month": s.Say(fmt.Sprintf("month.%d", int(moment.Month())))}
	if away := moment.Sub(now); away < 6*24*time.Hour && away > -6*24*time.Hour {
		return s.Say("moment.day", fields)
	}
	return s.Say("moment.date", fields)
}

// toTheSecond is how long before its end a countdown shows seconds. Nobody needs them earlier, and a text that changes every
// second has the whole panel painted every second.
const toTheSecond = 2 * time.Minute

// Countdown returns how long until a moment, never less than nothing: whole minutes that are left, '16 min' or
// '2 h 16 min', and in the last two '1:40', which is figures and nothing else.
func (s *Said) Countdown(until, now time.Time) (text string, figures bool) {
	left := max(until.Sub(now), 0)
	minutes, seconds := int(left/time.Minute), int(left%time.Minute/time.Second)
	if left < toTheSecond {
		return fmt.Sprintf("%d:%02d", minutes, seconds), true
	}
	if minutes < 60 {
		return s.Say("left.minutes", Fields{"Minutes": minutes}), false
	}
	return s.Say("left.hours", Fields{"Hours": minutes / 60, "Minutes": minutes % 60}), false
}
