package ledger

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"reelkiosk/devices/emulator"
	"reelkiosk/store/kv"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// granting gives the tournament forty machines, of which kiosks may be granted four in each heat.
func granting(d *tournament.Tournament) {
	d.Rules.GrantShare, d.Rules.GrantLives, d.Rules.GrantMargin = 10, time.Hour, 5*time.Minute
	d.Machines = nil
	for number := 1; number <= 40; number++ {
		d.Machines = append(d.Machines, tournament.Machine{Number: number, Asset: fmt.Sprint("A", number), Place: "Main floor"})
	}
	for i := range d.Stages {
		d.Stages[i].Size = len(d.Machines)
		for j := range d.Stages[i].Heats {
			d.Stages[i].Heats[j].Size = len(d.Machines)
		}
	}
}

// at asks as a kiosk, a desk or a person does, under a key of its own disk.
func (f *floor) at(where string, act Act) (Answer, error) {
	f.sequence++
	return f.books.Apply(f.view, Request{
		Key: wire.Key{Enrolment: "disk-" + where, Sequence: f.sequence}, Body: sha256.Sum256(fmt.Append(nil, f.sequence)),
		At: f.now, Who: "system", Where: where, Random: f.random, Act: act,
	})
}

// doneAt is done of a request from somewhere.
func doneAt[T any](f *floor, where string, act Act) T {
	f.Helper()
	answer, err := f.at(where, act)
	if err != nil {
		f.Fatalf("%T at %s: %v", act, where, err)
	}
	value, err := As[T](answer)
	if err != nil {
		f.Fatal(err)
	}
	return value
}

// refusedAt is refused of a request from somewhere.
func (f *floor) refusedAt(where string, act Act, reason tournament.Reason) *tournament.Refusal {
	f.Helper()
	_, err := f.at(where, act)
	refusal, is := errors.AsType[*tournament.Refusal](err)
	if !is || refusal.Reason != reason {
		f.Fatalf("%T at %s: got %v, want %s", act, where, err, reason)
	}
	return refusal
}

// enlists puts kiosks on the list of homes.
func (f *floor) enlists(kiosks ...string) {
	f.Helper()
	for _, kiosk := range kiosks {
		done[wire.Accepted](f, Enlist{Kiosk: kiosk})
	}
}

// asks asks for a grant.
func (f *floor) asks(kiosk string, holds uint64) wire.Grant {
	f.Helper()
	return doneAt[wire.Grant](f, kiosk, AskGrant{Kiosk: kiosk, Holds: holds})
}

// machinesOf returns the machines of a heat in a grant.
func machinesOf(grant wire.Grant, heat tournament.HeatID) (machines []int) {
	for _, block := range grant.Blocks {
		for _, seat := range block.Seats {
			if block.Heat == heat {
				machines = append(machines, seat.Machine)
			}
		}
	}
	return machines
}

// alone gives a seat at a kiosk that is cut off and sees the books as they are.
func (f *floor) alone(kiosk string, grant wire.Grant, who tournament.PersonID, into tournament.HeatID, gone ...tournament.TicketNumber) (wire.SeatReport, error) {
	request := registration(who, into)
	request.Kiosk = kiosk
	report, _, err := f.books.SeatAlone(kv.NewOverlay(f.view), f.request(request), Alone{
		Kiosk: kiosk, Grant: &grant, Gone: func(ticket tournament.TicketNumber) bool { return slices.Contains(gone, ticket) },
	})
	return report, err
}

// playerOf buys seats for somebody whose home is a kiosk.
func (f *floor) playerOf(kiosk string, seats int) tournament.PersonID {
	f.Helper()
	_, list, err := homes(f.view)
	if err != nil {
		f.Fatal(err)
	}
	for {
		f.sequence++
		who := document(emulator.IdentityNumber(born1980, int(f.sequence)), "Player", fmt.Sprint("No ", f.sequence), born1980)
		person := f.meets(who).ID
		if homeOf(list, person) == kiosk {
			f.buys(who, seats)
			return person
		}
	}
}

