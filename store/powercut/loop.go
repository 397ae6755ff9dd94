package powercut

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// tries bounds how often another process may take the free loop device that was found.
const tries = 50

// attach puts a loop device on a file, which the kernel takes off once nothing is mounted from it and the answer is closed.
// It is not left to mount -o loop: that asks every loop device of the machine for its file, also those of a test that hangs.
func attach(path string) (*os.File, error) {
	backing, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer backing.Close()
	control, err := os.OpenFile("/dev/loop-control", os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer control.Close()
	for range tries {
		number, err := unix.IoctlRetInt(int(control.Fd()), unix.LOOP_CTL_GET_FREE)
		if err != nil {
			return nil, fmt.Errorf("finding a loop device: %w", err)
		}
		device, err := os.OpenFile(fmt.Sprintf("/dev/loop%d", number), os.O_RDWR, 0)
		if err != nil {
			return nil, err
		}
		err = unix.IoctlLoopConfigure(int(device.Fd()), &unix.LoopConfig{
			Fd: uint32(backing.Fd()), Info: unix.LoopInfo64{Flags: unix.LO_FLAGS_AUTOCLEAR},
		})
		if err == nil {
			return device, nil
		}
		device.Close()
		if !errors.Is(err, unix.EBUSY) {
			return nil, fmt.Errorf("putting a loop device on %s: %w", path, err)
		}
	}
	return nil, errors.New("other processes took every loop device")
}

// mountImage mounts a file that holds a file system.
func mountImage(path, folder string) error {
	device, err := attach(path)
	if err != nil {
		return err
	}
	return errors.Join(run("mount", "-t", "ext4", device.Name(), folder), device.Close())
}

// keepFromChildren has no child process take over the file system's end of the kernel: while any has it open, the kernel
// waits for answers after this process has ended.
func keepFromChildren() error {
	const open = "/proc/self/fd/"
	files, err := os.ReadDir(open)
	if err != nil {
		return err
	}
	for _, file := range files {
		if to, err := os.Readlink(open + file.Name()); err == nil && to == "/dev/fuse" {
			var number int
			if _, err := fmt.Sscan(file.Name(), &number); err != nil {
				return err
			}
			unix.CloseOnExec(number)
		}
	}
	return nil
}
