package central

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"reelkiosk/assets"
)

// definitionWith writes the demo's definition, changed, and the text of its rules under a name beside it.
func definitionWith(t *testing.T, rules string) (file string) {
	t.Helper()
	folder := t.TempDir()
	text, err := fs.ReadFile(assets.Tournaments, "tournaments/demo.toml")
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(folder, "demo.toml")
	changed := strings.Replace(string(text), `"ridge-rules.txt"`, `"`+rules+`"`, 1)
	if err := os.WriteFile(file, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, rules)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("1. No person under 18.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestRulesInAFolderBelowCouldNotBeCopied(t *testing.T) {
	file := definitionWith(t, "texts/house.txt")
	data, keys := filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "keys")
	if _, err := Prepare(data, keys, file); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(data, keys, ""); err != nil {
		t.Errorf("loading what was prepared: %v", err)
	}
}

func TestRulesTookTheNameOfCentralsOwnFiles(t *testing.T) {
	for _, rules := range []string{"books.db", "exclusions/house.txt", "tournament.toml", "authority.pem", "Imports/house.txt"} {
		data, keys := filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "keys")
		if _, err := Prepare(data, keys, definitionWith(t, rules)); err == nil || !strings.Contains(err.Error(), "file = ") {
			t.Errorf("%s: %v", rules, err)
		}
		if _, err := os.Stat(data); err == nil {
			t.Errorf("%s: something was made", rules)
		}
	}
}

func TestFolderThatCannotBeLookedIntoWasSaidToHaveNoBooks(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	// Not a folder, since permissions do not bind whoever runs tests as root.
	if _, err := Load(filepath.Join(file, "data"), file, ""); err == nil || errors.Is(err, ErrNoBooks) {
		t.Errorf("got %v", err)
	}
}

func TestDefinitionWithoutAnEndWasReadWhole(t *testing.T) {
	data, keys := filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "keys")
	if _, err := Prepare(data, keys, "/dev/zero"); err == nil || !strings.Contains(err.Error(), "at most 1048576 bytes") {
		t.Errorf("got %v", err)
	}
}
