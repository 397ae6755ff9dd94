package visit

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// evening is when the tests play.
var evening = time.Date(2026, 11, 30, 19, 18, 0, 0, time.FixedZone("SAST", 2*60*60))

const rulesHash = "8d5f"

func testMachine() Machine {
	return Machine{Languages: []string{"en", "af", "zu"}, Identification: Either, MostTogether: 6, Limits: DefaultLimits}
}

// testFloor is heats 14 to 19, every 20 minutes from 19:40.
func testFloor() Floor {
	floor := Floor{Property: "The Ridge", Name: "Reel Tournament", RulesVersion: 3, RulesHash: rulesHash, MinAge: 18}
	for i := range 6 {
		floor.Heats = append(floor.Heats, testHeat(14+i, 17))
	}
	return floor
}

func testHeat(number, free int) Heat {
	start := evening.Add(22*time.Minute + time.Duration(number-14)*20*time.Minute)
	return Heat{
		ID: heatID(number), Number: number, Start: start, Opens: start.Add(-24 * time.Hour), Closes: start.Add(-5 * time.Minute),
		Free: free, Size: 50, Place: "Main floor, row C", Lowest: 1, Highest: 50,
	}
}

func heatID(number int) tournament.HeatID { return tournament.HeatID(fmt.Sprintf("h%d", number)) }

func testEntries(count int) []wire.Entry {
	var entries []wire.Entry
	for i := range count {
		entries = append(entries, wire.Entry{
			ID: tournament.EntryID(fmt.Sprintf("e%d", i+1)), Kind: tournament.CashBuyIn,
			Bought: evening.Add(-time.Hour), Ends: evening.Add(time.Duration(19+i) * time.Hour),
		})
	}
	return entries
}

func thandi(entries int) wire.Person {
	return wire.Person{
		ID: "p1", FirstName: "Thandi", MaskedName: "T**** M*****", MaskedCard: "**** 1234", Entries: testEntries(entries),
	}
}

func testSeat(number, machine, copies int) wire.Seat {
	return wire.Seat{
		ID: tournament.SeatID(fmt.Sprintf("s%d", number)), Heat: heatID(number), Number: number,
		Start: testHeat(number, 1).Start, Machine: machine, Place: "Main floor, row C", Entry: "e1",
		Ticket: fmt.Sprintf("T%d-%d", number, copies), Copy: copies, CopyState: tournament.CopyIntended,
	}
}

var testDocument = wire.Document{Kind: "sa-smart-id", IDNumber: "9001010001088", Surname: "Mokoena", Given: "Thandi"}

// kiosk plays a machine: what it does is collected, and a test answers it.
type kiosk struct {
	testing.TB
	machine Machine
	state   State
	did     []Effect
}

func start(t testing.TB) *kiosk { return startWith(t, testMachine()) }

func startWith(t testing.TB, machine Machine) *kiosk {
	k := &kiosk{TB: t, machine: machine, state: machine.Start()}
	k.step(Tick{Now: evening}, FloorSeen{Floor: testFloor()}, DevicesSeen{Ready: Readers{Card: true, Document: true}})
	return k
}

func (k *kiosk) step(events ...Event) *kiosk {
	k.Helper()
	for _, event := range events {
		before := k.state
		var did []Effect
		k.state, did = k.machine.Step(before, event)
		if err := sound(before, k.state, did); err != nil {
			k.Fatalf("%T %+v on %s: %v", event, event, before.Screen, err)
		}
		k.did = append(k.did, did...)
	}
	return k
}

func (k *kiosk) tap(buttons ...Button) *kiosk {
	k.Helper()
	for _, button := range buttons {
		k.step(Tapped{Button: button})
	}
	return k
}

func (k *kiosk) ticks(count int) *kiosk {
	k.Helper()
	for range count {
		k.step(Tick{Now: k.state.Now.Add(time.Second)})
	}
	return k
}

// call returns the call that is waited for.
func (k *kiosk) call() Call { return k.state.memory.call }

func (k *kiosk) identified(person wire.Person) *kiosk {
	k.Helper()
	return k.step(Identified{Call: k.call(), Person: person})
}

func (k *kiosk) refused(reason tournament.Reason) *kiosk {
	k.Helper()
	return k.step(Refused{Call: k.call(), Reason: reason})
}

func (k *kiosk) ready() *kiosk {
	k.Helper()
	return k.step(PrinterSaid{Call: k.call()})
}

func (k *kiosk) issued(seat wire.Seat) *kiosk {
	k.Helper()
	return k.step(Issued{Call: k.call(), Seat: seat})
}

func (k *kiosk) printed() *kiosk {
	k.Helper()
	return k.step(PrintEnded{Call: k.call(), Outcome: Printed})
}

func (k *kiosk) unconfirmed() *kiosk {
	k.Helper()
	return k.step(PrintEnded{Call: k.call(), Outcome: Unconfirmed, Printer: PrinterSilent})
}

