package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"reelkiosk/store/client"
	"reelkiosk/store/exchange"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

type importCommand struct {
	Kind wire.ImportKind `arg:"" enum:"members,exclusions,purchases" help:"What is in the file: members, exclusions or purchases."`
	File string          `arg:"" type:"existingfile" help:"A CSV file."`
}

// Help says what the files look like.
func (*importCommand) Help() string {
	text := "The file is CSV in UTF-8, divided by commas or semicolons; its first line names the columns, in any order. " +
		"Every faulty line is reported with its number and reason, and then nothing is done. The same file again changes nothing.\n"
	for _, kind := range []wire.ImportKind{wire.ImportMembers, wire.ImportExclusions, wire.ImportPurchases} {
		required, optional := exchange.Columns(kind)
		text += fmt.Sprintf("\n%s: %s; if there is something to say: %s\n", kind, strings.Join(required, ", "), strings.Join(optional, ", "))
	}
	return text + "\nDays are YYYY-MM-DD, moments 2026-11-30T14:05:00+02:00 or 2026-11-30 14:05 in the tournament's zone; " +
		"verified is yes or no; several cards are divided by |. A kind of exclusion is refusal-of-entry, self-excluded, category or connected; " +
		"of a purchase cash, card, package or complimentary."
}

// rowsPerChunk is how many rows are sent at a time: some hundreds of kilobytes.
const rowsPerChunk = 1000

// barFrom is the size of a file in bytes from which a bar shows how far it is.
const barFrom = 1 << 20

// Run reads the whole file first; only where nothing is wrong with it is anything sent.
func (c *importCommand) Run(around *surroundings) error {
	to, err := around.client()
	if err != nil {
		return err
	}
	defer to.Close()
	about, err := to.Tournament(around.ctx)
	if err != nil {
		return err
	}
	zone, err := time.LoadLocation(about.Zone)
	if err != nil {
		return err
	}
	file, err := os.Open(c.File)
	if err != nil {
		return err
	}
	defer file.Close()
	run := &importRun{
		around: around, client: to, file: file, name: filepath.Base(c.File), kind: c.Kind,
		options: exchange.Options{Today: tournament.DateOf(about.ServerTime.In(zone)), Zone: zone},
	}
	return run.run()
}

// importRun is one import at work.
type importRun struct {
	around  *surroundings
	client  *client.Client
	file    *os.File
	name    string
	kind    wire.ImportKind
	options exchange.Options

	id   string
	rows wire.Rows // the chunk that is being filled
	sent int
	// faults are the rows that central refused.
	faults []wire.RowProblem
}

func (r *importRun) run() error {
	hash, problems, err := r.read("checking", nil)
	if err != nil {
		return err
	}
	if len(problems) > 0 {
		return r.refused(problems)
	}
	opened, err := r.client.OpenImport(r.around.ctx, wire.Import{Kind: r.kind, Hash: hash, Name: r.name, Operator: r.around.line.Operator})
	if err != nil {
		return err
	}
	r.id = opened.ID
	done, err := r.send(hash)
	if err != nil {
		// Whatever was staged is of no use. The context may have ended; dropping it has its own time.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(r.around.ctx), 5*time.Second)
		defer cancel()
		_ = r.client.DropImport(ctx, r.id) // central drops it by itself in a while
		return err
	}
	fmt.Fprintf(r.around.stdout, "%s: %d added, %d changed, %d unchanged\n", r.kind, done.Added, done.Changed, done.Unchanged)
	return nil
}

// send stages the rows and commits them.
func (r *importRun) send(hash string) (done wire.ImportDone, err error) {
	again, problems, err := r.read("sending", r.flush)
	switch {
	case err != nil:
		return done, err
	case len(problems) > 0 || again != hash:
		return done, errors.New("the file changed while it was read")
	}
	if err := r.flush(); err != nil {
		return done, err
	}
	if len(r.faults) == 0 {
		if r.file != nil && r.sent > rowsPerChunk {
			fmt.Fprintf(r.around.stderr, "%d rows are with central, which takes them into the books now\n", r.sent)
		}
		err = r.retry(func(ctx context.Context) (err error) {
			done, err = r.client.CommitImport(ctx, r.id)
			return err
		})
	}
	if problem, ok := errors.AsType[*wire.Problem](err); ok && problem.Kind() == wire.ProblemRows {
		r.faults, err = append(r.faults, problem.Rows...), nil
	}
	if err != nil {
		return done, err
	}
	if len(r.faults) > 0 {
		return done, r.refused(r.faults)
	}
	return done, nil
}

