package vectors

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"reelkiosk/devices/identity/vectortest"
)

// shared are the vectors beside the code that they test.
func shared(t *testing.T) []string {
	t.Helper()
	var files []string
	for _, folder := range []string{"identity", "reader"} {
		found, err := filepath.Glob(filepath.Join("..", "..", "..", "..", "devices", folder, "testdata", "*.json"))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	if len(files) < 8 {
		t.Fatalf("only %d files", len(files))
	}
	return files
}

func TestTheCodeAgreesWithItsVectors(t *testing.T) {
	var out strings.Builder
	failed, err := Run(&out, shared(t))
	if failed != 0 || err != nil || !strings.HasSuffix(out.String(), " cases, 0 differ\n") {
		t.Errorf("%v\n%s", err, out.String())
	}
}

// TestAFileIsKnownByItsNameOrItsCases copies each file under other names.
func TestAFileIsKnownByItsNameOrItsCases(t *testing.T) {
	for _, file := range shared(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		kind := strings.TrimSuffix(filepath.Base(file), ".json")
		for _, name := range []string{kind + "-more.json", "hidden_" + strings.ReplaceAll(kind, "-", "_") + ".json", strings.ToUpper(kind) + "2.json", "x.json"} {
			cases, err := vectortest.Parse(name, text)
			if err != nil {
				t.Fatal(err)
			}
			if got := kindOf(name, cases); got != kind {
				t.Errorf("%s with the cases of %s is taken for %q", name, kind, got)
			}
		}
	}
}

func TestWhatDiffersIsShown(t *testing.T) {
	file := write(t, "rfid.json", `{"cases": [
		{"name": "right", "input_hex": "0236324533303836434544303803", "reader": "rdm6300", "expect": {"bad": 0}},
		{"name": "wrong", "input_hex": "0236324533303836434544303803", "reader": "rdm6300", "expect": {"tags": [{"tag": "62E3086CEE"}], "bad": 0}}]}`)
	var out strings.Builder
	failed, err := Run(&out, []string{file})
	want := file + `: wrong
  expected {"bad":0,"tags":[{"tag":"62E3086CEE"}]}
  got      {"bad":0,"kind":"em4100","profile":"rdm6300","tags":[{"decimal":"3808980205","tag":"62E3086CED","wiegand26":"008,27885"}]}
2 cases, 1 differ
`
	if failed != 1 || err != nil || out.String() != want {
		t.Errorf("%d, %v\n%s", failed, err, out.String())
	}
}

func TestAnEchoIsADifferenceAndIsNotEchoed(t *testing.T) {
	file := write(t, "magstripe.json", `{"cases": [
		{"name": "echo", "input": ";6001234567890123?", "expect": {"swipes": [{}], "must_not_echo": ["6001234567890123"]}}]}`)
	var out strings.Builder
	failed, err := Run(&out, []string{file})
	if failed != 1 || err != nil || strings.Contains(out.String(), "6001234567890123") {
		t.Errorf("%d, %v\n%s", failed, err, out.String())
	}
}

func TestWhatCannotBeCheckedIsNamedAndTheRestIsChecked(t *testing.T) {
	good := write(t, "uid.json", `{"cases": [{"name": "a", "input": "90D752C5", "expect": {"uid": "90D752C5"}}]}`)
	for name, test := range map[string]struct {
		file string
		want error
		says string
	}{
		"not JSON":              {write(t, "a.json", "{\n\"cases\": nothing}"), vectortest.ErrMalformed, "a.json:2:11: "},
		"no such file":          {"missing.json", os.ErrNotExist, "missing.json"},
		"kind unknown":          {write(t, "b.json", `{"cases": [{"name": "a", "input": "", "expect": {"x": 1}}]}`), ErrKind, "b.json: unknown kind"},
		"no clock":              {write(t, "mrz.json", `{"cases": [{"name": "a", "input": "", "expect": {}}]}`), vectortest.ErrMalformed, `case "a": no "clock"`},
		"setting of wrong type": {write(t, "magstripe.json", `{"cases": [{"name": "a", "input": "", "lrc": 1, "expect": {}}]}`), vectortest.ErrMalformed, `"lrc": 1 must be a JSON boolean`},
		"word unknown":          {write(t, "rfid.json", `{"cases": [{"name": "a", "input": "", "checksum": "crc", "expect": {}}]}`), vectortest.ErrMalformed, `"checksum": "crc" must be one of`},
	} {
		var out strings.Builder
		failed, err := Run(&out, []string{test.file, good})
		if failed != 0 || !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.says) || out.String() != "1 cases, 0 differ\n" {
			t.Errorf("%s: %d, %v\n%s", name, failed, err, out.String())
		}
	}
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
