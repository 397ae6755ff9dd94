package bolt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"reelkiosk/store/kv"
)

// sound returns the bytes of a store with two thousand keys on three levels of pages, without the room to grow at its end.
func sound(t *testing.T) []byte {
	t.Helper()
	store := openBooks(t, t.TempDir())
	leader := lead(t, store)
	for i := range 20 {
		batch := &kv.Batch{}
		for j := range 100 {
			batch.Put(fmt.Appendf(nil, "key %d of %d", j, i), bytes.Repeat([]byte{byte(j)}, 200))
		}
		if err := leader.Apply(t.Context(), batch); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(store.Path())
	if err != nil {
		t.Fatal(err)
	}
	used := len(bytes.TrimRight(file, "\x00"))
	return file[:(used+4095)/4096*4096]
}

// written writes a store's bytes into a file of its own.
func written(t *testing.T, file []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "books")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestDamagedFileIsRefusedAndLeft: an empty one too, which bbolt would take for a new one.
func TestDamagedFileIsRefusedAndLeft(t *testing.T) {
	file := sound(t)
	other := filepath.Join(t.TempDir(), "other")
	db, err := bbolt.Open(other, 0o600, nil)
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	foreign, err := os.ReadFile(other)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		situation string
		file      []byte
		says      string
	}{
		{"empty", nil, "cut off: 0 bytes"},
		{"cut within the first pages", file[:10_000], "cut off: 10000 bytes"},
		{"cut in the middle", file[:len(file)/8192*4096], ""},
		{"cut in the middle of a page", file[:len(file)/8192*4096+100], ""},
		{"both first pages gone", append(make([]byte, 8192), file[8192:]...), "invalid database"},
		{"all zeros", make([]byte, len(file)), "invalid database"},
		{"all ones", bytes.Repeat([]byte{0xff}, len(file)), "invalid database"},
		{"text", bytes.Repeat([]byte("first = 2028-06-05\n"), 2000), "invalid database"},
		{"another program's", foreign, "is it a file of another program?"},
	} {
		path := written(t, c.file)
		_, err := Open(path, Options{})
		if !errors.Is(err, kv.ErrDamaged) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %v, the file and %q", c.situation, err, kv.ErrDamaged, c.says)
		}
		if left, err := os.ReadFile(path); err != nil || !bytes.Equal(left, c.file) {
			t.Errorf("%s: the file was changed, or %v", c.situation, err)
		}
	}
	if _, err := Open(t.TempDir(), Options{}); !errors.Is(err, kv.ErrDamaged) {
		t.Errorf("a folder: %v, want %v", err, kv.ErrDamaged)
	}
}

// TestDamagedFileNeverEndsTheProgram (bbolt#701): whatever is flipped, opening, reading and writing end with an answer or an
// error. Had one of them ended the program, this test would have ended with it. A flipped bit in a value, or on a page
// that is free, is not noticed by bbolt, which has no checksums there; nor is a key out of order, which a walk comes upon and
// a search does not find.
func TestDamagedFileNeverEndsTheProgram(t *testing.T) {
	file := sound(t)
	times := 40
	if os.Getenv("REELKIOSK_LONG") == "1" {
		times = 400
	}
	seed := uint64(time.Now().UnixNano())
	if given, err := strconv.ParseUint(os.Getenv("REELKIOSK_SEED"), 10, 64); err == nil {
		seed = given
	}
	random := rand.New(rand.NewPCG(seed, 0))
	refused := 0
	for range times {
		damaged := bytes.Clone(file)
		page := random.IntN(len(file)/4096) * 4096
		switch random.IntN(3) {
		case 0: // the header of a page: its number, kind, count and overflow
			damaged[page+random.IntN(16)] ^= 1 << random.IntN(8)
		case 1: // the places of a page's first keys and values
			damaged[page+16+random.IntN(64)] ^= 0xff
		case 2: // a page that the disk wrote somewhere else
			copy(damaged[page:page+4096], file[random.IntN(len(file)/4096)*4096:])
		}
		err := use(written(t, damaged))
		if errors.Is(err, kv.ErrDamaged) {
			refused++
		} else if err != nil && !errors.Is(err, kv.ErrNotFound) {
			t.Errorf("REELKIOSK_SEED=%d: %v, want %v or nothing", seed, err, kv.ErrDamaged)
		}
	}
	if refused == 0 {
		t.Errorf("REELKIOSK_SEED=%d: of %d damaged files none was refused", seed, times)
	}
}

// use opens a store, reads all of it, and writes.
func use(path string) error {
	store, err := Open(path, Options{})
	if err != nil {
		return err
	}
	err = readAll(store)
	leader, leadErr := store.Lead(context.Background())
	if leadErr == nil {
		leadErr = leader.Apply(context.Background(), put("key 50 of 10", make([]byte, 5000)))
	}
	return errors.Join(err, leadErr, store.Close())
}

