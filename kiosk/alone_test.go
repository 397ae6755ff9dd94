package kiosk

import (
	"context"
	"crypto/rand"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"reelkiosk/devices/emulator"
	"reelkiosk/kiosk/visit"
	"reelkiosk/store/replica"
	"reelkiosk/store/tournament"
	"reelkiosk/store/vault"
)

// openAlone starts a kiosk that may give seats while central is away, and waits until it is ready.
func (h *house) openAlone(boot string) *house {
	h.Helper()
	h.opensAlone(boot)
	h.until("a ready attract screen", func(s visit.State) bool {
		return s.Screen == visit.ScreenAttract && len(s.Floor.Heats) > 0 && s.Ready == visit.Readers{Card: true, Document: true} &&
			s.Paper == visit.PrinterOK && s.OutOfOrder == visit.TroubleNone
	})
	return h
}

// opensAlone starts a kiosk that may give seats while central is away, in a boot of that id.
func (h *house) opensAlone(boot string) *house {
	h.Helper()
	parts := h.parts()
	folder := filepath.Join(h.folder, "copy")
	h.must(os.MkdirAll(folder, 0o700))
	mirror, err := replica.OpenMirror(folder, SinceBoot, parts.Log)
	h.must(err)
	parts.Mirror = mirror
	parts.Keys = func(context.Context) (vault.Keys, uint32, error) { return h.vault.Floor(1), 1, nil }
	clock := replica.AloneClock{Boot: boot, Elapsed: SinceBoot, Now: parts.Clock.Now}
	parts.Alone, err = replica.OpenAlone(parts.Replica, mirror, "kiosk-1", clock, rand.Reader)
	h.must(err)
	if told, at, known := parts.Alone.Told(); known {
		parts.Clock.Resume(told, at)
	}
	end := h.stop
	h.stop = func() {
		end()
		if err := mirror.Close(); err != nil {
			h.Error(err)
		}
	}
	h.run(parts)
	return h
}

// cut cuts the line to central: what was open breaks off, and nothing new comes through.
func (h *house) cut() *house {
	h.Helper()
	h.meanwhile(gone)
	h.server.CloseClientConnections()
	h.eventually("a line that is cut", func() bool { return !h.followed.Load() })
	return h
}

func TestSeatsAreGivenWhileCentralIsAway(t *testing.T) {
	h := newHouse(t)
	h.sellThandi(2)
	h.openAlone("boot-1")
	h.eventually("a grant", h.alone.Load)
	h.cut().offer()
	offered := h.State().Offer
	h.tap(visit.ButtonTake)
	state := h.on(visit.ScreenDone)
	text := h.paper().Text
	if len(state.Tickets) != 1 || !strings.Contains(text, "MACHINE "+strconv.Itoa(state.Tickets[0].Machine)) {
		t.Errorf("shows %+v; the ticket says\n%s", state.Tickets, text)
	}
	if len(offered) == 0 || state.OutOfOrder != visit.TroubleNone {
		t.Errorf("offered %+v, out of order %q", offered, state.OutOfOrder)
	}
	h.tap(visit.ButtonDone).on(visit.ScreenAttract)
	h.meanwhile(nil)
	seats := h.copies(tournament.CopyPrinted)
	if seats[0].Machine != state.Tickets[0].Machine || seats[0].Machine < 10 || seats[0].Ticket != state.Tickets[0].Number {
		t.Errorf("central has %+v", seats[0])
	}
	if left := h.replica.Intents(); len(left) != 0 {
		t.Errorf("intents left: %v", left)
	}
	// Online again: the next seat is central's to give, from the beginning of the order.
	h.eventually("a line", h.followed.Load)
	h.offer()
	h.tap(visit.ButtonTake).on(visit.ScreenDone)
	if state := h.State(); len(state.Tickets) != 1 || state.Tickets[0].Machine > 10 {
		t.Errorf("shows %+v", state.Tickets)
	}
}

// The program starts again while central is away: the boot is the same, and so is what it may give.
func TestSeatsAreGivenAfterAStartWhileCentralIsAway(t *testing.T) {
	h := newHouse(t)
	h.sellThandi(1)
	h.openAlone("boot-1")
	h.eventually("a grant", h.alone.Load)
	h.cut()
	h.stop()
	h.openAlone("boot-1").offer()
	h.tap(visit.ButtonTake).on(visit.ScreenDone)
	h.paper()
	h.meanwhile(nil)
	h.copies(tournament.CopyPrinted)
}

// The machine starts again while central is away: nobody knows how long ago it heard who is excluded.
func TestAMachineThatStartsWhileCentralIsAwayGivesNothing(t *testing.T) {
	h := newHouse(t)
	h.sellThandi(1)
	h.openAlone("boot-1")
	h.eventually("a grant", h.alone.Load)
	h.cut()
	h.stop()
	h.opensAlone("boot-2").swipe().trouble(visit.TroubleCentral)
	h.noPaper()
}

func TestAStrangerIsSentToTheDeskWhileCentralIsAway(t *testing.T) {
	h := newHouse(t)
	h.sellThandi(1)
	h.openAlone("boot-1")
	h.eventually("a grant", h.alone.Load)
	h.cut()
	h.must(h.scanner.Scan(emulator.GreenBook(pieter)))
	h.trouble(visit.TroubleElsewhere)
	h.tap(visit.ButtonDone).on(visit.ScreenAttract)
	h.noPaper()
}

func TestWithoutAGrantCentralIsAway(t *testing.T) {
	h := newHouse(t)
	h.sellThandi(1)
	h.openCopying().cut().swipe().trouble(visit.TroubleCentral)
}
