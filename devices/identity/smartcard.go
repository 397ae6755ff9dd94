package identity

import (
	"strings"
	"time"
	"unicode/utf8"

	"reelkiosk/store/tournament"
)

// SmartCard is what the PDF417 symbol of a South African smart identity card says. The card names no expiry.
type SmartCard struct {
	Surname     string `json:"surname"`
	GivenNames  string `json:"given_names"`
	Sex         string `json:"sex"`
	Nationality string `json:"nationality"`
	IDNumber    string `json:"id_number"`
	Birth
	CountryOfBirth string          `json:"country_of_birth"`
	Status         string          `json:"status"`
	IssueDate      tournament.Date `json:"issue_date"`
	CardNumber     string          `json:"card_number"`
	Flags          []Flag          `json:"flags"` // where the card disagrees with the identity number

	number Number
	agreed Birth // by which age is counted: the number's, where the card's own cannot be
}

// The places of a smart card's fields. Behind the date of issue stand five digits of unknown use and behind the card's
// number a hundred; neither is looked at, for want of any public reading of a real card.
const (
	smartSurname = iota
	smartNames
	smartSex
	smartNationality
	smartIDNumber
	smartBirthDate
	smartCountryOfBirth
	smartStatus
	smartIssueDate
	smartFiveDigits
	smartCardNumber
	smartHundredDigits
	smartFields
)

// smartStatuses are the statuses whose words on the card are known, as ParseNumber says them.
var smartStatuses = map[string]string{
	"CITIZEN": "citizen", "PERMANENT RESIDENT": "permanent-resident", "REFUGEE": "refugee",
}

// ParseSmartCard reads the text of a smart identity card on a day: twelve fields divided by |, dates DD MMM YYYY with
// English months, in UTF-8 or else in Latin-1. What a scanner adds in front (an AIM identifier, a byte order mark) or
// behind (line ends) is taken off. It returns ErrLicenceDisc for the text of a vehicle's licence disc, ErrFieldCount
// unless there are twelve fields, then ErrSurname, ErrIDNumber, ErrBirthDate and ErrIssueDate: the first that applies.
func ParseSmartCard(scan []byte, on tournament.Date) (SmartCard, error) {
	text := decoded(bare(scan))
	if isLicenceDisc(text) {
		return SmartCard{}, ErrLicenceDisc
	}
	fields := strings.Split(text, "|")
	if len(fields) != smartFields {
		return SmartCard{}, ErrFieldCount
	}
	for index := range fields {
		fields[index] = strings.TrimSpace(fields[index])
	}
	if fields[smartSurname] == "" {
		return SmartCard{}, ErrSurname
	}
	number, err := ParseNumber(fields[smartIDNumber], on)
	if err != nil {
		return SmartCard{}, ErrIDNumber
	}
	birthDate, ok := spokenDate(fields[smartBirthDate])
	if !ok {
		return SmartCard{}, ErrBirthDate
	}
	birth, ok := bornOn(birthDate, on)
	if !ok {
		return SmartCard{}, ErrBirthDate
	}
	issued, ok := spokenDate(fields[smartIssueDate])
	if !ok || issued.After(on) || issued.Before(birthDate) {
		return SmartCard{}, ErrIssueDate
	}
	card := SmartCard{
		Surname: fields[smartSurname], GivenNames: fields[smartNames], Sex: fields[smartSex],
		Nationality: fields[smartNationality], IDNumber: number.Digits, Birth: birth,
		CountryOfBirth: fields[smartCountryOfBirth], Status: fields[smartStatus], IssueDate: issued,
		CardNumber: fields[smartCardNumber], Flags: []Flag{}, number: number,
	}
	var mismatch []Flag
	card.agreed, mismatch = birth.agreedWith(number.Birth)
	card.Flags, card.AgeClass = append(card.Flags, mismatch...), card.agreed.AgeClass
	if !strings.HasPrefix(strings.ToUpper(card.Sex), number.Sex) {
		card.Flags = append(card.Flags, FlagSexMismatch)
	}
	if status, known := smartStatuses[strings.ToUpper(card.Status)]; known && status != number.Status {
		card.Flags = append(card.Flags, FlagStatusMismatch)
	}
	return card, nil
}

// Document sums up the card. Age is counted from the identity number, whatever the card says beside it.
func (c SmartCard) Document() Document {
	return Document{
		Kind: KindSmartCard, Surname: c.Surname, GivenNames: c.GivenNames, IDNumber: c.IDNumber, Number: c.CardNumber,
		Issuer: "ZAF", BirthDate: c.agreed.BirthDate, BirthDateCandidates: c.agreed.BirthDateCandidates,
		AgeClass: c.agreed.AgeClass,
		Flags:    append(append([]Flag{}, c.Flags...), c.number.Flags...),
	}
}

// spokenDate reads DD MMM YYYY, the month in English and in any case.
func spokenDate(text string) (tournament.Date, bool) {
	moment, err := time.Parse("02 Jan 2006", text)
	return tournament.DateOf(moment), err == nil && moment.Year() > 0
}

// isLicenceDisc reports whether text is that of a vehicle's licence disc: fields between percent signs, of which there
// are about fifteen.
func isLicenceDisc(text string) bool {
	return strings.HasPrefix(text, "%MVL") || strings.HasPrefix(text, "%") && strings.Count(text, "%") >= 10
}

// bare takes off what scanners add around a text: a byte order mark and an AIM identifier in front, control characters
// and spaces on both sides.
func bare(scan []byte) string {
	text := strings.TrimFunc(strings.TrimPrefix(string(scan), "\ufeff"), isMargin)
	if len(text) >= 3 && text[0] == ']' && isLetter(text[1]) && (isLetter(text[2]) || allDigits(text[2:3])) {
		text = strings.TrimFunc(strings.TrimPrefix(text[3:], "\ufeff"), isMargin)
	}
	return text
}

func isMargin(char rune) bool { return char <= ' ' || char == 0x7f }

func isLetter(char byte) bool { return 'A' <= char&^0x20 && char&^0x20 <= 'Z' }

// decoded is a text of which one knows only that it is UTF-8 or Latin-1.
func decoded(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	runes := make([]rune, len(text))
	for index := range len(text) {
		runes[index] = rune(text[index])
	}
	return string(runes)
}
