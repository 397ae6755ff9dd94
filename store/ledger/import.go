package ledger

import (
	"errors"
	"fmt"
	"time"

	"reelkiosk/store/kv"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// clockAhead is how far the clock of another cash register may be ahead of central's.
const clockAhead = 10 * time.Minute

// CheckRows returns what is wrong with the rows of an import as the books stand at that time, without changing anything;
// it is what an import refuses them for. What a file says of itself (columns, check digits, a key that stands in it twice)
// was checked before.
func (b *Books) CheckRows(view kv.Reader, at time.Time, rows wire.Rows) ([]wire.RowProblem, error) {
	t, err := b.turn(kv.NewOverlay(view), &Request{At: at})
	if err != nil {
		return nil, err
	}
	return t.checkRows(rows)
}

func (t *turn) checkRows(rows wire.Rows) ([]wire.RowProblem, error) {
	var problems []wire.RowProblem
	add := func(line int, column, reason string, err error) error {
		if reason != "" {
			problems = append(problems, wire.RowProblem{Line: line, Column: column, Reason: reason})
		}
		return err
	}
	for _, row := range rows.Members {
		column, reason := t.checkMember(&row)
		if err := add(row.Line, column, reason, nil); err != nil {
			return nil, err
		}
	}
	for _, row := range rows.Exclusions {
		column, reason, err := t.checkExclusion(&row)
		if err := add(row.Line, column, reason, err); err != nil {
			return nil, err
		}
	}
	for _, row := range rows.Purchases {
		column, reason, err := t.checkPurchase(&row)
		if err := add(row.Line, column, reason, err); err != nil {
			return nil, err
		}
	}
	return problems, nil
}

// refuseRows returns a *RowsError where rows cannot be taken.
func (t *turn) refuseRows(rows wire.Rows) error {
	problems, err := t.checkRows(rows)
	if err != nil || len(problems) == 0 {
		return err
	}
	return &RowsError{problems}
}

func (t *turn) checkMember(row *wire.Member) (column, reason string) {
	if t.vault.Member(row.Number).IsZero() {
		return "member_number", "a member number has letters or digits"
	}
	for _, card := range row.Cards {
		if t.vault.Card(card).IsZero() {
			return "cards", "a card number has letters or digits"
		}
	}
	return IDNumberProblem(row.IDNumber, row.BirthDate)
}

// IDNumberProblem says in which column the mistake of an identity number lies, if it has one. Without a number there is
// none.
func IDNumberProblem(number string, born tournament.Date) (column, reason string) {
	if number == "" {
		return "", ""
	}
	switch err := tournament.CheckIDNumber(number, born); err {
	case nil:
		return "", ""
	case tournament.ErrIDBirth:
		return "birth_date", "is another day than id_number says"
	default:
		return "id_number", "is no South African identity number: 13 digits that begin with a day and end in a check digit"
	}
}

// checkPurchase says what is wrong with a purchase made elsewhere, or nothing.
func (t *turn) checkPurchase(row *wire.PurchaseRecord) (column, reason string, err error) {
	switch {
	case row.Number == "" || len(row.Number) > mostText:
		return "number", fmt.Sprintf("a number has 1 to %d bytes", mostText), nil
	case row.At.After(t.at.Add(clockAhead)):
		return "at", "the purchase lies in the future", nil
	}
	if column, reason := IDNumberProblem(row.IDNumber, tournament.Date{}); reason != "" {
		return column, reason, nil
	}
	of, err := t.offerOf(row.Kind, row.Package, row.Seats)
	if column, reason := offerProblem(err); reason != "" {
		return column, reason, nil
	}
	if err != nil {
		return "", "", err
	}
	v, column, reason, err := t.buyerOf(row)
	if err != nil || reason != "" {
		return column, reason, err
	}
	if of.credit.Cents > 0 && len(v.members) == 0 {
		return "package", "its casino credit needs Rewards membership (clause 6)", nil
	}
	before, _, err := t.externalPurchase(row.Number)
	if err != nil || before == nil {
		return "", "", err
	}
	if !before.same(row, of, v.id) {
		return "number", "stands for another purchase in the books", nil
	}
	return "", "", nil
}

// offerProblem says in which column the mistake lies for which offerOf gives no offer.
func offerProblem(err error) (column, reason string) {
	refusal, refused := errors.AsType[*tournament.Refusal](err)
	switch {
	case refused && refusal.Reason == tournament.UnknownPackage:
		return "package", "the tournament has no such package (clause 6)"
	case refused && refusal.Reason == tournament.CashOnly:
		return "kind", "packages are sold for cash only (clause 6)"
	case errors.Is(err, ErrInvalid):
		return "seats", err.Error()
	}
	return "", ""
}

// buyerOf finds out whose a purchase made elsewhere is, or in which column it says so wrongly. The register identified the
// player; whether a card alone would suffice at a kiosk does not matter.
func (t *turn) buyerOf(row *wire.PurchaseRecord) (v *visitor, column, reason string, err error) {
	var holder *membership
	if row.Card != "" {
		if holder, err = t.memberUnder(hashKey(prefixCard, t.vault.Card(row.Card))); err != nil {
			return nil, "", "", err
		}
		if holder == nil {
			return nil, "card", "no member has this card", nil
		}
	}
	if row.IDNumber == "" && row.Passport == "" {
		switch {
		case holder == nil:
			return nil, "", "it names nobody: card, id_number or passport is needed", nil
		case !holder.record.Verified:
			return nil, "card", "the identity behind this card was never verified: id_number or passport is needed", nil
		}
		if v, err = t.byMember(row.Card, holder); err == nil && v.mismatch != nil {
			return nil, "card", "numbers of its member are of another person", nil
		}
		return v, "", "", err
	}
	v, err = t.byDocument(&wire.Document{Kind: "typed", IDNumber: row.IDNumber, Number: row.Passport, Issuer: row.Issuer})
	refusal, refused := errors.AsType[*tournament.Refusal](err)
	if refused && refusal.Reason == tournament.Unverified {
		return nil, "id_number", "nobody can be recognised by this number", nil
	}
	if refused {
		return nil, "id_number", "the books have another birth date for this number", nil
	}
	if err == nil && v.collides {
		return nil, "passport", "the number is of another person than the identity number", nil
	}
	if err != nil || holder == nil {
		return v, "", "", err
	}
	if err := t.withCard(v, row.Card, holder); err != nil {
		return nil, "", "", err
	}
	if v.mismatch != nil {
		return nil, "card", "the card is another person's", nil
	}
	return v, "", "", nil
}

// externalPurchase returns the purchase that has this number of another cash register, or nil.
func (t *turn) externalPurchase(number string) (*purchase, tournament.PurchaseID, error) {
	id, err := name[tournament.PurchaseID](t.view, join(prefixExternal, number))
	if err != nil || id == "" {
		return nil, "", err
	}
	before, err := need[purchase](t.view, join(prefixPurchase, string(id)))
	return before, id, err
}

// same reports whether a row is of the purchase that the books have.
func (p *purchase) same(row *wire.PurchaseRecord, of offer, buyer tournament.PersonID) bool {
	return p.Kind == of.kind && p.Package == row.Package && len(p.IDs) == of.seats && p.Buyer == buyer &&
		p.Bought.Equal(row.At.Truncate(time.Millisecond))
}

func (a ImportPurchases) decide(t *turn) (any, error) {
	if err := t.refuseRows(wire.Rows{Purchases: a.Rows}); err != nil {
		return nil, err
	}
	var done wire.ImportDone
	for _, row := range a.Rows {
		before, _, err := t.externalPurchase(row.Number)
		if err != nil {
			return nil, err
		}
		if before != nil {
			done.Unchanged++
			continue
		}
		if err := t.takePurchase(&row); err != nil {
			return nil, err
		}
		done.Added++
	}
	return done, nil
}

// takePurchase records a purchase made elsewhere. It is a fact, whoever made it: where the buyer may not take part, the
// entries are held, and a case opens.
func (t *turn) takePurchase(row *wire.PurchaseRecord) error {
	of, err := t.offerOf(row.Kind, row.Package, row.Seats)
	if err != nil {
		return err
	}
	v, _, _, err := t.buyerOf(row)
	if err != nil {
		return err
	}
	refusal, err := t.checkVisitor(v)
	if err != nil {
		return err
	}
	if err := t.meet(v); err != nil {
		return err
	}
	window := t.definition.Rules.WindowOf(row.At.Truncate(time.Millisecond), t.definition.Zone)
	sold := purchased{
		Person: v.id, Kind: of.kind, Package: row.Package, Amount: of.amount, Credit: of.credit, Bought: window.From,
		Ends: window.Ends, External: row.Number, Held: refusal != nil && holds(refusal.Reason),
	}
	if err := t.drawPurchase(&sold, of.seats); err != nil {
		return err
	}
	if err := t.record("", &sold); err != nil || !sold.Held {
		return err
	}
	return t.openCase(CasePurchase, v.id, Evidence{
		Reason: refusal.Reason, Purchase: sold.Purchase, Entries: sold.Entries,
	})
}

// holds reports whether entries of somebody who is refused for that reason wait for the director. An unknown age or a
// possible match may still turn out well, and stops the player at registration.
func holds(reason tournament.Reason) bool {
	return reason != tournament.AgeUnknown && reason != tournament.PossibleMatch
}
