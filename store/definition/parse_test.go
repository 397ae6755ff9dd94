package definition

import (
	"errors"
	"io/fs"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"reelkiosk/store/tournament"
)

// small is a definition that gives what has no default, and nothing else.
const small = `id = "small"
name = "A small one"
property = "The Ridge Casino"
zone = "Africa/Johannesburg"

[period]
first = 2028-06-05
last = 2028-06-11

[text]
version = 1
body = "1. No person under 18."

[rules]
fica_threshold = "25000.00"

[[machines]]
numbers = "1-4"
asset = "A-1"
place = "Row A"

[[stages]]
kind = "qualifying"
size = 4

[[stages.timetables]]
days = "daily"
first = "12:00"
last = "13:00"
every = "20m"
`

// changed returns small with pieces replaced: old, new, old, new…
func changed(t *testing.T, pieces ...string) string {
	t.Helper()
	text := small
	for i := 0; i < len(pieces); i += 2 {
		if !strings.Contains(text, pieces[i]) {
			t.Fatalf("the definition has no %q", pieces[i])
		}
		text = strings.Replace(text, pieces[i], pieces[i+1], 1)
	}
	return text
}

func parsed(t *testing.T, text string) *tournament.Tournament {
	t.Helper()
	read, err := Parse("small.toml", []byte(text))
	if err != nil {
		t.Fatalf("reading:\n%v", err)
	}
	return read
}

func TestDefaultsAreThoseOfTheRules(t *testing.T) {
	rand := func(cents int64) tournament.Money { return tournament.Money{Cents: cents, Currency: "ZAR"} }
	want := tournament.Rules{
		MinAge:           18,
		CardSuffices:     tournament.CardVerified,
		SeatPrice:        rand(5000),
		Packages:         []tournament.Package{{Name: "R200", Price: rand(20000), Seats: 4, Credit: rand(0), SeatValue: rand(5000)}},
		PackagesCashOnly: true,
		Window:           tournament.Window48h,
		GamingDayStarts:  6 * 60,
		OpensBefore:      24 * time.Hour,
		ClosesBefore:     5 * time.Minute,
		HeatLength:       15 * time.Minute,
		SemiFinalPlaces:  49,
		FICAThreshold:    rand(2500000),
		GrantShare:       10,
		GrantLives:       time.Hour,
		GrantMargin:      5 * time.Minute,
		ExclusionsMaxAge: 30 * time.Minute,
	}
	if got := parsed(t, small).Rules; !reflect.DeepEqual(got, want) {
		t.Errorf("the rules are\n%+v, want\n%+v", got, want)
	}
	// What Defaults prints is a definition's [rules], word for word.
	_, rules, _ := strings.Cut(Defaults(), "[rules]\n")
	text := changed(t, "[rules]\n", "[rules]\n"+rules[:strings.Index(rules, "[[rules")], "[[machines]]", rules[strings.Index(rules, "[[rules"):]+"[[machines]]")
	if got := parsed(t, text).Rules; !reflect.DeepEqual(got, want) {
		t.Errorf("with the defaults written out the rules are\n%+v, want\n%+v", got, want)
	}
}

