package kiosk

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"reelkiosk/devices/emulator"
	"reelkiosk/devices/printer"
	"reelkiosk/kiosk/visit"
	"reelkiosk/store/condition"
	"reelkiosk/store/kv"
	"reelkiosk/store/replica"
	"reelkiosk/store/tournament"
)

// scriptedPrinter says what a test tells it to.
type scriptedPrinter struct {
	changes       chan printer.Status
	confirmations chan printer.JobID

	mu       sync.Mutex // guards what follows
	status   printer.Status
	outcomes []printer.Outcome
	jobs     []printer.JobID
}

func newScriptedPrinter(outcomes ...printer.Outcome) *scriptedPrinter {
	return &scriptedPrinter{
		changes: make(chan printer.Status), confirmations: make(chan printer.JobID),
		status: printer.Status{State: printer.Ready}, outcomes: outcomes,
	}
}

// Status implements Printer.
func (p *scriptedPrinter) Status(context.Context) printer.Status {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.status
}

// Print implements Printer.
func (p *scriptedPrinter) Print(_ context.Context, job printer.JobID, _ printer.Document) printer.Outcome {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.jobs = append(p.jobs, job)
	outcome := p.outcomes[0]
	p.outcomes = p.outcomes[1:]
	return outcome
}

// Changes implements Printer.
func (p *scriptedPrinter) Changes() <-chan printer.Status { return p.changes }

// Confirmations implements Printer.
func (p *scriptedPrinter) Confirmations() <-chan printer.JobID { return p.confirmations }

func (p *scriptedPrinter) printed() []printer.JobID {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.jobs
}

// openWith opens a house whose kiosk has another printer.
func (h *house) openWith(press Printer) *house {
	h.Helper()
	parts := h.parts()
	h.must(parts.Printer.(*printer.Printer).Close())
	parts.Printer = press
	h.run(parts)
	h.until("a ready attract screen", func(s visit.State) bool { return s.Ready.Card && len(s.Floor.Heats) > 0 })
	return h
}

func TestPaperThatRanOutBetweenTheSeatAndItsPrint(t *testing.T) {
	h := newHouse(t)
	h.sellThandi(1)
	out := printer.Outcome{Result: printer.NotStarted, Status: printer.Status{State: printer.PaperOut}}
	press := newScriptedPrinter(out, printer.Outcome{Result: printer.Printed, Status: printer.Status{State: printer.Ready}})
	h.openWith(press).offer()
	h.tap(visit.ButtonTake)
	press.changes <- printer.Status{State: printer.PaperOut}
	h.until("a ticket that waits for paper", func(s visit.State) bool {
		return s.Screen == visit.ScreenPrinting && s.Paper == visit.PrinterOut
	})
	h.copies(tournament.CopyIntended)
	press.changes <- printer.Status{State: printer.Ready}
	h.on(visit.ScreenDone)
	seat := h.copies(tournament.CopyPrinted)[0]
	if jobs := press.printed(); len(jobs) != 2 || jobs[0] != jobs[1] || string(jobs[0]) != seat.Ticket {
		t.Errorf("printed %d jobs", len(jobs))
	}
}

func TestTicketThatWasGivenUpIsLost(t *testing.T) {
	h := newHouse(t)
	h.sellThandi(1)
	h.openWith(newScriptedPrinter(printer.Outcome{Result: printer.NotStarted, Status: printer.Status{State: printer.CoverOpen}})).offer()
	h.tap(visit.ButtonTake).on(visit.ScreenPrinting)
	h.until("an open cover", func(s visit.State) bool { return s.Paper == visit.PrinterOpen })
	h.tap(visit.ButtonCancel).on(visit.ScreenUnconfirmed)
	h.copies(tournament.CopyLost)
}

// TestLateConfirmation: what looked lost was printed; nothing is sent again, and the books hear of it.
func TestLateConfirmation(t *testing.T) {
	h := newHouse(t)
	h.sellThandi(1)
	press := newScriptedPrinter(printer.Outcome{
		Result: printer.Unconfirmed, Reason: printer.NoAnswer, Status: printer.Status{State: printer.Unknown},
	})
	h.openWith(press).offer()
	h.tap(visit.ButtonTake).on(visit.ScreenUnconfirmed)
	seat := h.copies(tournament.CopyUnconfirmed)[0]
	press.confirmations <- "rules"
	press.confirmations <- printer.JobID(seat.Ticket)
	h.on(visit.ScreenDone)
	h.copies(tournament.CopyPrinted)
	if jobs := press.printed(); len(jobs) != 1 {
		t.Errorf("sent %d times", len(jobs))
	}
}

