package alone

import (
	"errors"
	"testing"
	"time"

	"reelkiosk/store/ledger"
	"reelkiosk/store/tournament"
)

// opened is a floor whose kiosks have their grants, with the players whose home each of them is.
func opened(t *testing.T, seed uint64, kiosks int, without rule) (*floor, map[string][]*player) {
	t.Helper()
	f := newFloor(t, seed, kiosks, 4*kiosks, without)
	f.works(3 * time.Minute)
	return f, f.homes()
}

// homes returns the players of each kiosk, by its newest grant.
func (f *floor) homes() map[string][]*player {
	f.Helper()
	players := map[string][]*player{}
	for _, p := range f.players {
		for _, k := range f.kiosks {
			if k.Holding.Using == nil {
				continue
			}
			if _, own, err := k.books.Home(k.copy, k.name, &k.Holding.Using.Grant, p.id); err == nil && own {
				players[k.name] = append(players[k.name], p)
			}
		}
	}
	return players
}

// works lets time pass in which kiosks do what they do.
func (f *floor) works(time time.Duration) {
	const every = 5e9
	for range int(time / every) {
		for _, k := range f.kiosks {
			k.tick()
		}
		f.passes(every)
	}
}

// cut cuts kiosks off, or all of them.
func (f *floor) cut(kiosks ...*kiosk) {
	for _, k := range kiosks {
		k.linked = false
	}
}

// mustGive fails unless the kiosk gives the seat.
func (k *kiosk) mustGive(p *player, heat tournament.HeatID) {
	k.Helper()
	if err := k.gives(p, heat); err != nil {
		k.Fatalf("%s gives nothing: %v", k.name, err)
	}
}

// reasonOf returns why something was refused, or "".
func reasonOf(err error) tournament.Reason {
	if refusal, is := errors.AsType[*tournament.Refusal](err); is {
		return refusal.Reason
	}
	return ""
}

// The named evenings. Each goes well; each goes wrong once its rule is taken out, or it would prove nothing.
func TestNamedEvenings(t *testing.T) {
	evenings := []struct {
		name string
		rule rule
		play func(t *testing.T, without rule) *floor
	}{
		{"an answer lost, then offline at home", settles, answerLost},
		{"the kiosk list changed while two are cut off", givesWay, listChanged},
		{"a desk acts on a player whose home is offline", asksHome, deskActs},
		{"a grant given back at closing", staysGone, givenBackAtClosing},
		{"a reboot in the cut", diesAtBoot, rebootInTheCut},
		{"a release answered but not persisted", persists, releaseNotPersisted},
		{"a seat is void and its machine another's", once, voidAndTaken},
		{"a kiosk asks central before it has reported", reportsFirst, askedBeforeReporting},
		{"a kiosk moves on before it has reported", reports, unreported},
		{"a new home that has not caught up", catchesUp, notCaughtUp},
	}
	for _, evening := range evenings {
		t.Run(evening.name, func(t *testing.T) {
			f := evening.play(t, "")
			f.ends()
			for _, wrong := range f.wrong {
				t.Error(wrong)
			}
			without := evening.play(t, evening.rule)
			without.ends()
			if len(without.wrong) == 0 {
				t.Errorf("without the rule %q nothing went wrong: this evening proves nothing", evening.rule)
			}
		})
	}
}

// The kiosk asks central for a seat and central gives it, but the answer never comes. The player asks for a seat in another
// heat, and the kiosk does not know which entry is left.
func answerLost(t *testing.T, without rule) *floor {
	f, players := opened(t, 1, 2, without)
	k := f.kiosks[0]
	p := players[k.name][0]
	k.post("register", p.id, k.request(p, f.heat(3)))
	if _, err := f.receives(k.name, k.Letters[len(k.Letters)-1]); err != nil {
		t.Fatal(err)
	}
	f.cut(k)
	f.works(time.Minute)
	if got := reasonOf(k.gives(p, f.heat(4))); without == "" && got != tournament.Unsettled {
		t.Errorf("got %q, want unsettled", got)
	}
	return f
}

