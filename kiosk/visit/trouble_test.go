package visit

import (
	"testing"
	"time"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// floorOf is the floor with its heats changed.
func floorOf(change func(int, *Heat) bool) Floor {
	floor := testFloor()
	heats := floor.Heats
	floor.Heats = nil
	for i, heat := range heats {
		if change(i, &heat) {
			floor.Heats = append(floor.Heats, heat)
		}
	}
	return floor
}

// TestEveryTrouble plays into each trouble, says where 'try again' leads from there, and that it ends by itself.
func TestEveryTrouble(t *testing.T) {
	away := func(k *kiosk) *kiosk { return k.step(Away{Call: k.call()}) }
	full := func(_ int, heat *Heat) bool { heat.Free = 0; return true }
	cases := []struct {
		name  string
		play  func(*kiosk) *kiosk
		why   Trouble
		again Screen
	}{
		{"no entries", func(k *kiosk) *kiosk {
			return k.step(CardRead{"6001"}).identified(thandi(0))
		}, TroubleNoEntries, ScreenTrouble},
		{"the windows of all entries are over", func(k *kiosk) *kiosk {
			person := thandi(0)
			person.Expired = 2
			return k.step(CardRead{"6001"}).identified(person)
		}, TroubleWindowOver, ScreenTrouble},
		{"no heat starts inside the window", func(k *kiosk) *kiosk {
			person := thandi(1)
			person.Entries[0].Ends = evening.Add(time.Minute)
			return k.step(CardRead{"6001"}).identified(person)
		}, TroubleWindowOver, ScreenTrouble},
		{"the window ends before the seat is taken", func(k *kiosk) *kiosk {
			return k.offer(1).tap(ButtonTake).ready().step(Refused{Call: k.call(), Reason: tournament.WindowOver, Until: evening})
		}, TroubleWindowOver, ScreenOffer},
		{"the entry is used elsewhere meanwhile", func(k *kiosk) *kiosk {
			return k.offer(1).tap(ButtonTake).ready().refused(tournament.NoEntries)
		}, TroubleNoEntries, ScreenTrouble},
		{"all heats are full", func(k *kiosk) *kiosk {
			return k.step(FloorSeen{Floor: floorOf(full)}, CardRead{"6001"}).identified(thandi(1))
		}, TroubleHeatsFull, ScreenTrouble},
		{"all heats fill up in front of her", func(k *kiosk) *kiosk {
			return k.offer(1).step(FloorSeen{Floor: floorOf(full)})
		}, TroubleHeatsFull, ScreenTrouble},
		{"no heat is open", func(k *kiosk) *kiosk {
			return k.step(FloorSeen{Floor: floorOf(func(int, *Heat) bool { return false })}, CardRead{"6001"}).identified(thandi(1))
		}, TroubleNoHeats, ScreenTrouble},
		{"no heat has opened yet", func(k *kiosk) *kiosk {
			later := func(_ int, heat *Heat) bool { heat.Opens = evening.Add(time.Minute); return true }
			return k.step(FloorSeen{Floor: floorOf(later)}, CardRead{"6001"}).identified(thandi(1))
		}, TroubleNoHeats, ScreenTrouble},
		{"a seat in every heat", func(k *kiosk) *kiosk {
			person := thandi(1)
			for number := 14; number < 20; number++ {
				person.Seats = append(person.Seats, testSeat(number, 1, 1))
			}
			return k.step(CardRead{"6001"}).identified(person)
		}, TroubleAllSeated, ScreenTrouble},
		{"the offered heat fills up in front of her", func(k *kiosk) *kiosk {
			return k.offer(1).step(FloorSeen{Floor: floorOf(func(i int, heat *Heat) bool { heat.Free = i; return true })})
		}, TroubleHeatFull, ScreenHeats},
		{"the offered heat is taken from under her hand", func(k *kiosk) *kiosk {
			return k.offer(1).tap(ButtonTake).ready().refused(tournament.HeatFull)
		}, TroubleHeatFull, ScreenHeats},
		{"the kiosk is cut off and has given what it may of the heat", func(k *kiosk) *kiosk {
			return k.offer(1).tap(ButtonTake).ready().refused(tournament.BlockUsed)
		}, TroubleBlockUsed, ScreenHeats},
		{"her home is silent", func(k *kiosk) *kiosk {
			return k.offer(1).tap(ButtonTake).ready().refused(tournament.HomeSilent)
		}, TroubleElsewhere, ScreenOffer},
		{"the kiosk is cut off and not her home", func(k *kiosk) *kiosk {
			return k.step(CardRead{"6001"}).refused(tournament.NotHome)
		}, TroubleElsewhere, ScreenTrouble},
		{"the kiosk has not heard for too long who is excluded", func(k *kiosk) *kiosk {
			return k.offer(1).tap(ButtonTake).ready().refused(tournament.ExclusionsStale)
		}, TroubleCentral, ScreenOffer},
		{"registration closes in front of her", func(k *kiosk) *kiosk {
			return k.offer(1).step(Tick{Now: testHeat(14, 1).Closes})
		}, TroubleClosed, ScreenHeats},
		{"the offered heat is cancelled in front of her", func(k *kiosk) *kiosk {
			return k.offer(1).step(FloorSeen{Floor: floorOf(func(i int, _ *Heat) bool { return i > 0 })})
		}, TroubleClosed, ScreenHeats},
		{"the offered heat is cancelled under her hand", func(k *kiosk) *kiosk {
			return k.offer(1).tap(ButtonTake).ready().refused(tournament.HeatGone)
		}, TroubleClosed, ScreenHeats},
		{"the only other heat closes with hers", func(k *kiosk) *kiosk {
			k.step(FloorSeen{Floor: floorOf(func(i int, _ *Heat) bool { return i < 2 })})
			return k.offer(1).tap(ButtonTake).ready().refused(tournament.Closed)
		}, TroubleClosed, ScreenOffer},
		{"the document is past its expiry", func(k *kiosk) *kiosk {
			return k.step(DocumentRead{testDocument}).refused(tournament.DocumentExpired)
		}, TroubleDocumentExpired, ScreenTrouble},
		{"nobody has that card", func(k *kiosk) *kiosk {
			return k.step(CardRead{"6001"}).refused(tournament.UnknownCard)
		}, TroubleUnknownCard, ScreenTrouble},
		{"a document is needed and the scanner is gone", func(k *kiosk) *kiosk {
			return k.step(DevicesSeen{Ready: Readers{Card: true}}, CardRead{"6001"}).refused(tournament.DocumentNeeded)
		}, TroubleReader, ScreenOneMoment},
		{"the scanner goes while it is needed", func(k *kiosk) *kiosk {
			k.step(CardRead{"6001"}).refused(tournament.DocumentNeeded).on(ScreenAskID)
			return k.step(DevicesSeen{Ready: Readers{Card: true}})
		}, TroubleReader, ScreenOneMoment},
		{"the printer is not ready", func(k *kiosk) *kiosk {
			return k.offer(1).tap(ButtonTake).step(PrinterSaid{Call: k.call(), Printer: PrinterUnplugged})
		}, TroublePrinter, ScreenOneMoment},
		{"the printer says nothing", func(k *kiosk) *kiosk {
			return k.offer(1).tap(ButtonTake).ticks(10)
		}, TroublePrinter, ScreenOneMoment},
		{"central is away when she is identified", func(k *kiosk) *kiosk {
			return away(k.step(CardRead{"6001"}))
		}, TroubleCentral, ScreenOneMoment},
		{"central says nothing when she is identified", func(k *kiosk) *kiosk {
			return k.step(CardRead{"6001"}).ticks(30)
		}, TroubleCentral, ScreenOneMoment},
		{"central is away when a receipt is claimed", func(k *kiosk) *kiosk {
			return away(k.step(SymbolRead{SymbolReceipt, "R1"}, CardRead{"6001"}).identified(thandi(1)))
		}, TroubleCentral, ScreenOneMoment},
		{"central is away when the seat is taken", func(k *kiosk) *kiosk {
			return away(k.offer(1).tap(ButtonTake).ready())
		}, TroubleCentral, ScreenOneMoment},
		{"central is away when the reprint is made", func(k *kiosk) *kiosk {
			return away(k.offer(1).tap(ButtonTake).ready().issued(testSeat(14, 23, 1)).unconfirmed().tap(ButtonAgain).ready())
		}, TroubleCentral, ScreenOneMoment},
		{"the receipt is somebody else's", func(k *kiosk) *kiosk {
			return k.step(SymbolRead{SymbolReceipt, "R1"}, CardRead{"6001"}).identified(thandi(1)).refused(tournament.ReceiptOwned)
		}, TroubleReceipt, ScreenGreeting},
		{"one receipt of two is refused", func(k *kiosk) *kiosk {
			k.step(SymbolRead{SymbolReceipt, "R1"}, SymbolRead{SymbolReceipt, "R2"}, CardRead{"6001"})
			return k.identified(thandi(1)).refused(tournament.UnknownReceipt)
		}, TroubleReceipt, ScreenOneMoment},
		{"she does not accept the rules", func(k *kiosk) *kiosk {
			return k.step(CardRead{"6001"}).identified(thandi(1)).tap(ButtonContinue, ButtonDecline)
		}, TroubleNotAccepted, ScreenRules},
		{"the kiosk is out of service", func(k *kiosk) *kiosk {
			return k.step(DevicesSeen{OutOfOrder: TroubleOutOfService}, CardRead{"6001"})
		}, TroubleOutOfService, ScreenTrouble},
		{"central's clock is impossible", func(k *kiosk) *kiosk {
			return k.step(CardRead{"6001"}).refused(tournament.ClockSuspect)
		}, TroubleOutOfService, ScreenTrouble},
		{"the kiosk's disk fails when the seat is taken", func(k *kiosk) *kiosk {
			return k.offer(1).tap(ButtonTake).ready().step(Failed{Call: k.call()})
		}, TroubleOutOfService, ScreenOffer},
	}
	covered := map[Trouble]bool{}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			covered[c.why] = true
			k := c.play(start(t)).trouble(c.why)
			registered := len(done[Register](k))
			k.tap(ButtonAgain).on(c.again)
			if len(done[Register](k)) != registered {
				t.Error("'try again' took a seat")
			}
			k = c.play(start(t))
			if k.state.Left != DefaultLimits.Trouble {
				t.Errorf("stays %d s", k.state.Left)
			}
			k.ticks(DefaultLimits.Trouble).on(ScreenAttract)
			c.play(start(t)).tap(ButtonCallHost, ButtonClose).trouble(c.why).tap(ButtonDone).on(ScreenAttract)
		})
	}
	for _, why := range Troubles {
		if !covered[why] {
			t.Errorf("no case leads to %s", why)
		}
	}
}

