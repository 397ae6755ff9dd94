package kiosk

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coreos/go-systemd/v22/activation"
	"golang.org/x/sys/unix"

	"reelkiosk/store/vault"
)

// processKeys makes this test's own program a process that stores keys, or finds them.
const processKeys = "REELKIOSK_TEST_KEYS"

// owner is a fingerprint; other is another's.
var owner, other = strings.Repeat("0a", 32), strings.Repeat("0b", 32)

func someKeys(seed byte) vault.Keys {
	return vault.Keys{Lookup: [32]byte{seed, 1}, Data: [32]byte{seed, 2}}
}

// beKeeper stores keys and waits to be killed, or says what it finds.
func beKeeper(what string) {
	if what == "store" {
		err := StoreKeys(os.Getenv("NOTIFY_SOCKET"), owner, someKeys(1), 3)
		fmt.Println("stored", err)
		_, _ = io.Copy(io.Discard, os.Stdin)
		return
	}
	keys, number, err := FoundKeys(activation.Files(true), owner)
	fmt.Println("found", number, keys == someKeys(1), err)
}

// systemd plays the service manager: it keeps descriptors by name and hands them to what it starts.
type systemd struct {
	*testing.T
	socket *net.UnixConn
	path   string
	store  []*os.File
}

func newSystemd(t *testing.T) *systemd {
	t.Helper()
	s := &systemd{T: t, path: filepath.Join(t.TempDir(), "notify")}
	socket, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: s.path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	s.socket = socket
	t.Cleanup(func() { socket.Close(); s.reboot() })
	return s
}

// hear takes one message as sd_pid_notify_with_fds(3) describes it.
func (s *systemd) hear() string {
	s.Helper()
	s.socket.SetReadDeadline(time.Now().Add(10 * time.Second))
	text, rights := make([]byte, 4096), make([]byte, unix.CmsgSpace(4*8))
	length, size, _, _, err := s.socket.ReadMsgUnix(text, rights)
	if err != nil {
		s.Fatal(err)
	}
	state := string(text[:length])
	var descriptors []int
	if messages, err := unix.ParseSocketControlMessage(rights[:size]); err == nil && len(messages) > 0 {
		if descriptors, err = unix.ParseUnixRights(&messages[0]); err != nil {
			s.Fatal(err)
		}
	}
	switch state {
	case "FDSTOREREMOVE=1\nFDNAME=" + KeysName:
		s.reboot()
	case "FDSTORE=1\nFDNAME=" + KeysName:
		for _, descriptor := range descriptors {
			s.store = append(s.store, os.NewFile(uintptr(descriptor), KeysName))
		}
	default:
		s.Fatalf("heard %q", state)
	}
	return state
}

// reboot forgets what a start of the machine does not survive.
func (s *systemd) reboot() {
	for _, file := range s.store {
		file.Close()
	}
	s.store = nil
}

// start starts a process with what is in the store; it returns its first line, and what kills it.
func (s *systemd) start(what string) (line string, kill func()) {
	s.Helper()
	// LISTEN_PID is the process's own, which the shell knows before it becomes it.
	command := exec.Command("sh", "-c", `LISTEN_PID=$$ exec "$0"`, os.Args[0])
	names := make([]string, len(s.store))
	for i := range s.store {
		names[i] = KeysName
	}
	command.ExtraFiles = s.store
	command.Env = append(os.Environ(), processKeys+"="+what, "NOTIFY_SOCKET="+s.path,
		fmt.Sprintf("LISTEN_FDS=%d", len(s.store)), "LISTEN_FDNAMES="+strings.Join(names, ":"))
	command.Stderr = os.Stderr
	input, err := command.StdinPipe()
	if err != nil {
		s.Fatal(err)
	}
	output, err := command.StdoutPipe()
	if err != nil {
		s.Fatal(err)
	}
	if err := command.Start(); err != nil {
		s.Fatal(err)
	}
	line, err = bufio.NewReader(output).ReadString('\n')
	if err != nil {
		s.Fatal(err)
	}
	return strings.TrimSpace(line), func() {
		_ = command.Process.Kill()
		_ = input.Close()
		_ = command.Wait()
	}
}

