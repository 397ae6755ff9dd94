package ledger

import (
	"fmt"
	"maps"
	"time"

	"reelkiosk/store/tournament"
	"reelkiosk/store/vault"
	"reelkiosk/store/wire"
)

// mostSeats is the most seats of one purchase: an act stays a bounded number of writes.
const mostSeats = 200

// mostText is the longest text of a request that is stored as it is.
const mostText = 500

// purchased is the outcome of Purchased.
type purchased struct {
	Purchase tournament.PurchaseID `json:"purchase"`
	Person   tournament.PersonID   `json:"person,omitempty"`
	Kind     tournament.EntryKind  `json:"kind"`
	Package  string                `json:"package,omitempty"`
	Amount   tournament.Money      `json:"amount"`
	Credit   tournament.Money      `json:"credit,omitzero"`
	Bought   time.Time             `json:"bought"`
	Ends     time.Time             `json:"ends"`
	Entries  []tournament.EntryID  `json:"entries"`
	// Held says that the entries wait for the director, since the person may not take part.
	Held bool `json:"held,omitempty"`
	// Receipt is the receipt number under the purchase's key; Number is its lookup hash, which names no person.
	Receipt []byte `json:"receipt,omitempty"`
	Number  string `json:"receipt_hash,omitempty"`
	// External is the number that another cash register gave it.
	External string `json:"external,omitempty"`
}

// claimed is the outcome of Claimed.
type claimed struct {
	Purchase tournament.PurchaseID `json:"purchase"`
	Person   tournament.PersonID   `json:"person"`
}

// claimRefused is the outcome of ClaimRefused.
type claimRefused struct {
	Purchase tournament.PurchaseID `json:"purchase"`
	Person   tournament.PersonID   `json:"person"`
	Reason   tournament.Reason     `json:"reason"`
}

func (*purchased) what() What    { return Purchased }
func (*claimed) what() What      { return Claimed }
func (*claimRefused) what() What { return ClaimRefused }

func (o *purchased) apply(s *state, event *Event) error {
	err := s.moveCash(event, o.Bought, cashMove{Kind: string(o.Kind), Seats: len(o.Entries), Cents: o.Amount.Cents})
	if err != nil {
		return err
	}
	for i, id := range o.Entries {
		e := entry{
			Purchase: o.Purchase, Person: o.Person, Kind: o.Kind, State: tournament.EntryUnused, Bought: o.Bought,
			Ends: o.Ends, Index: i + 1, Count: len(o.Entries),
		}
		switch {
		case o.Held:
			e.State = tournament.EntryHeld
		case o.Person != "":
			if err := s.addUnused(id, &e); err != nil {
				return err
			}
		}
		if err := s.put(join(prefixEntry, string(id)), &e); err != nil {
			return err
		}
	}
	if o.Number != "" {
		s.view.Put(join(prefixReceipt, o.Number), []byte(o.Purchase))
	}
	if o.External != "" {
		s.view.Put(join(prefixExternal, o.External), []byte(o.Purchase))
	}
	return s.put(join(prefixPurchase, string(o.Purchase)), &purchase{
		Kind: o.Kind, Package: o.Package, Amount: o.Amount, Credit: o.Credit, Bought: o.Bought, Ends: o.Ends,
		IDs: o.Entries, Buyer: o.Person, Owner: o.Person, Receipt: o.Receipt, External: o.External, By: event.Who,
	})
}

func (o *claimed) apply(s *state, _ *Event) error {
	return change(s, join(prefixPurchase, string(o.Purchase)), func(p *purchase) error {
		p.Owner = o.Person
		for _, id := range p.IDs {
			if err := s.setEntry(id, func(e *entry) { e.Person = o.Person }); err != nil {
				return err
			}
		}
		return nil
	})
}

func (o *claimRefused) apply(s *state, _ *Event) error {
	return change(s, join(prefixPurchase, string(o.Purchase)), func(p *purchase) error {
		p.Refused = maps.Clone(p.Refused)
		if p.Refused == nil {
			p.Refused = map[tournament.PersonID]tournament.Reason{}
		}
		p.Refused[o.Person] = o.Reason
		return nil
	})
}

// offer is what a purchase is of.
type offer struct {
	kind           tournament.EntryKind
	seats          int
	amount, credit tournament.Money
}

// offerOf returns what a purchase gives and costs. A package is of kind "package" and paid in cash; of kind "cash" or
// "card", it is a package paid so. A wrong number of seats wraps ErrInvalid; UnknownPackage and CashOnly are refusals.
func (b *Books) offerOf(kind tournament.EntryKind, pack string, seats int) (offer, error) {
	rules := b.definition.Rules
	switch {
	case kind == tournament.PackageBuyIn, pack != "" && (kind == tournament.CashBuyIn || kind == tournament.CardBuyIn):
		return b.packageOf(kind, pack, seats)
	case pack != "":
		return offer{}, fmt.Errorf("%w: a package is not given for nothing", ErrInvalid)
	case kind == tournament.CashBuyIn, kind == tournament.CardBuyIn:
		if seats < 1 || seats > mostSeats {
			return offer{}, fmt.Errorf("%w: %d seats; 1 to %d can be bought at once", ErrInvalid, seats, mostSeats)
		}
		price := tournament.Money{Cents: rules.SeatPrice.Cents * int64(seats), Currency: rules.SeatPrice.Currency}
		return offer{kind: kind, seats: seats, amount: price}, nil
	case kind == tournament.Complimentary:
		// Clause 5: a single entry, paid for by the casino.
		if seats != 0 && seats != 1 {
			return offer{}, fmt.Errorf("%w: a complimentary entry is one seat", ErrInvalid)
		}
		return offer{kind: kind, seats: 1, amount: tournament.Money{Currency: rules.SeatPrice.Currency}}, nil
	}
	return offer{}, fmt.Errorf("%w: no such kind of purchase", ErrInvalid)
}

