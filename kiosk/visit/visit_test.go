package visit

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

func TestFourTouchesFromCardToTicket(t *testing.T) {
	k := start(t).step(CardRead{"6001"}).on(ScreenOneMoment).identified(thandi(1)).on(ScreenGreeting)
	if k.state.Player.FirstName != "Thandi" || len(k.state.Entries) != 1 {
		t.Errorf("greets %+v with %v", k.state.Player, k.state.Entries)
	}
	k.tap(ButtonContinue).on(ScreenRules).tap(ButtonAccept).on(ScreenDeclaration).tap(ButtonYes).on(ScreenOffer)
	k.tap(ButtonTake).on(ScreenOneMoment).ready().issued(testSeat(14, 23, 1)).on(ScreenPrinting).tickets(TicketPrinting)
	k.printed().on(ScreenDone).tickets(TicketPrinted)
	if register := done[Register](k); len(register) != 1 || register[0].Heat != "h14" || register[0].Rules != rulesHash ||
		register[0].By != "card" || register[0].Person != "p1" {
		t.Errorf("registered %+v", register)
	}
	ticket := k.state.Tickets[0]
	if ticket.Machine != 23 || ticket.Heat.Lowest != 1 || ticket.Copy != 1 || k.state.Left != 10 {
		t.Errorf("shows %+v for %d s", ticket, k.state.Left)
	}
	if print := done[Print](k); len(print) != 1 || print[0].Kind != tournament.CashBuyIn || print[0].Language != "en" {
		t.Errorf("printed %+v", print)
	}
	k.ticks(9).on(ScreenDone).ticks(1).on(ScreenAttract)
	if len(done[Notify](k)) != 0 {
		t.Error("a finished visit was recorded as abandoned")
	}
}

func TestSeatIsTakenOnlyAfterThePrinterSaidThatItCanPrint(t *testing.T) {
	k := start(t).offer(1).tap(ButtonTake)
	if len(done[Register](k)) != 0 {
		t.Fatal("registered before the printer was asked")
	}
	k.step(PrinterSaid{Call: k.call(), Printer: PrinterOut}).trouble(TroublePrinter)
	if len(done[Register](k)) != 0 {
		t.Fatal("registered without a printer")
	}
	k.tap(ButtonAgain).step(PrinterSaid{Call: k.call(), Printer: PrinterLow})
	if len(done[Register](k)) != 1 {
		t.Fatal("did not register when the paper was back")
	}
}

func TestEachSeatIsTakenJustBeforeItsOwnPrint(t *testing.T) {
	k := start(t).offer(3)
	if k.state.Together != 3 {
		t.Fatalf("offers %d seats together", k.state.Together)
	}
	k.tap(ButtonTogether).tickets(TicketWaiting, TicketWaiting, TicketWaiting)
	for i, number := range []int{14, 15, 16} {
		k.ready()
		if registered := len(done[Register](k)); registered != i+1 {
			t.Fatalf("%d seats taken before print %d", registered, i+1)
		}
		seat := testSeat(number, 10+i, 1)
		seat.Entry = tournament.EntryID(fmt.Sprintf("e%d", i+1))
		k.issued(seat).on(ScreenPrinting).printed()
	}
	k.on(ScreenDone).tickets(TicketPrinted, TicketPrinted, TicketPrinted)
	if len(k.state.Entries) != 0 {
		t.Errorf("entries left: %v", k.state.Entries)
	}
}

func TestUnconfirmedPrintStopsTheRest(t *testing.T) {
	k := start(t).offer(3).tap(ButtonTogether).ready().issued(testSeat(14, 23, 1)).printed()
	k.ready().issued(testSeat(15, 23, 1)).unconfirmed().on(ScreenUnconfirmed)
	k.tickets(TicketPrinted, TicketUnconfirmed, TicketNotTaken)
	if !k.state.ReprintLeft {
		t.Error("the player has no reprint")
	}
	if len(done[Register](k)) != 2 {
		t.Error("a third seat was taken")
	}
	k.tap(ButtonAgain).ready()
	if reprint := done[Reprint](k); len(reprint) != 1 || reprint[0].Seat != "s15" {
		t.Fatalf("reprints %+v", reprint)
	}
	k.issued(testSeat(15, 23, 2)).on(ScreenPrinting).unconfirmed().on(ScreenUnconfirmed)
	if k.state.ReprintLeft {
		t.Error("the player has a second reprint")
	}
	if k.tap(ButtonAgain); len(done[Reprint](k)) != 1 {
		t.Error("a second reprint was asked for")
	}
	k.tap(ButtonDone).on(ScreenAttract)
}

