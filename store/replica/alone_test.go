package replica

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"reelkiosk/store/central"
	"reelkiosk/store/client"
	"reelkiosk/store/exclusion"
	"reelkiosk/store/kv"
	"reelkiosk/store/ledger"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// lists puts kiosks on the list of homes, as their enrolment does.
func (h *hall) lists(kiosks ...string) {
	h.Helper()
	h.reopen(func(options *central.Options) {
		store, err := options.OpenBooks()
		h.must(err)
		leader, err := store.Lead(h.Context())
		h.must(err)
		books := ledger.New(options.Definition, options.Vault, exclusion.NewSet(nil))
		h.must(store.View(h.Context(), func(view kv.Reader) error {
			overlay := kv.NewOverlay(view)
			for _, kiosk := range kiosks {
				_, err := books.Apply(overlay, ledger.Request{At: time.Now(), Random: rand.Reader, Act: ledger.Enlist{Kiosk: kiosk}})
				h.must(err)
			}
			return leader.Apply(h.Context(), overlay.Batch())
		}))
		h.must(store.Close())
	})
}

// stand is a kiosk that may be cut off: its own file, and what it holds.
type stand struct {
	*hall
	*Replica
	*Alone
	path string
	boot string
	mute bool
}

// stands opens the kiosk's own file, and brings what it has to say to central.
func (h *hall) stands(kiosk string) *stand {
	h.Helper()
	s := &stand{hall: h, path: filepath.Join(h.TempDir(), "kiosk.db"), boot: "boot-1"}
	s.starts(kiosk)
	h.Cleanup(func() { h.must(s.Replica.Close()) })
	return s
}

func (s *stand) starts(kiosk string) {
	s.Helper()
	if s.Replica != nil {
		s.must(s.Replica.Close())
	}
	var err error
	s.Replica, err = Open(s.path, rand.Reader)
	s.must(err)
	s.Alone, err = OpenAlone(s.Replica, s.Mirror, kiosk, AloneClock{
		Boot: s.boot, Elapsed: s.Mirror.elapsed, Now: func() (time.Time, bool) { return time.Now(), !s.mute },
	}, rand.Reader)
	s.must(err)
}

// turns does what is due, and has central answer all of it.
func (s *stand) turns() {
	s.Helper()
	_, err := s.Turn(s.Context(), true)
	s.must(err)
	s.delivers()
}

func (s *stand) delivers() {
	s.Helper()
	for len(s.Requests()) > 0 {
		request := s.Requests()[0]
		key := client.Key{Enrolment: s.Enrolment(), Sequence: request.Sequence, Settled: s.Settled()}
		answer, err := s.desk.Send(s.Context(), key, request.Path, request.Body)
		if errors.Is(err, client.ErrAway) {
			s.Fatal(err)
		}
		_, err = s.Answered(request, answer, err, nil)
		s.must(err)
	}
}

// ready has the kiosk ask for a grant and take it into use.
func (s *stand) ready() {
	s.Helper()
	s.turns()
	s.upToDate()
	s.turns()
	s.must(s.Alone.Ready(s.Context()))
}

func (s *stand) person(number int) tournament.PersonID {
	s.Helper()
	person, heats, err := s.Alone.Identify(s.Context(), wire.Identify{Document: paper(number), Kiosk: "kiosk-1"}, 50)
	s.must(err)
	for _, heat := range heats {
		if heat.Free > heat.Size/10 {
			s.Errorf("%s: %d of %d seats are said to be free at a kiosk that was granted a tenth", heat.ID, heat.Free, heat.Size)
		}
	}
	return person.ID
}

// wants is a registration for the heat of that place among those that are open.
func (s *stand) wants(who tournament.PersonID, place int) wire.Register {
	s.Helper()
	var heats []wire.Heat
	s.must(s.Mirror.View(s.Context(), func(books *ledger.Books, view kv.Reader) (err error) {
		heats, err = books.Heats(view, time.Now().Add(time.Hour), place+1)
		return err
	}))
	return wire.Register{
		Person: who, Heat: heats[place].ID, Kiosk: "kiosk-1", Rules: s.options.Definition.Text.Hash, Declared: true, By: "document",
	}
}

