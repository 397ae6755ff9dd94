package ledger

import (
	"errors"
	"testing"

	"reelkiosk/devices/emulator"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// '0', 'abc' and numbers with a wrong check digit were people, and a number of 2012 with a birth date of 1980 was an adult.
func TestAnyIdentityNumberWithAnyBirthDateWasAnAdult(t *testing.T) {
	child := tournament.Date{Year: 2012, Month: 3, Day: 4}
	ofChild := emulator.IdentityNumber(child, 5001)
	cases := []struct {
		name   string
		who    wire.Document
		reason tournament.Reason
		clause int
	}{
		{"one digit", wire.Document{Kind: "typed", IDNumber: "0", BirthDate: born1980}, tournament.Mismatch, 4},
		{"letters", wire.Document{Kind: "typed", IDNumber: "abc", BirthDate: born1980}, tournament.Mismatch, 4},
		{"a wrong check digit", wire.Document{Kind: "sa-smart-id", IDNumber: "8001015009088", BirthDate: born1980}, tournament.Mismatch, 4},
		{"a child's number, an adult's birth date", wire.Document{Kind: "sa-smart-id", IDNumber: ofChild, BirthDate: born1980}, tournament.Mismatch, 4},
		{"a child's green book read as a centenarian's", wire.Document{
			Kind: "sa-id-book", IDNumber: ofChild, BirthDate: tournament.Date{Year: 1912, Month: 3, Day: 4},
		}, tournament.AgeUnknown, 1},
		{"born in the year 1", wire.Document{Kind: "passport", Issuer: "GBR", Number: "123456789", BirthDate: tournament.Date{Year: 1, Month: 1, Day: 1}},
			tournament.AgeUnknown, 1},
		{"born tomorrow", wire.Document{Kind: "passport", Issuer: "GBR", Number: "123456789", BirthDate: today.AddDays(1)}, tournament.AgeUnknown, 1},
		{"no birth date", wire.Document{Kind: "typed", IDNumber: thandi.IDNumber}, tournament.AgeUnknown, 1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := newFloor(t)
			f.refused(Identify{Document: &c.who, Kiosk: "kiosk-1"}, c.reason, c.clause)
			f.refused(Purchase{Kind: tournament.CashBuyIn, Seats: 1, Document: &c.who, Operator: "pat", Desk: "cash-1"}, c.reason, c.clause)
			if len(f.events()) > 0 {
				t.Error("something was recorded")
			}
		})
	}
}

// Whom the books know by a number is not made older by a passport.
func TestPassportOfAnotherBirthDateIsAMismatchOfTheNumberThatIsKnown(t *testing.T) {
	f := newFloor(t)
	both := *thandi
	both.Number, both.Issuer, both.Kind = "A01234567", "ZAF", "passport"
	f.meets(&both)
	passport := wire.Document{Kind: "passport", Number: "A01234567", Issuer: "ZAF", Surname: "Dlamini", Given: "Thandi", BirthDate: born1980.AddDays(400)}
	f.refused(Identify{Document: &passport, Kiosk: "kiosk-1"}, tournament.Mismatch, 4)
}

func TestImportsTookAnyIdentityNumber(t *testing.T) {
	cases := []struct {
		name, number string
		born         tournament.Date
		column       string
	}{
		{"one digit", "0", born1980, "id_number"},
		{"a wrong check digit", "8001015009088", born1980, "id_number"},
		{"another birth date", thandi.IDNumber, born1980.AddDays(1), "birth_date"},
	}
	for _, c := range cases {
		for kind, act := range map[string]Act{
			"members": ImportMembers{Rows: []wire.Member{{
				Line: 7, Number: "M1", Surname: "Dlamini", Given: "Thandi", IDNumber: c.number, BirthDate: c.born, Verified: true,
			}}},
			"exclusions": ImportExclusions{Rows: []wire.Exclusion{{
				Line: 7, Reference: "R1", Kind: "category", IDNumber: c.number, BirthDate: c.born,
			}}},
			"purchases": ImportPurchases{Rows: []wire.PurchaseRecord{{
				Line: 7, Number: "P1", Kind: tournament.CashBuyIn, Seats: 1, At: noon, IDNumber: c.number,
			}}},
		} {
			if kind == "purchases" && c.column != "id_number" {
				continue // which has no birth date
			}
			f := newFloor(t)
			_, err := f.ask(act)
			refused, is := errors.AsType[*RowsError](err)
			if !is || len(refused.Problems) != 1 || refused.Problems[0].Line != 7 || refused.Problems[0].Column != c.column {
				t.Errorf("%s, %s: %v", kind, c.name, err)
			}
		}
	}
}
