package definition

import (
	"io/fs"
	"strings"
	"testing"
	"time"

	"reelkiosk/assets"
	"reelkiosk/store/tournament"
)

func load(t *testing.T, name string) *tournament.Tournament {
	t.Helper()
	read, err := Load(assets.Tournaments, "tournaments/"+name)
	if err != nil {
		t.Fatalf("reading %s:\n%v", name, err)
	}
	return read
}

func day(t *testing.T, text string) tournament.Date {
	t.Helper()
	read, err := tournament.ParseDate(text)
	if err != nil {
		t.Fatal(err)
	}
	return read
}

func TestEveryExampleIsRight(t *testing.T) {
	names, err := fs.Glob(assets.Tournaments, "tournaments/*.toml")
	if err != nil || len(names) < 2 {
		t.Fatalf("the examples are %v, %v; want at least two", names, err)
	}
	for _, name := range names {
		load(t, strings.TrimPrefix(name, "tournaments/"))
	}
}

func TestRidgeIsTheTournamentThatIsPublished(t *testing.T) {
	ridge := load(t, "ridge.toml")
	if weeks := 25; ridge.First.AddDays(7*weeks-1) != ridge.Last {
		t.Errorf("the period is %s to %s, want %d weeks", ridge.First, ridge.Last, weeks)
	}
	final := ridge.Stages[2].Heats
	if len(final) != 1 || final[0].Start.Format("Monday, 2 January") != "Sunday, 26 November" {
		t.Errorf("the final is %v, want one on Sunday, 26 November", final)
	}
	if places := ridge.Stages[1].Size * len(ridge.Stages[1].Heats); places < ridge.Rules.SemiFinalPlaces {
		t.Errorf("the semi-finals have %d seats for %d places", places, ridge.Rules.SemiFinalPlaces)
	}
	if seats := ridge.Stages[2].Size; seats != ridge.Rules.FinalPlaces+1 {
		t.Errorf("the final has %d seats for %d places and the participant of clause 13", seats, ridge.Rules.FinalPlaces)
	}
	if clauses := strings.Count(ridge.Text.Body, "\n\n"); clauses != 27 {
		t.Errorf("the text of the rules has %d clauses after its title, want 27", clauses)
	}
	if !strings.HasPrefix(ridge.Text.Body, "The Ridge Slots Reel Tournament\n") || len(ridge.Text.Hash) != 64 {
		t.Errorf("the text begins %.40q, its hash is %q", ridge.Text.Body, ridge.Text.Hash)
	}
	friday := 0
	for _, heat := range ridge.Stages[0].Heats {
		if heat.Day == day(t, "2028-06-09") {
			friday++
			if heat.Number != friday {
				t.Errorf("heat %s has number %d, want %d", heat.ID, heat.Number, friday)
			}
		}
	}
	if friday != 42 {
		t.Errorf("the first Friday has %d heats, want 42: 12:00 to 01:40 of Saturday", friday)
	}
}

func TestDemoIsPlayableOnAnyDay(t *testing.T) {
	text, err := fs.ReadFile(assets.Tournaments, "tournaments/demo.toml")
	if err != nil {
		t.Fatal(err)
	}
	today := day(t, "2031-02-27")
	moved, err := WithPeriod("demo.toml", text, today.AddDays(-2), today.AddDays(30))
	if err != nil {
		t.Fatal(err)
	}
	files, err := fs.Sub(assets.Tournaments, "tournaments")
	if err != nil {
		t.Fatal(err)
	}
	demo, err := parse(files, "demo.toml", moved)
	if err != nil {
		t.Fatal(err)
	}
	heats := demo.Stages[0].Heats
	if want := 33 * 72; len(heats) != want {
		t.Errorf("%d heats, want %d", len(heats), want)
	}
	for i, heat := range heats[1:] {
		if between := heat.Start.Sub(heats[i].Start); between != 20*time.Minute {
			t.Errorf("%s starts %v after the heat before it, want 20m", heat.ID, between)
		}
	}
	if first := heats[0].Start; !first.Equal(today.AddDays(-2).At(0, 0, demo.Zone)) {
		t.Errorf("the first heat starts %v", first)
	}
	// Gaming days begin at 06:00: the heats before belong to the day before.
	if got := heats[0].ID; got != "qualifying-2031-02-24-1" {
		t.Errorf("the first heat is %s", got)
	}
	if got := heats[18]; got.ID != "qualifying-2031-02-25-1" || got.Start.Hour() != 6 {
		t.Errorf("the first heat of the gaming day is %s at %v", got.ID, got.Start)
	}
	out := 0
	for _, machine := range demo.Machines {
		if machine.OutOfService {
			out++
		}
	}
	if len(demo.Machines) != 50 || out != 3 {
		t.Errorf("%d machines, %d out of service; want 50 and 3", len(demo.Machines), out)
	}
}
