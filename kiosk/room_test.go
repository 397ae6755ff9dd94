package kiosk

import (
	"context"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"reelkiosk/devices/printer"
	"reelkiosk/kiosk/visit"
	"reelkiosk/store/condition"
	"reelkiosk/store/tournament"
)

// byItself reports whether the test runs in a process of its own, and otherwise runs it in one: a full disk is one for all
// that a process writes, the test's own log too.
func byItself(t *testing.T) bool {
	t.Helper()
	const mark = "REELKIOSK_TEST_BY_ITSELF"
	if os.Getenv(mark) != "" {
		return true
	}
	child := exec.CommandContext(t.Context(), "/proc/self/exe", "-test.run=^"+t.Name()+"$")
	child.Env = append(os.Environ(), mark+"=1")
	if said, err := child.CombinedOutput(); err != nil {
		t.Errorf("%v:\n%s", err, said)
	}
	return false
}

// fill leaves the process no room on any disk until the function that it returns is called: no file may be written beyond
// its first byte (setrlimit(2), RLIMIT_FSIZE).
func fill(t *testing.T) (empty func()) {
	t.Helper()
	signal.Ignore(syscall.SIGXFSZ)
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
		t.Fatal(err)
	}
	limit := func(most uint64) {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: most, Max: before.Max}); err != nil {
			t.Error(err)
		}
	}
	limit(1)
	empty = func() { limit(min(before.Cur, math.MaxUint64)) }
	t.Cleanup(empty)
	return empty
}

// TestFullDiskNeedsARestart: once there is room, the kiosk goes on by itself (vxsuite#7257).
func TestFullDiskNeedsARestart(t *testing.T) {
	if !byItself(t) {
		return
	}
	h := newHouse(t)
	h.sellThandi(1)
	h.open().offer()
	empty := fill(t)
	h.tap(visit.ButtonTake).trouble(visit.TroubleOutOfService)
	h.tap(visit.ButtonDone)
	h.until("out of service", func(s visit.State) bool {
		return s.Screen == visit.ScreenAttract && s.OutOfOrder == visit.TroubleOutOfService
	})
	h.tellCentral("something happened meanwhile")
	empty()
	h.until("service again", func(s visit.State) bool { return s.OutOfOrder == visit.TroubleNone })
	h.offer()
	h.tap(visit.ButtonTake).on(visit.ScreenDone)
	h.paper()
	h.copies(tournament.CopyPrinted)
	h.settled()
	title := string(condition.DiskFull) + ": " + condition.KindOf(condition.DiskFull).Title
	for _, want := range []string{"something happened meanwhile", title, string(condition.DiskFull) + ": over"} {
		if told := h.told(); !strings.Contains(told, want) {
			t.Errorf("central was not told %q, but %q", want, told)
		}
	}
}

// fillingPrinter prints, and the disk is full when it has.
type fillingPrinter struct {
	*scriptedPrinter
	fill func()
}

// Print implements Printer.
func (p *fillingPrinter) Print(ctx context.Context, job printer.JobID, document printer.Document) printer.Outcome {
	defer p.fill()
	return p.scriptedPrinter.Print(ctx, job, document)
}

func TestPrintThatEndedOnAFullDiskIsLost(t *testing.T) {
	if !byItself(t) {
		return
	}
	h := newHouse(t)
	h.sellThandi(1)
	var empty func()
	press := &fillingPrinter{newScriptedPrinter(printer.Outcome{
		Result: printer.Printed, Status: printer.Status{State: printer.Ready},
	}), func() { empty = fill(t) }}
	h.openWith(press).offer()
	h.tap(visit.ButtonTake).on(visit.ScreenDone)
	h.until("out of service", func(s visit.State) bool { return s.OutOfOrder == visit.TroubleOutOfService })
	empty()
	h.copies(tournament.CopyPrinted)
	h.until("service again", func(s visit.State) bool { return s.OutOfOrder == visit.TroubleNone })
	if left := len(h.replica.Intents()); left != 0 {
		t.Errorf("%d prints are still to be settled", left)
	}
}

// settled waits until nothing waits for central.
func (h *house) settled() {
	h.Helper()
	h.must(h.courier.flush(h.Context()))
}
