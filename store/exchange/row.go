package exchange

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"reelkiosk/devices/identity"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// row is one line of a file, with what was found wrong with it so far.
type row struct {
	line     int
	columns  []column
	cells    []string
	problems []wire.RowProblem
}

func (r *row) refuse(column, reason string) {
	r.problems = append(r.problems, wire.RowProblem{Line: r.line, Column: column, Reason: reason})
}

// cell returns the text of a column, empty where the file does not have it.
func (r *row) cell(name string) string {
	return r.cells[slices.IndexFunc(r.columns, func(c column) bool { return c.name == name })]
}

// text returns a cell of at most that many characters.
func (r *row) text(name string, longest int) string {
	cell := r.cell(name)
	if len([]rune(cell)) > longest {
		r.refuse(name, "is longer than "+strconv.Itoa(longest)+" characters")
	}
	return cell
}

// name returns a cell that holds names of a person: it has a letter and no digit.
func (r *row) name(column string) string {
	cell := r.text(column, 100)
	switch {
	case cell == "":
	case strings.ContainsFunc(cell, unicode.IsDigit):
		r.refuse(column, "holds a digit; is it in the right column?")
	case !strings.ContainsFunc(cell, unicode.IsLetter):
		r.refuse(column, "holds no letter")
	}
	return cell
}

// oneOf returns a cell that must be one of some words.
func (r *row) oneOf(column string, words ...string) string {
	cell := strings.ToLower(r.cell(column))
	if cell != "" && !slices.Contains(words, cell) {
		r.refuse(column, "want one of "+strings.Join(words, ", "))
	}
	return cell
}

// yes returns whether a cell says yes; an empty one says no.
func (r *row) yes(column string) bool {
	switch strings.ToLower(r.cell(column)) {
	case "yes", "y", "true", "1":
		return true
	case "", "no", "n", "false", "0":
		return false
	}
	r.refuse(column, "want yes or no")
	return false
}

// number returns a cell that holds a whole number from lowest to highest, or otherwise if it is empty.
func (r *row) number(column string, lowest, highest, otherwise int) int {
	cell := r.cell(column)
	if cell == "" {
		return otherwise
	}
	value, err := strconv.Atoi(cell)
	if err != nil || value < lowest || value > highest {
		r.refuse(column, "want a whole number from "+strconv.Itoa(lowest)+" to "+strconv.Itoa(highest))
		return otherwise
	}
	return value
}

// date returns a cell that holds a day which is not after the last one allowed.
func (r *row) date(column string, last tournament.Date) tournament.Date {
	cell := r.cell(column)
	if cell == "" {
		return tournament.Date{}
	}
	date, err := tournament.ParseDate(cell)
	switch {
	case err != nil:
		r.refuse(column, "want a day as YYYY-MM-DD, such as 1980-01-31")
	case date.Year < 1890:
		r.refuse(column, "lies before 1890")
	case date.After(last):
		r.refuse(column, "lies in the future")
	}
	return date
}

// moment returns a cell that holds a moment, with its offset or in the zone.
func (r *row) moment(column string, zone *time.Location) time.Time {
	cell := r.cell(column)
	if cell == "" {
		return time.Time{}
	}
	if moment, err := time.Parse(time.RFC3339, cell); err == nil {
		return moment.In(zone)
	}
	for _, layout := range []string{"2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02T15:04:05", "2006-01-02T15:04"} {
		if moment, err := time.ParseInLocation(layout, cell, zone); err == nil {
			return moment
		}
	}
	r.refuse(column, "want a moment as 2026-11-30T14:05:00+02:00 or 2026-11-30 14:05")
	return time.Time{}
}

// code returns a cell that holds a number or a code of somebody else's: spaces, hyphens and colons are taken out, letters
// made capital.
func (r *row) code(column, cell string, shortest, longest int) string {
	code := strings.ToUpper(strings.Map(func(c rune) rune {
		if c == ' ' || c == '-' || c == ':' {
			return -1
		}
		return c
	}, cell))
	switch {
	case code == "":
	case spreadsheetNumber(cell):
		r.refuse(column, "a spreadsheet has rounded the number (it has an exponent); format the column as text and export again")
	case strings.ContainsFunc(code, func(c rune) bool { return (c < '0' || c > '9') && (c < 'A' || c > 'Z') }):
		r.refuse(column, "want letters and digits only")
	case len(code) < shortest || len(code) > longest:
		r.refuse(column, "want "+strconv.Itoa(shortest)+" to "+strconv.Itoa(longest)+" letters and digits")
	}
	return code
}

