package visit

import (
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// everyScreen returns a machine on each screen, in each way that it may wait there, with each thing laid over it.
func everyScreen(t testing.TB) map[string]*kiosk {
	fresh := func() *kiosk { return start(t) }
	greeted := func() *kiosk { return fresh().step(CardRead{"6001"}).identified(thandi(3)) }
	plan := func() *kiosk { return fresh().offer(3).tap(ButtonTogether) }
	issued := func() *kiosk { return plan().ready().issued(testSeat(14, 23, 1)) }
	earlier := thandi(1)
	earlier.Unconfirmed = []wire.Seat{testSeat(15, 3, 1), testSeat(16, 3, 2)}
	screens := map[string]*kiosk{
		"attract":                   fresh(),
		"attract, receipt held":     fresh().step(SymbolRead{SymbolReceipt, "R1"}),
		"identifying":               fresh().step(CardRead{"6001"}),
		"claiming":                  greeted().step(SymbolRead{SymbolReceipt, "R1"}),
		"asked for a document":      fresh().step(CardRead{"6001"}).refused(tournament.DocumentNeeded),
		"greeting":                  greeted(),
		"rules":                     greeted().tap(ButtonContinue),
		"declaration":               greeted().tap(ButtonContinue, ButtonAccept),
		"offer":                     fresh().offer(3),
		"heats":                     fresh().offer(3).tap(ButtonOthers),
		"asking the printer":        plan(),
		"taking a seat":             plan().ready(),
		"printing":                  issued(),
		"waiting for paper":         issued().step(PrintEnded{Call: Call{1, 4}, Outcome: NotStarted, Printer: PrinterOut}),
		"asking for the second":     issued().printed(),
		"done":                      fresh().offer(2).tap(ButtonTake).ready().issued(testSeat(14, 23, 1)).printed(),
		"unconfirmed":               issued().unconfirmed(),
		"asking for the reprint":    issued().unconfirmed().tap(ButtonAgain),
		"reprinting":                issued().unconfirmed().tap(ButtonAgain).ready(),
		"unconfirmed earlier":       fresh().step(CardRead{"6001"}).identified(earlier),
		"see a host":                fresh().step(CardRead{"6001"}).refused(tournament.Excluded),
		"trouble, nobody":           fresh().step(CardRead{"6001"}).refused(tournament.UnknownCard),
		"trouble, away":             fresh().step(CardRead{"6001"}).step(Away{Call: Call{1, 1}}),
		"trouble, no entries":       fresh().step(CardRead{"6001"}).identified(thandi(0)),
		"trouble, seat pending":     plan().ready().step(Away{Call: Call{1, 3}}),
		"trouble, printer":          plan().step(PrinterSaid{Call: Call{1, 2}, Printer: PrinterOpen}),
		"trouble, rules":            greeted().tap(ButtonContinue, ButtonDecline),
		"trouble, receipt":          greeted().step(SymbolRead{SymbolReceipt, "R1"}).refused(tournament.ReceiptOwned),
		"offer under still there":   fresh().offer(3).ticks(30),
		"offer under the rules":     fresh().offer(3).tap(ButtonReadRules),
		"greeting under help":       greeted().tap(ButtonHelp),
		"attract under privacy":     fresh().tap(ButtonPrivacy),
		"printing under where":      issued().tap(ButtonWhere),
		"cancelled while booking":   plan().ready().tap(ButtonCancel),
		"cancelled while printing":  issued().tap(ButtonCancel),
		"cancelled while reprinted": issued().unconfirmed().tap(ButtonAgain).ready().tap(ButtonCancel),
	}
	return screens
}

// everyEvent returns each event there is, the replies both to the call waited for and to another.
func everyEvent(call Call) []Event {
	now := evening.Add(time.Minute)
	events := []Event{
		Tick{now}, Tick{testHeat(14, 1).Closes}, Tick{evening.AddDate(0, 0, 5)},
		CardRead{"6001"}, CardRead{"7777"}, DocumentRead{testDocument}, DocumentRead{wire.Document{Kind: "passport", Number: "M1"}},
		SymbolRead{SymbolReceipt, "R1"}, SymbolRead{SymbolReceipt, ""}, SymbolRead{SymbolTicket, ""}, SymbolRead{SymbolUnknown, ""},
		ReadRefused{Why: HintBankCard}, ReadRefused{Host: true},
		FloorSeen{Floor: testFloor()}, FloorSeen{Floor: Floor{}}, FloorSeen{Floor: floorOf(func(_ int, h *Heat) bool { h.Free = 0; return true })},
		DevicesSeen{Ready: Readers{Card: true, Document: true}}, DevicesSeen{Printer: PrinterOut, OutOfOrder: TroubleOutOfService},
		PrintConfirmed{"T14-1"}, PrintConfirmed{""}, Barred{"p1"}, Barred{"p2"}, Barred{""},
	}
	for _, button := range everyButton {
		events = append(events, Tapped{Button: button}, Tapped{Button: button, Language: "zu", Heat: "h16"})
	}
	events = append(events, Tapped{Button: "no such button"}, Tapped{Button: ButtonCancel, Seen: Seen{Visit: 99}})
	for _, to := range []Call{call, {Visit: 99, Number: 999}, {}} {
		events = append(events,
			Identified{Call: to, Person: thandi(2)}, Identified{Call: to, Person: thandi(0)},
			Claimed{Call: to, Entries: testEntries(3)}, Issued{Call: to, Seat: testSeat(14, 23, 1)},
			Away{to}, Failed{to}, PrinterSaid{to, PrinterOK}, PrinterSaid{to, PrinterUnplugged},
			PrintEnded{to, Printed, PrinterOK}, PrintEnded{to, Unconfirmed, PrinterSilent}, PrintEnded{to, NotStarted, PrinterOut},
		)
		for _, reason := range everyReason {
			events = append(events, Refused{Call: to, Reason: reason})
		}
	}
	return events
}

var everyButton = []Button{
	ButtonLanguage, ButtonLarger, ButtonContrast, ButtonHelp, ButtonCancel, ButtonClose, ButtonWhere, ButtonPrivacy,
	ButtonContinue, ButtonNotMe, ButtonReadRules, ButtonPrintRules, ButtonAccept, ButtonDecline, ButtonYes, ButtonNo,
	ButtonNotSure, ButtonTake, ButtonTogether, ButtonOthers, ButtonBack, ButtonStillHere, ButtonDone, ButtonAgain,
	ButtonCallHost,
}

var everyReason = []tournament.Reason{
	tournament.Excluded, tournament.Mismatch, tournament.DocumentExpired, tournament.DocumentNeeded, tournament.UnknownCard,
	tournament.UnknownPerson, tournament.NoEntries, tournament.WindowOver, tournament.HeatFull, tournament.NotOpen,
	tournament.Closed, tournament.HeatGone, tournament.AlreadySeated, tournament.NotAccepted, tournament.NotDeclared,
	tournament.UnknownReceipt, tournament.ReceiptOwned, tournament.ReprintUsed, tournament.KeyReused, tournament.ClockSuspect,
	tournament.HomeSilent, tournament.NotHome, tournament.BlockUsed, tournament.NoGrant, tournament.ExclusionsStale,
	tournament.Unsettled, tournament.LetGo,
}

// TestEveryEventOnEveryScreen steps each pair, and sound judges it. From whatever state follows, ticks alone lead to the
// attract screen.
func TestEveryEventOnEveryScreen(t *testing.T) {
	seen := map[string]bool{}
	for name, k := range everyScreen(t) {
		seen[string(k.state.Screen)] = true
		for _, event := range everyEvent(k.call()) {
			t.Run(fmt.Sprintf("%s/%T", name, event), func(t *testing.T) {
				play := &kiosk{TB: t, machine: k.machine, state: k.state}
				kept := deepCopy(k.state)
				play.step(event)
				if !reflect.DeepEqual(kept, k.state) {
					t.Errorf("%+v changed the state it was given", event)
				}
				dropped(t, k.state, play, event)
				endsByItself(play)
			})
		}
	}
	for _, screen := range everyScreenName {
		if !seen[string(screen)] {
			t.Errorf("no case is on %s", screen)
		}
	}
}

var everyScreenName = []Screen{
	ScreenAttract, ScreenOneMoment, ScreenAskID, ScreenGreeting, ScreenRules, ScreenDeclaration, ScreenOffer, ScreenHeats,
	ScreenPrinting, ScreenDone, ScreenSeeHost, ScreenTrouble, ScreenUnconfirmed,
}

// dropped checks that a reply nobody waits for changes nothing.
func dropped(t *testing.T, before State, after *kiosk, event Event) {
	call := reflect.ValueOf(event).FieldByName("Call")
	if !call.IsValid() || before.Awaits(call.Interface().(Call)) {
		return
	}
	if !reflect.DeepEqual(before, after.state) || len(after.did) > 0 {
		t.Errorf("%+v changed %v into %v and did %v", event, before, after.state, after.did)
	}
}

// endsByItself checks that ticks alone lead back to the attract screen in its own look.
func endsByItself(k *kiosk) {
	k.Helper()
	limit := 4 * (DefaultLimits.Reply + DefaultLimits.Print + DefaultLimits.Paper + DefaultLimits.Trouble)
	for range limit {
		if k.state.Screen == ScreenAttract && k.state.Look == (Look{Language: "en"}) && k.state.Over == OverNothing {
			return
		}
		k.ticks(1)
	}
	k.Errorf("%v does not end by itself", k.state)
}

func deepCopy(s State) State {
	s.Floor.Heats, s.Offer, s.memory.heats = slices.Clone(s.Floor.Heats), slices.Clone(s.Offer), slices.Clone(s.memory.heats)
	s.Entries, s.memory.entries = slices.Clone(s.Entries), slices.Clone(s.memory.entries)
	s.Tickets, s.memory.earlier = slices.Clone(s.Tickets), slices.Clone(s.memory.earlier)
	s.memory.receipts, s.memory.seated = slices.Clone(s.memory.receipts), maps.Clone(s.memory.seated)
	s.memory.kinds = maps.Clone(s.memory.kinds)
	return s
}

// TestAnyEvening plays random events against a random central and a random printer, and checks with every step: what sound
// says; nobody refused is greeted; each copy is printed at most once, unless the printer took nothing of it; no seat
// is taken twice; each seat that came while its visit lasted is printed; the machine ends by itself.
func TestAnyEvening(t *testing.T) {
	rounds := 10
	if os.Getenv("REELKIOSK_LONG") != "" {
		rounds = 200
	}
	for round := range rounds {
		t.Run(strconv.Itoa(round), anyEvening)
	}
}

func anyEvening(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		machine := testMachine()
		machine.Identification = rapid.SampledFrom([]Identification{Either, Card, Document, Both}).Draw(t, "mode")
		p := &evenings{T: t, machine: machine, state: machine.Start(), sent: map[string]bool{}}
		p.step(Tick{evening})
		p.step(FloorSeen{Floor: testFloor()})
		p.step(DevicesSeen{Ready: Readers{Card: true, Document: true}})
		for range rapid.IntRange(1, 300).Draw(t, "length") {
			p.step(p.next())
		}
		limit := 6 * (DefaultLimits.Reply + DefaultLimits.Print + DefaultLimits.Paper + DefaultLimits.Trouble)
		for range limit {
			if p.state.Screen == ScreenAttract && !p.state.Busy() {
				return
			}
			p.step(Tick{p.state.Now.Add(time.Second)})
		}
		t.Fatalf("%v does not end by itself", p.state)
	})
}

