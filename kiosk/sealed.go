package kiosk

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"os"

	"golang.org/x/sys/unix"

	"reelkiosk/store/vault"
)

// A kiosk's keys outlive its process and not the machine's start: they lie in a sealed memory file (memfd_create(2)) whose
// descriptor systemd keeps for the service (sd_pid_notify_with_fds(3), FDSTORE=1; FileDescriptorStoreMax=1 in its unit) and
// hands to the next process (sd_listen_fds_with_names(3)). A machine with swap would write them to a disk: a kiosk has none.

// KeysName is the name of the descriptor in systemd's store, and of the memory file.
const KeysName = "reelkiosk-keys"

// allSeals are those without which a memory file is nobody's keys: it can be neither written nor resized any more.
const allSeals = unix.F_SEAL_SEAL | unix.F_SEAL_SHRINK | unix.F_SEAL_GROW | unix.F_SEAL_WRITE

// sealedMagic begins the file. Then come the fingerprint of the kiosk's own public key (64 bytes, trust.Peer.Key), the
// floor key's number (4 bytes, the most significant first), the lookup key and the floor key (32 bytes each).
const sealedMagic = "reelkiosk keys 1\n"

const (
	ownerSize  = 64
	sealedSize = len(sealedMagic) + ownerSize + 4 + 32 + 32
)

// errSealed is wrapped where a descriptor is not that of a kiosk's keys.
var errSealed = errors.New("not this kiosk's keys")

// StoreKeys gives the keys to the service manager at a socket, the environment's NOTIFY_SOCKET, in the place of earlier
// ones. Where there is no service manager, and so no socket, they are kept by nobody. owner is the fingerprint of the
// kiosk's public key: enrolled anew, perhaps with another central, it has no use for the old keys.
func StoreKeys(socket, owner string, keys vault.Keys, number uint32) error {
	if socket == "" {
		return nil
	}
	file, err := sealKeys(owner, keys, number)
	if err != nil {
		return err
	}
	defer file.Close() // the service manager has a descriptor of its own
	if err := notify(socket, "FDSTOREREMOVE=1\nFDNAME="+KeysName, nil); err != nil {
		return err
	}
	return notify(socket, "FDSTORE=1\nFDNAME="+KeysName, unix.UnixRights(int(file.Fd())))
}

// FoundKeys returns the keys among the descriptors that the service manager handed over, if they are there, and closes all
// of that name. The error says what is wrong with one.
func FoundKeys(files []*os.File, owner string) (keys vault.Keys, number uint32, err error) {
	for _, file := range files {
		if file.Name() != KeysName {
			continue
		}
		found, of, wrong := openKeys(file, owner)
		if wrong != nil {
			err = errors.Join(err, wrong)
		} else if of > number {
			keys, number = found, of
		}
		err = errors.Join(err, file.Close())
	}
	return keys, number, err
}

// sealKeys writes keys to a memory file and seals it.
func sealKeys(owner string, keys vault.Keys, number uint32) (*os.File, error) {
	if len(owner) != ownerSize {
		return nil, fmt.Errorf("sealing the keys: a fingerprint has %d digits", ownerSize)
	}
	descriptor, err := unix.MemfdCreate(KeysName, unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return nil, fmt.Errorf("making a memory file: %w", err)
	}
	file := os.NewFile(uintptr(descriptor), KeysName)
	text := binary.BigEndian.AppendUint32([]byte(sealedMagic+owner), number)
	text = append(append(text, keys.Lookup[:]...), keys.Data[:]...)
	_, err = file.Write(text)
	if err == nil {
		_, err = unix.FcntlInt(file.Fd(), unix.F_ADD_SEALS, allSeals)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("sealing the keys: %w", err), file.Close())
	}
	return file, nil
}

// openKeys reads a sealed memory file.
func openKeys(file *os.File, owner string) (vault.Keys, uint32, error) {
	seals, err := unix.FcntlInt(file.Fd(), unix.F_GET_SEALS, 0)
	if err != nil || seals&allSeals != allSeals {
		return vault.Keys{}, 0, fmt.Errorf("%w: it is no sealed memory file", errSealed)
	}
	text := make([]byte, sealedSize+1)
	read, _ := file.ReadAt(text, 0) // it ends before the buffer does
	return parseKeys(text[:read], owner)
}

// parseKeys reads what sealKeys wrote.
func parseKeys(text []byte, owner string) (keys vault.Keys, number uint32, err error) {
	rest, is := bytes.CutPrefix(text, []byte(sealedMagic))
	if !is || len(text) != sealedSize {
		return vault.Keys{}, 0, fmt.Errorf("%w: another format", errSealed)
	}
	if string(rest[:ownerSize]) != owner {
		return vault.Keys{}, 0, fmt.Errorf("%w: they are of an earlier enrolment", errSealed)
	}
	rest = rest[ownerSize:]
	number = binary.BigEndian.Uint32(rest)
	copy(keys.Lookup[:], rest[4:])
	copy(keys.Data[:], rest[4+32:])
	if number == 0 {
		return vault.Keys{}, 0, fmt.Errorf("%w: no number", errSealed)
	}
	return keys, number, nil
}

// notify sends a state with descriptors to the service manager (sd_notify(3)). A name that begins with '@' is abstract
// (unix(7)).
func notify(socket, state string, rights []byte) error {
	// A socket that is connected sends no descriptors (net.UnixConn.WriteMsgUnix); without a name it is given one (unix(7)).
	from, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Net: "unixgram"})
	if err != nil {
		return fmt.Errorf("a socket for the service manager: %w", err)
	}
	defer from.Close()
	if _, _, err := from.WriteMsgUnix([]byte(state), rights, &net.UnixAddr{Name: socket, Net: "unixgram"}); err != nil {
		return fmt.Errorf("telling the service manager: %w", err)
	}
	return nil
}
