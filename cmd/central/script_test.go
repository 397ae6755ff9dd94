package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"reelkiosk/assets"
	"reelkiosk/store/central"
	"reelkiosk/store/definition"
	"reelkiosk/store/tournament"
)

func TestMain(m *testing.M) { testscript.Main(m, map[string]func(){"central": main}) }

// TestScripts plays each file of testdata/script. Besides testscript's own commands, 'prepare FOLDER KEYS' begins the books
// of the demo's tournament, and 'await FILE TEXT' waits until a file has a text.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"prepare": func(ts *testscript.TestScript, _ bool, args []string) {
				const name = "tournaments/demo.toml"
				text, err := assets.Tournaments.ReadFile(name)
				ts.Check(err)
				today := tournament.DateOf(time.Now())
				text, err = definition.WithPeriod(name, text, today.AddDays(-2), today.AddDays(5))
				ts.Check(err)
				rules, err := assets.Tournaments.ReadFile("tournaments/ridge-rules.txt")
				ts.Check(err)
				file := ts.MkAbs("demo.toml")
				ts.Check(writeFile(file, text))
				ts.Check(writeFile(filepath.Join(filepath.Dir(file), "ridge-rules.txt"), rules))
				_, err = central.Prepare(ts.MkAbs(args[0]), ts.MkAbs(args[1]), file)
				ts.Check(err)
			},
			"await": func(ts *testscript.TestScript, _ bool, args []string) {
				for deadline := time.Now().Add(20 * time.Second); !contains(ts.MkAbs(args[0]), args[1]); time.Sleep(10 * time.Millisecond) {
					if time.Now().After(deadline) {
						ts.Fatalf("%s never said %q", args[0], args[1])
					}
				}
			},
		},
	})
}

func writeFile(path string, text []byte) error { return os.WriteFile(path, text, 0o600) }

func contains(path, text string) bool {
	found, err := os.ReadFile(path)
	return err == nil && bytes.Contains(found, []byte(text))
}
