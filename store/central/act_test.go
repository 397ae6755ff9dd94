package central

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"reelkiosk/store/client"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

func TestFromReceiptToPrintedTicket(t *testing.T) {
	h := newHouse(t)
	bought, err := h.client.Purchase(t.Context(), h.key(), wire.Purchase{Kind: tournament.CashBuyIn, Seats: 2, Operator: "Lindiwe", Desk: "cash-desk"})
	if err != nil || bought.Person != "" || len(bought.Entries) != 2 {
		t.Fatal(bought, err)
	}
	person, err := h.client.Identify(t.Context(), wire.Identify{Document: document(1), Kiosk: "kiosk-1"})
	if err != nil || len(person.Entries) != 0 {
		t.Fatal(person, err)
	}
	claimed, err := h.client.Claim(t.Context(), h.key(), wire.Claim{Person: person.ID, Receipt: bought.Receipt, Kiosk: "kiosk-1"})
	if err != nil || len(claimed.Entries) != 2 {
		t.Fatal(claimed, err)
	}
	heat := h.nextHeat()
	seat, err := h.client.Register(t.Context(), h.key(), h.registration(person.ID, heat))
	if err != nil || seat.Machine != 1 || seat.Copy != 1 || seat.CopyState != tournament.CopyIntended {
		t.Fatal(seat, err)
	}
	if _, err := h.client.Print(t.Context(), h.key(), wire.PrintOutcome{Ticket: seat.Ticket, State: tournament.CopyPrinted, Kiosk: "kiosk-1"}); err != nil {
		t.Fatal(err)
	}
	seats, err := h.client.Seats(t.Context(), heat)
	if err != nil || len(seats.Seats) != 1 || seats.Seats[0].CopyState != tournament.CopyPrinted || seats.Seats[0].Person != person.ID {
		t.Errorf("got %+v, %v", seats, err)
	}
	_, err = h.client.Register(t.Context(), h.key(), h.registration(person.ID, heat))
	var refusal *tournament.Refusal
	if !errors.As(err, &refusal) || refusal.Reason != tournament.AlreadySeated {
		t.Errorf("a second seat in the heat: %v", err)
	}
}

func TestTheSameKeyGetsTheSameAnswer(t *testing.T) {
	h := newHouse(t)
	register := h.registration(h.player(2), h.nextHeat())
	key := h.key()
	first, err := h.client.Register(t.Context(), key, register)
	if err != nil {
		t.Fatal(err)
	}
	before := h.sequence()
	again, err := h.client.Register(t.Context(), key, register)
	if err != nil || again != first || h.sequence() != before {
		t.Errorf("got %+v, %v\nwant %+v", again, err, first)
	}
	var refusal *tournament.Refusal
	register.Kiosk = "kiosk-2"
	if _, err = h.client.Register(t.Context(), key, register); !errors.As(err, &refusal) || refusal.Reason != tournament.KeyReused {
		t.Errorf("another body: %v", err)
	}
	if _, err := h.client.Notice(t.Context(), key, wire.Notice{Kind: wire.HelpCalled, Kiosk: "kiosk-1", At: noon}); !errors.As(err, &refusal) || refusal.Reason != tournament.KeyReused {
		t.Errorf("another operation: %v", err)
	}
	settled := client.Key{Enrolment: key.Enrolment, Sequence: h.key().Sequence, Settled: key.Sequence + 1}
	if _, err := h.client.Notice(t.Context(), settled, wire.Notice{Kind: wire.HelpCalled, Kiosk: "kiosk-1", At: noon}); err != nil {
		t.Fatal(err)
	}
	register.Kiosk = "kiosk-1"
	if _, err = h.client.Register(t.Context(), key, register); !errors.As(err, &refusal) || refusal.Reason != tournament.KeySettled {
		t.Errorf("below what was settled: %v", err)
	}
}

// TestRetriedThoughItWasDone is odoo#40567: central commits, then the connection drops before the answer is out.
func TestRetriedThoughItWasDone(t *testing.T) {
	h := newHouse(t)
	register, key := h.registration(h.player(2), h.nextHeat()), h.key()
	before := h.sequence()
	// A caller in front of central whose connections break once central has answered.
	drops, made := 2, 0
	flaky := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := &held{header: http.Header{}}
		h.Handler().ServeHTTP(answer, r)
		if made++; made <= drops {
			panic(http.ErrAbortHandler)
		}
		for name, values := range answer.header {
			w.Header()[name] = values
		}
		w.WriteHeader(answer.status)
		w.Write(answer.body)
	})}
	listener, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go flaky.Serve(listener)
	defer flaky.Close()
	through, err := client.New("http://"+listener.Addr().String(), client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer through.Close()
	var seat wire.Seat
	err = client.Retry(t.Context(), client.Backoff{First: time.Millisecond}, func(ctx context.Context) (err error) {
		seat, err = through.Register(ctx, key, register)
		return err
	})
	if err != nil || made != drops+1 || h.sequence() != before+1 {
		t.Fatalf("%v after %d tries, %d events", err, made, h.sequence()-before)
	}
	if first, err := h.client.Register(t.Context(), key, register); err != nil || first != seat {
		t.Errorf("the retry got %+v, the first answer was %+v, %v", seat, first, err)
	}
}

