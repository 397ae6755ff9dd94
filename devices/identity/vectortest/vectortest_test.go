package vectortest_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"reelkiosk/devices/identity/vectortest"
)

func TestMalformedFilesAreNamedWithThePlace(t *testing.T) {
	for text, want := range map[string]string{
		`{"cases": [}`:                             "f.json:1:12: ",
		"{\n  \"cases\": 7}":                       "f.json:2:",
		`{"about": "none"}`:                        `f.json:1:1: not a file of test vectors: no "cases"`,
		`{"cases": []} x`:                          "more text behind",
		"{\"cases\": [\n {\"input\": \"1\"}]}":     `f.json:2:2: not a file of test vectors: case 1 "": "name": must be there and be a JSON string`,
		`{"cases": [{"name": "a", "input": "1"}]}`: `"expect": must be there and be a JSON object`,
		`{"cases": [{"name": "a", "expect": {}}]}`: `must have either "input" or "input_hex"`,
		`{"cases": [{"name": "a", "input": "", "input_hex": "", "expect": {}}]}`: `must have either`,
		`{"cases": [{"name": "a", "input_hex": "0", "expect": {}}]}`:             `"input_hex": encoding/hex: odd length`,
		`{"cases": [{"name": "a", "input_hex": 7, "expect": {}}]}`:               `"input_hex": must be there and be a JSON string`,
		`{"cases": [7]}`: "must be an object",
		``:               "f.json:1:1: ",
	} {
		_, err := vectortest.Parse("f.json", []byte(text))
		if !errors.Is(err, vectortest.ErrMalformed) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func TestACase(t *testing.T) {
	cases, err := vectortest.Parse("f.json", []byte(`{"cases": [
		{"name": "a", "input": ["AB", "C"], "clock": "2026-06-15", "lrc": true, "expect": {"x": 1}, "note": "n"},
		{"name": "b", "input_hex": "00ff", "clock": "2026-06-31", "lrc": "yes", "expect": {}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	lines, err := cases[0].Bytes()
	day, dayErr := cases[0].Clock()
	var lrc bool
	if flagErr := cases[0].Setting("lrc", &lrc); err != nil || dayErr != nil || flagErr != nil ||
		string(lines) != "AB\rC\r" || day.String() != "2026-06-15" || !lrc || cases[0].Has("note") {
		t.Errorf("read as %q, %s, lrc %v; %v %v %v", lines, day, lrc, err, dayErr, flagErr)
	}
	if input, err := cases[1].Bytes(); err != nil || string(input) != "\x00\xff" {
		t.Errorf("bytes %q, %v", input, err)
	}
	if _, err := cases[1].Clock(); !errors.Is(err, vectortest.ErrMalformed) {
		t.Errorf("a day that does not exist: %v", err)
	}
	if err := cases[1].Setting("lrc", &lrc); err == nil || !strings.Contains(err.Error(), `case "b": "lrc": "yes" must be a JSON boolean`) {
		t.Errorf("a setting of the wrong type: %v", err)
	}
}

func TestMatches(t *testing.T) {
	for _, test := range []struct {
		expect, got string
		same        bool
	}{
		{`{"a": 1}`, `{"a": 1, "b": 2}`, true},
		{`{"a": null}`, `{}`, true},
		{`{"a": null}`, `{"a": ""}`, false},
		{`{"a": ""}`, `{}`, false},
		{`{"a": {"b": true}}`, `{"a": {"b": true, "c": 1}}`, true},
		{`{"a": {"b": true}}`, `{"a": []}`, false},
		{`{"a": [1, 2]}`, `{"a": [1, 2]}`, true},
		{`{"a": [1, 2]}`, `{"a": [2, 1]}`, false},
		{`{"a": [1]}`, `{"a": [1, 2]}`, false},
		{`{"a": []}`, `{}`, false},
		{`{"flags": ["x", "y"]}`, `{"flags": ["y", "x"]}`, true},
		{`{"flags": ["x"]}`, `{"flags": ["y"]}`, false},
		{`{"flags": []}`, `{"flags": []}`, true},
		{`{"flags": []}`, `{}`, false},
		{`{"a": "1"}`, `{"a": 1}`, false},
	} {
		var expect, got any
		if json.Unmarshal([]byte(test.expect), &expect) != nil || json.Unmarshal([]byte(test.got), &got) != nil {
			t.Fatal("the test is no JSON")
		}
		if vectortest.Matches(expect, got) != test.same {
			t.Errorf("%s and %s: not %v", test.expect, test.got, test.same)
		}
	}
}
