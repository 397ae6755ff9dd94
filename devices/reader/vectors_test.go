package reader_test

import (
	"path/filepath"
	"testing"

	"reelkiosk/devices/identity/vectortest"
	"reelkiosk/devices/reader"
)

// TestVectors runs every vector about readers through the profile that it is for.
func TestVectors(t *testing.T) {
	for file, profile := range map[string]func(*testing.T, vectortest.Case) reader.Profile{
		"magstripe.json": func(t *testing.T, c vectortest.Case) reader.Profile {
			profile := named(t, "magstripe")
			setting(t, c, "lrc", &profile.Stripe.LRC)
			return profile
		},
		"rfid.json": func(t *testing.T, c vectortest.Case) reader.Profile {
			var name string
			setting(t, c, "reader", &name)
			profile := named(t, name)
			setting(t, c, "checksum", &profile.Checksum)
			return profile
		},
		"uid.json": func(t *testing.T, c vectortest.Case) reader.Profile {
			profile := named(t, "uid-hex")
			setting(t, c, "reverse", &profile.UID.Reverse)
			var format string
			setting(t, c, "format", &format)
			profile.UID.Decimal = format == "decimal"
			return profile
		},
		"scanner.json": func(t *testing.T, c vectortest.Case) reader.Profile {
			if c.Has("suffix") {
				return named(t, "scanner-no-suffix")
			}
			return named(t, "scanner")
		},
	} {
		for _, c := range vectorsIn(t, file) {
			t.Run(file+"/"+c.Name, func(t *testing.T) {
				input, err := c.Bytes()
				if err != nil {
					t.Fatal(err)
				}
				// must_not_echo: see TestABankCardLeavesNothing
				differs, err := c.Difference(reader.Capture(profile(t, c), input, today).Verbatim(), "must_not_echo")
				if err != nil || differs != "" {
					t.Errorf("%v\n%s", err, differs)
				}
			})
		}
	}
}

func named(t testing.TB, name string) reader.Profile {
	t.Helper()
	profile, err := reader.Named(name)
	if err != nil {
		t.Fatal(err)
	}
	return profile
}

func setting(t *testing.T, c vectortest.Case, name string, into any) {
	t.Helper()
	if err := c.Setting(name, into); err != nil {
		t.Fatal(err)
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
