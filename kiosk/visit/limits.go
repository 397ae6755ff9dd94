package visit

import (
	"time"

	"reelkiosk/store/wire"
)

// tick takes one second: what counts down counts, what waited too long gives up, what nobody looks at ends.
func (t *turn) tick(now time.Time) {
	t.Now = now
	t.memory.helped = max(t.memory.helped-1, 0)
	if t.Hint != HintNone {
		if t.memory.hint++; t.memory.hint >= t.Limits.Hint {
			t.Hint, t.memory.hint = HintNone, 0
		}
	}
	shown := t.Screen
	if t.refresh(); t.Screen != shown {
		return // its seconds begin with the next tick
	}
	switch {
	case t.Screen == ScreenAttract:
		t.idleAttract()
	case t.Left > 0:
		if t.Left--; t.Left == 0 {
			t.leave()
		}
	case t.Busy():
		t.wait()
	default:
		t.idle()
	}
}

// idleAttract undoes what somebody chose on the attract screen and left.
func (t *turn) idleAttract() {
	limit := t.Limits.Idle
	if t.Over == OverPrivacy || t.Over == OverRulesText {
		limit = t.Limits.Reading
	}
	if t.memory.idle++; t.memory.idle >= limit {
		t.end()
	}
}

// idle asks whether anybody is still there.
func (t *turn) idle() {
	limit := t.Limits.Idle
	if t.Over == OverPrivacy || t.Over == OverRulesText {
		limit = t.Limits.Reading
	}
	if t.memory.idle++; t.memory.idle >= limit {
		t.Over, t.Left = OverStillThere, t.Limits.StillThere
	}
}

// leave ends the visit whose screen ran out. Nobody having answered 'still there?' is recorded.
func (t *turn) leave() {
	if t.Over == OverStillThere {
		t.do(Notify{Visit: t.Visit, Kind: wire.VisitAbandoned, Screen: t.Screen, Person: t.memory.person})
	}
	t.end()
}

// wait counts how long a reply is overdue. The conductor gives up earlier; this makes sure that no screen waits for ever.
func (t *turn) wait() {
	t.memory.waited++
	over := func(limit int) bool { return t.memory.waited >= limit }
	switch t.memory.waiting {
	case waitIdentify, waitClaim, waitRegister, waitReprint:
		if over(t.Limits.Reply) {
			t.away()
		}
	case waitPrinter, waitAgain:
		if over(t.Limits.Printer) {
			t.printerSaid(PrinterSilent)
		}
	case waitPrint:
		if over(t.Limits.Print) {
			t.printEnded(Unconfirmed, PrinterSilent)
		}
	case waitPaper:
		t.memory.lacking++
		switch {
		case t.memory.lacking >= t.Limits.Paper:
			t.giveUp()
		case t.Paper.ready():
			t.print()
		}
	}
}
