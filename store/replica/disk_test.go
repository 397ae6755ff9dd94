package replica

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"reelkiosk/store/kv"
	"reelkiosk/store/powercut"
	"reelkiosk/store/wire"
)

// smallDisk mounts a disk of that many bytes, in memory.
func smallDisk(t *testing.T, size int) string {
	t.Helper()
	folder := t.TempDir()
	if err := syscall.Mount("small", folder, "tmpfs", 0, fmt.Sprint("size=", size)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(folder, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return folder
}

// asks makes requests until one is not promised, at most so many, and returns how many were.
func asks(r *Replica, most int) (promised int, err error) {
	for promised < most {
		_, err := r.Ask(wire.PathNotices, wire.Notice{Kind: wire.HelpCalled, Detail: strings.Repeat("x", 2000)})
		if err != nil {
			return promised, err
		}
		promised++
	}
	return promised, nil
}

// A full disk refuses; what was promised is there, and everything goes on once there is room.
func TestAFullDiskPromisesNothingAndForgetsNothing(t *testing.T) {
	if !powercut.Apart(t) {
		return
	}
	folder := smallDisk(t, 2<<20)
	path, ballast := filepath.Join(folder, "kiosk.db"), filepath.Join(folder, "ballast")
	r := open1(t, path)
	if err := os.WriteFile(ballast, make([]byte, 1<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	promised, err := asks(r, 10_000)
	if promised == 0 || !errors.Is(err, kv.ErrFull) {
		t.Fatalf("%d were promised, then %v", promised, err)
	}
	if len(r.Requests()) != promised {
		t.Errorf("%d requests of %d that were promised", len(r.Requests()), promised)
	}
	r = again(t, r, path)
	if len(r.Requests()) != promised {
		t.Errorf("after a start: %d requests of %d that were promised", len(r.Requests()), promised)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	if more, err := asks(r, 10); more != 10 {
		t.Errorf("there is room again: %v", err)
	}
}

// A disk that turns read-only, as ext4 does after an error, promises nothing; its file is not taken for damaged.
func TestADiskThatTurnsReadOnlyPromisesNothing(t *testing.T) {
	if !powercut.Apart(t) {
		return
	}
	folder := smallDisk(t, 8<<20)
	path := filepath.Join(folder, "kiosk.db")
	r := open1(t, path)
	promised, err := asks(r, 20)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("small", folder, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	_, err = Open(path, rand.Reader)
	if !errors.Is(err, syscall.EROFS) || errors.Is(err, kv.ErrDamaged) {
		t.Errorf("on a read-only disk: %v", err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("the file was moved: %v", err)
	}
	if err := syscall.Mount("small", folder, "tmpfs", syscall.MS_REMOUNT, ""); err != nil {
		t.Fatal(err)
	}
	if r := open1(t, path); len(r.Requests()) != promised {
		t.Errorf("%d requests of %d that were promised", len(r.Requests()), promised)
	}
}
