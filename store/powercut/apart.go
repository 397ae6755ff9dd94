package powercut

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"testing"
	"time"
)

// apartVariable says to a process that it was started by Apart.
const apartVariable = "REELKIOSK_TEST_APART"

// leaving is how much earlier the other process gives up, so that what it says is still heard.
const leaving = 5 * time.Second

// Apart has the calling test run again in a process with mounts of its own, and reports whether this is that process. In
// the other one it returns false when the test has ended, and has failed where it did.
//
// In short tests it is skipped. Where the machine cannot cut power, the test is skipped and says why; it fails where everything must be there
// (REELKIOSK_LONG=1, or CI in the environment).
func Apart(t *testing.T) bool {
	t.Helper()
	if os.Getenv(apartVariable) != "" {
		return true
	}
	if testing.Short() {
		t.Skip("power cuts are left to the tests that are not short: they are slow under the race detector, and tell nothing of races")
	}
	if err := missing(); err != nil {
		if os.Getenv("REELKIOSK_LONG") == "1" || os.Getenv("CI") != "" {
			t.Fatal("power cannot be cut here: ", err)
		}
		t.Skip("power cannot be cut here: ", err)
	}
	again := exec.Command("/proc/self/exe", "-test.run=^"+t.Name()+"$", "-test.v")
	if deadline, bounded := t.Deadline(); bounded {
		again.Args = append(again.Args, fmt.Sprint("-test.timeout=", time.Until(deadline)-leaving))
	}
	again.Env = append(os.Environ(), apartVariable+"=1")
	// It dies with the thread that started it, so that a test that is killed leaves nothing mounted.
	again.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS, Pdeathsig: syscall.SIGKILL}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	output, err := again.CombinedOutput()
	t.Logf("%s", output)
	if err != nil {
		t.Error("in a process of its own: ", err)
	}
	return false
}

// missing returns what a machine lacks that cannot cut power.
func missing() error {
	var errs []error
	if os.Geteuid() != 0 {
		errs = append(errs, errors.New("it takes root to mount"))
	}
	for _, device := range []string{"/dev/fuse", "/dev/loop-control"} {
		if _, err := os.Stat(device); err != nil {
			errs = append(errs, err)
		}
	}
	for _, tool := range []string{"mount", "umount", "mkfs.ext4"} {
		if _, err := exec.LookPath(tool); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
