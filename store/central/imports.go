package central

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"reelkiosk/store/kv"
	"reelkiosk/store/ledger"
	"reelkiosk/store/wire"
)

const (
	// importIdle is how long an import may stand still before it is dropped, and how long the answer to its commit is kept.
	importIdle = 10 * time.Minute
	// mostImports bounds how many imports are under way.
	mostImports = 16
)

// imports are the imports under way. They live outside the books and end with the process: whatever was cut off is sent
// again from its beginning.
type imports struct {
	folder string

	// mu guards everything that follows.
	mu   sync.Mutex
	open map[string]*importing
}

// importing is one import.
type importing struct {
	wire.Import
	id   string
	idle *time.Timer

	// mu guards everything that follows; it is held while a step is taken.
	mu     sync.Mutex
	staged *staging // nil once committed or dropped
	rows   int
	last   int // rows of the last chunk, which may come again
	faulty bool
	done   *wire.ImportDone
}

func openImports(folder string) (*imports, error) {
	i := &imports{folder: filepath.Join(folder, stagingFolder), open: map[string]*importing{}}
	return i, clearStaging(i.folder)
}

// stop drops every import.
func (i *imports) stop() {
	i.mu.Lock()
	all := i.open
	i.open = map[string]*importing{}
	i.mu.Unlock()
	for _, one := range all {
		one.drop()
	}
}

// begin opens an import.
func (i *imports) begin(opened wire.Import) (*importing, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if len(i.open) >= mostImports {
		return nil, errBusy
	}
	staged, err := newStaging(i.folder)
	if err != nil {
		return nil, noRoom(err)
	}
	one := &importing{Import: opened, id: rand.Text(), staged: staged}
	one.idle = time.AfterFunc(importIdle, func() {
		i.mu.Lock()
		delete(i.open, one.id)
		i.mu.Unlock()
		one.drop()
	})
	i.open[one.id] = one
	return one, nil
}

// find returns an import under way.
func (i *imports) find(id string) (*importing, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	one, found := i.open[id]
	if !found {
		return nil, unknownImport()
	}
	one.idle.Reset(importIdle)
	return one, nil
}

func unknownImport() *wire.Problem {
	return wire.NewProblem(wire.ProblemImport, http.StatusNotFound, "There is no such import; it was cut off or given up. Send the file again")
}

// drop gives the rows up.
func (one *importing) drop() {
	one.idle.Stop()
	one.mu.Lock()
	defer one.mu.Unlock()
	one.unstage()
}

// unstage is called with mu held.
func (one *importing) unstage() {
	if one.staged == nil {
		return
	}
	if err := one.staged.drop(); err != nil {
		slog.Warn("removing staged rows", "error", err) // the next start removes them
	}
	one.staged = nil
}

// add stages rows, unless they are those that were staged last.
func (one *importing) add(rows wire.Rows) error {
	one.mu.Lock()
	defer one.mu.Unlock()
	switch {
	case one.staged == nil:
		return unknownImport()
	case rows.After == one.rows-one.last && rows.Len() == one.last && one.last > 0:
		return nil
	case rows.After != one.rows:
		problem := wire.NewProblem(wire.ProblemInvalid, http.StatusConflict, "Rows are missing or came twice")
		problem.Detail = fmt.Sprintf("%d rows are here, and these say that they come after %d", one.rows, rows.After)
		return problem
	}
	if faults := strayRows(one.Kind, rows); len(faults) > 0 {
		one.faulty = true
		return rowsRefused(faults)
	}
	if err := one.staged.add(rows); err != nil {
		one.unstage()
		return noRoom(err)
	}
	one.rows, one.last = one.rows+rows.Len(), rows.Len()
	return nil
}

// noRoom tells a full disk from other errors of files.
func noRoom(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return fmt.Errorf("%w: %w", kv.ErrFull, err)
	}
	return err
}

// strayRows names rows that are not of the import's kind.
func strayRows(kind wire.ImportKind, rows wire.Rows) []wire.RowProblem {
	var faults []wire.RowProblem
	stray := func(line int) {
		faults = append(faults, wire.RowProblem{Line: line, Reason: "is not of the kind " + string(kind)})
	}
	if kind != wire.ImportMembers {
		for _, row := range rows.Members {
			stray(row.Line)
		}
	}
	if kind != wire.ImportExclusions {
		for _, row := range rows.Exclusions {
			stray(row.Line)
		}
	}
	if kind != wire.ImportPurchases {
		for _, row := range rows.Purchases {
			stray(row.Line)
		}
	}
	return faults
}

// importInput names the import of a step; rowsInput has rows besides.
type importInput struct {
	ID string `path:"id" maxLength:"64"`
}

type rowsInput struct {
	ID   string `path:"id" maxLength:"64"`
	Body wire.Rows
}

