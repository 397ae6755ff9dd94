package replica

import (
	"bufio"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	mathrand "math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"reelkiosk/store/kv"
	"reelkiosk/store/ledger"
	"reelkiosk/store/powercut"
	"reelkiosk/store/vault"
	"reelkiosk/store/wire"
)

// machine is a kiosk's machine whose power is cut: its disk, the busy process on it, and what that has said.
type machine struct {
	*hall
	disk    *powercut.Disk
	process *exec.Cmd
	reading sync.WaitGroup

	// mu guards what follows.
	mu   sync.Mutex
	said []string
}

// machine switches a machine on that has an empty disk.
func (h *hall) machine(seed uint64) *machine {
	h.Helper()
	disk, err := powercut.Open(h.TempDir(), 24<<20)
	h.must(err)
	m := &machine{hall: h, disk: disk, process: exec.Command("/proc/self/exe")}
	m.process.Env = append(os.Environ(), fmt.Sprintf("%s=%s %s %d", busyVariable, disk.Folder(), h.server.URL, seed))
	out, err := m.process.StdoutPipe()
	h.must(err)
	h.must(m.process.Start())
	m.reading.Go(func() {
		for lines := bufio.NewScanner(out); lines.Scan(); {
			m.mu.Lock()
			m.said = append(m.said, lines.Text())
			m.mu.Unlock()
		}
	})
	return m
}

func (m *machine) off() {
	m.process.Process.Kill()
	m.reading.Wait()
	m.process.Wait() // it says that it was killed
	m.must(m.disk.Close())
}

// heard returns how many lines the process has said.
func (m *machine) heard() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.said)
}

// await waits until the process has acknowledged so many changes.
func (m *machine) await(changes int) {
	m.Helper()
	for deadline := time.Now().Add(20 * time.Second); m.count(saidHolds) < changes; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			m.Fatalf("the process says nothing any more; last: %q", m.last(""))
		}
	}
}

// count returns how many lines of a kind the process has said.
func (m *machine) count(kind string) (count int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, line := range m.said {
		if strings.HasPrefix(line, kind) {
			count++
		}
	}
	return count
}

// last returns the last line of a kind.
func (m *machine) last(kind string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, line := range slices.Backward(m.said) {
		if rest, is := strings.CutPrefix(line, kind); is {
			return rest
		}
	}
	return ""
}

// stop and goes hold the process and let it go on: it must not fill its disk while a cut is looked at.
func (m *machine) stop() { m.must(m.process.Process.Signal(syscall.SIGSTOP)) }
func (m *machine) goes() { m.must(m.process.Process.Signal(syscall.SIGCONT)) }

// cut cuts the power and returns what is wrong with what is left: something acknowledged is lost, or what was one change is
// half there.
func (m *machine) cut(random *mathrand.Rand) (way string, wrong error) {
	promised, position := m.heard(), m.last(saidCopy)
	cut := m.disk.Cut(random)
	if m.count(saidHolds) > 0 {
		m.await(m.count(saidHolds) + 2) // what was on its way to the disk is said by then
	}
	if line := m.last(saidWrong); line != "" {
		m.Fatal("the busy process: ", line)
	}
	m.stop()
	defer m.goes()
	return cut.Way, cut.Look(func(folder string) error {
		return errors.Join(m.ownFile(folder, promised), m.copyOf(folder, position))
	})
}

// ownFile checks the Replica's file against what was said, of which so many lines were said before the cut.
func (m *machine) ownFile(folder string, promised int) error {
	path := filepath.Join(folder, ownFile)
	if promised == 0 {
		_, err := os.Stat(path)
		if errors.Is(err, os.ErrNotExist) {
			return nil // it was never said to be there
		}
	}
	file, err := Open(path, rand.Reader)
	if err != nil {
		return err
	}
	defer file.Close()
	alone, err := OpenAlone(file, NewMirror(folder, sinceStart(), quiet()), "kiosk-1", AloneClock{}, rand.Reader)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	// The last that was promised, or anything after it.
	from := promised
	for from > 0 {
		from--
		if strings.HasPrefix(m.said[from], saidHolds) {
			break
		}
	}
	if len(m.said) == 0 || !strings.HasPrefix(m.said[from], saidHolds) {
		return nil // nothing but an open file was promised
	}
	if !slices.Contains(m.said[from:], saidHolds+holdings(file, alone)) {
		return fmt.Errorf("the kiosk's own file is not what it was after any change from the last acknowledged one on: %d requests, last %d",
			len(file.Requests()), file.last)
	}
	_, err = file.Ask(wire.PathNotices, wire.Notice{Kind: wire.HelpCalled})
	return err
}

