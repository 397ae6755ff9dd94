package central

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"time"
)

const (
	// headerTimeout and bodyTimeout bound how long a request may take to arrive, answerTimeout how long its answer may
	// take to be made and read; the commit of an import is not bound.
	headerTimeout = 5 * time.Second
	bodyTimeout   = 20 * time.Second
	answerTimeout = 60 * time.Second
	// idleTimeout is how long a connection without requests is kept.
	idleTimeout = 2 * time.Minute
	// mostHeader is the most bytes of a request's header.
	mostHeader = 16 << 10
)

// ErrNotLoopback is wrapped by Listen where the address can be reached from other machines.
var ErrNotLoopback = errors.New("without TLS central listens only on this machine (127.0.0.1, ::1 or localhost): " +
	"whoever reached it could take seats in anybody's name")

// ErrNoAuthority is wrapped by ListenTLS where there is no certificate authority.
var ErrNoAuthority = errors.New("there is no certificate authority; make one with: reelctl operator")

// ListenTLS listens on an address such as ":7180" for those who have a certificate of central's authority, and those who
// want one. The names are central's besides its addresses, for programs that go by names; kiosks go by the authority. The
// error wraps ErrNoAuthority.
func (o Options) ListenTLS(address string, names []string) (net.Listener, error) {
	o.fill()
	if o.Authority == nil {
		return nil, ErrNoAuthority
	}
	if _, _, err := net.SplitHostPort(address); err != nil {
		return nil, fmt.Errorf("listening on %q: want HOST:PORT, such as 127.0.0.1:7180 or :7180", address)
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listening on %q: %w", address, err)
	}
	names = append(ownNames(listener.Addr()), names...)
	return tls.NewListener(limit(listener), o.Authority.ServerConfig(names, o.Wall)), nil
}

// ownNames are the addresses and the names by which this machine is reached on an address.
func ownNames(address net.Addr) []string {
	bound, ok := address.(*net.TCPAddr)
	if ok && !bound.IP.IsUnspecified() && !bound.IP.IsLoopback() {
		return []string{bound.IP.String()}
	}
	names := []string{"localhost"}
	if host, err := os.Hostname(); err == nil {
		names = append(names, host)
	}
	addresses, _ := net.InterfaceAddrs() // without them there are the names
	for _, each := range addresses {
		if network, ok := each.(*net.IPNet); ok {
			names = append(names, network.IP.String())
		}
	}
	return names
}

// Listen listens without TLS, for a demonstration, on an address such as "127.0.0.1:7180"; port 0 takes one that is free. It refuses any address that is
// not of this machine alone, with an error that wraps ErrNotLoopback.
func Listen(address string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("listening on %q: want HOST:PORT, such as 127.0.0.1:7180", address)
	}
	if host == "localhost" {
		host = "127.0.0.1" // whatever the machine's tables and name servers say (RFC 6761, section 6.3)
	}
	ip, err := netip.ParseAddr(host)
	if err != nil || !ip.Unmap().IsLoopback() {
		return nil, fmt.Errorf("listening on %q: %w", address, ErrNotLoopback)
	}
	listener, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, fmt.Errorf("listening on %q: %w", address, err)
	}
	return limit(listener), nil
}

// Serve answers requests on a listener until Stop, and returns nil then.
func (c *Central) Serve(listener net.Listener) error {
	err := c.http.Serve(listener)
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// Stop ends central: it takes no new requests, finishes those that it accepted, answers them until ctx ends, and releases
// the store. What was accepted is finished even where its caller can no longer be answered.
func (c *Central) Stop(ctx context.Context) error {
	c.stopping.Store(true)
	c.arrivals.end()
	c.writer.close()
	c.feed.stop()
	c.snapshots.stop()
	err := c.http.Shutdown(ctx)
	if err != nil {
		err = errors.Join(fmt.Errorf("some callers were not answered: %w", err), c.http.Close())
	}
	c.imports.stop()
	c.keepReports(0)
	return errors.Join(err, c.writer.stop(), c.lists.close())
}

func newServer(handler http.Handler) *http.Server {
	return &http.Server{
		Handler: handler,
		// There is no ReadTimeout: it would also end requests that are long at work, since the server reads on to notice
		// that a caller left. The body has its own limit.
		ReadHeaderTimeout: headerTimeout,
		WriteTimeout:      headerTimeout + bodyTimeout + answerTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    mostHeader,
	}
}

// ownHost reports whether a request was addressed to this machine by a name that only this machine has. A page of a
// stranger, open in a browser here, may make its own name point here (DNS rebinding), but cannot change what the browser
// says the name was.
func ownHost(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = strings.Trim(host, "[]")
	}
	ip, err := netip.ParseAddr(name)
	return name == "localhost" || err == nil && ip.Unmap().IsLoopback()
}
