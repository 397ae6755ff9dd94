package visit

import (
	"reflect"
	"strings"
	"testing"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// carried is what a reading finds of the visit before.
type carried string

const (
	nothing  carried = "nothing"  // another person begins, as if the kiosk had stood alone
	ignored  carried = "ignored"  // somebody is in the middle of her visit: at most a hint
	together carried = "together" // it is what the screen asked for: what was read before counts with it
	instead  carried = "instead"  // it is what the screen asked for instead of what was read before
	hers     carried = "hers"     // it is what she showed before: she is identified anew, by that alone
	held     carried = "held"     // a receipt waits for the person being identified
	claimed  carried = "claimed"  // a receipt of the player who is there
)

// found says what a reading finds on each of the screens of everyScreen.
func found(screen string, k *kiosk, reading Event) carried {
	_, isCard := reading.(CardRead)
	_, isDocument := reading.(DocumentRead)
	own := isCard && k.state.memory.card == reading.(CardRead).Number
	_, isReceipt := reading.(SymbolRead)
	switch screen {
	case "see a host":
		if isReceipt {
			return ignored
		}
		return nothing
	case "attract", "attract, receipt held", "attract under privacy", "done":
		return nothing
	case "asked for a document":
		switch {
		case isDocument:
			return together
		case isReceipt:
			return held
		case own:
			return ignored
		}
		return nothing
	case "identifying", "claiming":
		if isReceipt {
			return held
		}
		return ignored
	case "trouble, nobody":
		if isDocument {
			return instead
		}
		return nothing
	case "trouble, seat pending":
		if own || isReceipt {
			return ignored
		}
		return nothing
	case "offer under still there":
		if own {
			return ignored
		}
		return nothing
	case "greeting", "rules", "declaration", "offer", "heats", "offer under the rules", "greeting under help":
		if isReceipt {
			return claimed
		}
		return ignored
	}
	switch {
	case !strings.HasPrefix(screen, "trouble"):
		return ignored
	case isReceipt && k.state.memory.person != "":
		return claimed
	case own:
		return hers
	}
	return nothing
}

// TestNextPersonContinuesThePreviousVisit reads a card, a document and a receipt on each screen, of the person before and
// of somebody else, and asserts what may be carried over: what the screen asked for, and nothing besides.
func TestNextPersonContinuesThePreviousVisit(t *testing.T) {
	other := wire.Document{Kind: "passport", Number: "M1"}
	for screen := range everyScreen(t) {
		for name, reading := range map[string]Event{
			"her card": CardRead{"6001"}, "another card": CardRead{"7777"}, "a document": DocumentRead{other},
			"a receipt": SymbolRead{SymbolReceipt, "R9"},
		} {
			t.Run(screen+"/"+name, func(t *testing.T) {
				k := everyScreen(t)[screen]
				k.state.Look = Look{Language: "zu", Larger: true, Contrast: true}
				k.state.HelpCalled, k.state.memory.rulesPrinted = true, true
				before := k.state
				k.did = nil
				k.step(reading)
				judge(t, k, before, found(screen, &kiosk{state: before}, reading), reading)
			})
		}
	}
}

// judge fails unless just what may be carried over was.
func judge(t *testing.T, k *kiosk, before State, may carried, reading Event) {
	t.Helper()
	card, isCard := reading.(CardRead)
	document, isDocument := reading.(DocumentRead)
	asked := done[Identify](k)
	switch may {
	case nothing:
		if want := alone(k, before, reading); !reflect.DeepEqual(k.state, want) {
			t.Errorf("becomes %v\n%+v\nwant %v\n%+v", k.state, k.state.memory, want, want.memory)
		}
		return
	case ignored:
		same := before
		same.Hint, same.Over, same.Left, same.memory.hint, same.memory.idle = k.state.Hint, k.state.Over, k.state.Left, k.state.memory.hint, k.state.memory.idle
		if before.Trouble == TroubleCentral { // 'try again' for her request on its way
			same.Screen, same.Trouble, same.memory.waited = k.state.Screen, k.state.Trouble, k.state.memory.waited
		}
		if len(asked) > 0 || !reflect.DeepEqual(k.state, same) {
			t.Errorf("becomes %v\n%+v, from\n%+v, and did %v", k.state, k.state.memory, before.memory, k.did)
		}
	case together, instead, hers:
		want := Identify{Call: k.call(), Card: card.Number}
		if isDocument {
			want.Document = &document.Document
		}
		if may == together {
			want.Card = before.memory.card
		}
		if len(asked) != 1 || !reflect.DeepEqual(asked[0], want) {
			t.Errorf("asks for %+v, want %+v", asked, want)
		}
		if may != together && k.state.memory.receipts != nil {
			t.Errorf("holds %v", k.state.memory.receipts)
		}
	case held:
		if k.state.Screen != before.Screen || len(asked) > 0 || len(done[Claim](k)) > 0 {
			t.Errorf("becomes %v, did %v", k.state, k.did)
		}
	case claimed:
		if claims := done[Claim](k); len(claims) != 1 || claims[0].Person != before.memory.person {
			t.Errorf("claims %+v", claims)
		}
	}
	if k.state.Visit != before.Visit || k.state.Look != before.Look {
		t.Errorf("visit %d became %d, in %+v", before.Visit, k.state.Visit, k.state.Look)
	}
	if k.state.memory.person != "" && (isCard || isDocument) && may != ignored {
		t.Error("somebody is known before central said who")
	}
}

// alone returns what follows a reading where nobody was before.
func alone(k *kiosk, before State, reading Event) State {
	fresh := startWith(k.TB, k.machine)
	fresh.state.Now, fresh.state.Floor, fresh.state.Ready = before.Now, before.Floor, before.Ready
	fresh.state.Paper, fresh.state.OutOfOrder = before.Paper, before.OutOfOrder
	fresh.state.Calls, fresh.state.memory.helped = before.Calls, before.memory.helped
	fresh.state.memory.last, fresh.state.memory.calls = before.memory.last, before.memory.calls
	if before.Screen == ScreenAttract { // what was chosen on the attract screen goes into the visit
		fresh.state.Look, fresh.state.Over, fresh.state.HelpCalled = before.Look, before.Over, before.HelpCalled
		fresh.state.memory.rulesPrinted = before.memory.rulesPrinted
		if before.memory.receipts != nil {
			fresh.step(SymbolRead{SymbolReceipt, before.memory.receipts[0]})
		}
	}
	return fresh.step(reading).state
}

// The document that was asked for counts only while somebody may still be looking for it.
func TestDocumentAskedForCountsOnlyForAShortTime(t *testing.T) {
	for _, look := range []func(*kiosk) *kiosk{
		func(k *kiosk) *kiosk { return k.step(CardRead{"6001"}).refused(tournament.DocumentNeeded) },
		func(k *kiosk) *kiosk { return k.step(CardRead{"6001"}).refused(tournament.UnknownCard) },
	} {
		k := look(start(t)).ticks(DefaultLimits.Idle).step(DocumentRead{testDocument}).on(ScreenOneMoment)
		asked := done[Identify](k)
		if last := asked[len(asked)-1]; k.state.Visit != 2 || last.Card != "" {
			t.Errorf("visit %d asks for %+v", k.state.Visit, last)
		}
	}
}

func TestReceiptOfSomebodyWhoLeftIsClaimedForTheNext(t *testing.T) {
	held := func() *kiosk { return start(t).step(SymbolRead{SymbolReceipt, "R1"}) }
	for name, k := range map[string]*kiosk{
		"its hint went":            held().ticks(DefaultLimits.Hint).step(CardRead{"7777"}),
		"something else was read":  held().step(ReadRefused{Why: HintSwipeAgain}, CardRead{"7777"}),
		"her card is unknown":      held().step(CardRead{"6001"}).refused(tournament.UnknownCard).step(DocumentRead{testDocument}),
		"her document is expired":  held().step(DocumentRead{testDocument}).refused(tournament.DocumentExpired).step(CardRead{"7777"}),
		"central was away":         held().step(CardRead{"6001"}).step(Away{Call{1, 1}}).step(CardRead{"7777"}),
		"she was asked for her ID": held().step(CardRead{"6001"}).refused(tournament.DocumentNeeded).step(CardRead{"7777"}),
		"a host is to be seen":     held().step(CardRead{"6001"}).refused(tournament.Excluded).step(CardRead{"7777"}),
		"scanned after she was gone": start(t).step(CardRead{"6001"}).step(Away{Call{1, 1}}).
			step(SymbolRead{SymbolReceipt, "R1"}).ticks(DefaultLimits.Hint).step(CardRead{"7777"}),
	} {
		if k.identified(thandi(1)).on(ScreenGreeting); len(done[Claim](k)) != 0 {
			t.Errorf("%s: claimed for somebody else", name)
		}
	}
}

// Noise of a reader is no sign of life.
func TestNoiseKeepsAScreenForEver(t *testing.T) {
	for name, k := range everyScreen(t) {
		t.Run(name, func(t *testing.T) {
			for range 2000 {
				for _, noise := range []Hint{HintUnreadable, HintSwipeAgain, HintScanAgain, HintReaderSetup, HintBankCard} {
					k.step(ReadRefused{Why: noise})
				}
				if k.ticks(1); k.state.Screen == ScreenAttract && k.state.Look == (Look{Language: "en"}) && k.state.Over == OverNothing {
					return
				}
			}
			t.Errorf("%v does not end by itself", k.state)
		})
	}
	k := start(t).offer(1).ticks(DefaultLimits.Idle)
	if k.step(ReadRefused{Why: HintUnreadable}); k.state.Over != OverStillThere {
		t.Error("noise answers whether somebody is still there")
	}
	k.step(CardRead{"6001"})
	if k.on(ScreenOffer); k.state.Over != OverNothing {
		t.Error("her own card does not answer whether she is still there")
	}
}
