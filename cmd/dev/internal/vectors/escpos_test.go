package vectors

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"reelkiosk/devices/identity/vectortest"
)

func TestThePrintersCodeAgreesWithItsVectors(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "..", "devices", "printer", "escpos", "testdata", "*.json"))
	if err != nil || len(files) != 2 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	var out strings.Builder
	failed, err := Run(&out, files)
	if failed != 0 || err != nil || !strings.HasSuffix(out.String(), " cases, 0 differ\n") || strings.HasPrefix(out.String(), "0 ") {
		t.Errorf("%v\n%s", err, out.String())
	}
}

func TestWhatDiffersOfAPrinterIsShown(t *testing.T) {
	status := write(t, "escpos-status.json", `{"cases": [
		{"name": "right", "input_hex": "16", "asked": "dle-eot-2", "expect": {"messages": [{"kind": "dle-eot-2", "flags": ["cover-open"]}]}},
		{"name": "asked nothing", "input_hex": "16", "expect": {"messages": []}},
		{"name": "late", "input_hex": "37223030303100", "awaiting": "0001", "expect": {"messages": [{"kind": "process-id", "id": "0001"}], "printed": true}},
		{"name": "not well", "input_hex": "16", "asked": "dle-eot-2", "expect": {"messages": [{"kind": "dle-eot-2", "flags": []}]}}]}`)
	encode := write(t, "escpos-encode.json", `{"cases": [
		{"name": "right", "input": [{"op": "init"}], "expect": {"hex": "1b40"}},
		{"name": "no such letter", "input": [{"op": "text", "text": "š"}], "expect": {"hex": "9a"}}]}`)
	var out strings.Builder
	failed, err := Run(&out, []string{status, encode})
	want := status + `: not well
  expected {"messages":[{"flags":[],"kind":"dle-eot-2"}]}
  got      {"messages":[{"flags":["cover-open"],"kind":"dle-eot-2"}]}
` + encode + `: no such letter
  expected {"hex":"9a"}
  got      {"error":"command 1: 'š' in cp437: not in the code page"}
6 cases, 2 differ
`
	if failed != 2 || err != nil || out.String() != want {
		t.Errorf("%d, %v\n%s", failed, err, out.String())
	}
}

func TestPrinterCasesThatAreNotInTheFormatAreNamed(t *testing.T) {
	for name, text := range map[string]string{
		"escpos-encode.json": `{"cases": [{"name": "a", "input": [{"op": "dance"}], "expect": {}}]}`,
		"escpos-status.json": `{"cases": [{"name": "a", "input_hex": "", "asked": "nicely", "expect": {}}]}`,
	} {
		var out strings.Builder
		if _, err := Run(&out, []string{write(t, name, text)}); !errors.Is(err, vectortest.ErrMalformed) || !strings.Contains(err.Error(), `case "a"`) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
