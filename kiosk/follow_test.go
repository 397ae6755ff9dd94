package kiosk

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"reelkiosk/devices/emulator"
	"reelkiosk/kiosk/visit"
	"reelkiosk/store/client"
	"reelkiosk/store/condition"
	"reelkiosk/store/replica"
	"reelkiosk/store/tournament"
	"reelkiosk/store/vault"
	"reelkiosk/store/wire"
)

// openCopying starts a kiosk with everything, and a copy of central's books that is kept up.
func (h *house) openCopying() *house {
	h.Helper()
	parts := h.parts()
	folder := filepath.Join(h.folder, "copy")
	h.must(os.MkdirAll(folder, 0o700))
	mirror, err := replica.OpenMirror(folder, SinceBoot, parts.Log)
	h.must(err)
	parts.Mirror = mirror
	parts.Keys = func(context.Context) (vault.Keys, uint32, error) { return h.vault.Floor(1), 1, nil }
	end := h.stop
	h.stop = func() {
		end()
		if err := mirror.Close(); err != nil {
			h.Error(err)
		}
	}
	h.run(parts)
	h.until("a ready attract screen", func(s visit.State) bool {
		return s.Screen == visit.ScreenAttract && len(s.Floor.Heats) > 0 && s.OutOfOrder == visit.TroubleNone
	})
	h.eventually("a copy that is kept up", h.followed.Load)
	return h
}

// eventually waits until something holds.
func (h *house) eventually(what string, holds func() bool) {
	h.Helper()
	for deadline := time.Now().Add(patience); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			h.Fatalf("never came to %s", what)
		}
	}
}

// exclude enters an exclusion at the desk.
func (h *house) exclude(row wire.Exclusion) {
	h.Helper()
	row.Line, row.Kind = 2, "self-excluded"
	staged, err := h.desk.OpenImport(h.Context(), wire.Import{
		Kind: wire.ImportExclusions, Hash: fmt.Sprintf("%064x", len(row.Reference)), Name: "exclusions.csv", Operator: "test",
	})
	h.must(err)
	_, err = h.desk.SendRows(h.Context(), staged.ID, wire.Rows{Exclusions: []wire.Exclusion{row}})
	h.must(err)
	_, err = h.desk.CommitImport(h.Context(), staged.ID)
	h.must(err)
}

func TestAnExclusionAtTheDeskEndsTheVisitInProgress(t *testing.T) {
	for situation, row := range map[string]wire.Exclusion{
		"by number":                  {Reference: "R", IDNumber: thandi.IDNumber},
		"by card":                    {Reference: "R", Card: thandi.Cards[0]},
		"by name and birth date":     {Reference: "R", Surname: thandi.Surname, Given: thandi.Given, BirthDate: thandi.BirthDate},
		"of somebody else at first":  {},
		"while the rules are open":   {Reference: "R", IDNumber: thandi.IDNumber},
		"before she is greeted here": {Reference: "R", IDNumber: thandi.IDNumber},
	} {
		t.Run(situation, func(t *testing.T) {
			h := newHouse(t)
			h.sellThandi(2)
			h.openCopying()
			switch situation {
			case "of somebody else at first":
				h.offer()
				h.exclude(wire.Exclusion{Reference: "R", IDNumber: pieter})
				health, err := h.desk.Health(t.Context())
				h.must(err)
				h.eventually("the exclusion in the copy", func() bool { return h.applied() >= health.Sequence })
				if screen := h.State().Screen; screen != visit.ScreenOffer {
					t.Errorf("somebody else's exclusion led to %s", screen)
				}
				return
			case "while the rules are open":
				h.swipe().on(visit.ScreenGreeting)
				h.tap(visit.ButtonContinue).on(visit.ScreenRules)
			case "before she is greeted here":
				// Central's answer is on its way when she is excluded.
				h.meanwhile(func(next http.Handler, w http.ResponseWriter, r *http.Request) {
					if strings.HasSuffix(r.URL.Path, wire.PathIdentify) {
						answer := newHeld(w)
						next.ServeHTTP(answer, r)
						h.exclude(row)
						time.Sleep(300 * time.Millisecond) // the feed is faster than the answer
						answer.release()
						return
					}
					next.ServeHTTP(w, r)
				})
				h.swipe().on(visit.ScreenSeeHost)
				return
			default:
				h.offer()
			}
			start := time.Now()
			h.exclude(row)
			h.on(visit.ScreenSeeHost)
			if took := time.Since(start); took > time.Second {
				t.Errorf("it took %v", took)
			}
			if state := h.State(); state.Player != (visit.Player{}) || len(state.Tickets) > 0 {
				t.Error("the screen still knows her")
			}
			h.noPaper()
		})
	}
}

