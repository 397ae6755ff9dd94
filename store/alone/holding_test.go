package alone

import (
	"testing"
	"time"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// A kiosk gives nothing by a grant that has ended by its clock, whatever the wall clock shows, and nothing to strangers.
func TestGrantsEndByTheClockThatRunsThroughSleep(t *testing.T) {
	h := Holding{Kiosk: "kiosk-1"}
	rules := floorTournament().Rules
	h.Ask(1, Moment{Boot: "a", Now: 100 * time.Second})
	if h.Take(2, wire.Grant{}) {
		t.Error("an answer to nothing was taken")
	}
	if !h.Take(1, wire.Grant{Number: 1, Lives: 3600, Position: 7}) || h.Take(1, wire.Grant{Number: 1}) {
		t.Error("the answer was not taken once")
	}
	at := func(boot string, now, heard time.Duration) tournament.Reason {
		refusal := h.Ready(Moment{Boot: boot, Now: now, Heard: heard, At: evening}, rules)
		if refusal == nil {
			return ""
		}
		return refusal.Reason
	}
	ends := 100*time.Second + 59*time.Minute
	if got := at("a", 200*time.Second, 200*time.Second); got != tournament.NoGrant {
		t.Errorf("before the copy is so far: %q", got)
	}
	if h.applied(6) || !h.applied(7) {
		t.Error("in use before the copy was so far, or not then")
	}
	for _, c := range []struct {
		name       string
		boot       string
		now, heard time.Duration
		want       tournament.Reason
	}{
		{"in its life", "a", ends - time.Second, ends - time.Minute, ""},
		{"at its end", "a", ends, ends - time.Minute, tournament.NoGrant},
		{"in another boot", "b", 200 * time.Second, 150 * time.Second, tournament.NoGrant},
		{"nothing heard in this boot", "a", 200 * time.Second, 0, tournament.ExclusionsStale},
		{"heard just not too long ago", "a", 45 * time.Minute, 15 * time.Minute, ""},
		{"heard too long ago", "a", 45*time.Minute + 1, 15 * time.Minute, tournament.ExclusionsStale},
	} {
		if got := at(c.boot, c.now, c.heard); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	if refusal := h.Ready(Moment{Boot: "a", Now: 200 * time.Second, Heard: 200 * time.Second}, rules); refusal == nil || refusal.Reason != tournament.NoGrant {
		t.Errorf("without the time of day: %v", refusal)
	}
}
