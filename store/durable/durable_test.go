package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func write(text string) func(*os.File) error {
	return func(file *os.File) error {
		_, err := file.WriteString(text)
		return err
	}
}

// wantOnly fails unless the folder holds the one file with that text and mode, and no draft.
func wantOnly(t *testing.T, path, text string, mode fs.FileMode) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 1 || entries[0].Name() != filepath.Base(path) {
		t.Errorf("the folder holds %v, want %s alone", entries, filepath.Base(path))
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != text {
		t.Errorf("the file holds %q, %v; want %q", got, err, text)
	}
	if file, err := os.Stat(path); err != nil || file.Mode() != mode {
		t.Errorf("the file's mode is %v, %v; want %v", file.Mode(), err, mode)
	}
}

func TestCreateMakesTheFileOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := Create(path, 0o640, write("first")); err != nil {
		t.Fatal(err)
	}
	if err := Create(path, 0o640, write("second")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("creating it again: %v, want %v", err, fs.ErrExist)
	}
	wantOnly(t, path, "first", 0o640)
}

func TestCreateLeavesTheFileOfWhoWasFaster(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	err := Create(path, 0o600, func(file *os.File) error {
		return os.WriteFile(path, []byte("faster"), 0o600)
	})
	if !errors.Is(err, fs.ErrExist) {
		t.Errorf("creating it too: %v, want %v", err, fs.ErrExist)
	}
	wantOnly(t, path, "faster", 0o600)
}

func TestReplaceTakesTheNameOrLeavesTheOldFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for _, text := range []string{"first", "second"} {
		if err := Replace(path, 0o600, write(text)); err != nil {
			t.Fatal(err)
		}
		wantOnly(t, path, text, 0o600)
	}
	cause := errors.New("the list broke off")
	if err := Replace(path, 0o600, func(file *os.File) error { return cause }); !errors.Is(err, cause) {
		t.Errorf("a write that fails: %v, want %v", err, cause)
	}
	wantOnly(t, path, "second", 0o600)
}

func TestNothingIsMadeWhereTheFolderIsMissing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "missing", "file")
	if err := Create(path, 0o600, write("")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v, want %v", err, fs.ErrNotExist)
	}
}