// TestSomebodyWhoseBirthDateIsNewsIsNotStopped: a player whose purchase named a number alone showed the ID, which central
// learned the birth date from; the copy did not know it yet and sent the player to a host.
func TestSomebodyWhoseBirthDateIsNewsIsNotStopped(t *testing.T) {
	h := newHouse(t)
	staged, err := h.desk.OpenImport(t.Context(), wire.Import{
		Kind: wire.ImportPurchases, Hash: strings.Repeat("c", 64), Name: "purchases.csv", Operator: "test",
	})
	h.must(err)
	_, err = h.desk.SendRows(t.Context(), staged.ID, wire.Rows{Purchases: []wire.PurchaseRecord{{
		Line: 2, Number: "P1", Kind: tournament.CashBuyIn, Seats: 1, At: time.Now().Add(-time.Minute), IDNumber: pieter,
	}}})
	h.must(err)
	_, err = h.desk.CommitImport(t.Context(), staged.ID)
	h.must(err)
	h.openCopying()
	h.must(h.scanner.Scan(emulator.GreenBook(pieter)))
	h.on(visit.ScreenGreeting)
	health, err := h.desk.Health(t.Context())
	h.must(err)
	h.eventually("the birth date in the copy", func() bool { return h.applied() >= health.Sequence })
	if screen := h.State().Screen; screen != visit.ScreenGreeting {
		t.Errorf("the kiosk went to %s", screen)
	}
}

// applied is the sequence that the copy has.
func (h *house) applied() uint64 {
	h.Helper()
	position, err := h.Mirror.Position(h.Context())
	h.must(err)
	return position.Sequence
}

// held is an answer that is kept back.
type held struct {
	http.ResponseWriter
	status int
	body   []byte
}

func newHeld(w http.ResponseWriter) *held { return &held{ResponseWriter: w, status: http.StatusOK} }

// Unwrap lets http.ResponseController reach the connection.
func (a *held) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// WriteHeader notes the status.
func (a *held) WriteHeader(status int) { a.status = status }

// Write keeps a part of the answer.
func (a *held) Write(text []byte) (int, error) {
	a.body = append(a.body, text...)
	return len(text), nil
}

func (a *held) release() {
	a.ResponseWriter.WriteHeader(a.status)
	_, _ = a.ResponseWriter.Write(a.body)
}

func TestTheHeatsOnTheScreenComeFromTheCopy(t *testing.T) {
	h := newHouse(t)
	h.sellThandi(1)
	h.openCopying()
	h.meanwhile(func(next http.Handler, w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, wire.PathHeats) && r.URL.Query().Get("limit") == fmt.Sprint(nearHeats) {
			hangUp(w)
			return
		}
		next.ServeHTTP(w, r)
	})
	before := h.State().Floor.Heats[0]
	person, err := h.desk.Identify(t.Context(), wire.Identify{Card: thandi.Cards[0], Kiosk: "kiosk-2"})
	h.must(err)
	h.sold++
	_, err = h.desk.Register(t.Context(), client.Key{Enrolment: "cash-desk", Sequence: h.sold}, wire.Register{
		Person: person.ID, Heat: before.ID, Kiosk: "kiosk-2", Rules: h.State().Floor.RulesHash, Declared: true, By: "card",
	})
	h.must(err)
	h.until("one seat fewer", func(s visit.State) bool {
		return len(s.Floor.Heats) > 0 && s.Floor.Heats[0].ID == before.ID && s.Floor.Heats[0].Free == before.Free-1
	})
}

func TestACopyThatHeardNothingIsStale(t *testing.T) {
	h := newHouse(t)
	parts := h.parts()
	mirror, err := replica.OpenMirror(t.TempDir(), SinceBoot, parts.Log)
	h.must(err)
	defer mirror.Close()
	parts.Mirror = mirror // and no keys: nobody keeps it up
	h.run(parts)
	h.on(visit.ScreenAttract)
	stale := make(chan bool)
	h.eventually("a condition", func() bool {
		h.turns <- func() { stale <- h.health.set.Holds(condition.CopyStale) }
		return <-stale
	})
	h.stop()
}
