package ledger

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"reelkiosk/devices/emulator"
	"reelkiosk/store/exclusion"
	"reelkiosk/store/kv"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// walk is a random evening: the books, the model beside them, and the last request, which may be sent again.
type walk struct {
	*rapid.T
	model
	books    *Books
	view     *kv.Overlay
	random   *rand.ChaCha8
	sequence uint64
	last     Request
	lastText string
	lastErr  error
	papers   int
	// operator asks in the player's place.
	operator string
}

// TestBooksAndModelAgree plays random evenings. After each step nothing may have happened that the rules forbid, and in
// the end the events must add up to the same books. REELKIOSK_LONG=1 plays ten times as many, REELKIOSK_SEED one again.
func TestBooksAndModelAgree(t *testing.T) {
	checks := "60"
	if os.Getenv("REELKIOSK_LONG") == "1" {
		checks = "600"
	}
	for name, value := range map[string]string{"rapid.checks": checks, "rapid.steps": "60", "rapid.nofailfile": "true"} {
		if err := flag.Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
	if seed := os.Getenv("REELKIOSK_SEED"); seed != "" {
		if err := flag.Set("rapid.seed", seed); err != nil {
			t.Fatalf("REELKIOSK_SEED: %v", err)
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		w := newWalk(rt)
		rt.Repeat(map[string]func(*rapid.T){
			"":           w.check,
			"buy":        w.buy,
			"buy again":  w.buy,
			"claim":      w.claim,
			"identify":   w.identify,
			"register":   w.register,
			"register 2": w.register,
			"register 3": w.register,
			"print":      w.print,
			"exclude":    w.exclude,
			"declare":    w.declare,
			"cancel":     w.cancelHeat,
			"machine":    w.machine,
			"wait":       w.wait,
			"send again": w.sendAgain,
			"give up":    w.giveUp,
			"check in":   w.checkIn,
			"check in 2": w.checkIn,
			"undo":       w.undo,
			"hold":       w.hold,
			"start":      w.startHeat,
			"score":      w.enterScore,
			"restart":    w.restart,
			"finish":     w.finish,
			"refund":     w.refund,
			"reverse":    w.reverse,
		})
		again := kv.NewOverlay(nothing{})
		if err := w.books.Replay(w.view, again); err != nil {
			rt.Fatalf("replaying: %v", err)
		}
		if err := Same(w.view, again); err != nil {
			rt.Fatalf("the books replayed: %v", err)
		}
		if err := followed(w.books, w.view); err != nil {
			rt.Fatalf("the books at a kiosk: %v", err)
		}
	})
}

func newWalk(rt *rapid.T) *walk {
	definition := testDefinition()
	policies := []tournament.WindowPolicy{tournament.Window48h, tournament.WindowSameDay, tournament.WindowNextDay}
	definition.Rules.Window = rapid.SampledFrom(policies).Draw(rt, "window")
	w := &walk{
		T: rt, books: New(definition, testVault(), exclusion.NewSet(nil)), view: kv.NewOverlay(nothing{}),
		random: rand.NewChaCha8([32]byte{byte(rapid.IntRange(0, 255).Draw(rt, "dice"))}),
		model:  model{policy: definition.Rules.Window, now: noon, outOf: map[int]bool{}, machines: 3},
	}
	for _, heat := range definition.Stages[0].Heats {
		w.heats = append(w.heats, &modelHeat{id: heat.ID, start: heat.Start})
	}
	for i, born := range []tournament.Date{
		{Year: 1950, Month: 6, Day: 1}, {Year: 1980, Month: 1, Day: 1}, {Year: 1996, Month: 2, Day: 29}, {Year: 2008, Month: 11, Day: 30},
		{Year: 2008, Month: 12, Day: 2}, {Year: 2012, Month: 1, Day: 1},
	} {
		w.players = append(w.players, &modelPlayer{
			document: document(emulator.IdentityNumber(born, 5000+i), "Player", string(rune('A'+i)), born),
		})
	}
	return w
}

// apply asks the books under the next key.
func (w *walk) apply(act Act) (Answer, error) {
	w.sequence++
	w.last = Request{
		Key: wire.Key{Enrolment: "kiosk-1", Sequence: w.sequence}, Body: sha256.Sum256(fmt.Append(nil, w.sequence)), Settled: w.sequence,
		At: w.now, Who: cmp.Or(w.operator, "player"), Where: "kiosk-1", Random: w.random, Act: act,
	}
	answer, err := w.books.Apply(w.view, w.last)
	w.lastText, w.lastErr = string(answer.Text), err
	return answer, err
}

// expect fails unless the books refused for that reason, or did not where it is empty.
func (w *walk) expect(err error, want tournament.Reason) {
	w.Helper()
	var got tournament.Reason
	if refusal, refused := errors.AsType[*tournament.Refusal](err); refused {
		got = refusal.Reason
	} else if err != nil {
		w.Fatalf("failed: %v", err)
	}
	if got != want {
		w.Fatalf("at %s the books say %q, the model %q", w.now, got, want)
	}
}

func (w *walk) player(rt *rapid.T) *modelPlayer {
	return rapid.SampledFrom(w.players).Draw(rt, "player")
}

// heat draws one of the heats of the next two days, or now and then any.
func (w *walk) heat(rt *rapid.T) *modelHeat {
	first := slices.IndexFunc(w.heats, func(h *modelHeat) bool { return h.start.After(w.now.Add(-time.Hour)) })
	if first < 0 || rapid.IntRange(0, 9).Draw(rt, "any heat") == 0 {
		return rapid.SampledFrom(w.heats).Draw(rt, "heat")
	}
	return rapid.SampledFrom(w.heats[first:min(first+8, len(w.heats))]).Draw(rt, "heat")
}

func (w *walk) buy(rt *rapid.T) {
	purchase := rapid.SampledFrom([]Purchase{
		{Kind: tournament.CashBuyIn, Seats: 1}, {Kind: tournament.CardBuyIn, Seats: 2}, {Kind: tournament.Complimentary},
		{Kind: tournament.PackageBuyIn, Package: "four"},
	}).Draw(rt, "purchase")
	var buyer *modelPlayer
	if rapid.Bool().Draw(rt, "named") {
		buyer = w.player(rt)
		purchase.Document = buyer.document
	}
	answer, err := w.apply(purchase)
	w.expect(err, w.sale(buyer))
	if err != nil {
		return
	}
	bought := answer.Value.(wire.Bought)
	if buyer != nil {
		buyer.id = bought.Person
	}
	for i, entry := range bought.Entries {
		if !entry.Ends.Equal(w.windowEnd(w.now)) {
			rt.Fatalf("bought %s, ends %s; the model says %s", w.now, entry.Ends, w.windowEnd(w.now))
		}
		w.entries = append(w.entries, &modelEntry{
			id: entry.ID, receipt: bought.Receipt, owner: buyer, complimentary: purchase.Kind == tournament.Complimentary,
			bought: w.now, ends: w.windowEnd(w.now), index: i + 1,
		})
	}
}

func (w *walk) claim(rt *rapid.T) {
	p := w.player(rt)
	if len(w.entries) == 0 || p.id == "" {
		return
	}
	receipt := rapid.SampledFrom(w.entries).Draw(rt, "entry").receipt
	whole := slices.Clone(w.entries)
	whole = slices.DeleteFunc(whole, func(e *modelEntry) bool { return e.receipt != receipt })
	_, err := w.apply(Claim{Person: p.id, Receipt: receipt, Kiosk: "kiosk-1"})
	switch reason := w.barred(p); {
	case whole[0].reversed:
		w.expect(err, tournament.UnknownReceipt)
	case whole[0].owner == p:
		w.expect(err, "")
	case slices.Contains(whole[0].refused, p):
		if err == nil {
			rt.Fatal("somebody who was refused owns the purchase")
		}
	case reason != "":
		w.expect(err, reason)
		for _, e := range whole {
			e.refused = append(e.refused, p)
		}
	case whole[0].owner != nil:
		w.expect(err, tournament.ReceiptOwned)
	default:
		w.expect(err, "")
		for _, e := range whole {
			e.owner = p
		}
	}
}

func (w *walk) identify(rt *rapid.T) {
	p := w.player(rt)
	answer, err := w.apply(Identify{Document: p.document, Kiosk: "kiosk-1"})
	w.expect(err, w.barred(p))
	if err != nil {
		return
	}
	who := answer.Value.(wire.Person)
	if p.id != "" && p.id != who.ID {
		rt.Fatal("one human is two persons")
	}
	p.id = who.ID
	unused := 0
	for _, e := range w.entries {
		if e.owner == p && e.seat == nil && !e.held && !e.gone {
			unused++
		}
	}
	if len(who.Entries)+who.Expired != unused {
		rt.Fatalf("%d entries and %d expired; the model has %d", len(who.Entries), who.Expired, unused)
	}
}

func (w *walk) register(rt *rapid.T) {
	p, h := w.player(rt), w.heat(rt)
	if p.id == "" {
		return
	}
	machine, use, reason := w.registration(p, h)
	answer, err := w.apply(registration(p.id, h.id))
	w.expect(err, reason)
	if err != nil {
		return
	}
	taken := answer.Value.(wire.Seat)
	at := slices.IndexFunc(use, func(e *modelEntry) bool { return e.id == taken.Entry })
	if taken.Machine != machine || at < 0 {
		rt.Fatalf("machine %d and entry %s; the model has machine %d and one of %d entries", taken.Machine, taken.Entry, machine, len(use))
	}
	s := &modelSeat{id: taken.ID, ticket: taken.Ticket, heat: h, machine: machine, player: p, entry: use[at], issued: w.now, points: -1}
	use[at].seat = s
	w.seats = append(w.seats, s)
}

// print reports on a copy, or has it printed again; the model says nothing of copies, but the replay must.
func (w *walk) print(rt *rapid.T) {
	if len(w.seats) == 0 {
		return
	}
	s := rapid.SampledFrom(w.seats).Draw(rt, "seat")
	if rapid.Bool().Draw(rt, "again") {
		answer, err := w.apply(Reprint{Person: s.player.id, Seat: s.id, Kiosk: "kiosk-1"})
		if err == nil {
			s.ticket = answer.Value.(wire.Seat).Ticket
		} else if _, refused := errors.AsType[*tournament.Refusal](err); !refused {
			rt.Fatal(err)
		}
		return
	}
	states := []tournament.CopyState{tournament.CopyPrinted, tournament.CopyUnconfirmed, tournament.CopyLost}
	_, err := w.apply(PrintOutcome{Ticket: s.ticket, State: rapid.SampledFrom(states).Draw(rt, "outcome"), Kiosk: "kiosk-1"})
	w.expect(err, "")
}

func (w *walk) exclude(rt *rapid.T) {
	if rapid.IntRange(0, 3).Draw(rt, "spare") > 0 {
		return
	}
	p := w.player(rt)
	w.papers++
	_, err := w.apply(ImportExclusions{Rows: []wire.Exclusion{{
		Reference: fmt.Sprint("R", w.papers), Kind: "self-excluded", IDNumber: p.document.IDNumber,
	}}})
	w.expect(err, "")
	w.model.exclude(p)
}

func (w *walk) declare(rt *rapid.T) {
	if rapid.IntRange(0, 3).Draw(rt, "spare") > 0 {
		return
	}
	if p := w.player(rt); p.id != "" {
		_, err := w.apply(Notice{Kind: wire.DeclaredConnected, Person: p.id, Kiosk: "kiosk-1"})
		w.expect(err, "")
		p.connected = true
	}
}

func (w *walk) cancelHeat(rt *rapid.T) {
	h := w.heat(rt)
	_, err := w.apply(CancelHeat{Heat: h.id, Why: "power"})
	if !h.cancelled && (h.finished || !h.began && !w.now.Before(h.start.Add(15*time.Minute))) {
		w.expect(err, tournament.HeatGone)
		return
	}
	w.expect(err, "")
	w.cancel(h)
}

func (w *walk) machine(rt *rapid.T) {
	machine, out := rapid.IntRange(1, 3).Draw(rt, "machine"), rapid.Bool().Draw(rt, "out")
	_, err := w.apply(MachineService{Machine: machine, Out: out, Operator: "tech", Reason: "door"})
	w.expect(err, "")
	w.outOf[machine] = out
}

func (w *walk) wait(rt *rapid.T) {
	w.now = w.now.Add(time.Duration(rapid.IntRange(1, 8*60).Draw(rt, "minutes")) * time.Minute)
}

// sendAgain sends the last request once more: the answer was lost.
func (w *walk) sendAgain(rt *rapid.T) {
	if w.sequence == 0 {
		return
	}
	answer, err := w.books.Apply(w.view, w.last)
	if string(answer.Text) != w.lastText || fmt.Sprint(err) != fmt.Sprint(w.lastErr) {
		rt.Fatalf("the second answer is %s, %v; the first was %s, %v", answer.Text, err, w.lastText, w.lastErr)
	}
}
