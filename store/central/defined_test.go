package central

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// redefine starts central again with its definition changed, and returns the error of New.
func (h *house) redefine(edit func(*tournament.Tournament)) error {
	h.Helper()
	text, _, err := wire.EncodeDefinition(h.options.Definition)
	if err != nil {
		h.Fatal(err)
	}
	other, err := wire.DecodeDefinition(text)
	if err != nil {
		h.Fatal(err)
	}
	edit(other)
	h.stop()
	options := h.options
	options.Definition = other
	served, err := New(options)
	if err != nil {
		return err
	}
	if err := served.Stop(h.Context()); err != nil {
		h.Fatal(err)
	}
	h.options.Definition = other
	return nil
}

// heatsAt returns the heats of the qualifying stage, and where that of a time stands.
func heatsAt(t *tournament.Tournament, start time.Time) ([]tournament.Heat, int) {
	heats := t.Stages[0].Heats
	return heats, slices.IndexFunc(heats, func(heat tournament.Heat) bool { return !heat.Start.Before(start) })
}

func TestAnotherDefinitionOverTheBooksWasTakenWithoutAWord(t *testing.T) {
	h := newHouse(t)
	seat, err := h.client.Register(t.Context(), h.key(), h.registration(h.player(1), h.nextHeat()))
	if err != nil {
		t.Fatal(err)
	}
	before := h.sequence()
	cases := []struct {
		name string
		edit func(*tournament.Tournament)
		says []string
	}{
		{"another tournament", func(d *tournament.Tournament) { d.ID = "another" }, []string{"id: the books are of the tournament"}},
		{"a heat that is past is moved", func(d *tournament.Tournament) {
			heats, at := heatsAt(d, noon.Add(-3*time.Hour))
			heats[at].Start = heats[at].Start.Add(5 * time.Minute)
		}, []string{"and is past"}},
		{"a heat with a seat is dropped", func(d *tournament.Tournament) {
			d.Stages[0].Heats = slices.DeleteFunc(d.Stages[0].Heats, func(heat tournament.Heat) bool { return heat.ID == seat.Heat })
		}, []string{"heat " + string(seat.Heat), "would be gone, and 1 seats are issued in it; cancel it, or move it"}},
		{"a heat with a seat has fewer", func(d *tournament.Tournament) {
			heats, at := heatsAt(d, seat.Start)
			heats[at].Size--
		}, []string{"heat " + string(seat.Heat), "1 seats are issued"}},
		{"a machine with a seat is dropped", func(d *tournament.Tournament) {
			d.Machines = slices.DeleteFunc(d.Machines, func(m tournament.Machine) bool { return m.Number == seat.Machine })
		}, []string{"seats are issued on it; take it out of service instead"}},
		{"a heat is added that would be past", func(d *tournament.Tournament) {
			heats, at := heatsAt(d, noon.Add(-3*time.Hour))
			added := heats[at]
			added.ID += "0"
			d.Stages[0].Heats = append([]tournament.Heat{added}, heats...)
		}, []string{"is new, and would be past"}},
		{"another currency, and a heat that is past", func(d *tournament.Tournament) {
			d.Rules.SeatPrice.Currency = "EUR"
			d.Stages[0].Heats = d.Stages[0].Heats[1:]
		}, []string{"currency: amounts in the books are in ZAR", "would be gone, and is past"}},
	}
	for _, c := range cases {
		err := h.redefine(c.edit)
		for _, part := range c.says {
			if !errors.Is(err, ErrDefinition) || !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %v\nwant %q", c.name, err, part)
			}
		}
		h.start()
	}
	if after := h.sequence(); after != before {
		t.Errorf("%d events of what was refused", after-before)
	}
}

func TestDefinitionThatTouchesNothingIsTakenAndRecorded(t *testing.T) {
	h := newHouse(t)
	if _, err := h.client.Register(t.Context(), h.key(), h.registration(h.player(1), h.nextHeat())); err != nil {
		t.Fatal(err)
	}
	before := h.sequence()
	var dropped tournament.HeatID
	err := h.redefine(func(d *tournament.Tournament) {
		heats, at := heatsAt(d, noon.Add(48*time.Hour))
		dropped = heats[at].ID
		d.Stages[0].Heats = slices.Delete(heats, at, at+1)
		d.Machines[0].Place = "another row"
		d.Text.Version++
	})
	if err != nil {
		t.Fatal(err)
	}
	h.start()
	events, err := h.client.Events(t.Context(), before, 10)
	if err != nil || len(events) != 1 {
		t.Fatalf("got %d events, %v", len(events), err)
	}
	if text := string(events[0]); !strings.Contains(text, string(wire.DefinitionChanged)) || !strings.Contains(text, " in place of ") {
		t.Errorf("recorded: %s", text)
	}
	if _, err := h.client.Seats(t.Context(), dropped); err == nil {
		t.Error("the heat that was dropped is still there")
	}
	h.replays()
	h.stop()
	h.start()
	if now := h.sequence(); now != before+1 {
		t.Errorf("the same definition again left %d events", now-before-1)
	}
}
