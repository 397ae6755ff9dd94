package central

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// employs makes an operator, who signs in at the desk.
func (h *house) employs(name, pin string, duties ...wire.Duty) {
	h.Helper()
	set := wire.SetStaff{Decision: wire.Decision{By: wire.By{Operator: "lindiwe"}, Why: "hired"}, Name: name, Duties: duties, PIN: pin}
	if _, err := h.client.SetStaff(h.Context(), set); err != nil {
		h.Fatal(err)
	}
	h.proves(name, pin, false)
}

func (h *house) proves(name, pin string, decides bool) {
	h.Helper()
	if _, err := h.client.SignIn(h.Context(), wire.SignIn{By: at(name), PIN: pin, Decides: decides}); err != nil {
		h.Fatal(err)
	}
}

// at says that an operator acts at the desk of the tests.
func at(name string) wire.By { return wire.By{Operator: name, Desk: "desk-1"} }

// decides says that the director does, and why.
var decides = wire.Decision{By: at("dee"), Why: "because"}

// TestAHeatFromTheCheckInToItsScores runs one heat through the API, as a host does.
func TestAHeatFromTheCheckInToItsScores(t *testing.T) {
	h := newHouse(t)
	h.employs("pat", "1357", wire.DutyHost)
	h.employs("dee", "2468", wire.DutyDirector)
	heat := h.nextHeat()
	first, second := h.player(1), h.player(1)
	here, err := h.client.Register(t.Context(), h.key(), h.registration(first, heat))
	if err != nil {
		t.Fatal(err)
	}
	missing, err := h.client.Register(t.Context(), h.key(), h.registration(second, heat))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.client.Print(t.Context(), h.key(), wire.PrintOutcome{Ticket: missing.Ticket, State: tournament.CopyPrinted, Kiosk: "kiosk-1"}); err != nil {
		t.Fatal(err)
	}
	if _, err := h.client.CallHeat(t.Context(), h.key(), wire.HeatAct{By: at("pat"), Heat: heat}); err != nil {
		t.Fatal(err)
	}
	in, err := h.client.CheckIn(t.Context(), h.key(), wire.CheckIn{
		By: at("pat"), Presence: wire.Presence{Document: document(1)}, Heat: heat, Ticket: here.Ticket,
	})
	if err != nil || in.Machine != here.Machine {
		t.Fatalf("got %+v, %v", in, err)
	}
	h.pass(here.Start.Sub(noon))
	h.proves("pat", "1357", false)
	started, err := h.client.StartHeat(t.Context(), h.key(), wire.StartHeat{By: at("pat"), Heat: heat, Absent: []tournament.SeatID{missing.ID}})
	if err != nil || !slices.Equal(started.Forfeited, []tournament.SeatID{missing.ID}) {
		t.Fatalf("got %+v, %v", started, err)
	}
	if _, err := h.client.EnterScore(t.Context(), h.key(), wire.EnterScore{By: at("pat"), Ticket: here.Ticket, Points: 4200}); err != nil {
		t.Fatal(err)
	}
	correct := wire.CorrectScore{Decision: decides, Seat: here.ID, Points: 4300}
	if _, err := h.client.CorrectScore(t.Context(), h.key(), correct); reasonOf(err) != tournament.PINNeeded {
		t.Errorf("without the PIN at this moment: %v", err)
	}
	h.proves("dee", "2468", true)
	if _, err := h.client.CorrectScore(t.Context(), h.key(), correct); err != nil {
		t.Error(err)
	}
	if _, err := h.client.FinishHeat(t.Context(), h.key(), wire.HeatAct{By: at("pat"), Heat: heat}); err != nil {
		t.Error(err)
	}
	ranking, err := h.client.Ranking(t.Context(), tournament.Qualifying, 10)
	if err != nil || len(ranking.Ranked) != 1 || ranking.Ranked[0].Points != 4300 || strings.Contains(ranking.Ranked[0].Shown, here.Ticket) {
		t.Errorf("got %+v, %v", ranking, err)
	}
	if typed, err := h.client.Scores(t.Context(), "", 10); err != nil || len(typed) != 2 {
		t.Errorf("got %s, %v", typed, err)
	}
}

