package visit

import (
	"slices"
	"time"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// tapped takes a touch: first the buttons of every screen, then those of what lies over it, then the screen's own.
func (t *turn) tapped(tap Tapped) {
	if !t.meant(tap) {
		return
	}
	t.alive()
	over := t.Over
	switch {
	case t.everywhere(tap):
	case over == OverNothing:
		t.onScreen(tap)
	case over == OverUnprinted && tap.Button == ButtonClose:
		t.Over = OverRulesText
	case tap.Button == ButtonClose, tap.Button == ButtonBack, tap.Button == ButtonDone:
		t.Over = OverNothing
	case over == OverRulesText && tap.Button == ButtonPrintRules:
		t.printRules()
	}
}

// meant reports whether a touch was meant for the present screen; the foot means the same on every screen of a visit.
// 'Still there?' may have come up under the finger: that is no other screen.
func (t *turn) meant(tap Tapped) bool {
	seen := tap.Seen
	if seen == (Seen{}) || tap.Button.OnFoot() && seen.Visit == t.Visit {
		return true
	}
	if t.Over == OverStillThere && seen.Over == OverNothing {
		seen.Over = OverStillThere
	}
	return seen == Seen{Visit: t.Visit, Screen: t.Screen, Over: t.Over}
}

// everywhere takes the buttons that every screen has, and reports whether it was one.
func (t *turn) everywhere(tap Tapped) bool {
	switch tap.Button {
	case ButtonLanguage:
		if slices.Contains(t.Languages, tap.Language) {
			t.Look.Language = tap.Language
		}
	case ButtonLarger:
		t.Look.Larger = !t.Look.Larger
	case ButtonContrast:
		t.Look.Contrast = !t.Look.Contrast
	case ButtonHelp, ButtonCallHost:
		t.callHost()
	case ButtonCancel:
		t.cancel()
	case ButtonReadRules:
		t.Over = OverRulesText
	case ButtonPrivacy:
		t.Over = OverPrivacy
	case ButtonWhere:
		t.Over = OverWhere
	default:
		return false
	}
	return true
}

// callHost tells central that a host is wanted: once in a visit, and from the attract screen, where anybody may, once in a
// while. Where nothing can be sent, the face says where to go instead.
func (t *turn) callHost() {
	t.Over = OverHelp
	called := t.HelpCalled || t.Visit == 0 && t.memory.helped > 0
	if called || t.Calls == CallsNever {
		return
	}
	t.HelpCalled = true
	if t.Visit == 0 {
		t.memory.helped = t.Limits.Help
	}
	t.do(Notify{Visit: t.Visit, Kind: wire.HelpCalled, Screen: t.Screen, Person: t.memory.person})
}

// printRules prints the rules, once in a visit: paper that anybody can have by touching is soon gone.
func (t *turn) printRules() {
	if t.memory.rulesPrinted || t.memory.rules != (Call{}) || t.Busy() {
		return
	}
	t.memory.rules = t.nextCall()
	t.do(PrintRules{Call: t.memory.rules, Language: t.Look.Language})
}

// rulesEnded takes what came of printing the rules. Whoever still reads them is told that nothing came out, and may try again.
func (t *turn) rulesEnded(printer Printer) {
	t.memory.rules, t.Paper = Call{}, printer
	switch {
	case printer.ready():
		t.memory.rulesPrinted = true
	case t.Over == OverRulesText:
		t.Over = OverUnprinted
	}
}

// onScreen takes the buttons of the screen itself.
func (t *turn) onScreen(tap Tapped) {
	switch t.Screen {
	case ScreenGreeting:
		switch tap.Button {
		case ButtonContinue:
			t.show(ScreenRules)
		case ButtonNotMe:
			t.end()
		}
	case ScreenRules:
		t.onRules(tap.Button)
	case ScreenDeclaration:
		t.onDeclaration(tap.Button)
	case ScreenOffer:
		t.onOffer(tap)
	case ScreenHeats:
		t.onHeats(tap)
	case ScreenTrouble:
		t.onTrouble(tap.Button)
	case ScreenUnconfirmed:
		t.onUnconfirmed(tap.Button)
	case ScreenSeeHost:
		if tap.Button == ButtonDone {
			t.end()
		}
	case ScreenDone:
		switch tap.Button {
		case ButtonDone:
			t.end()
		case ButtonOthers, ButtonContinue:
			t.proceed()
		}
	}
}

func (t *turn) onRules(button Button) {
	switch button {
	case ButtonAccept:
		t.memory.accepted = t.Floor.RulesHash
		t.proceed()
	case ButtonDecline:
		t.memory.accepted = ""
		t.trouble(TroubleNotAccepted, time.Time{})
	case ButtonBack:
		t.show(ScreenGreeting)
	}
}

// onDeclaration takes the answer of clause 3. Whoever does not say yes sees a host, and the host learns why.
func (t *turn) onDeclaration(button Button) {
	switch button {
	case ButtonYes:
		t.memory.declared = true
		t.proceed()
	case ButtonNo, ButtonNotSure:
		t.do(Notify{
			Visit: t.Visit, Kind: wire.DeclaredConnected, Screen: ScreenDeclaration, Person: t.memory.person,
		})
		t.seeHost()
	case ButtonBack:
		t.show(ScreenRules)
	}
}

func (t *turn) onOffer(tap Tapped) {
	switch tap.Button {
	case ButtonTake:
		if len(t.Offer) > 0 && (tap.Heat == "" || tap.Heat == t.Offer[0].ID) {
			t.take(t.Offer[:1])
		}
	case ButtonTogether:
		if t.Together > 1 {
			t.take(t.Offer[:t.Together])
		}
	case ButtonOthers:
		t.show(ScreenHeats)
	}
}

// onHeats takes a choice. It takes no seat yet: the heat is offered first, with what it costs.
func (t *turn) onHeats(tap Tapped) {
	switch tap.Button {
	case ButtonTake:
		if slices.ContainsFunc(t.Offer, func(h Heat) bool { return h.ID == tap.Heat }) {
			t.choose(tap.Heat)
		}
	case ButtonTogether:
		if t.Together > 1 {
			t.take(t.Offer[:t.Together])
		}
	case ButtonBack:
		t.show(ScreenOffer)
	}
}

func (t *turn) choose(heat tournament.HeatID) {
	t.memory.chosen = heat
	t.refresh()
	t.show(ScreenOffer)
}

// onTrouble takes 'try again', which also goes back where there is nothing to try, and 'done'.
func (t *turn) onTrouble(button Button) {
	switch button {
	case ButtonDone:
		t.end()
	case ButtonAgain, ButtonBack, ButtonContinue, ButtonOthers:
		t.again()
	}
}

// again goes on from a trouble to the next thing that may work.
func (t *turn) again() {
	switch {
	case t.Busy():
		// A request is on its way since before: it is sent again, never made anew.
		t.memory.waited = 0
		t.do(TryNow{Visit: t.Visit})
		t.show(ScreenOneMoment)
	case t.memory.person == "" && (t.Trouble == TroubleCentral || t.Trouble == TroubleReader):
		t.gather("", nil)
	case t.Trouble == TroubleNotAccepted:
		t.show(ScreenRules)
	case t.Trouble == TroubleReceipt && len(t.memory.receipts) > 0:
		t.claim()
	case t.Trouble == TroubleReceipt:
		t.arrive()
	case t.Trouble == TroublePrinter && t.unfinished():
		t.askPrinter()
	case t.Trouble == TroublePrinter && t.reprintable():
		t.askAgain()
	case t.Trouble == TroubleHeatFull, t.Trouble == TroubleBlockUsed, t.Trouble == TroubleClosed:
		t.proceed()
		if t.Screen == ScreenOffer && len(t.Offer) > 1 {
			t.show(ScreenHeats)
		}
	case t.memory.person != "":
		t.proceed()
	}
}

// cancel ends the visit, but never drops a seat that is taken or may be: what is on its way is waited for and printed.
func (t *turn) cancel() {
	waiting := t.memory.waiting
	if t.Screen == ScreenTrouble {
		waiting = waitNothing // she has read that it may take a while; the conductor settles what still comes
	}
	switch waiting {
	case waitRegister, waitReprint, waitPrint:
		t.stopPlan()
	case waitPaper:
		t.giveUp()
	case waitPrinter:
		t.stopPlan()
		t.settle()
		t.finish()
	default:
		t.end()
	}
}
