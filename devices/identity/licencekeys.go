package identity

import (
	"encoding/asn1"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
)

// LicenceKeys are the public keys of South African driving licences, by the four bytes that a licence begins with. The
// keys undo the licence's cipher; they are published and no secret.
type LicenceKeys map[[licenceVersion]byte]LicenceKeyPair

// LicenceKeyPair holds the key of a licence's blocks of 128 bytes and that of its last block, of 74.
type LicenceKeyPair struct{ Long, Short *LicenceKey }

// LicenceKey is an RSA public key. It is no crypto/rsa.PublicKey, because the exponents of these have 128 bits and one
// modulus only 592.
type LicenceKey struct {
	Modulus  *big.Int
	Exponent *big.Int
}

// ErrKeys is wrapped by what ParseLicenceKeys returns.
var ErrKeys = errors.New("licence keys")

// keyBlock is the type of the PEM blocks, RSAPublicKey of RFC 8017 appendix A.1.1; versionHeader is the PEM header that
// names the licences a key is for.
const (
	keyBlock      = "RSA PUBLIC KEY"
	versionHeader = "Licence"
)

// ParseLicenceKeys reads keys from PEM blocks of the type RSA PUBLIC KEY, each with a header line such as
// "Licence: 019b0945" that gives in hexadecimal the four bytes with which the licences begin that it is for. The length
// of its modulus, 1024 or 592 bits, says which blocks it opens. The error wraps ErrKeys and names every key that is
// wrong by its place in the text; it also names a licence that has one key of the two.
func ParseLicenceKeys(text []byte) (LicenceKeys, error) {
	keys := LicenceKeys{}
	var found []error
	for place := 1; ; place++ {
		var block *pem.Block
		if block, text = pem.Decode(text); block == nil {
			break
		}
		if err := keys.add(block); err != nil {
			found = append(found, fmt.Errorf("%w: key %d: %w", ErrKeys, place, err))
		}
	}
	for version, pair := range keys {
		if pair.Long == nil || pair.Short == nil {
			found = append(found, fmt.Errorf("%w: licence %x: needs a key of 1024 bits and one of 592", ErrKeys, version))
		}
	}
	if len(keys) == 0 && len(found) == 0 {
		found = append(found, fmt.Errorf("%w: no block of the type %s", ErrKeys, keyBlock))
	}
	return keys, errors.Join(found...)
}

func (k LicenceKeys) add(block *pem.Block) error {
	if block.Type != keyBlock {
		return fmt.Errorf("type %q: must be %s", block.Type, keyBlock)
	}
	header := block.Headers[versionHeader]
	first, err := hex.DecodeString(header)
	if err != nil || len(first) != licenceVersion {
		return fmt.Errorf("header %s %q: must be eight hexadecimal digits", versionHeader, header)
	}
	version := [licenceVersion]byte(first)
	var key LicenceKey
	if rest, err := asn1.Unmarshal(block.Bytes, &key); err != nil || len(rest) > 0 {
		return errors.New("content: must be the DER form of an RSA public key")
	}
	if key.Modulus.Sign() <= 0 || key.Exponent.Sign() <= 0 {
		return errors.New("content: modulus and exponent must be positive")
	}
	pair := k[version]
	switch bits := key.Modulus.BitLen(); bits {
	case 8 * longBlock:
		pair.Long = &key
	case 8 * shortBlock:
		pair.Short = &key
	default:
		return fmt.Errorf("modulus of %d bits: must have %d or %d", bits, 8*longBlock, 8*shortBlock)
	}
	k[version] = pair
	return nil
}
