package replica

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"reelkiosk/store/client"
	"reelkiosk/store/kv"
	"reelkiosk/store/ledger"
	"reelkiosk/store/vault"
	"reelkiosk/store/wire"
)

// keepVariable turns the test's binary into a process that keeps a copy: "FOLDER URL".
const keepVariable = "REELKIOSK_TEST_KEEP"

// hallKeys are the keys of a hall's central.
var hallKeys = vault.Keys{Lookup: sha256.Sum256([]byte("lookup")), Data: sha256.Sum256([]byte("data"))}

// keepMain keeps a copy until it is killed, and says when it has heard all.
func keepMain(order string) {
	folder, url, _ := strings.Cut(order, " ")
	way, err := client.New(url, client.Options{})
	if err != nil {
		panic(err)
	}
	mirror := NewMirror(folder, func() time.Duration { return 0 }, slog.New(slog.NewTextHandler(os.Stdout, nil)))
	mirror.Keep(context.Background(), way, Keeping{
		Keys:  func(context.Context) (vault.Keys, uint32, error) { return vault.New(hallKeys).Floor(1), 1, nil },
		Heard: func(head wire.FeedHead) { fmt.Println("heard", head.Sequence) },
	})
}

// TestACopyWhoseProcessIsKilledGoesOn kills a kiosk's process at random moments of filling and following, while central's
// books grow. Whatever is on the disk then must be a copy of the books as they were at some moment, never a damaged one.
func TestACopyWhoseProcessIsKilledGoesOn(t *testing.T) {
	h := newHall(t)
	rounds := 25
	if os.Getenv("REELKIOSK_LONG") == "1" {
		rounds = 300
	}
	for number := range 30 {
		h.sell(number)
	}
	for round := range rounds {
		if round%5 == 0 { // and begin anew now and then
			h.must(os.RemoveAll(filepath.Join(h.folder, MirrorFile)))
		}
		said := h.killed(time.Duration(rand.IntN(250)) * time.Millisecond)
		if strings.Contains(said, "damaged") || strings.Contains(said, "panic") {
			t.Fatalf("round %d:\n%s", round, said)
		}
		h.consistent()
		h.sell(round % 30)
	}
	h.copy().upToDate()
	h.knows(0, 1+(rounds+29)/30)
	h.sameAsAnother()
	if left, _ := filepath.Glob(filepath.Join(h.folder, "*.new-*")); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}

// killed runs a process that keeps the copy, and kills it after a while in which central sells on.
func (h *hall) killed(after time.Duration) string {
	h.Helper()
	child := exec.Command("/proc/self/exe")
	child.Env = append(os.Environ(), keepVariable+"="+h.folder+" "+h.server.URL)
	out, err := child.StdoutPipe()
	h.must(err)
	h.must(child.Start())
	timer := time.AfterFunc(after, func() { child.Process.Kill() })
	defer timer.Stop()
	var said strings.Builder
	for lines := bufio.NewScanner(out); lines.Scan(); {
		said.WriteString(lines.Text() + "\n")
	}
	var ended *exec.ExitError
	if err := child.Wait(); !errors.As(err, &ended) {
		h.Fatalf("it ended by itself: %v\n%s", err, said.String())
	}
	return said.String()
}

// consistent checks that what lies there is a copy of central's books at some moment: an event's number and all that
// belongs to it.
func (h *hall) consistent() {
	h.Helper()
	mirror, err := OpenMirror(h.folder, func() time.Duration { return 0 }, slog.New(slog.DiscardHandler))
	h.must(err)
	defer mirror.Close()
	mirror.Unlock(vault.New(hallKeys).Floor(1), 1)
	if mirror.empty() || mirror.books == nil {
		return // not filled yet
	}
	err = mirror.View(h.Context(), func(books *ledger.Books, view kv.Reader) error {
		sequence, _, err := ledger.Last(view)
		if err != nil || sequence == 0 {
			return fmt.Errorf("at event %d: %w", sequence, err)
		}
		_, err = books.Entries(view, "", 10_000, time.Now())
		return err
	})
	h.must(err)
}

// sameAsAnother checks that the copy, after all that happened to it, is what a kiosk gets that begins now.
func (h *hall) sameAsAnother() {
	h.Helper()
	h.leave()
	survivor := h.folder
	h.folder = h.TempDir()
	h.copy().upToDate()
	h.leave()
	open := func(folder string) *Mirror {
		mirror, err := OpenMirror(folder, func() time.Duration { return 0 }, slog.New(slog.DiscardHandler))
		h.must(err)
		h.Cleanup(func() { mirror.Close() })
		mirror.Unlock(vault.New(hallKeys).Floor(1), 1)
		return mirror
	}
	ours, theirs := open(survivor), open(h.folder)
	h.must(ours.View(h.Context(), func(_ *ledger.Books, left kv.Reader) error {
		return theirs.View(h.Context(), func(_ *ledger.Books, right kv.Reader) error { return ledger.Same(left, right) })
	}))
}
