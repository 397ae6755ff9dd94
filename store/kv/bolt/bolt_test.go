package bolt

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.etcd.io/bbolt"
	"go.uber.org/goleak"

	"reelkiosk/store/kv"
	"reelkiosk/store/kv/kvtest"
)

// childVariable makes the test binary play another process: its value is what to do, a space, and the path of a store.
const childVariable = "BOLT_TEST_CHILD"

// children are what the test binary can play as another process.
var children = map[string]func(path string) error{
	"hold":  holdStore,
	"limit": fillToLimit,
	"write": writeForEver,
}

func TestMain(m *testing.M) {
	if order := os.Getenv(childVariable); order != "" {
		what, path, _ := strings.Cut(order, " ")
		if err := children[what](path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// child returns the test binary as another process.
func child(t *testing.T, what, path string) *exec.Cmd {
	t.Helper()
	command := exec.Command(os.Args[0], "-test.run=none")
	command.Env = append(os.Environ(), childVariable+"="+what+" "+path, "GORACE=atexit_sleep_ms=0")
	command.Stderr = os.Stderr
	return command
}

// openBooks opens a store whose file is checked when the test has closed it.
func openBooks(t testing.TB, where string) *Store {
	t.Helper()
	path := filepath.Join(where, "books")
	store, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Errorf("closing: %v", err)
		}
		if err := check(path, time.Second); err != nil {
			t.Errorf("checking the file after the test: %v", err)
		}
	})
	return store
}

func TestSuite(t *testing.T) {
	kvtest.Run(t, func(t testing.TB, where string) kv.Store { return openBooks(t, where) })
}

func lead(t testing.TB, store *Store) kv.Leader {
	t.Helper()
	leader, err := store.Lead(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return leader
}

func put(key string, value []byte) *kv.Batch {
	batch := &kv.Batch{}
	batch.Put([]byte(key), value)
	return batch
}

// get returns what a view has under a key.
func get(store *Store, key string) (value string, err error) {
	err = store.View(context.Background(), func(reader kv.Reader) error {
		got, err := reader.Get([]byte(key))
		value = string(got)
		return err
	})
	return value, err
}

func holdStore(path string) error {
	store, err := Open(path, Options{})
	if err != nil {
		return err
	}
	fmt.Println("held")
	_, err = bufio.NewReader(os.Stdin).ReadString('\n') // until the parent lets go
	return errors.Join(store.Close(), ignoreEOF(err))
}

func ignoreEOF(err error) error {
	if err != nil && err.Error() == "EOF" {
		return nil
	}
	return err
}

// TestSecondProcessHangsForEverOnTheLock (treefmt#408): it ends within two seconds and says who holds it.
func TestSecondProcessHangsForEverOnTheLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "books")
	holder := child(t, "hold", path)
	letGo, err1 := holder.StdinPipe()
	said, err2 := holder.StdoutPipe()
	if err := errors.Join(err1, err2, holder.Start()); err != nil {
		t.Fatal(err)
	}
	defer holder.Wait()
	defer letGo.Close()
	if line, err := bufio.NewReader(said).ReadString('\n'); line != "held\n" {
		t.Fatalf("the other process said %q, %v", line, err)
	}
	begun := time.Now()
	_, err := Open(path, Options{})
	if !errors.Is(err, kv.ErrHeld) {
		t.Fatalf("opening it too: %v, want %v", err, kv.ErrHeld)
	}
	if took := time.Since(begun); took > 2*time.Second {
		t.Errorf("it took %v to find out, want 2s at most", took)
	}
	for _, part := range []string{path, fmt.Sprintf("process %d (", holder.Process.Pid), "bolt.test"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not name %q", err, part)
		}
	}
	if _, err := fmt.Fprintln(letGo); err != nil {
		t.Fatal(err)
	}
	store, err := Open(path, Options{Timeout: 20 * time.Second})
	if err != nil {
		t.Fatalf("opening while the other one lets go: %v", err)
	}
	if err := store.Close(); err != nil {
		t.Error(err)
	}
}

