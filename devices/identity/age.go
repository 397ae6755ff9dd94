package identity

import (
	"time"

	"reelkiosk/store/tournament"
)

// AgeClass is what can be said of a person's age on the day of reading.
type AgeClass string

// The classes. Only Adult may play; a host decides about the last two.
const (
	Adult              AgeClass = "adult"
	Minor              AgeClass = "minor"
	MinorOrCentenarian AgeClass = "minor-or-centenarian" // a year of two digits: under eighteen, or over a hundred
	AgeUnknown         AgeClass = "unknown"              // the document does not say
)

// comingOfAge is the age from which a person is Adult, in years (clause 1).
const comingOfAge = 18

// Birth is what a document lets one know of a person's birth, as seen on the day of reading.
type Birth struct {
	BirthDate           tournament.Date   `json:"birth_date,omitzero"` // zero if unknown or open
	BirthDateCandidates []tournament.Date `json:"birth_date_candidates,omitempty"`
	Age                 *int              `json:"age,omitempty"` // in whole years; nil without a BirthDate
	AgeClass            AgeClass          `json:"age_class"`     // by the South African number, where there is one
}

// unknownBirth is that of a document which does not say.
var unknownBirth = Birth{AgeClass: AgeUnknown}

// bornOn is the birth of a person whose document gives the year with four digits. It reports false for a day after the
// reading.
func bornOn(date, on tournament.Date) (Birth, bool) {
	age := date.AgeOn(on)
	class := Minor
	if age >= comingOfAge {
		class = Adult
	}
	return Birth{BirthDate: date, Age: &age, AgeClass: class}, !date.After(on)
}

// bornInYear is the birth of a person whose document gives the year with two digits: a 20YY date after the reading is
// one of 19YY; a 20YY date by which she is of age makes her adult either way, and stands; else she is a minor or over a
// hundred. It reports false if the calendar has no such day.
func bornInYear(year int, month time.Month, day int, on tournament.Date) (Birth, bool) {
	late, lateExists := tournament.NewDate(2000+year, month, day)
	early, earlyExists := tournament.NewDate(1900+year, month, day)
	if lateExists && !late.After(on) {
		if birth, _ := bornOn(late, on); birth.AgeClass == Adult {
			return birth, true
		}
		open := Birth{BirthDateCandidates: []tournament.Date{late}, AgeClass: MinorOrCentenarian}
		if earlyExists {
			open.BirthDateCandidates = append(open.BirthDateCandidates, early)
		}
		return open, true
	}
	if !earlyExists {
		return Birth{}, false
	}
	return bornOn(early, on)
}

// agreedWith is the birth that a document gives whose holder has a South African number: its own, with four digits of the
// year, if the number allows it; else the number's, by which age is then counted, and a flag.
func (b Birth) agreedWith(number Birth) (Birth, []Flag) {
	if number.mayBe(b.BirthDate) {
		return b, nil
	}
	return number, []Flag{FlagBirthMismatch}
}

// mayBe reports whether the person may have been born on the date.
func (b Birth) mayBe(date tournament.Date) bool {
	for _, candidate := range b.BirthDateCandidates {
		if candidate == date {
			return true
		}
	}
	return b.BirthDate == date
}

// Expiry is until when a document is valid, as seen on the day of reading: to the end of the day that it names.
type Expiry struct {
	ExpiryDate tournament.Date `json:"expiry_date,omitzero"` // zero if unknown
	Expired    *bool           `json:"expired,omitempty"`    // nil if unknown
}

func expiresOn(date, on tournament.Date) Expiry {
	expired := date.Before(on)
	return Expiry{date, &expired}
}