func TestEachRuleCanBeGiven(t *testing.T) {
	text := changed(t, "fica_threshold = \"25000.00\"\n", `fica_threshold = "9"
min_age = 21
card_suffices = "never"
seat_price = "12.34"
packages_cash_only = false
window = "next-day"
gaming_day_starts = 05:30:00
opens_before = "1h30m"
closes_before = "90s"
heat_length = "20m"
semi_final_places = 30
final_places = 5
places_per_player = 2
suits_count = true
scores_twice = true
prizes = ["300", "100.50", "100.50"]
grant_share = 0
grant_lives = "90m"
grant_margin = "1m30s"
exclusions_max_age = "1h"
packages = [{name = "Two", price = "20", seats = 2, credit = "1.50", seat_value = "9.99"}, {name = "One", price = "11.00", seats = 1}]
`, `zone =`, "currency = \"EUR\"\nzone =")
	euro := func(cents int64) tournament.Money { return tournament.Money{Cents: cents, Currency: "EUR"} }
	want := tournament.Rules{
		MinAge: 21, CardSuffices: tournament.CardNever, SeatPrice: euro(1234),
		Packages: []tournament.Package{
			{Name: "Two", Price: euro(2000), Seats: 2, Credit: euro(150), SeatValue: euro(999)},
			{Name: "One", Price: euro(1100), Seats: 1, Credit: euro(0), SeatValue: euro(1100)},
		},
		Window: tournament.WindowNextDay, GamingDayStarts: 5*60 + 30, OpensBefore: 90 * time.Minute, ClosesBefore: 90 * time.Second,
		HeatLength: 20 * time.Minute, SemiFinalPlaces: 30, FinalPlaces: 5, PlacesPerPlayer: 2, SuitsCount: true,
		ScoresTwice: true, Prizes: []tournament.Money{euro(30000), euro(10050), euro(10050)},
		GrantLives: 90 * time.Minute, GrantMargin: 90 * time.Second, FICAThreshold: euro(900), ExclusionsMaxAge: time.Hour,
	}
	if got := parsed(t, text).Rules; !reflect.DeepEqual(got, want) {
		t.Errorf("the rules are\n%+v, want\n%+v", got, want)
	}
	if got := parsed(t, changed(t, "[rules]\n", "[rules]\npackages = []\n")).Rules.Packages; len(got) != 0 {
		t.Errorf("packages = [] offers %v", got)
	}
}

func TestMachinesAreInTheOrderOfTheFile(t *testing.T) {
	text := changed(t, `numbers = "1-4"
asset = "A-1"
place = "Row A"`, `numbers = "8-10, 3, 7-5"
asset = "RDG-0098"
place = "Row B"
out_of_service = [3, 6]
[[machines]]
numbers = 1
asset = "the old one"
place = "Row A"
out_of_service = true`)
	got := parsed(t, text).Machines
	machine := func(number int, asset, place string, out bool) tournament.Machine {
		return tournament.Machine{Number: number, Asset: asset, Place: place, OutOfService: out}
	}
	want := []tournament.Machine{
		machine(8, "RDG-0098", "Row B", false), machine(9, "RDG-0099", "Row B", false), machine(10, "RDG-0100", "Row B", false),
		machine(3, "RDG-0101", "Row B", true), machine(7, "RDG-0102", "Row B", false), machine(6, "RDG-0103", "Row B", true),
		machine(5, "RDG-0104", "Row B", false), machine(1, "the old one", "Row A", true),
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the machines are\n%v, want\n%v", got, want)
	}
}

