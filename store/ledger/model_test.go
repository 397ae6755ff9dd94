package ledger

import (
	"cmp"
	"slices"
	"time"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// model is a plain second telling of the rules, in lists that are searched from end to end. It shares no code with the
// books: windows, ages and choices are worked out here once more, for a zone without changes of the clocks.
type model struct {
	policy   tournament.WindowPolicy
	now      time.Time
	players  []*modelPlayer
	entries  []*modelEntry
	seats    []*modelSeat
	heats    []*modelHeat
	outOf    map[int]bool
	machines int
}

type modelPlayer struct {
	document *wire.Document
	// id is empty until the player has been identified.
	id        tournament.PersonID
	excluded  bool
	connected bool
}

type modelEntry struct {
	id            tournament.EntryID
	receipt       string
	owner         *modelPlayer
	complimentary bool
	bought, ends  time.Time
	index         int
	seat          *modelSeat
	held, freed   bool
	// gone says that it was refunded or reversed.
	gone, reversed bool
	// refused are claimants who never get it.
	refused []*modelPlayer
}

type modelHeat struct {
	id        tournament.HeatID
	start     time.Time
	cancelled bool
	// held, began and finished are what hosts did with it.
	held, began, finished bool
}

type modelSeat struct {
	id      tournament.SeatID
	ticket  string
	heat    *modelHeat
	machine int
	player  *modelPlayer
	entry   *modelEntry
	void    bool
	issued  time.Time
	// in and forfeited say whether its holder was there, points what it earned; -1 is nothing yet.
	in, forfeited bool
	since         time.Time
	points        int64
}

// live reports whether a seat is still to be played.
func (s *modelSeat) live() bool { return !s.void && !s.forfeited && s.points < 0 }

// windowEnd is when a window ends, with gaming days from 06:00.
func (m *model) windowEnd(bought time.Time) time.Time {
	morning := time.Date(bought.Year(), bought.Month(), bought.Day(), 6, 0, 0, 0, bought.Location())
	if bought.Before(morning) {
		morning = morning.Add(-24 * time.Hour)
	}
	switch m.policy {
	case tournament.WindowSameDay:
		return morning.Add(24 * time.Hour)
	case tournament.WindowNextDay:
		if ends := morning.Add(48 * time.Hour); ends.Before(bought.Add(48 * time.Hour)) {
			return ends
		}
	}
	return bought.Add(48 * time.Hour)
}

// adult reports whether somebody is eighteen on a day.
func (p *modelPlayer) adult(day time.Time) bool {
	born := p.document.BirthDate
	birthday := time.Date(born.Year+18, born.Month, born.Day, 0, 0, 0, 0, day.Location())
	return !day.Before(birthday)
}

// barred is why somebody may take part in nothing now.
func (m *model) barred(p *modelPlayer) tournament.Reason {
	switch {
	case p.excluded:
		return tournament.Excluded
	case p.connected:
		return tournament.Connected
	case !p.adult(m.now):
		return tournament.UnderAge
	}
	return ""
}

// free returns the machines of a heat that are free, lowest first.
func (m *model) free(h *modelHeat) (free []int) {
	for machine := 1; machine <= m.machines; machine++ {
		taken := slices.ContainsFunc(m.seats, func(s *modelSeat) bool { return !s.void && s.heat == h && s.machine == machine })
		if !taken && !m.outOf[machine] {
			free = append(free, machine)
		}
	}
	return free
}

// sale is why nothing can be sold to somebody, who may be nobody, now.
func (m *model) sale(buyer *modelPlayer) tournament.Reason {
	if buyer != nil {
		if reason := m.barred(buyer); reason != "" {
			return reason
		}
	}
	for _, h := range m.heats {
		inside := !h.start.Before(m.now) && h.start.Before(m.windowEnd(m.now))
		if inside && !h.cancelled && m.now.Before(h.start.Add(-5*time.Minute)) && len(m.free(h)) > 0 {
			return ""
		}
	}
	return tournament.NoFreeSeat
}

// registration is what becomes of a registration: the machine and the entries of which one is used, or why not.
func (m *model) registration(p *modelPlayer, h *modelHeat) (machine int, use []*modelEntry, reason tournament.Reason) {
	if reason := m.barred(p); reason != "" {
		return 0, nil, reason
	}
	switch {
	case h.cancelled:
		return 0, nil, tournament.HeatGone
	case h.held:
		return 0, nil, tournament.HeatHeld
	case h.began:
		return 0, nil, tournament.Closed
	case !m.now.Before(h.start.Add(15 * time.Minute)):
		return 0, nil, tournament.HeatGone
	case !m.now.Before(h.start.Add(-5 * time.Minute)):
		return 0, nil, tournament.Closed
	case m.now.Before(h.start.Add(-24 * time.Hour)):
		return 0, nil, tournament.NotOpen
	case !p.adult(h.start):
		return 0, nil, tournament.UnderAge
	}
	if slices.ContainsFunc(m.seats, func(s *modelSeat) bool { return !s.void && s.heat == h && s.player == p }) {
		return 0, nil, tournament.AlreadySeated
	}
	var unused, valid []*modelEntry
	for _, e := range m.entries {
		if e.owner != p || e.seat != nil || e.held || e.gone {
			continue
		}
		unused = append(unused, e)
		if e.freed || !h.start.Before(e.bought) && h.start.Before(e.ends) {
			valid = append(valid, e)
		}
	}
	free := m.free(h)
	switch {
	case len(unused) == 0:
		return 0, nil, tournament.NoEntries
	case len(valid) == 0:
		return 0, nil, tournament.WindowOver
	case len(free) == 0:
		return 0, nil, tournament.HeatFull
	}
	best := slices.MinFunc(valid, compareModel)
	for _, e := range valid {
		if compareModel(e, best) == 0 {
			use = append(use, e)
		}
	}
	return free[0], use, ""
}

// compareModel orders entries as they are used up.
func compareModel(left, right *modelEntry) int {
	number := func(value bool) int {
		if value {
			return 1
		}
		return 0
	}
	return cmp.Or(
		cmp.Compare(number(left.freed), number(right.freed)), left.ends.Compare(right.ends),
		cmp.Compare(number(left.complimentary), number(right.complimentary)), left.bought.Compare(right.bought),
		cmp.Compare(left.index, right.index),
	)
}

// exclude bars somebody during the tournament.
func (m *model) exclude(p *modelPlayer) {
	p.excluded = true
	for _, s := range m.seats {
		if s.player == p && s.live() && !s.heat.began {
			s.void, s.entry.seat, s.entry.held = true, nil, true
		}
	}
	for _, e := range m.entries {
		if e.owner == p && e.seat == nil && !e.gone && (e.freed || m.now.Before(e.ends)) {
			e.held = true
		}
	}
}

// cancel cancels a heat.
func (m *model) cancel(h *modelHeat) {
	h.cancelled = true
	for _, s := range m.seats {
		if s.heat == h && s.live() {
			s.void, s.entry.seat, s.entry.freed = true, nil, true
		}
	}
}
