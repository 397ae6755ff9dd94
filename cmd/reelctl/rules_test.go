package main

import (
	"bytes"
	"context"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// functions returns the names of a file's functions, those of methods with their types.
func functions(t *testing.T, file string) map[string]bool {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", "..", file), nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, declared := range parsed.Decls {
		function, is := declared.(*ast.FuncDecl)
		if !is {
			continue
		}
		name := function.Name.Name
		if function.Recv != nil {
			of := function.Recv.List[0].Type
			if pointer, is := of.(*ast.StarExpr); is {
				of = pointer.X
			}
			if kind, is := of.(*ast.Ident); is {
				name = kind.Name + "." + name
			}
		}
		names[name] = true
	}
	return names
}

// Every clause from 1 to 27 has its place, and what is named as its place exists.
func TestEveryClauseIsKeptByAFunctionAndATestThatExist(t *testing.T) {
	lines, err := readCoverage()
	if err != nil {
		t.Fatal(err)
	}
	covered, files := map[string]bool{}, map[string]map[string]bool{}
	named := func(file, function string) bool {
		if files[file] == nil {
			files[file] = functions(t, file)
		}
		return files[file][function]
	}
	for _, one := range lines {
		covered[one.clause] = true
		if !named(one.file, one.function) {
			t.Errorf("clause %s, %s: %s has no %s", one.clause, one.what, one.file, one.function)
		}
		if !named(one.testFile, one.testName) || !strings.HasPrefix(one.testName, "Test") {
			t.Errorf("clause %s, %s: %s has no test %s", one.clause, one.what, one.testFile, one.testName)
		}
	}
	for clause := 1; clause <= 27; clause++ {
		if !covered[strconv.Itoa(clause)] {
			t.Errorf("clause %d has no place", clause)
		}
	}
}

// drawn is a draw of four places as it is exported.
func drawn(t *testing.T) wire.Draw {
	t.Helper()
	draw := wire.Draw{Draw: tournament.Draw{
		Name: "ridge semi-final", Secret: strings.Repeat("5a", 32), Commitment: tournament.Commitment([]byte(strings.Repeat("Z", 32))),
		Public: "3 1 6", Heats: []tournament.DrawHeat{{Heat: "a", Machines: []int{1, 2}}, {Heat: "b", Machines: []int{1, 2}}},
	}}
	for place := range 4 {
		draw.Places = append(draw.Places, tournament.DrawPlace{Place: place + 1, Player: tournament.PersonID(rune('a' + place))})
	}
	var err error
	if draw.Seats, err = draw.Draw.Seats(); err != nil {
		t.Fatal(err)
	}
	return draw
}

func TestAnybodyVerifiesADrawFromItsExportAlone(t *testing.T) {
	for name, c := range map[string]struct {
		forge  func(*wire.Draw)
		status int
		says   string
	}{
		"as it was drawn":       {func(*wire.Draw) {}, exitDone, ": verified\n"},
		"two seats exchanged":   {func(d *wire.Draw) { d.Seats[0], d.Seats[1] = d.Seats[1], d.Seats[0] }, exitMistakes, "other seats come out"},
		"another public number": {func(d *wire.Draw) { d.Public = "3 1 5" }, exitMistakes, "other seats come out"},
		"another secret":        {func(d *wire.Draw) { d.Secret = strings.Repeat("5b", 32) }, exitMistakes, "not the one that was committed to"},
		"fewer machines":        {func(d *wire.Draw) { d.Heats = d.Heats[:1] }, exitMistakes, "fewer seats"},
	} {
		t.Run(name, func(t *testing.T) {
			draw := drawn(t)
			c.forge(&draw)
			text, err := json.Marshal(draw)
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(t.TempDir(), "draws.jsonl")
			if err := os.WriteFile(file, append(text, '\n'), 0o600); err != nil {
				t.Fatal(err)
			}
			var stdout, stderr bytes.Buffer
			status := run(context.Background(), []string{"verify-draw", file}, strings.NewReader(""), &stdout, &stderr)
			if status != c.status || !strings.Contains(stdout.String(), c.says) {
				t.Errorf("status %d, %s%s", status, &stdout, &stderr)
			}
		})
	}
}
