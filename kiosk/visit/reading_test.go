package visit

import (
	"fmt"
	"testing"

	"reelkiosk/store/tournament"
)

func TestDocumentWithAnImpossibleNumberLeadsToAHost(t *testing.T) {
	start(t).step(ReadRefused{Host: true}).on(ScreenSeeHost)
	start(t).step(CardRead{"6001"}).refused(tournament.DocumentNeeded).step(ReadRefused{Host: true}).on(ScreenSeeHost)
	start(t).step(ReadRefused{Host: true}, ReadRefused{Host: true}).on(ScreenSeeHost) // scanned again, as bad as before
	done := start(t).offer(1).tap(ButtonTake).ready().issued(testSeat(14, 23, 1)).printed().on(ScreenDone)
	if done.step(ReadRefused{Host: true}).on(ScreenSeeHost); done.state.Visit != 2 || len(done.state.Tickets) != 0 {
		t.Errorf("the next person's document stands in visit %d, with tickets %v", done.state.Visit, done.state.Tickets)
	}
	k := start(t).offer(1).step(ReadRefused{Host: true}).on(ScreenOffer)
	if k.state.Hint != HintSecondCard {
		t.Errorf("hint %q", k.state.Hint)
	}
}

func TestIdentificationAsConfigured(t *testing.T) {
	card, document := CardRead{"6001"}, DocumentRead{testDocument}
	for _, c := range []struct {
		mode   Identification
		reads  []Event
		screen Screen
		asked  Asked
		by     string
	}{
		{Either, []Event{card}, ScreenOneMoment, AskedNothing, "card"},
		{Either, []Event{document}, ScreenOneMoment, AskedNothing, "document"},
		{Card, []Event{card}, ScreenOneMoment, AskedNothing, "card"},
		{Card, []Event{document}, ScreenAskID, AskedCard, ""},
		{Card, []Event{document, card}, ScreenOneMoment, AskedNothing, "both"},
		{Document, []Event{document}, ScreenOneMoment, AskedNothing, "document"},
		{Document, []Event{card}, ScreenAskID, AskedDocument, ""},
		{Document, []Event{card, card}, ScreenAskID, AskedDocument, ""},
		{Document, []Event{card, document}, ScreenOneMoment, AskedNothing, "both"},
		{Both, []Event{card}, ScreenAskID, AskedDocument, ""},
		{Both, []Event{document}, ScreenAskID, AskedCard, ""},
		{Both, []Event{document, card}, ScreenOneMoment, AskedNothing, "both"},
	} {
		machine := testMachine()
		machine.Identification = c.mode
		k := startWith(t, machine).step(c.reads...)
		for _, asked := range done[Identify](k) {
			if asked.Both != (c.by == "both" && c.mode != Document) {
				t.Errorf("%s: asks central for %+v", c.mode, asked)
			}
		}
		if k.state.Screen != c.screen || k.state.Asked != c.asked || k.state.memory.by != c.by {
			t.Errorf("%s, %T: %s asks for %q, by %q", c.mode, c.reads, k.state.Screen, k.state.Asked, k.state.memory.by)
		}
	}
}

func TestCentralMayAskForADocument(t *testing.T) {
	k := start(t).step(CardRead{"6001"}).refused(tournament.DocumentNeeded).on(ScreenAskID)
	k.step(CardRead{"6001"}).on(ScreenAskID).step(DocumentRead{testDocument})
	asked := done[Identify](k)
	if last := asked[len(asked)-1]; last.Card != "6001" || last.Document == nil || *last.Document != testDocument {
		t.Errorf("asked %+v", last)
	}
	k.refused(tournament.DocumentNeeded).on(ScreenSeeHost)
}

func TestScanInPlaceOfAnUnknownCardKeepsTheLanguage(t *testing.T) {
	k := start(t).step(Tapped{Button: ButtonLanguage, Language: "zu"}, CardRead{"6001"}).refused(tournament.UnknownCard)
	visit := k.trouble(TroubleUnknownCard).state.Visit
	k.step(DocumentRead{testDocument}).on(ScreenOneMoment)
	if k.state.Visit != visit || k.state.Look.Language != "zu" {
		t.Errorf("visit %d became %d, in %s", visit, k.state.Visit, k.state.Look.Language)
	}
	if asked := done[Identify](k); asked[1].Card != "" {
		t.Errorf("the unknown card is asked for again: %+v", asked[1])
	}
}

