package ledger

import (
	"slices"
	"strings"
	"testing"
	"time"

	"reelkiosk/store/exclusion"
	"reelkiosk/store/kv"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

func TestSamePersonWhateverIsPresented(t *testing.T) {
	byID := document(naledi.IDNumber, "KHUMALO", "NALEDI", naledi.BirthDate)
	passport := &wire.Document{
		Kind: "passport", Issuer: "ZAF", Number: "A01234567", IDNumber: naledi.IDNumber, Surname: "KHUMALO", Given: "NALEDI",
		BirthDate: naledi.BirthDate,
	}
	book := &wire.Document{Kind: "sa-id-book", IDNumber: naledi.IDNumber, BirthDate: naledi.BirthDate}
	presented := map[string]Identify{
		"a card":                  {Card: "60010001"},
		"the other card":          {Card: "6001 0002"},
		"the identity card":       {Document: byID},
		"a green book":            {Document: book},
		"the passport":            {Document: passport},
		"card and identity card":  {Card: "60010001", Document: byID},
		"the number, hyphenated":  {Document: document("900101-0001-088", "Khumalo", "Naledi", naledi.BirthDate)},
		"card and passport":       {Card: "60010002", Document: passport},
		"identity card once more": {Document: byID},
	}
	for first, identified := range presented {
		t.Run("first by "+first, func(t *testing.T) {
			f := newFloor(t)
			f.imports(ImportMembers{Rows: []wire.Member{naledi}})
			id := done[wire.Person](f, identified).ID
			for then, again := range presented {
				if got := done[wire.Person](f, again).ID; got != id {
					t.Errorf("then by %s: another person", then)
				}
			}
			if open := f.cases(); len(open) > 0 {
				t.Errorf("open cases: %v", open)
			}
		})
	}
}

func TestPeopleAreToldApart(t *testing.T) {
	f := newFloor(t)
	licence := &wire.Document{Kind: "foreign-licence", Issuer: "USA", Number: "X1234567", Surname: "Smith", Given: "John", BirthDate: born1980}
	passport := &wire.Document{Kind: "passport", Issuer: "USA", Number: "X1234567", Surname: "Jones", Given: "Mary", BirthDate: born1980.AddDays(1)}
	british := &wire.Document{Kind: "passport", Issuer: "GBR", Number: "X1234567", Surname: "Brown", Given: "Ann", BirthDate: born1980.AddDays(2)}
	ids := map[tournament.PersonID]bool{}
	for _, who := range []*wire.Document{thandi, sipho, licence, passport, british} {
		ids[f.meets(who).ID] = true
	}
	if len(ids) != 5 {
		t.Errorf("five people came out as %d", len(ids))
	}
}

func TestGreeting(t *testing.T) {
	f := newFloor(t)
	f.imports(ImportMembers{Rows: []wire.Member{naledi}})
	capitals := document(naledi.IDNumber, "KHUMALO", "NALEDI ANNA-MARIE", naledi.BirthDate)
	who := done[wire.Person](f, Identify{Card: "60010002", Document: capitals})
	if who.FirstName != "Naledi" || who.MaskedName != "N*** K***" || who.MaskedCard != "**** 02" {
		t.Errorf("got %q, %q, %q", who.FirstName, who.MaskedName, who.MaskedCard)
	}
	if who.Entries == nil || who.Seats == nil || len(who.Entries)+len(who.Seats)+who.Expired != 0 {
		t.Errorf("a newcomer has %+v", who)
	}
	if long := maskCard("6001000112345678"); long != "**** 5678" {
		t.Errorf("got %q", long)
	}
	for given, want := range map[string]string{
		"THANDI GRACE": "Thandi", "Thandi": "Thandi", "ANNE-MARIE": "Anne-Marie", "D'ARCY": "D'Arcy", "van der": "van", "": "", "É": "É",
	} {
		if got := firstName(given); got != want {
			t.Errorf("%q is greeted as %q, want %q", given, got, want)
		}
	}
}

func TestEntriesAreListedNearestFirst(t *testing.T) {
	f := newFloor(t)
	first := f.buys(thandi, 1)
	f.now = f.now.Add(40 * time.Hour)
	f.buys(thandi, 2)
	f.now = f.now.Add(7 * time.Hour)
	who := f.meets(thandi)
	if len(who.Entries) != 3 || who.Entries[0].ID != first.Entries[0].ID || who.Expired != 0 {
		t.Fatalf("got %+v", who.Entries)
	}
	if want := noon.Add(48 * time.Hour); !who.Entries[0].Ends.Equal(want) {
		t.Errorf("the first ends %s, want %s", who.Entries[0].Ends, want)
	}
	f.now = noon.Add(48 * time.Hour)
	if who := f.meets(thandi); len(who.Entries) != 2 || who.Expired != 1 {
		t.Errorf("48 hours later: %d entries, %d expired; want 2 and 1", len(who.Entries), who.Expired)
	}
}

func TestSeatsAreListedUntilTheirHeatStarts(t *testing.T) {
	f := newFloor(t)
	bought := f.buys(thandi, 2)
	done[wire.Seat](f, registration(bought.Person, at14))
	done[wire.Seat](f, registration(bought.Person, at13))
	if who := f.meets(thandi); len(who.Seats) != 2 || who.Seats[0].Heat != at13 || who.Seats[1].Heat != at14 {
		t.Errorf("got %+v, want the heats in their order", who.Seats)
	}
	f.now = time.Date(2026, 11, 30, 13, 0, 0, 0, johannesburg)
	if who := f.meets(thandi); len(who.Seats) != 1 || who.Seats[0].Heat != at14 {
		t.Errorf("after the start: got %+v", who.Seats)
	}
}

func TestNobodyWhoIsRefusedIsRecorded(t *testing.T) {
	f := newFloor(t)
	f.excludes("R1", "refusal-of-entry", thandi.IDNumber)
	before := len(f.events())
	f.refused(identify(thandi), tournament.Excluded, 2)
	expired := *sipho
	expired.Expiry = today.AddDays(-1)
	f.refused(identify(&expired), tournament.DocumentExpired, 4)
	if after := len(f.events()); after != before {
		t.Errorf("%d events about people who were refused", after-before)
	}
	lastDay := *sipho
	lastDay.Expiry = today
	f.meets(&lastDay) // a document is good on its last day
}

func TestCardJoinsOnceItsMemberIsVerified(t *testing.T) {
	f := newFloor(t)
	f.imports(ImportMembers{Rows: []wire.Member{jan}})
	byID := document(jan.IDNumber, "Botha", "Jan", jan.BirthDate)
	who := done[wire.Person](f, Identify{Card: "60020001", Document: byID})
	if who.MaskedCard != "" {
		t.Errorf("an unverified member's card joined: %q", who.MaskedCard)
	}
	f.refused(identifyCard("60020001"), tournament.Unverified, 4)
	verified := jan
	verified.Verified = true
	f.imports(ImportMembers{Rows: []wire.Member{verified}})
	if again := done[wire.Person](f, Identify{Card: "60020001"}); again.ID != who.ID || again.FirstName != "Jan" {
		t.Errorf("got %+v, want the person of the document", again)
	}
}

func TestMemberKnownWithoutANumberGetsOneFromTheDocument(t *testing.T) {
	f := newFloor(t)
	row := naledi
	row.IDNumber = ""
	f.imports(ImportMembers{Rows: []wire.Member{row}})
	who := done[wire.Person](f, Identify{Card: "60010001"})
	byID := document(naledi.IDNumber, "KHUMALO", "NALEDI", naledi.BirthDate)
	if both := done[wire.Person](f, Identify{Card: "60010001", Document: byID}); both.ID != who.ID {
		t.Error("card and document are another person than the card")
	}
	if alone := f.meets(byID); alone.ID != who.ID {
		t.Error("the document alone is another person")
	}
	if open := f.cases(); len(open) > 0 {
		t.Errorf("open cases: %v", open)
	}
}

func TestAgeLearnedFromAnotherDocument(t *testing.T) {
	f := newFloor(t)
	f.imports(ImportPurchases{Rows: []wire.PurchaseRecord{{
		Number: "T1", Kind: tournament.CashBuyIn, Seats: 1, At: f.now, IDNumber: thandi.IDNumber,
	}}})
	all, err := f.books.Entries(f.view, "", 10, f.now)
	if err != nil || len(all) != 1 {
		t.Fatalf("got %+v, %v", all, err)
	}
	f.refused(registration(all[0].Person, at13), tournament.AgeUnknown, 1)
	f.refused(identify(document(thandi.IDNumber, "", "", tournament.Date{})), tournament.AgeUnknown, 1)
	who := f.meets(thandi)
	if who.ID != all[0].Person || len(who.Entries) != 1 {
		t.Fatalf("the buyer is not the person of the document: %+v", who)
	}
	done[wire.Seat](f, registration(who.ID, at13))
}

func TestUnderAgeOnTheDayOfTheAct(t *testing.T) {
	// Eighteen on 1 December: not today, though the heat after midnight is tomorrow.
	f := newFloor(t)
	birthday := document("0812015000084", "Zulu", "Ayanda", tournament.Date{Year: 2008, Month: 12, Day: 1})
	f.refused(identify(birthday), tournament.UnderAge, 1)
	f.now = time.Date(2026, 12, 1, 0, 0, 0, 0, johannesburg)
	bought := f.buys(birthday, 1)
	done[wire.Seat](f, registration(bought.Person, heatID(today.AddDays(1), 10)))
}

func TestHostClearsAPossibleMatch(t *testing.T) {
	f := newFloor(t)
	row := wire.Exclusion{Reference: "R1", Kind: "self-excluded", Surname: "Dlamini", Given: "Thandi", BirthDate: born1980}
	f.imports(ImportExclusions{Rows: []wire.Exclusion{row}})
	f.refused(identify(thandi), tournament.PossibleMatch, 2)
	resolve(f, "possible-match")
	who := f.meets(thandi)
	if open := f.cases(); len(open) > 0 {
		t.Errorf("open cases after the clearance: %v", open)
	}
	// Another paper of the same name is another question.
	row.Reference = "R2"
	f.imports(ImportExclusions{Rows: []wire.Exclusion{row}})
	if open := f.cases(); !slices.Equal(open, []string{"possible-match"}) {
		t.Errorf("open cases: %v", open)
	}
	f.refused(registration(who.ID, at13), tournament.PossibleMatch, 2)
}

func TestHostClearsADeclaration(t *testing.T) {
	f := newFloor(t)
	who := f.meets(thandi)
	done[wire.Accepted](f, Notice{Kind: wire.DeclaredConnected, Person: who.ID, Kiosk: "kiosk-1", Detail: "not-sure"})
	f.refused(identify(thandi), tournament.Connected, 3)
	resolve(f, "declared-connected")
	f.meets(thandi)
}

// resolve clears the only open case, which is of that kind.
func resolve(f *floor, kind string) {
	f.Helper()
	all, err := f.books.Cases(f.view)
	if err != nil {
		f.Fatal(err)
	}
	all = slices.DeleteFunc(all, func(one wire.Case) bool { return one.Closed })
	if len(all) != 1 || all[0].Kind != kind {
		f.Fatalf("open cases: %+v, want one %s", all, kind)
	}
	done[wire.Accepted](f, Resolve{Case: all[0].ID, Clear: true, Why: "seen by a host"})
	done[wire.Accepted](f, Resolve{Case: all[0].ID, Clear: true, Why: "again"}) // changes nothing
}

func TestSuspectedDoublesAreACase(t *testing.T) {
	f := newFloor(t)
	foreign := &wire.Document{Kind: "passport", Issuer: "GBR", Number: "123456789", Surname: "Dlamini", Given: "Thandi", BirthDate: born1980}
	f.meets(thandi)
	f.meets(foreign)
	if open := f.cases(); !slices.Equal(open, []string{"possible-double"}) {
		t.Errorf("open cases: %v", open)
	}
}

func TestTwoIdentityNumbersAreTwoPeople(t *testing.T) {
	f := newFloor(t)
	f.meets(thandi)
	f.meets(document("8001015009095", "Dlamini", "Thandi", born1980))
	if open := f.cases(); len(open) > 0 {
		t.Errorf("open cases: %v", open)
	}
}

func TestLookingChangesNothing(t *testing.T) {
	f := newFloor(t)
	answer, changes, err := f.books.Look(f.view, f.request(identify(thandi)))
	if err != nil || !changes {
		t.Fatalf("a newcomer: %+v, changes %v, %v", answer, changes, err)
	}
	if len(f.events()) > 0 {
		t.Fatal("looking wrote events")
	}
	who := f.meets(thandi)
	answer, changes, err = f.books.Look(f.view, f.request(identify(thandi)))
	if err != nil || changes || answer.Value.(wire.Person).ID != who.ID {
		t.Errorf("somebody known: %+v, changes %v, %v", answer, changes, err)
	}
}

// Neither events nor state show a name or a number, and events not even hashes of them (design decisions 1 and 6).
func TestBooksShowNobody(t *testing.T) {
	f := newFloor(t)
	f.imports(ImportMembers{Rows: []wire.Member{naledi, jan}})
	f.excludes("R1", "self-excluded", "7001010001080")
	bought := f.buys(thandi, 2)
	done[wire.Seat](f, registration(bought.Person, at13))
	done[wire.Person](f, Identify{Card: "60010001"})
	secrets := []string{
		"Dlamini", "Thandi", "Khumalo", "Naledi", "Botha", thandi.IDNumber, naledi.IDNumber, "7001010001080", "60010001", "60020001",
		"M100", "1980-01-01", "1990-01-01",
	}
	hashes := []string{
		f.books.vault.IDNumber(thandi.IDNumber).String(), f.books.vault.IDNumber(naledi.IDNumber).String(),
		f.books.vault.Card("60010001").String(), f.books.vault.Member("M100").String(),
		f.books.vault.NameAndBirth("Dlamini", "Thandi", born1980).String(),
		f.books.vault.IDNumber("7001010001080").String(), bought.Receipt,
	}
	records, failed := f.view.Range([]byte{0}, nil)
	for key, value := range records {
		text := string(key) + " " + string(value)
		for _, secret := range secrets {
			if strings.Contains(text, secret) {
				t.Errorf("%s shows %s", key, secret)
			}
		}
		for _, hash := range hashes {
			if strings.HasPrefix(string(key), prefixEvent) && strings.Contains(text, hash) {
				t.Errorf("event %s shows the hash %s", key, hash)
			}
		}
	}
	if err := failed(); err != nil {
		t.Fatal(err)
	}
}

// Who erases a person's key erases the person: the books stay whole, and nothing leads to the person any more.
func TestErasedPersonCannotBeFoundInTheReplayedBooks(t *testing.T) {
	f := newFloor(t)
	f.rough = true
	bought := f.buys(thandi, 1)
	seat := done[wire.Seat](f, registration(bought.Person, at13))
	f.view.Delete(join(prefixKey, string(bought.Person)))
	again := kv.NewOverlay(nothing{})
	if err := f.books.Replay(f.view, again); err != nil {
		t.Fatal(err)
	}
	if _, err := again.Get(hashKey(prefixNumber, f.books.vault.IDNumber(thandi.IDNumber))); err != kv.ErrNotFound {
		t.Errorf("the erased person is found by number: %v", err)
	}
	seats, err := f.books.Seats(again, at13)
	if err != nil || len(seats) != 1 || seats[0].ID != seat.ID {
		t.Errorf("the seat: %+v, %v", seats, err)
	}
}

func TestExclusionThatCannotBeLookedUpLetsNobodyIn(t *testing.T) {
	f := newFloor(t)
	f.rough = true
	hash := f.books.vault.IDNumber(thandi.IDNumber)
	f.view.Put(append([]byte(exclusion.ChangePrefix), hash[:]...), []byte("nonsense"))
	if _, err := f.ask(identify(thandi)); err == nil {
		t.Error("somebody whose exclusion cannot be read was let in")
	}
}
