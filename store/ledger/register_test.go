package ledger

import (
	"testing"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

func TestPlayerGetsTheLowestFreeMachine(t *testing.T) {
	f := newFloor(t)
	bought := f.buys(thandi, 2)
	seat := done[wire.Seat](f, registration(bought.Person, at13))
	if seat.Machine != 1 || seat.Heat != at13 || seat.Number != 4 || seat.State != tournament.SeatIssued {
		t.Errorf("got %+v, want machine 1 of heat 4", seat)
	}
	if seat.Copy != 1 || seat.CopyState != tournament.CopyIntended || seat.EntryIndex != 1 || seat.EntryCount != 2 {
		t.Errorf("got %+v, want copy 1, intended, for entry 1 of 2", seat)
	}
	if _, err := tournament.ParseTicketNumber(seat.Ticket); err != nil {
		t.Errorf("the ticket's number: %v", err)
	}
	other := f.buys(sipho, 1)
	if second := done[wire.Seat](f, registration(other.Person, at13)); second.Machine != 2 {
		t.Errorf("the second player got machine %d, want 2 (clause 11)", second.Machine)
	}
}
