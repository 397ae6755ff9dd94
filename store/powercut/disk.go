package powercut

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

// ErrFileSystem is wrapped by Cut.Look where the file system itself does not come up after the cut.
var ErrFileSystem = errors.New("the file system cannot be mounted")

// Disk is a mounted disk whose power can be cut.
type Disk struct {
	folder string
	image  *image
	server *fuse.Server
	// undo are the commands that take apart what was built, the last one first.
	undo [][]string
}

// Open makes a disk of that many bytes with an empty file system, and mounts it within a folder that is there and empty.
// It MUST be called in a process of Apart. Close takes it apart.
func Open(folder string, size int64) (*Disk, error) {
	d := &Disk{folder: folder, image: newImage(size)}
	if err := d.open(); err != nil {
		return nil, errors.Join(fmt.Errorf("a disk whose power can be cut: %w", err), d.Close())
	}
	return d, nil
}

func (d *Disk) open() error {
	for _, name := range []string{"fuse", "disk", "memory"} {
		if err := os.Mkdir(d.path(name), 0o700); err != nil {
			return err
		}
	}
	root := &fs.Inode{}
	server, err := fs.Mount(d.path("fuse"), root, &fs.Options{
		MountOptions: fuse.MountOptions{DirectMountStrict: true, MaxWrite: 1 << 20, FsName: "powercut"},
		OnAdd: func(ctx context.Context) {
			root.AddChild("image", root.NewPersistentInode(ctx, d.image, fs.StableAttr{Mode: syscall.S_IFREG}), false)
		},
	})
	if err != nil {
		return err
	}
	d.server = server
	if err := keepFromChildren(); err != nil {
		return err
	}
	image := d.path("fuse/image")
	// Nothing is left to be written later by the kernel on its own.
	if err := run("mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=0,lazy_journal_init=0", image); err != nil {
		return err
	}
	if err := mountImage(image, d.path("disk")); err != nil {
		return err
	}
	d.unmountLater(d.path("disk"))
	// Cuts are written to memory: the machine's own disk would have to take each of them.
	return d.mount("-t", "tmpfs", "-o", "size=1g", "powercut", d.path("memory"))
}

// mount mounts something, to be unmounted by Close; the last word is where.
func (d *Disk) mount(words ...string) error {
	if err := run("mount", words...); err != nil {
		return err
	}
	d.unmountLater(words[len(words)-1])
	return nil
}

func (d *Disk) unmountLater(folder string) {
	d.undo = append(d.undo, []string{"umount", "--lazy", folder})
}

func (d *Disk) path(name string) string { return filepath.Join(d.folder, name) }

// Folder returns where the disk is mounted.
func (d *Disk) Folder() string { return d.path("disk") }

// Lie makes flushes do nothing from now on, as with a disk that keeps in its own memory what it said is safe.
func (d *Disk) Lie() {
	d.image.mu.Lock()
	defer d.image.mu.Unlock()
	d.image.lies = true
}

// Slow makes each flush take so much longer: 4 ms is a good memory card.
func (d *Disk) Slow(more time.Duration) {
	d.image.mu.Lock()
	defer d.image.mu.Unlock()
	d.image.slow = more
}

// Flushes returns how often the disk was flushed.
func (d *Disk) Flushes() int {
	d.image.mu.Lock()
	defer d.image.mu.Unlock()
	return d.image.flushes
}

// Close unmounts the disk. Nothing may have a file open there; what runs there has been stopped.
func (d *Disk) Close() error {
	var errs []error
	for ; len(d.undo) > 0; d.undo = d.undo[:len(d.undo)-1] {
		undo := d.undo[len(d.undo)-1]
		errs = append(errs, run(undo[0], undo[1:]...))
	}
	if d.server != nil {
		errs = append(errs, d.server.Unmount())
		d.server.Wait()
		d.server = nil
	}
	return errors.Join(errs...)
}

// Cut is what a disk holds after its power was cut.
type Cut struct {
	disk *Disk
	held []byte
	// Way says what became of that which was not flushed.
	Way string
}

// Cut cuts the power: it returns what the disk would hold. Whoever uses the disk does not notice.
func (d *Disk) Cut(random *rand.Rand) *Cut {
	held, way := d.image.cut(random)
	return &Cut{d, held, way}
}

// Look mounts what is left after the cut, as a machine does that starts again, and calls look with the folder. Whatever is
// changed there is gone afterwards. The error is that of look, or wraps ErrFileSystem.
func (c *Cut) Look(look func(folder string) error) (err error) {
	// Each has a place of its own: who met a damaged file may have let it open.
	place, err := os.MkdirTemp(c.disk.path("memory"), "cut-")
	if err != nil {
		return err
	}
	file, folder := filepath.Join(place, "image"), filepath.Join(place, "mounted")
	if err := errors.Join(os.Mkdir(folder, 0o700), c.write(file)); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.Remove(file)) }()
	if err := mountImage(file, folder); err != nil {
		return fmt.Errorf("%w: %w", ErrFileSystem, err)
	}
	err = look(folder)
	unmounted := run("umount", folder)
	if unmounted != nil && err != nil {
		unmounted = run("umount", "--lazy", folder)
	}
	return errors.Join(err, unmounted)
}

// chunk is how many bytes of zeros at least are left out of a file.
const chunk = 64 << 10

func (c *Cut) write(path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := file.Truncate(int64(len(c.held))); err != nil {
		return err
	}
	zeros := make([]byte, chunk)
	for at := 0; at < len(c.held); at += chunk {
		part := c.held[at:min(at+chunk, len(c.held))]
		if bytes.Equal(part, zeros[:len(part)]) {
			continue
		}
		if _, err := file.WriteAt(part, int64(at)); err != nil {
			return err
		}
	}
	return file.Close()
}

func run(name string, words ...string) error {
	output, err := exec.Command(name, words...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s %v: %w: %s", name, words, err, bytes.TrimSpace(output))
	}
	return nil
}