func TestReprintThatComesOutEndsWell(t *testing.T) {
	k := start(t).offer(3).tap(ButtonTogether).ready().issued(testSeat(14, 23, 1)).unconfirmed()
	k.tap(ButtonAgain).ready().issued(testSeat(14, 23, 2)).printed().on(ScreenDone)
	k.tickets(TicketPrinted, TicketNotTaken, TicketNotTaken)
	if len(done[Register](k)) != 1 {
		t.Error("the rest was taken after all")
	}
}

func TestReprintThatIsRefusedStaysUnconfirmed(t *testing.T) {
	k := start(t).offer(1).tap(ButtonTake).ready().issued(testSeat(14, 23, 1)).unconfirmed()
	k.tap(ButtonAgain).ready().refused(tournament.ReprintUsed).on(ScreenUnconfirmed)
	if k.state.ReprintLeft {
		t.Error("another reprint is offered")
	}
}

func TestPrintItAgainFailsSilently(t *testing.T) {
	k := start(t).offer(1).tap(ButtonTake).ready().issued(testSeat(14, 23, 1)).unconfirmed()
	k.tap(ButtonAgain).step(PrinterSaid{Call: k.call(), Printer: PrinterOpen}).trouble(TroublePrinter)
	if len(done[Reprint](k)) != 0 || !k.state.ReprintLeft || k.state.Paper != PrinterOpen {
		t.Errorf("reprints %v, left %v, printer %s", done[Reprint](k), k.state.ReprintLeft, k.state.Paper)
	}
	k.tap(ButtonAgain).ready().issued(testSeat(14, 23, 2)).printed().on(ScreenDone)
	k = start(t).offer(1).tap(ButtonTake).ready().issued(testSeat(14, 23, 1)).unconfirmed()
	k.tap(ButtonAgain).step(PrinterSaid{Call: k.call(), Printer: PrinterOpen}).step(PrintConfirmed{"T14-1"}).on(ScreenDone)
}

func TestLateConfirmationTurnsUnconfirmedIntoPrinted(t *testing.T) {
	k := start(t).offer(1).tap(ButtonTake).ready().issued(testSeat(14, 23, 1)).unconfirmed()
	k.step(PrintConfirmed{"another"}).on(ScreenUnconfirmed)
	k.step(PrintConfirmed{"T14-1"}).on(ScreenDone).tickets(TicketPrinted)
	if len(done[Print](k)) != 1 {
		t.Error("something was sent again")
	}
}

func TestTicketWaitsForPaperThatRanOutAfterTheSeatWasTaken(t *testing.T) {
	k := start(t).offer(1).tap(ButtonTake).ready().issued(testSeat(14, 23, 1))
	k.step(PrintEnded{Call: k.call(), Outcome: NotStarted, Printer: PrinterOut}).on(ScreenPrinting)
	k.ticks(3).on(ScreenPrinting)
	if len(done[Print](k)) != 1 {
		t.Fatal("sent again without paper")
	}
	k.step(DevicesSeen{Ready: k.state.Ready}).ticks(1)
	if len(done[Print](k)) != 2 {
		t.Fatal("not sent when the paper was back")
	}
	k.printed().on(ScreenDone)
}

func TestTicketThatNeverGotPaperIsGivenUp(t *testing.T) {
	k := start(t).offer(1).tap(ButtonTake).ready().issued(testSeat(14, 23, 1))
	k.step(PrintEnded{Call: k.call(), Outcome: NotStarted, Printer: PrinterOut}).ticks(60).on(ScreenUnconfirmed)
	if given := done[GiveUp](k); len(given) != 1 || given[0].Ticket != "T14-1" {
		t.Errorf("gave up %+v", given)
	}
}

