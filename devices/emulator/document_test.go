package emulator_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"reelkiosk/devices/emulator"
	"reelkiosk/store/tournament"
)

func day(year int, month time.Month, day int) tournament.Date {
	return tournament.Date{Year: year, Month: month, Day: day}
}

func TestIdentityNumbersHaveTheirCheckDigit(t *testing.T) {
	for want, test := range map[string]struct {
		born   tournament.Date
		serial int
	}{
		"8001015009087": {day(1980, 1, 1), 5009},
		"7506150001088": {day(1975, 6, 15), 1},
		"9202290001083": {day(1992, 2, 29), 1},
	} {
		if got := emulator.IdentityNumber(test.born, test.serial); got != want {
			t.Errorf("number %s, wanted %s", got, want)
		}
	}
}

func TestASmartCardHasTwelveFields(t *testing.T) {
	card := emulator.SmartCard{
		Surname: "DOE", GivenNames: "JOHN JAMES", Sex: "M", Number: "8001015009087",
		Born: day(1980, 1, 1), Issued: day(2017, 1, 26), CardNumber: "123456789",
	}
	want := "DOE|JOHN JAMES|M|RSA|8001015009087|01 JAN 1980|RSA|CITIZEN|26 JAN 2017|23370|123456789|" +
		strings.Repeat("1234567890", 10)
	if got := card.Symbol(); string(got.Data) != want || got.AIM != "]L0" {
		t.Errorf("%s%s, wanted %s", got.AIM, got.Data, want)
	}
}

func TestAPassportHasTheLinesOfItsStandard(t *testing.T) {
	for name, test := range map[string]struct {
		passport emulator.Passport
		want     []string
	}{
		"specimen of ICAO 9303 part 4": {
			emulator.Passport{
				Issuer: "UTO", Nationality: "UTO", Surname: "ERIKSSON", GivenNames: "ANNA MARIA", Number: "L898902C3",
				Born: day(1974, 8, 12), Expires: day(2012, 4, 15), Sex: "F", Optional: "ZE184226B",
			},
			[]string{"P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L898902C36UTO7408122F1204159ZE184226B<<<<<10"},
		},
		"South African, with the identity number": {
			emulator.Passport{
				Issuer: "ZAF", Nationality: "ZAF", Surname: "SPECIMEN", GivenNames: "NOMVULA THANDI", Number: "A00000000",
				Born: day(1990, 3, 15), Expires: day(2031, 3, 14), Sex: "F", Optional: "9003150001084",
			},
			[]string{"P<ZAFSPECIMEN<<NOMVULA<THANDI<<<<<<<<<<<<<<<", "A000000000ZAF9003152F31031429003150001084<52"},
		},
		"a name too long for the line": {
			emulator.Passport{
				Issuer: "UTO", Nationality: "UTO", Surname: strings.Repeat("A", 50), Number: "1",
				Born: day(2000, 1, 1), Expires: day(2030, 1, 1), Sex: "<",
			},
			[]string{"P<UTO" + strings.Repeat("A", 39), "1<<<<<<<<7UTO0001018<3001019<<<<<<<<<<<<<<06"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := test.passport.Lines(); !slices.Equal(got, test.want) {
				t.Errorf("lines\n%s\nwanted\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}
