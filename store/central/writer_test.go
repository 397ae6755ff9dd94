package central

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"reelkiosk/store/kv"
	"reelkiosk/store/tournament"
)

// rigWriter starts a writer on a rigged store.
func rigWriter(t *testing.T) (*writer, *rig) {
	t.Helper()
	rig := &rig{path: filepath.Join(t.TempDir(), "books.db")}
	store, err := rig.open()
	if err != nil {
		t.Fatal(err)
	}
	clock := newClock(func() time.Time { return noon }, func() time.Duration { return 0 }, time.UTC, time.Time{}, time.Time{})
	w, err := startWriter(t.Context(), store, rig.open, clock, mostBatched, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.stop(); err != nil {
			t.Error(err)
		}
	})
	return w, rig
}

// puts decides to write a key.
func puts(key string) decision {
	return func(view *kv.Overlay, _ time.Time) (any, error) {
		view.Put([]byte(key), []byte("x"))
		return key, nil
	}
}

func (w *writer) has(t *testing.T, key string) bool {
	t.Helper()
	found := false
	err := w.view(context.Background(), func(view kv.Reader) error {
		_, err := view.Get([]byte(key))
		found = err == nil
		if errors.Is(err, kv.ErrNotFound) {
			return nil
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// queued puts requests into the queue while the writer is held up in a commit of its own.
func queued(t *testing.T, w *writer, rig *rig, tasks ...*task) (release func()) {
	t.Helper()
	release = rig.holdUp()
	blocker := &task{decide: puts("blocker"), done: make(chan result, 1)}
	if err := w.take(blocker); err != nil {
		t.Fatal(err)
	}
	await(t, func() bool { commits, _ := rig.counts(); return commits > 0 })
	for _, task := range tasks {
		if err := w.take(task); err != nil {
			t.Fatal(err)
		}
	}
	return release
}

// await waits for something to become so.
func await(t *testing.T, so func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !so(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("waited in vain")
		}
	}
}

func newTask(decide decision) *task { return &task{decide: decide, done: make(chan result, 1)} }

func TestWhatIsQueuedSharesACommitAndSeesOneAnother(t *testing.T) {
	w, rig := rigWriter(t)
	count := func(view *kv.Overlay, _ time.Time) (any, error) {
		n := 0
		if text, err := view.Get([]byte("n")); err == nil {
			fmt.Sscan(string(text), &n)
		}
		view.Put([]byte("n"), fmt.Append(nil, n+1))
		return n + 1, nil
	}
	refused := func(view *kv.Overlay, _ time.Time) (any, error) {
		view.Put([]byte("case"), []byte("x"))
		return nil, tournament.Refuse(tournament.HeatFull, 11)
	}
	failed := func(view *kv.Overlay, _ time.Time) (any, error) {
		view.Put([]byte("debris"), []byte("x"))
		return nil, errors.New("failed")
	}
	panics := func(view *kv.Overlay, _ time.Time) (any, error) {
		view.Put([]byte("debris"), []byte("x"))
		panic("a mistake")
	}
	var tasks []*task
	for range 20 {
		tasks = append(tasks, newTask(count), newTask(refused), newTask(failed), newTask(panics))
	}
	queued(t, w, rig, tasks...)()
	for i, task := range tasks {
		r := <-task.done
		switch i % 4 {
		case 0:
			if r.err != nil || r.answer != i/4+1 {
				t.Errorf("request %d got %v, %v", i, r.answer, r.err)
			}
		case 1:
			if _, ok := errors.AsType[*tournament.Refusal](r.err); !ok {
				t.Errorf("request %d got %v", i, r.err)
			}
		case 3:
			if !errors.Is(r.err, errInternal) {
				t.Errorf("request %d got %v", i, r.err)
			}
		}
	}
	if commits, _ := rig.counts(); commits != 2 {
		t.Errorf("%d commits, want one for the blocker and one for the rest", commits)
	}
	if w.has(t, "debris") || !w.has(t, "case") {
		t.Error("a failed request left something, or a refused one lost its case")
	}
}

func TestACallerWhoGoesAwayDoesNotStopHisRequest(t *testing.T) {
	w, rig := rigWriter(t)
	release := queued(t, w, rig)
	ctx, cancel := context.WithCancel(t.Context())
	gone := make(chan error)
	go func() {
		_, err := w.do(ctx, puts("mine"))
		gone <- err
	}()
	await(t, func() bool { return len(w.queue) == 1 })
	cancel()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	release()
	await(t, func() bool { return w.has(t, "mine") })
}

func TestAFullQueueRefusesAtOnce(t *testing.T) {
	w, rig := rigWriter(t)
	tasks := make([]*task, mostQueued)
	for i := range tasks {
		tasks[i] = newTask(puts(fmt.Sprint("k", i)))
	}
	release := queued(t, w, rig, tasks...)
	if _, err := w.do(t.Context(), puts("one too many")); !errors.Is(err, errBusy) {
		t.Errorf("got %v", err)
	}
	release()
	for _, task := range tasks {
		if r := <-task.done; r.err != nil {
			t.Fatal(r.err)
		}
	}
	if commits, _ := rig.counts(); commits != 1+mostQueued/mostBatched {
		t.Errorf("%d commits", commits)
	}
}

func TestStoppingFinishesWhatWasAcceptedAndRefusesTheRest(t *testing.T) {
	w, rig := rigWriter(t)
	tasks := []*task{newTask(puts("a")), newTask(puts("b"))}
	release := queued(t, w, rig, tasks...)
	w.close()
	if _, err := w.do(t.Context(), puts("late")); !errors.Is(err, errStopping) {
		t.Errorf("got %v", err)
	}
	var stopped sync.WaitGroup
	stopped.Go(func() {
		if err := w.stop(); err != nil {
			t.Error(err)
		}
	})
	release()
	for _, task := range tasks {
		if r := <-task.done; r.err != nil {
			t.Error(r.err)
		}
	}
	stopped.Wait()
	store, err := rig.open()
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	err = store.View(t.Context(), func(view kv.Reader) error {
		_, errA := view.Get([]byte("a"))
		_, errB := view.Get([]byte("b"))
		return errors.Join(errA, errB)
	})
	if err != nil {
		t.Error("an accepted request was lost: ", err)
	}
}

func TestFailedCommits(t *testing.T) {
	for name, test := range map[string]struct {
		fail    error
		applied bool
		want    error
		reopens int
		stays   bool
	}{
		"fenced: nothing was applied":                  {kv.ErrFenced, false, errNotWriter, 1, false},
		"no room: nothing was applied, and it goes on": {kv.ErrFull, false, kv.ErrFull, 0, false},
		"too large alone":                              {kv.ErrLimit, false, kv.ErrLimit, 0, false},
		"a failed sync, and it is not on the disk":     {errSync, false, errUnknown, 1, false},
		"a failed sync, and it is on the disk":         {errSync, true, errUnknown, 1, true},
	} {
		t.Run(name, func(t *testing.T) {
			w, rig := rigWriter(t)
			rig.failNext(test.fail, test.applied)
			if _, err := w.do(t.Context(), puts("first")); !errors.Is(err, test.want) {
				t.Errorf("got %v, want %v", err, test.want)
			}
			if _, err := w.do(t.Context(), puts("second")); err != nil {
				t.Errorf("afterwards: %v", err)
			}
			if w.has(t, "first") != test.stays || !w.has(t, "second") {
				t.Errorf("first is there: %v", !test.stays)
			}
			if _, opens := rig.counts(); opens != 1+test.reopens {
				t.Errorf("opened %d times", opens)
			}
		})
	}
}

func TestABatchOverTheLimitIsCommittedInParts(t *testing.T) {
	w, rig := rigWriter(t)
	tasks := []*task{newTask(puts("a")), newTask(puts("b")), newTask(puts("c"))}
	release := queued(t, w, rig, tasks...)
	rig.failNext(kv.ErrLimit, false)
	release()
	for _, task := range tasks {
		if r := <-task.done; r.err != nil {
			t.Error(r.err)
		}
	}
	if !w.has(t, "a") || !w.has(t, "b") || !w.has(t, "c") {
		t.Error("a request was lost")
	}
}

func TestAStoreThatCannotBeOpenedAgainAnswersNothingUntilItCan(t *testing.T) {
	w, rig := rigWriter(t)
	rig.set(true)
	rig.failNext(errSync, true)
	if _, err := w.do(t.Context(), puts("first")); !errors.Is(err, errUnknown) {
		t.Fatal(err)
	}
	if _, err := w.do(t.Context(), puts("second")); !errors.Is(err, errNotWriter) {
		t.Errorf("a request: %v", err)
	}
	if err := w.view(t.Context(), func(kv.Reader) error { return nil }); !errors.Is(err, errNotWriter) {
		t.Errorf("a look: %v", err)
	}
	rig.set(false)
	await(t, func() bool {
		_, err := w.do(t.Context(), puts("third"))
		return err == nil
	})
	if !w.has(t, "first") || w.has(t, "second") || !w.has(t, "third") {
		t.Error("the store is not what was committed")
	}
}

func TestStoppingWhileTheStoreCannotBeOpened(t *testing.T) {
	w, rig := rigWriter(t)
	rig.set(true)
	rig.failNext(errSync, false)
	if _, err := w.do(t.Context(), puts("first")); !errors.Is(err, errUnknown) {
		t.Fatal(err)
	}
	if _, err := w.do(t.Context(), puts("second")); !errors.Is(err, errNotWriter) {
		t.Error(err)
	}
}
