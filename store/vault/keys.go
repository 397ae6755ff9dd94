package vault

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"reelkiosk/store/durable"
)

// Keys are the two keys of a house: Lookup makes the hashes by which people are found, Data wraps the key of each person.
// Losing them loses every name in the books and every exclusion by number; they lie outside the data file (design decision
// 6), and a copy belongs in a safe.
type Keys struct {
	Lookup, Data [32]byte
}

var (
	// ErrExposed is wrapped by Load where others than the file's owner may read it.
	ErrExposed = errors.New("keys file can be read by others")
	// ErrKeys is wrapped by Load where the file is no keys file, or a copy with a mistake in it.
	ErrKeys = errors.New("keys file is damaged")
)

// mode is the keys file's: its owner reads and writes, nobody else does anything.
const mode fs.FileMode = 0o600

// The file is text, so that it can be printed for the safe and typed again: a line for each key, and one by which a typing
// mistake is found, in hexadecimal.
const (
	heading = `# Reelkiosk keys. Whoever has this file and the books can read every name in them; without it nobody can.
# Keep a copy in a safe, never beside the books or their backups.
`
	lookupLine, dataLine, checkLine = "lookup", "data", "check"
)

// String hides the keys, so that a careless %v prints none.
func (k Keys) String() string { return "keys (hidden)" }

// GoString hides the keys from %#v.
func (k Keys) GoString() string { return k.String() }

// NewKeys draws two keys from random. The error is random's.
func NewKeys(random io.Reader) (keys Keys, err error) {
	for _, key := range [][]byte{keys.Lookup[:], keys.Data[:]} {
		if _, err := io.ReadFull(random, key); err != nil {
			return Keys{}, fmt.Errorf("drawing keys: %w", err)
		}
	}
	return keys, nil
}

// Create draws new keys and writes them to a new file that only its owner can read. The error wraps fs.ErrExist where the
// file exists: keys are never replaced, since everything sealed under them would be lost.
func Create(path string) (Keys, error) {
	keys, err := NewKeys(rand.Reader)
	if err != nil {
		return Keys{}, err
	}
	err = durable.Create(path, mode, func(file *os.File) error {
		_, err := file.WriteString(keys.text())
		return err
	})
	switch {
	case errors.Is(err, fs.ErrExist):
		return Keys{}, fmt.Errorf("creating keys file %s: %w; existing keys are never replaced, use them or give another name", path, err)
	case err != nil:
		return Keys{}, fmt.Errorf("creating keys file %s: %w", path, err)
	}
	return keys, nil
}

// Load reads the keys from a file. The error wraps fs.ErrNotExist, ErrExposed or ErrKeys and says what to do.
func Load(path string) (Keys, error) {
	// What is no file is not opened: a pipe would wait for somebody to write.
	if found, err := os.Stat(path); err == nil && !found.Mode().IsRegular() {
		return Keys{}, fmt.Errorf("%w: %s is no regular file", ErrKeys, path)
	}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Keys{}, fmt.Errorf("reading keys file: %w; restore it from its copy, or make new keys if there are no books yet", err)
	}
	if err != nil {
		return Keys{}, fmt.Errorf("reading keys file: %w; it must belong to the user that this program runs as", err)
	}
	defer file.Close()
	found, err := file.Stat()
	if err != nil {
		return Keys{}, fmt.Errorf("reading keys file: %w", err)
	}
	if !found.Mode().IsRegular() {
		return Keys{}, fmt.Errorf("%w: %s is no regular file", ErrKeys, path)
	}
	if open := found.Mode().Perm() &^ mode; open != 0 {
		return Keys{}, fmt.Errorf("%w: %s has mode %04o; find out who has read it, then: chmod 600 %s",
			ErrExposed, path, found.Mode().Perm(), path)
	}
	text, err := io.ReadAll(io.LimitReader(file, 1<<16))
	if err != nil {
		return Keys{}, fmt.Errorf("reading keys file: %w", err)
	}
	keys, err := parseKeys(string(text))
	if err != nil {
		return Keys{}, fmt.Errorf("%w: %s: %w; compare it with its copy", ErrKeys, path, err)
	}
	return keys, nil
}

// text returns the file's contents.
func (k Keys) text() string {
	return fmt.Sprintf("%s%s %x\n%s %x\n%s %s\n", heading, lookupLine, k.Lookup, dataLine, k.Data, checkLine, k.check())
}

// check returns eight hexadecimal digits that tell a copy with a mistake from a true one.
func (k Keys) check() string {
	sum := sha256.Sum256(append(k.Lookup[:], k.Data[:]...))
	return hex.EncodeToString(sum[:4])
}

// parseKeys reads the file's contents. Its errors name a line's number and word, never what else stands there.
func parseKeys(text string) (keys Keys, err error) {
	found := map[string]string{}
	number := 0
	for line := range strings.Lines(text) {
		number++
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		// A key may have been typed in groups.
		word, value := fields[0], strings.ToLower(strings.Join(fields[1:], ""))
		if _, twice := found[word]; twice || word != lookupLine && word != dataLine && word != checkLine {
			return Keys{}, fmt.Errorf("line %d is not the one line for %q, %q or %q", number, lookupLine, dataLine, checkLine)
		}
		found[word] = value
	}
	for _, line := range []struct {
		word string
		key  *[32]byte
	}{{lookupLine, &keys.Lookup}, {dataLine, &keys.Data}} {
		value, err := hex.DecodeString(found[line.word])
		if err != nil || len(value) != len(line.key) {
			return Keys{}, fmt.Errorf("%q must have %d hexadecimal digits", line.word, 2*len(line.key))
		}
		copy(line.key[:], value)
	}
	if found[checkLine] != keys.check() {
		return Keys{}, fmt.Errorf("the %q line does not fit the keys", checkLine)
	}
	return keys, nil
}
