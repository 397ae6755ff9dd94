package vault

import (
	"crypto/hkdf"
	"crypto/sha256"
)

// deriveUse begins the info of every key that Derive gives, so that none is ever that of a floor.
const deriveUse = "reelkiosk derived key 1 "

// Derive returns the secret of 32 bytes for a use, derived from the data key (HKDF-SHA-256, RFC 5869). It does not lead
// back to the data key, nor to the secret of another use.
func (v *Vault) Derive(use string) [keySize]byte {
	key, err := hkdf.Key(sha256.New, v.keys.Data[:], nil, deriveUse+use, keySize)
	if err != nil {
		panic(err) // only a key of thousands of bytes is refused
	}
	return [keySize]byte(key)
}
