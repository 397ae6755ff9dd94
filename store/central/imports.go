package central

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
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
	// mostImports bounds how many imports are under way, and mostEnded how many are kept that have ended, for their answers.
	mostImports = 16
	mostEnded   = 64
	// stepPause is how long an import may do nothing before another may take its place where there are too many.
	stepPause = 20 * time.Second
)

// imports are the imports under way. They live outside the books and end with the process: whatever was cut off is sent
// again from its beginning.
type imports struct {
	folder string
	// ctx ends when central gives up what is not committed yet.
	ctx    context.Context
	cancel context.CancelFunc

	// mu guards everything that follows.
	mu   sync.Mutex
	open map[string]*importing
}

// importing is one import.
type importing struct {
	wire.Import
	id   string
	idle *time.Timer
	// stepped is when its last step began; imports.mu guards it. ended says that nothing of it is staged any more.
	stepped time.Time
	ended   atomic.Bool

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
	i.ctx, i.cancel = context.WithCancel(context.Background())
	return i, clearStaging(i.folder)
}

// stop drops every import; one that is being committed ends before or after its commit.
func (i *imports) stop() {
	i.cancel()
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
	if err := i.makeRoom(); err != nil {
		return nil, err
	}
	staged, err := newStaging(i.folder)
	if err != nil {
		return nil, noRoom(err)
	}
	one := &importing{Import: opened, id: rand.Text(), staged: staged, stepped: time.Now()}
	one.idle = time.AfterFunc(importIdle, func() {
		i.mu.Lock()
		delete(i.open, one.id)
		i.mu.Unlock()
		one.drop()
	})
	i.open[one.id] = one
	return one, nil
}

// makeRoom is called with mu held. Only imports under way count: of too many the one that has stood still longest gives way,
// unless all are at work. Of those that have ended the oldest are forgotten.
func (i *imports) makeRoom() error {
	var live, ended []*importing
	for _, one := range i.open {
		if one.ended.Load() {
			ended = append(ended, one)
		} else {
			live = append(live, one)
		}
	}
	longest := func(list []*importing) *importing {
		return slices.MinFunc(list, func(a, b *importing) int { return a.stepped.Compare(b.stepped) })
	}
	if len(ended) >= mostEnded {
		one := longest(ended)
		one.idle.Stop()
		delete(i.open, one.id)
	}
	if len(live) < mostImports {
		return nil
	}
	one := longest(live)
	// A step that is being taken holds the import's own lock.
	if time.Since(one.stepped) < stepPause || !one.mu.TryLock() {
		return errImports
	}
	defer one.mu.Unlock()
	one.idle.Stop()
	one.unstage()
	delete(i.open, one.id)
	return nil
}

// errImports: too many imports are under way.
var errImports = wire.NewProblem(wire.ProblemBusy, http.StatusServiceUnavailable, "Central is busy with other imports; try again when they have ended")

// find returns an import under way.
func (i *imports) find(id string) (*importing, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	one, found := i.open[id]
	if !found {
		return nil, unknownImport()
	}
	one.idle.Reset(importIdle)
	one.stepped = time.Now()
	return one, nil
}

func unknownImport() *wire.Problem {
	return wire.NewProblem(wire.ProblemImport, http.StatusNotFound, "There is no such import; it was cut off or given up. Send the file again")
}

// forget forgets an import that was given up.
func (i *imports) forget(one *importing) {
	i.mu.Lock()
	defer i.mu.Unlock()
	delete(i.open, one.id)
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
	one.ended.Store(true)
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

// importInput names the import of a step.
type importInput struct {
	ID string `path:"id" maxLength:"64"`
}

// rowsInput has rows besides. They are decoded here and not by the library, which would read them twice more: there may be
// ten million.
type rowsInput struct {
	ID      string `path:"id" maxLength:"64"`
	RawBody []byte `contentType:"application/json"`
}

// rows decodes the body as strictly as the library would.
func (in *rowsInput) rows() (rows wire.Rows, err error) {
	decoder := json.NewDecoder(bytes.NewReader(in.RawBody))
	decoder.DisallowUnknownFields()
	err = decoder.Decode(&rows)
	if err == nil && decoder.More() {
		err = errors.New("something follows the rows")
	}
	if err != nil {
		problem := wire.NewProblem(wire.ProblemInvalid, http.StatusUnprocessableEntity, "The request is malformed")
		problem.Places = []wire.Place{{Where: "body", What: "is no JSON of the shape that is described"}}
		if field, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			problem.Places[0] = wire.Place{Where: "body." + field.Field, What: "is of another type than is described"}
		}
		return rows, problem
	}
	return rows, nil
}

