// Package linecut is a line to a server that can be cut, for tests of what two programs promise each other over a network:
// a question that never arrives, an answer that is lost after the deed, half an answer.
//
//	line, err := linecut.Lay("127.0.0.1:7180")
//	… speak to line.Address() …
//	line.Break() // what is open breaks off, wherever it is; a new connection comes through
//	line.Cut()   // nothing comes through any more, until Mend
//	err = line.Close()
//
// It carries bytes and knows nothing of what they mean, so that TLS goes through it from end to end.
package linecut

import (
	"errors"
	"net"
	"sync"
)

// Line is a port on this machine whose connections lead to a server. It is safe for use by several goroutines.
type Line struct {
	to       string
	listener net.Listener
	carrying sync.WaitGroup

	// mu guards everything that follows.
	mu   sync.Mutex
	cut  bool
	open map[net.Conn]bool
}

// Lay lays a line to a server's address, which need not listen yet.
func Lay(to string) (*Line, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	l := &Line{to: to, listener: listener, open: map[net.Conn]bool{}}
	l.carrying.Go(l.accept)
	return l, nil
}

// Address returns what to speak to in place of the server.
func (l *Line) Address() string { return l.listener.Addr().String() }

// Cut breaks off what is open and lets nothing through.
func (l *Line) Cut() { l.breakOff(true) }

// Mend lets through what comes from now on.
func (l *Line) Mend() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cut = false
}

// Break breaks off what is open.
func (l *Line) Break() {
	l.mu.Lock()
	cut := l.cut
	l.mu.Unlock()
	l.breakOff(cut)
}

func (l *Line) breakOff(cut bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cut = cut
	for end := range l.open {
		end.Close()
	}
}

// Close cuts the line for good and waits until nothing is carried any more.
func (l *Line) Close() error {
	err := l.listener.Close()
	l.Cut()
	l.carrying.Wait()
	return err
}

func (l *Line) accept() {
	for {
		near, err := l.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err == nil {
			l.carrying.Go(func() { l.carry(near) })
		}
	}
}

// carry carries bytes both ways until either end, or the line, breaks.
func (l *Line) carry(near net.Conn) {
	defer near.Close()
	if !l.hold(near) {
		return
	}
	defer l.release(near)
	far, err := net.Dial("tcp", l.to)
	if err != nil {
		return
	}
	defer far.Close()
	if !l.hold(far) {
		return
	}
	defer l.release(far)
	var ways sync.WaitGroup
	for from, to := range map[net.Conn]net.Conn{near: far, far: near} {
		ways.Go(func() {
			pass(to, from)
			near.Close()
			far.Close()
		})
	}
	ways.Wait()
}

// pass copies in small pieces, so that a break falls between any two.
func pass(to, from net.Conn) {
	piece := make([]byte, 512)
	for {
		n, err := from.Read(piece)
		if n > 0 {
			if _, err := to.Write(piece[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// hold notes that an end is open, unless the line is cut. A broken end is reset: its peer hears of it at once.
func (l *Line) hold(end net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cut {
		return false
	}
	if tcp, is := end.(*net.TCPConn); is {
		_ = tcp.SetLinger(0)
	}
	l.open[end] = true
	return true
}

func (l *Line) release(end net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.open, end)
}
