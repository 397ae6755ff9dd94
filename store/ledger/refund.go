package ledger

import (
	"fmt"
	"slices"
	"time"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

type (
	// AuthoriseRefund decides that entries are refunded (clauses 20 and 25); the answer is a wire.Refund.
	AuthoriseRefund wire.AuthoriseRefund
	// PayRefund pays what somebody else authorised; the answer is a wire.Refund.
	PayRefund wire.PayRefund
	// ReversePurchase reverses a purchase of which nothing was used, by another operator than the one who sold it; the answer
	// is a wire.Reversed.
	ReversePurchase wire.PurchaseDecision
	// PlayCredit marks the casino credit of a package as played (clauses 6 and 8); the answer is a wire.Accepted.
	PlayCredit wire.PurchaseDecision
	// DecideEntries decides about entries that are held or have expired (clause 2); the answer is a wire.Accepted.
	DecideEntries wire.DecideEntries
	// GiveEntries gives out surplus entries (clause 15); the answer is a wire.Bought.
	GiveEntries wire.GiveEntries
)

// refundRecord is a refund that was authorised.
type refundRecord struct {
	Entries []tournament.EntryID `json:"entries"`
	Amount  tournament.Money     `json:"amount"`
	By      string               `json:"by"`
	Paid    time.Time            `json:"paid,omitzero"`
}

// refundAuthorised is the outcome of RefundAuthorised.
type refundAuthorised struct {
	Refund  string               `json:"refund"`
	Entries []tournament.EntryID `json:"entries"`
	Amount  tournament.Money     `json:"amount"`
}

// refundPaid is the outcome of RefundPaid.
type refundPaid struct {
	Refund string `json:"refund"`
}

// purchaseReversed is the outcome of PurchaseReversed.
type purchaseReversed struct {
	Purchase tournament.PurchaseID `json:"purchase"`
	Amount   tournament.Money      `json:"amount"`
}

// creditPlayed is the outcome of CreditPlayed.
type creditPlayed struct {
	Purchase tournament.PurchaseID `json:"purchase"`
}

// entriesDecided is the outcome of EntriesDecided.
type entriesDecided struct {
	Entries []tournament.EntryID  `json:"entries"`
	To      tournament.EntryState `json:"to"`
}

func (*refundAuthorised) what() What { return RefundAuthorised }
func (*refundPaid) what() What       { return RefundPaid }
func (*purchaseReversed) what() What { return PurchaseReversed }
func (*creditPlayed) what() What     { return CreditPlayed }
func (*entriesDecided) what() What   { return EntriesDecided }

func (o *refundAuthorised) apply(s *state, event *Event) error {
	for _, id := range o.Entries {
		if err := s.setEntry(id, nil, tournament.EntryRefunded); err != nil {
			return err
		}
	}
	return s.put(join(prefixRefund, o.Refund), &refundRecord{Entries: o.Entries, Amount: o.Amount, By: event.Who})
}

func (o *refundPaid) apply(s *state, event *Event) error {
	return change(s, join(prefixRefund, o.Refund), func(record *refundRecord) error {
		record.Paid = event.At
		return s.moveCash(event, event.At, cashMove{Kind: cashRefund, Seats: -len(record.Entries), Cents: -record.Amount.Cents})
	})
}

func (o *purchaseReversed) apply(s *state, event *Event) error {
	return change(s, join(prefixPurchase, string(o.Purchase)), func(bought *purchase) error {
		for _, id := range bought.IDs {
			if err := s.setEntry(id, nil, tournament.EntryReversed); err != nil {
				return err
			}
		}
		bought.Reversed = true
		return s.moveCash(event, event.At, cashMove{Kind: cashReversal, Seats: -len(bought.IDs), Cents: -o.Amount.Cents})
	})
}

func (o *creditPlayed) apply(s *state, event *Event) error {
	return change(s, join(prefixPurchase, string(o.Purchase)), func(bought *purchase) error {
		bought.CreditPlayed = event.At
		return nil
	})
}

func (o *entriesDecided) apply(s *state, _ *Event) error {
	for _, id := range o.Entries {
		e, err := need[entry](s.view, join(prefixEntry, string(id)))
		if err != nil {
			return err
		}
		free := func(e *entry) { e.Freed = e.Freed || o.To == tournament.EntryUnused }
		states := []tournament.EntryState{o.To}
		if e.State == o.To { // it had expired, and is reinstated
			states = nil
		}
		if err := s.setEntry(id, free, states...); err != nil {
			return err
		}
	}
	return nil
}

// entriesNamed returns the entries that a decision names, each once.
func (t *turn) entriesNamed(ids []tournament.EntryID) ([]*entry, error) {
	if len(ids) == 0 || len(ids) > mostSeats {
		return nil, fmt.Errorf("%w: a decision is about 1 to %d entries", ErrInvalid, mostSeats)
	}
	var entries []*entry
	for i, id := range ids {
		if slices.Contains(ids[:i], id) {
			return nil, fmt.Errorf("%w: an entry is named twice", ErrInvalid)
		}
		e, err := load[entry](t.view, join(prefixEntry, string(id)))
		if err != nil {
			return nil, err
		}
		if e == nil {
			return nil, tournament.UnknownEntry.Refuse()
		}
		if e.State == tournament.EntryUnused && e.Person != "" {
			if err := t.needLetGo(e.Person); err != nil {
				return nil, err
			}
		}
		entries = append(entries, e)
	}
	return entries, nil
}

func (a AuthoriseRefund) decide(t *turn) (any, error) {
	entries, err := t.entriesNamed(a.Entries)
	if err != nil {
		return nil, err
	}
	came := refundAuthorised{Entries: a.Entries, Amount: tournament.Money{Currency: t.definition.Rules.SeatPrice.Currency}}
	for _, e := range entries {
		if e.State != tournament.EntryUnused && e.State != tournament.EntryHeld {
			return nil, tournament.EntryUsed.Refuse()
		}
		bought, err := need[purchase](t.view, join(prefixPurchase, string(e.Purchase)))
		if err != nil {
			return nil, err
		}
		came.Amount.Cents += t.seatValue(bought)
	}
	if came.Refund, err = newID[string](t.request.Random); err != nil {
		return nil, err
	}
	if err := t.record(a.Why, &came); err != nil {
		return nil, err
	}
	return wire.Refund{ID: came.Refund, Entries: came.Entries, Amount: came.Amount}, nil
}

func (a PayRefund) decide(t *turn) (any, error) {
	record, err := load[refundRecord](t.view, join(prefixRefund, a.Refund))
	switch {
	case err != nil:
		return nil, err
	case record == nil:
		return nil, tournament.UnknownRefund.Refuse()
	case !record.Paid.IsZero():
		return nil, tournament.RefundPaid.Refuse().At(record.Paid)
	case record.By == t.request.Who:
		return nil, tournament.SecondNeeded.Refuse()
	}
	if err := t.record("", &refundPaid{Refund: a.Refund}); err != nil {
		return nil, err
	}
	return wire.Refund{ID: a.Refund, Entries: record.Entries, Amount: record.Amount, Paid: true}, nil
}

// purchaseNamed returns a purchase by its id or its receipt.
func (t *turn) purchaseNamed(id tournament.PurchaseID, receipt string) (tournament.PurchaseID, *purchase, error) {
	if id == "" {
		hash, err := t.receiptHash(receipt)
		if err != nil {
			return "", nil, err
		}
		if id, err = name[tournament.PurchaseID](t.view, hashKey(prefixReceipt, hash)); err != nil {
			return "", nil, err
		}
		if id == "" {
			return "", nil, tournament.UnknownReceipt.Refuse()
		}
	}
	bought, err := load[purchase](t.view, join(prefixPurchase, string(id)))
	if err == nil && bought == nil {
		err = tournament.UnknownPurchase.Refuse()
	}
	return id, bought, err
}

func (a ReversePurchase) decide(t *turn) (any, error) {
	id, bought, err := t.purchaseNamed(a.Purchase, a.Receipt)
	switch {
	case err != nil:
		return nil, err
	case a.Why == "":
		return nil, fmt.Errorf("%w: a reversal without a reason", ErrInvalid)
	case bought.By == t.request.Who:
		return nil, tournament.SecondNeeded.Refuse()
	case !bought.CreditPlayed.IsZero():
		return nil, tournament.EntryUsed.Refuse()
	}
	entries, err := t.entriesNamed(bought.IDs)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e.State != tournament.EntryUnused {
			return nil, tournament.EntryUsed.Refuse()
		}
	}
	if err := t.record(a.Why, &purchaseReversed{Purchase: id, Amount: bought.Amount}); err != nil {
		return nil, err
	}
	return wire.Reversed{Purchase: id, Amount: bought.Amount}, nil
}

