package central

import (
	"errors"
	"testing"
	"time"

	"reelkiosk/store/kv"
	"reelkiosk/store/ledger"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// enlists puts kiosks on the list of homes, as their enrolment does.
func (h *house) enlists(kiosks ...string) {
	h.Helper()
	for _, kiosk := range kiosks {
		if _, err := apply[wire.Accepted](h.Context(), h.Central, ledger.Request{Act: ledger.Enlist{Kiosk: kiosk}}); err != nil {
			h.Fatal(err)
		}
	}
}

// awayFrom buys seats for a player whose home is a kiosk, which has a grant.
func (h *house) awayFrom(where string, seats int) tournament.PersonID {
	h.Helper()
	for {
		who := h.player(seats)
		held, _, err := h.waitsFor(h.Context(), ledger.Register{Person: who}, where)
		if err != nil {
			h.Fatal(err)
		}
		if held {
			return who
		}
	}
}

func reasonOf(err error) tournament.Reason {
	if refusal, is := errors.AsType[*tournament.Refusal](err); is {
		return refusal.Reason
	}
	return ""
}

func TestGrantGivenAloneReportedAndGivenBack(t *testing.T) {
	h := newHouse(t)
	h.enlists("kiosk-1")
	key := h.key()
	grant, err := h.client.AskGrant(t.Context(), key, wire.AskGrant{Kiosk: "kiosk-1"})
	if err != nil || grant.Number != 1 || len(grant.Blocks) == 0 {
		t.Fatal(grant, err)
	}
	if again, err := h.client.AskGrant(t.Context(), key, wire.AskGrant{Kiosk: "kiosk-1"}); err != nil || again.Number != 1 {
		t.Errorf("the same key: %+v, %v", again, err)
	}
	who := h.awayFrom("kiosk-2", 1)
	var report wire.SeatReport
	err = h.writer.view(t.Context(), func(view kv.Reader) (err error) {
		request := h.registration(who, grant.Blocks[len(grant.Blocks)-1].Heat)
		report, _, err = h.books.SeatAlone(kv.NewOverlay(view), ledger.Request{
			At: h.wall, Who: player, Where: "kiosk-1", Random: h.Central.options.Random, Act: ledger.Register(request),
		}, ledger.Alone{Kiosk: "kiosk-1", Grant: &grant, Gone: func(tournament.TicketNumber) bool { return false }})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.client.ReportSeat(t.Context(), h.key(), report); err != nil {
		t.Fatal(err)
	}
	seats, err := h.client.Seats(t.Context(), report.Heat)
	if err != nil || len(seats.Seats) != 1 || seats.Seats[0].ID != report.Seat {
		t.Errorf("got %+v, %v", seats, err)
	}
	back := wire.GiveBack{Kiosk: "kiosk-1"}
	for _, block := range grant.Blocks {
		for _, seat := range block.Seats {
			back.Tickets = append(back.Tickets, seat.Ticket)
		}
	}
	if _, err := h.client.GiveBack(t.Context(), h.key(), back); err != nil {
		t.Fatal(err)
	}
	heats, err := h.client.Heats(t.Context(), time.Time{}, 1)
	if err != nil || heats.Heats[0].Free != heats.Heats[0].Size {
		t.Errorf("got %+v, %v", heats, err)
	}
}

// A player goes to another kiosk than his home, which is connected: he waits for one round trip and gets his seat.
func TestAPlayerAtAnotherKioskWaitsForHisHomeToLetHimGo(t *testing.T) {
	h := newHouse(t)
	h.enlists("kiosk-1", "kiosk-2")
	if _, err := h.client.AskGrant(t.Context(), h.key(), wire.AskGrant{Kiosk: "kiosk-1"}); err != nil {
		t.Fatal(err)
	}
	who := h.awayFrom("kiosk-2", 2)
	request := h.registration(who, h.nextHeat())
	request.Kiosk = "kiosk-2"
	home := make(chan error, 1)
	go func() { home <- h.letsGoOnce("kiosk-1") }()
	seat, err := h.client.Register(t.Context(), h.key(), request)
	if err != nil || seat.Machine != 1 {
		t.Errorf("got %+v, %v", seat, err)
	}
	if err := <-home; err != nil {
		t.Error(err)
	}
}

// letsGoOnce plays a home: it lets the first player go whom it is asked to.
func (h *house) letsGoOnce(kiosk string) error {
	for {
		_, changed := h.feed.newest()
		people, err := read(h.Context(), h.Central, func(view kv.Reader) ([]ledger.LetGoAsk, error) {
			return h.books.LetGoAsked(view, kiosk)
		})
		if err != nil {
			return err
		}
		if len(people) > 0 {
			_, err := h.client.LetGo(h.Context(), h.key(), wire.LetGo{Kiosk: kiosk, Person: people[0].Person})
			return err
		}
		select {
		case <-changed:
		case <-h.Context().Done():
			return h.Context().Err()
		}
	}
}

func TestAPlayerWhoseHomeIsSilentIsSentToTheDesk(t *testing.T) {
	h := newHouse(t)
	h.enlists("kiosk-1", "kiosk-2")
	if _, err := h.client.AskGrant(t.Context(), h.key(), wire.AskGrant{Kiosk: "kiosk-1"}); err != nil {
		t.Fatal(err)
	}
	who := h.awayFrom("kiosk-2", 2)
	request := h.registration(who, h.nextHeat())
	request.Kiosk = "desk-1"
	began := time.Now()
	if _, err := h.client.Register(t.Context(), h.key(), request); reasonOf(err) != tournament.HomeSilent {
		t.Errorf("got %v, want home-silent", err)
	}
	if took := time.Since(began); took < kiosksWait || took > kiosksWait+5*time.Second {
		t.Errorf("it took %s", took)
	}
	override := wire.Override{Person: who, Operator: "pat", Why: "kiosk-1 is dark"}
	if _, err := h.client.Override(t.Context(), h.key(), override); reasonOf(err) != tournament.TooSoon {
		t.Errorf("at once: %v", err)
	}
	h.pass(2 * time.Minute)
	if _, err := h.client.Override(t.Context(), h.key(), override); err != nil {
		t.Error(err)
	}
	if _, err := h.client.Register(t.Context(), h.key(), request); err != nil {
		t.Error(err)
	}
	if _, err := h.client.EndGrants(t.Context(), h.key(), wire.EndGrants{Kiosk: "kiosk-1", Operator: "pat", Why: "it is gone"}); err != nil {
		t.Error(err)
	}
}

// Everything but what a kiosk was granted is given; the next player waits for that to come back, and gets it.
func TestAPlayerWaitsForMachinesThatAreCalledBack(t *testing.T) {
	h := newHouse(t)
	h.enlists("kiosk-1")
	grant, err := h.client.AskGrant(t.Context(), h.key(), wire.AskGrant{Kiosk: "kiosk-1"})
	if err != nil {
		t.Fatal(err)
	}
	heat := grant.Blocks[0].Heat
	for {
		if _, called, err := h.waitsFor(t.Context(), ledger.Register{Heat: heat}, ""); called || err != nil {
			break
		}
		if _, err := h.client.Register(t.Context(), h.key(), h.registration(h.player(1), heat)); err != nil {
			t.Fatal(err)
		}
	}
	who := h.player(1)
	back := make(chan error, 1)
	go func() {
		_, err := h.client.GiveBack(h.Context(), h.key(), wire.GiveBack{
			Kiosk: "kiosk-1", Tickets: []tournament.TicketNumber{grant.Blocks[0].Seats[0].Ticket},
		})
		back <- err
	}()
	seat, err := h.client.Register(t.Context(), h.key(), h.registration(who, heat))
	if err != nil || seat.Machine != grant.Blocks[0].Seats[0].Machine {
		t.Errorf("got %+v, %v; want machine %d", seat, err, grant.Blocks[0].Seats[0].Machine)
	}
	if err := <-back; err != nil {
		t.Error(err)
	}
}
