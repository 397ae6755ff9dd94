package visit

import (
	"time"

	"reelkiosk/store/tournament"
)

// reply takes the replies to effects. One that is not waited for changes nothing: its visit is over, or went on.
func (t *turn) reply(event Event) {
	switch e := event.(type) {
	case Identified:
		if t.awaits(e.Call, waitIdentify) {
			t.identified(e)
		}
	case Claimed:
		if t.awaits(e.Call, waitClaim) {
			t.claimed(e.Entries)
		}
	case Issued:
		if t.awaits(e.Call, waitRegister) || t.awaits(e.Call, waitReprint) {
			t.issued(e.Seat)
		}
	case PrinterSaid:
		switch {
		case t.awaits(e.Call, waitPrinter), t.awaits(e.Call, waitAgain):
			t.printerSaid(e.Printer)
		case e.Call != Call{} && e.Call == t.memory.rules:
			t.rulesEnded(e.Printer)
		}
	case PrintEnded:
		if t.awaits(e.Call, waitPrint) {
			t.printEnded(e.Outcome, e.Printer)
		}
	case Refused:
		if t.Awaits(e.Call) {
			t.refused(e.Reason, e.Until)
			if t.Trouble == TroubleElsewhere {
				t.Elsewhere = e.Elsewhere
			}
		}
	case Away:
		if t.Awaits(e.Call) {
			t.away()
		}
	case Failed:
		if t.Awaits(e.Call) {
			t.failed()
		}
	}
}

func (t *turn) awaits(call Call, what waiting) bool {
	return t.memory.waiting == what && t.Awaits(call)
}

func (t *turn) refused(reason tournament.Reason, until time.Time) {
	switch t.memory.waiting {
	case waitIdentify:
		t.notIdentified(reason)
	case waitClaim:
		t.notClaimed(reason)
	case waitRegister, waitReprint:
		t.notIssued(reason, until)
	}
}

// away says that central does not answer. A request that may have changed the books is still waited for behind the
// screen: its answer, when it comes, goes on where it stopped.
func (t *turn) away() {
	switch t.memory.waiting {
	case waitIdentify:
		t.settle()
		t.trouble(TroubleCentral, time.Time{})
	case waitClaim, waitRegister, waitReprint:
		t.trouble(TroubleCentral, time.Time{})
	}
}

// failed says that the kiosk itself cannot do what was asked.
func (t *turn) failed() {
	switch t.memory.waiting {
	case waitPrint:
		t.settle()
		t.unconfirmed()
	case waitReprint, waitAgain:
		t.settle()
		t.ReprintLeft = false
		t.show(ScreenUnconfirmed)
	default:
		t.settle()
		t.stopPlan()
		t.trouble(TroubleOutOfService, time.Time{})
	}
}
