package vault

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
)

// What the floor key and its nonces are derived for, as HKDF's info (RFC 5869, section 3.2).
const (
	floorUse = "reelkiosk floor key 1 "
	nonceUse = "reelkiosk floor nonce 1"
)

// Floor returns the keys of the kiosks on the floor: the lookup key as it is, and in place of the data key the floor key of
// that number, which is derived from it (HKDF-SHA-256) and does not lead back. Kiosks are given these after each start and
// never keep them on a disk (design decision 6); the next number takes effect for whatever is wrapped from then on.
func (v *Vault) Floor(number uint32) Keys {
	key, err := hkdf.Key(sha256.New, v.keys.Data[:], nil, fmt.Sprint(floorUse, number), keySize)
	if err != nil {
		panic(err) // only a key of thousands of bytes is refused
	}
	return Keys{Lookup: v.keys.Lookup, Data: [keySize]byte(key)}
}

// Rewrapper wraps persons' keys anew under a floor key. It may be used by several goroutines.
type Rewrapper struct {
	from, to Keys
	nonces   []byte
}

// Rewrapper returns one from this vault's data key to the floor key of that number.
func (v *Vault) Rewrapper(number uint32) *Rewrapper {
	floor := v.Floor(number)
	nonces, err := hkdf.Key(sha256.New, floor.Data[:], nil, nonceUse, keySize)
	if err != nil {
		panic(err) // only a key of thousands of bytes is refused
	}
	return &Rewrapper{from: v.keys, to: floor, nonces: nonces}
}

// Rewrap returns a wrapped key of NewPersonKey as a vault with the floor keys opens it. What is sealed under the person's
// key stays as it is. The same key comes out the same each time: its nonce is derived from it (as in SIV modes, RFC 5297),
// so that a key may be wrapped for any number of snapshots without a nonce being used for two. The error wraps ErrSealed.
func (r *Rewrapper) Rewrap(wrapped []byte) ([]byte, error) {
	key, err := unseal(r.from.Data[:], wrapped, []byte(useKey))
	if err != nil {
		return nil, fmt.Errorf("a person's key: %w", err)
	}
	mac := hmac.New(sha256.New, r.nonces)
	mac.Write(key)
	rewrapped := make([]byte, 1, 1+nonceSize+len(key)+16)
	rewrapped[0] = sealedByGCM
	rewrapped = append(rewrapped, mac.Sum(nil)[:nonceSize]...)
	return gcm(r.to.Data[:]).Seal(rewrapped, rewrapped[1:], key, []byte(useKey)), nil
}
