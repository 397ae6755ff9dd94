package identity_test

import (
	"path/filepath"
	"testing"

	"reelkiosk/devices/identity"
	"reelkiosk/devices/identity/vectortest"
	"reelkiosk/store/tournament"
)

// TestVectors runs every vector about documents through the parser that it is for.
func TestVectors(t *testing.T) {
	for file, parse := range map[string]func([]byte, vectortest.Case, tournament.Date) identity.Result{
		"sa-id.json": func(input []byte, c vectortest.Case, on tournament.Date) identity.Result {
			parse := identity.ParseNumber
			if c.Has("source") {
				parse = identity.ParseBook
			}
			number, err := parse(string(input), on)
			return identity.ResultOf(identity.KindBook, number, err)
		},
		"smart-id.json": func(input []byte, _ vectortest.Case, on tournament.Date) identity.Result {
			card, err := identity.ParseSmartCard(input, on)
			return identity.ResultOf(card.Document().Kind, card, err)
		},
		"mrz.json": func(input []byte, _ vectortest.Case, on tournament.Date) identity.Result {
			return identity.ReadMRZ(input, on)
		},
		"aamva.json": func(input []byte, _ vectortest.Case, on tournament.Date) identity.Result {
			card, err := identity.ParseAAMVA(input, on)
			return identity.ResultOf(card.Kind, card, err)
		},
	} {
		for _, c := range vectorsIn(t, file) {
			t.Run(file+"/"+c.Name, func(t *testing.T) {
				input, err := c.Bytes()
				if err != nil {
					t.Fatal(err)
				}
				on, err := c.Clock()
				if err != nil {
					t.Fatal(err)
				}
				if differs, err := c.Difference(parse(input, c, on)); err != nil || differs != "" {
					t.Errorf("%v\n%s", err, differs)
				}
			})
		}
	}
}

func vectorsIn(t testing.TB, file string) []vectortest.Case {
	t.Helper()
	cases, err := vectortest.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	return cases
}