func TestMachinesAreGrantedFromTheEndAndGivenOnlineFromTheBeginning(t *testing.T) {
	f := newFloor(t, granting)
	f.enlists("kiosk-1", "kiosk-2")
	first, second := f.asks("kiosk-1", 0), f.asks("kiosk-2", 0)
	got := slices.Concat(machinesOf(first, at14), machinesOf(second, at14))
	slices.Sort(got)
	if !slices.Equal(got, []int{37, 38, 39, 40}) || len(machinesOf(first, at14)) != 2 {
		t.Errorf("got %v and %v", machinesOf(first, at14), machinesOf(second, at14))
	}
	if count, err := f.books.GrantedTo(f.view, "kiosk-1"); count != 22 || err != nil {
		t.Errorf("%d machines are granted to kiosk-1, %v; want 22", count, err)
	}
	if first.Number != 1 || first.List != 2 || first.Lives != 3600 || len(first.Others) != 0 || first.Position != uint64(len(f.events())-1) {
		t.Errorf("got %+v", first)
	}
	if len(first.Blocks) != 11 {
		t.Errorf("%d heats, want the 11 that are open and do not close soon", len(first.Blocks))
	}
	who := f.playerOf("kiosk-1", 1)
	if seat := doneAt[wire.Seat](f, "kiosk-1", registration(who, at14)); seat.Machine != 1 {
		t.Errorf("online machine %d was given, want 1", seat.Machine)
	}
	if again := f.asks("kiosk-1", 1); !slices.Equal(machinesOf(again, at14), machinesOf(first, at14)) || again.Number != 2 {
		t.Errorf("asking again gave %v", machinesOf(again, at14))
	}
}

func TestNoMoreIsGrantedThanTheShareHoweverManyKiosksAsk(t *testing.T) {
	f := newFloor(t, granting)
	var kiosks []string
	for i := range 7 {
		kiosks = append(kiosks, fmt.Sprint("kiosk-", i))
	}
	f.enlists(kiosks...)
	heats := map[tournament.HeatID]int{}
	for _, kiosk := range kiosks {
		grant := f.asks(kiosk, 0)
		f.asks(kiosk, grant.Number)
	}
	for _, kiosk := range kiosks {
		for _, block := range f.asks(kiosk, 1).Blocks {
			heats[block.Heat] += len(block.Seats)
		}
	}
	if len(heats) != 11 {
		t.Errorf("%d heats", len(heats))
	}
	for heat, count := range heats {
		if count != 4 {
			t.Errorf("%s has %d machines granted, want a tenth of 40", heat, count)
		}
	}
}