// evenings is the world around a machine: calls that are still to be answered, and what happened so far.
type evenings struct {
	*rapid.T
	machine Machine
	state   State
	calls   []Effect
	seats   int
	// sent holds the ticket numbers whose print may have put bytes on paper.
	sent map[string]bool
	// printing is the ticket that the printer has.
	printing string
	// barred is the visit whose player was refused.
	barred ID
}

func (p *evenings) step(event Event) {
	before := p.state
	var did []Effect
	p.state, did = p.machine.Step(before, event)
	if err := sound(before, p.state, did); err != nil {
		p.Fatalf("%T on %v: %v", event, before, err)
	}
	refused, is := event.(Refused)
	if is && before.Awaits(refused.Call) && refused.Reason.SeesHost() {
		p.barred = before.Visit
	}
	if _, again := event.(Identified); again && before.Awaits(event.(Identified).Call) {
		p.barred = 0
	}
	if p.barred != 0 && p.state.Visit == p.barred && p.state.Player != (Player{}) {
		p.Fatalf("%v greets somebody who was refused", p.state)
	}
	if issued, is := event.(Issued); is && before.Awaits(issued.Call) {
		if len(did) != 1 {
			p.Fatalf("a seat came and %v was done", did)
		}
		if print, is := did[0].(Print); !is || print.Seat.Ticket != issued.Seat.Ticket {
			p.Fatalf("a seat came and %v was done", did)
		}
	}
	for _, effect := range did {
		p.note(effect)
	}
}

