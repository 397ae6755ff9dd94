package linecut

import (
	"io"
	"net"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// echo is a server that says again what it hears.
func echo(t *testing.T) net.Listener {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for {
			heard, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer heard.Close()
				_, _ = io.Copy(heard, heard)
			}()
		}
	}()
	return listener
}

// says sends a word and reports whether it comes back.
func says(end net.Conn) bool {
	if _, err := end.Write([]byte("word")); err != nil {
		return false
	}
	_, err := io.ReadFull(end, make([]byte, 4))
	return err == nil
}

func TestALineIsCutAndMended(t *testing.T) {
	server := echo(t)
	defer server.Close()
	line, err := Lay(server.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer line.Close()
	dial := func() net.Conn {
		t.Helper()
		end, err := net.Dial("tcp", line.Address())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { end.Close() })
		return end
	}
	first := dial()
	if !says(first) {
		t.Error("nothing comes through a whole line")
	}
	line.Break()
	second := dial()
	if says(first) || !says(second) {
		t.Error("a break is for what was open alone")
	}
	line.Cut()
	third := dial()
	if says(second) || says(third) {
		t.Error("something comes through a line that is cut")
	}
	line.Mend()
	if !says(dial()) {
		t.Error("nothing comes through a line that was mended")
	}
}