func TestSeatThatComesAfterCentralWasAwayIsPrinted(t *testing.T) {
	k := start(t).offer(1).tap(ButtonTake).ready()
	call := k.call()
	k.step(Away{Call: call}).trouble(TroubleCentral).ticks(5)
	if !k.state.Awaits(call) {
		t.Fatal("the request is forgotten")
	}
	k.tap(ButtonAgain)
	if len(done[Register](k)) != 1 || len(done[TryNow](k)) != 1 {
		t.Fatalf("did %+v", k.did)
	}
	k.step(Away{Call: call}).trouble(TroubleCentral).step(Issued{Call: call, Seat: testSeat(14, 23, 1)}).on(ScreenPrinting)
	k.printed().on(ScreenDone)
}

func TestSeatThatComesAfterSheLeftIsNotPrinted(t *testing.T) {
	k := start(t).offer(1).tap(ButtonTake).ready()
	call := k.call()
	k.step(Away{Call: call}).ticks(30).on(ScreenAttract)
	if k.state.Awaits(call) {
		t.Fatal("still waits for it")
	}
	if k.step(Issued{Call: call, Seat: testSeat(14, 23, 1)}).on(ScreenAttract); len(done[Print](k)) != 0 {
		t.Error("printed for nobody")
	}
}

func TestHeatOfSeveralThatFilledUpCostsOnlyItsOwnTicket(t *testing.T) {
	k := start(t).offer(3).tap(ButtonTogether).ready().issued(testSeat(14, 23, 1)).printed()
	k.ready().refused(tournament.HeatFull).ready()
	k.issued(testSeat(16, 23, 1)).printed().on(ScreenDone).tickets(TicketPrinted, TicketNotTaken, TicketPrinted)
}

