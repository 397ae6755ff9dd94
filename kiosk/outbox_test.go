package kiosk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"reelkiosk/kiosk/visit"
	"reelkiosk/store/ledger"
	"reelkiosk/store/replica"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// sender runs a courier of a replica that belongs to no kiosk, and returns it.
func (h *house) sender(file *replica.Replica) *courier {
	h.Helper()
	c := newCourier(Parts{Replica: file, Central: h.desk, Log: slog.New(slog.NewTextHandler(&h.log, nil))})
	c.awaited, c.deliver = func(visit.Call) bool { return false }, func(visit.Event) {}
	c.broken = func(err error) { h.Error(err) }
	ctx, cancel := context.WithCancel(context.Background())
	var run sync.WaitGroup
	run.Go(func() { c.run(ctx, "kiosk-1") })
	h.Cleanup(func() { cancel(); run.Wait() })
	return c
}

func (h *house) file() *replica.Replica {
	h.Helper()
	file, err := replica.Open(filepath.Join(h.TempDir(), "replica"), strings.NewReader(strings.Repeat("some enrolment ", 10)))
	h.must(err)
	h.Cleanup(func() { h.must(file.Close()) })
	return file
}

// owe has a replica owe central a notice.
func (h *house) owe(file *replica.Replica, detail string) {
	h.Helper()
	_, err := file.Ask(wire.PathNotices, wire.Notice{Kind: wire.HelpCalled, Kiosk: "kiosk-1", Detail: detail})
	h.must(err)
}

// told returns what central was told in notices, in order.
func (h *house) told() string {
	h.Helper()
	events, err := h.desk.Events(h.Context(), 0, 10_000)
	h.must(err)
	var told []string
	for _, text := range events {
		var event ledger.Event
		h.must(json.Unmarshal(text, &event))
		var said struct{ Detail string }
		if event.What == ledger.Noticed {
			h.must(json.Unmarshal(event.Outcome, &said))
			told = append(told, said.Detail)
		}
	}
	return strings.Join(told, " ")
}

func TestWhatCentralCannotTakeHoldsUpNothing(t *testing.T) {
	h := newHouse(t)
	file := h.file()
	h.owe(file, "first")
	_, err := file.Ask(wire.PathPrints, wire.PrintOutcome{Ticket: "nobody's", State: tournament.CopyPrinted, Kiosk: "kiosk-1"})
	h.must(err)
	_, err = file.Ask(wire.PathNotices, map[string]string{"kind": "dreamt"})
	h.must(err)
	h.owe(file, "last")
	c := h.sender(file)
	h.eventually("nothing that waits", func() bool { return len(file.Requests()) == 0 })
	if told := h.told(); told != "first last" {
		t.Errorf("central was told %q", told)
	}
	outbox := c.outbox()
	if len(outbox.Dead) != 2 || outbox.Dead[0].Reason != string(tournament.UnknownTicket) || outbox.Dead[1].Reason == "" {
		t.Errorf("the dead letters are %+v", outbox.Dead)
	}
	h.must(c.again(t.Context(), outbox.Dead[0].Number))
	h.eventually("a new answer", func() bool { dead := file.Dead(); return len(dead) == 2 && dead[1].Number == 5 })
}

func TestAfterACutTheOutboxGoesTogetherAndInOrder(t *testing.T) {
	h := newHouse(t)
	file := h.file()
	var want []string
	for i := range 120 {
		detail := fmt.Sprint("n", i)
		h.owe(file, detail)
		want = append(want, detail)
	}
	var tries atomic.Int64
	h.meanwhile(func(next http.Handler, w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			next.ServeHTTP(w, r)
			return
		}
		switch tries.Add(1) {
		case 1: // a login page
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, "<html>Welcome to the guest network")
		case 2: // a proxy
			http.Error(w, "Bad Gateway", http.StatusBadGateway)
		case 3: // the answer is lost: all of them are in the books
			next.ServeHTTP(newHeld(w), r)
			hangUp(w)
		case 4: // half an answer
			answer := newHeld(w)
			next.ServeHTTP(answer, r)
			answer.body = answer.body[:len(answer.body)/2]
			answer.release()
		default:
			next.ServeHTTP(w, r)
		}
	})
	c := h.sender(file)
	for range 20 {
		if c.flush(t.Context()) == nil {
			break
		}
		if waiting := c.outbox().Waiting; len(waiting) != 120 || waiting[0].Tries == 0 || waiting[0].Why == "" {
			t.Fatalf("waiting: %d, the first %+v", len(waiting), waiting[0])
		}
	}
	if told := h.told(); told != strings.Join(want, " ") {
		t.Errorf("central was told %q", told)
	}
	if len(file.Requests()) > 0 || tries.Load() != 4+3 {
		t.Errorf("%d are left after %d tries", len(file.Requests()), tries.Load())
	}
}