func refusedFor(err error) tournament.Reason {
	if refusal, is := errors.AsType[*tournament.Refusal](err); is {
		return refusal.Reason
	}
	return ""
}

func TestAKioskGivesSeatsAloneAndReportsThem(t *testing.T) {
	h := newHall(t)
	h.lists("kiosk-1")
	h.sell(1)
	h.copy().upToDate()
	s := h.stands("kiosk-1")
	if reason := refusedFor(s.Alone.Ready(t.Context())); reason != tournament.NoGrant {
		t.Errorf("before anything was granted: %q", reason)
	}
	s.ready()
	who := s.person(1)
	seat, report, err := s.Give(t.Context(), s.wants(who, 0))
	if err != nil || report.Path != wire.PathSeatReports || seat.Machine == 1 || seat.CopyState != tournament.CopyIntended {
		t.Fatal(seat, report, err)
	}
	if s.MayAsk(who) {
		t.Error("central may be asked to act for a player of whom a seat is not reported")
	}
	s.mute = true // central tells no time
	s.starts("kiosk-1")
	if len(s.Intents()) != 1 || s.Intents()[0].Ticket != seat.Ticket || len(s.Requests()) != 1 {
		t.Errorf("after a start: %v, %v", s.Intents(), s.Requests())
	}
	if _, _, err := s.Give(t.Context(), s.wants(who, 0)); refusedFor(err) != tournament.AlreadySeated {
		t.Errorf("the same heat after a start: %v", err)
	}
	s.delivers()
	seats, err := h.desk.Seats(t.Context(), seat.Heat)
	if err != nil || len(seats.Seats) != 1 || seats.Seats[0].ID != seat.ID || seats.Seats[0].Ticket != seat.Ticket {
		t.Errorf("got %+v, %v", seats, err)
	}
	if !s.MayAsk(who) || len(s.laid) != 1 {
		t.Errorf("reported, and %d seats are laid over the copy", len(s.laid))
	}
	h.upToDate()
	s.turns()
	if len(s.laid) != 0 {
		t.Error("the feed has brought the seat, and it is still laid over the copy")
	}
	if _, err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	s.delivers()
	heats, err := h.desk.Heats(t.Context(), seat.Start, 1)
	if err != nil || heats.Heats[0].Free != heats.Heats[0].Size-1 {
		t.Errorf("got %+v, %v", heats, err)
	}
	if reason := refusedFor(s.Alone.Ready(t.Context())); reason != tournament.NoGrant {
		t.Errorf("after a planned stop: %q", reason)
	}
}

// TestAPlayerOfAnotherHomeIsToldWhichItIs: whoever is cut off may know that one to be alive.
func TestAPlayerOfAnotherHomeIsToldWhichItIs(t *testing.T) {
	h := newHall(t)
	h.lists("kiosk-1", "kiosk-2")
	const players = 16 // each has one home or the other, by a random id
	for number := range players {
		h.sell(number + 1)
	}
	h.copy().upToDate()
	s := h.stands("kiosk-1")
	s.ready()
	own, others := 0, 0
	for number := range players + 1 {
		_, _, err := s.Alone.Identify(t.Context(), wire.Identify{Document: paper(number + 1), Kiosk: "kiosk-1"}, 50)
		away, is := errors.AsType[*NotHomeError](err)
		switch {
		case number == players:
			if !is || away.Home != "" || refusedFor(err) != tournament.NotHome {
				t.Errorf("a stranger: %v", err)
			}
		case err == nil:
			own++
		case is && away.Home == "kiosk-2" && refusedFor(err) == tournament.NotHome:
			others++
		default:
			t.Error(err)
		}
	}
	if own == 0 || others == 0 {
		t.Errorf("%d at home, %d elsewhere", own, others)
	}
	if machines, left := s.Held(); machines == 0 || left <= 0 {
		t.Errorf("holds %d machines for %v", machines, left)
	}
}

