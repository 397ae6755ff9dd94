package trust

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// ErrImposter is wrapped by Applicant.Accept where the answer is from somebody who does not know the code, or was changed
// on the way.
var ErrImposter = errors.New("who answers is not the central that gave this code")

// Secrets are what both sides make of an enrolment code.
type Secrets struct {
	// ID names the code; it may be known to anybody, and leads neither to the code nor to the keys.
	ID string
	// central and kiosk are the keys by which each side proves to the other that it knows the code.
	central, kiosk []byte
}

// Each use of a code has its own info (RFC 5869, section 3.2).
const (
	infoID      = "reelkiosk enrolment 1 id"
	infoCentral = "reelkiosk enrolment 1 central"
	infoKiosk   = "reelkiosk enrolment 1 kiosk"
)

// SecretsOf derives the secrets of a code in its canonical form.
func SecretsOf(code tournament.EnrolmentCode) Secrets {
	derive := func(info string, size int) []byte {
		key, err := hkdf.Key(sha256.New, []byte(code), nil, info, size)
		if err != nil {
			panic(err) // only a key of thousands of bytes is refused
		}
		return key
	}
	return Secrets{ID: hex.EncodeToString(derive(infoID, 16)), central: derive(infoCentral, 32), kiosk: derive(infoKiosk, 32)}
}

// Proven reports whether the sender of a request knows the code.
func (s Secrets) Proven(request wire.Enrol) bool {
	return hmac.Equal(request.Proof, s.askedWith(request))
}

// Prove returns central's proof that it knows the code, over its answer to a request.
func (s Secrets) Prove(request wire.Enrol, answer wire.Enrolled) []byte {
	return prove(s.central, []byte(s.ID), request.Nonce, request.Request, answer.Authority, answer.Certificate)
}

func (s Secrets) askedWith(request wire.Enrol) []byte {
	return prove(s.kiosk, []byte(s.ID), request.Nonce, []byte(request.Enrolment), request.Request)
}

// prove returns the HMAC-SHA-256 of some fields, each preceded by its length, so that no two lists run together.
func prove(key []byte, fields ...[]byte) []byte {
	mac := hmac.New(sha256.New, key)
	for _, field := range fields {
		mac.Write(binary.BigEndian.AppendUint32(nil, uint32(len(field))))
		mac.Write(field)
	}
	return mac.Sum(nil)
}

// Applicant is a kiosk that asks to be enrolled. Its request may be sent again: it is the same one.
type Applicant struct {
	secrets Secrets
	key     *ecdsa.PrivateKey
	request wire.Enrol
}

// NewApplicant makes a key and a request with the code that was typed. The enrolment is the first half of the kiosk's
// request keys. The error is random's.
func NewApplicant(code tournament.EnrolmentCode, enrolment string, random io.Reader) (*Applicant, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("making a key: %w", err)
	}
	asked, err := x509.CreateCertificateRequest(rand.Reader, &x509.CertificateRequest{}, key)
	if err != nil {
		return nil, fmt.Errorf("making a certificate request: %w", err)
	}
	nonce := make([]byte, 32)
	if _, err := io.ReadFull(random, nonce); err != nil {
		return nil, fmt.Errorf("drawing a nonce: %w", err)
	}
	a := &Applicant{secrets: SecretsOf(code), key: key}
	a.request = wire.Enrol{Code: a.secrets.ID, Nonce: nonce, Enrolment: enrolment, Request: asked}
	a.request.Proof = a.secrets.askedWith(a.request)
	return a, nil
}

// Request returns what is posted to wire.PathEnrolments.
func (a *Applicant) Request() wire.Enrol { return a.request }

// Accept checks central's answer and returns the identity that it gives. The error wraps ErrImposter or ErrStranger.
func (a *Applicant) Accept(answer wire.Enrolled) (*Identity, error) {
	if !hmac.Equal(answer.Proof, a.secrets.Prove(a.request, answer)) {
		return nil, ErrImposter
	}
	return newIdentity(a.key, answer.Certificate, answer.Authority)
}

// Holds is what a kiosk proves with, when it says hello after a start, that it still has the floor key.
func Holds(floor [32]byte, instance, boot string) []byte {
	return prove(floor[:], []byte("reelkiosk hello 1"), []byte(instance), []byte(boot))
}
