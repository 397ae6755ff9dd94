package ledger

import (
	"reelkiosk/store/kv"
	"reelkiosk/store/tournament"
)

// Spends returns whose entry an act spends or for whom it occupies a heat, or "" where it does neither: such an act waits for
// the person's home (needLetGo).
func (b *Books) Spends(view kv.Reader, act Act) (tournament.PersonID, error) {
	s := state{b, kv.NewOverlay(view)}
	ofEntries := func(ids []tournament.EntryID) (tournament.PersonID, error) {
		if len(ids) == 0 {
			return "", nil
		}
		e, err := load[entry](view, join(prefixEntry, string(ids[0])))
		if err != nil || e == nil {
			return "", err
		}
		return e.Person, nil
	}
	ofSeat := func(id tournament.SeatID) (tournament.PersonID, error) {
		held, err := load[seat](view, join(prefixSeat, string(id)))
		if err != nil || held == nil {
			return "", err
		}
		return held.Person, nil
	}
	switch act := act.(type) {
	case Staffed:
		return b.Spends(view, act.Act)
	case Register:
		return act.Person, nil
	case CancelSeat:
		return ofSeat(act.Seat)
	case ReplaceSeat:
		return ofSeat(act.Seat)
	case DecideSeat:
		return ofSeat(act.Seat)
	case AuthoriseRefund:
		return ofEntries(act.Entries)
	case DecideEntries:
		return ofEntries(act.Entries)
	case ReversePurchase:
		t := turn{state: s}
		_, bought, err := t.purchaseNamed(act.Purchase, act.Receipt)
		if err != nil { // the act itself says why
			return "", nil //nolint:nilerr // see above
		}
		return bought.Owner, nil
	}
	return "", nil
}
