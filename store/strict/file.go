package strict

import (
	"io"
	"os"
)

// ReadFile reads a file that is read whole. Of one that is longer than Largest it returns some more bytes than that, so that
// Read, or whoever else looks at the length, says so: a file without an end does not fill the memory.
func ReadFile(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, Largest+1))
}
