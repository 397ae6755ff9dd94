package definition

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"reelkiosk/assets"
	"reelkiosk/store/tournament"
)

func FuzzParse(f *testing.F) {
	f.Add([]byte(small))
	names, err := fs.Glob(assets.Tournaments, "tournaments/*.toml")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(assets.Tournaments, name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte("stages.heats.start = 1\n[[a.b]]\n[a.b.c]\n\"\" = [[{x=1}]]"))
	f.Fuzz(func(t *testing.T, text []byte) {
		read, err := parse(fstest.MapFS{"ridge-rules.txt": {Data: []byte("1.")}}, "fuzz.toml", text)
		if err == nil {
			check(t, read)
			return
		}
		var mistakes Mistakes
		if !errors.As(err, &mistakes) || len(mistakes) == 0 {
			t.Fatalf("%v is no list of mistakes", err)
		}
		for _, mistake := range mistakes {
			if lines := strings.Count(string(text), "\n") + 1; mistake.Line < 1 || mistake.Line > lines || mistake.Allowed == "" {
				t.Errorf("%+v of %d lines", mistake, lines)
			}
			if strings.Contains(mistake.String(), "\n") {
				t.Errorf("%q is more than one line", mistake.String())
			}
		}
		if _, err := WithPeriod("fuzz.toml", text, tournament.Date{Year: 2028, Month: 1, Day: 1}, tournament.Date{Year: 2028, Month: 2, Day: 29}); err != nil && !errors.As(err, &mistakes) {
			t.Errorf("with another period: %v", err)
		}
	})
}

// check fails unless a tournament that was read keeps what readers of it rely on.
func check(t *testing.T, read *tournament.Tournament) {
	t.Helper()
	ids := map[tournament.HeatID]bool{}
	var last time.Time
	for _, stage := range read.Stages {
		for _, heat := range stage.Heats {
			if ids[heat.ID] {
				t.Errorf("two heats %s", heat.ID)
			}
			ids[heat.ID] = true
			if !last.IsZero() && heat.Start.Sub(last) < read.Rules.HeatLength {
				t.Errorf("heat %s starts %v after the one before", heat.ID, heat.Start.Sub(last))
			}
			last = heat.Start
			if want := fmt.Sprintf("%s-%s-%d", stage.Kind, heat.Day, heat.Number); string(heat.ID) != want || heat.Stage != stage.Kind {
				t.Errorf("heat %s, want %s", heat.ID, want)
			}
		}
	}
}
