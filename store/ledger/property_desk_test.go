package ledger

import (
	"cmp"
	"slices"
	"time"

	"pgregory.net/rapid"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// What hosts do in a random evening. The model says what must come of each step.

// seat draws one of the seats that were ever issued.
func (w *walk) seat(rt *rapid.T) *modelSeat {
	if len(w.seats) == 0 {
		return nil
	}
	return rapid.SampledFrom(w.seats).Draw(rt, "seat")
}

// busyHeat draws the heat of one of the seats, or now and then any.
func (w *walk) busyHeat(rt *rapid.T) *modelHeat {
	if s := w.seat(rt); s != nil && rapid.IntRange(0, 3).Draw(rt, "busy") > 0 {
		return s.heat
	}
	return w.heat(rt)
}

func (w *walk) giveUp(rt *rapid.T) {
	s := w.seat(rt)
	if s == nil {
		return
	}
	_, err := w.apply(CancelSeat{because, s.id})
	switch {
	case s.void:
		w.expect(err, "")
	case s.in || !s.live():
		w.expect(err, tournament.SeatOver)
	case s.heat.began || !w.now.Before(s.heat.start.Add(-5*time.Minute)):
		w.expect(err, tournament.Closed)
	default:
		w.expect(err, "")
		s.void, s.entry.seat = true, nil
	}
}

func (w *walk) checkIn(rt *rapid.T) {
	s := w.seat(rt)
	if s == nil {
		return
	}
	h, p := s.heat, s.player
	if rapid.IntRange(0, 9).Draw(rt, "wrong heat") == 0 {
		h = w.heat(rt)
	}
	if rapid.IntRange(0, 9).Draw(rt, "somebody else") == 0 {
		p = w.player(rt)
	}
	want := w.admission(s, h, p)
	_, err := w.apply(CheckIn{By: pat, Heat: h.id, Ticket: s.ticket, Presence: shows(p.document)})
	w.expect(err, want)
	if err == nil {
		s.in, s.since = true, w.now
	}
}

// admission is why somebody is not checked in with a seat's newest ticket.
func (m *model) admission(s *modelSeat, h *modelHeat, p *modelPlayer) tournament.Reason {
	switch {
	case h.cancelled || h.finished:
		return tournament.HeatGone
	case s.heat != h:
		return tournament.WrongHeat
	case s.void:
		return tournament.SeatVoidNow
	case s.forfeited:
		return tournament.SeatForfeit
	case s.points >= 0:
		return tournament.SeatOver
	case s.in:
		return tournament.CheckedInTwice
	case h.began:
		return tournament.HeatStarted
	}
	if reason := m.barred(p); reason != "" {
		return reason
	}
	if p != s.player {
		return tournament.NotHolder
	}
	return ""
}

func (w *walk) undo(rt *rapid.T) {
	s := w.seat(rt)
	if s == nil {
		return
	}
	_, err := w.apply(UndoCheckIn{pat, s.id})
	switch {
	case !s.live():
		w.expect(err, tournament.SeatOver)
	case !s.in:
		w.expect(err, "")
	case s.heat.began:
		w.expect(err, tournament.HeatStarted)
	case w.now.Sub(s.since) > 10*time.Second:
		w.expect(err, tournament.UndoOver)
	default:
		w.expect(err, "")
		s.in = false
	}
}

func (w *walk) hold(rt *rapid.T) {
	h, hold := w.heat(rt), rapid.IntRange(0, 2).Draw(rt, "hold") == 0
	_, err := w.apply(HoldHeat{Decision: because, Heat: h.id, Hold: hold})
	switch {
	case h.cancelled:
		w.expect(err, tournament.HeatGone)
	case h.began:
		w.expect(err, tournament.HeatStarted)
	default:
		w.expect(err, "")
		h.held = hold
	}
}

// startHeat lets the evening come to a heat, and starts it with everybody who is missing marked absent, or now and then one
// too few.
func (w *walk) startHeat(rt *rapid.T) {
	h := w.busyHeat(rt)
	if rapid.IntRange(0, 3).Draw(rt, "early") > 0 && w.now.Before(h.start) {
		w.now = h.start
	}
	var absent []tournament.SeatID
	var missing []*modelSeat
	for _, s := range w.seats {
		if s.heat == h && s.live() && !s.in {
			if rapid.Bool().Draw(rt, "printed") {
				_, err := w.apply(PrintOutcome{Ticket: s.ticket, State: tournament.CopyPrinted, Kiosk: "kiosk-1"})
				w.expect(err, "")
			}
			absent, missing = append(absent, s.id), append(missing, s)
		}
	}
	forgotten := len(absent) > 0 && rapid.IntRange(0, 5).Draw(rt, "forget one") == 0
	if forgotten {
		absent = absent[1:]
	}
	answer, err := w.apply(StartHeat{By: pat, Heat: h.id, Absent: absent})
	switch {
	case h.cancelled:
		w.expect(err, tournament.HeatGone)
	case h.began:
		w.expect(err, tournament.HeatStarted)
	case h.held:
		w.expect(err, tournament.HeatHeld)
	case w.now.Before(h.start):
		w.expect(err, tournament.StartsLater)
	case forgotten:
		w.expect(err, tournament.SeatsUnmarked)
	default:
		w.expect(err, "")
		h.began = true
		came := answer.Value.(wire.Started)
		if len(came.Forfeited)+len(came.Cases) != len(missing) {
			rt.Fatalf("%d forfeited and %d cases; the model has %d absent", len(came.Forfeited), len(came.Cases), len(missing))
		}
		for _, s := range missing {
			s.forfeited = slices.Contains(came.Forfeited, s.id)
		}
	}
}

func (w *walk) enterScore(rt *rapid.T) {
	s := w.seat(rt)
	if s == nil {
		return
	}
	points := int64(rapid.IntRange(0, 5).Draw(rt, "points"))
	_, err := w.apply(EnterScore{By: pat, Seat: s.id, Points: points})
	switch {
	case !s.heat.began:
		w.expect(err, tournament.HeatNotStarted)
	case s.points >= 0:
		w.expect(err, tournament.ScoreStands)
	case s.void || s.forfeited || !s.in:
		w.expect(err, tournament.NotCheckedIn)
	default:
		w.expect(err, "")
		s.points = points
	}
}

func (w *walk) restart(rt *rapid.T) {
	h := w.busyHeat(rt)
	_, err := w.apply(RestartHeat{because, h.id})
	switch {
	case h.cancelled:
		w.expect(err, tournament.HeatGone)
	case !h.began:
		w.expect(err, tournament.HeatNotStarted)
	default:
		w.expect(err, "")
		h.finished = false
		for _, s := range w.seats {
			if s.heat == h && !s.void {
				s.points = -1
			}
		}
	}
}

func (w *walk) finish(rt *rapid.T) {
	h := w.busyHeat(rt)
	_, err := w.apply(FinishHeat{By: pat, Heat: h.id})
	switch {
	case h.cancelled:
		w.expect(err, tournament.HeatGone)
	case !h.began:
		w.expect(err, tournament.HeatNotStarted)
	default:
		w.expect(err, "")
		h.finished = true
	}
}

// checkRanking compares the ranking with the model's: all scores that stand, of those who may take part, best first.
func (w *walk) checkRanking(rt *rapid.T) {
	var want []*modelSeat
	for _, s := range w.seats {
		if !s.void && s.points >= 0 && !s.player.excluded && !s.player.connected {
			want = append(want, s)
		}
	}
	slices.SortFunc(want, func(left, right *modelSeat) int {
		return cmp.Or(cmp.Compare(right.points, left.points), cmp.Compare(left.id, right.id))
	})
	ranking, err := w.books.Ranking(w.view, tournament.Qualifying, 0)
	if err != nil {
		rt.Fatal(err)
	}
	if len(ranking.Ranked) != len(want) {
		rt.Fatalf("%d are ranked; the model has %d", len(ranking.Ranked), len(want))
	}
	for i, s := range want {
		if got := ranking.Ranked[i]; got.Seat != s.id || got.Points != s.points {
			rt.Fatalf("rank %d is %+v; the model has %s with %d", i+1, got, s.id, s.points)
		}
	}
}

// refund refunds one of the entries.
func (w *walk) refund(rt *rapid.T) {
	if len(w.entries) == 0 || rapid.IntRange(0, 3).Draw(rt, "spare") > 0 {
		return
	}
	e := rapid.SampledFrom(w.entries).Draw(rt, "entry")
	_, err := w.apply(AuthoriseRefund{because, []tournament.EntryID{e.id}})
	if e.gone || e.seat != nil {
		w.expect(err, tournament.EntryUsed)
		return
	}
	w.expect(err, "")
	e.gone, e.held = true, false
}

// reverse takes a purchase back, which the player's own act had made.
func (w *walk) reverse(rt *rapid.T) {
	if len(w.entries) == 0 || rapid.IntRange(0, 3).Draw(rt, "spare") > 0 {
		return
	}
	receipt := rapid.SampledFrom(w.entries).Draw(rt, "entry").receipt
	whole := slices.DeleteFunc(slices.Clone(w.entries), func(e *modelEntry) bool { return e.receipt != receipt })
	w.operator = "second"
	_, err := w.apply(ReversePurchase{Decision: because, Receipt: receipt})
	w.operator = ""
	if slices.ContainsFunc(whole, func(e *modelEntry) bool { return e.gone || e.held || e.seat != nil }) {
		w.expect(err, tournament.EntryUsed)
		return
	}
	w.expect(err, "")
	for _, e := range whole {
		e.gone, e.reversed = true, true
	}
}