func TestTicketThatCannotBePrintedAtAll(t *testing.T) {
	h := newHouse(t)
	h.sellThandi(1)
	wrong := printer.Outcome{Result: printer.NotStarted, Status: printer.Status{State: printer.Ready}, Err: errors.New("document")}
	h.openWith(newScriptedPrinter(wrong)).offer()
	h.tap(visit.ButtonTake).on(visit.ScreenUnconfirmed)
	h.copies(tournament.CopyLost)
}

func TestKioskWithoutAnythingSaysWhatIsMissing(t *testing.T) {
	h := newHouse(t)
	h.run(Parts{
		Name: "kiosk-1", Machine: h.machines, ReplicaError: &replica.DamagedError{Kept: "x.damaged-1", Err: kv.ErrDamaged},
		Clock: NewClock(SinceBoot), Log: slog.New(slog.NewJSONHandler(&h.log, nil)), Out: "3 mistakes",
	})
	h.until("an attract screen that is out of order", func(s visit.State) bool {
		return s.Screen == visit.ScreenAttract && s.OutOfOrder == visit.TroubleOutOfService && s.Ready == visit.Readers{}
	})
	h.tap(visit.ButtonLarger).until("a kiosk that lives", func(s visit.State) bool { return s.Look.Larger })
	log := h.log.String()
	for _, name := range []condition.Name{
		condition.ReaderGone, condition.ScannerGone, condition.PrinterGone, condition.LinkDown, condition.ReplicaLost,
		condition.ConfigurationFaulty,
	} {
		if !strings.Contains(log, `"name":"`+string(name)+`"`) {
			t.Errorf("the log does not say %s:\n%s", name, log)
		}
	}
}

// TestNothingIsGivenWithoutTheKiosksOwnFile: a card that is read leads to 'out of service', and to no question to central.
func TestNothingIsGivenWithoutTheKiosksOwnFile(t *testing.T) {
	h := newHouse(t)
	parts := h.parts()
	h.must(h.replica.Close())
	parts.Replica = nil
	h.run(parts)
	h.until("a reader", func(s visit.State) bool { return s.Ready.Card && s.OutOfOrder == visit.TroubleOutOfService })
	h.swipe().trouble(visit.TroubleOutOfService)
}

// TestDiskThatFailsTakesTheKioskOutOfService: no request is sent that is not on the disk.
func TestDiskThatFailsTakesTheKioskOutOfService(t *testing.T) {
	h := newHouse(t)
	h.sellThandi(1)
	h.open().offer()
	h.must(h.replica.Close())
	h.tap(visit.ButtonTake).trouble(visit.TroubleOutOfService)
	if seats := h.allSeats(); len(seats) != 0 {
		t.Errorf("seats %+v", seats)
	}
	h.tap(visit.ButtonCancel)
	h.until("out of order", func(s visit.State) bool {
		return s.Screen == visit.ScreenAttract && s.OutOfOrder == visit.TroubleOutOfService
	})
}

// TestHelpIsPromisedThatCannotBeCalled: the screen knows what becomes of a call.
func TestHelpIsPromisedThatCannotBeCalled(t *testing.T) {
	h := newHouse(t).open()
	h.meanwhile(gone)
	h.until("a call that waits", func(s visit.State) bool { return s.Calls == visit.CallsLater })
	h.tap(visit.ButtonHelp)
	h.until("the help screen", func(s visit.State) bool { return s.Over == visit.OverHelp })
	h.meanwhile(nil)
	h.until("a call that goes", func(s visit.State) bool { return s.Calls == visit.CallsGo })
}

func TestPrinterThatGoesAndComes(t *testing.T) {
	h := newHouse(t).open()
	h.must(h.lines["printer"].Unplug(emulator.Vanish))
	h.until("no printer", func(s visit.State) bool { return s.Paper == visit.PrinterUnplugged })
	h.must(h.lines["printer"].Replug())
	h.until("a printer again", func(s visit.State) bool { return s.Paper == visit.PrinterOK })
}

// TestScreenIsHandedOverNewestFirstAndOneAtATime: however fast states come, one call waits at most.
func TestScreenIsHandedOverNewestFirstAndOneAtATime(t *testing.T) {
	var waiting []func()
	face := newestFace{}
	s := screen{face: &face, ui: func(call func()) { waiting = append(waiting, call) }}
	for visitID := range visit.ID(1000) {
		s.show(visit.State{Visit: visitID})
	}
	if len(waiting) != 1 {
		t.Fatalf("%d calls wait", len(waiting))
	}
	waiting[0]()
	if face.shown != 1 || face.newest.Visit != 999 {
		t.Errorf("showed %d states, the last of visit %d", face.shown, face.newest.Visit)
	}
	s.show(visit.State{Visit: 1000})
	if len(waiting) != 2 {
		t.Error("the next state is not handed over")
	}
}

type newestFace struct {
	newest visit.State
	shown  int
}

// Show implements Face.
func (f *newestFace) Show(state visit.State) { f.newest, f.shown = state, f.shown+1 }

