package identity_test

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"reelkiosk/devices/identity"
	"reelkiosk/store/tournament"
)

// fuzzParser starts from the vectors of a file. Whatever comes in, a parser returns, what it returns can be written as
// JSON, and a paper without a fault has a class of age.
func fuzzParser(f *testing.F, file string, parse func([]byte, tournament.Date) identity.Result) {
	for _, c := range vectorsIn(f, file) {
		input, err := c.Bytes()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(input)
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		result := parse(input, today)
		text, err := json.Marshal(result)
		if err != nil || !utf8.Valid(text) {
			t.Fatalf("%s: %v", text, err)
		}
		if document, ok := result.Document(); ok && document.AgeClass == "" {
			t.Fatalf("%s: no class of age", text)
		}
	})
}

func FuzzNumber(f *testing.F) {
	fuzzParser(f, "sa-id.json", func(input []byte, on tournament.Date) identity.Result {
		number, err := identity.ParseBook(string(input), on)
		return identity.ResultOf(identity.KindBook, number, err)
	})
}

func FuzzSmartCard(f *testing.F) {
	fuzzParser(f, "smart-id.json", func(input []byte, on tournament.Date) identity.Result {
		card, err := identity.ParseSmartCard(input, on)
		return identity.ResultOf(card.Document().Kind, card, err)
	})
}

func FuzzMRZ(f *testing.F) { fuzzParser(f, "mrz.json", identity.ReadMRZ) }

func FuzzAAMVA(f *testing.F) {
	fuzzParser(f, "aamva.json", func(input []byte, on tournament.Date) identity.Result {
		card, err := identity.ParseAAMVA(input, on)
		return identity.ResultOf(card.Document().Kind, card, err)
	})
}

func FuzzRead(f *testing.F) {
	fuzzParser(f, "smart-id.json", func(input []byte, on tournament.Date) identity.Result {
		return identity.Read(input, publicKeys(), on)
	})
}

// FuzzLicence starts behind the cipher, which no input made by chance would pass.
func FuzzLicence(f *testing.F) {
	f.Add(texts(doe), []byte("\x02\xaa\xaa\x00\xa0\x11\x98\x00\x10\x1a\x20\x28\x04\x30\x01"))
	f.Add("B\xe1\xe1\xe1DOE\xe0JJ\xe1ZW\xe0ZA\xe00\xe1\xe1\xe16234560001AB\xe0AB123456", []byte{3})
	f.Fuzz(func(t *testing.T, texts string, nibbles []byte) {
		content := make([]byte, 684)
		content[5], content[7] = byte(len(texts)), byte(len(nibbles))
		copy(content[10:], texts+string(nibbles))
		licence, err := identity.ParseLicenceContent(content, today)
		if err == nil && (licence.Surname == "" || licence.BirthDate.IsZero()) {
			t.Fatalf("taken without surname or birth date: %+v", licence)
		}
	})
}
