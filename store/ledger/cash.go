package ledger

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"reelkiosk/store/kv"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// The kinds of movements of money besides those of purchases.
const (
	cashReversal = "reversal"
	cashRefund   = "refund"
	cashPrize    = "prize"
)

// cashMove is one movement of money at the Cash Desk: what was taken, or negative what was paid out.
type cashMove struct {
	Kind    string `json:"kind"`
	Cashier string `json:"cashier"`
	Seats   int    `json:"seats,omitempty"`
	Cents   int64  `json:"cents"`
}

// moveCash notes a movement of money on its gaming day.
func (s *state) moveCash(event *Event, at time.Time, move cashMove) error {
	move.Cashier = event.Who
	day := tournament.GamingDay(at, s.definition.Rules.GamingDayStarts, s.definition.Zone)
	return s.put(fmt.Appendf(nil, "%s%s/%020d", prefixCash, day, event.Sequence), &move)
}

// Reconcile returns a gaming day's money by kind and cashier, and what the house owes as the books stand at that time.
func (b *Books) Reconcile(view kv.Reader, day tournament.Date, now time.Time) (wire.Day, error) {
	answer := wire.Day{Day: day, Lines: []wire.DayLine{}}
	currency := b.definition.Rules.SeatPrice.Currency
	low := []byte(prefixCash + day.String() + "/")
	keys, failed := view.Range(low, after(low))
	for _, value := range keys {
		var move cashMove
		if err := json.Unmarshal(value, &move); err != nil {
			return answer, fmt.Errorf("%w: a movement of money: %w", ErrBooks, err)
		}
		at := slices.IndexFunc(answer.Lines, func(line wire.DayLine) bool { return line.Kind == move.Kind && line.Cashier == move.Cashier })
		if at < 0 {
			at = len(answer.Lines)
			answer.Lines = append(answer.Lines, wire.DayLine{Kind: move.Kind, Cashier: move.Cashier, Amount: tournament.Money{Currency: currency}})
		}
		line := &answer.Lines[at]
		line.Count++
		line.Seats += move.Seats
		line.Amount.Cents += move.Cents
	}
	if err := failed(); err != nil {
		return answer, fmt.Errorf("reading a day's money: %w", err)
	}
	slices.SortFunc(answer.Lines, func(left, right wire.DayLine) int {
		return cmp.Or(cmp.Compare(left.Kind, right.Kind), cmp.Compare(left.Cashier, right.Cashier))
	})
	for _, owed := range []*wire.Owed{&answer.Unused, &answer.Held, &answer.Expired, &answer.Due} {
		owed.Amount.Currency = currency
	}
	if err := b.owed(view, now, &answer); err != nil {
		return answer, err
	}
	return answer, each(view, prefixRefund, func(_ string, record *refundRecord) {
		if record.Paid.IsZero() {
			answer.Due.Entries += len(record.Entries)
			answer.Due.Amount.Cents += record.Amount.Cents
		}
	})
}

// owed adds up what entries are worth that were not played.
func (b *Books) owed(view kv.Reader, now time.Time, day *wire.Day) error {
	low := []byte(prefixEntry)
	keys, failed := view.Range(low, after(low))
	values := map[tournament.PurchaseID]int64{}
	for key, value := range keys {
		var e entry
		if err := read(key, value, &e); err != nil {
			return err
		}
		owed := &day.Unused
		switch {
		case e.State == tournament.EntryHeld:
			owed = &day.Held
		case e.State != tournament.EntryUnused:
			continue
		case e.rules("").Expired(now):
			owed = &day.Expired
		}
		worth, known := values[e.Purchase]
		if !known {
			bought, err := need[purchase](view, join(prefixPurchase, string(e.Purchase)))
			if err != nil {
				return err
			}
			worth = b.seatValue(bought)
			values[e.Purchase] = worth
		}
		owed.Entries++
		owed.Amount.Cents += worth
	}
	if err := failed(); err != nil {
		return fmt.Errorf("reading entries: %w", err)
	}
	return nil
}

// seatValue is what one unused seat of a purchase is refunded at, in cents (clauses 5 and 6): nothing for a complimentary one.
func (b *Books) seatValue(bought *purchase) int64 {
	for _, pack := range b.definition.Rules.Packages {
		if bought.Kind == tournament.PackageBuyIn && pack.Name == bought.Package {
			return pack.SeatValue.Cents
		}
	}
	return bought.Amount.Cents / int64(max(1, len(bought.IDs)))
}

// CashRecord is a movement of money as it is exported.
type CashRecord struct {
	// ID is the gaming day and the sequence of the event.
	ID      string `json:"id"`
	Day     string `json:"day"`
	Kind    string `json:"kind"`
	Cashier string `json:"cashier"`
	Seats   int    `json:"seats"`
	Cents   int64  `json:"cents"`
}

// CashMoves returns at most limit movements of money after an id, in the order of their gaming days.
func (b *Books) CashMoves(view kv.Reader, newer string, limit int) ([]CashRecord, error) {
	moves := []CashRecord{}
	keys, failed := view.Range(append(join(prefixCash, newer), 0), after([]byte(prefixCash)))
	for key, value := range keys {
		if len(moves) == limit {
			break
		}
		var move cashMove
		if err := json.Unmarshal(value, &move); err != nil {
			return nil, fmt.Errorf("%w: a movement of money: %w", ErrBooks, err)
		}
		id := string(key[len(prefixCash):])
		day, _, _ := strings.Cut(id, "/")
		moves = append(moves, CashRecord{id, day, move.Kind, move.Cashier, move.Seats, move.Cents})
	}
	if err := failed(); err != nil {
		return nil, fmt.Errorf("reading movements of money: %w", err)
	}
	return moves, nil
}
