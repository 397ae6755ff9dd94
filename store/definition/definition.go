// Package definition reads the file in which a house defines a tournament, checks all of it, and turns it into the types of
// store/tournament.
//
// The file is TOML, written by hand and never rewritten. The text of the rules that players accept lies in a file beside
// it, or in it. A small one:
//
//	id = "ridge-2028"
//	name = "The Ridge Slots Reel Tournament"
//	property = "The Ridge Casino"
//	zone = "Africa/Johannesburg"     # IANA name; heats, windows and ages are counted there
//	currency = "ZAR"                 # ISO 4217; ZAR where it is not given
//
//	[period]                         # first and last day, both included
//	first = 2028-06-05
//	last = 2028-11-26
//
//	[text]
//	version = 1                      # counts the texts that were published
//	file = "ridge-rules.txt"         # or: body = """…"""
//
//	[rules]                          # every key has a default (Defaults prints them), except
//	final_places = 9                 # where there is a final, and
//	fica_threshold = "25000.00"
//
//	[[machines]]                     # in the order in which they are given out (clause 11)
//	numbers = "1-10"                 # or 7, or "1-5, 8, 10-7"
//	asset = "RDG-1101"               # of the first; counts up with the numbers
//	place = "Row A"
//	out_of_service = [7]             # or true for all of them
//
//	[[stages]]                       # in the order in which they are played
//	kind = "qualifying"              # then "semi-final", then "final"
//	size = 10                        # seats of a heat
//
//	  [[stages.timetables]]          # as many as are needed
//	  days = ["friday", 2028-12-16]  # weekdays and dates, or "daily"
//	  except = [2028-12-25]
//	  from = 2028-06-12              # the period's where they are not given
//	  until = 2028-11-19
//	  first = "18:00"                # the last may be after midnight, the day is that of the first
//	  last = "01:40"
//	  every = "20m"
//
//	  [[stages.heats]]               # a single heat
//	  start = 2028-06-10T15:00:00    # in the zone, or with an offset
//
// A heat is numbered within its stage and gaming day, and its ID is made of the three: "qualifying-2028-06-09-4".
//
// A timetable speaks of what the clocks on the wall show. Where they are put forward, the times that they leave out have no
// heat; where they are put back, the times that they show twice have one, at the first. To have one at the second too, it
// is given as a single heat with its offset.
package definition

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	// The zones are part of the program, so that they are the same on every machine (design decision 9).
	_ "time/tzdata"

	"reelkiosk/store/strict"
	"reelkiosk/store/tournament"
)

// Mistake is one thing in a definition that cannot stay as it is, and Mistakes are all of them.
type (
	Mistake  = strict.Mistake
	Mistakes = strict.Mistakes
)

// Parse reads a definition's text. The file is its name, for mistakes, and the folder in which the text of the rules is
// looked for. The error is a Mistakes with all of them, in the order of their lines; there is no other error.
func Parse(file string, text []byte) (*tournament.Tournament, error) {
	return parse(os.DirFS(filepath.Dir(file)), file, text)
}

// Load reads a definition from a file system, which may be one that is embedded. The error is the file system's, or as
// that of Parse.
func Load(files fs.FS, name string) (*tournament.Tournament, error) {
	text, err := fs.ReadFile(files, name)
	if err != nil {
		return nil, err
	}
	beside, err := fs.Sub(files, path.Dir(name))
	if err != nil {
		return nil, err
	}
	return parse(beside, name, text)
}

func parse(beside fs.FS, file string, text []byte) (*tournament.Tournament, error) {
	doc, err := strict.Read(file, text)
	if err != nil {
		return nil, err
	}
	top := doc.Top(strict.Defaults(defaultText))
	result := &tournament.Tournament{
		ID:       strict.Take(top, "id", identifier),
		Name:     strict.Take(top, "name", line),
		Property: strict.Take(top, "property", line),
		Zone:     strict.Take(top, "zone", zone),
	}
	readPeriod(top, result)
	result.Text = readText(top, beside)
	result.Rules = readRules(top)
	result.Machines = readMachines(top)
	result.Stages = readStages(top, result)
	if err := doc.Finish(); err != nil {
		return nil, err
	}
	return result, nil
}

func readPeriod(top *strict.Table, result *tournament.Tournament) {
	period := top.Table("period")
	result.First, result.Last = strict.Take(period, "first", date), strict.Take(period, "last", date)
	switch longest := result.First.AddDays(longestPeriod); {
	case result.First.IsZero() || result.Last.IsZero():
	case result.Last.Before(result.First):
		period.Mistake("last", "must not be before the first day, "+result.First.String())
	case result.Last.After(longest):
		period.Mistake("last", "must be no later than "+longest.String()+", three years after the first")
	}
}

// longestPeriod is the most days that a tournament may last; more is a slip of the pen.
const longestPeriod = 3 * 366

// WithPeriod returns a definition's text with another period in place of its own, and everything else as it was, comments
// too. It is for a definition whose timetables follow the period, such as that of the demonstration, which has to be
// playable on the day it is shown. The error is a Mistakes where the text has no period.
func WithPeriod(file string, text []byte, first, last tournament.Date) ([]byte, error) {
	doc, err := strict.Read(file, text)
	if err != nil {
		return nil, err
	}
	period := doc.Top(nil).Table("period")
	strict.Take(period, "first", date)
	strict.Take(period, "last", date)
	if mistakes := doc.Mistakes(); len(mistakes) > 0 {
		return nil, mistakes
	}
	changed := text
	// From the end, so that what comes before stays where it is.
	keys, days := []string{"last", "first"}, map[string]tournament.Date{"first": first, "last": last}
	slices.SortFunc(keys, func(one, other string) int {
		begins, _ := period.Span(one)
		otherBegins, _ := period.Span(other)
		return otherBegins - begins
	})
	for _, key := range keys {
		from, to := period.Span(key)
		changed = slices.Concat(changed[:from], []byte(days[key].String()), changed[to:])
	}
	return changed, nil
}
