// Package cast is the people of the demo: each stands for one thing that happens on a casino floor. Cards, numbers and
// documents are made up; the identity numbers have right check digits, and ages follow the day on which the play begins.
package cast

import (
	"fmt"
	"strings"
	"time"

	"reelkiosk/store/tournament"
)

// Player is one of the people.
type Player struct {
	// Name is what the demo's commands call the player: one word in lower case.
	Name string
	// About says in a few words what will happen.
	About          string
	Surname, Given string
	Born           tournament.Date
	// Card is the Rewards card's number, 16 digits; empty where there is none. Verified says that the member's identity
	// was verified before.
	Card     string
	Verified bool
	// Paper is the document in the player's hand.
	Paper Paper
	// IDNumber is the South African identity number; Passport, Issuer and Expires are those of a passport.
	IDNumber, Passport, Issuer string
	Expires                    tournament.Date
	// Excluded is the kind of exclusion, empty for none.
	Excluded string
	// Purchases are what was bought in this player's name before the play begins.
	Purchases []Purchase
	// Receipt says that the player holds a receipt without a name, for this many seats.
	Receipt int
}

// Paper is a kind of identity document.
type Paper string

// The papers in the demo's hands.
const (
	GreenBook Paper = "green book"
	SmartCard Paper = "smart ID card"
	Passport  Paper = "passport"
)

// Purchase is some entries bought a while ago.
type Purchase struct {
	Kind    tournament.EntryKind
	Package string
	Seats   int
	Ago     time.Duration
}

// Players returns the cast as it stands on a day.
func Players(today tournament.Date) []Player {
	aged := func(years, month, day int) tournament.Date {
		return tournament.Date{Year: today.Year - years, Month: time.Month(month), Day: day}
	}
	players := []Player{
		{
			Name: "thandi", About: "three entries, a verified card: the ordinary visit", Given: "Thandi", Surname: "Mokoena",
			Born: aged(38, 3, 12), Card: card(1), Verified: true, Paper: SmartCard,
			Purchases: []Purchase{
				{Kind: tournament.CashBuyIn, Seats: 2, Ago: 5 * time.Hour},
				{Kind: tournament.Complimentary, Seats: 1, Ago: 2 * time.Hour},
			},
		}, {
			Name: "pieter", About: "no card, one entry in his name: the green ID book is enough", Given: "Pieter",
			Surname: "van der Merwe", Born: aged(61, 7, 2), Paper: GreenBook,
			Purchases: []Purchase{{Kind: tournament.CardBuyIn, Seats: 1, Ago: time.Hour}},
		}, {
			Name: "maria", About: "a package of four, a foreign passport", Given: "Maria", Surname: "Fernandes",
			Born: aged(29, 11, 23), Paper: Passport, Passport: "N1234567", Issuer: "PRT", Expires: today.AddDays(900),
			Purchases: []Purchase{{Kind: tournament.PackageBuyIn, Package: "R200", Seats: 4, Ago: 30 * time.Minute}},
		}, {
			Name: "sibusisiwe", About: "a very long name", Given: "Nkosinathi-Sibusisiwe Bartholomeus",
			Surname: "Janse van Rensburg-Ndlovukazi", Born: aged(45, 1, 30), Card: card(4), Verified: true, Paper: SmartCard,
			Purchases: []Purchase{{Kind: tournament.CashBuyIn, Seats: 7, Ago: 90 * time.Minute}},
		}, {
			Name: "nomsa", About: "no entries", Given: "Nomsa", Surname: "Dube", Born: aged(33, 5, 9), Card: card(5),
			Verified: true, Paper: SmartCard,
		}, {
			Name: "lindiwe", About: "a receipt without a name: swipe the card, then 'receipt lindiwe'", Given: "Lindiwe",
			Surname: "Zulu", Born: aged(27, 8, 17), Card: card(6), Verified: true, Paper: SmartCard, Receipt: 2,
		}, {
			Name: "zanele", About: "entries whose time has ended", Given: "Zanele", Surname: "Khumalo", Born: aged(52, 2, 28),
			Card: card(7), Verified: true, Paper: GreenBook,
			Purchases: []Purchase{{Kind: tournament.CashBuyIn, Seats: 2, Ago: 73 * time.Hour}},
		}, {
			Name: "johan", About: "a card whose holder was never verified: it asks for the ID", Given: "Johan", Surname: "Botha",
			Born: aged(40, 12, 24), Card: card(8), Paper: SmartCard,
			Purchases: []Purchase{{Kind: tournament.CashBuyIn, Seats: 1, Ago: time.Hour}},
		}, {
			Name: "sipho", About: "self-excluded: please see a host", Given: "Sipho", Surname: "Nkosi", Born: aged(47, 6, 6),
			Card: card(9), Verified: true, Paper: SmartCard, Excluded: "self-excluded",
		}, {
			Name: "bongani", About: "a Refusal of Entry order: please see a host", Given: "Bongani", Surname: "Sithole",
			Born: aged(36, 9, 1), Paper: GreenBook, Excluded: "refusal-of-entry",
		}, {
			Name: "karen", About: "married to an employee: please see a host", Given: "Karen", Surname: "Smit",
			Born: aged(31, 4, 18), Card: card(11), Verified: true, Paper: SmartCard, Excluded: "connected",
		}, {
			Name: "jabu", About: "seventeen: please see a host", Given: "Jabu", Surname: "Mthembu",
			Born: aged(17, 1, 1), Paper: SmartCard,
		}, {
			Name: "anna", About: "a passport past its expiry", Given: "Anna Maria", Surname: "Eriksson", Born: aged(55, 8, 12),
			Paper: Passport, Passport: "L898902C3", Issuer: "UTO", Expires: today.AddDays(-200),
		},
	}
	for index := range players {
		player := &players[index]
		if player.Paper != Passport {
			player.IDNumber = identityNumber(player.Born, 4000+300*index)
		}
	}
	return players
}

