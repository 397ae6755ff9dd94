package bolt

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// holder returns ": process 123 (central --data …)" for the process that has the file locked, and nothing where the
// kernel does not say (proc(5), /proc/locks: ordinal, type, mode, access, process, device:inode, range).
func holder(path string) string {
	file, err := os.Stat(path)
	if err != nil {
		return ""
	}
	stat, known := file.Sys().(*syscall.Stat_t)
	locks, err := os.ReadFile("/proc/locks")
	if !known || err != nil {
		return ""
	}
	inode := ":" + strconv.FormatUint(stat.Ino, 10)
	for line := range strings.Lines(string(locks)) {
		fields := strings.Fields(line)
		if len(fields) < 8 || fields[1] != "FLOCK" || !strings.HasSuffix(fields[5], inode) {
			continue
		}
		return fmt.Sprintf(": process %s%s", fields[4], command(fields[4]))
	}
	return ""
}

// longest is how many bytes of a command line are worth saying.
const longest = 120

// command returns " (name and arguments)" of a process, or nothing where it may not be seen.
func command(process string) string {
	line, err := os.ReadFile("/proc/" + process + "/cmdline")
	if err != nil || len(line) == 0 {
		return ""
	}
	line = bytes.ReplaceAll(bytes.TrimRight(line, "\x00"), []byte{0}, []byte{' '})
	if len(line) > longest {
		line = append(line[:longest], "…"...)
	}
	return fmt.Sprintf(" (%s)", line)
}
