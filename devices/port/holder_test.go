package port_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"reelkiosk/devices/port"
)

// holdVariable tells this test's own program, run as another process, which port to hold.
const holdVariable = "REELKIOSK_TEST_HOLD"

// holdPort is that other process: it holds a port until it is killed.
func holdPort(name string) {
	kept := port.Keep(port.Settings{Name: name, Baud: 9600})
	for event := range kept.Events() {
		fmt.Println(event.Kind)
	}
}

func startHolder(t *testing.T, name string) *exec.Cmd {
	t.Helper()
	holder := exec.Command(os.Args[0])
	holder.Env = append(os.Environ(), holdVariable+"="+name)
	said, err := holder.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := holder.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		holder.Process.Kill()
		holder.Wait()
	})
	if first, err := bufio.NewReader(said).ReadString('\n'); first != "opened\n" {
		t.Fatalf("the other process says %q (%v)", first, err)
	}
	return holder
}

func errnoSaying(t *testing.T, text string) error {
	t.Helper()
	for number := range 200 {
		if errno := syscall.Errno(number); errno.Error() == text {
			return errno
		}
	}
	t.Fatalf("the system has no error %q", text)
	return nil
}

func TestTheHolderOfALockIsFoundInTheTable(t *testing.T) {
	folder := t.TempDir()
	held := filepath.Join(folder, "held")
	if err := os.WriteFile(held, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var stat unix.Stat_t
	if err := unix.Stat(held, &stat); err != nil {
		t.Fatal(err)
	}
	file := fmt.Sprintf("%02x:%02x:%d", unix.Major(stat.Dev), unix.Minor(stat.Dev), stat.Ino)
	for name, test := range map[string]struct {
		table string
		want  int
	}{
		"held":                          {"1: FLOCK  ADVISORY  WRITE 1234 " + file + " 0 EOF\n", 1234},
		"after others":                  {"1: POSIX  ADVISORY  WRITE 7 " + file + " 0 EOF\n2: FLOCK  ADVISORY  WRITE 8 00:00:1 0 EOF\n3: FLOCK  ADVISORY  WRITE 9 " + file + " 0 EOF\n", 9},
		"another file":                  {"1: FLOCK  ADVISORY  WRITE 1234 00:00:1 0 EOF\n", 0},
		"in another process name space": {"1: FLOCK  ADVISORY  WRITE 0 " + file + " 0 EOF\n", 0},
		"empty":                         {"", 0},
		"garbage":                       {"FLOCK\n\n1: FLOCK\n", 0},
	} {
		t.Run(name, func(t *testing.T) {
			table := filepath.Join(t.TempDir(), "locks")
			if err := os.WriteFile(table, []byte(test.table), 0o600); err != nil {
				t.Fatal(err)
			}
			if got := port.LockHolder(table, held); got != test.want {
				t.Errorf("process %d, wanted %d", got, test.want)
			}
		})
	}
}
