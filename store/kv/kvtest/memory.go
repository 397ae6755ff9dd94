package kvtest

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"strings"
	"sync"

	"reelkiosk/store/kv"
)

// Memory is what a store without a disk holds. The zero Memory is empty and ready.
type Memory struct {
	mu sync.Mutex
	// pairs are in order of their keys and never modified: a view is a slice of them.
	pairs []pair
	epoch uint64
	fault fault
}

type pair struct{ key, value string }

// fault is a way in which a Memory breaks the contract, for the suite's own test.
type fault string

// NewMemory returns an empty store in memory.
func NewMemory() kv.Store { return new(Memory).Open() }

// Open returns a store of what the Memory holds. One at a time may be open, as with a file.
func (m *Memory) Open() kv.Store {
	return &memoryStore{memory: m, leading: make(chan struct{}, 1), ended: make(chan struct{})}
}

func (m *Memory) newest() []pair {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.pairs
}

// apply replaces the pairs by others with the batch in them.
func (m *Memory) apply(batch *kv.Batch) {
	m.mu.Lock()
	defer m.mu.Unlock()
	next := make([]pair, 0, len(m.pairs)+batch.Len())
	old := m.pairs
	for change := range batch.All() {
		key := string(change.Key)
		for len(old) > 0 && old[0].key < key {
			next, old = append(next, old[0]), old[1:]
		}
		if len(old) > 0 && old[0].key == key {
			old = old[1:]
		}
		if !change.Delete || m.fault == "forgets deletes" {
			next = append(next, pair{key, string(change.Value)})
		}
		if m.fault == "torn batches" {
			m.pairs = append(slices.Clone(next), old...)
			m.mu.Unlock()
			runtime.Gosched()
			m.mu.Lock()
		}
	}
	m.pairs = append(next, old...)
}

type memoryStore struct {
	memory         *Memory
	leading, ended chan struct{}

	// mu guards everything that follows.
	mu     sync.Mutex
	closed bool
	inside sync.WaitGroup
	writer *memoryLeader
}

// memoryLimits are small, so that whoever uses a Memory in tests finds out about limits.
var memoryLimits = kv.Limits{Operations: 10_000, Bytes: 1 << 23, Key: 1 << 15, Value: 1 << 22}

func (s *memoryStore) Limits() kv.Limits { return memoryLimits }

func (s *memoryStore) View(ctx context.Context, read func(kv.Reader) error) error {
	if err := ctx.Err(); err != nil && s.memory.fault != "ignores contexts" {
		return err
	}
	if err := s.enter(); err != nil {
		return err
	}
	defer s.inside.Done()
	return read(memoryReader{ctx, s.memory, s.memory.newest()})
}

func (s *memoryStore) enter() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed && s.memory.fault != "answers after closing" {
		return kv.ErrClosed
	}
	s.inside.Add(1)
	return nil
}

func (s *memoryStore) Lead(ctx context.Context) (kv.Leader, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if s.memory.fault != "two writers" {
		select {
		case s.leading <- struct{}{}:
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-s.ended:
		}
	}
	if err := s.enter(); err != nil {
		return nil, err
	}
	defer s.inside.Done()
	s.memory.mu.Lock()
	if s.memory.fault != "the same epoch" {
		s.memory.epoch++
	}
	next := &memoryLeader{store: s, epoch: s.memory.epoch, lost: make(chan struct{})}
	s.memory.mu.Unlock()
	next.lose = sync.OnceFunc(func() { close(next.lost) })
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.writer = next; s.closed {
		next.lose()
	}
	return next, nil
}

func (s *memoryStore) Close() error {
	s.mu.Lock()
	if !s.closed {
		s.closed = true
		close(s.ended)
		if s.writer != nil {
			s.writer.lose()
		}
	}
	s.mu.Unlock()
	s.inside.Wait()
	if s.memory.fault == "forgets when closed" {
		s.memory.pairs = nil
	}
	return nil
}

type memoryLeader struct {
	store *memoryStore
	epoch uint64
	lost  chan struct{}
	lose  func()

	// mu guards resigned, and is held while a batch is applied.
	mu       sync.Mutex
	resigned bool
}

func (l *memoryLeader) Epoch() uint64         { return l.epoch }
func (l *memoryLeader) Lost() <-chan struct{} { return l.lost }

func (l *memoryLeader) Resign() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.resigned {
		l.resigned = true
		l.lose()
		if l.store.memory.fault != "two writers" {
			<-l.store.leading
		}
	}
	return nil
}

func (l *memoryLeader) Apply(ctx context.Context, batch *kv.Batch) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := memoryLimits.Check(batch); err != nil && l.store.memory.fault != "ignores limits" {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.resigned && l.store.memory.fault != "no fence" {
		return kv.ErrFenced
	}
	if err := l.store.enter(); err != nil {
		return err
	}
	defer l.store.inside.Done()
	l.store.memory.apply(batch)
	return nil
}

type memoryReader struct {
	ctx    context.Context
	memory *Memory
	pairs  []pair
}

func (r memoryReader) Get(key []byte) ([]byte, error) {
	if r.memory.fault == "no isolation" {
		r.pairs = r.memory.newest()
	}
	at, found := r.find(key)
	if !found {
		return nil, kv.ErrNotFound
	}
	return []byte(r.pairs[at].value), nil
}

func (r memoryReader) find(key []byte) (int, bool) {
	return slices.BinarySearchFunc(r.pairs, string(key), func(each pair, key string) int { return strings.Compare(each.key, key) })
}

func (r memoryReader) Range(low, high []byte) (iter.Seq2[[]byte, []byte], func() error) {
	from, _ := r.find(low)
	to := len(r.pairs)
	if high != nil {
		to, _ = r.find(high)
	}
	if r.memory.fault == "high included" && to < len(r.pairs) {
		to++
	}
	var err error
	walk := func(yield func([]byte, []byte) bool) {
		for _, each := range r.pairs[from:max(from, to)] {
			if err = r.ctx.Err(); err != nil && r.memory.fault != "ignores contexts" {
				err = fmt.Errorf("walking a range: %w", err)
				return
			}
			if !yield([]byte(each.key), []byte(each.value)) {
				return
			}
		}
	}
	return walk, func() error { return err }
}
