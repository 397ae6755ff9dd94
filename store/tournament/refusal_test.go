package tournament

import (
	"errors"
	"fmt"
	"testing"
	"time"
)

// The table is that of rules.md: which clause a refusal rests on, and whether a player is told no more than to see a host.
func TestRefusalsNameTheirClause(t *testing.T) {
	cases := []struct {
		reason Reason
		clause int
		host   bool
	}{
		{Excluded, 2, true}, {Connected, 3, true}, {UnderAge, 1, true}, {AgeUnknown, 1, true}, {PossibleMatch, 2, true},
		{Mismatch, 4, true}, {Unverified, 4, true}, {Disqualified, 2, true},
		{DocumentExpired, 4, false}, {DocumentNeeded, 4, false}, {UnknownCard, 4, false}, {UnknownPerson, 0, false},
		{NoEntries, 5, false}, {WindowOver, 5, false}, {HeatFull, 11, false}, {NoFreeSeat, 5, false}, {NotOpen, 11, false},
		{Closed, 11, false}, {UnknownHeat, 0, false}, {HeatGone, 10, false}, {AlreadySeated, 16, false},
		{BoughtTooLate, 9, false}, {NotAccepted, 25, false}, {NotDeclared, 3, false}, {UnknownReceipt, 5, false},
		{ReceiptOwned, 5, false}, {UnknownPackage, 6, false}, {CashOnly, 6, false}, {MembersOnly, 6, false},
		{UnknownTicket, 0, false}, {ReprintUsed, 0, false}, {NotReprintable, 0, false}, {KeyReused, 0, false},
		{KeySettled, 0, false}, {ClockSuspect, 0, false},
		{CodeUnknown, 0, false}, {CodeExpired, 0, false}, {CodeUsed, 0, false}, {CodeSpent, 0, false}, {NotEnrolled, 0, false},
		{KioskRevoked, 0, false}, {KioskRetired, 0, false}, {KioskCloned, 0, false}, {ApprovalNeeded, 0, false},
		{CertificateExpired, 0, false}, {NotAllowed, 0, false},
		{HeatHeld, 10, false}, {HeatsOverlap, 11, false}, {WrongHeat, 12, false}, {VoidCopy, 12, false},
		{CheckedInTwice, 12, false}, {NotHolder, 12, false}, {HolderUnseen, 12, false}, {NotCheckedIn, 12, false},
		{HeatStarted, 22, false}, {StartsLater, 22, false}, {SeatsUnmarked, 22, false}, {SeatForfeit, 22, false}, {EntryUsed, 5, false},
		{StageOpen, 14, false}, {ListDeclared, 14, false}, {ListNotDeclared, 14, false}, {UnknownPlace, 14, false},
		{TiesOpen, 19, false}, {WrongCards, 19, false}, {NoExtraSeat, 16, false}, {ProxyPlays, 16, false},
		{ProxyServes, 16, false}, {PrizeBelow, 15, false},
	}
	for _, c := range cases {
		refusal := c.reason.Refuse()
		if refusal.Reason != c.reason || refusal.Clause != c.clause || c.reason.SeesHost() != c.host {
			t.Errorf("%s: got clause %d, host %v; want clause %d, host %v", c.reason, refusal.Clause, c.reason.SeesHost(), c.clause, c.host)
		}
	}
	for reason := range clauses {
		found := false
		for _, c := range cases {
			found = found || c.reason == reason
		}
		if !found {
			t.Errorf("%s has a clause and no case here", reason)
		}
	}
}

func TestRefusalIsAnErrorThatCanBeToldApart(t *testing.T) {
	until := time.Date(2026, 11, 30, 14, 0, 0, 0, time.UTC)
	err := fmt.Errorf("registering: %w", WindowOver.Refuse().At(until))
	refusal, is := errors.AsType[*Refusal](err)
	if !is || refusal.Reason != WindowOver || !refusal.Until.Equal(until) {
		t.Errorf("got %v", err)
	}
	if got := err.Error(); got != "registering: refused: window-over (clause 5)" {
		t.Errorf("got %q", got)
	}
	if got := KeySettled.Refuse().Error(); got != "refused: key-settled" {
		t.Errorf("got %q", got)
	}
}
