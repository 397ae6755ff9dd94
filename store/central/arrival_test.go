package central

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"reelkiosk/store/wire"
)

// stall begins a request whose body of so many bytes never comes whole.
func (h *house) stall(path string, length int, sent string) net.Conn {
	h.Helper()
	line, err := net.Dial("tcp", strings.TrimPrefix(h.base, "http://"))
	if err != nil {
		h.Fatal(err)
	}
	h.Cleanup(func() { line.Close() })
	_, err = fmt.Fprintf(line, "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n%s: sl/1\r\nContent-Length: %d\r\n\r\n%s",
		path, wire.HeaderKey, length, sent)
	if err != nil {
		h.Fatal(err)
	}
	return line
}

// answered reads the answer and then the end of the connection, and returns the answer's status.
func (h *house) answered(line net.Conn) int {
	h.Helper()
	_ = line.SetReadDeadline(time.Now().Add(10 * time.Second))
	reader := bufio.NewReader(line)
	answer, err := http.ReadResponse(reader, nil)
	if err != nil {
		h.Fatalf("no answer: %v", err)
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, answer.Body)
	if rest, err := reader.ReadByte(); err != io.EOF {
		h.Errorf("the connection stayed open: %v, %v", rest, err)
	}
	return answer.StatusCode
}

func TestCallerWhoseBodyStallsWasNeverAnsweredNorReleased(t *testing.T) {
	h := newHouse(t)
	h.arrivals.patience = 50 * time.Millisecond
	for name, path := range map[string]string{
		"an act": wire.PathNotices, "rows": wire.PathImports + "/x/rows", "what there is not": "/v1/nothing",
	} {
		for _, length := range []int{100, 60_000} {
			if status := h.answered(h.stall(path, length, "{")); status != http.StatusBadRequest {
				t.Errorf("%s, %d bytes: %d", name, length, status)
			}
		}
	}
	if status := h.answered(h.stall(wire.PathNotices, 10*mostBody, strings.Repeat(" ", mostBody+1))); status != http.StatusRequestEntityTooLarge {
		t.Errorf("a body that is too long: %d", status)
	}
	h.arrivals.mu.Lock()
	defer h.arrivals.mu.Unlock()
	if len(h.arrivals.reading) > 0 || h.arrivals.bytes > 0 {
		t.Errorf("left over: %d bodies, %d bytes", len(h.arrivals.reading), h.arrivals.bytes)
	}
}

func TestStopWaitedForACallerWhoseBodyStalls(t *testing.T) {
	h := newHouse(t)
	line := h.stall(wire.PathNotices, 60_000, "{")
	await(t, func() bool {
		h.arrivals.mu.Lock()
		defer h.arrivals.mu.Unlock()
		return len(h.arrivals.reading) == 1
	})
	h.stop() // whose context does not end
	if status := h.answered(line); status != http.StatusServiceUnavailable {
		t.Errorf("the caller was told %d", status)
	}
}

func TestBodiesInFlightAreBounded(t *testing.T) {
	h := newHouse(t)
	release, refused := h.arrivals.take(mostArriving)
	if refused != nil {
		t.Fatal(refused)
	}
	if status := h.answered(h.stall(wire.PathNotices, 100, "{")); status != http.StatusServiceUnavailable {
		t.Errorf("without room: %d", status)
	}
	if _, err := h.client.Health(t.Context()); err != nil {
		t.Errorf("a request without a body: %v", err)
	}
	release()
	h.player(1)
}

func TestTooManyConnectionsAreClosedAndTheOthersGoOn(t *testing.T) {
	under, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener := limit(under)
	listener.most, listener.fromOne = 3, 2
	defer listener.Close()
	accepted := make(chan net.Conn, 10)
	go func() {
		defer close(accepted)
		for {
			next, err := listener.Accept()
			if err != nil {
				return
			}
			accepted <- next
		}
	}()
	dial := func() net.Conn {
		line, err := new(net.Dialer).DialContext(context.Background(), "tcp", under.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { line.Close() })
		return line
	}
	dial()
	dial()
	first := <-accepted
	second := <-accepted
	third := dial()
	_ = third.SetReadDeadline(time.Now().Add(10 * time.Second))
	if _, err := third.Read(make([]byte, 1)); err == nil || strings.Contains(err.Error(), "timeout") {
		t.Errorf("the third connection of one address: %v", err)
	}
	first.Close()
	first.Close() // which is counted once
	dial()
	last := <-accepted
	second.Close()
	last.Close()
	if listener.all != 0 || len(listener.from) != 0 {
		t.Errorf("counted as open: %d, %v", listener.all, listener.from)
	}
}
