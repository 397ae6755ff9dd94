package exchange

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

var johannesburg = time.FixedZone("SAST", 2*3600)

var options = Options{Today: tournament.Date{Year: 2026, Month: 11, Day: 30}, Zone: johannesburg}

func readMembers(t *testing.T, text string) ([]wire.Member, []wire.RowProblem) {
	t.Helper()
	var members []wire.Member
	problems, err := ReadMembers(strings.NewReader(text), options, func(member wire.Member) error {
		members = append(members, member)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return members, problems
}

func TestMembers(t *testing.T) {
	want := []wire.Member{
		{Line: 2, Number: "M1", Cards: []string{"6001234567890123", "04A1B2C3"}, Surname: "Naidoo", Given: "Thandi",
			IDNumber: "8001015009087", BirthDate: tournament.Date{Year: 1980, Month: 1, Day: 1}, Verified: true},
		{Line: 3, Number: "M2", Cards: []string{}, Surname: "Müller, Graf", Given: "Jörg", Passport: "C01X00T47", Issuer: "D",
			BirthDate: tournament.Date{Year: 1964, Month: 8, Day: 12}},
	}
	comma := "Member Number,Cards,Surname,Given-Names,ID_Number,passport,passport_issuer,birth_date,verified\n" +
		"m1,6001 2345 6789 0123|04:a1:b2:c3,Naidoo,Thandi,800101 5009 087,,,,yes\n" +
		"M2,,\"Müller, Graf\",Jörg,,C01X00T47,d,1964-08-12,\n"
	semicolon := "verified;member_number;cards;surname;given_names;id_number;passport;passport_issuer;birth_date\n" +
		"Y;M1;6001234567890123|04A1B2C3;Naidoo;Thandi;8001015009087;;;1980-01-01\n" +
		"no;M2;;Müller, Graf;Jörg;;C01X00T47;D;1964-08-12\n"
	for name, text := range map[string]string{
		"commas":                     comma,
		"semicolons, other order":    semicolon,
		"byte order mark":            "\uFEFF" + comma,
		"lines that end in CR LF":    strings.ReplaceAll(comma, "\n", "\r\n"),
		"no line end after the last": strings.TrimSuffix(comma, "\n"),
		"empty lines at the end":     comma + "\n,,,,,,,,\n",
	} {
		t.Run(name, func(t *testing.T) {
			got, problems := readMembers(t, text)
			if len(problems) > 0 || !reflect.DeepEqual(got, want) {
				t.Errorf("got %+v\nwant %+v\nproblems %v", got, want, problems)
			}
		})
	}
}

// TestFaultyMembers has one faulty line each; what is expected is "LINE COLUMN: start of the reason".
func TestFaultyMembers(t *testing.T) {
	header := "member_number,cards,surname,given_names,id_number,passport,passport_issuer,birth_date,verified\n"
	for name, test := range map[string]struct{ text, want string }{
		"empty file":                 {"", "1 : the file is empty"},
		"UTF-16":                     {"\xff\xfem\x00e\x00", "1 : the file is in UTF-16"},
		"a spreadsheet":              {"PK\x03\x04...", "1 : the file is a spreadsheet"},
		"zero bytes":                 {"member\x00", "1 : the file is no text"},
		"a misspelt column":          {"member_number,surname,given_names,idnumber\n", "1 idnumber: unknown column"},
		"a column twice":             {"member_number,surname,given_names,Surname\n", "1 surname: the column stands twice"},
		"a missing column":           {"member_number,surname\n", "1 given_names: the column is missing"},
		"a cell too few":             {header + "M1,,Naidoo,Thandi\n", "2 : the line has 4 cells, the first line 9"},
		"a quotation mark":           {header + "M1,,Nai\"doo,Thandi,8001015009087,,,,\n", "2 : a quotation mark stands inside"},
		"no surname":                 {header + "M1,,,Thandi,8001015009087,,,,\n", "2 surname: is empty"},
		"check digit":                {header + "M1,,Naidoo,Thandi,8001015009088,,,,\n", "2 id_number: the check digit is wrong"},
		"a zero lost":                {header + "M1,,Naidoo,Thandi,101015009087,,,1901-01-01,\n", "2 id_number: has 12 digits, want 13; a spreadsheet drops"},
		"an exponent":                {header + "M1,,Naidoo,Thandi,8.00102E+12,,,1980-01-01,\n", "2 id_number: a spreadsheet has rounded"},
		"a card with an exponent":    {header + "M1,6.00123E+15,Naidoo,Thandi,8001015009087,,,,\n", "2 cards: a spreadsheet has rounded"},
		"no such day":                {header + "M1,,Naidoo,Thandi,,,,1981-02-29,\n", "2 birth_date: want a day as YYYY-MM-DD"},
		"a day the other way about":  {header + "M1,,Naidoo,Thandi,,,,31/01/1980,\n", "2 birth_date: want a day as YYYY-MM-DD"},
		"born tomorrow":              {header + "M1,,Naidoo,Thandi,,,,2026-12-01,\n", "2 birth_date: lies in the future"},
		"another birth date":         {header + "M1,,Naidoo,Thandi,8001015009087,,,1980-01-02,\n", "2 birth_date: is another day than id_number says"},
		"no birth date at all":       {header + "M1,,Naidoo,Thandi,,,,,\n", "2 birth_date: is empty, and there is no id_number"},
		"a passport without a state": {header + "M1,,Naidoo,Thandi,,A1234567,,1980-01-01,\n", "2 passport_issuer: is missing"},
		"a state of two letters":     {header + "M1,,Naidoo,Thandi,,A1234567,GB,1980-01-01,\n", "2 passport_issuer: want the state as"},
		"a state without a passport": {header + "M1,,Naidoo,Thandi,,,GBR,1980-01-01,\n", "2 passport_issuer: stands without a passport"},
		"verified by nothing":        {header + "M1,,Naidoo,Thandi,,,,1980-01-01,yes\n", "2 verified: says yes, but neither"},
		"perhaps verified":           {header + "M1,,Naidoo,Thandi,8001015009087,,,,perhaps\n", "2 verified: want yes or no"},
		"Windows-1252":               {header + "M1,,M\xfcller,Thandi,8001015009087,,,,\n", "2 surname: is not UTF-8 (byte FCh): the file was probably saved as Windows-1252"},
		"encoded twice":              {header + "M1,,MÃ¼ller,Thandi,8001015009087,,,,\n", "2 surname: is UTF-8 that was read as Windows-1252"},
		"a lost letter":              {header + "M1,,M\uFFFDller,Thandi,8001015009087,,,,\n", "2 surname: holds the sign for a letter"},
		"a line break in a cell":     {header + "M1,,\"Nai\ndoo\",Thandi,8001015009087,,,,\n", "2 surname: holds a control character"},
		"a number as a name":         {header + "M1,,6001,Thandi,8001015009087,,,,\n", "2 surname: holds a digit"},
		"a very long cell":           {header + "M1,," + strings.Repeat("a", 600) + ",Thandi,8001015009087,,,,\n", "2 surname: is longer than 512 bytes"},
		"a member twice":             {header + "M1,,Naidoo,Thandi,8001015009087,,,,\nm-1,,Naidoo,Thandi,8001015009087,,,,\n", "3 member_number: stands already on line 2"},
		"a card of two":              {header + "M1,6001,Naidoo,Thandi,8001015009087,,,,\nM2,6002|6001,Nel,Piet,,,,1970-01-01,\n", "3 cards: stands already on line 2"},
		"a card twice":               {header + "M1,6001|6001,Naidoo,Thandi,8001015009087,,,,\n", "2 cards: the same card stands twice"},
	} {
		t.Run(name, func(t *testing.T) {
			_, problems := readMembers(t, test.text)
			if len(problems) != 1 {
				t.Fatalf("got %d problems, want one: %v", len(problems), problems)
			}
			got := fmt.Sprintf("%d %s: %s", problems[0].Line, problems[0].Column, problems[0].Reason)
			if !strings.HasPrefix(got, test.want) {
				t.Errorf("got  %s\nwant %s…", got, test.want)
			}
		})
	}
}

func TestEveryFaultyLineIsReportedInOrder(t *testing.T) {
	text := "member_number,surname,given_names,birth_date\n" +
		"M1,Naidoo,Thandi,1980-01-01\n" + // 2: good
		"M2,,Piet,1980-13-01\n" + // 3: two faults
		"M3,Nel\n" + // 4: too few
		"M1,Botha,Anna,1970-05-05\n" + // 5: twice
		"M4,Zulu,Sipho,1990-02-02\n" + // 6: good
		"M5,\"Zulu,Sipho,1990-02-02\n" // 7: does not end
	members, problems := readMembers(t, text)
	var lines []int
	for _, problem := range problems {
		lines = append(lines, problem.Line)
	}
	if want := []int{3, 3, 4, 5, 7}; !reflect.DeepEqual(lines, want) {
		t.Errorf("lines %v, want %v: %v", lines, want, problems)
	}
	if len(members) != 3 { // line 5 has no mistake of its own
		t.Errorf("%d members, want 3", len(members))
	}
}

func TestReasonsNeverRepeatWhatStandsInTheFile(t *testing.T) {
	text := "member_number,surname,given_names,id_number\nSECRET1,SECRET22,SECRET3,8001015009088\nSECRET1,x,y,SECRET4\n"
	_, problems := readMembers(t, text)
	if len(problems) < 4 {
		t.Errorf("too few problems: %v", problems)
	}
	for _, problem := range problems {
		if strings.Contains(problem.Reason, "SECRET") || strings.Contains(problem.Reason, "8001015009088") {
			t.Errorf("the reason repeats the file: %v", problem)
		}
	}
}

func TestExclusions(t *testing.T) {
	text := "reference;kind;from;id_number;surname;given_names;birth_date;passport;passport_issuer;card\n" +
		"ROE 2026/17;Refusal-Of-Entry;2026-03-01;8001015009087;;;;;;\n" +
		"SE-4;self-excluded;2026-03-02;;Nel;Piet;1970-05-05;;;\n" +
		"C-1;connected;2026-03-02;;;;;;;6001 0000\n" +
		"X;banned;2026-03-02;8001015009087;;;;;;\n" +
		"Y;category;2027-03-02;8001015009087;;;;;;\n" +
		"Z;category;2026-03-02;;Nel;;1970-05-05;;;\n" +
		"SE-4;self-excluded;2026-03-02;8001015009087;;;;;;\n"
	var got []wire.Exclusion
	problems, err := ReadExclusions(strings.NewReader(text), options, func(exclusion wire.Exclusion) error {
		got = append(got, exclusion)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 4 || got[0].Kind != "refusal-of-entry" || got[0].Reference != "ROE 2026/17" || got[2].Card != "60010000" {
		t.Errorf("got %+v", got)
	}
	var texts []string
	for _, problem := range problems {
		texts = append(texts, problem.String())
	}
	want := []string{
		"line 5, kind: want one of refusal-of-entry, self-excluded, category, connected",
		"line 6, from: lies in the future",
		"line 7: names nobody: want id_number, passport, card, or surname, given_names and birth_date",
		"line 8, reference: stands already on line 3",
	}
	if !reflect.DeepEqual(texts, want) {
		t.Errorf("got  %q\nwant %q", texts, want)
	}
}

func TestPurchases(t *testing.T) {
	text := "number,kind,at,package,seats,card,operator\n" +
		"P1,cash,2026-11-30T14:05:00+02:00,,3,6001,Lindiwe\n" +
		"P2,package,2026-11-30 14:05,Four,,6001,Lindiwe\n" +
		"P3,complimentary,2026-11-30T14:05,,,6001,\n" +
		"P4,package,2026-11-30 14:05,,,6001,\n" +
		"P5,cash,2026-11-30 14:05,Four,,6001,\n" +
		"P6,card,yesterday,,0,,\n"
	var got []wire.PurchaseRecord
	problems, err := ReadPurchases(strings.NewReader(text), options, func(purchase wire.PurchaseRecord) error {
		got = append(got, purchase)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 11, 30, 14, 5, 0, 0, johannesburg)
	if len(got) != 3 || got[0].Seats != 3 || !got[0].At.Equal(at) || !got[1].At.Equal(at) || got[1].Package != "Four" || got[2].Seats != 1 {
		t.Errorf("got %+v", got)
	}
	lines := map[int]int{}
	for _, problem := range problems {
		lines[problem.Line]++
	}
	if want := map[int]int{5: 1, 6: 1, 7: 3}; !reflect.DeepEqual(lines, want) {
		t.Errorf("problems %v, want by line %v", problems, want)
	}
}

func TestTheCallersErrorEndsTheReading(t *testing.T) {
	stop := errors.New("stop")
	_, err := ReadMembers(strings.NewReader("member_number,surname,given_names,birth_date\nM1,Nel,Piet,1970-05-05\n"), options,
		func(wire.Member) error { return stop })
	if !errors.Is(err, stop) {
		t.Errorf("got %v", err)
	}
}

func TestFingerprintsThatCollideAreNoRepetition(t *testing.T) {
	// Every text is suspected; only what stands twice is reported.
	kind := reading[wire.Member]{memberColumns, parseMember}
	source := strings.NewReader("member_number,surname,given_names,birth_date\nM1,Nel,Piet,1970-05-05\nM2,Nel,Piet,1970-05-05\n")
	var seen fingerprints
	seen.add(unique{"member_number", "M1"})
	suspects := map[uint64]bool{seen.of(unique{"member_number", "M1"}): true, seen.of(unique{"member_number", "M2"}): true}
	problems, err := kind.repeats(source, options, suspects, &seen)
	if err != nil || len(problems) > 0 {
		t.Errorf("got %v, %v", problems, err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("member_number,cards,surname,given_names,id_number\nM1,6001|6002,Naidoo,Thandi,8001015009087\n"))
	f.Add([]byte("reference;kind;from;id_number\nR;connected;2026-01-01;8001015009087\r\n"))
	f.Add([]byte("\uFEFFnumber,kind,at,card\nP,cash,2026-11-30 14:05,6001\n\"x"))
	f.Add([]byte("\xff\xfe"))
	f.Fuzz(func(t *testing.T, text []byte) {
		source := strings.NewReader(string(text))
		lines := strings.Count(string(text), "\n") + 1
		check := func(problems []wire.RowProblem, err error) {
			if err != nil {
				t.Fatal(err)
			}
			last := 0
			for _, problem := range problems {
				if problem.Line < last || problem.Line < 1 || problem.Line > lines+1 || problem.Reason == "" {
					t.Fatalf("problem %+v after line %d of %d", problem, last, lines)
				}
				last = problem.Line
			}
		}
		members := 0
		check(ReadMembers(source, options, func(member wire.Member) error {
			if members++; member.Number == "" || member.Surname == "" || member.BirthDate.IsZero() && member.IDNumber == "" {
				t.Fatalf("a good row without what is required: %+v", member)
			}
			return nil
		}))
		check(ReadExclusions(source, options, nil))
		check(ReadPurchases(source, options, nil))
	})
}