func TestLastHeatOfSeveralThatFilledUpEndsWithWhatWasTaken(t *testing.T) {
	k := start(t).offer(2).tap(ButtonTogether).ready().issued(testSeat(14, 23, 1)).printed()
	k.ready().refused(tournament.Closed).on(ScreenDone).tickets(TicketPrinted, TicketNotTaken)
}

func TestAllOfSeveralFilledUp(t *testing.T) {
	k := start(t).offer(2).tap(ButtonTogether).ready().refused(tournament.HeatFull).ready().refused(tournament.HeatFull)
	k.trouble(TroubleHeatFull).tickets(TicketNotTaken, TicketNotTaken)
}

func TestSeatTakenElsewhereMeanwhile(t *testing.T) {
	k := start(t).offer(1).tap(ButtonTake).ready().refused(tournament.AlreadySeated).on(ScreenOffer)
	if k.state.Offer[0].ID != "h15" {
		t.Errorf("offers %s", k.state.Offer[0].ID)
	}
}

func TestHeatThatFillsUpBehindTheOfferDoesNotDisturb(t *testing.T) {
	k := start(t).offer(1).step(FloorSeen{Floor: floorOf(func(i int, heat *Heat) bool { heat.Free = 17 - 17*(i%2); return true })})
	k.on(ScreenOffer)
	if len(k.state.Offer) != 3 || k.state.Offer[0].ID != "h14" {
		t.Errorf("offers %v", k.state.Offer)
	}
}

