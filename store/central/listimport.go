package central

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"time"

	"reelkiosk/store/durable"
	"reelkiosk/store/exclusion"
	"reelkiosk/store/kv"
	"reelkiosk/store/ledger"
	"reelkiosk/store/wire"
)

// mostEntered is the most exclusions that are entered into the books one by one, each with its own event and what it says.
// Longer files become a list: a file of hashes that is looked up in place, with one event for all, and only those rows
// that concern somebody whom the books know, or say something of a paper that is in the books, are entered as well.
const mostEntered = 10_000

// commitExclusions makes a file of exclusions take effect.
func (c *Central) commitExclusions(ctx context.Context, one *importing) (wire.ImportDone, error) {
	c.lists.importing.Lock()
	defer c.lists.importing.Unlock()
	// While the store is not open, it is not known which list it names.
	if err := c.writer.view(ctx, func(kv.Reader) error { return nil }); err != nil {
		return wire.ImportDone{}, err
	}
	present := c.lists.version()
	if one.rows <= c.mostEntered && present == 0 {
		return c.commitRows(ctx, one)
	}
	done, err := c.replaceList(ctx, one, present)
	if errors.Is(err, errUnknown) {
		// If it was committed, opening the store again puts the list in use: its files must stay.
		return done, err
	}
	return done, errors.Join(err, c.lists.clear())
}

// replaceList builds the list that follows the present one and puts it in use, unless the import says nothing new.
func (c *Central) replaceList(ctx context.Context, one *importing, present uint64) (wire.ImportDone, error) {
	next := listed{present + 1}
	done, err := c.buildRegister(ctx, one, present, next)
	if err != nil || done.Added+done.Changed == 0 {
		return done, err
	}
	list, err := c.buildList(next)
	if err != nil {
		return done, err
	}
	if err := c.flip(ctx, one, next, list, done); err != nil {
		return done, errors.Join(err, list.Close())
	}
	return done, nil
}