// TestMistakeNamesLineKeyValueAndWhatIsAllowed: each case is small with one thing wrong, and every mistake that it must have.
func TestMistakeNamesLineKeyValueAndWhatIsAllowed(t *testing.T) {
	for _, c := range []struct {
		situation string
		pieces    []string
		want      []string
	}{
		{"no TOML", []string{`name = "A small one"`, `name = A small one`}, []string{
			`small.toml:2: unexpected character`}},
		{"a key twice", []string{"[period]", "id = \"again\"\n[period]"}, []string{
			`small.toml:6: key id is already defined`}},
		{"nothing given", []string{small, "# later\n"}, []string{
			`small.toml:1: id: is missing; must be lower-case letters and digits with single hyphens between, at most 64, such as "ridge-2028"`,
			`small.toml:1: name: is missing; must be a text on one line of at most 100 letters`,
			`small.toml:1: property: is missing; must be a text on one line of at most 100 letters`,
			`small.toml:1: zone: is missing; must be the IANA name of a time zone, such as "Africa/Johannesburg"`,
			`small.toml:1: period.first: is missing; must be a date such as 2028-06-05`,
			`small.toml:1: period.last: is missing; must be a date such as 2028-06-05`,
			`small.toml:1: text.version: is missing; must be a whole number from 1 to 9999`,
			`small.toml:1: text.file: is missing; must be the name of a .txt file beside this one, such as "ridge-rules.txt", and none of central's own, or give body = """…"""`,
			`small.toml:1: rules.fica_threshold: is missing; must be an amount in quotes, such as "50.00"`,
			`small.toml:1: machines: is missing; at least one [[machines]] must be given`,
			`small.toml:1: stages: is missing; at least the qualifying stage must be given as [[stages]]`}},
		{"mistyped keys", []string{"[rules]", "[rules]\nmin_aeg = 21\nx = 1", "every =", "evry ="}, []string{
			`small.toml:15: rules.min_aeg = 21: unknown key; did you mean "min_age"?`,
			`small.toml:16: rules.x = 1: unknown key; known here: card_suffices, closes_before, `,
			`small.toml:28: stages.timetables.every: is missing; must be a time from 1m to 24h, such as "20m", "1h30m" or "45s"`,
			`small.toml:32: stages.timetables.evry = "20m": unknown key; did you mean "every"?`}},
		{"values of the wrong type", []string{`"small"`, "7", "[rules]", "[rules]\nmin_age = \"18\"\nsuits_count = 1\nseat_price = 50.0\nopens_before = 24"}, []string{
			`small.toml:1: id = 7: must be lower-case`,
			`small.toml:15: rules.min_age = "18": must be a whole number from 18 to 99`,
			`small.toml:16: rules.suits_count = 1: must be true or false`,
			`small.toml:17: rules.seat_price = 50: must be an amount in quotes, such as "50.00"`,
			`small.toml:18: rules.opens_before = 24: must be a time from 1m to 8784h`}},
		{"values out of range", []string{"[rules]", "[rules]\nmin_age = 17\nwindow = \"72h\"\nseat_price = \"1.5\"\ngrant_share = 11\nplaces_per_player = 0\ngaming_day_starts = \"24:00\"\nheat_length = \"20m30.5s\"\ngrant_lives = \"30s\"\ngrant_margin = \"13h\""}, []string{
			`small.toml:15: rules.min_age = 17: must be a whole number from 18 to 99`,
			`small.toml:16: rules.window = "72h": must be "48h", "same-day" or "next-day"`,
			`small.toml:17: rules.seat_price = "1.5": must be an amount`,
			`small.toml:18: rules.grant_share = 11: must be a whole number from 0 to 10`,
			`small.toml:19: rules.places_per_player = 0: must be a whole number from 1 to 9999, or "unlimited"`,
			`small.toml:20: rules.gaming_day_starts = "24:00": must be a time of day from "00:00" to "23:59"`,
			`small.toml:21: rules.heat_length = "20m30.5s": must be a time from 1m to 12h`,
			`small.toml:22: rules.grant_lives = "30s": must be a time from 1m to 24h`,
			`small.toml:23: rules.grant_margin = "13h": must be a time from 0s to 12h`}},
		{"tables that are none", []string{"[period]\nfirst = 2028-06-05\nlast = 2028-06-11\n", "period = 3\nmachines = [1, 2]\n", "[[machines]]\nnumbers = \"1-4\"\nasset = \"A-1\"\nplace = \"Row A\"\n", ""}, []string{
			`small.toml:6: period = 3: must be a table: [period]`,
			`small.toml:6: period.first: is missing`,
			`small.toml:6: period.last: is missing`,
			`small.toml:7: machines = 1: must be a table: [[machines]]`,
			`small.toml:7: machines = 2: must be a table: [[machines]]`,
			`small.toml:7: machines = [1, 2]: is missing; at least one`}},
		{"an unknown zone", []string{"Africa/Johannesburg", "Africa/Jozi"}, []string{
			`small.toml:4: zone = "Africa/Jozi": must be the IANA name`}},
		{"a period backwards", []string{"last = 2028-06-11", "last = 2028-06-01"}, []string{
			`small.toml:8: period.last = 2028-06-01: must not be before the first day, 2028-06-05`}},
		{"a period of a century", []string{"last = 2028-06-11", "last = 2128-06-11"}, []string{
			`small.toml:8: period.last = 2128-06-11: must be no later than 2031-06-08, three years after the first`}},
		{"a day that does not exist", []string{"last = 2028-06-11", "last = \"2028-06-31\""}, []string{
			`small.toml:8: period.last = "2028-06-31": must be a date`}},
		{"an empty text of the rules", []string{`"1. No person under 18."`, `" \n"`}, []string{
			`small.toml:12: text.body = " \n": must be a text that is not empty`}},
		{"a text with control characters", []string{`"1. No person under 18."`, `"1.\u001b[2J"`}, []string{
			`small.toml:12: text.body = "1.\x1b[2J": must have no control characters but tabs and ends of lines`}},
		{"a text twice", []string{`[rules]`, "file = \"rules.txt\"\n[rules]"}, []string{
			`small.toml:12: text.body = "1. No person under 18.": must not be given together with file`}},
		{"a text that is not there", []string{`body = "1. No person under 18."`, `file = "rules.txt"`}, []string{
			`small.toml:12: text.file = "rules.txt": must be a file that can be read: no such file or directory`}},
		{"a text of another folder", []string{`body = "1. No person under 18."`, `file = "../etc/passwd"`}, []string{
			`small.toml:12: text.file = "../etc/passwd": must be the name of a .txt file beside this one`}},
		{"registration that closes before it opens", []string{"[rules]", "[rules]\nopens_before = \"1h\"\ncloses_before = \"1h\""}, []string{
			`small.toml:16: rules.closes_before = "1h": must be shorter than opens_before, 1h`}},
		{"grants that end before registration opens", []string{"[rules]", "[rules]\nopens_before = \"1h\"\ngrant_margin = \"55m\""}, []string{
			`small.toml:16: rules.grant_margin = "55m": must be shorter than the time that registration is open, 55m`}},
		{"grants that by default end before registration opens", []string{"[rules]", "[rules]\nopens_before = \"10m\""}, []string{
			`small.toml:14: rules.grant_margin: is 5m where it is not given, and must be shorter than the time that registration is open, 5m`}},
		{"packages", []string{"[rules]", "[rules]\npackages = [\n{name = \"A\", price = \"10.00\", seats = 3},\n{name = \"A\", price = \"10.00\", seats = 2},\n{name = \"B\", seats = 0}]"}, []string{
			`small.toml:16: rules.packages.seat_value: is missing; and the price cannot be shared among the seats to the cent`,
			`small.toml:17: rules.packages.name = "A": is the name of another package`,
			`small.toml:18: rules.packages.price: is missing`,
			`small.toml:18: rules.packages.seats = 0: must be a whole number from 1 to 9999`}},
		{"machine numbers", []string{`"1-4"`, `"1-4, 0"`}, []string{
			`small.toml:18: machines.numbers = "1-4, 0": must be a number, or numbers and ranges`}},
		{"a machine twice", []string{"place = \"Row A\"\n", "place = \"Row A\"\n[[machines]]\nnumbers = \"3-5\"\nasset = \"A-2\"\nplace = \"Row B\"\n"}, []string{
			`small.toml:22: machines.numbers = "3-5": must not have machine 3 again`,
			`small.toml:23: machines.asset = "A-2": must not give asset A-2 again`}},
		{"assets that do not count", []string{`"A-1"`, `"A"`}, []string{
			`small.toml:19: machines.asset = "A": must end in digits`}},
		{"others out of service", []string{"place = \"Row A\"", "place = \"Row A\"\nout_of_service = [4, 5]"}, []string{
			`small.toml:21: machines.out_of_service = [4, 5]: must be true, false, or a list of this block's numbers`}},
		{"more seats than machines", []string{"size = 4", "size = 5"}, []string{
			`small.toml:24: stages.size = 5: must be at most the number of machines, 4`}},
		{"a stage without heats", []string{small[strings.Index(small, "[[stages.timetables]]"):], ""}, []string{
			`small.toml:22: stages: must have a [[stages.timetables]] or a [[stages.heats]]`}},
		{"stages in the wrong order", []string{small[strings.Index(small, "[[stages]]"):], `[[stages]]
kind = "final"
size = 2
heats = [{start = 2028-06-11T20:00:00}]
[[stages]]
kind = "qualifying"
size = 4
heats = [{start = 2028-06-10T20:00:00}]
[[stages]]
kind = "semi finals"
size = 4
heats = [{start = 2028-06-12T20:00:00}]
`}, []string{
			`small.toml:14: rules.final_places: is missing; since there is a final; must be a whole number`,
			`small.toml:23: stages.kind = "final": must be "qualifying" for the first stage`,
			`small.toml:26: stages: must begin after the stage before it: its first heat is of 2028-06-10 20:00, the last one there of 2028-06-11 20:00`,
			`small.toml:27: stages.kind = "qualifying": must come once`,
			`small.toml:31: stages.kind = "semi finals": must be "qualifying", "semi-final" or "final"`,
			`small.toml:33: stages.heats.start = 2028-06-12T20:00:00: must be in the period, 2028-06-05 to 2028-06-11`}},
		{"days", []string{`"daily"`, `["friday", "fr"]`}, []string{
			`small.toml:27: stages.timetables.days = ["friday", "fr"]: must be "daily", or a list of weekdays and dates`}},
		{"days outside the period", []string{`"daily"`, `[2028-07-01]`}, []string{
			`small.toml:27: stages.timetables.days = [2028-07-01]: must include a day from 2028-06-05 to 2028-06-11`}},
		{"a timetable outside the period", []string{`every = "20m"`, "every = \"20m\"\nfrom = 2028-06-01\nuntil = 2028-06-12"}, []string{
			`small.toml:31: stages.timetables.from = 2028-06-01: must be in the period, 2028-06-05 to 2028-06-11`,
			`small.toml:32: stages.timetables.until = 2028-06-12: must be in the period, 2028-06-05 to 2028-06-11`}},
		{"a timetable backwards", []string{`every = "20m"`, "every = \"20m\"\nfrom = 2028-06-09\nuntil = 2028-06-08"}, []string{
			`small.toml:32: stages.timetables.until = 2028-06-08: must not be before from, 2028-06-09`}},
		{"an interval shorter than a heat", []string{`"20m"`, `"14m"`}, []string{
			`small.toml:30: stages.timetables.every = "14m": must not be shorter than heat_length, 15m`}},
		{"an interval of odd seconds", []string{`"20m"`, `"20m30s"`}, []string{
			`small.toml:30: stages.timetables.every = "20m30s": must be whole minutes`}},
		{"timetables that overlap", []string{"every = \"20m\"\n", "every = \"20m\"\n[[stages.timetables]]\ndays = [\"fri\", \"sat\"]\nfirst = \"12:30\"\nlast = \"12:30\"\nevery = \"1h\"\n"}, []string{
			`small.toml:30: stages.timetables.every = "20m": heats of the same machines must not overlap (clause 11): one of 2028-06-09 12:40 would begin before that of 2028-06-09 12:30, line 31, has had its 15m`,
			`small.toml:35: stages.timetables.every = "1h": heats of the same machines must not overlap (clause 11): one of 2028-06-09 12:30 would begin before that of 2028-06-09 12:20, line 26, has had its 15m`}},
		{"a heat twice", []string{"every = \"20m\"\n", "every = \"20m\"\n[[stages.heats]]\nstart = 2028-06-09T12:00:00\n"}, []string{
			`small.toml:32: stages.heats.start = 2028-06-09T12:00:00: heats of the same machines must not overlap`}},
		{"a heat in words", []string{"every = \"20m\"\n", "every = \"20m\"\n[[stages.heats]]\nstart = \"noon\"\n[[stages.heats]]\nstart = 2028-06-09T18:00:30\n[[stages.heats]]\n"}, []string{
			`small.toml:32: stages.heats.start = "noon": must be a date and time such as 2028-06-10T15:00:00`,
			`small.toml:34: stages.heats.start = 2028-06-09T18:00:30: must be a whole minute`,
			`small.toml:35: stages.heats.start: is missing; must be a date and time`}},
	} {
		t.Run(c.situation, func(t *testing.T) {
			read, err := Parse("small.toml", []byte(changed(t, c.pieces...)))
			var mistakes Mistakes
			if !errors.As(err, &mistakes) || read != nil {
				t.Fatalf("read %v, %v; want mistakes", read, err)
			}
			got := strings.Split(err.Error(), "\n")
			for i := range max(len(got), len(c.want)) {
				if i >= len(got) || i >= len(c.want) || !strings.HasPrefix(got[i], c.want[i]) {
					t.Fatalf("the mistakes are\n%s\nwant\n%s", err, strings.Join(c.want, "\n"))
				}
			}
		})
	}
}

