package identity

import (
	"strings"
	"time"

	"reelkiosk/store/tournament"
)

// MRZ is what a machine-readable zone says (ICAO 9303 part 3; part 5 for TD1, part 6 for TD2, part 4 for TD3).
type MRZ struct {
	Format       string `json:"format"` // TD1, TD2 or TD3
	DocumentCode string `json:"document_code"`
	Issuer       string `json:"issuer"` // ICAO's three letters, or D
	Surname      string `json:"surname"`
	GivenNames   string `json:"given_names"`
	Number       string `json:"number"`
	Nationality  string `json:"nationality"`
	Sex          string `json:"sex"` // M, F, or X if unspecified
	Birth
	Expiry
	Optional  string          `json:"optional,omitempty"`
	Optional2 string          `json:"optional_2,omitempty"` // TD1: of the second line
	Checks    map[string]bool `json:"checks"`               // which check digits are right, by the field's name
	Flags     []Flag          `json:"flags,omitempty"`      // where a South African passport disagrees with the number in it

	idNumber string // of a South African passport, if nothing speaks against it
	agreed   Birth  // by which age is counted: that number's, where the zone's own cannot be
}

// filler stands in a zone for a space, for nothing and for the unknown.
const filler = "<"

// layout says where a format has its fields: from and to, counted over the lines run together.
type layout struct {
	format        string
	lines, length int

	names, number, nationality, birth, sex, expiry, optional, optional2 span
	// composite are the parts that the last check digit is over, in their order.
	composite []span
	// optionalCheck is where the digit over the optional field stands, or 0 if the format has none.
	optionalCheck int
}

type span [2]int

func (s span) of(zone string) string { return zone[s[0]:s[1]] }

// layouts are those of ICAO 9303. A field's own check digit is the character behind it.
var layouts = []layout{
	{
		format: "TD1", lines: 3, length: 30,
		number: span{5, 14}, optional: span{15, 30},
		birth: span{30, 36}, sex: span{37, 38}, expiry: span{38, 44}, nationality: span{45, 48}, optional2: span{48, 59},
		names: span{60, 90}, composite: []span{{5, 30}, {30, 37}, {38, 45}, {48, 60}},
	},
	{
		format: "TD2", lines: 2, length: 36,
		names: span{5, 36}, number: span{36, 45}, nationality: span{46, 49}, birth: span{49, 55}, sex: span{56, 57},
		expiry: span{57, 63}, optional: span{64, 71}, composite: []span{{36, 46}, {49, 56}, {57, 72}},
	},
	{
		format: "TD3", lines: 2, length: 44,
		names: span{5, 44}, number: span{44, 53}, nationality: span{54, 57}, birth: span{57, 63}, sex: span{64, 65},
		expiry: span{65, 71}, optional: span{72, 86}, optionalCheck: 86, composite: []span{{44, 54}, {57, 64}, {65, 88}},
	},
}

