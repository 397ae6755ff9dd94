package trust

import (
	"crypto/ecdsa"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"os"

	"reelkiosk/store/durable"
)

// ErrIdentity is wrapped by LoadIdentity where the file is damaged or readable by others.
var ErrIdentity = errors.New("the identity file cannot be used")

// identityMode is the file's: its owner reads and writes, nobody else does anything.
const identityMode = 0o600

const keyBlock = "PRIVATE KEY"

// Identity is a kiosk's key and certificate, with the authority that it believes. It is not changed once made.
type Identity struct {
	Peer
	key         *ecdsa.PrivateKey
	certificate *x509.Certificate
	authority   *x509.Certificate
}

// newIdentity checks that a certificate of the authority fits the key. The error wraps ErrStranger or is the parser's.
func newIdentity(key *ecdsa.PrivateKey, certificate, authority []byte) (*Identity, error) {
	mine, err := x509.ParseCertificate(certificate)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrStranger, err)
	}
	theirs, err := x509.ParseCertificate(authority)
	if err != nil || !theirs.IsCA {
		return nil, fmt.Errorf("%w: it comes with no authority", ErrStranger)
	}
	if !key.PublicKey.Equal(mine.PublicKey) {
		return nil, fmt.Errorf("%w: it is of another key", ErrStranger)
	}
	peer, err := verify(mine, theirs)
	if err != nil {
		return nil, err
	}
	return &Identity{peer, key, mine, theirs}, nil
}

// Renewed returns the identity with a new certificate of the same name, role, key and authority. The error wraps
// ErrStranger.
func (i *Identity) Renewed(certificate []byte) (*Identity, error) {
	renewed, err := newIdentity(i.key, certificate, i.authority.Raw)
	if err != nil {
		return nil, err
	}
	if renewed.Name != i.Name || renewed.Role != i.Role {
		return nil, fmt.Errorf("%w: it is of another kiosk", ErrStranger)
	}
	return renewed, nil
}

// Save writes the identity to its file, whole or not at all, in place of another.
func (i *Identity) Save(path string) error {
	text, err := i.text()
	if err == nil {
		err = durable.Replace(path, identityMode, func(file *os.File) error {
			_, err := file.Write(text)
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("saving the identity of %s: %w", i.Name, err)
	}
	return nil
}

// Create is Save for a file that must not exist yet; otherwise the error wraps fs.ErrExist.
func (i *Identity) Create(path string) error {
	text, err := i.text()
	if err == nil {
		err = durable.Create(path, identityMode, func(file *os.File) error {
			_, err := file.Write(text)
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("saving the identity of %s: %w", i.Name, err)
	}
	return nil
}

func (i *Identity) text() ([]byte, error) {
	key, err := x509.MarshalPKCS8PrivateKey(i.key)
	if err != nil {
		return nil, err
	}
	var text []byte
	for _, block := range []pem.Block{
		{Type: certificateBlock, Bytes: i.certificate.Raw}, {Type: certificateBlock, Bytes: i.authority.Raw}, {Type: keyBlock, Bytes: key},
	} {
		text = append(text, pem.EncodeToMemory(&block)...)
	}
	return text, nil
}

// LoadIdentity reads an identity. The error wraps fs.ErrNotExist or ErrIdentity.
func LoadIdentity(path string) (*Identity, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("the identity file: %w", err)
	}
	defer file.Close()
	found, err := file.Stat()
	if err != nil {
		return nil, fmt.Errorf("the identity file: %w", err)
	}
	if found.Mode().Perm()&^identityMode != 0 {
		return nil, fmt.Errorf("%w: %s can be read by others: find out who has, then: chmod 600 %s", ErrIdentity, path, path)
	}
	text, err := io.ReadAll(io.LimitReader(file, mostFile))
	if err != nil {
		return nil, fmt.Errorf("the identity file: %w", err)
	}
	identity, err := parseIdentity(text)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrIdentity, path, err)
	}
	return identity, nil
}

// parseIdentity reads the PEM blocks of a certificate, its authority's and a key (PKCS #8, RFC 5958).
func parseIdentity(text []byte) (*Identity, error) {
	var blocks [3]*pem.Block
	for at, kind := range []string{certificateBlock, certificateBlock, keyBlock} {
		if blocks[at], text = pem.Decode(text); blocks[at] == nil || blocks[at].Type != kind {
			return nil, errors.New("it is not a certificate, its authority's and a key")
		}
	}
	key, err := x509.ParsePKCS8PrivateKey(blocks[2].Bytes)
	if err != nil {
		return nil, errors.New("its key cannot be read") // and is not repeated
	}
	own, is := key.(*ecdsa.PrivateKey)
	if !is {
		return nil, errors.New("its key is of another kind")
	}
	return newIdentity(own, blocks[0].Bytes, blocks[1].Bytes)
}

// presented is what the identity shows in a handshake.
func (i *Identity) presented() *tls.Certificate {
	return &tls.Certificate{Certificate: [][]byte{i.certificate.Raw, i.authority.Raw}, PrivateKey: i.key, Leaf: i.certificate}
}
