package identity_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"

	"reelkiosk/assets"
	"reelkiosk/devices/identity"
	"reelkiosk/devices/identity/identitytest"
	"reelkiosk/store/tournament"
)

var (
	today      = date("2026-06-15")
	oldLicence = [4]byte{0x01, 0xe1, 0x02, 0x45}
	newLicence = [4]byte{0x01, 0x9b, 0x09, 0x45}
)

// licenceKeys are made once: primes take a moment to find.
var licenceKeys = sync.OnceValue(func() map[[4]byte]*identitytest.LicenceKeys {
	made := map[[4]byte]*identitytest.LicenceKeys{}
	for _, version := range [][4]byte{oldLicence, newLicence} {
		keys, err := identitytest.NewLicenceKeys(version)
		if err != nil {
			panic(err)
		}
		made[version] = keys
	}
	return made
})

var publicKeys = sync.OnceValue(func() identity.LicenceKeys {
	var text []byte
	for _, keys := range licenceKeys() {
		block, err := keys.PEM()
		if err != nil {
			panic(err)
		}
		text = append(text, block...)
	}
	keys, err := identity.ParseLicenceKeys(text)
	if err != nil {
		panic(err)
	}
	return keys
})

func date(text string) tournament.Date {
	day, err := tournament.ParseDate(text)
	if err != nil {
		panic(err)
	}
	return day
}

var doe = identitytest.Licence{
	Surname: "DOE", Initials: "JJ", IDNumber: "8001015009087", Number: "6234560001AB", Born: date("1980-01-01"),
	From: date("2023-05-01"), To: date("2028-04-30"), Sex: "M",
}