func (b *Books) packageOf(paid tournament.EntryKind, pack string, seats int) (offer, error) {
	for _, known := range b.definition.Rules.Packages {
		if known.Name != pack {
			continue
		}
		if seats != 0 && seats != known.Seats {
			return offer{}, fmt.Errorf("%w: the package has %d seats", ErrInvalid, known.Seats)
		}
		if paid == tournament.CardBuyIn && b.definition.Rules.PackagesCashOnly {
			return offer{}, tournament.CashOnly.Refuse()
		}
		return offer{kind: tournament.PackageBuyIn, seats: known.Seats, amount: known.Price, credit: known.Credit}, nil
	}
	return offer{}, tournament.UnknownPackage.Refuse()
}

func (a Purchase) decide(t *turn) (any, error) {
	of, err := t.offerOf(a.Kind, a.Package, a.Seats)
	if err != nil {
		return nil, err
	}
	if len(a.External) > mostText {
		return nil, fmt.Errorf("%w: an external number of %d bytes", ErrInvalid, len(a.External))
	}
	if again, err := t.soldBefore(a, of); again != nil || err != nil {
		return again, err
	}
	v := &visitor{}
	if a.Card != "" || a.Document != nil {
		if v, err = t.admit(a.Card, a.Document); err != nil {
			return nil, err
		}
	}
	if of.credit.Cents > 0 && len(v.members) == 0 {
		return nil, tournament.MembersOnly.Refuse()
	}
	window := t.definition.Rules.WindowOf(t.at, t.definition.Zone)
	free, err := t.anyFreeSeat(window)
	if err != nil {
		return nil, err
	}
	if !free {
		return nil, tournament.NoFreeSeat.Refuse().At(window.Ends)
	}
	return t.sell(a, of, v.id, window)
}

// sell records a purchase at the Cash Desk and answers with its receipt.
func (t *turn) sell(a Purchase, of offer, buyer tournament.PersonID, window tournament.Window) (any, error) {
	sold := purchased{
		Person: buyer, Kind: of.kind, Package: a.Package, Amount: of.amount, Credit: of.credit, Bought: window.From,
		Ends: window.Ends, External: a.External,
	}
	if err := t.drawPurchase(&sold, of.seats); err != nil {
		return nil, err
	}
	receipt, err := tournament.NewReceiptNumber(t.request.Random)
	if err != nil {
		return nil, err
	}
	if err := t.makeKey(string(sold.Purchase), t.request.Random); err != nil {
		return nil, err
	}
	if sold.Receipt, err = t.seal(string(sold.Purchase), receipt, t.request.Random); err != nil {
		return nil, err
	}
	sold.Number = t.vault.Receipt(string(receipt)).String()
	if err := t.record("", &sold); err != nil {
		return nil, err
	}
	record, err := need[purchase](t.view, join(prefixPurchase, string(sold.Purchase)))
	if err != nil {
		return nil, err
	}
	return t.bought(sold.Purchase, record)
}

// drawPurchase draws the ids of a purchase and of its entries.
func (t *turn) drawPurchase(sold *purchased, seats int) (err error) {
	if sold.Purchase, err = orderedID[tournament.PurchaseID](t); err != nil {
		return err
	}
	for range seats {
		id, err := orderedID[tournament.EntryID](t)
		if err != nil {
			return err
		}
		sold.Entries = append(sold.Entries, id)
	}
	return nil
}

// soldBefore returns the answer to a purchase whose external number is known already: the first answer again. The same
// number with another purchase is refused.
func (t *turn) soldBefore(a Purchase, of offer) (any, error) {
	if a.External == "" {
		return nil, nil
	}
	before, id, err := t.externalPurchase(a.External)
	if err != nil || before == nil {
		return nil, err
	}
	var buyer tournament.PersonID
	if a.Card != "" || a.Document != nil {
		v, err := t.resolve(a.Card, a.Document)
		if err != nil {
			return nil, err
		}
		if v.mismatch != nil {
			return nil, tournament.Mismatch.Refuse()
		}
		buyer = v.id
	}
	if before.Kind != of.kind || before.Package != a.Package || len(before.IDs) != of.seats || before.Buyer != buyer {
		return nil, tournament.KeyReused.Refuse()
	}
	return t.bought(id, before)
}

// bought answers a purchase as it was when it was made.
func (t *turn) bought(id tournament.PurchaseID, p *purchase) (wire.Bought, error) {
	answer := wire.Bought{
		ID: id, Amount: p.Amount, Credit: p.Credit, Person: p.Buyer, Property: t.definition.Property, At: p.Bought,
		Entries: []wire.Entry{},
	}
	for i, entryID := range p.IDs {
		answer.Entries = append(answer.Entries, wireEntry(tournament.Entry{
			ID: entryID, Kind: p.Kind, Bought: p.Bought, Ends: p.Ends, Index: i + 1,
		}))
	}
	if p.Receipt != nil {
		receipt, _, err := open[string](t.view, t.vault, string(id), p.Receipt)
		if err != nil {
			return answer, err
		}
		answer.Receipt = receipt
	}
	return answer, nil
}

// receiptHash returns the lookup hash of a receipt number as typed or scanned, or UnknownReceipt where it is none.
func (b *Books) receiptHash(text string) (vault.Hash, error) {
	receipt, err := tournament.ParseReceiptNumber(text)
	if err != nil {
		return vault.Hash{}, tournament.UnknownReceipt.Refuse()
	}
	return b.vault.Receipt(string(receipt)), nil
}