func (a PlayCredit) decide(t *turn) (any, error) {
	id, bought, err := t.purchaseNamed(a.Purchase, a.Receipt)
	switch {
	case err != nil:
		return nil, err
	case bought.Credit.Cents == 0 || bought.Reversed:
		return nil, fmt.Errorf("%w: the purchase has no casino credit", ErrInvalid)
	case !bought.CreditPlayed.IsZero():
		return nil, tournament.EntryUsed.Refuse().At(bought.CreditPlayed)
	case !t.at.Before(bought.Ends):
		return nil, tournament.WindowOver.Refuse().At(bought.Ends)
	}
	return t.accept(a.Why, &creditPlayed{Purchase: id})
}

func (a DecideEntries) decide(t *turn) (any, error) {
	if a.To != tournament.EntryUnused && a.To != tournament.EntryForfeited {
		return nil, fmt.Errorf("%w: entries that wait are played or forfeited; a refund is authorised", ErrInvalid)
	}
	entries, err := t.entriesNamed(a.Entries)
	if err != nil {
		return nil, err
	}
	for i, e := range entries {
		expired := e.State == tournament.EntryUnused && e.rules(a.Entries[i]).Expired(t.at)
		if e.State != tournament.EntryHeld && !(expired && a.To == tournament.EntryUnused) {
			return nil, tournament.EntryNotHeld.Refuse()
		}
	}
	return t.accept(a.Why, &entriesDecided{Entries: a.Entries, To: a.To})
}

