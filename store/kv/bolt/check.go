package bolt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"

	"go.etcd.io/bbolt"
	bbolterrors "go.etcd.io/bbolt/errors"

	"reelkiosk/store/kv"
)

// checkVariable is the environment variable that turns a program into the checker of a file: its value is how long to wait
// for another process to let go of the file, a space, and the path. Open sets it for the child that it starts, which is
// the running program's own binary.
const checkVariable = "REELKIOSK_CHECK_STORE"

// How the checking child ends. Anything else, a signal above all, means that the file is damaged so badly that reading it
// ended the child.
const (
	exitSound   = 0
	exitDamaged = 3
	exitHeld    = 4
	exitFailed  = 5
)

// checkPace is how many bytes of a file a check gets through in a second at the very least (a tenth of what a slow disk
// of an appliance does); a child that takes longer goes round in circles in damaged pages and is stopped.
const checkPace = 4 << 20

// smallest is the size of a new store: four of bbolt's pages, where pages are smallest.
const smallest = 4 * 4096

// init makes this process the checker where it was started as one, before main and whatever the program is. It is not
// left to each main to call: a main that forgot would start itself over and over.
func init() {
	if order, asked := os.LookupEnv(checkVariable); asked {
		wait, path, _ := strings.Cut(order, " ")
		os.Exit(checkMain(path, wait))
	}
}

// checkMain checks a file, prints what is wrong with it, and returns the exit status.
func checkMain(path, wait string) int {
	timeout, err := time.ParseDuration(wait)
	if err != nil {
		fmt.Print(checkVariable, ": ", err)
		return exitFailed
	}
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{ReadOnly: true, PreLoadFreelist: true, Timeout: timeout})
	switch {
	case errors.Is(err, bbolterrors.ErrTimeout):
		return exitHeld
	case errors.Is(err, os.ErrPermission):
		fmt.Print(err)
		return exitFailed
	case err != nil:
		fmt.Print(err)
		return exitDamaged
	}
	err = db.View(func(tx *bbolt.Tx) error {
		for problem := range tx.Check() {
			return problem
		}
		_, err := open(tx)
		return err
	})
	if err != nil {
		fmt.Print(strings.TrimPrefix(err.Error(), kv.ErrDamaged.Error()+": "))
		return exitDamaged
	}
	return exitSound
}

// check has the file checked by a child process. The error wraps kv.ErrDamaged or kv.ErrHeld, or says why the check could
// not be made.
func check(path string, timeout time.Duration) error {
	size, err := plausible(path)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout+10*time.Second+time.Duration(size/checkPace)*time.Second)
	defer cancel()
	var said bytes.Buffer
	child := exec.CommandContext(ctx, "/proc/self/exe")
	child.Env = []string{
		checkVariable + "=" + timeout.String() + " " + path,
		// A program built with the race detector would sleep for a second when it exits.
		"GORACE=atexit_sleep_ms=0",
	}
	child.Stdout = &said
	// The child dies with the thread that started it: one left behind would keep the file locked against the next start.
	child.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err = child.Run()
	var ended *exec.ExitError
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &ended):
		return fmt.Errorf("starting the check: %w", err)
	case ended.ExitCode() == exitHeld:
		return fmt.Errorf("%w%s", kv.ErrHeld, holder(path))
	case ended.ExitCode() == exitFailed:
		return errors.New(said.String())
	case ended.ExitCode() == exitDamaged:
		return fmt.Errorf("%w: %s", kv.ErrDamaged, said.String())
	case ctx.Err() != nil:
		return fmt.Errorf("%w: checking it did not come to an end", kv.ErrDamaged)
	}
	return fmt.Errorf("%w: checking it ended with %v", kv.ErrDamaged, ended)
}

// plausible returns the size of a file that may be a store: regular and neither empty nor cut within its first pages.
// bbolt would take an empty file for a new one, and all would seem to have been forgotten.
func plausible(path string) (int64, error) {
	file, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	if !file.Mode().IsRegular() {
		return 0, fmt.Errorf("%w: it is no regular file", kv.ErrDamaged)
	}
	if file.Size() < smallest {
		return 0, fmt.Errorf("%w: it is cut off: %d bytes, and a store has at least %d", kv.ErrDamaged, file.Size(), smallest)
	}
	return file.Size(), nil
}
