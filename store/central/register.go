package central

import (
	"bufio"
	"bytes"
	"container/heap"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"iter"
	"os"
	"slices"

	"reelkiosk/store/exclusion"
	"reelkiosk/store/vault"
	"reelkiosk/store/wire"
)

// A register has every paper of a long exclusion list: which reference bars which hashes. The list itself, which is all
// that anybody looks people up in, has the hashes alone; the register is read when another list is imported, to tell what
// is new, and to take out what a changed paper no longer bars.
//
// It is a file: the magic, the papers in the order of their references, and the SHA-256 of both. A paper is the hash of
// its reference (16 bytes), its line in the file that it came from (4), its kind (1), which hashes follow (1, a bit for each
// of the marks below), and those (16 each). Nothing in it can be read back without the lookup key.
const registerMagic = "reelkiosk exclusion register 1\n\x00"

// Which hashes a paper has, in this order.
const (
	markIDNumber = 1 << iota
	markPassport
	markCard
	markName
)

// paperHead is the length of a paper without its hashes; paperReference that of its reference.
const (
	paperReference = 16
	paperHead      = paperReference + 4 + 1 + 1
)

// runPapers is how many papers are sorted in memory at a time: some 50 MB.
const runPapers = 1 << 19

// errRegister is returned where a register is not what was written.
var errRegister = errors.New("the register of exclusions is damaged")

// paper is one encoded paper.
type paper []byte

// newPaper encodes a row.
func newPaper(keys *vault.Vault, kind exclusion.Kind, row *wire.Exclusion) paper {
	reference := sha256.Sum256([]byte(row.Reference))
	p := make(paper, paperHead, paperHead+4*16)
	copy(p, reference[:paperReference])
	binary.BigEndian.PutUint32(p[paperReference:], uint32(row.Line))
	p[paperHead-2] = byte(kind)
	for i, mark := range []vault.Hash{
		keys.IDNumber(row.IDNumber), keys.Passport(row.Issuer, row.Passport), keys.Card(row.Card),
		keys.NameAndBirth(row.Surname, row.Given, row.BirthDate),
	} {
		if !mark.IsZero() {
			p[paperHead-1] |= 1 << i
			p = append(p, mark[:]...)
		}
	}
	return p
}

func (p paper) reference() []byte { return p[:paperReference] }

func (p paper) line() int { return int(binary.BigEndian.Uint32(p[paperReference:])) }

// grow returns what the books have of a paper together with what a file says of it now: nothing that bars somebody is
// dropped by a shorter row. It reports false where the two contradict each other; an exclusion ends only when it is lifted.
func (p paper) grow(now paper) (grown paper, agree bool) {
	if p[paperHead-2] != now[paperHead-2] {
		return nil, false
	}
	grown = append(make(paper, 0, paperHead+4*16), p[:paperHead]...)
	before, after := p[paperHead:], now[paperHead:]
	for mark := byte(markIDNumber); mark <= markName; mark <<= 1 {
		had, has := p[paperHead-1]&mark != 0, now[paperHead-1]&mark != 0
		switch {
		case had && has && !bytes.Equal(before[:16], after[:16]):
			return nil, false
		case had:
			grown = append(grown, before[:16]...)
		case has:
			grown = append(grown, after[:16]...)
			grown[paperHead-1] |= mark
		}
		if had {
			before = before[16:]
		}
		if has {
			after = after[16:]
		}
	}
	return grown, true
}

// entries yields what the paper puts on the list: a name is only ever a possible match.
func (p paper) entries(yield func(exclusion.Entry) bool) {
	kind, rest := exclusion.Kind(p[paperHead-2]), p[paperHead:]
	for mark := byte(markIDNumber); mark <= markName; mark <<= 1 {
		if p[paperHead-1]&mark == 0 {
			continue
		}
		entry := exclusion.Entry{Hash: vault.Hash(rest[:16]), Kind: kind}
		if mark == markName {
			entry.Kind = exclusion.Possible
		}
		if rest = rest[16:]; !yield(entry) {
			return
		}
	}
}

// readPaper reads the next paper, or io.EOF.
func readPaper(from io.Reader) (paper, error) {
	head := make(paper, paperHead, paperHead+4*16)
	if _, err := io.ReadFull(from, head); err != nil {
		return nil, err
	}
	marks := head[paperHead-1]
	if marks == 0 || marks > 15 || !exclusion.Kind(head[paperHead-2]).Valid() {
		return nil, errRegister
	}
	for ; marks > 0; marks &= marks - 1 {
		head = head[:len(head)+16]
	}
	if _, err := io.ReadFull(from, head[paperHead:]); err != nil {
		return nil, errRegister
	}
	return head, nil
}

