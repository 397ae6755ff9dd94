package powercut

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// appendVariable makes this program append lines to a file for ever, and say each once it is synced: "PATH".
const appendVariable = "REELKIOSK_TEST_APPEND"

func TestMain(m *testing.M) {
	if path := os.Getenv(appendVariable); path != "" {
		if err := appendLines(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	goleak.VerifyTestMain(m)
}

func appendLines(path string) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	if err := folder.Sync(); err != nil {
		return err
	}
	for number := 1; ; number++ {
		if _, err := fmt.Fprintf(file, "%08d %s\n", number, strings.Repeat("x", 1500)); err != nil {
			return err
		}
		if err := file.Sync(); err != nil {
			return err
		}
		fmt.Println(number)
	}
}

// appender is a process that appends to a file, and what it has promised.
type appender struct {
	process *exec.Cmd
	reading sync.WaitGroup
	begun   chan struct{}
	said    atomic.Int64
}

// appends starts an appender and waits until it has promised something.
func appends(t *testing.T, path string) *appender {
	t.Helper()
	a := &appender{process: exec.Command("/proc/self/exe"), begun: make(chan struct{})}
	a.process.Env = append(os.Environ(), appendVariable+"="+path)
	a.process.Stderr = os.Stderr
	output, err := a.process.StdoutPipe()
	if err == nil {
		err = a.process.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	a.reading.Go(func() {
		for lines := bufio.NewScanner(output); lines.Scan(); {
			if a.said.Add(1) == 10 {
				close(a.begun)
			}
		}
	})
	<-a.begun
	return a
}

func (a *appender) stop() {
	a.process.Process.Kill()
	a.reading.Wait()
	a.process.Wait() // it says that it was killed
}

// losses cuts the power of a disk that somebody appends to, and returns how many cuts lost lines that were said to be safe.
func losses(t *testing.T, cuts int, lie bool) (lost int) {
	t.Helper()
	disk, err := Open(t.TempDir(), 16<<20)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := disk.Close(); err != nil {
			t.Error(err)
		}
	}()
	appender := appends(t, filepath.Join(disk.Folder(), "lines"))
	defer appender.stop()
	if lie {
		disk.Lie()
	}
	random := rand.New(rand.NewPCG(1, uint64(cuts)))
	for range cuts {
		time.Sleep(time.Duration(random.IntN(20)) * time.Millisecond) // the moment of the cut is what is tested
		promised := int(appender.said.Load())
		cut := disk.Cut(random)
		err := cut.Look(func(folder string) error {
			text, err := os.ReadFile(filepath.Join(folder, "lines"))
			if whole := strings.Count(string(text), "\n"); err == nil && whole < promised {
				err = fmt.Errorf("%d lines are there, %d were promised", whole, promised)
			}
			return err
		})
		if err != nil {
			lost++
			if !lie {
				t.Errorf("cut that left %s: %v", cut.Way, err)
			}
		}
	}
	t.Logf("%d cuts, %d lost something, %d lines, %d flushes", cuts, lost, appender.said.Load(), disk.Flushes())
	return lost
}

func TestASyncedFileOutlivesPowerCuts(t *testing.T) {
	if Apart(t) {
		losses(t, 20, false)
	}
}

// The control: were nothing lost on a disk that lies, nothing would be learnt from one that does not.
func TestADiskThatLiesLosesWhatWasSynced(t *testing.T) {
	if Apart(t) && losses(t, 20, true) == 0 {
		t.Error("nothing was lost")
	}
}

func TestWhatACutLeaves(t *testing.T) {
	disk := newImage(4 * sector)
	put := func(at int64, text byte) {
		if _, errno := disk.Write(t.Context(), nil, []byte(strings.Repeat(string(text), sector)), at*sector); errno != 0 {
			t.Fatal(errno)
		}
	}
	put(0, 'a')
	disk.Fsync(t.Context(), nil, 0)
	put(0, 'b')
	put(1, 'c')
	ways := map[string]map[string]bool{}
	random := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		held, way := disk.cut(random)
		if ways[way] == nil {
			ways[way] = map[string]bool{}
		}
		ways[way][strings.ReplaceAll(string([]byte{held[0], held[sector]}), "\x00", ".")] = true
	}
	for way, want := range map[string]string{
		"what was flushed": "a.", "everything": "bc", "any sectors": "a. ac b. bc", "the first writes": "a. b. bc",
	} {
		for _, held := range strings.Fields(want) {
			if !ways[way][held] {
				t.Errorf("%s never left %q", way, held)
			}
		}
		if len(ways[way]) != len(strings.Fields(want)) {
			t.Errorf("%s left %v, want %s", way, ways[way], want)
		}
	}
	if _, errno := disk.Write(t.Context(), nil, make([]byte, sector), 4*sector); !errors.Is(errno, syscall.ENOSPC) {
		t.Errorf("beyond the end: %v", errno)
	}
}