func TestTextOfTheRulesMayLieBeside(t *testing.T) {
	definition := changed(t, `body = "1. No person under 18."`, `file = "texts/rules.txt"`)
	files := fstest.MapFS{
		"house/small.toml":      {Data: []byte(definition)},
		"house/texts/rules.txt": {Data: []byte("1. Only over 18.\r\n")},
	}
	read, err := Load(files, "house/small.toml")
	if err != nil {
		t.Fatal(err)
	}
	// printf '1. Only over 18.\r\n' | sha256sum
	const hash = "e58475b5797ada82e7339259cab9c4381d3791dc0982cd8a1e773ce8675c882a"
	if read.Text.Body != "1. Only over 18.\r\n" || read.Text.Hash != hash || read.Text.Version != 1 {
		t.Errorf("the text is %+v, want it byte for byte and hash %s", read.Text, hash)
	}
	files["house/texts/rules.txt"].Data = []byte("\xff")
	if _, err := Load(files, "house/small.toml"); err == nil || !strings.Contains(err.Error(), "must be UTF-8") {
		t.Errorf("a text that is no UTF-8: %v", err)
	}
	if _, err := Load(files, "house/none.toml"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no such definition: %v, want %v", err, fs.ErrNotExist)
	}
}

func TestPeriodIsReplacedAndNothingElse(t *testing.T) {
	text := strings.ReplaceAll(changed(t, "first = 2028-06-05", "first = 2028-06-05 # a Monday", "last = 2028-06-11", `"last"="2028-06-11"`), "\n", "\r\n")
	got, err := WithPeriod("small.toml", []byte(text), day(t, "2031-01-01"), day(t, "2031-12-31"))
	want := strings.Replace(strings.Replace(text, "2028-06-05", "2031-01-01", 1), `"2028-06-11"`, "2031-12-31", 1)
	if err != nil || string(got) != want {
		t.Errorf("the text is\n%s, %v; want\n%s", got, err, want)
	}
	for _, inline := range []string{"period = {first = 2028-06-05, last = 2028-06-11}", "period = {last = 2028-06-11, first = 2028-06-05}"} {
		got, err := WithPeriod("small.toml", []byte(inline), day(t, "2031-01-01"), day(t, "2031-12-31"))
		if err != nil || !strings.Contains(string(got), "first = 2031-01-01") || !strings.Contains(string(got), "last = 2031-12-31") {
			t.Errorf("%s became %s, %v", inline, got, err)
		}
	}
	var mistakes Mistakes
	if _, err := WithPeriod("small.toml", []byte("[period]\nfirst = 1"), day(t, "2031-01-01"), day(t, "2031-12-31")); !errors.As(err, &mistakes) || len(mistakes) != 2 {
		t.Errorf("a text without a period: %v, want two mistakes", err)
	}
}

func TestYearOfHeatsIsReadFast(t *testing.T) {
	text := changed(t, "last = 2028-06-11", "last = 2028-11-26", `"12:00"`, `"00:00"`, `"13:00"`, `"23:40"`)
	best := time.Hour
	for range 5 {
		begun := time.Now()
		if heats, want := len(parsed(t, text).Stages[0].Heats), 25*7*72; heats != want {
			t.Fatalf("%d heats, want %d", heats, want)
		}
		best = min(best, time.Since(begun))
	}
	// Fifty milliseconds is the aim; the race detector, and others on the machine, are given room.
	if best > 250*time.Millisecond {
		t.Errorf("reading 25 weeks around the clock takes %v", best)
	}
}

func BenchmarkParse(b *testing.B) {
	text := strings.NewReplacer("last = 2028-06-11", "last = 2028-11-26", `"12:00"`, `"00:00"`, `"13:00"`, `"23:40"`).Replace(small)
	for b.Loop() {
		if _, err := Parse("small.toml", []byte(text)); err != nil {
			b.Fatal(err)
		}
	}
}
