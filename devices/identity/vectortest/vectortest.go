// Package vectortest reads files of test vectors, and says whether what a parser found is what a vector expects. The
// tests beside the parsers use it, and so does the command that checks other people's vectors.
//
// A file is {"about", "cases": [{"name", "input" or "input_hex", settings, "expect", "note"}]}. Input is printable
// ASCII, or a list; whatever holds another byte is input_hex. Every other key of a case is a setting; one that is absent
// is off. Keys that are absent in expect are not compared.
package vectortest

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"

	"reelkiosk/store/tournament"
)

// ErrMalformed is wrapped by every error about a file that is not in the format.
var ErrMalformed = errors.New("not a file of test vectors")

// Case is one vector.
type Case struct {
	Name   string
	Expect map[string]any // as encoding/json decodes it

	input    json.RawMessage // nil if the input is bytes
	bytes    []byte
	settings map[string]json.RawMessage
}

// ReadFile reads a file. The error is the system's, or Parse's.
func ReadFile(name string) ([]Case, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return Parse(name, text)
}

// Parse reads a file's text. The error wraps ErrMalformed and begins with the name, line and column.
func Parse(name string, text []byte) ([]Case, error) {
	wrong := func(offset int64, what string) error {
		before := text[:min(max(offset, 0), int64(len(text)))]
		line, column := bytes.Count(before, []byte("\n"))+1, len(before)-bytes.LastIndexByte(before, '\n')
		return fmt.Errorf("%s:%d:%d: %w: %s", name, line, column, ErrMalformed, what)
	}
	var file struct {
		Cases []json.RawMessage `json:"cases"`
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	if err := decoder.Decode(&file); err != nil {
		return nil, wrong(offsetOf(err, decoder), err.Error())
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, wrong(decoder.InputOffset(), "more text behind the object")
	}
	if file.Cases == nil {
		return nil, wrong(0, `no "cases"`)
	}
	var cases []Case
	end := 0
	for index, raw := range file.Cases {
		start := end + bytes.Index(text[end:], raw)
		end = start + len(raw)
		found, err := parseCase(raw)
		if err != nil {
			return nil, wrong(int64(start), fmt.Sprintf("case %d %q: %v", index+1, found.Name, err))
		}
		cases = append(cases, found)
	}
	return cases, nil
}

func offsetOf(err error, decoder *json.Decoder) int64 {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return syntax.Offset - 1
	case errors.As(err, &kind):
		return kind.Offset - 1
	}
	return decoder.InputOffset()
}

func parseCase(raw json.RawMessage) (Case, error) {
	var found Case
	if err := json.Unmarshal(raw, &found.settings); err != nil || found.settings == nil {
		return found, errors.New("must be an object")
	}
	take := func(key string, into any) error {
		text, there := found.settings[key]
		delete(found.settings, key)
		if !there || json.Unmarshal(text, into) != nil {
			return fmt.Errorf("%q: must be there and be a JSON %s", key, jsonName(into))
		}
		return nil
	}
	if err := take("name", &found.Name); err != nil {
		return found, err
	}
	if err := take("expect", &found.Expect); err != nil || found.Expect == nil {
		return found, errors.New(`"expect": must be there and be a JSON object`)
	}
	delete(found.settings, "note")
	found.input = found.settings["input"]
	delete(found.settings, "input")
	_, isHex := found.settings["input_hex"]
	if isHex == (found.input != nil) {
		return found, errors.New(`must have either "input" or "input_hex"`)
	}
	if !isHex {
		return found, nil
	}
	var digits string
	if err := take("input_hex", &digits); err != nil {
		return found, err
	}
	var err error
	if found.bytes, err = hex.DecodeString(digits); err != nil {
		return found, fmt.Errorf(`"input_hex": %w`, err)
	}
	return found, nil
}

func jsonName(into any) string {
	switch reflect.TypeOf(into).Elem().Kind() {
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	}
	return "object"
}

// Bytes is the input as a device sends it: bytes, text, or a list of lines, each ended by CR.
func (c Case) Bytes() ([]byte, error) {
	if c.input == nil {
		return c.bytes, nil
	}
	var text string
	if json.Unmarshal(c.input, &text) == nil {
		return []byte(text), nil
	}
	var lines []string
	if json.Unmarshal(c.input, &lines) == nil {
		return []byte(strings.Join(append(lines, ""), "\r")), nil
	}
	return nil, fmt.Errorf(`%w: case %q: "input": must be text or a list of texts`, ErrMalformed, c.Name)
}

// Input is the input as it stands in the file, or nil if it is bytes.
func (c Case) Input() json.RawMessage { return c.input }

// Has reports whether a setting is given.
func (c Case) Has(setting string) bool { return c.settings[setting] != nil }

// Setting decodes a setting into a *string, *bool or whatever fits it; into stays as it was if the setting is absent.
func (c Case) Setting(setting string, into any) error {
	text, there := c.settings[setting]
	if !there {
		return nil
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%w: case %q: %q: %s must be a JSON %s", ErrMalformed, c.Name, setting, text, jsonName(into))
	}
	return nil
}

// Clock is the day of reading, or the zero date if the case gives none.
func (c Case) Clock() (tournament.Date, error) {
	var text string
	if err := c.Setting("clock", &text); err != nil || text == "" {
		return tournament.Date{}, err
	}
	day, err := tournament.ParseDate(text)
	if err != nil {
		return day, fmt.Errorf("%w: case %q: \"clock\": %w", ErrMalformed, c.Name, err)
	}
	return day, nil
}

// Difference compares what was found with what a case expects, but for the keys left out of account. It returns both in
// lines ready to print, or nothing if they agree.
func (c Case) Difference(got any, without ...string) (string, error) {
	plain, err := Plain(got)
	if err != nil {
		return "", err
	}
	expect := maps.Clone(c.Expect)
	maps.DeleteFunc(expect, func(key string, _ any) bool { return slices.Contains(without, key) })
	if Matches(expect, plain) {
		return "", nil
	}
	return fmt.Sprintf("  expected %s\n  got      %s\n", line(expect), line(plain)), nil
}

// line is a decoded JSON value in one line.
func line(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// Plain is a value as encoding/json would decode it again, to compare it with an expectation.
func Plain(value any) (any, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	var plain any
	err = json.Unmarshal(text, &plain)
	return plain, err
}

// Matches reports whether got, a Plain value, is what is expected: of an object the keys that are expected, null being
// the same as absence; of a list every element, in order; but flags are in no order.
func Matches(expect, got any) bool {
	switch expect := expect.(type) {
	case map[string]any:
		object, ok := got.(map[string]any)
		if !ok {
			return false
		}
		for key, value := range expect {
			if key == "flags" && sameSet(value, object[key]) {
				continue
			}
			if !Matches(value, object[key]) {
				return false
			}
		}
		return true
	case []any:
		list, ok := got.([]any)
		return ok && slices.EqualFunc(expect, list, Matches)
	}
	return reflect.DeepEqual(expect, got)
}

func sameSet(expect, got any) bool {
	left, leftOK := expect.([]any)
	right, rightOK := got.([]any)
	if !leftOK || !rightOK || len(left) != len(right) {
		return false
	}
	for _, element := range left {
		if !slices.ContainsFunc(right, func(other any) bool { return Matches(element, other) }) {
			return false
		}
	}
	return true
}
