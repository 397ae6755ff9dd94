package identity_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"reelkiosk/devices/identity"
)

func TestNumberRefusesTheFirstFaultThatApplies(t *testing.T) {
	for text, want := range map[string]identity.Fault{
		"80010150 9087":   identity.ErrCharacters,
		"8001015009087\r": identity.ErrCharacters,
		"*8001015009087*": identity.ErrCharacters,
		"8001015oo9087":   identity.ErrCharacters,
		"95062x":          identity.ErrCharacters,
		"80010150090870":  identity.ErrLength,
		"800101500908":    identity.ErrLength,
		"0000000000000":   identity.ErrDate,
		"8001325009080":   identity.ErrDate,
		"8001015009088":   identity.ErrCheckDigit,
	} {
		if _, err := identity.ParseNumber(text, today); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", text, err, want)
		}
	}
}

func TestBookTakesAsterisksInPairsOnly(t *testing.T) {
	for text, want := range map[string]error{
		"*8001015009087*":   nil,
		"8001015009087":     nil,
		"*8001015009087":    identity.ErrCharacters,
		"8001015009087*":    identity.ErrCharacters,
		"**8001015009087**": identity.ErrCharacters,
		"**":                identity.ErrLength,
		"*":                 identity.ErrCharacters,
	} {
		if _, err := identity.ParseBook(text, today); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", text, err, want)
		}
	}
}

// TestReadFindsTheDocument gives Read every document that has a vector and may be trusted, and finds its kind again.
func TestReadFindsTheDocument(t *testing.T) {
	for file, kinds := range map[string]string{
		"smart-id.json": "sa-smart-id", "mrz.json": "passport td1 td2", "aamva.json": "driving-licence identity-card",
	} {
		for _, c := range vectorsIn(t, file) {
			if c.Expect["valid"] != true {
				continue
			}
			scan, err := c.Bytes()
			if err != nil {
				t.Fatal(err)
			}
			on, err := c.Clock()
			if err != nil {
				t.Fatal(err)
			}
			result := identity.Read(scan, nil, on)
			document, ok := result.Document()
			if !ok || !strings.Contains(kinds, string(result.Kind)) || document.Kind != result.Kind {
				t.Errorf("%s: %s: kind %q, fault %v", file, c.Name, result.Kind, result.Fault)
			}
			if document.Number == "" || document.Issuer == "" {
				t.Errorf("%s: %s: summed up without number or issuer", file, c.Name)
			}
		}
	}
}

func TestReadKnowsWhatIsNoDocument(t *testing.T) {
	for scan, want := range map[string]identity.Fault{
		"":                               identity.ErrUnknown,
		"DRAW-2026-000123":               identity.ErrUnknown,
		"https://example.org/?a=1|2":     identity.ErrUnknown,
		"%MVL1CC00%0000%0000A000%1%":     identity.ErrLicenceDisc,
		"]L0%a%b%c%d%e%f%g%h%i%j%k%\r\n": identity.ErrLicenceDisc,
		"DOE|JOHN|M|RSA|80010150":        identity.ErrFieldCount,
		"8001015009088":                  identity.ErrCheckDigit,
		"@\nANSI 636000100102DL":         identity.ErrNumber,
	} {
		if result := identity.Read([]byte(scan), nil, today); !errors.Is(result.Fault, want) {
			t.Errorf("%q: %v, want %v", scan, result.Fault, want)
		}
	}
}

func TestSmartCardFlags(t *testing.T) {
	const card = "DOE|JOHN|%s|RSA|8001015009087|01 JAN 1980|RSA|%s|26 JAN 2017|23370|1|1"
	for name, test := range map[string]struct {
		sex, status string
		want        string
	}{
		"agrees":                         {"M", "CITIZEN", "[]"},
		"sex written out":                {"Male", "citizen", "[]"},
		"sex differs":                    {"F", "CITIZEN", "[sex-mismatch]"},
		"status differs":                 {"M", "PERMANENT RESIDENT", "[status-mismatch]"},
		"status of an unknown wording":   {"M", "ZZZ", "[]"},
		"sex and status differ":          {"F", "REFUGEE", "[sex-mismatch status-mismatch]"},
		"sex of neither letter, flagged": {"X", "CITIZEN", "[sex-mismatch]"},
	} {
		read, err := identity.ParseSmartCard(fmt.Appendf(nil, card, test.sex, test.status), today)
		if got := fmt.Sprint(read.Flags); err != nil || got != test.want {
			t.Errorf("%s: flags %s, error %v, want %s", name, got, err, test.want)
		}
	}
}