func (c *Central) addImports(api huma.API) {
	huma.Register(api, operation(http.MethodPost, wire.PathImports, "open-import", "Open an import"),
		func(_ context.Context, in *input[wire.Import]) (*output[wire.Staged], error) {
			if c.stopping.Load() {
				return nil, refuse(errStopping)
			}
			one, err := c.imports.begin(in.Body)
			if err != nil {
				return nil, refuse(err)
			}
			return reply(wire.Staged{ID: one.id}, nil)
		})
	huma.Register(api, operation(http.MethodPost, wire.PathImports+"/{id}/rows", "send-rows", "Send some rows of an import", http.StatusNotFound, http.StatusConflict),
		func(_ context.Context, in *rowsInput) (*output[wire.Staged], error) {
			one, err := c.imports.find(in.ID)
			if err == nil {
				err = one.add(in.Body)
			}
			if err != nil {
				return nil, refuse(err)
			}
			return reply(wire.Staged{ID: one.id, Rows: in.Body.After + in.Body.Len()}, nil)
		})
	huma.Register(api, operation(http.MethodPost, wire.PathImports+"/{id}/commit", "commit-import", "Make an import take effect, whole or not at all", http.StatusNotFound),
		func(ctx context.Context, in *importInput) (*output[wire.ImportDone], error) {
			one, err := c.imports.find(in.ID)
			if err != nil {
				return nil, refuse(err)
			}
			return reply(c.commit(ctx, one))
		})
	huma.Register(api, operation(http.MethodDelete, wire.PathImports+"/{id}", "drop-import", "Give an import up"),
		func(_ context.Context, in *importInput) (*output[wire.Staged], error) {
			if one, err := c.imports.find(in.ID); err == nil {
				one.drop()
			}
			return reply(wire.Staged{ID: in.ID}, nil)
		})
}

// commit makes an import take effect. A commit whose answer was lost gives the same answer again.
func (c *Central) commit(ctx context.Context, one *importing) (wire.ImportDone, error) {
	one.mu.Lock()
	defer one.mu.Unlock()
	switch {
	case one.done != nil:
		return *one.done, nil
	case one.staged == nil:
		return wire.ImportDone{}, unknownImport()
	case one.faulty:
		return wire.ImportDone{}, rowsRefused([]wire.RowProblem{{Reason: "rows that were sent before are faulty"}})
	}
	// A caller who goes away does not stop it: it may have been committed by then.
	ctx = context.WithoutCancel(ctx)
	var done wire.ImportDone
	var err error
	if one.Kind == wire.ImportExclusions {
		done, err = c.commitExclusions(ctx, one)
	} else {
		done, err = c.commitRows(ctx, one)
	}
	if err != nil {
		return done, err
	}
	one.done = &done
	one.unstage()
	return done, nil
}

// commitRows takes rows into the books, all in one batch. It tries them on a view of its own first, so that a file with
// faulty lines does not hold up the writer.
func (c *Central) commitRows(ctx context.Context, one *importing) (wire.ImportDone, error) {
	now, err := c.clock.check()
	if err != nil {
		return wire.ImportDone{}, err
	}
	err = c.writer.view(ctx, func(view kv.Reader) error {
		_, err := c.enterRows(kv.NewOverlay(view), now, one)
		return err
	})
	if err != nil {
		return wire.ImportDone{}, err
	}
	done, err := c.writer.do(ctx, func(view *kv.Overlay, at time.Time) (any, error) { return c.enterRows(view, at, one) })
	if err != nil {
		return wire.ImportDone{}, err
	}
	return done.(wire.ImportDone), nil
}

// enterRows lays an import's rows over a view. All faulty rows are in the *ledger.RowsError.
func (c *Central) enterRows(view *kv.Overlay, at time.Time, one *importing) (wire.ImportDone, error) {
	var sum wire.ImportDone
	var faults []wire.RowProblem
	err := one.staged.each(func(rows wire.Rows) error {
		done, err := c.enterChunk(view, at, one.Operator, rows)
		var refused *ledger.RowsError
		if errors.As(err, &refused) {
			faults = append(faults, refused.Problems...)
			return nil
		}
		sum.Added += done.Added
		sum.Changed += done.Changed
		sum.Unchanged += done.Unchanged
		return err
	})
	if err == nil && len(faults) > 0 {
		slices.SortStableFunc(faults, func(a, b wire.RowProblem) int { return a.Line - b.Line })
		err = &ledger.RowsError{Problems: faults}
	}
	return sum, err
}

func (c *Central) enterChunk(view *kv.Overlay, at time.Time, operator string, rows wire.Rows) (wire.ImportDone, error) {
	request := ledger.Request{At: at, Who: operator, Where: "import", Random: c.options.Random}
	switch {
	case len(rows.Members) > 0:
		request.Act = ledger.ImportMembers{Rows: rows.Members}
	case len(rows.Purchases) > 0:
		request.Act = ledger.ImportPurchases{Rows: rows.Purchases}
	case len(rows.Exclusions) > 0:
		request.Act = ledger.ImportExclusions{Rows: rows.Exclusions}
	default:
		return wire.ImportDone{}, nil
	}
	answer, err := c.books.Apply(view, request)
	if err != nil {
		return wire.ImportDone{}, err
	}
	return ledger.As[wire.ImportDone](answer)
}