func TestLicence(t *testing.T) {
	for name, version := range map[string][4]byte{"older header": oldLicence, "newer header": newLicence} {
		t.Run(name, func(t *testing.T) {
			got := readLicence(t, licenceKeys()[version].Bytes(doe))
			want := `{"kind":"sa-driving-licence","valid":true,"surname":"DOE","initials":"JJ","id_number":"8001015009087",` +
				`"number":"6234560001AB","birth_date":"1980-01-01","age":46,"age_class":"adult","valid_from":"2023-05-01",` +
				`"expiry_date":"2028-04-30","expired":false,"sex":"M","flags":[]}`
			if got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

func readLicence(t *testing.T, scan []byte) string {
	t.Helper()
	text, err := json.Marshal(identity.Read(scan, publicKeys(), today))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestLicenceSummedUp(t *testing.T) {
	licence := doe
	licence.Born, licence.To, licence.Sex = date("1980-01-02"), date("2026-06-14"), "F"
	document, ok := identity.Read(licenceKeys()[newLicence].Bytes(licence), publicKeys(), today).Document()
	if !ok || document.Kind != identity.KindLicence || document.IDNumber != "8001015009087" || document.GivenNames != "JJ" ||
		document.BirthDate != date("1980-01-01") || !document.Expiry.Before(today) || document.AgeClass != identity.Adult {
		t.Errorf("summed up as %#v", document)
	}
	if len(document.Flags) != 2 || document.Flags[0] != identity.FlagBirthMismatch || document.Flags[1] != identity.FlagSexMismatch {
		t.Errorf("flags %v", document.Flags)
	}
}

// TestLicenceStrings seals content by hand: every way in which strings may be missing, and a foreigner's number.
func TestLicenceStrings(t *testing.T) {
	const nibbles = "0319980522aaa00a0119800101a2028043001"
	keys := licenceKeys()[newLicence]
	for name, texts := range map[string]string{
		"one vehicle code, no professional permit":  "B\xe1\xe1\xe1DOE\xe0JJ\xe1ZW\xe0ZA\xe00\xe1\xe1\xe16234560001AB\xe0AB123456",
		"four vehicle codes, professional permit":   "A\xe0B\xe0C\xe0EC\xe0DOE\xe0JJ\xe0G,P\xe0ZW\xe0ZA\xe00\xe01\xe02\xe03\xe06234560001AB\xe0AB123456",
		"empty strings written with plain dividers": "B\xe0\xe0\xe0\xe0DOE\xe0JJ\xe0\xe0ZW\xe0ZA\xe00\xe0\xe0\xe0\xe06234560001AB\xe0AB123456",
		"no restriction at all":                     "B\xe1\xe1\xe1DOE\xe0JJ\xe1ZW\xe0ZA\xe1\xe1\xe1\xe16234560001AB\xe0AB123456",
	} {
		t.Run(name, func(t *testing.T) {
			licence, err := identity.ParseLicence(keys.Seal(texts, nibbles), publicKeys(), today)
			if err != nil {
				t.Fatal(err)
			}
			if licence.Surname != "DOE" || licence.Initials != "JJ" || licence.Number != "6234560001AB" || licence.IDNumber != "" ||
				licence.ForeignNumber != "AB123456" || licence.ForeignCountry != "ZW" || licence.BirthDate != date("1980-01-01") ||
				!licence.ValidFrom.IsZero() || licence.ExpiryDate != date("2028-04-30") {
				t.Errorf("read as %+v", licence)
			}
		})
	}
}

func TestLicenceInLatin1(t *testing.T) {
	licence := doe
	licence.Surname = "L\xdcBBE"
	read, err := identity.ParseLicence(licenceKeys()[newLicence].Bytes(licence), publicKeys(), today)
	if err != nil || read.Surname != "LÜBBE" {
		t.Errorf("surname %q, error %v", read.Surname, err)
	}
}

func TestLicenceRefused(t *testing.T) {
	keys := licenceKeys()[newLicence]
	good := keys.Bytes(doe)
	converted := []byte(string(latin1(good)))
	lossy := bytes.ToValidUTF8(good, []byte("\ufffd"))
	strangers, err := identitytest.NewLicenceKeys(newLicence)
	if err != nil {
		t.Fatal(err)
	}
	wrongNumber, unborn, noBirth := doe, doe, strings.Repeat("a", 4)+"00"+"a"+"01"+"a"+"2023050120280430"+"01"
	wrongNumber.IDNumber, unborn.Born = "8001015009088", date("2026-06-16")
	for name, test := range map[string]struct {
		scan []byte
		keys identity.LicenceKeys
		want identity.Fault
	}{
		"scanner turns bytes into UTF-8": {converted, publicKeys(), identity.ErrNotRaw},
		"scanner drops what is no UTF-8": {lossy, publicKeys(), identity.ErrNotRaw},
		"half a scan":                    {good[:400], publicKeys(), identity.ErrLength},
		"a byte too many":                {append(bytes.Clone(good), 0), publicKeys(), identity.ErrLength},
		"no keys configured":             {good, nil, identity.ErrNoKey},
		"keys of the older licences":     {good, identity.LicenceKeys{oldLicence: publicKeys()[oldLicence]}, identity.ErrNoKey},
		"made with other keys":           {strangers.Bytes(doe), publicKeys(), identity.ErrContent},
		"another header":                 {append([]byte{1, 2, 3, 4}, good[4:]...), publicKeys(), identity.ErrContent},
		"the first block misread":        {append(append(bytes.Clone(good[:6]), make([]byte, 128)...), good[134:]...), publicKeys(), identity.ErrContent},
		"a digit of the number wrong":    {keys.Bytes(wrongNumber), publicKeys(), identity.ErrIDNumber},
		"born tomorrow":                  {keys.Bytes(unborn), publicKeys(), identity.ErrBirthDate},
		"thirty-first of February":       {keys.Seal(texts(doe), "02aaaa00a01"+"19800231"+"aa01"), publicKeys(), identity.ErrContent},
		"no birth date":                  {keys.Seal(texts(doe), "02"+noBirth), publicKeys(), identity.ErrBirthDate},
		"nibbles cut short":              {keys.Seal(texts(doe), "02aaaa"), publicKeys(), identity.ErrContent},
		"a string too few":               {keys.Seal("DOE\xe0JJ", "02"+noBirth), publicKeys(), identity.ErrContent},
		"no surname":                     {keys.Seal(strings.Replace(texts(doe), "DOE", "", 1), "02"+noBirth), publicKeys(), identity.ErrContent},
		"lengths of sections that reach behind the last byte": {keys.Seal(strings.Repeat("\xe0", 255), strings.Repeat("0", 510)), publicKeys(), identity.ErrContent},
	} {
		t.Run(name, func(t *testing.T) {
			if licence, err := identity.ParseLicence(test.scan, test.keys, today); !errors.Is(err, test.want) {
				t.Errorf("error %v, want %v; licence %+v", err, test.want, licence)
			}
		})
	}
	if len(converted) < 1000 || len(converted) > 1130 {
		t.Errorf("converted to UTF-8 a licence has %d bytes, not about 1063", len(converted))
	}
}

// texts is the section of strings as identitytest writes it.
func texts(l identitytest.Licence) string {
	return "B\xe1\xe1\xe1" + l.Surname + "\xe0" + l.Initials + "\xe1ZA\xe0ZA\xe00\xe1\xe1\xe1" + l.Number + "\xe0" + l.IDNumber
}

func latin1(text []byte) []rune {
	runes := make([]rune, len(text))
	for index, char := range text {
		runes[index] = rune(char)
	}
	return runes
}

func TestPublishedLicenceKeys(t *testing.T) {
	keys, err := identity.ParseLicenceKeys(assets.LicenceKeys)
	if err != nil {
		t.Fatal(err)
	}
	for _, version := range [][4]byte{oldLicence, newLicence} {
		if pair := keys[version]; pair.Long == nil || pair.Short == nil {
			t.Errorf("no keys for licences that begin with %x", version)
		}
	}
}

func TestLicenceKeysRefused(t *testing.T) {
	whole, err := licenceKeys()[newLicence].PEM()
	if err != nil {
		t.Fatal(err)
	}
	second := bytes.LastIndex(whole, []byte("-----BEGIN"))
	for name, test := range map[string]struct{ text, want string }{
		"empty":              {"", "no block of the type RSA PUBLIC KEY"},
		"one key of the two": {string(whole[:second]), "licence 019b0945: needs a key of 1024 bits and one of 592"},
		"no header":          {strings.ReplaceAll(string(whole), "Licence: 019b0945", "Card: 1"), `key 2: header Licence "": must be eight hexadecimal digits`},
		"header too short":   {strings.ReplaceAll(string(whole), "019b0945", "019b"), `key 1: header Licence "019b": must be eight hexadecimal digits`},
		"another type":       {strings.ReplaceAll(string(whole), "RSA PUBLIC KEY", "CERTIFICATE"), `key 1: type "CERTIFICATE": must be RSA PUBLIC KEY`},
		"not a key":          {"-----BEGIN RSA PUBLIC KEY-----\nLicence: 019b0945\n\nAAAA\n-----END RSA PUBLIC KEY-----\n", "key 1: content: must be the DER form of an RSA public key"},
		"key of another length": {"-----BEGIN RSA PUBLIC KEY-----\nLicence: 019b0945\n\nMAYCAQ8CAQM=\n-----END RSA PUBLIC KEY-----\n",
			"key 1: modulus of 4 bits: must have 1024 or 592"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := identity.ParseLicenceKeys([]byte(test.text))
			if !errors.Is(err, identity.ErrKeys) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
}
