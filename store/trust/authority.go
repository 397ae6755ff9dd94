package trust

import (
	"crypto"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"reelkiosk/store/durable"
	"reelkiosk/store/wire"
)

// KeyUse is what the key that seals an authority's is derived for (vault.Vault.Derive).
const KeyUse = "certificate authority"

// ErrAuthority is wrapped by LoadAuthority where the file is damaged, or was sealed under other keys.
var ErrAuthority = errors.New("the certificate authority's file cannot be used")

const (
	// authorityLifetime is longer than any tournament's hardware.
	authorityLifetime = 25 * 365 * 24 * time.Hour
	// sealedBlock is the PEM type of the authority's key: PKCS #8 (RFC 5958) in AES-256-GCM (NIST SP 800-38D), preceded by
	// its nonce of 12 bytes; the certificate is what it authenticates besides.
	sealedBlock      = "REELKIOSK SEALED KEY"
	certificateBlock = "CERTIFICATE"
	// mostFile bounds what is read of a file.
	mostFile = 1 << 16
)

// Authority makes certificates. It may be used by several goroutines.
type Authority struct {
	certificate *x509.Certificate
	key         crypto.Signer
}

// CreateAuthority makes an authority and writes it to a new file, its key sealed under the given one. The error wraps
// fs.ErrExist where the file exists: an authority is never replaced, since every kiosk would have to be enrolled anew.
func CreateAuthority(path string, sealing [32]byte, property string, now time.Time) (*Authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("making a certificate authority: %w", err)
	}
	template := &x509.Certificate{
		Subject:   pkix.Name{CommonName: "Reelkiosk central", Organization: []string{property}},
		NotBefore: now.Add(-backdated), NotAfter: now.Add(authorityLifetime),
		KeyUsage: x509.KeyUsageCertSign, IsCA: true, BasicConstraintsValid: true, MaxPathLenZero: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, fmt.Errorf("making a certificate authority: %w", err)
	}
	plain, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, fmt.Errorf("making a certificate authority: %w", err)
	}
	err = durable.Create(path, 0o600, func(file *os.File) error {
		return errors.Join(
			pem.Encode(file, &pem.Block{Type: certificateBlock, Bytes: der}),
			pem.Encode(file, &pem.Block{Type: sealedBlock, Bytes: gcm(sealing).Seal(nil, nil, plain, der)}),
		)
	})
	if err != nil {
		return nil, fmt.Errorf("creating the certificate authority's file: %w", err)
	}
	made, err := x509.ParseCertificate(der)
	return &Authority{made, key}, err
}

// LoadAuthority reads an authority. The error wraps fs.ErrNotExist or ErrAuthority.
func LoadAuthority(path string, sealing [32]byte) (*Authority, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("the certificate authority: %w", err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, mostFile))
	if err != nil {
		return nil, fmt.Errorf("the certificate authority: %w", err)
	}
	authority, err := parseAuthority(text, sealing)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w; it belongs to the keys file that it was made with", ErrAuthority, path, err)
	}
	return authority, nil
}

func parseAuthority(text []byte, sealing [32]byte) (*Authority, error) {
	first, rest := pem.Decode(text)
	second, _ := pem.Decode(rest)
	if first == nil || second == nil || first.Type != certificateBlock || second.Type != sealedBlock {
		return nil, errors.New("it is not a certificate and a sealed key")
	}
	certificate, err := x509.ParseCertificate(first.Bytes)
	if err != nil {
		return nil, err
	}
	plain, err := gcm(sealing).Open(nil, nil, second.Bytes, first.Bytes)
	if err != nil {
		return nil, errors.New("its key does not open")
	}
	key, err := x509.ParsePKCS8PrivateKey(plain)
	if err != nil {
		return nil, err
	}
	signer, is := key.(*ecdsa.PrivateKey)
	if !is || !signer.PublicKey.Equal(certificate.PublicKey) || !certificate.IsCA {
		return nil, errors.New("its key is not its certificate's")
	}
	return &Authority{certificate, signer}, nil
}

// Certificate returns the authority's certificate, X.509, DER.
func (a *Authority) Certificate() []byte { return a.certificate.Raw }

// Issue makes a kiosk's certificate for a request.
func (a *Authority) Issue(request Request, name string, role wire.Role, now time.Time) ([]byte, error) {
	return a.issue(request.public, name, role, now)
}

// Renew makes a certificate of the same name, role and key with a new end, for a peer of Verify.
func (a *Authority) Renew(certificate *x509.Certificate, now time.Time) ([]byte, error) {
	peer, err := a.Verify(certificate)
	if err != nil {
		return nil, err
	}
	return a.issue(certificate.PublicKey, peer.Name, peer.Role, now)
}

func (a *Authority) issue(public crypto.PublicKey, name string, role wire.Role, now time.Time) ([]byte, error) {
	if err := ParseName(name); err != nil {
		return nil, err
	}
	if !validRole(role) {
		return nil, fmt.Errorf("no role %q", role)
	}
	der, err := x509.CreateCertificate(rand.Reader, kioskTemplate(name, role, now), a.certificate, public, a.key)
	if err != nil {
		return nil, fmt.Errorf("making the certificate of %s: %w", name, err)
	}
	return der, nil
}

// NewIdentity makes a key and a certificate at once, for whoever has the authority itself.
func (a *Authority) NewIdentity(name string, role wire.Role, now time.Time) (*Identity, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("making a key: %w", err)
	}
	der, err := a.issue(key.Public(), name, role, now)
	if err != nil {
		return nil, err
	}
	return newIdentity(key, der, a.certificate.Raw)
}

// Verify returns whose certificate it is. The error wraps ErrStranger. Dates are not looked at (see the package comment).
func (a *Authority) Verify(certificate *x509.Certificate) (Peer, error) {
	return verify(certificate, a.certificate)
}

func verify(certificate, authority *x509.Certificate) (Peer, error) {
	if err := signedBy(certificate, authority, x509.ExtKeyUsageClientAuth, ""); err != nil {
		return Peer{}, err
	}
	return PeerOf(certificate)
}

// signedBy returns an error that wraps ErrStranger unless the authority itself signed the certificate for that use and name,
// if one is given. x509's own verification would look at dates.
func signedBy(certificate, authority *x509.Certificate, use x509.ExtKeyUsage, name string) error {
	err := certificate.CheckSignatureFrom(authority)
	switch {
	case err != nil:
	case !slices.Contains(certificate.ExtKeyUsage, use) || certificate.IsCA:
		err = errors.New("it is for another use")
	case len(certificate.UnhandledCriticalExtensions) > 0:
		err = errors.New("it has a critical extension that is not known here")
	case name != "":
		err = certificate.VerifyHostname(name)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrStranger, err)
	}
	return nil
}

// gcm returns the cipher of a key, which draws its own nonces.
func gcm(key [32]byte) cipher.AEAD {
	block, err := aes.NewCipher(key[:])
	if err != nil {
		panic(err) // the key has 32 bytes
	}
	mode, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		panic(err) // the block has 16 bytes
	}
	return mode
}