func TestCancelNeverLosesASeat(t *testing.T) {
	booking := func(t *testing.T) *kiosk { return start(t).offer(2).tap(ButtonTogether).ready() }
	t.Run("while the seat is being taken: its ticket is printed, no further one", func(t *testing.T) {
		k := booking(t).tap(ButtonCancel).on(ScreenOneMoment).issued(testSeat(14, 23, 1)).on(ScreenPrinting).printed()
		k.on(ScreenDone).tickets(TicketPrinted, TicketNotTaken)
	})
	t.Run("while the seat is being taken, and it is refused: over", func(t *testing.T) {
		booking(t).tap(ButtonCancel).refused(tournament.HeatFull).on(ScreenAttract)
	})
	t.Run("while it prints", func(t *testing.T) {
		k := booking(t).issued(testSeat(14, 23, 1)).tap(ButtonCancel).on(ScreenPrinting).printed().on(ScreenDone)
		k.tickets(TicketPrinted, TicketNotTaken)
	})
	t.Run("while it waits for paper: the copy is given up and she is told", func(t *testing.T) {
		k := booking(t).issued(testSeat(14, 23, 1)).step(PrintEnded{Call: Call{}, Outcome: NotStarted})
		k.step(PrintEnded{Call: k.call(), Outcome: NotStarted, Printer: PrinterOut}).tap(ButtonCancel).on(ScreenUnconfirmed)
		if len(done[GiveUp](k)) != 1 {
			t.Error("the copy was not given up")
		}
	})
	t.Run("between two tickets", func(t *testing.T) {
		k := booking(t).issued(testSeat(14, 23, 1)).printed().tap(ButtonCancel).on(ScreenDone)
		k.tickets(TicketPrinted, TicketNotTaken)
	})
	t.Run("before anything is taken", func(t *testing.T) {
		start(t).offer(1).tap(ButtonTake, ButtonCancel).on(ScreenAttract)
	})
	t.Run("while the reprint is being made", func(t *testing.T) {
		k := start(t).offer(1).tap(ButtonTake).ready().issued(testSeat(14, 23, 1)).unconfirmed().tap(ButtonAgain).ready()
		k.tap(ButtonCancel).issued(testSeat(14, 23, 2)).on(ScreenPrinting).printed().on(ScreenDone)
	})
}

func TestNobodyWhoMayNotTakePartIsGreeted(t *testing.T) {
	for _, reason := range []tournament.Reason{
		tournament.Excluded, tournament.Connected, tournament.UnderAge, tournament.AgeUnknown, tournament.PossibleMatch,
		tournament.Mismatch, tournament.Unverified, tournament.Disqualified,
	} {
		t.Run(string(reason), func(t *testing.T) {
			k := start(t).step(CardRead{"6001"}).refused(reason).on(ScreenSeeHost)
			want := start(t).step(CardRead{"6001"}).refused(tournament.Excluded).state
			if !reflect.DeepEqual(k.state, want) {
				t.Errorf("the screen tells %s apart", reason)
			}
			k = start(t).offer(2).tap(ButtonTogether).ready().issued(testSeat(14, 23, 1)).printed().ready()
			k.refused(reason).on(ScreenSeeHost)
		})
	}
}

func TestDeclarationThatIsNotYesLeadsToAHostAndIsRecorded(t *testing.T) {
	for _, answer := range []Button{ButtonNo, ButtonNotSure} {
		k := start(t).step(CardRead{"6001"}).identified(thandi(1)).tap(ButtonContinue, ButtonAccept, answer).on(ScreenSeeHost)
		notice := done[Notify](k)
		if len(notice) != 1 || notice[0].Kind != wire.DeclaredConnected || notice[0].Person != "p1" {
			t.Errorf("%s: told %+v", answer, notice)
		}
	}
}

func TestEverythingResetsBetweenVisits(t *testing.T) {
	k := start(t).step(Tapped{Button: ButtonLanguage, Language: "af"}).tap(ButtonLarger, ButtonContrast, ButtonHelp, ButtonClose)
	k.offer(1)
	if k.state.Look != (Look{Language: "af", Larger: true, Contrast: true}) || !k.state.HelpCalled {
		t.Fatalf("lost on the way: %+v", k.state.Look)
	}
	k.tap(ButtonCancel).on(ScreenAttract)
	fresh := start(t).state
	if fresh.memory = k.state.memory; !reflect.DeepEqual(k.state, fresh) {
		t.Errorf("something is left on %v", k.state)
	}
}

