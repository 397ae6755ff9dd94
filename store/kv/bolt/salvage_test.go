package bolt

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// writtenRecords makes a file of records and returns them.
func writtenRecords(t *testing.T, path string, count int) map[string]string {
	t.Helper()
	store, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	leader := lead(t, store)
	records := map[string]string{}
	for i := range count {
		key, value := fmt.Sprintf("request/%04d", i), strings.Repeat(fmt.Sprint(i, " "), 1+i*i%700)
		records[key] = value
		if err := leader.Apply(t.Context(), put(key, []byte(value))); err != nil {
			t.Fatal(err)
		}
	}
	return records
}

func salvaged(t *testing.T, path string, records map[string]string) (found map[string]bool) {
	t.Helper()
	found = map[string]bool{}
	err := Salvage(path, func(key, value []byte) error {
		if records[string(key)] != string(value) {
			t.Errorf("what was found under %q was never written", key)
		}
		found[string(key)] = true
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestSalvagingADamagedFile(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "books")
	records := writtenRecords(t, path, 200)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	whole = bytes.TrimRight(whole, "\x00") // bbolt has the file grow in large steps
	random := rand.New(rand.NewPCG(1, 1))
	for situation, c := range map[string]struct {
		damage func(text []byte) []byte
		least  int
	}{
		"a sound one":               {func(text []byte) []byte { return text }, 200},
		"no meta page":              {func(text []byte) []byte { clear(text[:2*os.Getpagesize()]); return text }, 200},
		"the first half":            {func(text []byte) []byte { return text[:len(text)/2] }, 50},
		"the second half":           {func(text []byte) []byte { clear(text[:len(text)/2]); return text }, 50},
		"a bit in each fourth page": {func(text []byte) []byte { return flipped(text, random, 4*os.Getpagesize()) }, 50},
		"a bit in each 500 bytes":   {func(text []byte) []byte { return flipped(text, random, 500) }, 10},
		"noise":                     {func(text []byte) []byte { return noise(text, random) }, 0},
		"nothing":                   {func(text []byte) []byte { return nil }, 0},
	} {
		t.Run(situation, func(t *testing.T) {
			damaged := filepath.Join(t.TempDir(), "damaged")
			if err := os.WriteFile(damaged, c.damage(append([]byte(nil), whole...)), 0o600); err != nil {
				t.Fatal(err)
			}
			if found := salvaged(t, damaged, records); len(found) < c.least {
				t.Errorf("%d of 200 records were found, want %d", len(found), c.least)
			}
		})
	}
}

func flipped(text []byte, random *rand.Rand, every int) []byte {
	for at := random.IntN(every); at < len(text); at += every {
		text[at] ^= 1 << random.IntN(8)
	}
	return text
}

func noise(text []byte, random *rand.Rand) []byte {
	for at := range text {
		text[at] = byte(random.Uint32())
	}
	for at := 0; at < len(text); at += os.Getpagesize() {
		text[at+8], text[at+9] = leafFlag, 0 // as if all were leaves
	}
	return text
}
