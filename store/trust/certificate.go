package trust

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"

	"reelkiosk/store/wire"
)

const (
	// Lifetime is how long a kiosk's certificate is good.
	Lifetime = 30 * 24 * time.Hour
	// backdated is how far before its making a certificate begins: clocks differ.
	backdated = time.Hour
)

var (
	// ErrStranger is wrapped where a certificate is not of this authority, or not one of a kiosk.
	ErrStranger = errors.New("not a certificate of this central")
	// ErrName is wrapped where a name cannot be a kiosk's.
	ErrName = errors.New("a kiosk's name is letters, digits and hyphens, at most 32, and begins with no hyphen")
	// ErrRequest is wrapped where a certificate request is none, or asks with a key that is not allowed.
	ErrRequest = errors.New("not a certificate request with a P-256 key")
)

// namePattern is that of kiosk/config.
var namePattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9-]{0,31}$`)

// scheme is that of the URI in a certificate: reelkiosk:ROLE/NAME.
const scheme = "reelkiosk"

// Peer is who a certificate says its owner is.
type Peer struct {
	Name string
	Role wire.Role
	// Key is the SHA-256 of the public key's SubjectPublicKeyInfo (RFC 5280, section 4.1.2.7) in hexadecimal.
	Key string
	// From and Until are when the certificate is good; Until is not included.
	From, Until time.Time
}

// Expired reports whether the certificate is over at that time.
func (p Peer) Expired(now time.Time) bool { return !now.Before(p.Until) }

// Due reports whether the certificate should be renewed: two thirds of its time are over.
func (p Peer) Due(now time.Time) bool {
	return now.After(p.From.Add(p.Until.Sub(p.From) * 2 / 3))
}

// ParseName returns an error that wraps ErrName unless the text can be a kiosk's name.
func ParseName(text string) error {
	if !namePattern.MatchString(text) {
		return fmt.Errorf("%q: %w", text, ErrName)
	}
	return nil
}

// validRole reports whether there is such a role.
func validRole(role wire.Role) bool {
	return role == wire.RoleKiosk || role == wire.RoleDesk || role == wire.RoleOperator
}

// PeerOf reads a certificate whose signature was verified, as a handshake with ServerConfig does. The error wraps
// ErrStranger.
func PeerOf(certificate *x509.Certificate) (Peer, error) {
	if len(certificate.URIs) != 1 {
		return Peer{}, fmt.Errorf("%w: it names nobody", ErrStranger)
	}
	role, name, err := parseURI(certificate.URIs[0])
	if err != nil {
		return Peer{}, err
	}
	return Peer{Name: name, Role: role, Key: fingerprint(certificate), From: certificate.NotBefore, Until: certificate.NotAfter}, nil
}

// parseURI reads "reelkiosk:ROLE/NAME". The error wraps ErrStranger.
func parseURI(uri *url.URL) (wire.Role, string, error) {
	role, name, found := strings.Cut(uri.Opaque, "/")
	if uri.String() != makeURI(wire.Role(role), name).String() || !found || !validRole(wire.Role(role)) || !namePattern.MatchString(name) {
		return "", "", fmt.Errorf("%w: it names no kiosk", ErrStranger)
	}
	return wire.Role(role), name, nil
}

func makeURI(role wire.Role, name string) *url.URL {
	return &url.URL{Scheme: scheme, Opaque: string(role) + "/" + name}
}

// fingerprint names a certificate's key.
func fingerprint(certificate *x509.Certificate) string {
	sum := sha256.Sum256(certificate.RawSubjectPublicKeyInfo)
	return hex.EncodeToString(sum[:])
}

// Request is a certificate request that was checked.
type Request struct {
	public crypto.PublicKey
	// Key is its key's fingerprint, as in Peer.
	Key string
}

// ParseRequest reads and checks a certificate request (PKCS #10, RFC 2986, DER): its own signature, and a P-256 key. What
// else it asks for is not looked at: the code says the name and the role. The error wraps ErrRequest.
func ParseRequest(der []byte) (Request, error) {
	asked, err := x509.ParseCertificateRequest(der)
	if err != nil {
		return Request{}, fmt.Errorf("%w: %w", ErrRequest, err)
	}
	if public, is := asked.PublicKey.(*ecdsa.PublicKey); !is || public.Curve != elliptic.P256() {
		return Request{}, fmt.Errorf("%w: its key is of another kind", ErrRequest)
	}
	if err := asked.CheckSignature(); err != nil {
		return Request{}, fmt.Errorf("%w: %w", ErrRequest, err)
	}
	sum := sha256.Sum256(asked.RawSubjectPublicKeyInfo)
	return Request{public: asked.PublicKey, Key: hex.EncodeToString(sum[:])}, nil
}

// kioskTemplate is the certificate of a kiosk before it is signed.
func kioskTemplate(name string, role wire.Role, now time.Time) *x509.Certificate {
	return &x509.Certificate{
		Subject:   pkix.Name{CommonName: name, OrganizationalUnit: []string{string(role)}},
		URIs:      []*url.URL{makeURI(role, name)},
		NotBefore: now.Add(-backdated), NotAfter: now.Add(Lifetime),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
		BasicConstraintsValid: true,
	}
}