func TestSmartCardDates(t *testing.T) {
	const card = "DOE|JOHN|M|RSA|8001015009087|%s|RSA|CITIZEN|%s|23370|1|1"
	for _, test := range []struct {
		born, issued string
		want         error
	}{
		{"01 JAN 1980", "26 jan 2017", nil},
		{"1 JAN 1980", "26 JAN 2017", identity.ErrBirthDate},
		{"01 JAN 80", "26 JAN 2017", identity.ErrBirthDate},
		{"1980-01-01", "26 JAN 2017", identity.ErrBirthDate},
		{"16 JUN 2026", "26 JAN 2017", identity.ErrBirthDate}, // tomorrow
		{"01 JAN 1980", "", identity.ErrIssueDate},
		{"01 JAN 1980", "31 JUN 2017", identity.ErrIssueDate},
		{"01 JAN 1980", "31 DEC 1979", identity.ErrIssueDate}, // before the holder's birth
		{"01 JAN 1980", "16 JUN 2026", identity.ErrIssueDate}, // tomorrow
		{"01 JAN 1980", "15 JUN 2026", nil},
	} {
		if _, err := identity.ParseSmartCard(fmt.Appendf(nil, card, test.born, test.issued), today); !errors.Is(err, test.want) {
			t.Errorf("born %s, issued %s: %v, want %v", test.born, test.issued, err, test.want)
		}
	}
}

func TestMRZSummedUp(t *testing.T) {
	zone := func(lines ...string) identity.Document {
		document, ok := identity.ReadMRZ([]byte(strings.Join(lines, "\r\n")), today).Document()
		if !ok {
			t.Errorf("%s: not to be trusted", lines)
		}
		return document
	}
	const holder = "P<ZAFSPECIMEN<<NOMVULA<THANDI<<<<<<<<<<<<<<<"
	own := zone(holder, "A000000000ZAF9003152F31031429003150001084<52")
	if own.IDNumber != "9003150001084" || own.Kind != identity.KindPassport || own.Issuer != "ZAF" || len(own.Flags) != 0 {
		t.Errorf("a South African passport: %#v", own)
	}
	// The same with another person's identity number, and its check digits made right again.
	other := zone(holder, "A000000000ZAF9003152F31031428001015009087<90")
	if other.IDNumber != "" || fmt.Sprint(other.Flags) != "[birth-date-mismatch sex-mismatch]" {
		t.Errorf("with another person's number: %#v", other)
	}
}

// TestMRZNumbers reads numbers of every length in cards of three lines.
func TestMRZNumbers(t *testing.T) {
	for _, test := range []struct{ field, number, optional string }{
		{"029067<<<0<<<<<<<<<<<<<<<", "029067", ""},
		{"D231458907<<<<<<<<<<<<<<<", "D23145890", ""},
		{"59000002<8198703142391<<<", "59000002", "198703142391"},
		{"D23145890<7349<<<<<<<<<<<", "D23145890734", ""},
		{"D23145890<7349<AB1<<<<<<<", "D23145890734", "AB1"},
		{"000024759<ZZ72<<<<<<<<<<<", "000024759ZZ7", ""}, // a digit over the filler too, as on Portuguese cards
	} {
		lines := []string{"I<UTO" + test.field, "7408122F3004159UTO<<<<<<<<<<<0", "ERIKSSON<<ANNA<MARIA<<<<<<<<<<"}
		mrz, _ := identity.ParseMRZ([]byte(strings.Join(lines, "")), today)
		if mrz.Number != test.number || mrz.Optional != test.optional || !mrz.Checks["number"] {
			t.Errorf("%s: number %q, optional %q, checks %v", test.field, mrz.Number, mrz.Optional, mrz.Checks)
		}
	}
}

