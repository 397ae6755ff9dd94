// Package powercut is a disk whose power can be cut, for tests of what a store promises: nothing that it acknowledged may be
// lost by a cut at any moment, and what lies there afterwards must be usable or be known to be damaged.
//
// The disk is an image in memory, which a file system in user space (FUSE) shows to the kernel as one file. A loop device,
// ext4 and whatever the test runs stand on it, as they would on a machine's own disk. The image knows which sectors were
// written since the last flush. A Cut is what a disk may hold after its power went away at that moment: all that was
// flushed, and of the rest nothing, everything, the first so many writes with the last one torn, or any sectors at all.
// Whoever writes goes on meanwhile and never hears of it; each cut is mounted by itself and looked at.
//
//	func TestNothingIsLostInAPowerCut(t *testing.T) {
//		if !powercut.Apart(t) {
//			return
//		}
//		disk, err := powercut.Open(t.TempDir(), 32<<20)
//		… start a process that writes to disk.Folder() and says what it was promised …
//		promised := …
//		cut := disk.Cut(random)
//		err = cut.Look(func(folder string) error { … everything that was promised is there … })
//	}
//
// What writes MUST be another process than the test's: a thread that waits for a page of a mapped file is waiting for this
// process, whose garbage collector would wait for that thread.
//
// Every such test needs a control: the same with a disk that lies about flushes (Lie), which must be found to lose what was
// promised. Otherwise it may be testing nothing.
//
// It needs root, /dev/fuse, loop devices, mount and mkfs.ext4. Nothing is left behind when the test is killed: mounts are in
// a name space of its process, and loop devices go with them.
package powercut