// offer brings a player with some entries before the offer.
func (k *kiosk) offer(entries int) *kiosk {
	k.Helper()
	return k.step(CardRead{"6001"}).identified(thandi(entries)).tap(ButtonContinue, ButtonAccept, ButtonYes).on(ScreenOffer)
}

// on checks the screen.
func (k *kiosk) on(screen Screen) *kiosk {
	k.Helper()
	if k.state.Screen != screen {
		k.Fatalf("on %s (%s), want %s", k.state.Screen, k.state.Trouble, screen)
	}
	return k
}

func (k *kiosk) trouble(why Trouble) *kiosk {
	k.Helper()
	if k.on(ScreenTrouble); k.state.Trouble != why {
		k.Fatalf("trouble %s, want %s", k.state.Trouble, why)
	}
	return k
}

// tickets checks the states of the tickets.
func (k *kiosk) tickets(want ...TicketState) *kiosk {
	k.Helper()
	var got []TicketState
	for _, ticket := range k.state.Tickets {
		got = append(got, ticket.State)
	}
	if !slices.Equal(got, want) {
		k.Fatalf("tickets %v, want %v", got, want)
	}
	return k
}

// done counts the effects of a type so far.
func done[E Effect](k *kiosk) (effects []E) {
	for _, effect := range k.did {
		if effect, is := effect.(E); is {
			effects = append(effects, effect)
		}
	}
	return effects
}

// visitOf returns the visit that an effect is for.
func visitOf(effect Effect) ID {
	switch e := effect.(type) {
	case Identify:
		return e.Call.Visit
	case Claim:
		return e.Call.Visit
	case AskPrinter:
		return e.Call.Visit
	case Register:
		return e.Call.Visit
	case Reprint:
		return e.Call.Visit
	case Print:
		return e.Call.Visit
	case PrintRules:
		return e.Call.Visit
	case GiveUp:
		return e.Visit
	case TryNow:
		return e.Visit
	case Notify:
		return e.Visit
	}
	panic(fmt.Sprintf("effect %T", effect))
}

// sound checks what must hold after every step.
func sound(before, after State, did []Effect) error {
	greeting := after.Player != (Player{}) || len(after.Entries) > 0 || len(after.Offer) > 0 || len(after.Tickets) > 0
	switch {
	case (after.Visit == 0) != (after.Screen == ScreenAttract):
		return fmt.Errorf("visit %d on %s", after.Visit, after.Screen)
	case after.Visit < before.Visit && after.Visit != 0:
		return fmt.Errorf("visit %d after %d", after.Visit, before.Visit)
	case (after.Trouble != TroubleNone) != (after.Screen == ScreenTrouble):
		return fmt.Errorf("trouble %q on %s", after.Trouble, after.Screen)
	case (after.Asked != AskedNothing) != (after.Screen == ScreenAskID):
		return fmt.Errorf("asked for %q on %s", after.Asked, after.Screen)
	case greeting && after.memory.person == "":
		return fmt.Errorf("%s knows a player whom nobody identified", after.Screen)
	case greeting && (after.Screen == ScreenAttract || after.Screen == ScreenSeeHost || after.Screen == ScreenAskID):
		return fmt.Errorf("%s shows a player", after.Screen)
	case after.Visit == 0 && before.Visit != 0 && after.Look != (Look{Language: "en"}):
		return fmt.Errorf("the look %+v stays after the visit", after.Look)
	case after.Visit == 0 && before.Visit != 0 && (after.HelpCalled || after.memory.card != "" || after.memory.document != nil):
		return fmt.Errorf("something of the visit stays")
	case after.Visit == 0 && after.memory.receipts != nil && after.Hint != HintReceipt:
		return fmt.Errorf("a receipt is held that nobody is told of")
	case after.Screen == ScreenOneMoment && !after.Busy():
		return fmt.Errorf("waits for nothing")
	case after.Screen == ScreenOffer && len(after.Offer) == 0:
		return fmt.Errorf("offers nothing")
	case after.Over == OverStillThere && after.Left == 0:
		return fmt.Errorf("asks for ever whether somebody is there")
	}
	for _, heat := range after.Offer {
		if heat.Free == 0 || after.memory.seated[heat.ID] || heat.EntryIndex >= len(after.Entries) {
			return fmt.Errorf("offers heat %+v", heat)
		}
	}
	for _, effect := range did {
		if visit := visitOf(effect); visit != before.Visit && visit != after.Visit {
			return fmt.Errorf("%T for visit %d, between %d and %d", effect, visit, before.Visit, after.Visit)
		}
		if register, is := effect.(Register); is && (register.Rules == "" || !after.memory.declared || register.Person == "") {
			return fmt.Errorf("registers without acceptance or declaration: %+v", register)
		}
	}
	return nil
}