// buildRegister merges the register in use with the rows of an import into the next register, and counts what is new.
func (c *Central) buildRegister(ctx context.Context, one *importing, present uint64, next listed) (done wire.ImportDone, err error) {
	rows := paperSort{folder: c.lists.folder}
	defer rows.close()
	var faults []wire.RowProblem
	err = one.staged.each(ctx, func(chunk wire.Rows) error {
		for i := range chunk.Exclusions {
			row := &chunk.Exclusions[i]
			kind, err := exclusion.ParseKind(row.Kind)
			if err != nil {
				faults = append(faults, wire.RowProblem{Line: row.Line, Column: "kind", Reason: "no such kind of exclusion"})
				continue
			}
			if column, reason := ledger.IDNumberProblem(row.IDNumber, row.BirthDate); reason != "" {
				faults = append(faults, wire.RowProblem{Line: row.Line, Column: column, Reason: reason})
				continue
			}
			p := newPaper(c.options.Vault, kind, row)
			if p[paperHead-1] == 0 || row.Reference == "" {
				faults = append(faults, wire.RowProblem{Line: row.Line, Reason: "a reference, and a number, a card or name and birth date are needed"})
				continue
			}
			if err := rows.add(p); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return done, noRoom(err)
	}
	err = durable.Replace(c.lists.registerPath(next.Version), 0o600, func(file *os.File) error {
		writer, err := newRegisterWriter(file)
		if err != nil {
			return err
		}
		var more []wire.RowProblem
		done, more, err = mergePapers(c.presentPapers(present), rows.sorted(), writer.add)
		if faults = append(faults, more...); err != nil {
			return err
		}
		return writer.finish(file)
	})
	if err == nil && len(faults) > 0 {
		slices.SortStableFunc(faults, func(a, b wire.RowProblem) int { return a.Line - b.Line })
		err = &ledger.RowsError{Problems: faults}
	}
	return done, noRoom(err)
}

// presentPapers yields the papers of the register in use.
func (c *Central) presentPapers(present uint64) iter.Seq2[paper, error] {
	return func(yield func(paper, error) bool) {
		if present == 0 {
			return
		}
		file, err := os.Open(c.lists.registerPath(present))
		if err != nil {
			yield(nil, fmt.Errorf("%w: %w", errNoRegister, err))
			return
		}
		defer file.Close()
		found, err := file.Stat()
		if err != nil {
			yield(nil, err)
			return
		}
		for p, err := range readRegister(file, found.Size()) {
			if err != nil {
				err = fmt.Errorf("%w: %w", errNoRegister, err)
			}
			if !yield(p, err) {
				return
			}
		}
	}
}

// mergePapers calls write with the papers of both, in order, and counts what the rows add and change. Rows that stand twice
// or contradict what is there are faults.
func mergePapers(present, rows iter.Seq2[paper, error], write func(paper) error) (done wire.ImportDone, faults []wire.RowProblem, err error) {
	next, stop := iter.Pull2(present)
	defer stop()
	there, err, more := next()
	if err != nil {
		return done, nil, err
	}
	advance := func() {
		there, err, more = next()
	}
	var last paper
	for row, rowErr := range rows {
		if rowErr != nil {
			return done, faults, rowErr
		}
		if last != nil && bytes.Equal(last.reference(), row.reference()) {
			faults = append(faults, wire.RowProblem{Line: row.line(), Column: "reference", Reason: fmt.Sprintf("stands already on line %d", last.line())})
			continue
		}
		last = row
		for more && err == nil && bytes.Compare(there.reference(), row.reference()) < 0 {
			if err = write(there); err == nil {
				advance()
			}
		}
		if err != nil {
			return done, faults, err
		}
		if !more || !bytes.Equal(there.reference(), row.reference()) {
			done.Added++
			if err = write(row); err != nil {
				return done, faults, err
			}
			continue
		}
		grown, agree := there.grow(row)
		switch {
		case !agree:
			faults = append(faults, wire.RowProblem{Line: row.line(), Column: "reference",
				Reason: "differs from what was imported under this reference; an exclusion ends only when it is lifted"})
		case bytes.Equal(grown, there):
			done.Unchanged++
		default:
			done.Changed++
		}
		if agree {
			if err = write(grown); err != nil {
				return done, faults, err
			}
		}
		advance()
	}
	for more && err == nil {
		if err = write(there); err == nil {
			advance()
		}
	}
	return done, faults, err
}

// buildList builds the list of the next register, and opens it.
func (c *Central) buildList(next listed) (*exclusion.List, error) {
	file, err := os.Open(c.lists.registerPath(next.Version))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	path := c.lists.listPath(next.Version)
	err = exclusion.Build(path, next.Version, c.lists.key, func(yield func(exclusion.Entry, error) bool) {
		for p, err := range readRegister(file, size) {
			if err != nil {
				yield(exclusion.Entry{}, err)
				return
			}
			for entry := range p.entries {
				if !yield(entry, nil) {
					return
				}
			}
		}
	})
	if err != nil {
		return nil, noRoom(err)
	}
	return exclusion.OpenList(path)
}

// flip puts a list in use and enters the rows that concern the books, in one commit. Whoever the books come to know while
// this looks for those rows is stopped by the list at his next act.
func (c *Central) flip(ctx context.Context, one *importing, next listed, list *exclusion.List, done wire.ImportDone) error {
	concerned, err := c.concerned(ctx, one)
	if err != nil {
		return err
	}
	pointer, err := json.Marshal(next)
	if err != nil {
		return err
	}
	use := ledger.UseList{
		Version: next.Version,
		Detail: fmt.Sprintf("list %d, %d hashes, SHA-256 %x; %d papers added, %d changed, %d unchanged", next.Version, list.Len(),
			list.Sum(), done.Added, done.Changed, done.Unchanged),
	}
	t := &task{done: make(chan result, 1), committed: func() { c.lists.use(list, next) }}
	t.decide = func(view *kv.Overlay, at time.Time) (any, error) {
		for rows := range slices.Chunk(concerned, 1000) {
			if _, err := c.enterChunk(view, at, one.Operator, wire.Rows{Exclusions: rows}); err != nil {
				return nil, err
			}
		}
		view.Put([]byte(listKey), pointer)
		request := ledger.Request{At: at, Who: one.Operator, Where: "import", Random: c.options.Random, Act: use}
		return c.books.Apply(view, request)
	}
	_, err = c.writer.wait(ctx, t)
	return err
}

// concerned returns the rows that say something of whom or what the books know. No view lasts longer than a chunk.
func (c *Central) concerned(ctx context.Context, one *importing) ([]wire.Exclusion, error) {
	var concerned []wire.Exclusion
	err := one.staged.each(ctx, func(chunk wire.Rows) error {
		return c.writer.view(ctx, func(view kv.Reader) error {
			for _, row := range chunk.Exclusions {
				concerns, err := c.books.Concerns(view, &row)
				if err != nil {
					return err
				}
				if concerns {
					concerned = append(concerned, row)
				}
			}
			return nil
		})
	})
	return concerned, err
}
