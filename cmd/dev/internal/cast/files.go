package cast

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"time"

	"reelkiosk/store/tournament"
)

// WriteMembers writes the players who have a card as the file that reelctl imports.
func WriteMembers(to io.Writer, players []Player) error {
	rows := [][]string{{
		"member_number", "cards", "surname", "given_names", "id_number", "passport", "passport_issuer", "birth_date", "verified",
	}}
	for _, player := range players {
		if player.Card == "" {
			continue
		}
		verified := "no"
		if player.Verified {
			verified = "yes"
		}
		rows = append(rows, []string{
			"M" + player.Card[8:], player.Card, player.Surname, player.Given, player.IDNumber, player.Passport, player.Issuer,
			player.Born.String(), verified,
		})
	}
	return write(to, rows)
}

// WriteExclusions writes the excluded players as the file that reelctl imports.
func WriteExclusions(to io.Writer, players []Player, today tournament.Date) error {
	rows := [][]string{{"reference", "kind", "from", "surname", "given_names", "birth_date", "id_number"}}
	for index, player := range players {
		if player.Excluded != "" {
			rows = append(rows, []string{
				fmt.Sprintf("DEMO-%d", index), player.Excluded, today.AddDays(-40).String(), player.Surname, player.Given,
				player.Born.String(), player.IDNumber,
			})
		}
	}
	return write(to, rows)
}

// WritePurchases writes what the players bought before the play begins as the file that reelctl imports.
func WritePurchases(to io.Writer, players []Player, now time.Time) error {
	rows := [][]string{{"number", "kind", "at", "package", "seats", "card", "id_number", "passport", "passport_issuer"}}
	for at, player := range players {
		for index, purchase := range player.Purchases {
			seats := ""
			if purchase.Seats > 0 {
				seats = strconv.Itoa(purchase.Seats)
			}
			card, number, passport, issuer := player.Card, "", "", ""
			if !player.Verified { // a card whose holder nobody has verified names nobody
				card, number, passport, issuer = "", player.IDNumber, player.Passport, player.Issuer
			}
			rows = append(rows, []string{
				fmt.Sprintf("DEMO-%03d-%d", at+1, index+1), string(purchase.Kind), // a number names nobody
				now.Add(-purchase.Ago).Format(time.RFC3339), purchase.Package, seats, card, number, passport, issuer,
			})
		}
	}
	return write(to, rows)
}

func write(to io.Writer, rows [][]string) error {
	writer := csv.NewWriter(to)
	if err := writer.WriteAll(rows); err != nil {
		return fmt.Errorf("write CSV: %w", err)
	}
	return nil
}
