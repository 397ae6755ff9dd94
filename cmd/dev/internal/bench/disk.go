package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// recordSize is about what one registration writes, in bytes.
const recordSize = 2048

// appends returns how often in the time a record could be appended to a file and synced, one after another: the disk's
// own pace.
func appends(folder string, lasting time.Duration) (count int, took time.Duration, err error) {
	file, err := os.Create(filepath.Join(folder, "append"))
	if err != nil {
		return 0, 0, fmt.Errorf("measure the disk: %w", err)
	}
	defer os.Remove(file.Name())
	defer file.Close()
	record := make([]byte, recordSize)
	began := time.Now()
	for time.Since(began) < lasting {
		if _, err := file.Write(record); err != nil {
			return 0, 0, fmt.Errorf("measure the disk: %w", err)
		}
		if err := unix.Fdatasync(int(file.Fd())); err != nil {
			return 0, 0, fmt.Errorf("measure the disk: %w", err)
		}
		count++
	}
	return count, time.Since(began), nil
}