func (p *evenings) note(effect Effect) {
	switch e := effect.(type) {
	case Print:
		if p.sent[e.Seat.Ticket] {
			p.Fatalf("%s is printed twice", e.Seat.Ticket)
		}
		p.sent[e.Seat.Ticket] = true
	case Register:
		for _, call := range p.calls {
			if other, is := call.(Register); is && other.Call.Visit == e.Call.Visit {
				p.Fatalf("two seats are being taken at once")
			}
		}
	case Notify, GiveUp, TryNow:
		return
	}
	p.calls = append(p.calls, effect)
}

// next draws what happens next: mostly what moves a visit on.
func (p *evenings) next() Event {
	kind := rapid.IntRange(0, 99).Draw(p.T, "kind")
	switch {
	case len(p.calls) > 0 && kind < 45:
		return p.answer()
	case kind < 75:
		return p.touch()
	case kind < 85:
		return Tick{p.state.Now.Add(time.Second * time.Duration(rapid.SampledFrom([]int{1, 1, 1, 60, 600}).Draw(p.T, "seconds")))}
	}
	events := everyEvent(Call{})[:20]
	return events[rapid.IntRange(0, len(events)-1).Draw(p.T, "event")]
}

// likely are the buttons of the normal way.
var likely = map[Screen][]Button{
	ScreenGreeting: {ButtonContinue}, ScreenRules: {ButtonAccept}, ScreenDeclaration: {ButtonYes},
	ScreenOffer: {ButtonTake, ButtonTogether, ButtonOthers}, ScreenHeats: {ButtonTake, ButtonBack},
	ScreenTrouble: {ButtonAgain}, ScreenUnconfirmed: {ButtonAgain, ButtonDone}, ScreenDone: {ButtonOthers, ButtonDone},
}

