package vault

import (
	"bytes"
	"testing"
	"time"

	"reelkiosk/store/tournament"
)

// fixed are keys that never change, so that the hashes below can be compared with what is stored.
func fixed() Keys {
	var keys Keys
	for i := range keys.Lookup {
		keys.Lookup[i], keys.Data[i] = byte(i), byte(255-i)
	}
	return keys
}

var born = tournament.Date{Year: 1980, Month: time.January, Day: 1}

// TestHashesStayWhatTheyAre fails when stored hashes would no longer be found. If it has to change, so does the domain in
// Vault.hash, and the index is rebuilt.
func TestHashesStayWhatTheyAre(t *testing.T) {
	v := New(fixed())
	for _, c := range []struct {
		kind string
		got  Hash
		want string
	}{
		{"identity number", v.IDNumber("8001015009087"), "82e0001fe1bb3517266d498be7be3a02"},
		{"passport", v.Passport("ZAF", "A01234567"), "93ddb419596318b240db14bf7ce50bc3"},
		{"name and birth", v.NameAndBirth("Mokoena", "Thandi", born), "ec3a28c61012dde8c154ae6977680ee0"},
		{"card", v.Card("6004000012345678"), "dc46be365097dd2608de0e8c12f5f688"},
		{"member", v.Member("M-1001"), "46c05417302d3abfc2cbd4f2a5a8f460"},
		{"receipt", v.Receipt("0123456789ABCDEFG"), "104d8afa436ec39a33b46f5f5f78710f"},
	} {
		if got := c.got.String(); got != c.want {
			t.Errorf("%s: hash %s, want %s", c.kind, got, c.want)
		}
	}
}

func TestSameNumberInAnotherSpellingIsTheSame(t *testing.T) {
	v := New(fixed())
	for _, c := range []struct {
		situation string
		left      Hash
		right     Hash
	}{
		{"identity number in groups", v.IDNumber("8001015009087"), v.IDNumber(" 800101 5009-087\t")},
		{"identity number in full-width digits", v.IDNumber("8001015009087"), v.IDNumber("８００１０１５００９０８７")},
		{"passport in small letters", v.Passport("ZAF", "A01234567"), v.Passport("zaf", "a01234567")},
		{"passport with the fillers of its zone", v.Passport("ZAF", "A0123456"), v.Passport("ZAF", "A0123456<")},
		{"issuer in two letters", v.Passport("ZAF", "A01234567"), v.Passport("ZA", "A01234567")},
		{"Germany as the zone writes it", v.Passport("DEU", "C01X00T47"), v.Passport("D<<", "C01X00T47")},
		{"Britain by its usual name", v.Passport("GBR", "925665416"), v.Passport("UK", "925665416")},
		{"Kosovo by either code", v.Passport("RKS", "P00000001"), v.Passport("XK", "P00000001")},
		{"card in groups", v.Card("6004 0000 1234 5678"), v.Card("6004000012345678")},
		{"tag in small letters", v.Card("04a1b2c3"), v.Card("04:A1:B2:C3")},
		{"receipt in groups", v.Receipt("0123 4567 89AB CDEF G"), v.Receipt("0123456789abcdefg")},
	} {
		if c.left != c.right || c.left.IsZero() {
			t.Errorf("%s: hashes %s and %s, want the same", c.situation, c.left, c.right)
		}
	}
}

func TestDifferentNumbersAreDifferent(t *testing.T) {
	v := New(fixed())
	other := fixed()
	other.Lookup[0]++
	seen := map[Hash]string{}
	for _, c := range []struct {
		situation string
		hash      Hash
	}{
		{"identity number", v.IDNumber("8001015009087")},
		{"the same digits on a card", v.Card("8001015009087")},
		{"the same digits as member", v.Member("8001015009087")},
		{"the same digits on a receipt", v.Receipt("8001015009087")},
		{"the same digits on a passport of no state", v.Passport("", "8001015009087")},
		{"the same digits on a passport", v.Passport("ZAF", "8001015009087")},
		{"the same digits on another state's", v.Passport("LSO", "8001015009087")},
		{"a letter moved from number to issuer", v.Passport("ZAF8", "001015009087")},
		{"a leading zero", v.Card("08001015009087")},
		{"another key", New(other).IDNumber("8001015009087")},
		{"a British overseas passport", v.Passport("GBD", "8001015009087")},
	} {
		if earlier, taken := seen[c.hash]; taken {
			t.Errorf("%s has the hash of %s", c.situation, earlier)
		}
		seen[c.hash] = c.situation
	}
}

