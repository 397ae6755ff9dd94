package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWhereCentralIsAfterTheFirstStart(t *testing.T) {
	const typed = "https://10.0.7.2:7180"
	for name, test := range map[string]struct {
		configured, instead string // TOML
		later               string
		want                string
		mistakes            int
	}{
		"the configuration says nothing": {"", "", "", typed, 0},
		"it says another":                {`central = "https://old:7180"`, "https://old:7180", `central = "https://old:7180"`, typed, 0},
		"it was changed later":           {`central = "https://old:7180"`, "https://old:7180", `central = "https://new:7180"`, "https://new:7180", 0},
		"it was given later":             {"", "", `central = "https://new:7180"`, "https://new:7180", 0},
		"other mistakes stay":            {"", "", `colour = "red"`, typed, 1},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			file := filepath.Join(folder, "kiosk.toml")
			write := func(line string) {
				text := fmt.Sprintf("name = \"kiosk-3\"\ndata = %q\n%s\n", folder, line)
				if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			write(test.configured)
			if err := (Enrolled{typed, test.instead}).Save(folder); err != nil {
				t.Fatal(err)
			}
			write(test.later)
			got, err := LoadOver(file)
			mistakes, _ := errors.AsType[Mistakes](err)
			if got.Central != test.want || len(mistakes) != test.mistakes || (err != nil) != (test.mistakes > 0) {
				t.Errorf("central at %q, %v", got.Central, err)
			}
		})
	}
}

func TestASpoiltNoteOfTheFirstStartIsSaid(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, EnrolledFile), []byte("central = 7"), 0o600); err != nil {
		t.Fatal(err)
	}
	if e, err := LoadEnrolled(folder); e != (Enrolled{}) || err == nil || !strings.Contains(err.Error(), EnrolledFile) {
		t.Errorf("got %+v, %v", e, err)
	}
	if e, err := LoadEnrolled(t.TempDir()); e != (Enrolled{}) || err != nil {
		t.Errorf("without one: %+v, %v", e, err)
	}
}
