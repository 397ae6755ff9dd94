package identity_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"reelkiosk/devices/identity"
)

// TestAMinorIsNoAdultByAPrintedBirthDate: whatever a card says beside its identity number, age is counted from the number.
func TestAMinorIsNoAdultByAPrintedBirthDate(t *testing.T) {
	minor := doe
	minor.IDNumber, minor.Born = "1001025001089", date("1990-01-02") // the number's holder was born in 2010
	for name, scan := range map[string][]byte{
		"smart card": []byte("DOE|JOHN|M|RSA|1001025001089|02 JAN 1990|RSA|CITIZEN|05 JAN 2025|23370|1|1"),
		"licence":    licenceKeys()[newLicence].Bytes(minor),
		"passport": []byte("P<ZAFSPECIMEN<<JOHN<<<<<<<<<<<<<<<<<<<<<<<<<" +
			zoneLine("A00000000", "ZAF", "900102", "M", "310314", "1001025001089")),
	} {
		result := identity.Read(scan, publicKeys(), today)
		document, ok := result.Document()
		if text, err := json.Marshal(result); err != nil || !strings.Contains(string(text), `"age_class":"minor-or-centenarian"`) {
			t.Errorf("%s: support staff see %s, %v", name, text, err)
		}
		if !ok || document.AgeClass != identity.MinorOrCentenarian || !document.BirthDate.IsZero() || len(document.BirthDateCandidates) != 2 {
			t.Errorf("%s: %v, born %s or %v, %s", name, result.Fault, document.BirthDate, document.BirthDateCandidates, document.AgeClass)
		}
		if fmt.Sprint(document.Flags) != "[birth-date-mismatch]" {
			t.Errorf("%s: flags %v", name, document.Flags)
		}
	}
}

// zoneLine is the second line of a passport's zone with its check digits right.
func zoneLine(number, nation, birth, sex, expiry, optional string) string {
	digit := func(field string) string {
		sum := 0
		for index, char := range field {
			sum += max(strings.IndexRune("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", char), 0) * []int{7, 3, 1}[index%3]
		}
		return fmt.Sprint(sum % 10)
	}
	number, birth, expiry = number+digit(number), birth+digit(birth), expiry+digit(expiry)
	optional += strings.Repeat("<", 14-len(optional))
	optional += digit(optional)
	return number + nation + birth + sex + expiry + optional + digit(number+birth+expiry+optional)
}

func TestAPassportThatDisagreesWithItsIdentityNumber(t *testing.T) {
	const holder = "P<ZAFSPECIMEN<<NOMVULA<THANDI<<<<<<<<<<<<<<<"
	for name, test := range map[string]struct{ sex, optional, want string }{
		"agrees":                      {"F", "9003150001084", "[]"},
		"sex not given":               {"<", "9003150001084", "[]"},
		"sex differs":                 {"M", "9003150001084", "[sex-mismatch]"},
		"the number fails":            {"F", "9003150001085", "[number-check-digit]"},
		"no such day in the number":   {"F", "9013150001083", "[number-check-digit]"},
		"no such status":              {"F", "9003150001381", "[unknown-status-digit]"},
		"another number is no matter": {"F", "AB123", "[]"},
	} {
		document, ok := identity.ReadMRZ([]byte(holder+zoneLine("A00000000", "ZAF", "900315", test.sex, "310314", test.optional)), today).Document()
		if got := fmt.Sprint(document.Flags); !ok || got != test.want {
			t.Errorf("%s: flags %s, want %s", name, got, test.want)
		}
	}
}

// TestTwoCardsInOneReadAreNotTakenForOne gives a North American card whose elements come twice.
func TestTwoCardsInOneReadAreNotTakenForOne(t *testing.T) {
	const card = "@\n\x1e\rANSI 636000100102DL00410278ZV03190008DLDAQ1\nDCSDOE\nDACJANE\nDBB06061986\nDBA12102030\nDBC2\nDCGUSA\r"
	for name, test := range map[string]struct{ scan, want string }{
		"once":                          {card, "[]"},
		"the same twice":                {card + card, "[]"},
		"another number":                {card + strings.Replace(card, "DAQ1", "DAQ2", 1), "[copies-differ]"},
		"another birth date":            {card + strings.Replace(card, "DBB06061986", "DBB06062010", 1), "[copies-differ]"},
		"another expiry":                {card + "DBA12102031\r", "[copies-differ]"},
		"another surname":               {card + "IDDCSROE\r", "[copies-differ]"},
		"under eighteen, yet adult":     {card + "DDH06062030\r", "[birth-date-mismatch]"},
		"was under eighteen, is of age": {card + "DDH06062004\r", "[]"},
	} {
		read, err := identity.ParseAAMVA([]byte(test.scan), today)
		if got := fmt.Sprint(read.Document().Flags); err != nil || got != test.want {
			t.Errorf("%s: flags %s, error %v, want %s", name, got, err, test.want)
		}
	}
}
