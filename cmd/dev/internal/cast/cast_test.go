package cast

import (
	"bytes"
	"testing"
	"time"

	"reelkiosk/store/tournament"
)

// Every document of the demo is one of its own: two cards with one number were taken for one person.
func TestEveryDocumentHasItsOwnNumber(t *testing.T) {
	today := tournament.Date{Year: 2026, Month: 11, Day: 30}
	seen := map[string]string{}
	for _, player := range Players(today) {
		if player.Paper != SmartCard {
			continue
		}
		number := player.cardNumber()
		if len(number) != 9 || seen[number] != "" {
			t.Errorf("the card of %s has the number %q, that of %s too", player.Name, number, seen[number])
		}
		seen[number] = player.Name
		if !bytes.Contains(player.Symbol().Data, []byte(number)) {
			t.Errorf("the scanner does not read %s from the card of %s", number, player.Name)
		}
	}
}

// The number of a purchase stands in the books as it is.
func TestPurchaseNumbersNameSomebody(t *testing.T) {
	var written bytes.Buffer
	players := Players(tournament.Date{Year: 2026, Month: 11, Day: 30})
	if err := WritePurchases(&written, players, time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for line := range bytes.Lines(written.Bytes()) {
		number, _, _ := bytes.Cut(line, []byte(","))
		for _, player := range players {
			if bytes.Contains(bytes.ToLower(number), []byte(player.Name)) {
				t.Errorf("the number %s names %s", number, player.Name)
			}
		}
		if seen[string(number)] {
			t.Errorf("two purchases have the number %s", number)
		}
		seen[string(number)] = true
	}
}
