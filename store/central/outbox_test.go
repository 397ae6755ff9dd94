package central

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"

	"reelkiosk/store/client"
	"reelkiosk/store/kv"
	"reelkiosk/store/ledger"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// boxed makes an item of an outbox.
func boxed(t *testing.T, sequence uint64, path string, body any) wire.OutboxItem {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	return wire.OutboxItem{Sequence: sequence, Path: path, Body: string(text)}
}

func help(detail string) wire.Notice {
	return wire.Notice{Kind: wire.HelpCalled, Kiosk: "kiosk-1", Detail: detail}
}

// told returns the details of all notices in the books.
func (h *house) told() (details []string) {
	h.Helper()
	err := h.writer.view(h.Context(), func(view kv.Reader) error {
		events, err := h.books.Events(view, 0, 10_000)
		for _, event := range events {
			var said struct{ Detail string }
			if event.What == ledger.Noticed && json.Unmarshal(event.Outcome, &said) == nil {
				details = append(details, said.Detail)
			}
		}
		return err
	})
	if err != nil {
		h.Fatal(err)
	}
	return details
}

func TestEachItemOfAnOutboxHasItsOwnAnswer(t *testing.T) {
	h := newHouse(t)
	who := h.player(1)
	items := []wire.OutboxItem{
		boxed(t, 1, wire.PathNotices, help("first")),
		boxed(t, 2, wire.PathPrints, wire.PrintOutcome{Ticket: "nobody's", State: tournament.CopyPrinted, Kiosk: "kiosk-1"}),
		boxed(t, 3, wire.PathNotices, map[string]any{"kind": "dreamt", "kiosk": "kiosk-1"}),
		{Sequence: 4, Path: wire.PathNotices, Body: `{"half":`},
		boxed(t, 5, wire.PathImports, wire.Import{}),
		boxed(t, 6, "/v1/nowhere", 1),
		boxed(t, 7, wire.PathOutbox, wire.Outbox{}),
		boxed(t, 8, wire.PathRegistrations, h.registration(who, h.nextHeat())),
		boxed(t, 9, wire.PathNotices, help("last")),
	}
	for range 2 { // the second time nothing changes
		answered, err := h.client.SendAll(t.Context(), "kiosk-1", 1, items)
		if err != nil || len(answered) != len(items) {
			t.Fatalf("%d answers: %v", len(answered), err)
		}
		kind := func(at int) string {
			if refusal, is := errors.AsType[*tournament.Refusal](answered[at].Err); is {
				return string(refusal.Reason)
			}
			if problem, is := errors.AsType[*wire.Problem](answered[at].Err); is {
				return problem.Kind()
			}
			return ""
		}
		for at, want := range []string{
			"", string(tournament.UnknownTicket), wire.ProblemInvalid, wire.ProblemInvalid, wire.ProblemInvalid, wire.ProblemInvalid,
			wire.ProblemInvalid, "", "",
		} {
			if got := kind(at); got != want {
				t.Errorf("item %d: %q, want %q (%v)", items[at].Sequence, got, want, answered[at].Err)
			}
		}
		var seat wire.Seat
		if err := json.Unmarshal(answered[7].Answer, &seat); err != nil || seat.Machine == 0 {
			t.Errorf("the seat is %s: %v", answered[7].Answer, err)
		}
	}
	if told := strings.Join(h.told(), " "); told != "first last" {
		t.Errorf("the books were told %q", told)
	}
}