func (p *evenings) touch() Event {
	buttons := likely[p.state.Screen]
	if len(buttons) == 0 || rapid.IntRange(0, 4).Draw(p.T, "astray") == 0 {
		buttons = everyButton
	}
	tap := Tapped{Button: rapid.SampledFrom(buttons).Draw(p.T, "button")}
	if p.state.Screen == ScreenHeats && len(p.state.Offer) > 0 {
		tap.Heat = rapid.SampledFrom(p.state.Offer).Draw(p.T, "heat").ID
	}
	if tap.Button == ButtonLanguage {
		tap.Language = rapid.SampledFrom([]string{"en", "af", "zu", "xx"}).Draw(p.T, "language")
	}
	return tap
}

// answer answers one of the open calls, in any order.
func (p *evenings) answer() Event {
	at := rapid.IntRange(0, len(p.calls)-1).Draw(p.T, "call")
	effect := p.calls[at]
	p.calls = append(p.calls[:at:at], p.calls[at+1:]...)
	well := rapid.IntRange(0, 9).Draw(p.T, "well") < 7
	reason := func() tournament.Reason { return rapid.SampledFrom(everyReason).Draw(p.T, "reason") }
	switch e := effect.(type) {
	case Identify:
		if !well {
			return p.no(e.Call, reason(), effect)
		}
		person := thandi(rapid.IntRange(0, 4).Draw(p.T, "entries"))
		if rapid.IntRange(0, 5).Draw(p.T, "earlier") == 0 {
			person.Unconfirmed = []wire.Seat{p.seat(1)}
		}
		return Identified{Call: e.Call, Person: person}
	case Claim:
		if !well {
			return p.no(e.Call, reason(), effect)
		}
		return Claimed{Call: e.Call, Entries: testEntries(rapid.IntRange(1, 4).Draw(p.T, "entries"))}
	case Register:
		if !well {
			return p.no(e.Call, reason(), effect)
		}
		seat := p.seat(1)
		seat.Heat = e.Heat
		return Issued{Call: e.Call, Seat: seat}
	case Reprint:
		if !well {
			return p.no(e.Call, reason(), effect)
		}
		return Issued{Call: e.Call, Seat: p.seat(2)}
	case AskPrinter:
		return PrinterSaid{e.Call, rapid.SampledFrom([]Printer{PrinterOK, PrinterOK, PrinterLow, PrinterOut}).Draw(p.T, "printer")}
	case PrintRules:
		return PrinterSaid{e.Call, PrinterOK}
	case Print:
		outcome := rapid.SampledFrom([]Outcome{Printed, Printed, Unconfirmed, NotStarted}).Draw(p.T, "outcome")
		if outcome == NotStarted {
			p.sent[e.Seat.Ticket] = false
			return PrintEnded{e.Call, outcome, PrinterOut}
		}
		return PrintEnded{e.Call, outcome, PrinterOK}
	}
	panic("no such call")
}

// no refuses, or is away: then the call may still be answered.
func (p *evenings) no(call Call, reason tournament.Reason, effect Effect) Event {
	switch rapid.IntRange(0, 3).Draw(p.T, "no") {
	case 0:
		return Failed{call}
	case 1:
		if _, is := effect.(Identify); !is {
			p.calls = append(p.calls, effect)
		}
		return Away{call}
	}
	return Refused{Call: call, Reason: reason}
}

func (p *evenings) seat(copies int) wire.Seat {
	p.seats++
	seat := testSeat(14+p.seats%6, p.seats, copies)
	seat.Ticket = fmt.Sprintf("T%d", p.seats)
	return seat
}
