package kiosk

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"reelkiosk/devices/emulator"
	"reelkiosk/kiosk/visit"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

func TestFromSwipeToTicket(t *testing.T) {
	h := newHouse(t)
	h.sellThandi(2)
	h.open().offer()
	h.tap(visit.ButtonTake)
	state := h.on(visit.ScreenDone)
	text := h.paper().Text
	seats := h.copies(tournament.CopyPrinted)
	machine := strconv.Itoa(seats[0].Machine)
	if !strings.Contains(text, "MACHINE "+machine) || !strings.Contains(text, "T*** M***") || !strings.Contains(text, "kiosk-1") {
		t.Errorf("the ticket says\n%s", text)
	}
	if len(state.Tickets) != 1 || strconv.Itoa(state.Tickets[0].Machine) != machine || state.Tickets[0].Number != seats[0].Ticket {
		t.Errorf("shows %+v", state.Tickets)
	}
	if left := h.replica.Intents(); len(left) != 0 {
		t.Errorf("intents left: %v", left)
	}
	h.tap(visit.ButtonDone).on(visit.ScreenAttract)
	h.until("seats left as central says", func(s visit.State) bool { return s.Floor.Heats[0].Free == s.Floor.Heats[0].Size-1 })
}

func TestSeveralSeatsTicketByTicket(t *testing.T) {
	h := newHouse(t)
	h.sellThandi(3)
	h.open().offer()
	h.tap(visit.ButtonTogether).on(visit.ScreenDone)
	h.copies(tournament.CopyPrinted, tournament.CopyPrinted, tournament.CopyPrinted)
	for range 3 {
		h.paper()
	}
	h.noPaper()
}

func TestDocumentAloneIsEnough(t *testing.T) {
	h := newHouse(t)
	h.sell(wire.Purchase{Seats: 1, Document: &pieterOnPaper})
	h.open()
	h.must(h.scanner.Scan(emulator.GreenBook(pieter)))
	h.way()
	h.tap(visit.ButtonTake).on(visit.ScreenDone)
	h.paper()
}

func TestReceiptWithoutAName(t *testing.T) {
	h := newHouse(t)
	bought := h.sell(wire.Purchase{Seats: 1})
	h.open()
	h.must(h.scanner.Scan(emulator.Code128(bought.Receipt)))
	h.until("the hint", func(s visit.State) bool { return s.Hint == visit.HintReceipt })
	state := h.swipe().on(visit.ScreenGreeting)
	if len(state.Entries) != 1 || state.Hint != visit.HintClaimed {
		t.Errorf("%d entries, hint %q", len(state.Entries), state.Hint)
	}
	h.tap(visit.ButtonCancel).on(visit.ScreenAttract)
	h.must(h.scanner.Scan(emulator.GreenBook(pieter)))
	h.trouble(visit.TroubleNoEntries)
	h.must(h.scanner.Scan(emulator.Code128(bought.Receipt)))
	h.trouble(visit.TroubleReceipt)
}

func TestNoSeatIsTakenWithoutPaper(t *testing.T) {
	h := newHouse(t)
	h.sellThandi(1)
	h.open().offer()
	h.printer.Begin(emulator.PaperOut)
	h.tap(visit.ButtonTake).trouble(visit.TroublePrinter)
	if seats := h.allSeats(); len(seats) != 0 {
		t.Errorf("seats %+v", seats)
	}
	h.printer.End(emulator.PaperOut)
	h.tap(visit.ButtonAgain).on(visit.ScreenDone)
	h.copies(tournament.CopyPrinted)
}

func TestPrinterThatFallsSilentInTheMiddle(t *testing.T) {
	h := newHouse(t)
	h.sellThandi(2)
	h.open().offer()
	h.printer.BeginAfterBytes(emulator.Mute, 300)
	h.tap(visit.ButtonTogether)
	state := h.on(visit.ScreenUnconfirmed)
	if state.Tickets[0].State != visit.TicketUnconfirmed || state.Tickets[1].State != visit.TicketNotTaken || !state.ReprintLeft {
		t.Errorf("shows %+v, reprint %v", state.Tickets, state.ReprintLeft)
	}
	h.copies(tournament.CopyUnconfirmed)
	h.paper()
	h.printer.End(emulator.Mute)
	h.until("a printer that answers", func(s visit.State) bool { return s.Paper == visit.PrinterOK })
	h.tap(visit.ButtonAgain).on(visit.ScreenDone)
	if seats := h.copies(tournament.CopyPrinted); seats[0].Copy != 2 {
		t.Errorf("copy %d", seats[0].Copy)
	}
	for {
		if text := h.paper().Text; strings.Contains(text, "COPY 2") {
			break // after the paper on which the torn job ends
		}
	}
	h.noPaper()
}