// Two kiosks are cut off and go by the list that they know; a third comes, and some of their players would be its own.
func listChanged(t *testing.T, without rule) *floor {
	f, players := opened(t, 2, 2, without)
	old := f.kiosks[:2]
	f.cut(old...)
	third := f.installs("kiosk-3")
	// Machines of the heat are left for it, since what the others have is a half already.
	f.definition.Rules.GrantShare = 100
	f.works(3 * time.Minute)
	given := 0
	for _, k := range old {
		for _, p := range players[k.name] {
			if k.gives(p, f.heat(4)) != nil {
				continue
			}
			given++
			switch got := reasonOf(third.gives(p, f.heat(5))); {
			case got != tournament.NotHome && without == "":
				t.Errorf("a player of %s: got %q, want not-home", k.name, got)
			}
		}
	}
	if given == 0 || third.Holding.Using == nil || len(third.Holding.Using.Blocks) == 0 {
		t.Fatalf("%d seats were given, and kiosk-3 holds %+v", given, third.Holding.Using)
	}
	return f
}

// The home is cut off and gives a seat; meanwhile the player goes to the desk, which is connected.
func deskActs(t *testing.T, without rule) *floor {
	f, players := opened(t, 3, 2, without)
	k := f.kiosks[0]
	p := players[k.name][0]
	f.cut(k)
	if got := reasonOf(f.deskRegisters(p, f.heat(4))); without == "" && got != tournament.HomeSilent {
		t.Errorf("the desk: got %q, want home-silent", got)
	}
	k.mustGive(p, f.heat(5))
	return f
}

// Machines go back before a heat closes, and others get them. Then the heat is moved, so that the kiosk would be in time
// again, and it is cut off.
func givenBackAtClosing(t *testing.T, without rule) *floor {
	f, players := opened(t, 4, 1, without)
	k, heat := f.kiosks[0], f.heat(2)
	own := players[k.name]
	f.works(evening.Add(51 * time.Minute).Sub(f.at()))
	f.must("office", ledger.MoveHeat{Heat: heat, Start: evening.Add(70 * time.Minute), Why: "the band plays on"})
	for i := range 8 {
		p := f.comes(100 + i)
		for range 12 {
			if f.deskRegisters(p, heat) == nil {
				break
			}
			f.works(5 * time.Second) // the home lets the player go, or what it has of the heat
		}
	}
	seats := len(f.papers)
	f.cut(k)
	if got := reasonOf(k.gives(own[0], heat)); without == "" && got != tournament.BlockUsed {
		t.Errorf("got %q, want block-used", got)
	}
	if seats != 8 {
		t.Errorf("%d seats were given at the desk, want all 8", seats)
	}
	return f
}

// A player is excluded while the kiosk is cut off. It reboots half an hour later: its clock begins anew, and what it heard
// seems to be of just now.
func rebootInTheCut(t *testing.T, without rule) *floor {
	f, players := opened(t, 5, 2, without)
	k := f.kiosks[0]
	p := players[k.name][0]
	f.cut(k)
	f.excludes(p)
	f.passes(40 * time.Minute)
	if got := reasonOf(k.gives(p, f.heat(5))); got != tournament.ExclusionsStale {
		t.Errorf("before the reboot: got %q, want exclusions-stale", got)
	}
	k.starts(true)
	if got := reasonOf(k.gives(p, f.heat(5))); without == "" && got != tournament.ExclusionsStale {
		t.Errorf("after the reboot: got %q, want exclusions-stale", got)
	}
	return f
}

// The home lets a player go, and others act for him; then the program starts again, and is cut off.
func releaseNotPersisted(t *testing.T, without rule) *floor {
	f, players := opened(t, 6, 2, without)
	k := f.kiosks[0]
	p := players[k.name][0]
	if got := reasonOf(f.deskRegisters(p, f.heat(4))); got != tournament.HomeSilent {
		t.Fatalf("got %q, want home-silent", got)
	}
	k.follows()
	k.letsGo()
	l := k.Letters[len(k.Letters)-1]
	answer, err := f.receives(k.name, l)
	k.answered(l, answer, err)
	if err := f.deskRegisters(p, f.heat(4)); err != nil {
		t.Fatal(err)
	}
	heard, told := k.heard, k.told
	k.starts(false)
	k.heard, k.told = heard, told // as a program does that keeps them beside the boot's id
	f.cut(k)
	if got := reasonOf(k.gives(p, f.heat(5))); without == "" && got != tournament.LetGo {
		t.Errorf("got %q, want let-go", got)
	}
	return f
}