func TestTwoThatCreateTheStoreAtOnceShareOne(t *testing.T) {
	for range 5 {
		path := filepath.Join(t.TempDir(), "books")
		var both sync.WaitGroup
		for i := range 2 {
			both.Go(func() {
				store, err := Open(path, Options{Timeout: 20 * time.Second})
				if err != nil {
					t.Errorf("opening: %v", err)
					return
				}
				leader, err := store.Lead(t.Context())
				if err == nil {
					err = leader.Apply(t.Context(), put(fmt.Sprint(i), nil))
				}
				if err := errors.Join(err, store.Close()); err != nil {
					t.Error(err)
				}
			})
		}
		both.Wait()
		store := openBooks(t, filepath.Dir(path))
		for _, key := range []string{"0", "1"} {
			if _, err := get(store, key); err != nil {
				t.Errorf("what was written by %s: %v", key, err)
			}
		}
		if names, err := os.ReadDir(filepath.Dir(path)); err != nil || len(names) != 1 {
			t.Errorf("the folder holds %v, %v; want the store alone", names, err)
		}
	}
}

func TestStoreIsForItsOwnerAlone(t *testing.T) {
	store := openBooks(t, t.TempDir())
	if file, err := os.Stat(store.Path()); err != nil || file.Mode() != 0o600 {
		t.Errorf("the file's mode is %v, %v; want 0600", file.Mode(), err)
	}
	if _, err := Open(filepath.Join(t.TempDir(), "missing", "books"), Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that does not exist: %v, want %v", err, fs.ErrNotExist)
	}
}

// TestFailedSyncAnswersNothingUntilOpenedAgain: the page cache may show what the disk does not have.
func TestFailedSyncAnswersNothingUntilOpenedAgain(t *testing.T) {
	where := t.TempDir()
	store := openBooks(t, where)
	leader := lead(t, store)
	store.commit = func(tx *bbolt.Tx) error {
		return errors.Join(tx.Commit(), syscall.EIO)
	}
	if err := leader.Apply(t.Context(), put("a", []byte("1"))); !errors.Is(err, kv.ErrFailed) || !errors.Is(err, syscall.EIO) {
		t.Errorf("applying: %v, want %v and why", err, kv.ErrFailed)
	}
	<-leader.Lost()
	_, err := get(store, "a")
	_, leadErr := store.Lead(t.Context())
	for situation, err := range map[string]error{
		"a view":              err,
		"becoming the writer": leadErr,
		"applying":            leader.Apply(t.Context(), put("a", []byte("2"))),
	} {
		if !errors.Is(err, kv.ErrFailed) || !strings.Contains(err.Error(), store.Path()) {
			t.Errorf("%s after it: %v, want %v and the file", situation, err, kv.ErrFailed)
		}
	}
	if err := store.Close(); err != nil {
		t.Errorf("closing: %v", err)
	}
	if got, err := get(openBooks(t, where), "a"); got != "1" || err != nil {
		t.Errorf("opened again: %q, %v; here the disk had it", got, err)
	}
}

// TestFullDiskRefusesAndTheNextBatchGoesIn, as far as this package decides; TestFileThatMayNotGrow has a real error.
func TestFullDiskRefusesAndTheNextBatchGoesIn(t *testing.T) {
	for _, c := range []struct {
		situation string
		commit    func(*bbolt.Tx) error
		want      error
	}{
		{"no space for a page", func(*bbolt.Tx) error {
			return &fs.PathError{Op: "write", Path: "books", Err: syscall.ENOSPC}
		}, kv.ErrFull},
		{"no quota for a page", func(*bbolt.Tx) error {
			return &fs.PathError{Op: "write", Path: "books", Err: syscall.EDQUOT}
		}, kv.ErrFull},
		{"no space for the last page, which was written all the same", func(tx *bbolt.Tx) error {
			return errors.Join(tx.Commit(), &fs.PathError{Op: "write", Path: "books", Err: syscall.ENOSPC})
		}, kv.ErrFailed},
		{"no space when syncing", func(*bbolt.Tx) error { return syscall.ENOSPC }, kv.ErrFailed},
		{"an error of the disk", func(*bbolt.Tx) error {
			return &fs.PathError{Op: "write", Path: "books", Err: syscall.EIO}
		}, kv.ErrFailed},
		{"a panic of bbolt", func(*bbolt.Tx) error { panic("page 7 already freed") }, kv.ErrFailed},
	} {
		t.Run(c.situation, func(t *testing.T) {
			store := openBooks(t, t.TempDir())
			leader := lead(t, store)
			if err := leader.Apply(t.Context(), put("a", []byte("1"))); err != nil {
				t.Fatal(err)
			}
			store.commit = c.commit
			if err := leader.Apply(t.Context(), put("a", []byte("2"))); !errors.Is(err, c.want) {
				t.Fatalf("applying: %v, want %v", err, c.want)
			}
			store.commit = (*bbolt.Tx).Commit
			if c.want == kv.ErrFailed {
				return
			}
			if got, err := get(store, "a"); got != "1" || err != nil {
				t.Errorf("after it: %q, %v; want what was there before", got, err)
			}
			if err := leader.Apply(t.Context(), put("a", []byte("3"))); err != nil {
				t.Errorf("once there is room: %v", err)
			}
			if got, err := get(store, "a"); got != "3" || err != nil {
				t.Errorf("then: %q, %v", got, err)
			}
		})
	}
}

