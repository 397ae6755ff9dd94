package kiosk

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"testing"

	"reelkiosk/devices/emulator"
	"reelkiosk/devices/identity"
	"reelkiosk/devices/reader"
	"reelkiosk/kiosk/visit"
	"reelkiosk/store/wire"
)

// TestAMinorIsNotAdmittedWithAContradictoryBarcode scans smart cards that disagree with themselves: nobody is greeted,
// central is not asked, and the next document is read.
func TestAMinorIsNotAdmittedWithAContradictoryBarcode(t *testing.T) {
	h := newHouse(t)
	h.sell(wire.Purchase{Seats: 1, Document: &pieterOnPaper})
	h.open()
	for name, card := range map[string]string{
		"born 2010 by the number, 1990 in print": "DOE|JOHN JAMES|M|RSA|1001025001089|02 JAN 1990|RSA|CITIZEN|05 JAN 2025|23370|123456789|1",
		"another sex":                            "DOE|JOHN JAMES|F|RSA|8001015009087|01 JAN 1980|RSA|CITIZEN|05 JAN 2025|23370|123456789|1",
		"another citizenship":                    "DOE|JOHN JAMES|M|RSA|8001015009087|01 JAN 1980|RSA|REFUGEE|05 JAN 2025|23370|123456789|1",
		"a number that fails":                    "DOE|JOHN JAMES|M|RSA|8001015009088|01 JAN 1980|RSA|CITIZEN|05 JAN 2025|23370|123456789|1",
	} {
		h.must(h.scanner.Scan(emulator.PDF417([]byte(card))))
		if state := h.on(visit.ScreenSeeHost); state.Player != (visit.Player{}) {
			t.Errorf("%s: shows %+v", name, state.Player)
		}
		h.tap(visit.ButtonCancel).on(visit.ScreenAttract)
	}
	h.must(h.scanner.Scan(emulator.GreenBook(pieter)))
	h.on(visit.ScreenGreeting)
}

// TestEveryFlagOfADocumentIsDecided reads devices/identity for its flags: each must stand in flagSeesHost.
func TestEveryFlagOfADocumentIsDecided(t *testing.T) {
	files, err := filepath.Glob("../devices/identity/*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("%v: %v", files, err)
	}
	flags := map[identity.Flag]bool{}
	for _, file := range files {
		source, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(source, func(node ast.Node) bool {
			constant, ok := node.(*ast.ValueSpec)
			if !ok {
				return true
			}
			if kind, named := constant.Type.(*ast.Ident); !named || kind.Name != "Flag" {
				return true
			}
			for _, value := range constant.Values {
				if literal, ok := value.(*ast.BasicLit); ok {
					word, err := strconv.Unquote(literal.Value)
					if err != nil {
						t.Fatal(err)
					}
					flags[identity.Flag(word)] = true
				}
			}
			return true
		})
	}
	if !flags[identity.FlagBirthMismatch] || len(flags) < 7 {
		t.Fatalf("finds only %v", flags)
	}
	for flag := range flags {
		if _, decided := flagSeesHost[flag]; !decided {
			t.Errorf("%s: say in flagSeesHost what the kiosk does with it", flag)
		}
	}
	for flag := range flagSeesHost {
		if !flags[flag] {
			t.Errorf("%s: decided, but there is no such flag", flag)
		}
	}
}

func TestAFlagOfWhichNothingIsDecidedLeadsToAHost(t *testing.T) {
	for flags, want := range map[identity.Flag]identity.Flag{
		"": "", identity.FlagOldADigit: "", identity.FlagSexMismatch: identity.FlagSexMismatch, "new": "new",
	} {
		document := identity.Document{Flags: []identity.Flag{identity.FlagOldADigit}}
		if flags != "" {
			document.Flags = append(document.Flags, flags)
		}
		if got := seesHost(document); got != want {
			t.Errorf("%q: %q, want %q", flags, got, want)
		}
	}
	if !refusedReads[reader.DocumentWrong].Host {
		t.Error("a document with a wrong check digit does not lead to a host")
	}
}