func TestHeatThatComesBeforeTheOfferedOneDoesNotTakeItsPlace(t *testing.T) {
	k := start(t).offer(1)
	floor := testFloor()
	extra := testHeat(13, 50)
	extra.Start, extra.Closes = evening.Add(10*time.Minute), evening.Add(5*time.Minute)
	floor.Heats = append([]Heat{extra}, floor.Heats...)
	if k.step(FloorSeen{Floor: floor}).on(ScreenOffer); k.state.Offer[0].ID != "h14" || k.state.Offer[1].ID != "h13" {
		t.Errorf("offers %v", k.state.Offer)
	}
}

func TestWindowOverSaysWhenItEnded(t *testing.T) {
	person := thandi(1)
	person.Entries[0].Ends = evening.Add(time.Minute)
	k := start(t).step(CardRead{"6001"}).identified(person)
	if !k.state.TroubleUntil.Equal(evening.Add(time.Minute)) {
		t.Errorf("says %v", k.state.TroubleUntil)
	}
}

func TestFirstTimeThatIsHeardCounts(t *testing.T) {
	k := &kiosk{TB: t, machine: testMachine(), state: testMachine().Start()}
	k.step(FloorSeen{Floor: testFloor(), Now: evening}, CardRead{"6001"}).identified(thandi(1)).on(ScreenGreeting)
}

func TestHeatsBeyondTheFloorAreOfferedToo(t *testing.T) {
	k := start(t).step(CardRead{"6001"})
	far := testHeat(30, 50)
	k.step(Identified{Call: k.call(), Person: thandi(1), Heats: append(testFloor().Heats, far)})
	if k.step(FloorSeen{Floor: testFloor()}); len(k.state.Offer) != 7 || k.state.Offer[6].ID != "h30" {
		t.Errorf("offers %v", k.state.Offer)
	}
}

func TestUnknownRefusalsLeadToAHost(t *testing.T) {
	start(t).step(CardRead{"6001"}).refused("something-new").on(ScreenSeeHost)
	start(t).offer(1).tap(ButtonTake).ready().refused(tournament.UnknownPerson).on(ScreenSeeHost)
	both := testMachine()
	both.Identification = Both
	startWith(t, both).step(CardRead{"6001"}, DocumentRead{testDocument}).refused(tournament.UnknownCard).on(ScreenSeeHost)
}

func TestPrintThatTheKioskCannotMakeIsUnconfirmed(t *testing.T) {
	k := start(t).offer(1).tap(ButtonTake).ready().issued(testSeat(14, 23, 1)).step(Failed{}).on(ScreenPrinting)
	k.step(Failed{Call: k.call()}).on(ScreenUnconfirmed)
	k = start(t).offer(1).tap(ButtonTake).ready().issued(testSeat(14, 23, 1)).ticks(120).on(ScreenUnconfirmed)
	k.tap(ButtonAgain).ready().step(Failed{Call: k.call()}).on(ScreenUnconfirmed)
	if k.state.ReprintLeft {
		t.Error("another reprint is offered")
	}
}

func TestAnotherCardAfterARefusalIsAnotherVisit(t *testing.T) {
	k := start(t).step(CardRead{"6001"}).identified(thandi(0)).trouble(TroubleNoEntries)
	k.step(CardRead{"6001"}).on(ScreenOneMoment) // she was at the desk
	if k.state.Visit != 1 {
		t.Errorf("her own card began visit %d", k.state.Visit)
	}
	k.identified(thandi(0)).step(CardRead{"7777"}).on(ScreenOneMoment)
	if k.state.Visit != 2 || k.state.Player != (Player{}) {
		t.Errorf("visit %d with %+v", k.state.Visit, k.state.Player)
	}
	k.refused(tournament.Excluded).on(ScreenSeeHost).step(DocumentRead{wire.Document{Number: "X"}}).on(ScreenOneMoment)
	if k.state.Visit != 3 {
		t.Errorf("visit %d", k.state.Visit)
	}
}

// TestAnotherKioskIsNamedWhereOneCanGiveHerASeat: and nothing of it is left on the next screen.
func TestAnotherKioskIsNamedWhereOneCanGiveHerASeat(t *testing.T) {
	for name, test := range map[string]struct {
		reason tournament.Reason
		other  string
		want   string
	}{
		"her home is another kiosk":              {tournament.NotHome, "kiosk-2", "kiosk-2"},
		"nobody knows whether that one is alive": {tournament.NotHome, "", ""},
		"there is another reason":                {tournament.UnknownCard, "kiosk-2", ""},
	} {
		t.Run(name, func(t *testing.T) {
			k := start(t).step(CardRead{"6001"})
			k.step(Refused{Call: k.call(), Reason: test.reason, Elsewhere: test.other})
			if k.state.Elsewhere != test.want {
				t.Errorf("sent to %q", k.state.Elsewhere)
			}
			if k.tap(ButtonDone); k.state.Elsewhere != "" {
				t.Errorf("the next player is sent to %q", k.state.Elsewhere)
			}
		})
	}
}
