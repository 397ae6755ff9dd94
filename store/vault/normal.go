package vault

import (
	"strings"
	"unicode"

	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"
)

// Spellings that come out the same. Every change here changes hashes that are already stored: it needs a new domain in
// Vault.hash and a rebuilt index.
//
// A number keeps its letters, upper case, and its digits, and nothing else: "8001 015009-087" is "8001015009087", the
// fillers of a machine-readable zone fall away, full-width digits become plain ones. Leading zeros stay.
//
// A name keeps its letters, upper case. Accents, hyphens, apostrophes, dots and any number of spaces fall away, so that
// "Van der Merwe", "VAN-DER-MERWE" and "vandermerwe" are one. Letters that one document writes with a mark or as a
// ligature and another spells out, as ICAO Doc 9303 part 3 section 6 has machine-readable zones do, become the same:
// Ä, Æ and AE are A, Ö, Ø, Œ and OE are O, Ü and UE are U, Å and AA are A; ß is SS, Þ is TH, Ĳ is IJ, ﬁ is FI. Some
// different names come out the same too (Joel and Jol); a host looks at every match by name.

// symbols brings a number to one spelling: upper-case letters and digits.
func symbols(number string) string {
	return strings.Map(func(symbol rune) rune {
		if unicode.IsLetter(symbol) || unicode.IsDigit(symbol) {
			return unicode.ToUpper(symbol)
		}
		return -1
	}, norm.NFKC.String(number))
}

// states are issuing states that ICAO Doc 9303 part 3 section 5 calls otherwise than ISO 3166 does.
var states = map[string]string{"D": "DEU", "XKK": "RKS"}

// country brings an issuing state to its code of three letters; what is no known country stays as it is.
func country(issuer string) string {
	code := symbols(issuer)
	if region, err := language.ParseRegion(code); err == nil && region.IsCountry() {
		code = region.Canonicalize().ISO3()
	}
	if state, special := states[code]; special {
		return state
	}
	return code
}

// spelt are letters that do not fall apart into a plain letter and a mark.
var spelt = strings.NewReplacer(
	"Æ", "AE", "Œ", "OE", "Ø", "O", "ß", "SS", "ẞ", "SS", "Þ", "TH", "Ð", "D", "Đ", "D", "Ł", "L", "Ħ", "H", "Ŧ", "T",
	"Ŋ", "N", "ı", "I",
)

// merged are pairs of letters that spell out a letter with a mark.
var merged = strings.NewReplacer("AE", "A", "OE", "O", "UE", "U", "AA", "A")

// name brings a name to one spelling: upper-case letters.
func name(written string) string {
	letters := strings.Map(func(symbol rune) rune {
		// Modifier letters are apostrophes of a kind.
		if unicode.IsLetter(symbol) && !unicode.Is(unicode.Lm, symbol) {
			return unicode.ToUpper(symbol)
		}
		return -1
	}, norm.NFKD.String(written))
	return merged.Replace(spelt.Replace(letters))
}

// firstName returns the first of the given names in one spelling: what stands before a space, a hyphen, a comma, or the
// filler of a machine-readable zone.
func firstName(given string) string {
	parts := strings.FieldsFunc(norm.NFKC.String(given), func(symbol rune) bool {
		return unicode.IsSpace(symbol) || unicode.Is(unicode.Pd, symbol) || symbol == ',' || symbol == '<'
	})
	for _, part := range parts {
		if first := name(part); first != "" {
			return first
		}
	}
	return ""
}