// TestAnswerThatIsLostOnItsWay (odoo#40567): central commits, then the line drops. The retry gets the first answer: one seat, one ticket.
func TestAnswerThatIsLostOnItsWay(t *testing.T) {
	h := newHouse(t)
	h.sellThandi(1)
	h.open().offer()
	var lost atomic.Int64
	h.meanwhile(func(next http.Handler, w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == wire.PathRegistrations && lost.Add(1) <= 2 {
			next.ServeHTTP(httptest.NewRecorder(), r)
			hangUp(w)
			return
		}
		next.ServeHTTP(w, r)
	})
	h.tap(visit.ButtonTake).on(visit.ScreenDone)
	h.copies(tournament.CopyPrinted)
	h.paper()
	h.noPaper()
	if lost.Load() != 3 {
		t.Errorf("sent %d times", lost.Load())
	}
}

func TestCentralAwayWhenSheIsIdentified(t *testing.T) {
	h := newHouse(t)
	h.sellThandi(1)
	h.open().meanwhile(gone)
	h.swipe().trouble(visit.TroubleCentral)
	h.meanwhile(nil)
	h.tap(visit.ButtonAgain).on(visit.ScreenGreeting)
}

// TestSeatConfirmedAfterSheLeft: nothing is printed for nobody; when she comes back she gets her ticket as a reprint.
func TestSeatConfirmedAfterSheLeft(t *testing.T) {
	h := newHouse(t)
	h.sellThandi(1)
	h.open().offer()
	h.meanwhile(func(next http.Handler, w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == wire.PathRegistrations {
			next.ServeHTTP(httptest.NewRecorder(), r)
			hangUp(w)
			return
		}
		next.ServeHTTP(w, r)
	})
	h.tap(visit.ButtonTake).trouble(visit.TroubleCentral)
	h.tap(visit.ButtonCancel).on(visit.ScreenAttract)
	h.meanwhile(nil)
	state := h.swipe().on(visit.ScreenUnconfirmed)
	h.copies(tournament.CopyLost)
	h.noPaper()
	if len(state.Tickets) != 1 || !state.ReprintLeft {
		t.Errorf("shows %+v", state.Tickets)
	}
	h.tap(visit.ButtonAgain).on(visit.ScreenDone)
	if text := h.paper().Text; !strings.Contains(text, "COPY 2") {
		t.Errorf("the ticket says\n%s", text)
	}
	h.noPaper()
}

func TestUnpluggedReaderComesBackAndTheOtherIsUndisturbed(t *testing.T) {
	h := newHouse(t)
	h.sell(wire.Purchase{Seats: 1, Document: &pieterOnPaper})
	h.sellThandi(1)
	h.open()
	h.must(h.lines["card"].Unplug(emulator.Vanish))
	h.until("a reader that is gone", func(s visit.State) bool { return !s.Ready.Card && s.Ready.Document })
	h.must(h.scanner.Scan(emulator.GreenBook(pieter)))
	h.on(visit.ScreenGreeting)
	h.tap(visit.ButtonCancel).on(visit.ScreenAttract)
	h.must(h.lines["card"].Replug())
	h.until("a reader that is back", func(s visit.State) bool { return s.Ready.Card })
	h.swipe().on(visit.ScreenGreeting)
}

func TestNothingPersonalIsLogged(t *testing.T) {
	h := newHouse(t)
	h.sellThandi(1)
	h.open()
	h.must(h.reader.Swipe(emulator.Tracks{One: "B4111111111111111^VISA/CARD^4912", Two: "4111111111111111=4912"}))
	h.until("the hint", func(s visit.State) bool { return s.Hint == visit.HintBankCard })
	h.offer()
	h.tap(visit.ButtonTake).on(visit.ScreenDone)
	h.paper()
	seat := h.copies(tournament.CopyPrinted)[0]
	h.stop()
	log := h.log.String()
	for _, secret := range []string{"4111", thandi.Cards[0], thandi.IDNumber, "Mokoena", "Thandi", seat.Ticket, "1234"} {
		if strings.Contains(log, secret) {
			t.Errorf("the log holds %q:\n%s", secret, log)
		}
	}
	if !strings.Contains(log, `"screen":"greeting"`) || !strings.Contains(log, `"result":"printed"`) {
		t.Errorf("the log says too little:\n%s", log)
	}
}

func TestStopLetsATicketComeToItsEnd(t *testing.T) {
	h := newHouse(t)
	h.sellThandi(1)
	h.open().offer()
	h.tap(visit.ButtonTake)
	h.on(visit.ScreenPrinting)
	h.stop()
	h.paper()
	// The report is on the disk at the latest, and is brought by the next start.
	h.open()
	h.copies(tournament.CopyPrinted)
	h.noPaper()
}

