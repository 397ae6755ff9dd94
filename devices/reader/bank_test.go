package reader_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"reelkiosk/devices/identity"
	"reelkiosk/devices/reader"
	"reelkiosk/store/tournament"
)

// bankCards are published test numbers of payment networks, by length.
var bankCards = []string{
	"4111111111111111", "4222222222222", "4000002760003184", "5555555555554444", "5105105105105100", "2223003122003222",
	"378282246310005", "30569309025904", "36227206271667", "6011000990139424", "3530111333300000", "6200000000000005",
	"6304000000000000000"[:16], "4000000000000000006",
}

// TestABankCardsNumberWhereverItStands: a misread separator, the issuer's own data, track 3, a symbol of a scanner.
func TestABankCardsNumberWhereverItStands(t *testing.T) {
	for _, number := range bankCards {
		if !identity.Luhn(number) {
			continue // see TestTheBankCardsOfTheseTests
		}
		spaced := number[:4] + " " + number[4:8] + "-" + number[8:]
		for where, sent := range map[string]string{
			"the separator became a digit":        ";" + number + "528121010000000000?\r",
			"format B became format C":            "%C" + number + "^DOE/JOHN^28121010000?\r",
			"format B became a digit":             "%8" + number + "^DOE/JOHN^28121010000?\r",
			"the first separator of track 1":      "%B" + number + "5DOE/JOHN^28121010000?\r",
			"in the issuer's data":                ";1234=2812101" + number + "?\r",
			"in place of the issuer's data":       ";1234=" + number + "?\r",
			"in the name":                         "%B1234^" + number + "/X^2812101?\r",
			"run together on track 3":             "+01" + number + "7241000?\r",
			"on track 3 with a format":            "+59" + number + "=7241000?\r",
			"with spaces and hyphens":             "%B" + spaced + "^DOE/JOHN^2812101?\r",
			"beside a member's number":            ";6001234567890123=" + number + "?\r",
			"behind a member's expiry":            "%B6001234567890123^X^2812101" + number + "?\r",
			"in the name of a member":             "%B6001234567890123^" + number + "/X^9912101?\r",
			"a Code 128":                          "]C0" + number + "\r",
			"a QR code":                           "]Q1" + number + "\r",
			"a QR code with text around":          "]Q1card " + spaced + ", thank you\r",
			"a PDF417 with a track in it":         "]L0;" + number + "=28121010000000000?\r",
			"a document that is cut, with a card": "]L0DOE|JOHN|M|" + number + "|RSA\r",
		} {
			profile := "magstripe"
			if sent[0] == ']' {
				profile = "scanner"
			}
			readings := reader.Play(named(t, profile), today, reader.Chunk{Bytes: []byte(sent)})
			if len(readings) != 1 || readings[0].Refusal != reader.BankCard {
				t.Errorf("%s, %s: %v", number, where, readings)
			}
		}
	}
}

func TestTheBankCardsOfTheseTests(t *testing.T) {
	right := slices.DeleteFunc(slices.Clone(bankCards), func(number string) bool { return !identity.Luhn(number) })
	if len(right) < 13 {
		t.Errorf("only %s have a right check digit", right)
	}
}