func TestTwoSendersAtOnceAreHarmless(t *testing.T) {
	h := newHouse(t)
	file := h.file()
	var want []string
	for i := range 100 {
		detail := fmt.Sprint("n", i)
		h.owe(file, detail)
		want = append(want, detail)
	}
	for range 3 {
		h.sender(file)
	}
	h.eventually("nothing that waits", func() bool { return len(file.Requests()) == 0 })
	if told := h.told(); told != strings.Join(want, " ") {
		t.Errorf("central was told %q", told)
	}
	if dead := file.Dead(); len(dead) > 0 {
		t.Errorf("dead letters: %+v", dead)
	}
}

func TestAnItemThatBreaksTheWholeIsFoundAlone(t *testing.T) {
	h := newHouse(t)
	file := h.file()
	h.owe(file, "first")
	h.owe(file, "poison")
	h.owe(file, "last")
	h.meanwhile(func(next http.Handler, w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		h.must(err)
		if strings.Contains(string(body), "poison") {
			w.Header().Set(wire.HeaderCentral, "test")
			w.Header().Set("Content-Type", "application/problem+json")
			w.WriteHeader(http.StatusInternalServerError)
			_ = json.NewEncoder(w).Encode(wire.NewProblem(wire.ProblemInternal, 500, "Central has a fault"))
			return
		}
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		next.ServeHTTP(w, r)
	})
	h.sender(file)
	h.eventually("nothing that waits", func() bool { return len(file.Requests()) == 0 })
	if told, dead := h.told(), file.Dead(); told != "first last" || len(dead) != 1 || dead[0].Number != 2 {
		t.Errorf("central was told %q; dead letters %+v", told, dead)
	}
}

// TestTheLogSaysWhySomebodyIsSentToAHost: who reads a kiosk's log learns of nobody that he is excluded.
func TestTheLogSaysWhySomebodyIsSentToAHost(t *testing.T) {
	for _, reason := range []tournament.Reason{
		tournament.Excluded, tournament.Connected, tournament.UnderAge, tournament.Mismatch, tournament.PossibleMatch,
		tournament.Disqualified, tournament.Unverified,
	} {
		h := newHouse(t)
		file := h.file()
		request, err := file.Ask(wire.PathPrints, wire.PrintOutcome{})
		h.must(err)
		c := newCourier(Parts{Replica: file, Log: slog.New(slog.NewJSONHandler(&h.log, nil))})
		c.read(errand{request: request, call: visit.Call{Visit: 1, Number: 1}}, nil, reason.Refuse())
		if dead, settled := c.bury(errand{request: request}, reason.Refuse()); !dead || !settled {
			t.Errorf("%s: dead %v, settled %v", reason, dead, settled)
		}
		if said := h.log.String(); strings.Contains(said, string(reason)) || strings.Count(said, "see-host") != 2 {
			t.Errorf("%s: the log says %s", reason, said)
		}
		if kept := file.Dead(); len(kept) != 1 || kept[0].Reason != string(reason) {
			t.Errorf("%s: the host cannot see why: %+v", reason, kept)
		}
	}
}

func TestARunningKioskSaysWhatItHasToTell(t *testing.T) {
	h := newHouse(t)
	parts := h.parts()
	parts.Control = filepath.Join(t.TempDir(), "kiosk.sock")
	_, err := RunningOutbox(t.Context(), parts.Control)
	if !errors.Is(err, ErrNotRunning) {
		t.Errorf("before it runs: %v", err)
	}
	_, err = parts.Replica.Ask(wire.PathPrints, wire.PrintOutcome{Ticket: "nobody's", State: tournament.CopyPrinted, Kiosk: "kiosk-1"})
	h.must(err)
	h.run(parts)
	var outbox Outbox
	h.eventually("a dead letter", func() bool {
		outbox, err = RunningOutbox(t.Context(), parts.Control)
		return err == nil && len(outbox.Dead) == 1
	})
	if dead := outbox.Dead[0]; dead.Reason != string(tournament.UnknownTicket) || dead.Number == 0 {
		t.Errorf("it is %+v", dead)
	}
	h.until("the time", func(s visit.State) bool { return len(s.Floor.Heats) > 0 })
	done, err := RunningRetry(t.Context(), parts.Control, nil)
	if err != nil || len(done.Numbers) != 1 || done.Numbers[0] != outbox.Dead[0].Number {
		t.Errorf("sent again: %+v, %v", done, err)
	}
	h.eventually("another answer", func() bool {
		again, err := RunningOutbox(t.Context(), parts.Control)
		return err == nil && len(again.Dead) == 1 && again.Dead[0].Number > outbox.Dead[0].Number && !again.Dead[0].At.IsZero()
	})
	if _, err := RunningRetry(t.Context(), parts.Control, []uint64{1 << 40}); err == nil || !strings.Contains(err.Error(), "no dead letter") {
		t.Errorf("a number that is none: %v", err)
	}
	h.stop()
	if _, err := RunningOutbox(t.Context(), parts.Control); !errors.Is(err, ErrNotRunning) {
		t.Errorf("after it ran: %v", err)
	}
}
