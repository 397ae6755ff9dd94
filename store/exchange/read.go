package exchange

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"io"
	"slices"
	"time"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// Options are what the rows are read against.
type Options struct {
	// Today is the present day in the tournament's zone; births and exclusions lie before it.
	Today tournament.Date
	// Zone is the tournament's, for moments without an offset.
	Zone *time.Location
}

// unique is a text that may stand only once in a column of a file.
type unique struct{ column, text string }

// reading is how rows of one kind are read.
type reading[T any] struct {
	columns []column
	// parse turns a row into its record and names what must not stand twice; mistakes are left in the row.
	parse func(*row, Options) (T, []unique)
}

// read reads a file from its beginning to its end, calls each, if it is not nil, with every row that has no mistake, and
// returns all mistakes in the order of their lines. It returns an error only where the source or each does.
func (kind reading[T]) read(source io.ReadSeeker, options Options, each func(T) error) ([]wire.RowProblem, error) {
	var seen fingerprints
	problems, err := kind.pass(source, options, func(_ int, record T, uniques []unique, good bool) error {
		for _, u := range uniques {
			seen.add(u)
		}
		if each == nil || !good {
			return nil
		}
		return each(record)
	})
	if err != nil {
		return nil, err
	}
	if suspects := seen.repeated(); len(suspects) > 0 {
		repeats, err := kind.repeats(source, options, suspects, &seen)
		if err != nil {
			return nil, err
		}
		problems = append(problems, repeats...)
		slices.SortStableFunc(problems, func(a, b wire.RowProblem) int { return cmp.Compare(a.Line, b.Line) })
	}
	return problems, nil
}

// pass goes through the file once.
func (kind reading[T]) pass(source io.ReadSeeker, options Options, visit func(line int, record T, uniques []unique, good bool) error) ([]wire.RowProblem, error) {
	if _, err := source.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	t, problems, err := openTable(source, kind.columns)
	if err != nil || len(problems) > 0 {
		return problems, err
	}
	for {
		r, err := t.next()
		if err == io.EOF {
			return problems, nil
		}
		if err != nil {
			return nil, err
		}
		var record T
		var uniques []unique
		if r.cells != nil {
			record, uniques = kind.parse(r, options)
		}
		problems = append(problems, r.problems...)
		if err := visit(r.line, record, uniques, len(r.problems) == 0); err != nil {
			return nil, err
		}
	}
}

// repeats goes through the file again to find which of the suspected texts really stand twice.
func (kind reading[T]) repeats(source io.ReadSeeker, options Options, suspects map[uint64]bool, seen *fingerprints) ([]wire.RowProblem, error) {
	first := map[unique]int{}
	var problems []wire.RowProblem
	_, err := kind.pass(source, options, func(line int, _ T, uniques []unique, _ bool) error {
		for _, u := range uniques {
			if !suspects[seen.of(u)] {
				continue
			}
			if before, known := first[u]; known {
				problems = append(problems, wire.RowProblem{Line: line, Column: u.column,
					Reason: fmt.Sprintf("stands already on line %d", before)})
				continue
			}
			first[u] = line
		}
		return nil
	})
	return problems, err
}

// fingerprints finds texts that stand twice among many millions in 8 bytes each. Two texts may share a fingerprint, very
// rarely, so that a repeated one is only a suspicion.
type fingerprints struct {
	seed maphash.Seed
	all  []uint64
}

func (f *fingerprints) add(u unique) {
	if f.all == nil {
		f.seed = maphash.MakeSeed()
	}
	f.all = append(f.all, f.of(u))
}

func (f *fingerprints) of(u unique) uint64 { return maphash.String(f.seed, u.column+"\x00"+u.text) }

// repeated returns the fingerprints that were added more than once; it may be called only once, at the end.
func (f *fingerprints) repeated() map[uint64]bool {
	slices.Sort(f.all)
	repeated := map[uint64]bool{}
	for i := 1; i < len(f.all); i++ {
		if f.all[i] == f.all[i-1] {
			repeated[f.all[i]] = true
		}
	}
	f.all = nil
	return repeated
}