func TestLanguageTouchedOnTheAttractScreenGoesBackByItself(t *testing.T) {
	k := start(t).step(Tapped{Button: ButtonLanguage, Language: "zu"}).tap(ButtonLarger, ButtonWhere).ticks(29)
	if k.state.Look.Language != "zu" || k.state.Over != OverWhere {
		t.Fatal("went back too early")
	}
	if k.ticks(1); k.state.Look != (Look{Language: "en"}) || k.state.Over != OverNothing {
		t.Errorf("still %+v under %q", k.state.Look, k.state.Over)
	}
	k.step(Tapped{Button: ButtonLanguage, Language: "xx"})
	if k.state.Look.Language != "en" {
		t.Error("a language that is not on offer was taken")
	}
}

func TestNobodyThere(t *testing.T) {
	k := start(t).step(CardRead{"6001"}).identified(thandi(1)).ticks(29)
	if k.state.Over != OverNothing {
		t.Fatal("asked too early")
	}
	if k.ticks(1); k.state.Over != OverStillThere || k.state.Left != 10 {
		t.Fatalf("over %q for %d s", k.state.Over, k.state.Left)
	}
	k.ticks(8)
	if k.tap(ButtonStillHere).on(ScreenGreeting); k.state.Over != OverNothing || k.state.Left != 0 {
		t.Fatalf("still asks: %q, %d", k.state.Over, k.state.Left)
	}
	k.ticks(40).on(ScreenAttract)
	notice := done[Notify](k)
	if len(notice) != 1 || notice[0].Kind != wire.VisitAbandoned || notice[0].Screen != ScreenGreeting || notice[0].Visit != 1 {
		t.Errorf("recorded %+v", notice)
	}
}

func TestReadingTheRulesTakesItsTime(t *testing.T) {
	k := start(t).step(CardRead{"6001"}).identified(thandi(1)).tap(ButtonContinue, ButtonReadRules).ticks(119)
	if k.state.Over != OverRulesText {
		t.Errorf("over is %q while she reads", k.state.Over)
	}
	if k.ticks(1); k.state.Over != OverStillThere {
		t.Errorf("over is %q", k.state.Over)
	}
}

func TestTicketsStandWhenNobodyAnswersAfterwards(t *testing.T) {
	k := start(t).offer(2).tap(ButtonTake).ready().issued(testSeat(14, 23, 1)).printed().on(ScreenDone)
	k.tap(ButtonOthers).on(ScreenOffer).ticks(40).on(ScreenAttract)
	if len(done[GiveUp](k)) != 0 || len(done[Notify](k)) != 1 {
		t.Errorf("did %+v", k.did)
	}
}

func TestAcceptanceHoldsForTheWholeVisit(t *testing.T) {
	k := start(t).offer(2).tap(ButtonTake).ready().issued(testSeat(14, 23, 1)).printed()
	k.tap(ButtonOthers).on(ScreenOffer).tap(ButtonTake).ready().issued(testSeat(15, 9, 1)).printed().on(ScreenDone)
	k.tickets(TicketPrinted, TicketPrinted)
}

func TestRulesThatChangedMeanwhileAreAcceptedAnew(t *testing.T) {
	k := start(t).offer(1)
	floor := testFloor()
	floor.RulesHash = "new"
	k.step(FloorSeen{Floor: floor}).on(ScreenOffer).tap(ButtonTake).on(ScreenRules).tap(ButtonAccept).on(ScreenOffer).tap(ButtonTake)
	k.ready()
	if register := done[Register](k); len(register) != 1 || register[0].Rules != "new" {
		t.Errorf("registered %+v", register)
	}
	k.refused(tournament.NotAccepted).on(ScreenRules)
}

func TestReplyToAnEndedVisitShowsNobodyAnything(t *testing.T) {
	k := start(t).step(CardRead{"6001"})
	late := k.call()
	k.tap(ButtonCancel).on(ScreenAttract).step(Identified{Call: late, Person: thandi(3)}).on(ScreenAttract)
	k.step(CardRead{"7777"}).step(Identified{Call: late, Person: thandi(3)}).on(ScreenOneMoment)
	if k.state.Player != (Player{}) {
		t.Errorf("shows %+v to somebody else", k.state.Player)
	}
}

