package exchange

import (
	"io"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// ReadMembers reads a file of members from its beginning, as the package comment describes it. It calls each, unless it is
// nil, with every row that has no mistake, and returns all mistakes in the order of their lines. Since a row may turn out
// to stand twice only at the end, a caller first reads the file with a nil function, and again if nothing was wrong.
func ReadMembers(source io.ReadSeeker, options Options, each func(wire.Member) error) ([]wire.RowProblem, error) {
	return reading[wire.Member]{memberColumns, parseMember}.read(source, options, each)
}

// ReadExclusions reads a file of exclusions, as ReadMembers does one of members.
func ReadExclusions(source io.ReadSeeker, options Options, each func(wire.Exclusion) error) ([]wire.RowProblem, error) {
	return reading[wire.Exclusion]{exclusionColumns, parseExclusion}.read(source, options, each)
}

// ReadPurchases reads a file of purchases, as ReadMembers does one of members.
func ReadPurchases(source io.ReadSeeker, options Options, each func(wire.PurchaseRecord) error) ([]wire.RowProblem, error) {
	return reading[wire.PurchaseRecord]{purchaseColumns, parsePurchase}.read(source, options, each)
}

var memberColumns = []column{
	{"member_number", true}, {"cards", false}, {"surname", true}, {"given_names", true}, {"id_number", false},
	{"passport", false}, {"passport_issuer", false}, {"birth_date", false}, {"verified", false},
}

func parseMember(r *row, options Options) (wire.Member, []unique) {
	who := r.identification(options.Today, true)
	member := wire.Member{
		Line: r.line, Number: r.code("member_number", r.cell("member_number"), 1, 40), Cards: r.cards("cards"),
		Surname: r.name("surname"), Given: r.name("given_names"),
		IDNumber: who.idNumber, Passport: who.passport, Issuer: who.issuer, BirthDate: who.birth,
		Verified: r.yes("verified"),
	}
	if member.IDNumber == "" && member.BirthDate.IsZero() && r.cell("birth_date") == "" {
		r.refuse("birth_date", "is empty, and there is no id_number that would give it")
	}
	if member.Verified && r.cell("id_number") == "" && r.cell("passport") == "" {
		r.refuse("verified", "says yes, but neither id_number nor passport is given: exclusions could not be checked")
	}
	uniques := make([]unique, 0, 1+len(member.Cards))
	if member.Number != "" {
		uniques = append(uniques, unique{"member_number", member.Number})
	}
	for _, card := range member.Cards {
		uniques = append(uniques, unique{"cards", card})
	}
	return member, uniques
}

var exclusionColumns = []column{
	{"reference", true}, {"kind", true}, {"from", true}, {"surname", false}, {"given_names", false}, {"birth_date", false},
	{"id_number", false}, {"passport", false}, {"passport_issuer", false}, {"card", false},
}

func parseExclusion(r *row, options Options) (wire.Exclusion, []unique) {
	who := r.identification(options.Today, true)
	exclusion := wire.Exclusion{
		Line: r.line, Reference: r.text("reference", 100),
		Kind:    r.oneOf("kind", "refusal-of-entry", "self-excluded", "category", "connected"),
		Surname: r.name("surname"), Given: r.name("given_names"), BirthDate: who.birth,
		IDNumber: who.idNumber, Passport: who.passport, Issuer: who.issuer,
		Card: r.code("card", r.cell("card"), 4, 40), From: r.date("from", options.Today),
	}
	named := exclusion.Surname != "" && exclusion.Given != "" && !exclusion.BirthDate.IsZero()
	if exclusion.IDNumber == "" && exclusion.Passport == "" && exclusion.Card == "" && !named && len(r.problems) == 0 {
		r.refuse("", "names nobody: want id_number, passport, card, or surname, given_names and birth_date")
	}
	if exclusion.Reference == "" {
		return exclusion, nil
	}
	return exclusion, []unique{{"reference", exclusion.Reference}}
}

var purchaseColumns = []column{
	{"number", true}, {"kind", true}, {"at", true}, {"package", false}, {"seats", false}, {"card", false},
	{"id_number", false}, {"passport", false}, {"passport_issuer", false}, {"operator", false},
}

// mostSeats is the most seats that one buy-in may have; more is a slip of the finger.
const mostSeats = 100

func parsePurchase(r *row, options Options) (wire.PurchaseRecord, []unique) {
	who := r.identification(options.Today, false)
	kind := tournament.EntryKind(r.oneOf("kind", string(tournament.CashBuyIn), string(tournament.CardBuyIn),
		string(tournament.PackageBuyIn), string(tournament.Complimentary)))
	purchase := wire.PurchaseRecord{
		Line: r.line, Number: r.text("number", 100), Kind: kind, Package: r.text("package", 100),
		At: r.moment("at", options.Zone), Card: r.code("card", r.cell("card"), 4, 40),
		IDNumber: who.idNumber, Passport: who.passport, Issuer: who.issuer, Operator: r.text("operator", 100),
	}
	if kind == tournament.PackageBuyIn {
		purchase.Seats = r.number("seats", 0, mostSeats, 0)
		if purchase.Package == "" {
			r.refuse("package", "is empty; a purchase of kind package names its package")
		}
	} else {
		purchase.Seats = r.number("seats", 1, mostSeats, 1)
		if purchase.Package != "" {
			r.refuse("package", "is given, but the kind is not package")
		}
	}
	if kind == tournament.Complimentary && purchase.Seats > 1 {
		r.refuse("seats", "a complimentary entry is one seat")
	}
	if r.cell("card") == "" && r.cell("id_number") == "" && r.cell("passport") == "" {
		r.refuse("", "names nobody: want card, id_number or passport")
	}
	if purchase.Number == "" {
		return purchase, nil
	}
	return purchase, []unique{{"number", purchase.Number}}
}

// Columns names the columns of files of a kind: those that must be there and filled in, and those that may be missing.
func Columns(kind wire.ImportKind) (required, optional []string) {
	lists := map[wire.ImportKind][]column{
		wire.ImportMembers: memberColumns, wire.ImportExclusions: exclusionColumns, wire.ImportPurchases: purchaseColumns,
	}
	for _, c := range lists[kind] {
		if c.required {
			required = append(required, c.name)
		} else {
			optional = append(optional, c.name)
		}
	}
	return required, optional
}