// readRegister yields the papers of a register. It fails at its end where the checksum is wrong.
func readRegister(file io.ReaderAt, size int64) iter.Seq2[paper, error] {
	return func(yield func(paper, error) bool) {
		body := size - sha256.Size
		sum := sha256.New()
		reader := bufio.NewReaderSize(io.TeeReader(io.NewSectionReader(file, 0, body), sum), 1<<18)
		magic := make([]byte, len(registerMagic))
		if _, err := io.ReadFull(reader, magic); err != nil || string(magic) != registerMagic {
			yield(nil, errRegister)
			return
		}
		for {
			p, err := readPaper(reader)
			if err == io.EOF {
				break
			}
			if !yield(p, err) || err != nil {
				return
			}
		}
		var want [sha256.Size]byte
		if _, err := file.ReadAt(want[:], body); err != nil || !bytes.Equal(want[:], sum.Sum(nil)) {
			yield(nil, errRegister)
		}
	}
}

// registerWriter writes a register; papers come in order.
type registerWriter struct {
	to  *bufio.Writer
	sum hash.Hash
}

func newRegisterWriter(file io.Writer) (*registerWriter, error) {
	sum := sha256.New()
	w := &registerWriter{bufio.NewWriterSize(io.MultiWriter(file, sum), 1<<18), sum}
	_, err := w.to.WriteString(registerMagic)
	return w, err
}

func (w *registerWriter) add(p paper) error {
	_, err := w.to.Write(p)
	return err
}

func (w *registerWriter) finish(file io.Writer) error {
	if err := w.to.Flush(); err != nil {
		return err
	}
	_, err := file.Write(w.sum.Sum(nil))
	return err
}

// paperSort sorts papers by reference, in files without a name where they are too many for memory.
type paperSort struct {
	folder string
	run    []paper
	files  []*os.File
}

func (s *paperSort) add(p paper) error {
	if len(s.run) == runPapers {
		if err := s.spill(); err != nil {
			return err
		}
	}
	s.run = append(s.run, p)
	return nil
}

func comparePapers(a, b paper) int {
	if order := bytes.Compare(a.reference(), b.reference()); order != 0 {
		return order
	}
	return a.line() - b.line()
}

func (s *paperSort) spill() error {
	file, err := os.CreateTemp(s.folder, "import-run-*")
	if err != nil {
		return fmt.Errorf("sorting an import: %w", err)
	}
	s.files = append(s.files, file)
	if err := os.Remove(file.Name()); err != nil {
		return fmt.Errorf("sorting an import: %w", err)
	}
	slices.SortFunc(s.run, comparePapers)
	writer := bufio.NewWriterSize(file, 1<<18)
	for _, p := range s.run {
		if _, err := writer.Write(p); err != nil {
			return fmt.Errorf("sorting an import: %w", err)
		}
	}
	s.run = s.run[:0]
	if err := writer.Flush(); err != nil {
		return fmt.Errorf("sorting an import: %w", err)
	}
	return nil
}

func (s *paperSort) close() {
	for _, file := range s.files {
		file.Close()
	}
}

// sorted yields all papers in order.
func (s *paperSort) sorted() iter.Seq2[paper, error] {
	return func(yield func(paper, error) bool) {
		slices.SortFunc(s.run, comparePapers)
		rest := s.run
		var runs paperHeap
		pull := func(next func() (paper, error)) error {
			p, err := next()
			if err == nil {
				heap.Push(&runs, paperRun{p, next})
			}
			if err == io.EOF {
				return nil
			}
			return err
		}
		sources := []func() (paper, error){func() (paper, error) {
			if len(rest) == 0 {
				return nil, io.EOF
			}
			p := rest[0]
			rest = rest[1:]
			return p, nil
		}}
		for _, file := range s.files {
			reader := bufio.NewReaderSize(io.NewSectionReader(file, 0, 1<<62), 1<<16)
			sources = append(sources, func() (paper, error) { return readPaper(reader) })
		}
		for _, next := range sources {
			if err := pull(next); err != nil {
				yield(nil, err)
				return
			}
		}
		for len(runs) > 0 {
			least := heap.Pop(&runs).(paperRun)
			if !yield(least.head, nil) {
				return
			}
			if err := pull(least.next); err != nil {
				yield(nil, err)
				return
			}
		}
	}
}

// paperRun is a sorted run with its first paper taken off.
type paperRun struct {
	head paper
	next func() (paper, error)
}

// paperHeap has the run with the least paper first (container/heap).
type paperHeap []paperRun

func (h paperHeap) Len() int           { return len(h) }
func (h paperHeap) Less(i, j int) bool { return comparePapers(h[i].head, h[j].head) < 0 }
func (h paperHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *paperHeap) Push(run any)      { *h = append(*h, run.(paperRun)) }
func (h *paperHeap) Pop() any {
	last := len(*h) - 1
	run := (*h)[last]
	*h = (*h)[:last]
	return run
}
