// Package vault keeps what identifies people out of the books' plain sight: keyed hashes by which a person is looked up,
// and encryption of what must be readable again (design decision 6).
//
// A lookup hash is HMAC-SHA-256 under the lookup key, cut to 16 bytes. Each kind of number has its own domain, so that a
// card number that happens to look like an identity number has another hash. What is hashed is first brought to one
// spelling (normal.go), since the same passport is typed by one clerk and scanned by another. Whoever has the lookup key
// can guess identity numbers, which are few; without it a hash says nothing.
//
// Text about a person is sealed under that person's own key, which lies in the books wrapped by the data key. Erasing the
// wrapped key erases the person and leaves the books, which hold nothing but ciphertext, whole (design decision 1).
//
// Nothing here logs, and no error repeats what it was given.
package vault

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"

	"reelkiosk/store/tournament"
)

// Hash is the keyed hash of what identifies a person or a thing. The zero Hash is that of nothing: a number without a
// letter or digit in it. It MUST NOT be stored or looked up; ask IsZero.
type Hash [16]byte

// IsZero reports whether there was nothing to hash.
func (h Hash) IsZero() bool { return h == Hash{} }

// String returns the hash in 32 hexadecimal digits. It is for keys and tests, never for events or logs.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// Vault hashes, seals and opens. It holds no state but its keys and may be used by several goroutines.
type Vault struct {
	keys Keys
}

// New returns a vault with these keys.
func New(keys Keys) *Vault { return &Vault{keys: keys} }

// IDNumber returns the hash of a national identity number, of whatever country that has one; spaces and hyphens do not
// matter.
func (v *Vault) IDNumber(number string) Hash { return v.hash("id-number", symbols(number)) }

// Passport returns the hash of a passport's, or another travel document's, number with its issuing state. The issuer may
// be an ISO 3166 code of two or three letters or a code of ICAO Doc 9303 ("ZA", "ZAF", "D"). Without a number the hash is
// zero.
func (v *Vault) Passport(issuer, number string) Hash {
	spelt := symbols(number)
	if spelt == "" {
		return Hash{}
	}
	return v.hash("passport", country(issuer), spelt)
}

// NameAndBirth returns the hash of a surname, the first of the given names and a birth date. It finds a *possible* match
// only (clause 2), and is made to miss none: see normal.go for the spellings that come out the same. Second names are left
// out, since lists and documents often leave them out too. Without a surname or a birth date the hash is zero.
func (v *Vault) NameAndBirth(surname, given string, birth tournament.Date) Hash {
	spelt := name(surname)
	if spelt == "" || birth.IsZero() {
		return Hash{}
	}
	return v.hash("name-and-birth", spelt, firstName(given), birth.String())
}

// Card returns the hash of a club card's number, tag or UID as the reader gives it.
func (v *Vault) Card(number string) Hash { return v.hash("card", symbols(number)) }

// Member returns the hash of a club member's number.
func (v *Vault) Member(number string) Hash { return v.hash("member", symbols(number)) }

// Receipt returns the hash of a receipt number in its canonical form (tournament.ParseReceiptNumber).
func (v *Vault) Receipt(number string) Hash { return v.hash("receipt", symbols(number)) }

// hash returns the hash of the fields of a kind; where the first is empty there is nothing to hash. Each field is preceded
// by its length, so that no two lists of fields run together into the same bytes.
func (v *Vault) hash(kind string, fields ...string) (hash Hash) {
	if fields[0] == "" && len(fields) == 1 {
		return Hash{}
	}
	mac := hmac.New(sha256.New, v.keys.Lookup[:])
	mac.Write([]byte("reelkiosk lookup 1 " + kind + "\x00"))
	for _, field := range fields {
		mac.Write(binary.BigEndian.AppendUint32(nil, uint32(len(field))))
		mac.Write([]byte(field))
	}
	copy(hash[:], mac.Sum(nil))
	return hash
}