func TestAnotherBootGivesNothingAlone(t *testing.T) {
	h := newHall(t)
	h.lists("kiosk-1")
	h.sell(1)
	h.copy().upToDate()
	s := h.stands("kiosk-1")
	s.ready()
	if _, _, err := s.Alone.Identify(t.Context(), wire.Identify{Document: paper(2), Kiosk: "kiosk-1"}, 50); refusedFor(err) != tournament.NotHome {
		t.Errorf("a stranger: %v", err)
	}
	who := s.person(1)
	s.boot = "boot-2"
	s.starts("kiosk-1")
	if _, _, err := s.Give(t.Context(), s.wants(who, 0)); refusedFor(err) != tournament.NoGrant {
		t.Errorf("got %v, want no-grant", err)
	}
	if _, err := OpenAlone(s.Replica, s.Mirror, "kiosk-2", AloneClock{}, rand.Reader); err == nil {
		t.Error("the file of one kiosk was opened as another's")
	}
}

// A request for the player is not answered: nobody knows which entry is left.
func TestNothingIsGivenAloneWhileARequestIsUnsettled(t *testing.T) {
	h := newHall(t)
	h.lists("kiosk-1")
	h.sell(1)
	h.copy().upToDate()
	s := h.stands("kiosk-1")
	s.ready()
	who := s.person(1)
	request, err := s.Ask(wire.PathRegistrations, s.wants(who, 0))
	h.must(err)
	if _, _, err := s.Give(t.Context(), s.wants(who, 1)); refusedFor(err) != tournament.Unsettled {
		t.Errorf("got %v, want unsettled", err)
	}
	answer, err := h.desk.Send(t.Context(), client.Key{Enrolment: s.Enrolment(), Sequence: request.Sequence}, request.Path, request.Body)
	h.must(err)
	h.between.Store(nil)
	_, err = s.Answered(request, answer, nil, nil)
	h.must(err)
	h.upToDate()
	s.turns()
	if _, _, err := s.Give(t.Context(), s.wants(who, 0)); refusedFor(err) != tournament.AlreadySeated {
		t.Errorf("got %v, want already-seated", err)
	}
}

// The player is at the desk; his home hears of it by the feed and lets him go, and gives him nothing until its next grant.
func TestAHomeLetsAPlayerGo(t *testing.T) {
	h := newHall(t)
	h.lists("kiosk-1")
	h.sell(1)
	h.copy().upToDate()
	s := h.stands("kiosk-1")
	s.ready()
	who := s.person(1)
	request := s.wants(who, 0)
	request.Kiosk = "desk-1"
	done := make(chan error, 1)
	go func() {
		_, err := h.desk.Register(context.Background(), client.Key{Enrolment: "desk-2", Sequence: 1}, request)
		done <- err
	}()
	for len(s.kept.Let) == 0 {
		<-h.heads
		_, err := s.Turn(t.Context(), true)
		h.must(err)
	}
	s.delivers()
	h.must(<-done)
	if _, _, err := s.Give(t.Context(), s.wants(who, 1)); refusedFor(err) != tournament.LetGo {
		t.Errorf("got %v, want let-go", err)
	}
	s.starts("kiosk-1")
	if _, _, err := s.Give(t.Context(), s.wants(who, 1)); refusedFor(err) != tournament.LetGo {
		t.Errorf("after a start: got %v, want let-go", err)
	}
}

// What central cannot take of what happened is kept for somebody to look at, and counts as not reported.
func TestAReportThatIsRefusedBecomesADeadLetter(t *testing.T) {
	h := newHall(t)
	h.lists("kiosk-1")
	h.sell(1)
	h.copy().upToDate()
	s := h.stands("kiosk-1")
	s.ready()
	who := s.person(1)
	_, report, err := s.Give(t.Context(), s.wants(who, 0))
	h.must(err)
	_, err = s.Answered(report, json.RawMessage(nil), &wire.Problem{Title: "The request makes no sense"}, nil)
	h.must(err)
	if len(s.Dead()) != 1 || len(s.Requests()) != 0 || s.MayAsk(who) {
		t.Errorf("dead %v, requests %v, may ask %v", s.Dead(), s.Requests(), s.MayAsk(who))
	}
}
