package central

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"reelkiosk/store/kv"
	"reelkiosk/store/tournament"
)

// Why a request was not taken, or did not come to an answer. Nothing was done but with errUnknown.
var (
	// errBusy: too many requests wait.
	errBusy = errors.New("too many requests are waiting")
	// errStopping: central is being stopped.
	errStopping = errors.New("central is stopping")
	// errNotWriter: the right to write is lost, or the store is being opened again.
	errNotWriter = errors.New("central may not write at present")
	// errUnknown: the commit failed in a way that leaves it unknown whether it was made.
	errUnknown = errors.New("the disk did not confirm; whether it was done is not known")
	// errInternal: a fault of the program; the log has it.
	errInternal = errors.New("central has a fault")
)

const (
	// mostQueued bounds how many requests may wait for the writer. At the rate of a slow disk (a hundred commits a second,
	// store.md) and full batches they are worked off in a second.
	mostQueued = 1024
	// mostBatched bounds how many requests share a commit unless Options say otherwise, so that the first of them does not
	// wait long.
	mostBatched = 256
	// reopenFirst and reopenMost are the waits between tries to open a failed store again.
	reopenFirst, reopenMost = 100 * time.Millisecond, 5 * time.Second
)

// decision decides one request against the view of the batch so far, at central's time, and writes what it comes to into
// it. An error that is no *tournament.Refusal leaves nothing of it behind.
type decision func(view *kv.Overlay, at time.Time) (any, error)

// task is a request on its way through the writer.
type task struct {
	decide decision
	// unchecked tasks are decided though the clock is suspect: they confirm it.
	unchecked bool
	// committed, if not nil, is called by the writer once the task's batch is on the disk, before anything else is decided.
	committed func()
	// done gets the one result; it has room for it, so that the writer never waits for a caller who went away.
	done chan result
}

type result struct {
	answer any
	err    error
}

func (t *task) answer(answer any, err error) { t.done <- result{answer, err} }

// writer is the one goroutine that changes the books (design decision 2). It takes what is queued, without waiting for
// more, decides it request by request against the newest view with the batch so far laid over it, commits the batch, and
// answers each caller after that.
//
// A commit that was fenced was not made: the callers are told so and this writer tries to become one again. A commit that
// failed otherwise may have been made: the callers are told that it is not known, nothing is answered from the store
// before it was closed, checked and opened again, and whoever asks again with the same key hears what happened.
type writer struct {
	opens func() (kv.Store, error)
	clock *clock
	log   *slog.Logger
	// most is how many requests may share a commit.
	most int

	// applied is called after each commit; it never waits. It is set before the first request is taken.
	applied func()

	queue chan *task
	// quit is closed when the queue is; ended when the last accepted request was answered.
	quit, ended chan struct{}

	// taking guards closed, and keeps the queue open while a request is put into it.
	taking sync.RWMutex
	closed bool

	// mu guards everything that follows. Only the writer's goroutine changes store and leader.
	mu     sync.RWMutex
	store  kv.Store
	leader kv.Leader
	// closedBy is why the store is closed, nil while it is open.
	closedBy error
}

// startWriter becomes the writer of a store and starts the goroutine; stop ends it. At most so many requests share a commit.
func startWriter(ctx context.Context, store kv.Store, opens func() (kv.Store, error), clock *clock, most int, log *slog.Logger) (*writer, error) {
	leader, err := store.Lead(ctx)
	if err != nil {
		return nil, fmt.Errorf("becoming the writer of the books: %w", err)
	}
	w := &writer{
		opens: opens, clock: clock, most: most, log: log, store: store, leader: leader,
		queue: make(chan *task, mostQueued), quit: make(chan struct{}), ended: make(chan struct{}),
	}
	go w.run()
	return w, nil
}

// do has a request decided and waits for its answer. Where ctx ends first the request goes on without its caller.
func (w *writer) do(ctx context.Context, decide decision) (any, error) {
	return w.wait(ctx, &task{decide: decide, done: make(chan result, 1)})
}