func readAll(store *Store) error {
	return store.View(context.Background(), func(reader kv.Reader) error {
		walk, failed := reader.Range(nil, nil)
		for key := range walk {
			if _, err := reader.Get(key); err != nil {
				return err
			}
		}
		return failed()
	})
}

// TestFileCutWhileOpenIsAnError: mapped memory without a file behind it ends a process by SIGBUS, unless somebody looks out.
func TestFileCutWhileOpenIsAnError(t *testing.T) {
	store, err := Open(written(t, sound(t)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := readAll(store); err != nil {
		t.Fatalf("before: %v", err)
	}
	if err := os.Truncate(store.Path(), 4*4096); err != nil {
		t.Fatal(err)
	}
	if err := readAll(store); !errors.Is(err, kv.ErrDamaged) {
		t.Errorf("reading: %v, want %v", err, kv.ErrDamaged)
	}
	if _, err := get(store, "key 50 of 10"); !errors.Is(err, kv.ErrDamaged) {
		t.Errorf("getting: %v, want %v", err, kv.ErrDamaged)
	}
	if _, err := store.Lead(t.Context()); !errors.Is(err, kv.ErrDamaged) {
		t.Errorf("becoming the writer: %v, want %v", err, kv.ErrDamaged)
	}
	if err := store.Close(); err != nil && !errors.Is(err, kv.ErrFailed) {
		t.Errorf("closing: %v", err)
	}
}

// TestSoundFileIsCalledDamagedAfterASignalToItsCheck: Ctrl-C, a stop of the service or the kernel short of memory end the
// child that checks, and say nothing of the file.
func TestSoundFileIsCalledDamagedAfterASignalToItsCheck(t *testing.T) {
	file := sound(t)
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGKILL} {
		t.Run(signal.String(), func(t *testing.T) {
			path := written(t, file)
			children := 0
			checking = func(child *os.Process) {
				if children++; children <= 2 {
					signals(t, child, signal)
				}
			}
			t.Cleanup(func() { checking = func(*os.Process) {} })
			store, err := Open(path, Options{})
			for tries := 0; err == nil && tries < 100; tries++ { // a check may come to its verdict before the signal does
				children = 0
				if err := store.Close(); err != nil {
					t.Fatal(err)
				}
				store, err = Open(path, Options{})
			}
			if !errors.Is(err, kv.ErrUnchecked) || errors.Is(err, kv.ErrDamaged) || children != 2 {
				t.Fatalf("both checks ended: %v after %d checks, want %v", err, children, kv.ErrUnchecked)
			}
			children = 1
			store, err = Open(path, Options{})
			if err != nil {
				t.Fatalf("the second check was left alone: %v", err)
			}
			if err := store.Close(); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// signals sends a child the signal, which it may not hear where it has come to its verdict.
func signals(t *testing.T, child *os.Process, signal syscall.Signal) {
	group, err := syscall.Getpgid(child.Pid)
	if err != nil || group == syscall.Getpgrp() {
		t.Errorf("the child is in the group %d, %v: a signal to this program's group is for it too", group, err)
	}
	if err := child.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Error(err)
	}
}

func TestCheckThatTakesTooLongSaysNothingOfTheFile(t *testing.T) {
	path := written(t, sound(t))
	checking = func(child *os.Process) {
		if err := child.Signal(syscall.SIGSTOP); err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(func() { checking = func(*os.Process) {} })
	if err := checkOnce(path, time.Second, 100*time.Millisecond); !errors.Is(err, kv.ErrUnchecked) {
		t.Errorf("got %v, want %v", err, kv.ErrUnchecked)
	}
}

func TestHowACheckEnds(t *testing.T) {
	for _, c := range []struct {
		name string
		how  syscall.WaitStatus
		said string
		fell bool
	}{
		{"bad address, no handler", syscall.WaitStatus(syscall.SIGSEGV), "", true},
		{"file cut short, no handler", syscall.WaitStatus(syscall.SIGBUS), "", true},
		{"killed", syscall.WaitStatus(syscall.SIGKILL), "", false},
		{"bad address", 2 << 8, "unexpected fault address 0x7f\nfatal error: fault\n[signal SIGSEGV: segmentation violation]", true},
		{"file cut short", 2 << 8, "fatal error: fault\n[signal SIGBUS: bus error code=0x2]", true},
		{"a panic", 2 << 8, "panic: page 7: assertion failed\n", true},
		{"circles", 2 << 8, "runtime: goroutine stack exceeds 67108864-byte limit\nfatal error: stack overflow\n", true},
		{"no memory", 2 << 8, "fatal error: runtime: out of memory\n", false},
		{"asked for a trace", 2 << 8, "SIGQUIT: quit\nPC=0x4\n", false},
	} {
		if got := fell(c.how, []byte(c.said)); got != c.fell {
			t.Errorf("%s: fell over the file: %v", c.name, got)
		}
	}
}
