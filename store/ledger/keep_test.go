package ledger

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"testing"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// keyed applies an act under a key.
func (f *floor) keyed(sequence, settled uint64, body string, act Act) (Answer, error) {
	request := f.request(act)
	request.Key, request.Settled, request.Body = wire.Key{Enrolment: "kiosk-1", Sequence: sequence}, settled, sha256.Sum256([]byte(body))
	return f.books.Apply(f.view, request)
}

// odoo#40567: the server did it, the answer was lost, the client sent again: done twice.
func TestAnswerLostAndSentAgainGivesTheFirstAnswer(t *testing.T) {
	f := newFloor(t)
	bought := f.buys(thandi, 2)
	act := registration(bought.Person, at13)
	first, err := f.keyed(1, 1, "body", act)
	if err != nil {
		t.Fatal(err)
	}
	events := len(f.events())
	again, err := f.keyed(1, 1, "body", act)
	if err != nil || !again.Again || string(again.Text) != string(first.Text) {
		t.Fatalf("got %s, %v; want %s", again.Text, err, first.Text)
	}
	seat, err := As[wire.Seat](first)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := As[wire.Seat](again)
	if err != nil || kept.ID != seat.ID || kept.Ticket != seat.Ticket || !kept.Start.Equal(seat.Start) {
		t.Errorf("got %+v, %v; want %+v", kept, err, seat)
	}
	if after := len(f.events()); after != events {
		t.Errorf("the second time left %d events", after-events)
	}
	if seats, err := f.books.Seats(f.view, at13); err != nil || len(seats) != 1 {
		t.Errorf("%d seats, %v", len(seats), err)
	}
}

func TestRefusalIsKeptToo(t *testing.T) {
	f := newFloor(t)
	who := f.meets(thandi)
	act := registration(who.ID, at13)
	_, first := f.keyed(1, 1, "body", act)
	// What would be allowed by now does not matter: that request was answered.
	f.buys(thandi, 1)
	_, again := f.keyed(1, 1, "body", act)
	for _, err := range []error{first, again} {
		if refusal, is := errors.AsType[*tournament.Refusal](err); !is || refusal.Reason != tournament.NoEntries || refusal.Clause != 5 {
			t.Errorf("got %v, want %s", err, tournament.NoEntries)
		}
	}
	if _, err := f.keyed(2, 1, "body", act); err != nil {
		t.Errorf("another request: %v", err)
	}
}

func TestKeptRefusalKeepsItsMoment(t *testing.T) {
	f := newFloor(t)
	bought := f.buys(thandi, 1)
	act := registration(bought.Person, heatID(today.AddDays(1), 13))
	_, first := f.keyed(1, 1, "body", act)
	_, again := f.keyed(1, 1, "body", act)
	early, _ := errors.AsType[*tournament.Refusal](first)
	late, _ := errors.AsType[*tournament.Refusal](again)
	if early == nil || late == nil || early.Reason != tournament.NotOpen || !late.Until.Equal(early.Until) || late.Until.IsZero() {
		t.Errorf("got %+v and %+v", early, late)
	}
}

func TestKeyWithAnotherBodyIsRefused(t *testing.T) {
	f := newFloor(t)
	bought := f.buys(thandi, 2)
	if _, err := f.keyed(1, 1, "body", registration(bought.Person, at13)); err != nil {
		t.Fatal(err)
	}
	_, err := f.keyed(1, 1, "another body", registration(bought.Person, at14))
	if refusal, is := errors.AsType[*tournament.Refusal](err); !is || refusal.Reason != tournament.KeyReused {
		t.Errorf("got %v, want %s", err, tournament.KeyReused)
	}
	if seats, err := f.books.Seats(f.view, at14); err != nil || len(seats) != 0 {
		t.Errorf("%d seats, %v", len(seats), err)
	}
}