// TestWhatLooksLikeABankCardAndIsNone: numbers that pass Luhn, and are in the networks' ranges, but stand for something else.
func TestWhatLooksLikeABankCardAndIsNone(t *testing.T) {
	ticket, err := tournament.NewTicketNumber(strings.NewReader("0123456789"))
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ profile, sent, want string }{
		"identity number of somebody born in 1941": {"scanner", "]A0" + idNumber("411111500008") + "\r", "document"},
		"the same in a QR code":                    {"scanner", "]Q1" + idNumber("411111500008") + "\r", "symbol"},
		"the same on half a smart card":            {"scanner", "]L0DOE|JOHN|M|RSA|" + idNumber("411111500008") + "|11 NOV 19\r", "refused: scan-again"},
		"a smart card of somebody born in 1962": {"scanner", "]L0DOE|JOHN|M|RSA|" + idNumber("620202500008") +
			"|02 FEB 1962|RSA|CITIZEN|26 JAN 2017|23370|1|" + strings.Repeat("4111111111111111", 6) + "4111\r", "document"},
		"a licence whose number is long":        {"scanner", "]L0@\n\x1e\rANSI 6360001001DLDAQ4111111111111111\nDCSDOE\nDBB06061986\nDCGUSA\r", "document"},
		"an article with both check digits":     {"scanner", "]E04000000000006\r", "symbol"},
		"a ticket":                              {"scanner", "]Q1" + string(ticket) + "\r", "symbol"},
		"a tag of digits":                       {"rdm6300", "\x02411111111141\x03", "club card"},
		"a UID of digits":                       {"uid-hex", "04111111111111\r", "club card"},
		"a member whose number passes Luhn":     {"magstripe", ";6001000000000004=99120000000000?\r", "club card"},
		"a member's number with one digit more": {"magstripe", ";60010000000000041?\r", "refused: other-card"},
		"a member with data of her own":         {"magstripe", "%B6001234567890123^SPECIMEN/V^9912101000000000123000000?;6001234567890123=9912101123?\r", "club card"},
		"sixteen digits of no network":          {"magstripe", ";1234=1111111111111117?\r", "refused: other-card"},
	} {
		readings := reader.Play(named(t, test.profile), today, reader.Chunk{Bytes: []byte(test.sent)})
		if len(readings) != 1 {
			t.Errorf("%s: %v", name, readings)
			continue
		}
		got := readings[0].String()
		if readings[0].Card != nil {
			got = readings[0].Card.String()
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

// idNumber is twelve digits with the check digit behind them.
func idNumber(digits string) string {
	for check := '0'; check <= '9'; check++ {
		if identity.Luhn(digits + string(check)) {
			return digits + string(check)
		}
	}
	panic("one of ten check digits is right")
}

// TestABankCardWithOneByteWrongIsNotRepeated changes, drops and adds every single byte of every bank card in the vectors and
// of a few symbols. Nothing that is printed holds the number, nor nine of its digits in a row.
func TestABankCardWithOneByteWrongIsNotRepeated(t *testing.T) {
	const number = "4111111111111111"
	sent := []string{"]C0" + number + "\r", "]L0;" + number + "=28121010000000000?\r", "%B4111 1111 1111 1111^A/B^28121010000?\r", "+01" + number + "=7241?\r"}
	for _, c := range vectorsIn(t, "magstripe.json") {
		if c.Expect["must_not_echo"] == nil {
			continue
		}
		input, err := c.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		sent = append(sent, string(input))
	}
	if len(sent) != 8 {
		t.Fatalf("finds only %d bank cards", len(sent))
	}
	profiles := []string{"", "magstripe", "magstripe-lrc", "scanner", "scanner-no-suffix", "mrz", "uid-hex", "parallax-28140"}
	step := 31 // every byte value takes long
	if os.Getenv("REELKIOSK_LONG") != "" {
		step = 1
	}
	for _, card := range sent {
		for at := range card {
			notRepeated(t, number, card[:at]+card[at+1:], profiles)
			for value := at % step; value < 256; value += step {
				notRepeated(t, number, card[:at]+string([]byte{byte(value)})+card[at+1:], profiles)
				notRepeated(t, number, card[:at]+string([]byte{byte(value)})+card[at:], profiles)
			}
			for _, value := range "0123456789 =^?;%+#BCE\r\n\x02\x03" { // whatever means something to a parser
				notRepeated(t, number, card[:at]+string(value)+card[at+1:], profiles)
				notRepeated(t, number, card[:at]+string(value)+card[at:], profiles)
			}
		}
	}
}

// TestAPieceOfABankCardIsNoUID: fourteen digits of a card's number pass for a UID of seven bytes. The kiosk looks that up;
// nobody is shown it.
func TestAPieceOfABankCardIsNoUID(t *testing.T) {
	for sent, want := range map[string]string{
		"34239336574426\r\n":   `"uid":"##############"`,
		"05018129405218769994": `"uid":"####################"`,
		"5F018603908584852679": `"uid":"#F##################"`,
		"04A3C6CAE26180\r\n":   `"uid":"04A3C6CAE26180"`,
		"12345678\r\n":         `"uid":"12345678"`,
	} {
		if got := decoded(t, "uid-hex", sent); !strings.Contains(got, want) {
			t.Errorf("%q: %s", sent, got)
		}
		if len(reader.Capture(named(t, "uid-hex"), []byte(sent), today).Readings()) != 1 {
			t.Errorf("%q: not read", sent)
		}
	}
}

func notRepeated(t *testing.T, number, sent string, profiles []string) {
	t.Helper()
	for _, profile := range profiles {
		report, err := reader.Decode(profile, []byte(sent), today)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(report)
		if err != nil {
			t.Fatal(err)
		}
		const most = 9
		for at := 0; at+most <= len(number); at++ {
			if strings.Contains(string(text), number[at:at+most]) {
				t.Fatalf("profile %q: %q gives %s", profile, sent, text)
			}
		}
	}
}