func TestMRZDates(t *testing.T) {
	for _, test := range []struct{ birth, expiry, born, class, expires string }{
		{"740812", "300415", "1974-08-12", "adult", "2030-04-15"},
		{"7408<<", "300415", "", "unknown", "2030-04-15"},
		{"74<<<<", "300415", "", "unknown", "2030-04-15"},
		{"<<<<<<", "<<<<<<", "", "unknown", ""},
		{"080616", "760615", "", "minor-or-centenarian", "2076-06-15"},
		{"261231", "760616", "1926-12-31", "adult", "1976-06-16"},
	} {
		mrz, err := identity.ParseMRZ(passport(test.birth, test.expiry), today)
		if err != nil || mrz.BirthDate.String() != test.born || string(mrz.AgeClass) != test.class || mrz.ExpiryDate.String() != test.expires {
			t.Errorf("%s %s: born %s, %s, expires %s, error %v", test.birth, test.expiry, mrz.BirthDate, mrz.AgeClass, mrz.ExpiryDate, err)
		}
		if (mrz.Expired == nil) != (test.expires == "") {
			t.Errorf("%s: expired is known of a date that is not", test.expiry)
		}
	}
	for _, test := range [][2]string{
		{"740230", "300415"}, {"741301", "300415"}, {"74O812", "300415"}, {"7413<<", "300415"}, {"74<<00", "300415"},
		{"740812", "300231"}, {"740812", "30<<32"}, {"7<0812", "300415"}, {"990229", "300415"},
	} {
		if mrz, err := identity.ParseMRZ(passport(test[0], test[1]), today); !errors.Is(err, identity.ErrDate) || mrz.Surname != "SPECIMEN" {
			t.Errorf("%s %s: error %v", test[0], test[1], err)
		}
	}
}

// passport is a zone whose check digits are right.
func passport(birth, expiry string) []byte {
	digit := func(field string) string {
		sum := 0
		for index, char := range field {
			sum += max(strings.IndexRune("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", char), 0) * []int{7, 3, 1}[index%3]
		}
		return fmt.Sprint(sum % 10)
	}
	number, dates := "L1112223<9", [2]string{birth + digit(birth), expiry + digit(expiry)}
	rest := "<<<<<<<<<<<<<<<"
	return []byte("P<UTOSPECIMEN<<ANNA<<<<<<<<<<<<<<<<<<<<<<<<<\n" +
		number + "UTO" + dates[0] + "F" + dates[1] + rest + digit(number+dates[0]+dates[1]+rest) + "\n")
}