func TestAsksForGrantsThatAreRefused(t *testing.T) {
	f := newFloor(t, granting)
	f.refusedAt("kiosk-1", AskGrant{Kiosk: "kiosk-1"}, tournament.NotListed)
	f.enlists("kiosk-1")
	for name, act := range map[string]AskGrant{"for another": {Kiosk: "kiosk-2"}, "holding what was never given": {Kiosk: "kiosk-1", Holds: 1}} {
		if _, err := f.at("kiosk-1", act); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	f.asks("kiosk-1", 0)
	// The same name with another disk: what the first one gave is not known.
	f.sequence++
	_, err := f.books.Apply(f.view, Request{
		Key: wire.Key{Enrolment: "another", Sequence: 1}, At: f.now, Where: "kiosk-1", Random: f.random, Act: AskGrant{Kiosk: "kiosk-1"},
	})
	if refusal, is := errors.AsType[*tournament.Refusal](err); !is || refusal.Reason != tournament.FormerDisk {
		t.Errorf("got %v, want former-disk", err)
	}
	none := newFloor(t, granting, func(d *tournament.Tournament) { d.Rules.GrantShare = 0 })
	none.enlists("kiosk-1")
	none.refusedAt("kiosk-1", AskGrant{Kiosk: "kiosk-1"}, tournament.NoGrant)
}

func TestGivenBackMachinesAreFreeAndNothingElseIs(t *testing.T) {
	f := newFloor(t, granting)
	f.enlists("kiosk-1", "kiosk-2")
	grant, other := f.asks("kiosk-1", 0), f.asks("kiosk-2", 0)
	tickets := func(grant wire.Grant) []tournament.TicketNumber {
		return []tournament.TicketNumber{grant.Blocks[0].Seats[0].Ticket}
	}
	back := GiveBack{Kiosk: "kiosk-1", Tickets: slices.Concat(tickets(grant), tickets(grant), tickets(other), []tournament.TicketNumber{"none"})}
	doneAt[wire.Accepted](f, "kiosk-1", back)
	before := len(f.events())
	doneAt[wire.Accepted](f, "kiosk-1", back)
	if len(f.events()) != before {
		t.Error("given back twice left two events")
	}
	heats, err := f.books.Heats(f.view, f.now, 50)
	if err != nil {
		t.Fatal(err)
	}
	for _, heat := range heats {
		switch {
		case heat.ID == grant.Blocks[0].Heat && heat.Free != 37, heat.ID == at14 && heat.Free != 36:
			t.Errorf("%s has %d free", heat.ID, heat.Free)
		}
	}
	again := f.asks("kiosk-1", 1)
	if len(again.Blocks[0].Seats) != 2 || again.Blocks[0].Seats[0].Ticket == grant.Blocks[0].Seats[0].Ticket {
		t.Errorf("got %+v, want another ticket for the machine that was given back", again.Blocks[0])
	}
}

func TestBlocksAreCalledBackBeforeAHeatIsFull(t *testing.T) {
	f := newFloor(t, granting)
	f.enlists("kiosk-1")
	grant := f.asks("kiosk-1", 0)
	called := func() bool {
		now, _, err := f.books.heat(f.view, at14)
		return err == nil && now.Called
	}
	for range 36 {
		if called() {
			t.Fatal("called back while others were free")
		}
		doneAt[wire.Seat](f, "kiosk-1", registration(f.playerOf("kiosk-1", 1), at14))
	}
	if !called() {
		t.Fatal("the last free machine was given, and nothing was called back")
	}
	who := f.playerOf("kiosk-1", 1)
	f.refusedAt("kiosk-1", registration(who, at14), tournament.HeatFull)
	back, err := f.books.GoBack(f.view, &grant, f.now)
	if err != nil || !slices.Equal(back, []tournament.HeatID{at14}) {
		t.Errorf("%v have to go back, %v", back, err)
	}
	for _, block := range grant.Blocks {
		if block.Heat == at14 {
			doneAt[wire.Accepted](f, "kiosk-1", GiveBack{Kiosk: "kiosk-1", Tickets: []tournament.TicketNumber{block.Seats[0].Ticket}})
		}
	}
	if seat := doneAt[wire.Seat](f, "kiosk-1", registration(who, at14)); seat.Machine != 37 {
		t.Errorf("machine %d, want 37", seat.Machine)
	}
	if again := f.asks("kiosk-1", 1); len(machinesOf(again, at14)) != 3 {
		t.Errorf("a heat that was called back was granted again: %v", machinesOf(again, at14))
	}
}

func TestAnotherKioskNeedsTheHomeToLetThePlayerGo(t *testing.T) {
	f := newFloor(t, granting)
	f.enlists("kiosk-1", "kiosk-2")
	who := f.playerOf("kiosk-1", 4)
	doneAt[wire.Seat](f, "desk-1", registration(who, at13)) // nothing is granted yet
	f.asks("kiosk-1", 0)
	f.asks("kiosk-2", 0)
	f.refusedAt("kiosk-2", registration(who, at14), tournament.HomeSilent)
	f.refusedAt("desk-1", registration(who, at14), tournament.HomeSilent)
	if asked, err := f.books.LetGoAsked(f.view, "kiosk-1"); err != nil || len(asked) != 1 || asked[0].Person != who {
		t.Errorf("asked to let go: %v, %v", asked, err)
	}
	if count := f.count(LetGoAsked); count != 1 {
		t.Errorf("asked %d times", count)
	}
	doneAt[wire.Accepted](f, "kiosk-1", LetGo{Kiosk: "kiosk-1", Person: who})
	if held, err := f.books.Held(f.view, who, "desk-1"); held || err != nil {
		t.Errorf("held %v, %v", held, err)
	}
	doneAt[wire.Seat](f, "desk-1", registration(who, at14))
	f.asks("kiosk-1", 1)
	f.refusedAt("kiosk-2", registration(who, at20), tournament.HomeSilent)
	doneAt[wire.Seat](f, "kiosk-1", registration(who, at20))
}

// count returns how many events of a kind there are.
func (f *floor) count(what What) (count int) {
	for _, event := range f.events() {
		if event.What == what {
			count++
		}
	}
	return count
}

func TestAHostActsForAPlayerWhoseHomeIsSilentForTwoMinutes(t *testing.T) {
	f := newFloor(t, granting)
	f.enlists("kiosk-1", "kiosk-2")
	who := f.playerOf("kiosk-1", 1)
	f.asks("kiosk-1", 0)
	override := Override{Person: who, Operator: "pat", Why: "kiosk-1 has no power"}
	if refusal := f.refusedAt("desk-1", override, tournament.TooSoon); !refusal.Until.Equal(f.now.Add(2 * time.Minute)) {
		t.Errorf("until %s", refusal.Until)
	}
	f.refusedAt("desk-1", override, tournament.TooSoon)
	f.now = f.now.Add(2 * time.Minute)
	if _, err := f.at("desk-1", Override{Person: who, Operator: "pat"}); !errors.Is(err, ErrInvalid) {
		t.Errorf("without a reason: %v", err)
	}
	doneAt[wire.Accepted](f, "desk-1", override)
	doneAt[wire.Seat](f, "desk-1", registration(who, at14))
}

func TestGrantsOfASilentKioskAreEndedByADecision(t *testing.T) {
	f := newFloor(t, granting)
	f.enlists("kiosk-1")
	who := f.playerOf("kiosk-1", 1)
	f.asks("kiosk-1", 0)
	end := EndGrants{Kiosk: "kiosk-1", Why: "fell over"}
	f.refusedAt("desk-1", end, tournament.TooSoon)
	f.now = f.now.Add(2 * time.Minute)
	heard := end
	heard.Heard = f.now.Add(-time.Minute)
	f.refusedAt("desk-1", heard, tournament.TooSoon)
	doneAt[wire.Accepted](f, "desk-1", end)
	doneAt[wire.Seat](f, "desk-1", registration(who, at14))
	if heats, err := f.books.Heats(f.view, f.now, 5); err != nil || heats[2].Free != 40 {
		t.Errorf("got %+v, %v", heats[2], err)
	}
	if again := f.asks("kiosk-1", 1); again.Number != 2 || len(machinesOf(again, at14)) != 4 {
		t.Errorf("got %+v", again)
	}
}

func TestAKioskThatComesMovesOnlyThePlayersThatItGets(t *testing.T) {
	before := []string{"kiosk-1", "kiosk-2", "kiosk-3"}
	after := append(slices.Clone(before), "kiosk-4")
	moved, players := 0, 4000
	count := map[string]int{}
	for i := range players {
		who := tournament.PersonID(fmt.Sprint("person-", i))
		was, is := homeOf(before, who), homeOf(after, who)
		count[is]++
		if was != is {
			moved++
			if is != "kiosk-4" {
				t.Fatalf("%s moved from %s to %s", who, was, is)
			}
		}
	}
	for kiosk, has := range count {
		if has < players/4*8/10 || has > players/4*12/10 {
			t.Errorf("%s has %d of %d players", kiosk, has, players)
		}
	}
	if homeOf(nil, "somebody") != "" {
		t.Error("somebody has a home without kiosks")
	}
}

// While kiosk-1 may still use the list of which it was the only one, kiosk-2 leaves everybody to it; once it has said that it
// uses a later one, kiosk-2 gets its own players with its next grant.
func TestTheLaterGrantGivesWayWhileListsChange(t *testing.T) {
	f := newFloor(t, granting)
	f.enlists("kiosk-1")
	old := f.asks("kiosk-1", 0)
	f.enlists("kiosk-2")
	who := f.playerOf("kiosk-2", 2)
	new := f.asks("kiosk-2", 0)
	if !slices.Equal(new.Others, []wire.Elsewhere{{Kiosk: "kiosk-1", List: 1}}) {
		t.Errorf("got %+v", new.Others)
	}
	if _, err := f.alone("kiosk-2", new, who, at14); reasonOfError(err) != tournament.NotHome {
		t.Errorf("got %v, want not-home", err)
	}
	if home, own, err := f.books.Home(f.view, "kiosk-2", &new, who); home != "kiosk-1" || own || err != nil {
		t.Errorf("sent to %q, %v", home, err)
	}
	if _, err := f.alone("kiosk-1", old, who, at14); err != nil {
		t.Errorf("the old home: %v", err)
	}
	f.refusedAt("kiosk-2", registration(who, at14), tournament.HomeSilent)
	second := f.asks("kiosk-1", 1) // it may still use the first one
	if len(second.Back) != 22 {
		t.Errorf("asked to give back %d of 44 machines, now that there are two kiosks", len(second.Back))
	}
	doneAt[wire.Accepted](f, "kiosk-1", GiveBack{Kiosk: "kiosk-1", Tickets: second.Back})
	if again := f.asks("kiosk-2", 1); len(again.Others) != 1 {
		t.Errorf("got %+v", again.Others)
	}
	f.asks("kiosk-1", second.Number)
	last := f.asks("kiosk-2", 2)
	if len(last.Others) != 0 {
		t.Errorf("got %+v", last.Others)
	}
	if _, err := f.alone("kiosk-2", last, who, at14); err != nil {
		t.Errorf("the new home: %v", err)
	}
	if _, err := f.alone("kiosk-1", second, who, at14); reasonOfError(err) != tournament.NotHome {
		t.Errorf("got %v, want not-home", err)
	}
}

// reasonOfError returns the reason of a refusal, or "".
func reasonOfError(err error) tournament.Reason {
	if refusal, is := errors.AsType[*tournament.Refusal](err); is {
		return refusal.Reason
	}
	return ""
}

func TestEnrolledKiosksAreHomesAndDesksAreNot(t *testing.T) {
	f := newFloor(t, granting)
	list := func(want ...string) {
		t.Helper()
		if _, got, err := homes(f.view); err != nil || !slices.Equal(got, want) {
			t.Errorf("the homes are %v, %v; want %v", got, err, want)
		}
	}
	f.enrols("kiosk-2")
	f.enrols("kiosk-1")
	done[CodeMade](f, IssueCode{Kiosk: "desk-1", Role: wire.RoleDesk, ID: "desk", Seed: []byte("seed"), Operator: "pat"})
	done[*Kiosk](f, proven("desk", "desk-1"))
	list("kiosk-1", "kiosk-2")
	f.asks("kiosk-1", 0)
	f.asks("kiosk-2", 0)
	done[wire.Accepted](f, Revoke{Kiosk: "kiosk-1", Why: "stolen"})
	done[wire.Accepted](f, Retire{Kiosk: "kiosk-2", Why: "broken"})
	list()
	for kiosk, live := range map[string]bool{"kiosk-1": true, "kiosk-2": false} {
		if record, err := need[grant](f.view, join(prefixGrant, kiosk)); err != nil || record.live() != live {
			t.Errorf("%s: got %+v, %v", kiosk, record, err)
		}
	}
}
