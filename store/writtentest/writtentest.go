// Package writtentest keeps the files that a version of the program writes as test data, for the tests of later versions:
// packed, since a store has pages of zeros, and compared by what stands in them.
package writtentest

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"testing"
)

// Pack writes a text to a file, compressed.
func Pack(t testing.TB, path string, text []byte) {
	t.Helper()
	var packed bytes.Buffer
	writer := gzip.NewWriter(&packed)
	_, err := writer.Write(text)
	if err := errors.Join(err, writer.Close(), os.WriteFile(path, packed.Bytes(), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// Unpack returns the text of a file that Pack wrote.
func Unpack(t testing.TB, path string) []byte {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	packed, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(packed)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Includes reports whether all that stands in one JSON text stands in another, which may say more: later versions do.
func Includes(t testing.TB, more, less []byte) bool {
	t.Helper()
	var left, right any
	if err := errors.Join(json.Unmarshal(more, &left), json.Unmarshal(less, &right)); err != nil {
		t.Fatal(err)
	}
	return within(right, left)
}

func within(less, more any) bool {
	switch less := less.(type) {
	case map[string]any:
		more, is := more.(map[string]any)
		for key, value := range less {
			is = is && within(value, more[key])
		}
		return is
	case []any:
		more, is := more.([]any)
		is = is && len(less) == len(more)
		for i := range less {
			is = is && within(less[i], more[i])
		}
		return is
	}
	return less == more
}
