// Package vectors checks files of test vectors against the code that the kiosk runs: what a card, a document, a scan or
// a printer's bytes mean. Strangers bring their own files; each case that differs is shown, expected beside got.
package vectors

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"reelkiosk/devices/identity/vectortest"
)

// ErrKind is wrapped where a file's name and cases do not show what its vectors are about.
var ErrKind = errors.New("unknown kind of vectors")

// notEchoed is the key of an expectation that lists what may stand in no answer.
const notEchoed = "must_not_echo"

// Run checks files and writes to w each case that differs and, last, how many there were. It returns how many cases
// differ. The error names every file that could not be read or is not in the format, with the place; the others are
// checked all the same.
func Run(w io.Writer, files []string) (failed int, err error) {
	var found []error
	total := 0
	for _, file := range files {
		cases, check, err := open(file)
		if err != nil {
			found = append(found, err)
			continue
		}
		for _, c := range cases {
			differs, err := compare(c, check)
			if err != nil {
				found = append(found, fmt.Errorf("%s: %w", file, err))
				continue
			}
			total++
			if differs != "" {
				failed++
				fmt.Fprintf(w, "%s: %s\n%s", file, c.Name, differs)
			}
		}
	}
	fmt.Fprintf(w, "%d cases, %d differ\n", total, failed)
	return failed, errors.Join(found...)
}

// open reads a file and finds the checker for its cases.
func open(file string) ([]vectortest.Case, checker, error) {
	cases, err := vectortest.ReadFile(file)
	if err != nil {
		return nil, nil, err
	}
	kind := kindOf(file, cases)
	check := checkers[kind]
	if check == nil && len(cases) > 0 {
		return nil, nil, fmt.Errorf("%s: %w %q: a file is named after its kind, one of %s", file, ErrKind, kind,
			strings.Join(slices.Sorted(maps.Keys(checkers)), ", "))
	}
	return cases, check, nil
}

// compare checks one case and returns in what it differs, in lines ready to print, or nothing.
func compare(c vectortest.Case, check checker) (string, error) {
	got, err := check(c)
	if err != nil {
		return "", err
	}
	answer, err := json.Marshal(got)
	if err != nil {
		return "", err
	}
	if echoes(string(answer)+fmt.Sprintf("%v %+v %#v", got, got, got), c.Expect[notEchoed]) {
		return "  expected that some digits are not echoed\n  got      an answer that has them\n", nil
	}
	return c.Difference(got, notEchoed)
}

// echoes reports whether anything that may not be echoed stands in an answer, as text or in hexadecimal.
func echoes(answer string, secrets any) bool {
	list, _ := secrets.([]any)
	return slices.ContainsFunc(list, func(secret any) bool {
		text, ok := secret.(string)
		return ok && (strings.Contains(answer, text) || strings.Contains(strings.ToLower(answer), hex.EncodeToString([]byte(text))))
	})
}

// kindOf says which of the checkers' kinds a file's vectors are: by the file's name, which begins with the kind or has it
// as words inside, or else by the shape of its cases.
func kindOf(file string, cases []vectortest.Case) string {
	name := strings.ToLower(strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)))
	name = strings.NewReplacer("_", "-", " ", "-", ".", "-").Replace(name)
	for _, kind := range slices.Sorted(maps.Keys(checkers)) {
		if strings.HasPrefix(name, kind) {
			return kind
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(checkers)) {
		if strings.Contains("-"+name+"-", "-"+kind+"-") {
			return kind
		}
	}
	for _, c := range cases {
		for _, shape := range shapes {
			if shape.fits(c) {
				return shape.kind
			}
		}
	}
	return ""
}

// shape is by what a case shows its kind: a key that only this kind expects, or a setting that only this kind has.
type shape struct {
	kind    string
	expects []string
	setting string
}

var shapes = []shape{
	{"escpos-status", []string{"messages", "asb"}, "asked"},
	{"magstripe", []string{"swipes", "sensor"}, "lrc"},
	{"rfid", []string{"tags"}, "reader"},
	{"uid", []string{"uid", "refuse"}, "reverse"},
	{"scanner", []string{"symbology", "addon", "text_hex"}, "suffix"},
	{"mrz", []string{"format", "document_code", "checks"}, ""},
	{"aamva", []string{"iin", "version"}, ""},
	{"smart-id", []string{"id_number", "country_of_birth", "card_number"}, ""},
	{"escpos-encode", []string{"hex"}, ""},
	{"sa-id", []string{"status"}, "source"},
}

func (s shape) fits(c vectortest.Case) bool {
	return s.setting != "" && c.Has(s.setting) || slices.ContainsFunc(s.expects, func(key string) bool {
		_, expected := c.Expect[key]
		return expected
	})
}
