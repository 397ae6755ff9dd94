// Package identitytest makes South African driving licences of people who do not exist, as a scanner sends them, and the
// keys that open them: for tests, for the demonstration and for technicians in training. No licence made here can be
// opened with the keys of real ones. The other documents need no keys; package emulator makes those.
package identitytest

import (
	"crypto/rand"
	"encoding/asn1"
	"encoding/hex"
	"encoding/pem"
	"math/big"
	"strings"

	"reelkiosk/store/tournament"
)

// LicenceKeys make South African driving licences and are the only ones that open them.
type LicenceKeys struct {
	Version     [4]byte // what the licences begin with
	long, short rsaKey
}

type rsaKey struct{ modulus, public, private *big.Int }

// NewLicenceKeys makes keys for licences that begin with version: 01E10245 or 019B0945.
func NewLicenceKeys(version [4]byte) (*LicenceKeys, error) {
	long, err := newRSAKey(1024)
	if err != nil {
		return nil, err
	}
	short, err := newRSAKey(592)
	if err != nil {
		return nil, err
	}
	return &LicenceKeys{version, long, short}, nil
}

// newRSAKey makes a key by hand: crypto/rsa makes none this short, nor any with an exponent of 128 bits, which those of
// the licences have.
func newRSAKey(bits int) (rsaKey, error) {
	one := big.NewInt(1)
	for {
		var primes [3]*big.Int
		for index, size := range []int{bits / 2, bits / 2, 128} {
			prime, err := rand.Prime(rand.Reader, size)
			if err != nil {
				return rsaKey{}, err
			}
			primes[index] = prime
		}
		modulus := new(big.Int).Mul(primes[0], primes[1])
		order := new(big.Int).Mul(new(big.Int).Sub(primes[0], one), new(big.Int).Sub(primes[1], one))
		private := new(big.Int).ModInverse(primes[2], order)
		if modulus.BitLen() == bits && private != nil {
			return rsaKey{modulus, primes[2], private}, nil
		}
	}
}

// PEM is the public half, as identity.ParseLicenceKeys reads it.
func (k *LicenceKeys) PEM() ([]byte, error) {
	var text []byte
	for _, key := range []rsaKey{k.long, k.short} {
		der, err := asn1.Marshal(struct{ Modulus, Exponent *big.Int }{key.modulus, key.public})
		if err != nil {
			return nil, err
		}
		text = append(text, pem.EncodeToMemory(&pem.Block{
			Type: "RSA PUBLIC KEY", Headers: map[string]string{"Licence": hex.EncodeToString(k.Version[:])}, Bytes: der,
		})...)
	}
	return text, nil
}

// Licence is what stands on a driving licence.
type Licence struct {
	Surname, Initials string
	IDNumber          string // a South African one
	Number            string // the licence's own
	Born              tournament.Date
	From, To          tournament.Date // the days on which it begins and ceases to be valid
	Sex               string          // M or F
}

// Bytes is the licence's symbol, 720 bytes.
func (k *LicenceKeys) Bytes(licence Licence) []byte {
	sex := map[string]string{"M": "01", "F": "02"}[licence.Sex]
	return k.Seal(
		"B\xe1\xe1\xe1"+licence.Surname+"\xe0"+licence.Initials+"\xe1ZA\xe0ZA\xe00\xe1\xe1\xe1"+licence.Number+"\xe0"+licence.IDNumber,
		"02"+digits(licence.Born)+"aaa"+"00"+"a"+"01"+digits(licence.Born)+digits(licence.From)+digits(licence.To)+sex,
	)
}

// Seal enciphers a licence of the given strings (in their own separators) and nibbles (hexadecimal, filled up with an a
// if there is one too few), with a picture of zeros.
func (k *LicenceKeys) Seal(texts, nibbles string) []byte {
	if len(nibbles)%2 == 1 {
		nibbles += "a"
	}
	packed, err := hex.DecodeString(nibbles)
	if err != nil {
		panic("identitytest: nibbles are no hexadecimal digits")
	}
	content := make([]byte, 684)
	picture := len(content) - 10 - len(texts) - len(packed)
	copy(content, []byte{
		2, 0x6d, 0x16, 3, 0, byte(len(texts)), 1, byte(len(packed)), 0x80 | byte(picture>>8), byte(picture),
	})
	copy(content[10:], texts)
	copy(content[10+len(texts):], packed)

	sealed := append(append(make([]byte, 0, 720), k.Version[:]...), 0, 0)
	for block := range 6 {
		key, size := k.long, 128
		if block == 5 {
			key, size = k.short, 74
		}
		plain := make([]byte, 5, size)
		for index := range plain {
			plain[index] = byte((index+1)<<block) & 0x7f
		}
		plain = append(plain, content[:size-5]...)
		content = content[size-5:]
		cipher := new(big.Int).Exp(new(big.Int).SetBytes(plain), key.private, key.modulus)
		sealed = append(sealed, cipher.FillBytes(make([]byte, size))...)
	}
	return sealed
}

// digits is a date as YYYYMMDD.
func digits(date tournament.Date) string { return strings.ReplaceAll(date.String(), "-", "") }