func TestMRZFraming(t *testing.T) {
	first, second := "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L898902C36UTO7408122F1204159ZE184226B<<<<<10"
	for name, scan := range map[string]string{
		"CR": first + "\r" + second, "CR behind each": first + "\r" + second + "\r", "LF": first + "\n" + second + "\n",
		"CR LF": first + "\r\n" + second + "\r\n", "one run": first + second, "one run and CR": first + second + "\r",
		"STX and ETX": "\x02" + first + "\r" + second + "\x03", "line ends inside STX and ETX": "\x02" + first + "\r" + second + "\r\n\x03",
	} {
		if mrz, err := identity.ParseMRZ([]byte(scan), today); err != nil || mrz.Number != "L898902C3" {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, test := range map[string]struct {
		scan string
		want error
	}{
		"empty":                                {"", identity.ErrLength},
		"one line":                             {first, identity.ErrLength},
		"three lines":                          {first + "\r" + second + "\r" + second, identity.ErrLength},
		"the run cut elsewhere":                {first[:40] + "\r" + first[40:] + second, identity.ErrLength},
		"small letters":                        {strings.ToLower(first) + second, identity.ErrCharacters},
		"a space":                              {first + " " + second, identity.ErrCharacters},
		"a wrong character in a line too long": {first + "-\r" + second, identity.ErrCharacters},
		"bytes of no character":                {"\xff\xfe", identity.ErrCharacters},
	} {
		if _, err := identity.ParseMRZ([]byte(test.scan), today); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", name, err, test.want)
		}
	}
}

func TestAAMVA(t *testing.T) {
	const head = "@\n\x1e\rANSI 636000100102DL00410278ZV03190008DL"
	const rest = "\nDBB06061986\nDBA12102030\nDBC2\nDCGUSA\rZVZVA01\r"
	for name, test := range map[string]struct {
		scan string
		want string // surname, given names, suffix, number, birth date, expiry, sex, issuer
	}{
		"line ends CR LF":                {strings.ReplaceAll(head+"DAQ1\nDCSDOE\nDACJANE"+rest, "\n", "\r\n"), "DOE,JANE,,1,1986-06-06,2030-12-10,F,USA"},
		"line ends CR":                   {strings.ReplaceAll(head+"DAQ1\nDCSDOE\nDACJANE"+rest, "\n", "\r"), "DOE,JANE,,1,1986-06-06,2030-12-10,F,USA"},
		"several given names in one":     {head + "DAQ1\nDCSDOE\nDCTJANE,MARY" + rest, "DOE,JANE MARY,,1,1986-06-06,2030-12-10,F,USA"},
		"no surname":                     {head + "DAQ1\nDCSNONE\nDACJANE\nDADunavl" + rest, ",JANE,,1,1986-06-06,2030-12-10,F,USA"},
		"no suffix":                      {head + "DAQ1\nDCSDOE\nDACJANE\nDCUNONE" + rest, "DOE,JANE,,1,1986-06-06,2030-12-10,F,USA"},
		"an address that looks like ids": {head + "DAQ1\nDAGDCS DBB01011990\nDCSDOE\nDACJANE" + rest, "DOE,JANE,,1,1986-06-06,2030-12-10,F,USA"},
		"header without entries":         {"@\n\x1e\rANSI 6360001001DLDAQ1\nDCSDOE\nDACJANE" + rest, "DOE,JANE,,1,1986-06-06,2030-12-10,F,USA"},
		"no expiry":                      {head + "DAQ1\nDCSDOE\nDACJANE\nDBB06061986\nDCGUSA\r", "DOE,JANE,,1,1986-06-06,,,USA"},
		"Canada":                         {head + "DAQ1\nDCSDOE\nDACJANE\nDBB19860606\nDBA20301210\nDBC9\nDCGCAN\r", "DOE,JANE,,1,1986-06-06,2030-12-10,X,CAN"},
		"no country, the year in front":  {head + "DAQ1\nDCSDOE\nDACJANE\nDBB19860606\nDBA20301210\r", "DOE,JANE,,1,1986-06-06,2030-12-10,,636000"},
		"names as on a magnetic stripe":  {"@\n\x1c\rAAMVA6360000101DL00290100DLDAQ1\nDAADOE$JANE$MARY$II\nDBB19860606\nDBA20301210\r", "DOE,JANE MARY,II,1,1986-06-06,2030-12-10,,636000"},
		"version 01, names apart":        {"@\n\x1e\rANSI 6360000101DL00290100DLDAQ1\nDABDOE\nDACJANE\nDADMARY\nDAEII\nDBB19860606\r", "DOE,JANE MARY,II,1,1986-06-06,,,636000"},
	} {
		card, err := identity.ParseAAMVA([]byte(test.scan), today)
		got := strings.Join([]string{card.Surname, card.GivenNames, card.Suffix, card.Number, card.BirthDate.String(),
			card.ExpiryDate.String(), card.Sex, card.Document().Issuer}, ",")
		if err != nil || got != test.want {
			t.Errorf("%s: got %s (%v), want %s", name, got, err, test.want)
		}
	}
	for name, test := range map[string]struct {
		scan string
		want error
	}{
		"year in front, yet of the United States": {head + "DAQ1\nDCSDOE\nDBB19860606\nDCGUSA\r", identity.ErrBirthDate},
		"born tomorrow":                 {head + "DAQ1\nDCSDOE\nDBB06162026\nDCGUSA\r", identity.ErrBirthDate},
		"date cut":                      {head + "DAQ1\nDCSDOE\nDBB0606198", identity.ErrBirthDate},
		"nothing behind the number":     {head + "DAQ1\n", identity.ErrBirthDate},
		"no element for a surname":      {head + "DAQ1\nDACJANE" + rest, identity.ErrSurname},
		"number and birth date missing": {head + "DCSDOE\r", identity.ErrNumber},
		"cut in the header":             {"@\n\x1e\rANSI 6360", identity.ErrNotAAMVA},
		"empty":                         {"", identity.ErrNotAAMVA},
	} {
		if _, err := identity.ParseAAMVA([]byte(test.scan), today); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", name, err, test.want)
		}
	}
}

// TestNothingStraysIntoLogs prints documents as a careless program would.
func TestNothingStraysIntoLogs(t *testing.T) {
	card, err := identity.ParseSmartCard([]byte("DOE|JOHN|M|RSA|8001015009087|01 JAN 1980|RSA|CITIZEN|26 JAN 2017|23370|1|1"), today)
	if err != nil {
		t.Fatal(err)
	}
	if printed := fmt.Sprintf("%v %+v %s", card.Document(), card.Document(), card.Document()); strings.Contains(printed, "DOE") {
		t.Errorf("printed as %s", printed)
	}
	result := identity.Read([]byte("8001015009088"), nil, today)
	if text, _ := json.Marshal(result); strings.Contains(string(text)+result.Fault.Error(), "80010") {
		t.Errorf("a refusal shows the number: %s", text)
	}
}
