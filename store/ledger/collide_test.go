package ledger

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"reelkiosk/devices/emulator"
	"reelkiosk/store/exclusion"
	"reelkiosk/store/kv"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// numbered is a document with a number of its own.
func numbered(of *wire.Document, number string) *wire.Document {
	document := *of
	document.Number, document.Issuer = number, "ZAF"
	return &document
}

// Two smart identity cards of one card number are still two people: the identity number is the person (clause 4).
func TestOnePersonIsTakenForAnotherByTheNumberOfTheCard(t *testing.T) {
	f := newFloor(t)
	bought := f.buys(numbered(thandi, "123456789"), 2)
	f.refused(identify(numbered(sipho, "123456789")), tournament.Mismatch, 4)
	if open := f.cases(); !slices.Equal(open, []string{"mismatch"}) {
		t.Fatalf("open cases: %v", open)
	}
	f.refused(identify(numbered(sipho, "123456789")), tournament.Mismatch, 4)
	if open := f.cases(); len(open) != 1 {
		t.Errorf("the same thing seen again: %v", open)
	}
	who := f.meets(numbered(thandi, "123456789"))
	if who.ID != bought.Person || who.FirstName != "Thandi" || len(who.Entries) != 2 {
		t.Errorf("the holder became %+v", who)
	}
	if other := f.meets(sipho); other.ID == who.ID || len(other.Entries) != 0 {
		t.Errorf("without that number: %+v", other)
	}
	f.refused(identify(numbered(sipho, "123456789")), tournament.Mismatch, 4)
}

func TestExcludedPersonPassesByTheNumberOfAnothersCard(t *testing.T) {
	f := newFloor(t)
	f.meets(numbered(thandi, "123456789"))
	f.excludes("R1", "self-excluded", sipho.IDNumber)
	f.refused(identify(numbered(sipho, "123456789")), tournament.Excluded, 2)
	if who := f.meets(thandi); who.FirstName != "Thandi" {
		t.Errorf("the holder is called %s now", who.FirstName)
	}
}

func TestExcludedPassportPassesBesideACleanIdentityNumber(t *testing.T) {
	f := newFloor(t)
	f.meets(thandi)
	f.imports(ImportExclusions{Rows: []wire.Exclusion{{Reference: "R1", Kind: "self-excluded", Passport: "A7", Issuer: "ZAF"}}})
	passport := numbered(thandi, "A7")
	passport.Kind = "passport"
	f.refused(identify(passport), tournament.Excluded, 2)
	f.meets(thandi)
}

func TestPassportWithoutAnIdentityNumberIsAnothersByBirthDateOrName(t *testing.T) {
	passport := &wire.Document{Kind: "passport", Issuer: "GBR", Number: "P1", Surname: "Brown", Given: "Ann", BirthDate: born1980}
	for _, c := range []struct {
		name   string
		change func(*wire.Document)
		same   bool
	}{
		{"born on another day", func(d *wire.Document) { d.BirthDate = born1980.AddDays(1) }, false},
		{"of another name", func(d *wire.Document) { d.Surname, d.Given = "Jones", "Mary" }, false},
		{"married", func(d *wire.Document) { d.Surname = "Jones" }, true},
		{"spelt otherwise", func(d *wire.Document) { d.Given = "Anne" }, true},
		{"typed without a name", func(d *wire.Document) { d.Kind, d.Surname, d.Given = "typed", "", "" }, true},
		{"now with an identity number", func(d *wire.Document) { d.IDNumber = "8001015009087" }, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFloor(t)
			bought := f.buys(passport, 1)
			again := *passport
			c.change(&again)
			if !c.same {
				f.refused(identify(&again), tournament.Mismatch, 4)
			} else if who := f.meets(&again); who.ID != bought.Person {
				t.Errorf("is another person: %+v", who)
			}
			if who := f.meets(passport); who.ID != bought.Person || len(who.Entries) != 1 {
				t.Errorf("the holder became %+v", who)
			}
		})
	}
}

func TestRenewedDocumentIsTheSamePerson(t *testing.T) {
	f := newFloor(t)
	expired := numbered(thandi, "111111111")
	expired.Expiry = today
	bought := f.buys(expired, 1)
	f.now = f.now.AddDate(0, 0, 1)
	f.refused(identify(expired), tournament.DocumentExpired, 4)
	renewed := numbered(thandi, "222222222")
	renewed.Surname = "Mokoena"
	if who := f.meets(renewed); who.ID != bought.Person {
		t.Errorf("got %+v", who)
	}
	if open := f.cases(); len(open) > 0 {
		t.Errorf("open cases: %v", open)
	}
}