func TestPrintThatHadBegunWhenTheKioskEndedIsUnconfirmed(t *testing.T) {
	h := newHouse(t)
	h.sellThandi(1)
	h.open().offer()
	h.printer.BeginAfterBytes(emulator.PowerOff, 300)
	h.tap(visit.ButtonTake).on(visit.ScreenPrinting)
	h.stop() // its grace is over before the printer's patience
	h.printer.End(emulator.PowerOff)
	h.open()
	h.copies(tournament.CopyUnconfirmed)
	h.noPaperButTorn()
}

// noPaperButTorn takes the paper on which a torn job ends.
func (h *house) noPaperButTorn() {
	h.Helper()
	select {
	case piece := <-h.printer.Tickets():
		if strings.Contains(piece.Text, "Rules accepted") {
			h.Errorf("a whole ticket came out:\n%s", piece.Text)
		}
	default:
	}
}

// TestLateAnswerDoesNotShowTheNextPlayerThePreviousOne (vxsuite#63): central says who she is after she has left.
func TestLateAnswerDoesNotShowTheNextPlayerThePreviousOne(t *testing.T) {
	h := newHouse(t)
	h.sellThandi(1)
	h.sell(wire.Purchase{Seats: 1, Document: &pieterOnPaper})
	h.open()
	var asked atomic.Int64
	held, release, answered := make(chan struct{}), make(chan struct{}), make(chan struct{})
	h.meanwhile(func(next http.Handler, w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == wire.PathIdentify && asked.Add(1) == 1 {
			defer close(answered)
			close(held)
			<-release
		}
		next.ServeHTTP(w, r)
	})
	h.swipe()
	<-held
	h.tap(visit.ButtonCancel).on(visit.ScreenAttract)
	h.must(h.scanner.Scan(emulator.GreenBook(pieter)))
	now := h.on(visit.ScreenGreeting)
	close(release)
	<-answered
	h.tap(visit.ButtonContinue).on(visit.ScreenRules)
	h.tap(visit.ButtonAccept).on(visit.ScreenDeclaration)
	h.face.mu.Lock()
	defer h.face.mu.Unlock()
	for _, state := range h.face.states {
		if state.Player.ID != "" && state.Player.ID != now.Player.ID || state.Player.FirstName == thandi.Given {
			t.Fatalf("on screen %s of visit %d stands %s", state.Screen, state.Visit, state.Player.MaskedName)
		}
	}
}

// TestNothingPrintsByItselfAfterARefill (python-escpos#370): the paper ends before a player's seat is taken, and while it is.
func TestNothingPrintsByItselfAfterARefill(t *testing.T) {
	for name, prepare := range map[string]func(h *house){
		"out before the seat": func(h *house) {
			h.printer.Begin(emulator.PaperOut)
			h.tap(visit.ButtonTake).trouble(visit.TroublePrinter)
			h.tap(visit.ButtonCancel).on(visit.ScreenAttract)
		},
		"out once the seat was taken": func(h *house) {
			h.meanwhile(func(next http.Handler, w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == wire.PathRegistrations {
					h.printer.Begin(emulator.PaperOut)
				}
				next.ServeHTTP(w, r)
			})
			h.tap(visit.ButtonTake).on(visit.ScreenPrinting)
			h.until("a ticket that waits for paper", func(s visit.State) bool { return s.Paper == visit.PrinterOut })
			h.tap(visit.ButtonCancel).on(visit.ScreenUnconfirmed)
			h.tap(visit.ButtonDone).on(visit.ScreenAttract)
			h.copies(tournament.CopyLost)
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			h.sellThandi(1)
			h.open().offer()
			prepare(h)
			h.printer.End(emulator.PaperOut)
			h.until("paper", func(s visit.State) bool { return s.Paper == visit.PrinterOK })
			h.noPaper()
		})
	}
}

// TestLateConfirmationTurnsUnconfirmedIntoPrintedAndSendsNothingAgain (woocommerce-pos#1790), with a head that is hot.
func TestLateConfirmationTurnsUnconfirmedIntoPrintedAndSendsNothingAgain(t *testing.T) {
	h := newHouse(t, emulator.Haste(4))
	h.sellThandi(1)
	h.open().offer()
	h.printer.Begin(emulator.Sluggish)
	h.tap(visit.ButtonTake).on(visit.ScreenUnconfirmed)
	h.copies(tournament.CopyUnconfirmed)
	h.on(visit.ScreenDone)
	h.copies(tournament.CopyPrinted)
	h.paper()
	h.noPaper()
}