// card returns the sixteen digits of a Rewards card of the house; cards of the club begin with 6001.
func card(number int) string { return withCheck(fmt.Sprintf("60010000%07d", 1482000+number*37)) }

// identityNumber returns a South African identity number YYMMDD SSSS C A Z of a citizen.
func identityNumber(born tournament.Date, serial int) string {
	return withCheck(fmt.Sprintf("%02d%02d%02d%04d08", born.Year%100, born.Month, born.Day, serial))
}

// withCheck appends the check digit that makes the digits right by ISO/IEC 7812-1 annex B (Luhn).
func withCheck(digits string) string {
	sum := 0
	for index := range len(digits) {
		digit := int(digits[len(digits)-1-index] - '0')
		if index%2 == 0 {
			digit = digit*2/10 + digit*2%10
		}
		sum += digit
	}
	return digits + string(rune('0'+(10-sum%10)%10))
}

// Tracks returns tracks 1 and 2 of the player's card, with sentinels, as the club's printer writes them.
func (p Player) Tracks() (first, second string) {
	name := strings.ToUpper(p.Surname + "/" + p.Given)
	if len(name) > 26 { // ISO/IEC 7813: the name field's longest
		name = name[:26]
	}
	return "%B" + p.Card + "^" + name + "^4912000?", ";" + p.Card + "=4912000?"
}

// SmartCardText returns what the PDF417 of a smart ID card holds: twelve fields by |.
func (p Player) SmartCardText() string {
	born := strings.ToUpper(p.Born.At(12, 0, time.UTC).Format("02 Jan 2006"))
	fields := []string{
		strings.ToUpper(p.Surname), strings.ToUpper(p.Given), "F", "RSA", p.IDNumber, born, "RSA", "CITIZEN", "26 JAN 2017",
		"23370", "123456789", strings.Repeat("1234567890", 10),
	}
	return strings.Join(fields, "|")
}

// Lines returns the two lines of the passport's machine-readable zone (ICAO 9303 part 4).
func (p Player) Lines() [2]string {
	fill := func(text string, length int) string {
		return (strings.NewReplacer(" ", "<", "-", "<").Replace(strings.ToUpper(text)) + strings.Repeat("<", length))[:length]
	}
	short := func(date tournament.Date) string { return strings.ReplaceAll(date.String(), "-", "")[2:] }
	number, born, expires, optional := fill(p.Passport, 9), short(p.Born), short(p.Expires), fill("", 14)
	second := number + digit(number) + p.Issuer + born + digit(born) + "F" + expires + digit(expires) + optional + "<"
	composite := second[0:10] + second[13:20] + second[21:43]
	return [2]string{fill("P<"+p.Issuer+p.Surname+"<<"+p.Given, 44), second + digit(composite)}
}

// digit is the check digit of a field (ICAO 9303 part 3, section 4.9): weights 7 3 1, letters from 10, < is 0.
func digit(field string) string {
	sum := 0
	for index, symbol := range []byte(field) {
		value := 0
		switch {
		case symbol >= '0' && symbol <= '9':
			value = int(symbol - '0')
		case symbol >= 'A' && symbol <= 'Z':
			value = int(symbol-'A') + 10
		}
		sum += value * [3]int{7, 3, 1}[index%3]
	}
	return string(rune('0' + sum%10))
}

// Named returns the player of a name.
func Named(players []Player, name string) (Player, bool) {
	for _, player := range players {
		if strings.EqualFold(player.Name, name) {
			return player, true
		}
	}
	return Player{}, false
}
