package identity_test

import (
	"encoding/json"
	"os"
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
				got, err := vectortest.Plain(parse(input, c, on))
				if err != nil {
					t.Fatal(err)
				}
				if !vectortest.Matches(c.Expect, got) {
					expected, _ := json.MarshalIndent(c.Expect, "", "  ")
					found, _ := json.MarshalIndent(got, "", "  ")
					t.Errorf("expected %s\ngot %s", expected, found)
				}
			})
		}
	}
}

func vectorsIn(t testing.TB, file string) []vectortest.Case {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	cases, err := vectortest.Parse(file, text)
	if err != nil {
		t.Fatal(err)
	}
	return cases
}