func TestNameOnTheListBeforeAMarriageIsStillAMatch(t *testing.T) {
	f := newFloor(t)
	f.meets(thandi)
	row := wire.Exclusion{Reference: "R1", Kind: "self-excluded", Surname: "Dlamini", Given: "Thandi", BirthDate: born1980}
	f.imports(ImportExclusions{Rows: []wire.Exclusion{row}})
	married := *thandi
	married.Surname = "Mokoena"
	f.refused(identify(&married), tournament.PossibleMatch, 2)
	f.refused(identify(&married), tournament.PossibleMatch, 2)
	resolve(f, "possible-match")
	f.meets(&married)
	row.Reference, row.Surname = "R2", "Zulu"
	f.imports(ImportExclusions{Rows: []wire.Exclusion{row}})
	again := *thandi
	again.Surname = "Zulu"
	f.refused(identify(&again), tournament.PossibleMatch, 2)
	f.refused(identify(&again), tournament.PossibleMatch, 2)
}

func TestVerifiedMemberIsNotJoinedByTheNumberOfAnothersPassport(t *testing.T) {
	f := newFloor(t)
	row := naledi
	row.Passport, row.Issuer = "A1", "ZAF"
	f.imports(ImportMembers{Rows: []wire.Member{row}})
	member := done[wire.Person](f, identifyCard("60010001"))
	passport := numbered(thandi, "A1")
	passport.Kind = "passport"
	f.refused(identify(passport), tournament.Mismatch, 4)
	f.refused(Identify{Card: "60010001", Document: passport}, tournament.Mismatch, 4)
	if again := done[wire.Person](f, identifyCard("60010001")); again.ID != member.ID || again.FirstName != "Naledi" {
		t.Errorf("the member became %+v", again)
	}
}

func TestPurchaseMadeElsewhereNamesTwoPeople(t *testing.T) {
	f := newFloor(t)
	passport := numbered(thandi, "A1")
	passport.Kind = "passport"
	f.meets(passport)
	_, err := f.ask(ImportPurchases{Rows: []wire.PurchaseRecord{{
		Number: "T1", Kind: tournament.CashBuyIn, Seats: 1, At: f.now, IDNumber: sipho.IDNumber, Passport: "A1", Issuer: "ZAF",
	}}})
	if err == nil {
		t.Error("a purchase of two people was taken")
	}
}

// Where a house wants both, a card that belongs to nobody, or to another than the document, is no second proof.
func TestCardOfNobodyPassesWhereBothAreWanted(t *testing.T) {
	own := document(naledi.IDNumber, "KHUMALO", "NALEDI", naledi.BirthDate)
	jans := document(jan.IDNumber, "Botha", "Jan", jan.BirthDate)
	for _, c := range []struct {
		name     string
		card     string
		document *wire.Document
		passes   bool
	}{
		{"her own", "60010001", own, true},
		{"a member's who was not verified, of the same number", "60020001", jans, true},
		{"nobody's", "60019999", own, false},
		{"another's", "60010001", thandi, false},
		{"an unverified member's, with another's document", "60020001", own, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFloor(t)
			f.imports(ImportMembers{Rows: []wire.Member{naledi, jan}})
			act := Identify{Card: c.card, Document: c.document, Both: true, Kiosk: "kiosk-1"}
			if c.passes {
				done[wire.Person](f, act)
				return
			}
			f.refused(act, tournament.Mismatch, 4)
			if open := f.cases(); !slices.Equal(open, []string{"mismatch"}) {
				t.Errorf("open cases: %v", open)
			}
		})
	}
}

// crowd is people whose documents, cards and numbers collide, and what is known of whom the books took them for.
type crowd struct {
	*rapid.T
	books  *Books
	view   *kv.Overlay
	random *rand.ChaCha8
	// person is who each identity number was; entries are whose identity number they were bought under.
	person  map[string]tournament.PersonID
	entries map[tournament.EntryID]string
	// excluded are numbers and cards on the list.
	excluded map[string]bool
	papers   int
}

// TestCollidingNumbersLetNobodyThroughAsAnother presents documents and cards whose numbers collide, at random. Whatever was
// presented before: one identity number is one person, two are two; nothing excluded passes; nobody sees another's entries.
func TestCollidingNumbersLetNobodyThroughAsAnother(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := &crowd{
			T: rt, books: New(testDefinition(), testVault(), exclusion.NewSet(nil)), view: kv.NewOverlay(nothing{}),
			random: rand.NewChaCha8([32]byte{1}), person: map[string]tournament.PersonID{},
			entries: map[tournament.EntryID]string{}, excluded: map[string]bool{},
		}
		rt.Repeat(map[string]func(*rapid.T){
			"present": c.present, "present 2": c.present, "present 3": c.present, "buy": c.buy, "member": c.member,
			"exclude": c.exclude,
		})
		again := kv.NewOverlay(nothing{})
		if err := c.books.Replay(c.view, again); err != nil {
			rt.Fatalf("replaying: %v", err)
		}
		if err := Same(c.view, again); err != nil {
			rt.Fatalf("the books replayed: %v", err)
		}
	})
}

func (c *crowd) apply(act Act) (Answer, error) {
	answer, err := c.books.Apply(c.view, Request{At: noon, Who: "player", Where: "kiosk-1", Random: c.random, Act: act})
	if _, refused := errors.AsType[*tournament.Refusal](err); err != nil && !refused && !errors.Is(err, ErrInvalid) {
		c.Fatalf("%T: %v", act, err)
	}
	return answer, err
}

