package bolt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
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

// How the checking child ends. Besides its own verdict, only a fault in the file's memory or a panic over what is in it
// means damage; any other end (somebody's signal, the kernel short of memory, a disk that takes too long) says nothing of
// the file.
const (
	exitSound   = 0
	exitDamaged = 3
	exitHeld    = 4
	exitFailed  = 5
)

// checkPace is how many bytes of a file a check gets through in a second at the very least (a tenth of what a slow disk
// of an appliance does). A child that needs more of the processor's time than that goes round in circles in damaged pages,
// and says so; one that merely takes long is waited for slackly, several times as long, and then nothing is known.
const (
	checkPace = 4 << 20
	checkLast = 10 * time.Second
	slack     = 6
)

// checkStack is the deepest stack of the child: pages that lead round in circles end in no time, and not all memory.
const checkStack = 64 << 20

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
	debug.SetMaxStack(checkStack)
	if file, err := os.Stat(path); err == nil {
		go endless(allowed(file.Size()))
	}
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{ReadOnly: true, PreLoadFreelist: true, Timeout: timeout})
	switch {
	case errors.Is(err, bbolterrors.ErrTimeout):
		return exitHeld
	case isSystem(err):
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
		books, err := open(tx)
		if err != nil {
			return err
		}
		return books.ForEach(func(key, stored []byte) error {
			_, err := verified(key, stored)
			return err
		})
	})
	if err != nil {
		fmt.Print(strings.TrimPrefix(err.Error(), kv.ErrDamaged.Error()+": "))
		return exitDamaged
	}
	return exitSound
}

// isSystem reports whether the system could not open or map the file, which says nothing of what is in it. A disk that
// cannot read it (EIO) is damage.
func isSystem(err error) bool {
	var errno syscall.Errno
	return errors.As(err, &errno) && errno != syscall.EIO && errno != syscall.EINVAL
}

// allowed is how much of the processor's time the check of a file of that size may take.
func allowed(size int64) time.Duration {
	return checkLast + time.Duration(size/checkPace)*time.Second
}

// endless ends the child with its verdict once it has used too much of the processor's time.
func endless(most time.Duration) {
	for {
		time.Sleep(time.Second)
		var used syscall.Rusage
		if syscall.Getrusage(syscall.RUSAGE_SELF, &used) == nil && time.Duration(used.Utime.Nano()+used.Stime.Nano()) > most {
			fmt.Print("its pages lead round in circles")
			os.Exit(exitDamaged)
		}
	}
}

// check has the file checked by a child process, and once more where the first one did not come to a verdict. The error
// wraps kv.ErrDamaged, kv.ErrHeld or kv.ErrUnchecked, or says why the check could not be made.
func check(path string, timeout time.Duration) error {
	size, err := plausible(path)
	if err != nil {
		return err
	}
	limit := timeout + slack*allowed(size)
	if err = checkOnce(path, timeout, limit); errors.Is(err, kv.ErrUnchecked) {
		err = checkOnce(path, timeout, limit)
	}
	return err
}

// checking is told of each child that checks. Tests end it there.
var checking = func(*os.Process) {}

// checkOnce has the file checked by one child.
func checkOnce(path string, timeout, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	var said, failed bytes.Buffer
	child := exec.CommandContext(ctx, "/proc/self/exe")
	child.Env = []string{
		checkVariable + "=" + timeout.String() + " " + path,
		// A program built with the race detector would sleep for a second when it exits.
		"GORACE=atexit_sleep_ms=0",
	}
	child.Stdout, child.Stderr = &said, &failed
	// The child dies with the thread that started it: one left behind would keep the file locked against the next start.
	// It has a process group of its own: what is sent to this one's group is not meant for it.
	child.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := child.Start()
	if err == nil {
		checking(child.Process)
		err = child.Wait()
	}
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
	case fell(ended.Sys().(syscall.WaitStatus), failed.Bytes()):
		return fmt.Errorf("%w: checking it ended with %v", kv.ErrDamaged, ended)
	case ctx.Err() != nil:
		return fmt.Errorf("%w: the check took longer than %v: start again", kv.ErrUnchecked, limit)
	}
	return fmt.Errorf("%w: the check was ended by something else (%v): start again", kv.ErrUnchecked, ended)
}

// causes begin a line of what the Go runtime writes when a program falls over what is in a file: the fault of an address
// (runtime/signal_unix.go), a panic, a stack that never ends.
var causes = [][]byte{
	[]byte("[signal SIGSEGV"), []byte("[signal SIGBUS"), []byte("unexpected fault address"), []byte("panic: "),
	[]byte("fatal error: stack overflow"),
}

// fell reports whether a child fell over the file, as against having been ended.
func fell(how syscall.WaitStatus, failed []byte) bool {
	if how.Signaled() {
		return how.Signal() == syscall.SIGSEGV || how.Signal() == syscall.SIGBUS
	}
	for line := range bytes.Lines(failed) {
		for _, cause := range causes {
			if bytes.HasPrefix(line, cause) {
				return true
			}
		}
	}
	return false
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