// A kiosk gives a seat and reports it; the player is excluded, and the machine is free and given to others. The kiosk's grant
// still lists it, and its copy has it as free.
func voidAndTaken(t *testing.T, without rule) *floor {
	f, players := opened(t, 10, 2, without)
	first, second, heat := f.kiosks[0], f.kiosks[1], f.heat(5)
	own := players[first.name]
	first.mustGive(own[0], heat)
	l := first.Letters[len(first.Letters)-1]
	answer, err := f.receives(first.name, l)
	first.answered(l, answer, err)
	f.excludes(own[0])
	for first.moment().Applied < f.position() {
		first.follows()
	}
	f.cut(first)
	for i := 0; len(f.papers) < 1+8; i++ {
		p := f.comes(100 + i)
		_, own, err := second.books.Home(second.copy, second.name, &second.Holding.Using.Grant, p.id)
		if err != nil || !own {
			continue
		}
		second.registers(p, heat)
		f.works(10 * time.Second)
		if i > 100 {
			break // the rest is granted to the kiosk that is cut off
		}
	}
	_ = first.gives(own[1], heat)
	_ = first.gives(own[2], heat)
	return f
}

// A kiosk gives a player a seat, is connected again, and asks central for another seat before it has reported the first.
func askedBeforeReporting(t *testing.T, without rule) *floor {
	f, players := opened(t, 9, 2, without)
	k := f.kiosks[0]
	p := players[k.name][0]
	f.cut(k)
	k.mustGive(p, f.heat(4))
	k.linked = true
	k.registers(p, f.heat(5))
	f.passes(2 * time.Minute)
	return f
}

// A kiosk gives a player a seat and is connected again, gets another grant by another list and uses it, and has not reported
// the seat. The player is another's by that list, which must not know less than the kiosk.
func unreported(t *testing.T, without rule) *floor {
	f := newFloor(t, 7, 1, 12, without)
	f.definition.Rules.GrantShare = 100
	f.works(time.Minute)
	first := f.kiosks[0]
	f.cut(first)
	for _, p := range f.players[:5] {
		first.mustGive(p, f.heat(4))
	}
	second := f.installs("kiosk-2")
	// The line is back; only what is about grants gets through.
	for range 3 {
		first.linked = true
		first.follows()
		first.asksNow()
		l := first.Letters[len(first.Letters)-1]
		answer, err := f.receives(first.name, l)
		first.answered(l, answer, err)
		first.follows()
		first.back(first.Holding.GiveOverBack())
		for _, l := range first.Letters {
			if l.Kind == "back" {
				answer, err := f.receives(first.name, l)
				first.answered(l, answer, err)
			}
		}
	}
	f.cut(first)
	second.follows()
	for range 8 {
		second.tick()
		f.passes(5 * time.Second)
		if second.Holding.Next == nil && second.Holding.Asked == nil {
			second.asksNow()
		}
	}
	if second.Holding.Using == nil || len(second.Holding.Using.Blocks) == 0 {
		t.Fatalf("kiosk-2 holds %+v", second.Holding)
	}
	for _, p := range f.players[:5] {
		if got := reasonOf(second.gives(p, f.heat(5))); without == "" && got != tournament.NotHome {
			t.Errorf("got %q, want not-home", got)
		}
	}
	return f
}

// A player whom the home had let go is its own again by a new grant, but its copy stands still and does not know what was done
// for him meanwhile.
func notCaughtUp(t *testing.T, without rule) *floor {
	f, players := opened(t, 8, 2, without)
	k := f.kiosks[0]
	p := players[k.name][0]
	if got := reasonOf(f.deskRegisters(p, f.heat(4))); got != tournament.HomeSilent {
		t.Fatalf("got %q, want home-silent", got)
	}
	deliver := func() {
		l := k.Letters[len(k.Letters)-1]
		answer, err := f.receives(k.name, l)
		k.answered(l, answer, err)
	}
	k.follows()
	k.letsGo()
	deliver()
	if err := f.deskRegisters(p, f.heat(4)); err != nil {
		t.Fatal(err)
	}
	k.asksNow() // the feed stands still
	deliver()
	f.cut(k)
	if got := reasonOf(k.gives(p, f.heat(5))); without == "" && got != tournament.LetGo {
		t.Errorf("got %q, want let-go", got)
	}
	return f
}