func TestTouchMeantForAnotherScreenIsDropped(t *testing.T) {
	k := start(t).step(CardRead{"6001"}).identified(thandi(1))
	seen := Seen{Visit: 1, Screen: ScreenGreeting}
	k.step(Tapped{Button: ButtonContinue, Seen: seen}).on(ScreenRules)
	k.step(Tapped{Button: ButtonAccept, Seen: seen}).on(ScreenRules)
	k.step(Tapped{Button: ButtonAccept, Seen: Seen{Visit: 7, Screen: ScreenRules}}).on(ScreenRules)
	k.step(Tapped{Button: ButtonAccept, Seen: Seen{Visit: 1, Screen: ScreenRules, Over: OverHelp}}).on(ScreenRules)
	k.step(Tapped{Button: ButtonLarger, Seen: seen}) // the foot is the same on every screen
	if !k.state.Look.Larger {
		t.Error("a touch on the foot was dropped")
	}
	k.step(Tapped{Button: ButtonCancel, Seen: Seen{Visit: 7, Screen: ScreenRules}}).on(ScreenRules) // that of another visit
	k.ticks(30)                                                                                     // 'still there?' comes up under her finger
	k.step(Tapped{Button: ButtonAccept, Seen: Seen{Visit: 1, Screen: ScreenRules}}).on(ScreenDeclaration)
}

func TestDoubleTouchTakesOneSeat(t *testing.T) {
	k := start(t).offer(2).tap(ButtonTake, ButtonTake).ready().tap(ButtonTake).issued(testSeat(14, 23, 1)).tap(ButtonTake).printed()
	if len(done[Register](k)) != 1 {
		t.Errorf("registered %+v", done[Register](k))
	}
}

func TestHostIsCalledOnceInAVisit(t *testing.T) {
	k := start(t).offer(1).tap(ButtonHelp)
	if k.state.Over != OverHelp || !k.state.HelpCalled {
		t.Fatalf("over is %q", k.state.Over)
	}
	k.tap(ButtonTake).on(ScreenOffer).tap(ButtonClose, ButtonHelp, ButtonClose)
	notice := done[Notify](k)
	if len(notice) != 1 || notice[0].Kind != wire.HelpCalled || notice[0].Screen != ScreenOffer || notice[0].Person != "p1" {
		t.Errorf("told %+v", notice)
	}
}

func TestHelpFromTheAttractScreenIsCalledWithoutEnd(t *testing.T) {
	k := start(t)
	for range 59 {
		k.tap(ButtonHelp, ButtonCancel, ButtonHelp, ButtonCancel).ticks(1)
	}
	if calls := len(done[Notify](k)); calls != 1 {
		t.Errorf("%d calls in a minute", calls)
	}
	if k.ticks(1).tap(ButtonHelp); len(done[Notify](k)) != 2 {
		t.Error("nobody may call any more")
	}
	k.step(CardRead{"6001"}).identified(thandi(0)).tap(ButtonHelp)
	if k.state.Over != OverHelp {
		t.Error("the screen does not say that a host is called")
	}
}

func TestHelpIsPromisedThatNobodyCanCall(t *testing.T) {
	k := start(t).step(DevicesSeen{Ready: Readers{Card: true}, Calls: CallsNever}).tap(ButtonHelp)
	if len(done[Notify](k)) != 0 || k.state.Over != OverHelp || k.state.Calls != CallsNever || k.state.HelpCalled {
		t.Errorf("%v, calls %q, told %v", k.state, k.state.Calls, k.did)
	}
	if k.step(DevicesSeen{Ready: Readers{Card: true}, Calls: CallsLater}).tap(ButtonHelp); len(done[Notify](k)) != 1 {
		t.Error("a call that can be kept is not made")
	}
	if k.tap(ButtonCancel); k.state.Calls != CallsLater {
		t.Error("the end of a visit forgets that the line is down")
	}
}

