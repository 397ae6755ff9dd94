package central

import (
	"net"
	"sync"
)

const (
	// mostConnections bounds how many connections are open, and mostFromOne how many from one address: a floor has some
	// hundred kiosks with a few each.
	mostConnections = 4096
	mostFromOne     = 1024
)

// limited is a listener that closes the connections that are too many as soon as they come: those that are open go on, and
// whoever is told to come again does not wait for nothing.
type limited struct {
	net.Listener
	most, fromOne int

	// mu guards everything that follows.
	mu   sync.Mutex
	all  int
	from map[string]int
}

func limit(listener net.Listener) *limited {
	return &limited{Listener: listener, most: mostConnections, fromOne: mostFromOne, from: map[string]int{}}
}

// Accept returns the next connection that is not too many.
func (l *limited) Accept() (net.Conn, error) {
	for {
		next, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		host := next.RemoteAddr().String()
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		if l.count(host) {
			return &counted{Conn: next, over: sync.OnceFunc(func() { l.leave(host) })}, nil
		}
		_ = next.Close() // nothing was said on it
	}
}

// count counts a connection, unless there are too many.
func (l *limited) count(host string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.all >= l.most || l.from[host] >= l.fromOne {
		return false
	}
	l.all++
	l.from[host]++
	return true
}

func (l *limited) leave(host string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all--
	if l.from[host]--; l.from[host] == 0 {
		delete(l.from, host)
	}
}

// counted is a connection that is counted until it is closed.
type counted struct {
	net.Conn
	over func()
}

// Close closes the connection.
func (c *counted) Close() error {
	defer c.over()
	return c.Conn.Close()
}