// ParseMRZ reads a zone as a reader sends it: lines ended by CR, LF or both, or all in one run, perhaps between STX and
// ETX. It returns ErrCharacters if there is anything but A to Z, 0 to 9 and <, and ErrLength if the lines are those of
// no format; then the MRZ is empty. It returns ErrDate if the birth or the expiry is a day that does not exist, and
// ErrCheckDigit if a check digit is wrong; then all that could be read is in the MRZ.
//
// Years have two digits. Of a birth see Birth; an expiry is in 20YY, unless that is more than fifty years after the
// reading, else in 19YY. The unknown part of a date is <<.
func ParseMRZ(scan []byte, on tournament.Date) (MRZ, error) {
	lines := strings.FieldsFunc(strings.Trim(string(scan), "\x02\x03\r\n"), func(char rune) bool {
		return char == '\r' || char == '\n'
	})
	for _, line := range lines {
		if strings.ContainsFunc(line, notInZone) {
			return MRZ{}, ErrCharacters
		}
	}
	form, zone := layoutOf(lines)
	if form == nil {
		return MRZ{}, ErrLength
	}
	mrz := MRZ{
		Format:       form.format,
		DocumentCode: unfilled(zone[0:2]),
		Issuer:       unfilled(zone[2:5]),
		Nationality:  unfilled(form.nationality.of(zone)),
		Sex:          form.sex.of(zone),
		Optional2:    unfilled(form.optional2.of(zone)),
		Checks: map[string]bool{
			"birth_date":  checked(form.birth.of(zone), zone[form.birth[1]]),
			"expiry_date": checked(form.expiry.of(zone), zone[form.expiry[1]]),
		},
	}
	if mrz.Sex != "M" && mrz.Sex != "F" {
		mrz.Sex = "X"
	}
	mrz.Surname, mrz.GivenNames = zoneNames(form.names.of(zone))
	mrz.readNumber(form, zone)

	whole := ""
	for _, part := range form.composite {
		whole += part.of(zone)
	}
	mrz.Checks["composite"] = checked(whole[:len(whole)-1], whole[len(whole)-1])

	birth, birthExists := zoneBirth(form.birth.of(zone), on)
	expiry, expiryExists := zoneExpiry(form.expiry.of(zone), on)
	mrz.Birth, mrz.Expiry, mrz.agreed = birth, expiry, birth
	mrz.readIDNumber(form.birth.of(zone), on)
	if !birthExists || !expiryExists {
		return mrz, ErrDate
	}
	for _, right := range mrz.Checks {
		if !right {
			return mrz, ErrCheckDigit
		}
	}
	return mrz, nil
}

// readNumber reads the document's number and the optional field behind it. A number longer than nine characters has a
// filler in place of its check digit and goes on in the optional field up to the next filler, its own check digit last.
// That is summed over the number without the filler between, or, on older Belgian cards, with it.
func (m *MRZ) readNumber(form *layout, zone string) {
	number, digit, optional := form.number.of(zone), zone[form.number[1]], form.optional.of(zone)
	if form.optionalCheck > 0 {
		check := zone[form.optionalCheck]
		m.Checks["optional"] = checked(optional, check) || check == filler[0] && unfilled(optional) == ""
	} else if digit == filler[0] && !strings.HasSuffix(number, filler) && !strings.HasPrefix(optional, filler) {
		more, rest, _ := strings.Cut(optional, filler)
		more, digit = more[:len(more)-1], more[len(more)-1]
		m.Number, m.Optional = number+more, unfilled(rest)
		m.Checks["number"] = checked(number+more, digit) || checked(number+filler+more, digit)
		return
	}
	m.Number, m.Optional = unfilled(number), unfilled(optional)
	m.Checks["number"] = checked(number, digit)
}

// readIDNumber reads the identity number that a South African passport carries in its optional field. It is taken if it
// agrees with the birth as that stands in the zone; if not, age is counted from it all the same.
func (m *MRZ) readIDNumber(birth string, on tournament.Date) {
	if m.Issuer != "ZAF" || len(m.Optional) != numberLength || !allDigits(m.Optional) {
		return
	}
	number, err := ParseNumber(m.Optional, on)
	if err != nil {
		m.Flags = append(m.Flags, FlagNumberDigit)
		return
	}
	if strings.HasPrefix(m.Optional, birth) {
		m.idNumber = m.Optional
	} else {
		m.agreed, m.AgeClass = number.Birth, number.AgeClass
		m.Flags = append(m.Flags, FlagBirthMismatch)
	}
	if m.Sex != "X" && m.Sex != number.Sex {
		m.Flags = append(m.Flags, FlagSexMismatch)
	}
	m.Flags = append(m.Flags, number.Flags...)
}