func TestKeyThatWasSettledIsNeverApplied(t *testing.T) {
	f := newFloor(t)
	bought := f.buys(thandi, 5)
	for sequence := range uint64(3) {
		if _, err := f.keyed(sequence+1, sequence+1, "body", registration(bought.Person, heatID(today, 13+int(sequence)))); err != nil {
			t.Fatal(err)
		}
	}
	events := len(f.events())
	for sequence := range uint64(2) {
		_, err := f.keyed(sequence+1, 0, "body", registration(bought.Person, at20))
		if refusal, is := errors.AsType[*tournament.Refusal](err); !is || refusal.Reason != tournament.KeySettled {
			t.Errorf("sequence %d: got %v, want %s", sequence+1, err, tournament.KeySettled)
		}
	}
	if after := len(f.events()); after != events {
		t.Errorf("settled requests left %d events", after-events)
	}
	if answers := countKept(f); answers != 1 {
		t.Errorf("%d answers are kept, want the last", answers)
	}
	// The answer that is not settled is still there.
	if again, err := f.keyed(3, 3, "body", registration(bought.Person, heatID(today, 15))); err != nil || !again.Again {
		t.Errorf("got %+v, %v", again, err)
	}
}

func TestSettledAnswersAreDroppedAFewAtATime(t *testing.T) {
	f := newFloor(t)
	f.rough = true
	notice := Notice{Kind: wire.HelpCalled, Kiosk: "kiosk-1"}
	for sequence := range uint64(100) {
		if _, err := f.keyed(sequence+1, 0, "body", notice); err != nil {
			t.Fatal(err)
		}
	}
	for step, want := range []int{86, 71, 56} {
		if _, err := f.keyed(uint64(101+step), 101, "body", notice); err != nil {
			t.Fatal(err)
		}
		if answers := countKept(f); answers != want {
			t.Errorf("step %d: %d answers are kept, want %d", step, answers, want)
		}
	}
}

func TestSenderCannotSettleMoreThanItsOwnSequence(t *testing.T) {
	f := newFloor(t)
	notice := Notice{Kind: wire.HelpCalled, Kiosk: "kiosk-1"}
	if _, err := f.keyed(5, 1<<60, "body", notice); err != nil {
		t.Fatal(err)
	}
	if again, err := f.keyed(5, 1<<60, "body", notice); err != nil || !again.Again {
		t.Errorf("got %+v, %v", again, err)
	}
	if _, err := f.keyed(6, 0, "body", notice); err != nil {
		t.Errorf("the next: %v", err)
	}
}

func TestWhatMakesNoSenseIsNotKept(t *testing.T) {
	f := newFloor(t)
	if _, err := f.keyed(1, 1, "body", Identify{}); !errors.Is(err, ErrInvalid) {
		t.Fatalf("got %v", err)
	}
	if f.view.Batch().Len() != 0 {
		t.Error("an invalid request wrote something")
	}
	if _, err := f.keyed(1, 1, "a corrected body", Notice{Kind: wire.HelpCalled}); err != nil {
		t.Error(err)
	}
	if _, err := f.books.Apply(f.view, Request{At: f.now}); !errors.Is(err, ErrInvalid) {
		t.Errorf("no act: got %v", err)
	}
}

func TestAnswersOfAnotherTypeAreNotTaken(t *testing.T) {
	if _, err := As[wire.Seat](Answer{Value: wire.Accepted{}}); err == nil {
		t.Error("an answer of another type was taken")
	}
	if _, err := As[wire.Seat](Answer{Text: []byte("{")}); err == nil {
		t.Error("half an answer was taken")
	}
}

func TestSendersDoNotShareKeys(t *testing.T) {
	f := newFloor(t)
	for i := range 3 {
		request := f.request(Notice{Kind: wire.HelpCalled})
		request.Key = wire.Key{Enrolment: fmt.Sprintf("kiosk-%d", i), Sequence: 1}
		request.Body = sha256.Sum256([]byte{byte(i)})
		if answer, err := f.books.Apply(f.view, request); err != nil || answer.Again {
			t.Errorf("kiosk %d: %+v, %v", i, answer, err)
		}
	}
}

func countKept(f *floor) (answers int) {
	f.Helper()
	low := []byte(prefixAnswer)
	keys, failed := f.view.Range(low, after(low))
	for key := range keys {
		if bytes.Count(key, []byte{'/'}) == 2 { // and not how far a sender has settled
			answers++
		}
	}
	if err := failed(); err != nil {
		f.Fatal(err)
	}
	return answers
}