// fillToLimit is a process whose files may not grow beyond 100 KB. It prints nothing and returns nil if all is as it should.
func fillToLimit(path string) error {
	store, err := Open(path, Options{})
	if err != nil {
		return err
	}
	leader, err := store.Lead(context.Background())
	if err != nil {
		return err
	}
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
		return err
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 100_000, Max: before.Max}); err != nil {
		return err
	}
	applied := 0
	for ; err == nil && applied < 1000; applied++ {
		err = leader.Apply(context.Background(), put(fmt.Sprint(applied), make([]byte, 10_000)))
	}
	if !errors.Is(err, kv.ErrFull) {
		return fmt.Errorf("batch %d: %w, want %w", applied, err, kv.ErrFull)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
		return err
	}
	if _, err := get(store, fmt.Sprint(applied-1)); !errors.Is(err, kv.ErrNotFound) {
		return fmt.Errorf("the refused batch: %w, want %w", err, kv.ErrNotFound)
	}
	if err := leader.Apply(context.Background(), put("room", []byte("again"))); err != nil {
		return fmt.Errorf("once there is room: %w", err)
	}
	return store.Close()
}

func TestFileThatMayNotGrow(t *testing.T) {
	where := t.TempDir()
	if err := child(t, "limit", filepath.Join(where, "books")).Run(); err != nil {
		t.Fatalf("the process with the limit: %v", err)
	}
	if got, err := get(openBooks(t, where), "room"); got != "again" || err != nil {
		t.Errorf("afterwards: %q, %v", got, err)
	}
}

// writeForEver applies batches of two keys and prints the number of each that was acknowledged.
func writeForEver(path string) error {
	store, err := Open(path, Options{Timeout: 10 * time.Second})
	if err != nil {
		return err
	}
	leader, err := store.Lead(context.Background())
	if err != nil {
		return err
	}
	next := 0
	if text, err := get(store, "first"); err == nil {
		fmt.Sscan(text, &next)
	}
	for {
		next++
		number := []byte(fmt.Sprint(next))
		batch := put("first", number)
		batch.Put([]byte("last"), number)
		batch.Put(fmt.Appendf(nil, "page %d", next%500), make([]byte, next%3000))
		if err := leader.Apply(context.Background(), batch); err != nil {
			return err
		}
		fmt.Println(next)
	}
}

// TestKilledAtAnyMomentKeepsWhatItAcknowledged: 200 times with REELKIOSK_LONG=1, otherwise a tenth.
func TestKilledAtAnyMomentKeepsWhatItAcknowledged(t *testing.T) {
	where, times := t.TempDir(), 20
	if os.Getenv("REELKIOSK_LONG") == "1" {
		times = 200
	}
	for round := range times {
		writer := child(t, "write", filepath.Join(where, "books"))
		said, err := writer.StdoutPipe()
		if err := errors.Join(err, writer.Start()); err != nil {
			t.Fatal(err)
		}
		acknowledged := 0
		lines := bufio.NewScanner(said)
		for lines.Scan() {
			fmt.Sscan(lines.Text(), &acknowledged)
			if acknowledged%(7+round) == 0 {
				writer.Process.Kill()
			}
		}
		writer.Wait()
		store, err := Open(filepath.Join(where, "books"), Options{})
		if err != nil {
			t.Fatalf("opening after %d: %v", acknowledged, err)
		}
		first, err1 := get(store, "first")
		last, err2 := get(store, "last")
		if err := errors.Join(err1, err2, store.Close()); err != nil {
			t.Fatal(err)
		}
		var kept int
		fmt.Sscan(first, &kept)
		if first != last || kept < acknowledged || acknowledged == 0 {
			t.Fatalf("after %d was acknowledged the store has %s and %s", acknowledged, first, last)
		}
	}
}
