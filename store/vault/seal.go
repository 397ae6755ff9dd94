package vault

import (
	"crypto/aes"
	"crypto/cipher"
	"errors"
	"fmt"
	"io"
)

// ErrSealed is wrapped by Seal and Open where a wrapped key or a sealed text cannot be opened: it was damaged, it was made
// under other keys, or it belongs to another context.
var ErrSealed = errors.New("sealed text does not open")

// What is sealed begins with one byte that says how: AES-256-GCM (NIST SP 800-38D) with a random nonce of 12 bytes, which
// follows; then the ciphertext with its tag of 16 bytes. One key seals far fewer than the 2^32 texts that random nonces
// allow: the data key one for each person, a person's key one for each fact about that person.
const (
	sealedByGCM = 1
	nonceSize   = 12
	keySize     = 32
)

// The uses of a key, which are part of what it authenticates: a wrapped key never opens as a text.
const (
	useKey  = "reelkiosk person key 1\x00"
	useText = "reelkiosk person text 1\x00"
)

// NewPersonKey makes the key of a person from 44 bytes of random and returns it wrapped by the data key, 61 bytes to be
// kept with the person. The error is random's.
func (v *Vault) NewPersonKey(random io.Reader) (wrapped []byte, err error) {
	var key [keySize]byte
	if _, err := io.ReadFull(random, key[:]); err != nil {
		return nil, fmt.Errorf("making a person's key: %w", err)
	}
	return seal(v.keys.Data[:], key[:], []byte(useKey), random)
}

// Seal encrypts text about a person under that person's wrapped key. The context says what it is and of whom ("surname",
// person and record); only the same context opens it. It takes 12 bytes of random, and adds 29 bytes to the text. The
// error wraps ErrSealed where the wrapped key does not open, or is random's.
func (v *Vault) Seal(wrapped, plain, context []byte, random io.Reader) ([]byte, error) {
	key, err := unseal(v.keys.Data[:], wrapped, []byte(useKey))
	if err != nil {
		return nil, fmt.Errorf("a person's key: %w", err)
	}
	return seal(key, plain, append([]byte(useText), context...), random)
}

// Open returns the text that Seal encrypted with the same wrapped key and context. The error wraps ErrSealed.
func (v *Vault) Open(wrapped, sealed, context []byte) ([]byte, error) {
	key, err := unseal(v.keys.Data[:], wrapped, []byte(useKey))
	if err != nil {
		return nil, fmt.Errorf("a person's key: %w", err)
	}
	return unseal(key, sealed, append([]byte(useText), context...))
}

func seal(key, plain, context []byte, random io.Reader) ([]byte, error) {
	sealed := make([]byte, 1+nonceSize, 1+nonceSize+len(plain)+16)
	sealed[0] = sealedByGCM
	if _, err := io.ReadFull(random, sealed[1:]); err != nil {
		return nil, fmt.Errorf("drawing a nonce: %w", err)
	}
	return gcm(key).Seal(sealed, sealed[1:], plain, context), nil
}

func unseal(key, sealed, context []byte) ([]byte, error) {
	if len(sealed) < 1+nonceSize || sealed[0] != sealedByGCM || len(key) != keySize {
		return nil, ErrSealed
	}
	plain, err := gcm(key).Open([]byte{}, sealed[1:1+nonceSize], sealed[1+nonceSize:], context)
	if err != nil {
		return nil, ErrSealed
	}
	return plain, nil
}

// gcm returns the cipher of a key of 32 bytes, for which neither constructor fails.
func gcm(key []byte) cipher.AEAD {
	block, err := aes.NewCipher(key)
	if err != nil {
		panic(err)
	}
	mode, err := cipher.NewGCM(block)
	if err != nil {
		panic(err)
	}
	return mode
}
