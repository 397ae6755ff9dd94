package vault

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestKeysAreCreatedOnceForTheOwnerAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys")
	made, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Stat(path)
	if err != nil || file.Mode() != 0o600 {
		t.Errorf("the file's mode is %v, %v; want 0600", file.Mode(), err)
	}
	loaded, err := Load(path)
	if err != nil || loaded != made {
		t.Errorf("loading: other keys, or %v", err)
	}
	if made.Lookup == made.Data || made.Lookup == [32]byte{} {
		t.Error("the keys are the same, or nothing")
	}
	if _, err := Create(path); !errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), "never replaced") {
		t.Errorf("creating them again: %v, want %v and what to do", err, fs.ErrExist)
	}
	if again, err := Load(path); err != nil || again != made {
		t.Errorf("after that, other keys, or %v", err)
	}
}

func TestKeysThatOthersCanReadAreRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys")
	if _, err := Create(path); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		mode    fs.FileMode
		refused bool
	}{{0o600, false}, {0o400, false}, {0o604, true}, {0o640, true}, {0o660, true}, {0o644, true}, {0o602, true}, {0o700, true}} {
		if err := os.Chmod(path, c.mode); err != nil {
			t.Fatal(err)
		}
		_, err := Load(path)
		if errors.Is(err, ErrExposed) != c.refused {
			t.Errorf("mode %04o: %v", c.mode, err)
		}
		if c.refused && !strings.Contains(err.Error(), "chmod 600 "+path) {
			t.Errorf("mode %04o: %q does not say what to do", c.mode, err)
		}
	}
}

func TestDamagedKeysAreRefused(t *testing.T) {
	text := fixed().text()
	for _, c := range []struct{ situation, text, says string }{
		{"empty", "", `"lookup" must have 64`},
		{"cut short", text[:len(text)-80], `"data" must have 64`},
		{"no check line", text[:strings.Index(text, "check")], `"check" line does not fit`},
		{"one digit mistyped", strings.Replace(text, "lookup 0001", "lookup 0007", 1), `"check" line does not fit`},
		{"a letter that is no digit", strings.Replace(text, "lookup 0001", "lookup 000l", 1), `"lookup" must have 64`},
		{"a line twice", text + "check 00000000\n", "line 6"},
		{"another file", "first = 2028-01-01\n", "line 1"},
	} {
		path := filepath.Join(t.TempDir(), "keys")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Load(path)
		if !errors.Is(err, ErrKeys) || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, want %v, the file and %q", c.situation, err, ErrKeys, c.says)
		}
		if err != nil && strings.Contains(err.Error(), "0f10") {
			t.Errorf("%s: %q shows a key", c.situation, err)
		}
	}
	if _, err := Load(t.TempDir()); !errors.Is(err, ErrKeys) && !errors.Is(err, ErrExposed) {
		t.Errorf("a folder: %v", err)
	}
	if _, err := Load(filepath.Join(t.TempDir(), "keys")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v, want %v", err, fs.ErrNotExist)
	}
}

func TestKeysTypedFromPaperLoad(t *testing.T) {
	text := fixed().text()
	grouped := strings.ReplaceAll(strings.ToUpper(text[strings.Index(text, "lookup"):]), "1011", " 1011 ")
	for _, word := range []string{lookupLine, dataLine, checkLine} {
		grouped = strings.Replace(grouped, strings.ToUpper(word), word, 1)
	}
	if keys, err := parseKeys(strings.ReplaceAll(grouped, "\n", "\r\n\r\n")); err != nil || keys != fixed() {
		t.Errorf("read %v; want the same keys from\n%s", err, grouped)
	}
}

func TestKeysAreNotPrinted(t *testing.T) {
	for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
		if said := fmt.Sprintf(verb, fixed()); said != "keys (hidden)" {
			t.Errorf("%s prints %q", verb, said)
		}
	}
}

func FuzzKeysFile(f *testing.F) {
	f.Add(fixed().text())
	f.Add("lookup\ndata\ncheck\n")
	f.Fuzz(func(t *testing.T, text string) {
		keys, err := parseKeys(text)
		if err == nil {
			if again, err := parseKeys(keys.text()); err != nil || again != keys {
				t.Errorf("read from %q, but written and read again: %v", text, err)
			}
		}
	})
}

func TestPipeAsKeysFileWasWaitedFor(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{path, "/dev/zero", t.TempDir()} {
		if _, err := Load(file); !errors.Is(err, ErrKeys) {
			t.Errorf("%s: %v", file, err)
		}
	}
}