func TestSameNameInAnotherSpellingIsTheSame(t *testing.T) {
	for _, c := range []struct {
		situation                      string
		surname, given, other, another string
	}{
		{"case", "Mokoena", "Thandi", "MOKOENA", "thandi"},
		{"accents", "Nélis", "André", "Nelis", "Andre"},
		{"accents as marks of their own", "Ne\u0301lis", "Andre\u0301", "Nélis", "André"},
		{"spaces, hyphens, one word", "Van der Merwe", "Jan", "VAN-DER-MERWE", "Jan"},
		{"several spaces and none", "  Van  der\u00a0Merwe ", "Jan", "vandermerwe", "Jan"},
		{"fillers of a machine-readable zone", "VAN<DER<MERWE", "JAN<HENDRIK", "van der Merwe", "Jan Hendrik"},
		{"second names left out", "Botha", "Anna Maria", "Botha", "Anna"},
		{"a hyphen in the given name", "Botha", "Anna-Maria", "Botha", "Anna Maria"},
		{"apostrophes of every kind", "O'Brien", "Seán", "Oʼ’Brien", "Sean"},
		{"umlauts spelt out", "Müller", "Jörg", "MUELLER", "JOERG"},
		{"umlauts left out", "Müller", "Jörg", "Muller", "Jorg"},
		{"Nordic letters spelt out", "Åkesson", "Bjørn", "AAKESSON", "BJOERN"},
		{"ligatures", "Ægir", "Cœur", "AEgir", "Coeur"},
		{"typographic ligatures", "Graﬃn", "Joﬁ", "Graffin", "Jofi"},
		{"Dutch ij", "Ĳsbrand", "Ĳf", "IJsbrand", "Ijf"},
		{"sharp s", "Groß", "Ann", "GROSS", "Ann"},
		{"Polish and Croatian letters", "Łukasz", "Đuro", "Lukasz", "Duro"},
		{"Turkish dotless i", "Yıldız", "Işıl", "YILDIZ", "ISIL"},
		{"an initial with a dot", "Dlamini", "S. Peter", "Dlamini", "S"},
		{"full width", "Ｌｉ", "Ｎａ", "Li", "Na"},
	} {
		t.Run(c.situation, func(t *testing.T) {
			v := New(fixed())
			left, right := v.NameAndBirth(c.surname, c.given, born), v.NameAndBirth(c.other, c.another, born)
			if left != right || left.IsZero() {
				t.Errorf("%s, %s is %q %q; %s, %s is %q %q", c.surname, c.given, name(c.surname), firstName(c.given),
					c.other, c.another, name(c.other), firstName(c.another))
			}
		})
	}
}

func TestDifferentPeopleAreDifferent(t *testing.T) {
	v := New(fixed())
	self := v.NameAndBirth("Mokoena", "Thandi", born)
	for situation, other := range map[string]Hash{
		"another surname":            v.NameAndBirth("Mokwena", "Thandi", born),
		"another first name":         v.NameAndBirth("Mokoena", "Thando", born),
		"another birth date":         v.NameAndBirth("Mokoena", "Thandi", born.AddDays(1)),
		"no given name":              v.NameAndBirth("Mokoena", "", born),
		"letters moved between them": v.NameAndBirth("MokoenaT", "handi", born),
		"surname and name exchanged": v.NameAndBirth("Thandi", "Mokoena", born),
	} {
		if other == self {
			t.Errorf("%s: the same hash", situation)
		}
	}
}

func TestNothingHasTheZeroHash(t *testing.T) {
	v := New(fixed())
	for situation, hash := range map[string]Hash{
		"no identity number":           v.IDNumber(""),
		"an identity number of dashes": v.IDNumber(" -- "),
		"a passport without number":    v.Passport("ZAF", "<<<"),
		"no card":                      v.Card(" "),
		"no surname":                   v.NameAndBirth("-", "Thandi", born),
		"no birth date":                v.NameAndBirth("Mokoena", "Thandi", tournament.Date{}),
	} {
		if !hash.IsZero() {
			t.Errorf("%s: hash %s, want zero", situation, hash)
		}
	}
}

func FuzzSpellingIsStable(f *testing.F) {
	for _, seed := range []string{"Van der Merwe", "Müller", "AEAE", "A\u0308", "Ǆ", "8001 015009-087", "ﬃ", "UUEE", "\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if once := symbols(text); symbols(once) != once {
			t.Errorf("number %q is %q and then %q", text, once, symbols(once))
		}
		if bytes.ContainsAny([]byte(name(text)), " -'<") {
			t.Errorf("name %q keeps a separator: %q", text, name(text))
		}
		_ = firstName(text)
		_ = country(text)
	})
}
