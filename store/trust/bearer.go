package trust

import (
	"context"
	"crypto/tls"
	"sync/atomic"
	"time"
)

// Bearer is an identity in use, and its file. It is renewed while connections go on: those that are open keep the
// certificate they were opened with, and new ones show the new one.
type Bearer struct {
	path string
	now  atomic.Pointer[Identity]
}

// NewBearer returns the bearer of the identity in a file. The error is LoadIdentity's.
func NewBearer(path string) (*Bearer, error) {
	identity, err := LoadIdentity(path)
	if err != nil {
		return nil, err
	}
	b := &Bearer{path: path}
	b.now.Store(identity)
	return b, nil
}

// Identity returns the identity of the moment.
func (b *Bearer) Identity() *Identity { return b.now.Load() }

// TLS returns the client's TLS configuration.
func (b *Bearer) TLS() *tls.Config { return clientConfig(b.Identity) }

// Renew has the certificate renewed if that is due at the given time, and reports whether it was. ask asks central for the
// new one; it is in the file before it is used.
func (b *Bearer) Renew(ctx context.Context, now time.Time, ask func(context.Context) (certificate []byte, err error)) (bool, error) {
	identity := b.Identity()
	if !identity.Due(now) {
		return false, nil
	}
	certificate, err := ask(ctx)
	if err != nil {
		return false, err
	}
	renewed, err := identity.Renewed(certificate)
	if err != nil {
		return false, err
	}
	if err := renewed.Save(b.path); err != nil {
		return false, err
	}
	b.now.Store(renewed)
	return true, nil
}
