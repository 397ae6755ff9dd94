package powercut

import (
	"context"
	"math/rand/v2"
	"sync"
	"syscall"
	"time"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

// sector is what a disk writes whole or not at all, in bytes.
const sector = 512

// image is the one file of the file system in user space: a disk that knows what it has flushed.
type image struct {
	fs.Inode

	// mu guards everything that follows.
	mu sync.Mutex
	// seen is what the running system reads, flushed what survives any cut, and pending the writes between the two in order.
	seen, flushed []byte
	pending       []write
	flushes       int
	// lies says that flushes do nothing, and slow how much longer each takes.
	lies bool
	slow time.Duration
}

type write struct {
	at    int64
	bytes []byte
}

var (
	_ fs.NodeOpener    = (*image)(nil)
	_ fs.NodeReader    = (*image)(nil)
	_ fs.NodeWriter    = (*image)(nil)
	_ fs.NodeFsyncer   = (*image)(nil)
	_ fs.NodeGetattrer = (*image)(nil)
	_ fs.NodeSetattrer = (*image)(nil)
)

func newImage(size int64) *image {
	return &image{seen: make([]byte, size), flushed: make([]byte, size)}
}

// Open implements fs.NodeOpener.
func (*image) Open(context.Context, uint32) (fs.FileHandle, uint32, syscall.Errno) { return nil, 0, 0 }

// Getattr implements fs.NodeGetattrer.
func (i *image) Getattr(_ context.Context, _ fs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	out.Mode, out.Size = 0o600, uint64(len(i.seen))
	return 0
}

// Setattr implements fs.NodeSetattrer: the disk's size and owner never change.
func (i *image) Setattr(ctx context.Context, file fs.FileHandle, _ *fuse.SetAttrIn, out *fuse.AttrOut) syscall.Errno {
	return i.Getattr(ctx, file, out)
}

// Read implements fs.NodeReader.
func (i *image) Read(_ context.Context, _ fs.FileHandle, to []byte, at int64) (fuse.ReadResult, syscall.Errno) {
	i.mu.Lock()
	defer i.mu.Unlock()
	n := copy(to, i.seen[min(at, int64(len(i.seen))):])
	return fuse.ReadResultData(to[:n]), 0
}

// Write implements fs.NodeWriter.
func (i *image) Write(_ context.Context, _ fs.FileHandle, text []byte, at int64) (uint32, syscall.Errno) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if at+int64(len(text)) > int64(len(i.seen)) {
		return 0, syscall.ENOSPC
	}
	copy(i.seen[at:], text)
	i.pending = append(i.pending, write{at, append([]byte(nil), text...)})
	return uint32(len(text)), 0
}

// Fsync implements fs.NodeFsyncer: it is what a flush of the loop device becomes.
func (i *image) Fsync(context.Context, fs.FileHandle, uint32) syscall.Errno {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.slow > 0 {
		time.Sleep(i.slow) // with the lock held: a disk that flushes does nothing else
	}
	i.flushes++
	if i.lies {
		return 0
	}
	for _, w := range i.pending {
		copy(i.flushed[w.at:], w.bytes)
	}
	i.pending = nil
	return 0
}

// cut returns what the disk may hold if its power went away now, and in which way that was decided.
func (i *image) cut(random *rand.Rand) (held []byte, way string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	held = append([]byte(nil), i.flushed...)
	switch random.IntN(4) {
	case 0:
		return held, "what was flushed"
	case 1:
		copy(held, i.seen)
		return held, "everything"
	case 2:
		i.anySectors(held, random)
		return held, "any sectors"
	}
	i.firstWrites(held, random)
	return held, "the first writes"
}

// anySectors writes each sector that is pending or leaves it, as a disk does that orders them as it likes.
func (i *image) anySectors(held []byte, random *rand.Rand) {
	for _, w := range i.pending {
		for begin := 0; begin < len(w.bytes); begin += sector {
			if random.IntN(2) == 0 {
				copy(held[w.at+int64(begin):], w.bytes[begin:min(begin+sector, len(w.bytes))])
			}
		}
	}
}

// firstWrites writes what is pending in order up to some moment, at which a write is torn between two sectors.
func (i *image) firstWrites(held []byte, random *rand.Rand) {
	if len(i.pending) == 0 {
		return
	}
	last := random.IntN(len(i.pending))
	for _, w := range i.pending[:last] {
		copy(held[w.at:], w.bytes)
	}
	torn := i.pending[last]
	copy(held[torn.at:], torn.bytes[:random.IntN(len(torn.bytes)/sector+1)*sector])
}
