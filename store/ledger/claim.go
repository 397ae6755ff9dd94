package ledger

import (
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

func (a Claim) decide(t *turn) (any, error) {
	claimant, err := load[person](t.view, join(prefixPerson, string(a.Person)))
	if err != nil {
		return nil, err
	}
	if claimant == nil {
		return nil, tournament.UnknownPerson.Refuse()
	}
	hash, err := t.receiptHash(a.Receipt)
	if err != nil {
		return nil, err
	}
	id, err := name[tournament.PurchaseID](t.view, hashKey(prefixReceipt, hash))
	if err != nil {
		return nil, err
	}
	if id == "" {
		return nil, tournament.UnknownReceipt.Refuse()
	}
	bought, err := need[purchase](t.view, join(prefixPurchase, string(id)))
	if err != nil {
		return nil, err
	}
	if bought.Reversed {
		return nil, tournament.UnknownReceipt.Refuse()
	}
	if bought.Owner != a.Person {
		if err := t.claim(a.Person, claimant, id, bought); err != nil {
			return nil, err
		}
	}
	unused, err := t.unusedEntries(t.view, a.Person)
	if err != nil {
		return nil, err
	}
	entries, _ := stillValid(unused, t.at)
	return wire.Claimed{Entries: entries}, nil
}

// claim makes the purchase the claimant's for good, or refuses. Who was refused once never owns it, whatever becomes of
// the reason; each refusal but that of somebody refused before opens a case.
func (t *turn) claim(who tournament.PersonID, claimant *person, id tournament.PurchaseID, bought *purchase) error {
	if reason := bought.Refused[who]; reason != "" {
		return reason.Refuse()
	}
	refusal, err := t.barred(who, claimant)
	if err != nil {
		return err
	}
	if refusal == nil && bought.Owner != "" {
		refusal = tournament.ReceiptOwned.Refuse()
	}
	if refusal == nil {
		return t.record("", &claimed{Purchase: id, Person: who})
	}
	if err := t.openCase(CaseClaim, who, Evidence{Reason: refusal.Reason, Purchase: id}); err != nil {
		return err
	}
	if refusal.Reason.SeesHost() {
		if err := t.record("", &claimRefused{Purchase: id, Person: who, Reason: refusal.Reason}); err != nil {
			return err
		}
	}
	return refusal
}