func (c *Central) addImports(api huma.API) {
	huma.Register(api, operation(http.MethodPost, wire.PathImports, "open-import", "Open an import"),
		answering(c, func(_ context.Context, in *input[wire.Import]) (wire.Staged, error) {
			if c.stopping.Load() {
				return wire.Staged{}, errStopping
			}
			one, err := c.imports.begin(in.Body)
			if err != nil {
				return wire.Staged{}, err
			}
			return wire.Staged{ID: one.id}, nil
		}))
	sendRows := operation(http.MethodPost, wire.PathImports+"/{id}/rows", "send-rows", "Send some rows of an import", http.StatusNotFound, http.StatusConflict)
	sendRows.SkipValidateBody = true
	huma.Register(api, sendRows, answering(c, c.sendRows))
	described := api.OpenAPI().Paths[sendRows.Path].Post.RequestBody.Content["application/json"]
	described.Schema = api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[wire.Rows](), true, "Rows")
	huma.Register(api, operation(http.MethodPost, wire.PathImports+"/{id}/commit", "commit-import", "Make an import take effect, whole or not at all", http.StatusNotFound),
		answering(c, func(_ context.Context, in *importInput) (wire.ImportDone, error) {
			one, err := c.imports.find(in.ID)
			if err != nil {
				return wire.ImportDone{}, err
			}
			return c.commit(one)
		}))
	huma.Register(api, operation(http.MethodDelete, wire.PathImports+"/{id}", "drop-import", "Give an import up"),
		answering(c, func(_ context.Context, in *importInput) (wire.Staged, error) {
			if one, err := c.imports.find(in.ID); err == nil {
				one.drop()
				c.imports.forget(one)
			}
			return wire.Staged{ID: in.ID}, nil
		}))
}

// sendRows stages some rows.
func (c *Central) sendRows(_ context.Context, in *rowsInput) (wire.Staged, error) {
	rows, err := in.rows()
	if err != nil {
		return wire.Staged{}, err
	}
	one, err := c.imports.find(in.ID)
	if err == nil {
		err = one.add(rows)
	}
	return wire.Staged{ID: in.ID, Rows: rows.After + rows.Len()}, err
}

// commit makes an import take effect. A commit whose answer was lost gives the same answer again. A caller who goes away
// does not stop it, since it may have been committed by then; the end of central does.
func (c *Central) commit(one *importing) (wire.ImportDone, error) {
	ctx := c.imports.ctx
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

// commitRows takes rows into the books, all in one batch, during which the writer does nothing else (some 10,000 rows a
// second). They are checked on views of their own first, so that a file with faulty lines does not hold it up.
func (c *Central) commitRows(ctx context.Context, one *importing) (wire.ImportDone, error) {
	now, err := c.clock.check()
	if err != nil {
		return wire.ImportDone{}, err
	}
	var faults []wire.RowProblem
	err = one.staged.each(ctx, func(rows wire.Rows) error {
		found, err := read(ctx, c, func(view kv.Reader) ([]wire.RowProblem, error) { return c.books.CheckRows(view, now, rows) })
		faults = append(faults, found...)
		return err
	})
	if err == nil && len(faults) > 0 {
		err = &ledger.RowsError{Problems: faults}
	}
	if err != nil {
		return wire.ImportDone{}, err
	}
	done, err := c.writer.do(ctx, func(view *kv.Overlay, at time.Time) (any, error) { return c.enterRows(ctx, view, at, one) })
	if err != nil {
		return wire.ImportDone{}, err
	}
	return done.(wire.ImportDone), nil
}

// enterRows lays an import's rows over a view. All faulty rows are in the *ledger.RowsError.
func (c *Central) enterRows(ctx context.Context, view *kv.Overlay, at time.Time, one *importing) (wire.ImportDone, error) {
	var sum wire.ImportDone
	var faults []wire.RowProblem
	err := one.staged.each(ctx, func(rows wire.Rows) error {
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