// A host may do what a host does, and no more; a score with a letter in it is a plain answer.
func TestWhatTheDeskRefuses(t *testing.T) {
	h := newHouse(t)
	h.employs("pat", "1357", wire.DutyHost)
	heat := h.nextHeat()
	cancel := wire.HeatDecision{Decision: wire.Decision{By: at("pat"), Why: "x"}, Heat: heat}
	if _, err := h.client.CancelHeat(t.Context(), h.key(), cancel); reasonOf(err) != tournament.RoleNeeded {
		t.Errorf("a host cancels a heat: %v", err)
	}
	cancel.Operator = "nobody"
	if _, err := h.client.CancelHeat(t.Context(), h.key(), cancel); reasonOf(err) != tournament.UnknownOperator {
		t.Errorf("a stranger cancels a heat: %v", err)
	}
	body := `{"operator":"pat","desk":"desk-1","seat":"x","points":"12a"}`
	key := func(r *http.Request) { r.Header.Set(wire.HeaderKey, "test/900") }
	if problem := h.problem(h.raw("POST", wire.PathScores, body, key)); problem.Kind() != wire.ProblemInvalid || problem.Places[0].Where != "body.points" {
		t.Errorf("got %+v", problem)
	}
	for range 5 {
		_, _ = h.client.SignIn(t.Context(), wire.SignIn{By: at("pat"), PIN: "9999"}) // the next line says what came of it
	}
	if _, err := h.client.SignIn(t.Context(), wire.SignIn{By: at("pat"), PIN: "1357"}); reasonOf(err) != tournament.OperatorLocked {
		t.Errorf("after five wrong PINs: %v", err)
	}
	if strings.Contains(h.log.String(), "9999") {
		t.Error("the log holds a PIN")
	}
}

// A double touch with the same key has one effect.
func TestADoubleTouchAtTheDeskHasOneEffect(t *testing.T) {
	h := newHouse(t)
	h.employs("pat", "1357", wire.DutyHost)
	who := h.player(1)
	seat, err := h.client.Register(t.Context(), h.key(), h.registration(who, h.nextHeat()))
	if err != nil {
		t.Fatal(err)
	}
	in := wire.CheckIn{By: at("pat"), Presence: wire.Presence{Document: document(1)}, Heat: seat.Heat, Ticket: seat.Ticket}
	key := h.key()
	for range 2 {
		if _, err := h.client.CheckIn(t.Context(), key, in); err != nil {
			t.Error(err)
		}
	}
	if _, err := h.client.CheckIn(t.Context(), h.key(), in); reasonOf(err) != tournament.CheckedInTwice {
		t.Errorf("a second desk: %v", err)
	}
}

// What spends an entry waits for the player's home as a registration does.
func TestADeskThatRefundsWaitsForTheHome(t *testing.T) {
	h := newHouse(t)
	h.enlists("kiosk-1", "kiosk-2")
	h.employs("dee", "2468", wire.DutyDirector)
	if _, err := h.client.AskGrant(t.Context(), h.key(), wire.AskGrant{Kiosk: "kiosk-1"}); err != nil {
		t.Fatal(err)
	}
	who := h.awayFrom("kiosk-2", 2)
	seat, err := h.client.Register(t.Context(), h.key(), func() wire.Register {
		r := h.registration(who, h.nextHeat())
		r.Kiosk = "kiosk-1"
		return r
	}())
	if err != nil {
		t.Fatal(err)
	}
	home := make(chan error, 1)
	go func() { home <- h.letsGoOnce("kiosk-1") }()
	cancel := wire.CancelSeat{Decision: decides, Seat: seat.ID}
	if _, err := h.client.CancelSeat(t.Context(), h.key(), cancel); err != nil {
		t.Error(err)
	}
	if err := <-home; err != nil {
		t.Error(err)
	}
}
