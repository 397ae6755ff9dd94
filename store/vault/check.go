package vault

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
)

// KeyCheck tells one key from another and does not lead to it: HMAC-SHA-256 of a constant under the key, cut to 8 bytes.
// What is made with a key keeps its check value, so that another key, well formed as it may be, is noticed before anybody
// is looked up with it: to a wrong lookup key nobody is excluded.
type KeyCheck [8]byte

// String returns the check value in hexadecimal.
func (c KeyCheck) String() string { return hex.EncodeToString(c[:]) }

// IsZero reports whether there is no check value.
func (c KeyCheck) IsZero() bool { return c == KeyCheck{} }

// The texts begin as no lookup hash and no derived key does.
const (
	checkLookup = "reelkiosk key check 1 lookup"
	checkData   = "reelkiosk key check 1 data"
)

// CheckLookup returns the check value of the lookup key.
func (v *Vault) CheckLookup() KeyCheck { return checkOf(v.keys.Lookup, checkLookup) }

// CheckData returns the check value of the data key.
func (v *Vault) CheckData() KeyCheck { return checkOf(v.keys.Data, checkData) }

func checkOf(key [keySize]byte, text string) (check KeyCheck) {
	mac := hmac.New(sha256.New, key[:])
	mac.Write([]byte(text))
	copy(check[:], mac.Sum(nil))
	return check
}
