package cast

import (
	"bytes"
	"testing"

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
