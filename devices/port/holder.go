package port

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// heldBy names the program that holds a device, as ": NAME (process N)", or returns nothing where /proc does not tell.
func heldBy(real string) string {
	pid := lockHolder("/proc/locks", real)
	if pid == 0 {
		pid = openHolder("/proc", real)
	}
	if pid == 0 {
		return ""
	}
	return ": " + userOf("/proc", pid).String()
}

// String returns the program and its process.
func (u User) String() string {
	if u.Program == "" {
		return fmt.Sprintf("process %d", u.Process)
	}
	return fmt.Sprintf("%s (process %d)", u.Program, u.Process)
}

func userOf(proc string, pid int) User {
	command, _ := os.ReadFile(filepath.Join(proc, strconv.Itoa(pid), "comm"))
	return User{Process: pid, Program: strings.TrimSpace(string(command))}
}

// usersOf finds who has each of some devices open, this program too.
func usersOf(proc string, nodes map[string]*Attached) map[string]*User {
	users := map[string]*User{}
	note := func(node string, pid int) {
		if pid != 0 && users[node] == nil {
			user := userOf(proc, pid)
			users[node] = &user
		}
	}
	for node := range nodes {
		note(node, lockHolder(filepath.Join(proc, "locks"), node))
	}
	eachOpen(proc, func(pid int, file string) bool {
		if nodes[file] != nil {
			note(file, pid)
		}
		return true
	})
	return users
}

// lockHolder finds the process that holds the flock on a file in a table like /proc/locks (proc_locks(5)), whose lines
// read '1: FLOCK ADVISORY WRITE 1234 08:01:5678 0 EOF': number, kind, mode, access, process, device and inode. It
// returns 0 if there is none.
func lockHolder(table, real string) int {
	var stat unix.Stat_t
	if unix.Stat(real, &stat) != nil {
		return 0
	}
	file := fmt.Sprintf("%02x:%02x:%d", unix.Major(stat.Dev), unix.Minor(stat.Dev), stat.Ino)
	locks, err := os.ReadFile(table)
	if err != nil {
		return 0
	}
	for entry := range strings.Lines(string(locks)) {
		fields := strings.Fields(entry)
		if len(fields) < 6 || fields[1] != "FLOCK" || fields[5] != file {
			continue
		}
		if pid, err := strconv.Atoi(fields[4]); err == nil && pid > 0 {
			return pid
		}
	}
	return 0
}

// openHolder finds another process that has the file open, as far as this user may look. It returns 0 if there is none.
func openHolder(proc, real string) (holder int) {
	eachOpen(proc, func(pid int, file string) bool {
		if file == real && pid != os.Getpid() {
			holder = pid
		}
		return holder == 0
	})
	return holder
}

// eachOpen goes through the files that processes have open, as far as this user may look, until visit returns false.
func eachOpen(proc string, visit func(pid int, file string) bool) {
	descriptors, _ := filepath.Glob(filepath.Join(proc, "[0-9]*", "fd", "*"))
	for _, descriptor := range descriptors {
		file, err := os.Readlink(descriptor)
		if err != nil {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(descriptor))))
		if err == nil && !visit(pid, file) {
			return
		}
	}
}
