package reader_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"reelkiosk/devices/identity/vectortest"
	"reelkiosk/devices/reader"
)

func decoded(t *testing.T, profile, capture string) string {
	t.Helper()
	report, err := reader.Decode(profile, []byte(capture), today)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestDecode(t *testing.T) {
	for name, test := range map[string]struct{ profile, capture, want string }{
		"a swipe, the profile guessed": {"", ";6001234567890123?\r",
			`{"profile":"magstripe","kind":"magstripe","swipes":[{"result":"member-card","card_number":"6001234567890123",` +
				`"tracks":{"1":"absent","2":"ok","3":"absent"},"shape":{"2":"################"}}]}`},
		"a bank card": {"", ";4111111111111111=30121010000000000?\r",
			`{"profile":"magstripe","kind":"magstripe","swipes":[{"result":"bank-card","tracks":{"1":"absent","2":"ok","3":"absent"}}]}`},
		"an insert reader's sensor": {"", "\x1b1\r", `{"profile":"magstripe","kind":"magstripe","swipes":[],"sensor":"card-present"}`},
		"a tag": {"", "\x0262E3086CED08\x03\x0262E3086CED08\x03", `{"profile":"rdm6300","kind":"em4100","tags":[` +
			`{"tag":"62E3086CED","decimal":"3808980205","wiegand26":"008,27885"},` +
			`{"tag":"62E3086CED","decimal":"3808980205","wiegand26":"008,27885"}],"bad":0}`},
		"a UID, the profile given": {"uid-hex", "90D752C5\r\n", `{"profile":"uid-hex","kind":"uid","uid":"90D752C5"}`},
		"two UIDs": {"uid-hex", "90D752C5\r\n08A1B2C3\r\n",
			`{"profile":"uid-hex","kind":"uid","reads":[{"kind":"uid","uid":"90D752C5"},{"kind":"uid","refuse":"random-uid"}]}`},
		"nothing":                      {"", "", `{"kind":"unknown","error":"unreadable"}`},
		"noise":                        {"", "AT\r\n", `{"kind":"unknown","error":"unreadable"}`},
		"nothing, to a reader of UIDs": {"uid-hex", "", `{"profile":"uid-hex","kind":"uid","refuse":"length"}`},
		"nothing, to a scanner":        {"scanner", "\r\n", `{"profile":"scanner","kind":"scanner","error":"no-aim-id"}`},
		"a ticket":                     {"", "]Q1DRAW-2026-000123\r", `{"profile":"scanner","kind":"symbol","symbology":"qr","modifier":"1","text":"DRAW-2026-000123"}`},
		"a green book": {"", "]A08001015009087\r", `{"profile":"scanner","symbology":"code-39","modifier":"0","text":"8001015009087",` +
			`"kind":"sa-id-book","valid":true,"birth_date":"1980-01-01","age":46,"age_class":"adult","sex":"M","status":"citizen","flags":[]}`},
		"a vehicle's licence disc": {"", "]L0%MVL1CC00%0000%\r",
			`{"profile":"scanner","kind":"scanner","symbology":"pdf417","modifier":"0","text":"%MVL1CC00%0000%","valid":false,"error":"vehicle-licence-disc"}`},
		"a scan without an identifier, to a scanner": {"scanner", "8001015009087\r", `{"profile":"scanner","kind":"scanner","error":"no-aim-id"}`},
		"an identity number by itself": {"", "8001015009087",
			`{"note":"read without the AIM identifier of a scanner; a kiosk refuses it so","kind":"sa-id-book","valid":true,` +
				`"birth_date":"1980-01-01","age":46,"age_class":"adult","sex":"M","status":"citizen","flags":[]}`},
		"an identity number by itself, wrong": {"", "8001015009088\n",
			`{"note":"read without the AIM identifier of a scanner; a kiosk refuses it so","kind":"sa-id-book","valid":false,"error":"check-digit"}`},
		"a wrong keyboard layout": {"", "\u00f66001234567890123\u00b49912_\r",
			`{"profile":"magstripe","kind":"magstripe","swipes":[{"result":"unreadable","tracks":{"1":"absent","2":"absent","3":"absent"}}]}`},
	} {
		if got := decoded(t, test.profile, test.capture); got != test.want {
			t.Errorf("%s:\n%s, want\n%s", name, got, test.want)
		}
	}
	if _, err := reader.Decode("camera", nil, today); !errors.Is(err, reader.ErrProfile) {
		t.Errorf("an unknown profile: %v", err)
	}
}

// TestTheSameMemberOrNobody gives Guess captures that readers set up in different ways may have made of different cards.
func TestTheSameMemberOrNobody(t *testing.T) {
	for _, capture := range []string{"90D752C5", "90D752C5\r\n", "04A3C6CAE26180\r\n", "DD17380AF8\r\n", "\n0F0184F07A\r"} {
		report, err := reader.Guess([]byte(capture), today)
		if err != nil {
			t.Fatal(err)
		}
		if report.Fault != reader.GuessAmbiguous || len(report.Candidates) < 2 || len(report.Readings()) != 0 {
			t.Errorf("%q: %v", capture, report)
		}
	}
	const want = `{"kind":"unknown","error":"ambiguous","candidates":[` +
		`{"profile":"uid-hex","kind":"uid","uid":"90D752C5"},{"profile":"uid-hex-reversed","kind":"uid","uid":"C552D790"}]}`
	if got := decoded(t, "", "90D752C5\r\n"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestGuessNeverFindsAnotherMember gives Guess every vector about readers. Where it finds a card, it is the vector's.
func TestGuessNeverFindsAnotherMember(t *testing.T) {
	for _, file := range []string{"magstripe.json", "rfid.json", "uid.json", "scanner.json"} {
		for _, c := range vectorsIn(t, file) {
			input, err := c.Bytes()
			if err != nil {
				t.Fatal(err)
			}
			report, err := reader.Guess(input, today)
			if err != nil {
				t.Fatal(err)
			}
			expected := fmt.Sprint(c.Expect)
			for _, reading := range report.Readings() {
				if reading.Card != nil && !strings.Contains(expected, reading.Card.Number) && !c.Has("lrc") && !c.Has("reverse") {
					t.Errorf("%s: %s: a card that is not there, by %s", file, c.Name, report.Profile)
				}
			}
		}
	}
}

// TestGuessReadsDocumentsByThemselves gives Guess documents as a scanner without identifiers sends them.
func TestGuessReadsDocumentsByThemselves(t *testing.T) {
	for capture, want := range map[string]string{
		"DOE|JOHN|M|RSA|8001015009087|01 JAN 1980|RSA|CITIZEN|26 JAN 2017|23370|1|1\r":                 "sa-smart-id",
		"P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<\rL898902C36UTO7408122F1204159ZE184226B<<<<<10\r": "passport",
		"@\n\x1e\rANSI 6360001001DLDAQ1\nDCSDOE\nDACJANE\nDBB06061986\nDBA12102030\nDCGUSA\r":          "driving-licence",
	} {
		got, err := vectortest.Plain(json.RawMessage(decoded(t, "", capture)))
		if err != nil || got.(map[string]any)["kind"] != want || got.(map[string]any)["valid"] != true {
			t.Errorf("%s: %v", want, got)
		}
	}
}

func TestCapturesStayAsTheyAre(t *testing.T) {
	capture := []byte(";6001234567890123?\r")
	reader.Capture(named(t, "magstripe"), capture, today)
	if !reflect.DeepEqual(capture, []byte(";6001234567890123?\r")) {
		t.Errorf("changed to %q", capture)
	}
}

// TestABrokenLicenceIsNoTag gives Guess pieces of documents, and documents with a byte wrong. What is left of one may be no
// document any more; it is unreadable then, and never a tag because it has line ends, nor a swipe because it has a percent
// sign.
func TestABrokenLicenceIsNoTag(t *testing.T) {
	documents := []string{
		"DOE|JOHN|M|RSA|8001015009087|01 JAN 1980|RSA|CITIZEN|26 JAN 2017|23370|1|1\r",
		"@\n\x1e\rANSI 636000100102DL00410278ZV03190008DLDAQ1\nDCSDOE\nDACJANE 50%\nDAG2; THE LANE\nDBB06061986\nDBA12102030\nDCGUSA\r",
	}
	for _, document := range documents {
		broken := []string{strings.ReplaceAll(document, "DBB", "DXX"), strings.ReplaceAll(document, "DAQ", "DXX")}
		for at := 2; at < len(document); at++ {
			broken = append(broken, document[:at], document[:at]+"\n\x02"+document[at+1:], document[:at]+"~"+document[at+1:])
			if len(document)-at > len("DCGUSA\r") { // less is a word or a number by itself
				broken = append(broken, document[at:])
			}
		}
		for _, sent := range broken {
			report, err := reader.Guess([]byte(sent), today)
			if err != nil {
				t.Fatal(err)
			}
			if report.Type != reader.TypeDocument && report.Fault != reader.GuessNothing {
				t.Errorf("%q is read by %s: %v", sent, report.Profile, report.Readings())
			}
		}
	}
	for capture, want := range map[string]string{
		"@\n\x1e\rANSI 636000100102DLDAQ1\nDCSDOE\n": `{"note":"read without the AIM identifier of a scanner; a kiosk refuses it so",` +
			`"kind":"driving-licence","valid":false,"error":"birth-date"}`,
		"@\n\x1e\rDLDAQ1\nDCSDOE\nDBB06061986\n": `{"kind":"unknown","error":"unreadable"}`,
		"\x0262E3086CED09\x03":                   `{"profile":"rdm6300","kind":"em4100","tags":[],"bad":1}`, // whole, its checksum wrong
		"AT\r;6001234567890123?\r":               `{"profile":"magstripe","kind":"magstripe","swipes":[{"result":"unreadable","tracks":{"1":"absent","2":"absent","3":"absent"}},{"result":"member-card","card_number":"6001234567890123","tracks":{"1":"absent","2":"ok","3":"absent"},"shape":{"2":"################"}}]}`,
	} {
		if got := decoded(t, "", capture); got != want {
			t.Errorf("%q:\n%s, want\n%s", capture, got, want)
		}
	}
}
