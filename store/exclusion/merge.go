package exclusion

import (
	"bufio"
	"container/heap"
	"io"
	"os"
)

// source gives the entries of something, one after another and in order, and then io.EOF. (A range function would need a
// coroutine for each to be merged, and three times as long.)
type source func() (entry, error)

func inMemory(run []entry) source {
	return func() (next entry, err error) {
		if len(run) == 0 {
			return next, io.EOF
		}
		next, run = run[0], run[1:]
		return next, nil
	}
}

func inFile(file *os.File) source {
	reader := bufio.NewReaderSize(file, 1<<16)
	packed := make([]byte, entrySize)
	return func() (entry, error) {
		_, err := io.ReadFull(reader, packed)
		return getEntry(packed), err
	}
}

// merge returns the entries of all sources in order. An error of one is its own.
func merge(sources []source) (source, error) {
	if len(sources) == 1 {
		return sources[0], nil
	}
	heads := heads{}
	for _, each := range sources {
		switch first, err := each(); err {
		case nil:
			heads = append(heads, head{first, each})
		case io.EOF:
		default:
			return nil, err
		}
	}
	heap.Init(&heads)
	return heads.next, nil
}

// head is the first entry of a source that was not given yet.
type head struct {
	entry entry
	rest  source
}

// heads is a heap of heads.
type heads []head

func (h *heads) next() (least entry, err error) {
	if len(*h) == 0 {
		return least, io.EOF
	}
	first := &(*h)[0]
	least = first.entry
	switch first.entry, err = first.rest(); err {
	case nil:
		heap.Fix(h, 0)
	case io.EOF:
		heap.Pop(h)
	default:
		return least, err
	}
	return least, nil
}

func (h heads) Len() int           { return len(h) }
func (h heads) Less(i, j int) bool { return compareEntries(h[i].entry, h[j].entry) < 0 }
func (h heads) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }

// Push is for heap.Interface; a merge never grows.
func (h *heads) Push(any) { panic("exclusion: a source cannot be added") }

// Pop is for heap.Interface.
func (h *heads) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