// TestPrintTheRulesFailsSilently: why is said, they may be printed again, and only what was printed counts as printed.
func TestPrintTheRulesFailsSilently(t *testing.T) {
	k := start(t).offer(1).tap(ButtonReadRules, ButtonPrintRules, ButtonPrintRules)
	print := done[PrintRules](k)
	if len(print) != 1 {
		t.Fatalf("printed %d times", len(print))
	}
	k.step(PrinterSaid{Call: print[0].Call, Printer: PrinterOut})
	if k.state.Paper != PrinterOut || k.state.Over != OverUnprinted {
		t.Errorf("paper %q under %q", k.state.Paper, k.state.Over)
	}
	k.tap(ButtonClose)
	if k.state.Over != OverRulesText {
		t.Errorf("goes on under %q", k.state.Over)
	}
	print = done[PrintRules](k.tap(ButtonPrintRules))
	if len(print) != 2 {
		t.Fatal("they cannot be printed again")
	}
	k.step(PrinterSaid{Call: print[1].Call}).tap(ButtonPrintRules)
	if len(done[PrintRules](k)) != 2 || k.state.Over != OverRulesText {
		t.Error("they are printed twice in a visit")
	}
}

func TestTicketOfAnEarlierVisitIsPrintedAgainByItsPlayer(t *testing.T) {
	person := thandi(1)
	person.Unconfirmed = []wire.Seat{testSeat(15, 3, 1), testSeat(16, 4, 1)}
	k := start(t).step(CardRead{"6001"}).identified(person).on(ScreenUnconfirmed).tickets(TicketUnconfirmed)
	k.tap(ButtonAgain).ready().issued(testSeat(15, 3, 2)).printed().on(ScreenUnconfirmed)
	k.tickets(TicketPrinted, TicketUnconfirmed)
	k.tap(ButtonDone).on(ScreenGreeting)
	if reprints := done[Reprint](k); len(reprints) != 1 || reprints[0].Seat != "s15" {
		t.Errorf("reprinted %+v", reprints)
	}
}

func TestHeatChosenFromTheList(t *testing.T) {
	k := start(t).offer(2).tap(ButtonOthers).on(ScreenHeats).step(Tapped{Button: ButtonTake, Heat: "h16"}).on(ScreenOffer)
	if k.state.Offer[0].ID != "h16" || k.state.Together != 0 || len(k.state.Offer) != 6 {
		t.Fatalf("offers %v, together %d", k.state.Offer, k.state.Together)
	}
	k.ticks(3).step(Tapped{Button: ButtonTake, Heat: "h14"}).on(ScreenOffer).step(Tapped{Button: ButtonTake, Heat: "h16"}).ready()
	if register := done[Register](k); len(register) != 1 || register[0].Heat != "h16" {
		t.Errorf("registered %+v", register)
	}
	k = start(t).offer(1).tap(ButtonOthers).step(Tapped{Button: ButtonTake, Heat: "h99"}).on(ScreenHeats).tap(ButtonBack)
	k.on(ScreenOffer)
}

func TestOffersAreWhatTheEntriesAllow(t *testing.T) {
	person := thandi(0)
	person.Entries = []wire.Entry{
		{ID: "a", Bought: evening.Add(-time.Hour), Ends: testHeat(15, 1).Start}, // the end is not included
		{ID: "b", Bought: evening.Add(-time.Hour), Ends: testHeat(17, 1).Start.Add(time.Second)},
	}
	person.Seats = []wire.Seat{testSeat(16, 1, 1)}
	k := start(t).step(CardRead{"6001"}).identified(person)
	var got []string
	for _, heat := range k.state.Offer {
		got = append(got, fmt.Sprintf("%s by entry %d", heat.ID, heat.EntryIndex))
	}
	want := []string{"h14 by entry 0", "h15 by entry 1", "h17 by entry 1"}
	if !slices.Equal(got, want) || k.state.Together != 2 {
		t.Errorf("offers %v, together %d", got, k.state.Together)
	}
}

func TestEntryBoughtAfterClosingCannotBeUsedInThatHeat(t *testing.T) {
	person := thandi(1)
	person.Entries[0].Bought = testHeat(14, 1).Closes
	k := start(t).step(CardRead{"6001"}).identified(person)
	if k.state.Offer[0].ID != "h15" {
		t.Errorf("offers %s", k.state.Offer[0].ID)
	}
}

func TestClockSetRightInTheMiddleEndsNoVisit(t *testing.T) {
	k := start(t).step(CardRead{"6001"}).identified(thandi(1))
	k.step(Tick{Now: evening.Add(-3 * time.Hour)}, Tick{Now: evening.Add(5 * time.Minute)}).on(ScreenGreeting)
	if k.state.Over != OverNothing {
		t.Errorf("over is %q", k.state.Over)
	}
}