// TestTouchThatTrembles: a second touch right after the screen changed is not taken for an answer to the new one.
func TestTouchThatTrembles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := screen{settling: Settling, face: &newestFace{}, ui: func(call func()) { call() }}
		s.show(visit.State{Visit: 1, Screen: visit.ScreenGreeting})
		time.Sleep(time.Second)
		tap := visit.Tapped{Button: visit.ButtonContinue}
		if !s.touched(&tap) || tap.Seen != (visit.Seen{Visit: 1, Screen: visit.ScreenGreeting}) {
			t.Fatalf("a touch on a settled screen: %+v", tap)
		}
		s.show(visit.State{Visit: 1, Screen: visit.ScreenRules})
		time.Sleep(Settling - time.Millisecond)
		if s.touched(&visit.Tapped{Button: visit.ButtonAccept}) {
			t.Error("taken for an acceptance of the rules")
		}
		late := visit.Tapped{Button: visit.ButtonCancel, Seen: visit.Seen{Visit: 7}}
		if s.touched(&late); late.Seen.Visit != 7 {
			t.Errorf("a touch that the face says was made in visit 7 is taken for one of %+v", late.Seen)
		}
		if !s.touched(&visit.Tapped{Button: visit.ButtonCancel}) {
			t.Error("Cancel has to wait")
		}
		s.show(visit.State{Visit: 1, Screen: visit.ScreenRules, Left: 3}) // the same screen
		time.Sleep(Settling)
		if !s.touched(&visit.Tapped{Button: visit.ButtonAccept}) {
			t.Error("the screen never settles")
		}
	})
}

// TestDrummingFingerTakesASeat: whoever drums on the gold button gets no further than one screen; whoever reads for half a
// second goes on.
func TestDrummingFingerTakesASeat(t *testing.T) {
	for pace, want := range map[time.Duration]int{
		40 * time.Millisecond: 1, 120 * time.Millisecond: 1, 333 * time.Millisecond: 1, Settling - time.Millisecond: 1,
		Settling: 4, 900 * time.Millisecond: 4,
	} {
		synctest.Test(t, func(t *testing.T) {
			s := screen{settling: Settling, face: &newestFace{}, ui: func(call func()) { call() }}
			way := []visit.Screen{visit.ScreenGreeting, visit.ScreenRules, visit.ScreenDeclaration, visit.ScreenOffer, visit.ScreenPrinting}
			s.show(visit.State{Visit: 1, Screen: way[0]})
			time.Sleep(time.Second)
			at := 0
			for range 50 {
				if at+1 < len(way) && s.touched(&visit.Tapped{Button: visit.ButtonContinue}) {
					at++
					s.show(visit.State{Visit: 1, Screen: way[at]})
				}
				time.Sleep(pace)
			}
			if at != want {
				t.Errorf("drumming every %v goes on by %d screens, want %d", pace, at, want)
			}
		})
	}
}

func TestClockCountsOnFromCentralsTime(t *testing.T) {
	boot := time.Hour
	clock := NewClock(func() time.Duration { return boot })
	if _, known := clock.Now(); known {
		t.Fatal("knows a time that nobody told")
	}
	noon := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	sent := boot
	boot += 2 * time.Second
	clock.Hear(noon, sent)
	clock.In(time.FixedZone("SAST", 2*60*60))
	boot += 8 * time.Hour // asleep
	now, known := clock.Now()
	if want := noon.Add(8*time.Hour + time.Second); !known || !now.Equal(want) || now.Hour() != 22 {
		t.Errorf("got %v, want %v", now, want)
	}
	clock.Hear(noon, boot) // set back
	if now, _ := clock.Now(); !now.Equal(noon) {
		t.Errorf("got %v", now)
	}
}

func TestConditionCountsOnceItHasHeldForItsGrace(t *testing.T) {
	var told []string
	h := newHealth(slog.New(slog.DiscardHandler), func(detail string) { told = append(told, detail) })
	at := time.Now()
	h.note(condition.ReaderGone, true, "unplugged", at)
	h.note(condition.ReaderGone, false, "", at.Add(9*time.Second))
	h.note(condition.ReaderGone, true, "unplugged", at.Add(20*time.Second))
	h.tick(at.Add(29 * time.Second))
	if h.counts.Holds(condition.ReaderGone) || len(told) != 0 {
		t.Fatalf("a replugged cable was told: %v", told)
	}
	h.tick(at.Add(30 * time.Second))
	h.note(condition.ReaderGone, true, "in use", at.Add(31*time.Second))
	h.note(condition.ReaderGone, false, "", at.Add(40*time.Second))
	if len(told) != 2 || !strings.HasPrefix(told[0], "reader-gone: ") || told[1] != "reader-gone: over" {
		t.Errorf("told %q", told)
	}
}