// human draws one of four people: the identity number, born and called.
func (c *crowd) human(rt *rapid.T) wire.Document {
	at := rapid.IntRange(0, 3).Draw(rt, "human")
	return wire.Document{
		IDNumber: emulator.IdentityNumber(born1980.AddDays(at/2), 5000+at), Surname: string(rune('A'+at)) + "son", Given: []string{"Ann", "Bob"}[at%2],
		BirthDate: born1980.AddDays(at / 2),
	}
}

// document draws a document of a human: with its identity number or not, and a number of its own or not.
func (c *crowd) document(rt *rapid.T) *wire.Document {
	document := c.human(rt)
	document.Kind = rapid.SampledFrom([]string{"passport", "sa-smart-id"}).Draw(rt, "kind")
	if rapid.Bool().Draw(rt, "numbered") {
		document.Number, document.Issuer = rapid.SampledFrom([]string{"N1", "N2"}).Draw(rt, "number"), "ZAF"
		if document.Kind == "passport" && rapid.IntRange(0, 3).Draw(rt, "bare") == 0 {
			document.IDNumber = ""
		}
	}
	return &document
}

func (c *crowd) card(rt *rapid.T) string {
	return rapid.SampledFrom([]string{"", "", "60010001", "60010002"}).Draw(rt, "card")
}

func (c *crowd) present(rt *rapid.T) {
	act := Identify{Card: c.card(rt), Kiosk: "kiosk-1"}
	if act.Card == "" || rapid.Bool().Draw(rt, "both") {
		act.Document = c.document(rt)
	}
	if answer, err := c.apply(act); err == nil {
		c.took(act.Card, act.Document, answer.Value.(wire.Person))
	}
}

// took judges whom the books took somebody for.
func (c *crowd) took(card string, document *wire.Document, who wire.Person) {
	for _, number := range []string{card, numberOf(document), paperOf(document)} {
		if c.excluded[number] {
			c.Fatalf("%s is excluded and let in", number)
		}
	}
	id := numberOf(document)
	if id == "" {
		return
	}
	for number, person := range c.person {
		if (number == id) != (person == who.ID) {
			c.Fatalf("%s is the person of %s", id, number)
		}
	}
	c.person[id] = who.ID
	for _, entry := range who.Entries {
		if of := c.entries[entry.ID]; of != "" && of != id {
			c.Fatalf("%s sees an entry of %s", id, of)
		}
	}
}

func (c *crowd) buy(rt *rapid.T) {
	document := c.document(rt)
	answer, err := c.apply(Purchase{Kind: tournament.CashBuyIn, Seats: 1, Document: document, Operator: "pat", Desk: "cash-1"})
	if err != nil {
		return
	}
	bought := answer.Value.(wire.Bought)
	c.took("", document, wire.Person{ID: bought.Person})
	for _, entry := range bought.Entries {
		c.entries[entry.ID] = document.IDNumber
	}
}

func (c *crowd) member(rt *rapid.T) {
	who, at := c.human(rt), rapid.IntRange(1, 2).Draw(rt, "member")
	row := wire.Member{
		Number: fmt.Sprint("M", at), Surname: who.Surname, Given: who.Given, BirthDate: who.BirthDate,
		Cards: []string{fmt.Sprint("6001000", at)}, Verified: rapid.Bool().Draw(rt, "verified"),
	}
	switch rapid.IntRange(0, 2).Draw(rt, "numbers") {
	case 0:
		row.IDNumber = who.IDNumber
	case 1:
		row.Passport, row.Issuer = rapid.SampledFrom([]string{"N1", "N2"}).Draw(rt, "passport"), "ZAF"
	default:
		row.IDNumber, row.Passport, row.Issuer = who.IDNumber, "N1", "ZAF"
	}
	c.apply(ImportMembers{Rows: []wire.Member{row}})
}

func (c *crowd) exclude(rt *rapid.T) {
	if rapid.IntRange(0, 3).Draw(rt, "spare") > 0 {
		return
	}
	c.papers++
	row := wire.Exclusion{Reference: fmt.Sprint("R", c.papers), Kind: "self-excluded"}
	number := ""
	switch rapid.IntRange(0, 2).Draw(rt, "by") {
	case 0:
		row.IDNumber = c.human(rt).IDNumber
		number = row.IDNumber
	case 1:
		row.Passport, row.Issuer = rapid.SampledFrom([]string{"N1", "N2"}).Draw(rt, "passport"), "ZAF"
		number = row.Passport
	default:
		row.Card = "60010002"
		number = row.Card
	}
	if _, err := c.apply(ImportExclusions{Rows: []wire.Exclusion{row}}); err == nil {
		c.excluded[number] = true
	}
}

func numberOf(document *wire.Document) string {
	if document == nil {
		return ""
	}
	return document.IDNumber
}

// paperOf returns the number by which an exclusion would name a document: a passport's.
func paperOf(document *wire.Document) string {
	if document == nil || document.Kind != "passport" {
		return ""
	}
	return document.Number
}
