// Package cast is the people of the demo: each stands for one thing that happens on a casino floor. Cards, numbers and
// documents are made up; the identity numbers have right check digits, and ages follow the day on which the play begins.
package cast

import (
	"fmt"
	"hash/fnv"
	"strings"
	"time"

	"reelkiosk/devices/emulator"
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

// Purchase is some entries bought a while ago. A package says its own number of seats.
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
			Name: "maria", About: "four entries, a foreign passport", Given: "Maria", Surname: "Fernandes",
			Born: aged(29, 11, 23), Paper: Passport, Passport: "N1234567", Issuer: "PRT", Expires: today.AddDays(900),
			Purchases: []Purchase{{Kind: tournament.CardBuyIn, Seats: 4, Ago: 30 * time.Minute}},
		}, {
			Name: "sibusisiwe", About: "a very long name, a package of ten", Given: "Nkosinathi-Sibusisiwe Bartholomeus",
			Surname: "Janse van Rensburg-Ndlovukazi", Born: aged(45, 1, 30), Card: card(4), Verified: true, Paper: SmartCard,
			Purchases: []Purchase{{Kind: tournament.PackageBuyIn, Package: "R500", Ago: 90 * time.Minute}},
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
			Name: "johan", About: "a card whose holder was never verified: please see a host; his ID alone is enough", Given: "Johan", Surname: "Botha",
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
			player.IDNumber = emulator.IdentityNumber(player.Born, 3000+100*index)
		}
	}
	return players
}

// card returns the sixteen digits of a Rewards card of the house; cards of the club begin with 6001.
func card(number int) string { return fmt.Sprintf("60010000%08d", 14820000+number*379) }

// Tracks returns what stands on the stripe of the player's card, as the club's encoder writes it.
func (p Player) Tracks() emulator.Tracks {
	name := strings.ToUpper(p.Surname + "/" + p.Given)
	if len(name) > 26 { // ISO/IEC 7813: the name field's longest
		name = name[:26]
	}
	return emulator.Tracks{One: "B" + p.Card + "^" + name + "^4912000", Two: p.Card + "=4912000"}
}

// Symbol returns what the scanner reads from the player's document.
func (p Player) Symbol() emulator.Symbol {
	switch p.Paper {
	case GreenBook:
		return emulator.GreenBook(p.IDNumber)
	case SmartCard:
		return emulator.SmartCard{
			Surname: strings.ToUpper(p.Surname), GivenNames: strings.ToUpper(p.Given), Sex: "F", Number: p.IDNumber,
			Born: p.Born, Issued: tournament.Date{Year: 2017, Month: time.January, Day: 26}, CardNumber: p.cardNumber(),
		}.Symbol()
	default:
		return emulator.Passport{
			Issuer: p.Issuer, Nationality: p.Issuer, Surname: strings.ToUpper(p.Surname), GivenNames: strings.ToUpper(p.Given), Number: p.Passport,
			Born: p.Born, Expires: p.Expires, Sex: "F",
		}.Symbol()
	}
}

// cardNumber returns the number of the smart card itself, nine digits: each card has its own, the identity number being its
// holder's.
func (p Player) cardNumber() string {
	sum := fnv.New32a()
	sum.Write([]byte(p.IDNumber))
	return fmt.Sprintf("%09d", 100_000_000+sum.Sum32()%900_000_000)
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