// cards returns the cards of a cell, divided by |.
func (r *row) cards(column string) []string {
	cards := []string{}
	for _, cell := range strings.Split(r.cell(column), "|") {
		card := r.code(column, strings.TrimSpace(cell), 4, 40)
		switch {
		case card == "":
		case slices.Contains(cards, card):
			r.refuse(column, "the same card stands twice")
		default:
			cards = append(cards, card)
		}
	}
	return cards
}

// spreadsheetNumber reports whether a spreadsheet wrote a long number in its own way, as in 8.00101E+12.
func spreadsheetNumber(cell string) bool {
	mantissa, exponent, found := strings.Cut(strings.ToUpper(cell), "E+")
	if !found || mantissa == "" || exponent == "" {
		return false
	}
	_, err := strconv.ParseFloat(strings.ReplaceAll(mantissa, ",", "."), 64)
	_, err2 := strconv.Atoi(exponent)
	return err == nil && err2 == nil
}

// person is who a row is about, as far as documents go.
type person struct {
	idNumber, passport, issuer string
	birth                      tournament.Date
}

// identification reads the columns id_number, passport, passport_issuer and, where the file has it, birth_date.
func (r *row) identification(today tournament.Date, withBirth bool) person {
	var p person
	if withBirth {
		p.birth = r.date("birth_date", today)
	}
	p.idNumber = r.idNumber(today, &p.birth)
	p.passport = r.code("passport", r.cell("passport"), 5, 20)
	p.issuer = strings.ToUpper(r.cell("passport_issuer"))
	switch {
	case p.passport == "" && p.issuer != "":
		r.refuse("passport_issuer", "stands without a passport")
	case p.passport != "" && p.issuer == "":
		r.refuse("passport_issuer", "is missing: a passport number alone names nobody")
	case p.issuer != "" && p.issuer != "D" && !threeLetters(p.issuer):
		r.refuse("passport_issuer", "want the state as the passport's machine-readable lines have it: three letters, as in ZAF, GBR, USA, or D")
	}
	return p
}

func (r *row) idNumber(today tournament.Date, birth *tournament.Date) string {
	cell := r.cell("id_number")
	if cell == "" {
		return ""
	}
	digits := strings.ReplaceAll(cell, " ", "")
	if spreadsheetNumber(cell) {
		r.refuse("id_number", "a spreadsheet has rounded the number (it has an exponent); format the column as text and export again")
		return ""
	}
	number, err := identity.ParseNumber(digits, today)
	switch {
	case errors.Is(err, identity.ErrCharacters):
		r.refuse("id_number", "want 13 digits and nothing else")
	case errors.Is(err, identity.ErrLength) && len(digits) < 13:
		r.refuse("id_number", "has "+strconv.Itoa(len(digits))+" digits, want 13; a spreadsheet drops zeros at the front unless the column is text")
	case errors.Is(err, identity.ErrLength):
		r.refuse("id_number", "has "+strconv.Itoa(len(digits))+" digits, want 13")
	case errors.Is(err, identity.ErrDate):
		r.refuse("id_number", "begins with a day that the calendar does not have")
	case err != nil:
		r.refuse("id_number", "the check digit is wrong")
	case birth.IsZero():
		*birth = number.BirthDate
	case !sameDay(digits, *birth):
		r.refuse("birth_date", "is another day than id_number says")
	}
	return digits
}

// sameDay reports whether an identity number, which has only two digits of the year, begins with that day.
func sameDay(digits string, birth tournament.Date) bool {
	return digits[:6] == fmt.Sprintf("%02d%02d%02d", birth.Year%100, birth.Month, birth.Day)
}

func threeLetters(code string) bool {
	return len(code) == 3 && !strings.ContainsFunc(code, func(c rune) bool { return c < 'A' || c > 'Z' })
}