func TestSecondCardDuringAVisit(t *testing.T) {
	for _, screen := range []func(*kiosk) *kiosk{
		func(k *kiosk) *kiosk { return k.step(CardRead{"6001"}) },
		func(k *kiosk) *kiosk { return k.step(CardRead{"6001"}).identified(thandi(1)) },
		func(k *kiosk) *kiosk { return k.offer(1) },
		func(k *kiosk) *kiosk { return k.offer(1).tap(ButtonTake) },
		func(k *kiosk) *kiosk { return k.offer(1).tap(ButtonTake).ready().issued(testSeat(14, 23, 1)) },
	} {
		k := screen(start(t))
		before, visit := k.state.Screen, k.state.Visit
		if k.step(CardRead{"6001"}); k.state.Hint != HintNone {
			t.Errorf("%s: her own card gives %q", before, k.state.Hint)
		}
		k.step(CardRead{"7777"}, DocumentRead{testDocument})
		if k.state.Screen != before || k.state.Visit != visit || k.state.Hint != HintSecondCard {
			t.Errorf("%s became %s with %q", before, k.state.Screen, k.state.Hint)
		}
		if k.ticks(6); k.state.Hint != HintNone {
			t.Errorf("%s: the hint stays", before)
		}
	}
}

func TestNextPersonMaySwipeWhileTheLastTicketIsShown(t *testing.T) {
	k := start(t).step(Tapped{Button: ButtonLanguage, Language: "zu"})
	k.offer(1).tap(ButtonTake).ready().issued(testSeat(14, 23, 1)).printed().on(ScreenDone)
	k.step(CardRead{"7777"}).on(ScreenOneMoment)
	if k.state.Visit != 2 || k.state.Look.Language != "en" || len(k.state.Tickets) != 0 {
		t.Errorf("visit %d in %s with %v", k.state.Visit, k.state.Look.Language, k.state.Tickets)
	}
}

func TestReceiptScannedBeforeAnybodyIsIdentified(t *testing.T) {
	k := start(t).step(SymbolRead{SymbolReceipt, "R1"}, SymbolRead{SymbolReceipt, "R1"}, SymbolRead{SymbolReceipt, "R2"})
	if k.on(ScreenAttract); k.state.Hint != HintReceipt {
		t.Fatalf("hint %q", k.state.Hint)
	}
	k.step(CardRead{"6001"}).identified(thandi(0)).on(ScreenOneMoment)
	k.step(Claimed{Call: k.call(), Entries: testEntries(1)}).on(ScreenOneMoment)
	k.step(Claimed{Call: k.call(), Entries: testEntries(2)}).on(ScreenGreeting)
	if claims := done[Claim](k); len(claims) != 2 || claims[0].Receipt != "R1" || claims[1].Receipt != "R2" {
		t.Errorf("claimed %+v", claims)
	}
	if len(k.state.Entries) != 2 || k.state.Hint != HintClaimed {
		t.Errorf("%d entries, %q", len(k.state.Entries), k.state.Hint)
	}
}

func TestReceiptOfSomebodyWhoLeftIsForgotten(t *testing.T) {
	k := start(t).step(SymbolRead{SymbolReceipt, "R1"}).ticks(DefaultLimits.Hint).step(CardRead{"6001"}).identified(thandi(1)).on(ScreenGreeting)
	if len(done[Claim](k)) != 0 {
		t.Error("claimed by somebody else")
	}
}

func TestReceiptScannedInTheVisit(t *testing.T) {
	k := start(t).step(CardRead{"6001"}).identified(thandi(0)).trouble(TroubleNoEntries)
	k.step(SymbolRead{SymbolReceipt, "R1"}).on(ScreenOneMoment).refused(tournament.ReceiptOwned).trouble(TroubleReceipt)
	k.step(SymbolRead{SymbolReceipt, "R2"}).step(Claimed{Call: k.call(), Entries: testEntries(1)}).on(ScreenGreeting)
	k.tap(ButtonContinue, ButtonAccept, ButtonYes).step(SymbolRead{SymbolReceipt, "R3"})
	k.step(Claimed{Call: k.call(), Entries: testEntries(2)}).on(ScreenOffer)
}

func TestExcludedClaimantSeesAHost(t *testing.T) {
	start(t).step(SymbolRead{SymbolReceipt, "R1"}, CardRead{"6001"}).identified(thandi(1)).refused(tournament.Excluded).on(ScreenSeeHost)
}

func TestTicketAndUnknownSymbols(t *testing.T) {
	k := start(t).step(SymbolRead{Kind: SymbolTicket})
	if k.on(ScreenAttract); k.state.Hint != HintTicket {
		t.Errorf("a ticket gives %q", k.state.Hint)
	}
	if k.step(SymbolRead{Kind: SymbolUnknown}); k.state.Hint != HintUnreadable {
		t.Errorf("something unknown gives %q", k.state.Hint)
	}
	if k.step(ReadRefused{Why: HintBankCard}); k.state.Hint != HintBankCard {
		t.Errorf("a bank card gives %q", k.state.Hint)
	}
	if k.ticks(6); k.state.Hint != HintNone {
		t.Error("the hint stays")
	}
}

func TestStateNeverShowsACardInALog(t *testing.T) {
	k := start(t).step(CardRead{"6001234567"}).refused(tournament.DocumentNeeded).step(DocumentRead{testDocument})
	for _, format := range []string{"%v", "%+v", "%#v", "%s", "%d"} {
		if text := fmt.Sprintf(format, k.state); text != "visit 1 on one-moment" {
			t.Errorf("%s shows %s", format, text)
		}
	}
}
