package main

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// coverageText says where each clause of the rules is kept: a line for each function and the test that holds it to it,
//
//	CLAUSE | what | FILE FUNCTION | FILE TEST
//
// A test of this package checks that all of them exist.
//
//go:embed coverage.txt
var coverageText string

// coverage is one line of coverageText. A file is relative to the module's root.
type coverage struct {
	clause, what                       string
	file, function, testFile, testName string
}

// readCoverage reads coverageText.
func readCoverage() (lines []coverage, err error) {
	for number, line := range strings.Split(strings.TrimSpace(coverageText), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(line, "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if len(cells) != 4 {
			return nil, fmt.Errorf("coverage, line %d: %d cells", number+1, len(cells))
		}
		one := coverage{clause: cells[0], what: cells[1]}
		var found, tested bool
		one.file, one.function, found = strings.Cut(cells[2], " ")
		one.testFile, one.testName, tested = strings.Cut(cells[3], " ")
		if !found || !tested {
			return nil, fmt.Errorf("coverage, line %d: want FILE FUNCTION and FILE TEST", number+1)
		}
		lines = append(lines, one)
	}
	return lines, nil
}

type rulesCommand struct {
	Coverage bool `required:"" help:"Say for each clause which function keeps it, and which test holds it to it."`
}

// Run prints where each clause is kept.
func (c *rulesCommand) Run(around *surroundings) error {
	lines, err := readCoverage()
	if err != nil {
		return err
	}
	table := around.table("CLAUSE", "WHAT", "FUNCTION", "TEST")
	for _, one := range lines {
		row(table, one.clause, one.what, one.file+" "+one.function, one.testFile+" "+one.testName)
	}
	return table.Flush()
}

type verifyDrawCommand struct {
	File string `arg:"" optional:"" type:"existingfile" help:"Draws as reelctl export draws writes them; central's own if absent."`
}

// errDraw ends a verification that found a draw which came out otherwise.
var errDraw = errors.New("a draw does not come out as it was recorded")

// Run draws again what was drawn, and says whether it comes out the same. It needs nothing but the file.
func (c *verifyDrawCommand) Run(around *surroundings) error {
	draws, err := c.draws(around)
	if err != nil {
		return err
	}
	if len(draws) == 0 {
		fmt.Fprintln(around.stdout, "no draws")
		return nil
	}
	wrong := false
	for _, draw := range draws {
		said := "verified"
		switch seats, err := draw.Draw.Seats(); {
		case errors.Is(err, tournament.ErrCommitment):
			said = "FALSE: the secret is not the one that was committed to"
		case err != nil:
			said = "FALSE: " + err.Error()
		case !slices.Equal(seats, draw.Seats):
			said = "FALSE: other seats come out"
		}
		wrong = wrong || said != "verified"
		fmt.Fprintf(around.stdout, "%s: %d seats, commitment %s, public number %q: %s\n", draw.Name, len(draw.Seats), draw.Commitment, draw.Public, said)
	}
	if wrong {
		return fmt.Errorf("%w: %w", errMistakes, errDraw)
	}
	return nil
}

func (c *verifyDrawCommand) draws(around *surroundings) ([]wire.Draw, error) {
	if c.File == "" {
		from, err := around.client()
		if err != nil {
			return nil, err
		}
		defer from.Close()
		draws, err := from.Draws(around.ctx)
		return draws.Draws, err
	}
	text, err := os.ReadFile(c.File)
	if err != nil {
		return nil, err
	}
	var draws []wire.Draw
	for line := range strings.Lines(string(text)) {
		var draw wire.Draw
		if err := json.Unmarshal([]byte(line), &draw); err != nil {
			return nil, fmt.Errorf("%w: %s: %w", errMistakes, c.File, err)
		}
		draws = append(draws, draw)
	}
	return draws, nil
}