// copyOf checks that the copy of the books is whole, and not behind what was said of it.
func (m *machine) copyOf(folder, position string) error {
	mirror, err := OpenMirror(folder, sinceStart(), quiet())
	if err != nil {
		return err
	}
	defer mirror.Close()
	if _, err := os.Stat(filepath.Join(folder, MirrorFile+".damaged")); err == nil {
		return errors.New("the copy of the books was put aside as damaged")
	}
	mirror.Unlock(vault.New(hallKeys).Floor(1), 1)
	err = mirror.View(m.Context(), func(books *ledger.Books, view kv.Reader) error {
		last, _, err := ledger.Last(view)
		if known, _ := strconv.ParseUint(position, 10, 64); err == nil && last < known {
			err = fmt.Errorf("the copy is at event %d, and was said to be at %d", last, known)
		}
		if err == nil {
			_, err = books.Entries(view, "", 10_000, time.Now())
		}
		return err
	})
	if position == "" && (errors.Is(err, ErrNoMirror) || errors.Is(err, ErrLocked)) {
		return nil // not filled yet
	}
	return err
}

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

// cuts are how many power cuts: the stated number where REELKIOSK_LONG=1 asks for it, otherwise a tenth.
func cuts(stated int) int {
	if os.Getenv("REELKIOSK_LONG") == "1" {
		return stated
	}
	return stated / 10
}

func givenSeed(t *testing.T) uint64 {
	t.Helper()
	seed := mathrand.Uint64()
	if given := os.Getenv("REELKIOSK_SEED"); given != "" {
		var err error
		if seed, err = strconv.ParseUint(given, 10, 64); err != nil {
			t.Fatal("REELKIOSK_SEED: ", err)
		}
	}
	t.Logf("REELKIOSK_SEED=%d", seed)
	return seed
}

// perMachine is how often the power of one machine is cut before another begins with an empty disk.
const perMachine = 25

// TestNothingThatTheKioskPromisedIsLostInAPowerCut cuts the power 1,000 times under a kiosk's own file and its copy of the
// books, which a process changes as fast as it can. Each time both open; the file is exactly what it was after some change
// that is not before the last acknowledged one; the copy is central's books at a moment that is not before what was known.
func TestNothingThatTheKioskPromisedIsLostInAPowerCut(t *testing.T) {
	if !powercut.Apart(t) {
		return
	}
	seed := givenSeed(t)
	random := mathrand.New(mathrand.NewPCG(seed, 0))
	ways, changes, gifts := map[string]int{}, 0, 0
	for left := cuts(1000); left > 0; left -= perMachine {
		h := newHall(t) // it grants nothing more to a kiosk that has lost its disk
		h.lists("kiosk-1")
		for number := range 30 {
			h.sell(number)
		}
		m := h.machine(random.Uint64())
		for range min(left, perMachine) {
			time.Sleep(time.Duration(random.IntN(40)) * time.Millisecond) // the moment of the cut is what is tested
			way, wrong := m.cut(random)
			ways[way]++
			if wrong != nil {
				t.Errorf("a cut that left %s, after %d lines: %v", way, m.heard(), wrong)
			}
			h.sell(random.IntN(30))
		}
		changes, gifts = changes+m.count(saidHolds), gifts+m.count(saidGave)
		m.off()
	}
	t.Logf("%d changes, %d seats given alone, cuts: %v", changes, gifts, ways)
	if changes < cuts(1000) || gifts == 0 {
		t.Error("hardly anything was changed: this tests nothing")
	}
}

// TestADiskThatLiesLosesWhatTheKioskPromised is the control: the same on a disk that forgets what it said is safe must be
// found out.
func TestADiskThatLiesLosesWhatTheKioskPromised(t *testing.T) {
	if !powercut.Apart(t) {
		return
	}
	random := mathrand.New(mathrand.NewPCG(givenSeed(t), 0))
	h := newHall(t)
	h.lists("kiosk-1")
	h.sell(1)
	m := h.machine(random.Uint64())
	defer m.off()
	m.await(100)
	m.disk.Lie()
	m.await(m.count(saidHolds) + 20)
	found := map[string]int{}
	for range perMachine {
		way, wrong := m.cut(random)
		if wrong != nil {
			found[way]++
		}
	}
	t.Logf("found out: %v", found)
	if len(found) < 2 {
		t.Error("nothing was found wrong with a disk that lies")
	}
}
