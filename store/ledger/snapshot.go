package ledger

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"iter"
	"slices"
	"strings"

	"reelkiosk/store/kv"
)

// A snapshot is the state of the books at one moment as a file, for a kiosk to begin with. Numbers are big-endian.
//
//	header: magic (8), sequence of the last event (8), number of the floor key (4)
//	record: length of the key (2), length of the value (4), key, value; in the order of the keys
//	end:    zeros (6), number of records (8), SHA-256 of all before (32)
//
// It holds what the events add up to and the wrapped keys, wrapped for the floor; neither events nor kept answers.
const snapshotMagic = "RKBOOKS1"

// ErrSnapshot is wrapped where a file is no snapshot, or a damaged one.
var ErrSnapshot = errors.New("snapshot is damaged")

// Stamp says of what moment a snapshot is, and which floor key opens its keys.
type Stamp struct {
	Sequence uint64
	Floor    uint32
}

// statePrefixes are the prefixes of a snapshot, in the order of the keys: none begins with another.
var statePrefixes = func() []string {
	state := slices.DeleteFunc(slices.Clone(prefixes), func(prefix string) bool { return prefix == prefixEvent || prefix == prefixSecret })
	slices.Sort(state)
	return state
}()

// ReadStamp returns the stamp that a snapshot of a view has.
func ReadStamp(view kv.Reader, number uint32) (Stamp, error) {
	newest, err := loadLast(view)
	return Stamp{newest.sequence, number}, err
}

// WriteSnapshot writes the state of a view for the floor whose key has that number.
func (b *Books) WriteSnapshot(view kv.Reader, to io.Writer, number uint32) (Stamp, error) {
	stamp, err := ReadStamp(view, number)
	if err != nil {
		return stamp, err
	}
	sum := sha256.New()
	out := bufio.NewWriterSize(io.MultiWriter(to, sum), 1<<18)
	header := binary.BigEndian.AppendUint64([]byte(snapshotMagic), stamp.Sequence)
	_, err = out.Write(binary.BigEndian.AppendUint32(header, stamp.Floor))
	if err != nil {
		return stamp, err
	}
	floor := b.vault.Rewrapper(number)
	var records uint64
	for _, prefix := range statePrefixes {
		low := []byte(prefix)
		keys, failed := view.Range(low, after(low))
		for key, value := range keys {
			if prefix == prefixKey {
				if value, err = floor.Rewrap(value); err != nil {
					return stamp, fmt.Errorf("snapshot of %q: %w", key, err)
				}
			}
			if err = writeRecord(out, key, value); err != nil {
				return stamp, err
			}
			records++
		}
		if err := failed(); err != nil {
			return stamp, fmt.Errorf("snapshot of %s: %w", prefix, err)
		}
	}
	if _, err := out.Write(binary.BigEndian.AppendUint64(make([]byte, 6), records)); err != nil {
		return stamp, err
	}
	if err := out.Flush(); err != nil {
		return stamp, err
	}
	_, err = to.Write(sum.Sum(nil))
	return stamp, err
}

func writeRecord(out *bufio.Writer, key, value []byte) error {
	var lengths [6]byte
	binary.BigEndian.PutUint16(lengths[:], uint16(len(key)))
	binary.BigEndian.PutUint32(lengths[2:], uint32(len(value)))
	out.Write(lengths[:]) // an error of a bufio.Writer comes again with the next
	out.Write(key)
	_, err := out.Write(value)
	return err
}

// mostValue is the most bytes of the value of a record; the longest is a person with thousands of entries.
const mostValue = 16 << 20

// Snapshot is a snapshot that is being read.
type Snapshot struct {
	Stamp
	in  *bufio.Reader
	sum hash.Hash
}

// ReadSnapshot reads a snapshot's header. The error wraps ErrSnapshot or is the reader's.
func ReadSnapshot(from io.Reader) (*Snapshot, error) {
	s := &Snapshot{in: bufio.NewReaderSize(from, 1<<18), sum: sha256.New()}
	header, err := s.next(len(snapshotMagic) + 12)
	if err != nil {
		return nil, err
	}
	rest, is := bytes.CutPrefix(header, []byte(snapshotMagic))
	if !is {
		return nil, fmt.Errorf("%w: it does not begin as one", ErrSnapshot)
	}
	s.Stamp = Stamp{binary.BigEndian.Uint64(rest), binary.BigEndian.Uint32(rest[8:])}
	return s, nil
}

// Records yields the records in the order of their keys. Nothing of them may be trusted before the second function, which
// MUST be called after the loop, returned nil: its error wraps ErrSnapshot or is the reader's.
func (s *Snapshot) Records() (iter.Seq2[[]byte, []byte], func() error) {
	var failure error
	walk := func(yield func([]byte, []byte) bool) {
		var last []byte
		for records := uint64(0); ; records++ {
			key, value, err := s.record()
			if err == nil && key == nil {
				err = s.end(records)
			}
			if err == nil && key != nil && (bytes.Compare(key, last) <= 0 || !inState(key)) {
				err = fmt.Errorf("%w: record %d is out of order", ErrSnapshot, records)
			}
			if failure = err; err != nil || key == nil {
				return
			}
			if !yield(key, value) {
				failure = errors.New("the snapshot was not read to its end")
				return
			}
			last = key
		}
	}
	return walk, func() error { return failure }
}

func inState(key []byte) bool {
	return slices.ContainsFunc(statePrefixes, func(prefix string) bool { return strings.HasPrefix(string(key), prefix) })
}

// record returns the next record; a nil key is the end.
func (s *Snapshot) record() (key, value []byte, err error) {
	lengths, err := s.next(6)
	if err != nil {
		return nil, nil, err
	}
	length, rest := binary.BigEndian.Uint16(lengths), binary.BigEndian.Uint32(lengths[2:])
	switch {
	case length == 0 && rest == 0:
		return nil, nil, nil
	case length == 0 || rest > mostValue:
		return nil, nil, fmt.Errorf("%w: a record of %d and %d bytes", ErrSnapshot, length, rest)
	}
	both, err := s.next(int(length) + int(rest))
	if err != nil {
		return nil, nil, err
	}
	return both[:length:length], both[length:], nil
}

// end checks what stands at the end.
func (s *Snapshot) end(records uint64) error {
	count, err := s.next(8)
	if err != nil {
		return err
	}
	want := s.sum.Sum(nil)
	sum := make([]byte, len(want))
	if _, err := io.ReadFull(s.in, sum); err != nil {
		return cutOff(err)
	}
	if binary.BigEndian.Uint64(count) != records || !bytes.Equal(sum, want) {
		return fmt.Errorf("%w: it does not have its checksum", ErrSnapshot)
	}
	if _, err := s.in.ReadByte(); err != io.EOF {
		return fmt.Errorf("%w: something follows its end", ErrSnapshot)
	}
	return nil
}

// next reads that many bytes.
func (s *Snapshot) next(count int) ([]byte, error) {
	text := make([]byte, count)
	if _, err := io.ReadFull(s.in, text); err != nil {
		return nil, cutOff(err)
	}
	s.sum.Write(text)
	return text, nil
}

func cutOff(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: it is cut off", ErrSnapshot)
	}
	return err
}