func (w *writer) wait(ctx context.Context, t *task) (any, error) {
	if err := w.take(t); err != nil {
		return nil, err
	}
	select {
	case r := <-t.done:
		return r.answer, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// take puts a request into the queue: from here on it will be finished.
func (w *writer) take(t *task) error {
	w.taking.RLock()
	defer w.taking.RUnlock()
	if w.closed {
		return errStopping
	}
	select {
	case w.queue <- t:
		return nil
	default:
		return errBusy
	}
}

// view reads the newest committed revision, whoever writes.
func (w *writer) view(ctx context.Context, read func(kv.Reader) error) error {
	w.mu.RLock()
	defer w.mu.RUnlock()
	if w.store == nil {
		return errNotWriter
	}
	return w.store.View(ctx, read)
}

// why returns why the store could not be opened again, nil where it is open.
func (w *writer) why() error {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return w.closedBy
}

// close takes no more requests. Those that were taken are finished; stop waits for them and releases the store.
func (w *writer) close() {
	w.taking.Lock()
	defer w.taking.Unlock()
	if !w.closed {
		w.closed = true
		close(w.quit)
		close(w.queue)
	}
}

func (w *writer) stop() error {
	w.close()
	<-w.ended
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.release()
}

// release is called with mu held.
func (w *writer) release() error {
	var errs []error
	if w.leader != nil {
		errs = append(errs, w.leader.Resign())
		w.leader = nil
	}
	if w.store != nil {
		errs = append(errs, w.store.Close())
		w.store = nil
	}
	return errors.Join(errs...)
}

func (w *writer) run() {
	defer close(w.ended)
	for first := range w.queue {
		if w.leader == nil {
			w.regain(first)
			continue
		}
		w.work(w.gather(first))
	}
}

// gather takes what is queued at the moment, up to a full batch.
func (w *writer) gather(first *task) []*task {
	tasks := []*task{first}
	for len(tasks) < w.most {
		select {
		case next, open := <-w.queue:
			if !open {
				return tasks
			}
			tasks = append(tasks, next)
		default:
			return tasks
		}
	}
	return tasks
}

// work decides some requests, commits what they came to, and answers them.
func (w *writer) work(tasks []*task) {
	if w.leader == nil {
		answerAll(tasks, errNotWriter)
		return
	}
	results, batch, at, err := w.decideAll(tasks)
	if err != nil {
		w.log.Error("reading the books failed; the store is closed, checked and opened again", "error", err)
		answerAll(tasks, errNotWriter)
		w.reopen()
		return
	}
	if batch.Len() > 0 {
		err = w.leader.Apply(context.Background(), batch)
	}
	switch {
	case err == nil:
		if batch.Len() > 0 {
			w.clock.wrote(at)
			w.news()
		}
		for i, t := range tasks {
			if t.committed != nil && results[i].err == nil {
				t.committed()
			}
			t.answer(results[i].answer, results[i].err)
		}
	case errors.Is(err, kv.ErrLimit) && len(tasks) > 1:
		w.work(tasks[:len(tasks)/2])
		w.work(tasks[len(tasks)/2:])
	case errors.Is(err, kv.ErrLimit), errors.Is(err, kv.ErrFull):
		w.log.Error("nothing was written", "error", err)
		answerAll(tasks, err)
	case errors.Is(err, kv.ErrFenced):
		w.log.Error("deposed as the writer; nothing was written", "error", err)
		answerAll(tasks, errNotWriter)
		w.reopen()
	default:
		w.log.Error("a commit failed; the store is closed, checked and opened again", "error", err)
		answerAll(tasks, errUnknown)
		w.reopen()
	}
}

// decideAll decides requests one after another on one view and returns the batch that they add up to.
func (w *writer) decideAll(tasks []*task) (results []result, batch *kv.Batch, at time.Time, err error) {
	at, suspect := w.clock.check()
	results = make([]result, len(tasks))
	err = w.store.View(context.Background(), func(view kv.Reader) error {
		overlay := kv.NewOverlay(view)
		for i, t := range tasks {
			if suspect != nil && !t.unchecked {
				results[i] = result{err: suspect}
				continue
			}
			results[i] = w.decide(overlay, t, at)
		}
		batch = overlay.Batch()
		return nil
	})
	return results, batch, at, err
}

// decide decides one request. What it wrote stays in the overlay if it was decided, be it refused, and only then.
func (w *writer) decide(overlay *kv.Overlay, t *task, at time.Time) (r result) {
	trial := overlay.Nest()
	defer func() {
		if cause := recover(); cause != nil {
			w.log.Error("a request made the program panic; nothing of it was written", "panic", cause, "stack", string(debug.Stack()))
			r = result{err: errInternal}
		}
	}()
	answer, err := t.decide(trial, at)
	if _, refused := errors.AsType[*tournament.Refusal](err); err == nil || refused {
		trial.Keep()
	}
	return result{answer, err}
}

func answerAll(tasks []*task, err error) {
	for _, t := range tasks {
		t.answer(nil, err)
	}
}

// reopen gives up the store, tries to open it again at once and, where that fails, leaves it to regain.
func (w *writer) reopen() {
	w.mu.Lock()
	if err := w.release(); err != nil {
		w.log.Warn("closing the failed store", "error", err)
	}
	w.mu.Unlock()
	w.tryOpen()
}

// regain answers requests with errNotWriter until the store could be opened again, or there are no more requests.
func (w *writer) regain(first *task) {
	first.answer(nil, errNotWriter)
	for wait := reopenFirst; w.leader == nil; wait = min(2*wait, reopenMost) {
		timer := time.NewTimer(wait)
		for waiting := true; waiting; {
			select {
			case t, open := <-w.queue:
				if !open {
					timer.Stop()
					return
				}
				t.answer(nil, errNotWriter)
			case <-timer.C:
				waiting = false
			}
		}
		w.tryOpen()
	}
}

// tryOpen opens the store, which checks it, and becomes its writer.
func (w *writer) tryOpen() {
	store, err := w.opens()
	if err != nil {
		w.log.Error("opening the store again", "error", err)
		w.mu.Lock()
		defer w.mu.Unlock()
		w.closedBy = err
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), reopenMost)
	defer cancel()
	leader, err := store.Lead(ctx)
	if err != nil {
		w.log.Error("becoming the writer again", "error", errors.Join(err, store.Close()))
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.store, w.leader, w.closedBy = store, leader, nil
	w.news()
	w.log.Info("writing again")
}