func TestKeysOutliveTheProcessAndNotTheMachinesStart(t *testing.T) {
	s := newSystemd(t)
	line, kill := s.start("store")
	if line != "stored <nil>" {
		t.Fatal(line)
	}
	s.hear()
	s.hear()
	kill()
	for range 2 { // systemd keeps what it handed over
		line, end := s.start("find")
		if line != "found 3 true <nil>" {
			t.Errorf("after a restart of the process: %s", line)
		}
		end()
	}
	s.reboot()
	line, end := s.start("find")
	if line != "found 0 false <nil>" {
		t.Errorf("after a reboot: %s", line)
	}
	end()
}

func TestNewKeysTakeThePlaceOfOld(t *testing.T) {
	s := newSystemd(t)
	for number := range uint32(2) {
		if err := StoreKeys(s.path, owner, someKeys(byte(number)), number+1); err != nil {
			t.Fatal(err)
		}
		s.hear()
		s.hear()
	}
	if len(s.store) != 1 {
		t.Fatalf("%d descriptors are kept", len(s.store))
	}
	keys, number, err := FoundKeys(s.store, owner)
	if err != nil || number != 2 || keys != someKeys(1) {
		t.Errorf("got %d, %v", number, err)
	}
	s.store = nil
}

func TestWithoutAServiceManagerKeysAreKeptByNobody(t *testing.T) {
	if err := StoreKeys("", owner, someKeys(1), 1); err != nil {
		t.Error(err)
	}
	if err := StoreKeys(filepath.Join(t.TempDir(), "none"), owner, someKeys(1), 1); err == nil {
		t.Error("nobody listens, and it is not said")
	}
}

func TestDescriptorsThatAreNotTheKiosksKeys(t *testing.T) {
	sealed := func(of string) *os.File {
		file, err := sealKeys(of, someKeys(1), 1)
		if err != nil {
			t.Fatal(err)
		}
		return file
	}
	plain := func() *os.File { // and of the right contents
		path := filepath.Join(t.TempDir(), "keys")
		file := sealed(owner)
		defer file.Close()
		text := make([]byte, sealedSize)
		if _, err := file.ReadAt(text, 0); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		opened, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		return os.NewFile(opened.Fd(), KeysName)
	}
	for name, file := range map[string]*os.File{"of an earlier enrolment": sealed(other), "a file on a disk": plain()} {
		if _, number, err := FoundKeys([]*os.File{file}, owner); number != 0 || !errors.Is(err, errSealed) {
			t.Errorf("%s: got %d, %v", name, number, err)
		}
	}
	stranger, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer stranger.Close()
	if _, number, err := FoundKeys([]*os.File{stranger}, owner); number != 0 || err != nil {
		t.Errorf("a descriptor of another name: got %d, %v", number, err)
	}
}

func TestASealedFileCannotBeChanged(t *testing.T) {
	file, err := sealKeys(owner, someKeys(1), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.WriteAt([]byte("x"), 0); err == nil {
		t.Error("it was written to")
	}
	if err := file.Truncate(0); err == nil {
		t.Error("it was cut short")
	}
}

// FuzzParseKeys reads what the service manager hands over.
func FuzzParseKeys(f *testing.F) {
	file, err := sealKeys(owner, someKeys(1), 1)
	if err != nil {
		f.Fatal(err)
	}
	text := make([]byte, sealedSize)
	if _, err := file.ReadAt(text, 0); err != nil {
		f.Fatal(err)
	}
	file.Close()
	f.Add(text)
	f.Add([]byte(nil))
	f.Fuzz(func(t *testing.T, text []byte) {
		if _, number, err := parseKeys(text, owner); (err == nil) != (number > 0) {
			t.Errorf("got %d, %v", number, err)
		}
	})
}