// held keeps an answer.
type held struct {
	header http.Header
	status int
	body   []byte
}

func (h *held) Header() http.Header    { return h.header }
func (h *held) WriteHeader(status int) { h.status = status }
func (h *held) Write(body []byte) (int, error) {
	if h.status == 0 {
		h.status = http.StatusOK
	}
	h.body = append(h.body, body...)
	return len(body), nil
}

// TestManyClientsOnOneHeat has every client after one heat: machines are given in order, none twice, none left out, and
// not one more than there are.
func TestManyClientsOnOneHeat(t *testing.T) {
	h := newHouse(t)
	heats, err := h.client.Heats(t.Context(), time.Time{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	heat, size := heats.Heats[0].ID, heats.Heats[0].Size
	players := make([]tournament.PersonID, size+13)
	for i := range players {
		players[i] = h.player(1)
	}
	var mu sync.Mutex
	var machines []int
	full := 0
	var waiting sync.WaitGroup
	for _, person := range players {
		waiting.Go(func() {
			seat, err := h.client.Register(t.Context(), h.key(), h.registration(person, heat))
			mu.Lock()
			defer mu.Unlock()
			var refusal *tournament.Refusal
			switch {
			case err == nil:
				machines = append(machines, seat.Machine)
			case errors.As(err, &refusal) && refusal.Reason == tournament.HeatFull:
				full++
			default:
				t.Error(err)
			}
		})
	}
	waiting.Wait()
	slices.Sort(machines)
	var want []int
	for _, machine := range h.options.Definition.Machines {
		if !machine.OutOfService {
			want = append(want, machine.Number)
		}
	}
	if !slices.Equal(machines, want) || full != 13 {
		t.Errorf("machines %v\nwant %v, %d were told that it is full", machines, want, full)
	}
}

// TestHostReasonsCannotBeToldApart compares what a stranger on the line would see of an excluded, an under-age and an
// unverified person.
func TestHostReasonsCannotBeToldApart(t *testing.T) {
	h := newHouse(t)
	h.bringIn(wire.Rows{Exclusions: []wire.Exclusion{{
		Line: 2, Reference: "R1", Kind: "self-excluded", IDNumber: document(7).IDNumber, From: tournament.DateOf(noon),
	}}})
	h.bringIn(wire.Rows{Members: []wire.Member{{
		Line: 2, Number: "M1", Cards: []string{"6001000000000001"}, Surname: "Nel", Given: "Piet", BirthDate: tournament.Date{Year: 1970, Month: 5, Day: 5},
	}}})
	minor := &wire.Document{Kind: "passport", Number: "A1234567", Issuer: "GBR", Surname: "Young", Given: "Tim", BirthDate: tournament.Date{Year: 2010, Month: 5, Day: 5}}
	length := -1
	for want, who := range map[tournament.Reason]wire.Identify{
		tournament.Excluded:   {Document: document(7), Kiosk: "kiosk-1"},
		tournament.UnderAge:   {Document: minor, Kiosk: "kiosk-1"},
		tournament.Unverified: {Card: "6001000000000001", Kiosk: "kiosk-1"},
	} {
		body, _ := json.Marshal(who)
		start := time.Now()
		response := h.raw("POST", wire.PathIdentify, string(body))
		took := time.Since(start)
		text, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), wire.ProblemBase+string(want)+`"`) {
			t.Errorf("want %s: %s", want, text)
		}
		if length < 0 {
			length = len(text)
		}
		if response.StatusCode != http.StatusForbidden || len(text) != length || took < hostPace {
			t.Errorf("%s: status %d, %d bytes of %d, after %v: %s", want, response.StatusCode, len(text), length, took, text)
		}
	}
}

// bringIn imports rows of one kind.
func (h *house) bringIn(rows wire.Rows) wire.ImportDone {
	h.Helper()
	done, err := h.tryImport(rows)
	if err != nil {
		h.Fatal(err)
	}
	return done
}

// tryImport imports rows in chunks of at most three.
func (h *house) tryImport(rows wire.Rows) (wire.ImportDone, error) {
	h.Helper()
	kind := wire.ImportMembers
	switch {
	case len(rows.Exclusions) > 0:
		kind = wire.ImportExclusions
	case len(rows.Purchases) > 0:
		kind = wire.ImportPurchases
	}
	opened, err := h.client.OpenImport(h.Context(), wire.Import{Kind: kind, Hash: strings.Repeat("0", 64), Name: "x.csv", Operator: "Lindiwe"})
	if err != nil {
		return wire.ImportDone{}, err
	}
	sent := 0
	for rows.Len() > 0 {
		chunk := wire.Rows{
			After: sent, Members: rows.Members[:min(3, len(rows.Members))], Exclusions: rows.Exclusions[:min(3, len(rows.Exclusions))],
			Purchases: rows.Purchases[:min(3, len(rows.Purchases))],
		}
		rows.Members, rows.Exclusions, rows.Purchases = rows.Members[len(chunk.Members):], rows.Exclusions[len(chunk.Exclusions):], rows.Purchases[len(chunk.Purchases):]
		if _, err := h.client.SendRows(h.Context(), opened.ID, chunk); err != nil {
			return wire.ImportDone{}, err
		}
		sent += chunk.Len()
	}
	return h.client.CommitImport(h.Context(), opened.ID)
}
