package trust

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"
)

// CentralName is in every central's certificate, and is the name that clients ask for (RFC 6066, section 3), whatever
// address they dial. The domain can never be registered (RFC 6761, section 6.4).
const CentralName = "central.reelkiosk.invalid"

// protocol is what both sides speak over TLS (RFC 7301).
const protocol = "http/1.1"

// ServerConfig returns the TLS configuration of a central with these names and addresses besides CentralName. It speaks TLS
// 1.3 (RFC 8446) only. A client that shows a certificate of anybody else's is refused in the handshake; one that shows none
// is let in, and it is the API's matter what it may ask for. The server's key and certificate are made here, live in memory
// and are renewed there.
func (a *Authority) ServerConfig(names []string, now func() time.Time) *tls.Config {
	server := &server{authority: a, names: names, now: now}
	clients := x509.NewCertPool()
	clients.AddCert(a.certificate)
	return &tls.Config{
		MinVersion: tls.VersionTLS13, NextProtos: []string{protocol}, SessionTicketsDisabled: true,
		ClientAuth: tls.RequestClientCert, ClientCAs: clients,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return server.certificate() },
		VerifyConnection: func(state tls.ConnectionState) error {
			if len(state.PeerCertificates) == 0 {
				return nil
			}
			_, err := a.Verify(state.PeerCertificates[0])
			return err
		},
	}
}

// server is what a central shows in handshakes.
type server struct {
	authority *Authority
	names     []string
	now       func() time.Time

	// mu guards everything that follows.
	mu    sync.Mutex
	shown *tls.Certificate
}

func (s *server) certificate() (*tls.Certificate, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	if s.shown != nil && now.After(s.shown.Leaf.NotBefore) && now.Before(s.shown.Leaf.NotBefore.Add(Lifetime*2/3)) {
		return s.shown, nil
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("making a key: %w", err)
	}
	template := &x509.Certificate{
		Subject:  pkix.Name{CommonName: CentralName},
		DNSNames: []string{CentralName}, NotBefore: now.Add(-backdated), NotAfter: now.Add(Lifetime),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true,
	}
	for _, name := range s.names {
		if ip := net.ParseIP(name); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, name)
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, s.authority.certificate, key.Public(), s.authority.key)
	if err != nil {
		return nil, fmt.Errorf("making central's certificate: %w", err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, fmt.Errorf("making central's certificate: %w", err)
	}
	s.shown = &tls.Certificate{Certificate: [][]byte{der, s.authority.certificate.Raw}, PrivateKey: key, Leaf: leaf}
	return s.shown, nil
}

// ErrNoCentral is wrapped by the error of a handshake with a server that is not this authority's central.
var ErrNoCentral = errors.New("who answers is not central")

// clientConfig returns the TLS configuration of whoever has the identity that current returns at each handshake.
func clientConfig(current func() *Identity) *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS13, NextProtos: []string{protocol}, ServerName: CentralName,
		// What the library would verify against the kiosk's clock and the system's authorities is verified below.
		InsecureSkipVerify: true,
		VerifyConnection: func(state tls.ConnectionState) error {
			err := signedBy(state.PeerCertificates[0], current().authority, x509.ExtKeyUsageServerAuth, CentralName)
			if err != nil {
				return fmt.Errorf("%w: %w", ErrNoCentral, err)
			}
			return nil
		},
		GetClientCertificate: func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return current().presented(), nil },
	}
}

// ApplicantConfig returns the TLS configuration of a kiosk that is not enrolled yet: it believes nobody and shows nothing.
// Nothing but an Applicant's request may go over it, which proves itself.
func ApplicantConfig() *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS13, NextProtos: []string{protocol}, ServerName: CentralName, InsecureSkipVerify: true,
	}
}