func TestAnItemHasOneAnswerWhicheverWayItComes(t *testing.T) {
	h := newHouse(t)
	notice := help("once")
	item := boxed(t, 1, wire.PathNotices, notice)
	first, err := h.client.Send(t.Context(), client.Key{Enrolment: "kiosk-1", Sequence: 1}, item.Path, []byte(item.Body))
	if err != nil {
		t.Fatal(err)
	}
	answered, err := h.client.SendAll(t.Context(), "kiosk-1", 0, []wire.OutboxItem{item})
	if err != nil || string(answered[0].Answer) != string(first) {
		t.Errorf("alone %s, in an outbox %s: %v", first, answered[0].Answer, err)
	}
	other := boxed(t, 1, wire.PathNotices, help("another"))
	answered, err = h.client.SendAll(t.Context(), "kiosk-1", 0, []wire.OutboxItem{other})
	if refusal, is := errors.AsType[*tournament.Refusal](answered[0].Err); err != nil || !is || refusal.Reason != tournament.KeyReused {
		t.Errorf("the same key with another body: %v, %v", answered, err)
	}
}

func TestTwoSendersOfOneOutboxAtOnce(t *testing.T) {
	h := newHouse(t)
	var items []wire.OutboxItem
	var want []string
	for i := range wire.MostOutbox {
		detail := strings.Repeat("x", i+1)
		items, want = append(items, boxed(t, uint64(i+1), wire.PathNotices, help(detail))), append(want, detail)
	}
	var senders sync.WaitGroup
	for range 4 {
		senders.Go(func() {
			answered, err := h.client.SendAll(t.Context(), "kiosk-1", 1, items)
			if err != nil || len(answered) != len(items) {
				t.Errorf("%d answers: %v", len(answered), err)
			}
			for _, one := range answered {
				if one.Err != nil {
					t.Errorf("item %d: %v", one.Sequence, one.Err)
				}
			}
		})
	}
	senders.Wait()
	if told := h.told(); strings.Join(told, " ") != strings.Join(want, " ") {
		t.Errorf("the books were told %d things, of %d", len(told), len(want))
	}
}

func TestAnOutboxStopsWhereCentralCannotGoOn(t *testing.T) {
	h := newHouse(t)
	h.writer.close() // no request is taken any more
	response := h.raw(http.MethodPost, wire.PathOutbox, `{"enrolment":"kiosk-1","items":[
		{"seq":1,"path":"/v1/notices","body":"{\"kind\":\"help\",\"kiosk\":\"k\",\"at\":\"2026-11-30T12:00:00+02:00\"}"},
		{"seq":2,"path":"/v1/notices","body":"{\"kind\":\"help\",\"kiosk\":\"k\",\"at\":\"2026-11-30T12:00:00+02:00\"}"}]}`)
	var answers wire.OutboxAnswers
	if err := json.NewDecoder(response.Body).Decode(&answers); err != nil || len(answers.Answers) != 1 || answers.Answers[0].Status != 503 {
		t.Errorf("%+v, %v", answers, err)
	}
}

func TestAnOutboxMayHoldOnlyWhatItsSenderMay(t *testing.T) {
	g := newGuardedHouse(t)
	kiosk := g.enrols("kiosk-1", wire.RoleKiosk)
	answered, err := kiosk.SendAll(t.Context(), kiosk.enrolment, 0, []wire.OutboxItem{
		boxed(t, 1, wire.PathNotices, help("mine")),
		boxed(t, 2, wire.PathNotices, wire.Notice{Kind: wire.HelpCalled, Kiosk: "kiosk-2"}),
		boxed(t, 3, wire.PathPurchases, wire.Purchase{Kind: tournament.CashBuyIn, Seats: 1, Operator: "x", Desk: "kiosk-1"}),
	})
	if err != nil || len(answered) != 3 || answered[0].Err != nil {
		t.Fatal(answered, err)
	}
	wantRefused(t, answered[1].Err, tournament.NotAllowed)
	wantRefused(t, answered[2].Err, tournament.NotAllowed)
	answered, err = kiosk.SendAll(t.Context(), draw(t), 0, []wire.OutboxItem{boxed(t, 1, wire.PathNotices, help("another's"))})
	if err != nil {
		t.Fatal(err)
	}
	wantRefused(t, answered[0].Err, tournament.NotAllowed)
}