func (a GiveEntries) decide(t *turn) (any, error) {
	if a.Why == "" || a.Seats < 1 || a.Seats > mostSeats {
		return nil, fmt.Errorf("%w: surplus entries have a reason and are 1 to %d", ErrInvalid, mostSeats)
	}
	record, err := load[person](t.view, join(prefixPerson, string(a.Person)))
	if err != nil {
		return nil, err
	}
	if record == nil {
		return nil, tournament.UnknownPerson.Refuse()
	}
	if refusal, err := t.barred(a.Person, record); refusal != nil || err != nil {
		return nil, asError(refusal, err)
	}
	window := t.definition.Rules.WindowOf(t.at, t.definition.Zone)
	given := purchased{
		Person: a.Person, Kind: tournament.Complimentary, Amount: tournament.Money{Currency: t.definition.Rules.SeatPrice.Currency},
		Bought: window.From, Ends: window.Ends,
	}
	if err := t.drawPurchase(&given, a.Seats); err != nil {
		return nil, err
	}
	if err := t.record(a.Why, &given); err != nil {
		return nil, err
	}
	bought, err := need[purchase](t.view, join(prefixPurchase, string(given.Purchase)))
	if err != nil {
		return nil, err
	}
	return t.bought(given.Purchase, bought)
}
