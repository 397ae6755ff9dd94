// Package client speaks to central: one method for each call of the API under /v1, used by the kiosk, the desk and
// reelctl.
//
// Every method returns one of four things, and a caller acts differently on each:
//
//   - an answer, and no error;
//   - an error that is a *tournament.Refusal (errors.As): central decided, and the rules do not allow it;
//   - an error that is ErrAway (errors.Is): there is no answer that could be trusted. Nothing listened, the line broke, the
//     answer was cut off, came from somebody else (a proxy's 502, a login page) or too late; or central says that it cannot
//     take requests at the moment. Whether the act was done is not known. The same request with the same key may be sent
//     again and will have one effect (design decision 3); Retry does it;
//   - an error that is a *wire.Problem: the request is malformed, or central has a fault. Sending it again does not help.
//
// A request that changes the books takes a Key, which the caller has persisted before. The key is bound to the very bytes
// of the body: who keeps requests over a restart keeps their bodies and sends them with Send.
package client

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"
)

// ErrAway is wrapped by every error after which it is unknown whether central did what it was asked; see the package
// comment.
var ErrAway = errors.New("no answer from central")

// Defaults of Options.
const (
	// DefaultTimeout is how long one try of an ordinary call may take, from dialling to the last byte of the answer.
	DefaultTimeout = 10 * time.Second
	// DefaultLongTimeout is the same for the commit of an import.
	DefaultLongTimeout = 15 * time.Minute
)

// dialTimeout bounds the making of a connection; central is near.
const dialTimeout = 3 * time.Second

// idleTimeout is how long a connection without requests is kept.
const idleTimeout = 90 * time.Second

// maxConnections bounds the connections that one client keeps open and idle.
const maxConnections = 256

// Options adjust a Client; the zero value is good.
type Options struct {
	// Timeout bounds one try of an ordinary call, DefaultTimeout if 0.
	Timeout time.Duration
	// LongTimeout bounds the commit of an import, DefaultLongTimeout if 0.
	LongTimeout time.Duration
	// TLS is the configuration for https addresses.
	TLS *tls.Config
	// Instance is the sender's start, for kiosks and desks (wire.HeaderInstance).
	Instance string
}

// Client calls one central. It is safe for concurrent use.
type Client struct {
	base    string
	options Options
	http    *http.Client
	// connections are those that new requests go over.
	connections atomic.Pointer[http.Transport]
}

// New returns a client of the central at a base address such as "http://127.0.0.1:7180". It connects to nothing yet; an
// error says what is wrong with the address.
func New(base string, options Options) (*Client, error) {
	address, err := url.Parse(base)
	if err != nil {
		return nil, fmt.Errorf("address of central: %w", err)
	}
	if address.Scheme != "http" && address.Scheme != "https" || address.Host == "" {
		return nil, fmt.Errorf("address of central %q: want http://HOST:PORT or https://HOST:PORT", base)
	}
	if address.Path != "" && address.Path != "/" || address.RawQuery != "" || address.Fragment != "" || address.User != nil {
		return nil, fmt.Errorf("address of central %q: want nothing but scheme, host and port", base)
	}
	if options.Timeout <= 0 {
		options.Timeout = DefaultTimeout
	}
	if options.LongTimeout <= 0 {
		options.LongTimeout = DefaultLongTimeout
	}
	c := &Client{
		base:    address.Scheme + "://" + address.Host,
		options: options,
		http: &http.Client{
			// A redirection is not from central: it never sends one.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	c.Shed()
	c.http.Transport = sender{c}
	return c, nil
}

// sender sends a request over the connections of the moment.
type sender struct{ client *Client }

func (s sender) RoundTrip(request *http.Request) (*http.Response, error) {
	return s.client.connections.Load().RoundTrip(request)
}

// Shed has the requests to come sent over new connections, which show the certificate of then. Those that are on their way
// are not disturbed.
func (c *Client) Shed() {
	before := c.connections.Swap(&http.Transport{
		// No proxy, whatever the environment says: the line to central is direct, and players' numbers go over it.
		Proxy:               nil,
		DialContext:         (&net.Dialer{Timeout: dialTimeout, KeepAlive: 15 * time.Second}).DialContext,
		TLSClientConfig:     c.options.TLS,
		TLSHandshakeTimeout: dialTimeout,
		MaxIdleConns:        maxConnections,
		MaxIdleConnsPerHost: maxConnections,
		IdleConnTimeout:     idleTimeout,
		DisableCompression:  true,
	})
	if before != nil {
		before.CloseIdleConnections()
	}
}

// Base returns the address of central.
func (c *Client) Base() string { return c.base }

// Close closes idle connections. The client may still be used.
func (c *Client) Close() { c.connections.Load().CloseIdleConnections() }