// Document sums up a zone whose checks are right.
func (m MRZ) Document() Document {
	return Document{
		Kind:    map[string]Kind{"TD1": KindTD1, "TD2": KindTD2, "TD3": KindPassport}[m.Format],
		Surname: m.Surname, GivenNames: m.GivenNames, Number: m.Number, Issuer: m.Issuer,
		IDNumber: m.idNumber, BirthDate: m.agreed.BirthDate, BirthDateCandidates: m.agreed.BirthDateCandidates,
		AgeClass: m.agreed.AgeClass, Expiry: m.ExpiryDate, Flags: m.Flags,
	}
}

// layoutOf returns the format that has such lines, or such a run of them, and the run; nil if none has.
func layoutOf(lines []string) (*layout, string) {
	zone := strings.Join(lines, "")
	for index := range layouts {
		form := &layouts[index]
		if len(zone) != form.lines*form.length || len(lines) != 1 && len(lines) != form.lines {
			continue
		}
		for _, line := range lines {
			if len(lines) > 1 && len(line) != form.length {
				return nil, ""
			}
		}
		return form, zone
	}
	return nil, ""
}

func notInZone(char rune) bool {
	return char != '<' && (char < '0' || char > '9') && (char < 'A' || char > 'Z')
}

// unfilled is a field without the fillers around it.
func unfilled(field string) string { return strings.Trim(field, filler) }

// zoneNames divides the names: two fillers stand between surname and given names, one between the words of either.
func zoneNames(field string) (surname, given string) {
	words := func(part string) string {
		return strings.Join(strings.FieldsFunc(part, func(char rune) bool { return char == '<' }), " ")
	}
	first, rest, _ := strings.Cut(field, filler+filler)
	return words(first), words(rest)
}

// checked reports whether digit is the right one over a field: weights 7 3 1, letters from A = 10, the filler 0,
// modulo 10 (ICAO 9303 part 3, section 4.9).
func checked(field string, digit byte) bool {
	sum := 0
	for index := range len(field) {
		value := 0
		switch char := field[index]; {
		case '0' <= char && char <= '9':
			value = int(char - '0')
		case 'A' <= char && char <= 'Z':
			value = int(char-'A') + 10
		}
		sum += value * [...]int{7, 3, 1}[index%3]
	}
	return int(digit)-'0' == sum%10
}

// zoneDate takes apart YYMMDD. Parts that are << are unknown and -1; it reports false for what is neither that nor a
// number, and for a month or day that no calendar has.
func zoneDate(field string) (year, month, day int, ok bool) {
	parts := [3]int{}
	for index := range parts {
		switch digits := field[2*index : 2*index+2]; {
		case digits == filler+filler:
			parts[index] = -1
		case allDigits(digits):
			parts[index] = decimal(digits)
		default:
			return 0, 0, 0, false
		}
	}
	year, month, day = parts[0], parts[1], parts[2]
	return year, month, day, month != 0 && month <= 12 && day != 0 && day <= 31
}

// zoneBirth is the birth that a zone gives; it reports false for a day that does not exist.
func zoneBirth(field string, on tournament.Date) (Birth, bool) {
	year, month, day, ok := zoneDate(field)
	if !ok || year < 0 || month < 0 || day < 0 {
		return unknownBirth, ok
	}
	birth, exists := bornInYear(year, time.Month(month), day, on)
	if !exists {
		return unknownBirth, false
	}
	return birth, true
}

// expiryYears is how far ahead of the reading an expiry may lie before its year is taken for one of 19YY.
const expiryYears = 50

// zoneExpiry is the expiry that a zone gives; it reports false for a day that does not exist.
func zoneExpiry(field string, on tournament.Date) (Expiry, bool) {
	year, month, day, ok := zoneDate(field)
	if !ok || year < 0 || month < 0 || day < 0 {
		return Expiry{}, ok
	}
	limit := tournament.Date{Year: on.Year + expiryYears, Month: on.Month, Day: on.Day}
	date, exists := tournament.NewDate(2000+year, time.Month(month), day)
	if date.After(limit) {
		date, exists = tournament.NewDate(1900+year, time.Month(month), day)
	}
	if !exists {
		return Expiry{}, false
	}
	return expiresOn(date, on), true
}