// flush sends the chunk that was filled. Rows that central refuses are noted, and the rest is sent to hear of all of them.
func (r *importRun) flush() error {
	if r.rows.Len() == 0 {
		return nil
	}
	r.rows.After = r.sent
	err := r.retry(func(ctx context.Context) error {
		_, err := r.client.SendRows(ctx, r.id, r.rows)
		return err
	})
	if problem, ok := errors.AsType[*wire.Problem](err); ok && problem.Kind() == wire.ProblemRows {
		r.faults, err = append(r.faults, problem.Rows...), nil
	}
	r.sent += r.rows.Len()
	r.rows = wire.Rows{}
	return err
}

func (r *importRun) retry(try func(context.Context) error) error {
	return client.Retry(r.around.ctx, client.Backoff{Tries: 5}, try)
}

// read reads the file from its beginning, calls full whenever a chunk of rows is full, and returns the file's hash and what
// is wrong with it. With a nil function it only looks.
func (r *importRun) read(doing string, full func() error) (hash string, problems []wire.RowProblem, err error) {
	sum := sha256.New()
	source, finish, err := r.watched(doing)
	if err != nil {
		return "", nil, err
	}
	defer finish()
	problems, err = r.records(source, func() error {
		if full == nil {
			r.rows = wire.Rows{}
			return nil
		}
		if r.rows.Len() < rowsPerChunk {
			return nil
		}
		return full()
	})
	if err != nil {
		return "", nil, err
	}
	if _, err := r.file.Seek(0, io.SeekStart); err != nil {
		return "", nil, err
	}
	if _, err := io.Copy(sum, r.file); err != nil {
		return "", nil, err
	}
	return hex.EncodeToString(sum.Sum(nil)), problems, nil
}

// records reads the rows of the import's kind into the chunk and calls each after every one.
func (r *importRun) records(source io.ReadSeeker, each func() error) ([]wire.RowProblem, error) {
	switch r.kind {
	case wire.ImportMembers:
		return exchange.ReadMembers(source, r.options, func(row wire.Member) error {
			r.rows.Members = append(r.rows.Members, row)
			return each()
		})
	case wire.ImportExclusions:
		return exchange.ReadExclusions(source, r.options, func(row wire.Exclusion) error {
			r.rows.Exclusions = append(r.rows.Exclusions, row)
			return each()
		})
	}
	return exchange.ReadPurchases(source, r.options, func(row wire.PurchaseRecord) error {
		r.rows.Purchases = append(r.rows.Purchases, row)
		return each()
	})
}

// watched returns the file, with a bar on a terminal that shows how far it was read where it is long.
func (r *importRun) watched(doing string) (io.ReadSeeker, func(), error) {
	found, err := r.file.Stat()
	if err != nil {
		return nil, nil, err
	}
	terminal, ok := r.around.stderr.(*os.File)
	if found.Size() < barFrom || !ok || !term.IsTerminal(int(terminal.Fd())) {
		return r.file, func() {}, nil
	}
	bar := progressbar.NewOptions64(found.Size(), progressbar.OptionSetWriter(terminal), progressbar.OptionSetDescription(doing),
		progressbar.OptionShowBytes(true), progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish(),
		progressbar.OptionSetWidth(30))
	return &watchedFile{r.file, bar}, func() { _ = bar.Finish() }, nil
}

// watchedFile moves a bar as it is read.
type watchedFile struct {
	*os.File
	bar *progressbar.ProgressBar
}

func (w *watchedFile) Read(into []byte) (int, error) {
	n, err := w.File.Read(into)
	_ = w.bar.Add(n) // a bar past its end is no reason to stop
	return n, err
}

func (w *watchedFile) Seek(offset int64, whence int) (int64, error) {
	w.bar.Reset()
	return w.File.Seek(offset, whence)
}

// refused prints every faulty line.
func (r *importRun) refused(problems []wire.RowProblem) error {
	for _, problem := range problems {
		fmt.Fprintf(r.around.stderr, "%s: %v\n", r.name, problem)
	}
	return errMistakes
}
