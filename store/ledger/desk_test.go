package ledger

import (
	"slices"
	"testing"
	"time"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// pat is a host, and because her reason.
var (
	pat     = wire.By{Operator: "pat", Desk: "desk-1"}
	because = wire.Decision{By: pat, Why: "because"}
	seen    = wire.Presence{Seen: true}
)

// shows is how somebody is identified by a document.
func shows(document *wire.Document) wire.Presence { return wire.Presence{Document: document} }

// printed reports a seat's ticket as printed.
func (f *floor) printed(seat wire.Seat) {
	f.Helper()
	done[wire.Accepted](f, PrintOutcome{Ticket: seat.Ticket, State: tournament.CopyPrinted})
}

// checksIn checks the holder of a ticket in.
func (f *floor) checksIn(seat wire.Seat, who *wire.Document) wire.CheckedIn {
	f.Helper()
	return done[wire.CheckedIn](f, CheckIn{By: pat, Heat: seat.Heat, Ticket: seat.Ticket, Presence: shows(who)})
}

// paperOf returns the document of somebody whom the books know.
func (f *floor) paperOf(id tournament.PersonID) *wire.Document {
	f.Helper()
	who, err := (&state{f.books, f.view}).identity(id)
	if err != nil {
		f.Fatal(err)
	}
	return document(who.IDNumber, who.Surname, who.Given, who.Born)
}

func TestASeatIsCancelledBeforeItsHeatCloses(t *testing.T) {
	f := newFloor(t)
	bought, seat := f.seated(thandi)
	done[wire.Accepted](f, CancelSeat{because, seat.ID})
	done[wire.Accepted](f, CancelSeat{because, seat.ID}) // a second touch changes nothing
	if who := f.meets(thandi); len(who.Entries) != 2 || len(who.Seats) != 0 {
		t.Errorf("got %+v", who)
	}
	again := done[wire.Seat](f, registration(bought.Person, at13))
	if again.Machine != 1 {
		t.Errorf("the machine was not free again: %d", again.Machine)
	}
	f.now = seat.Start.Add(-5 * time.Minute)
	f.refused(CancelSeat{because, again.ID}, tournament.Closed, 11)
	f.refused(CancelSeat{because, "nothing"}, tournament.UnknownSeat, 0)
}

// The entry of a cancelled seat keeps its window: the player gave the seat up himself.
func TestACancelledSeatsEntryStillExpires(t *testing.T) {
	f := newFloor(t)
	_, seat := f.seated(thandi)
	done[wire.Accepted](f, CancelSeat{because, seat.ID})
	f.now = f.now.Add(49 * time.Hour)
	if who := f.meets(thandi); len(who.Entries) != 0 || who.Expired != 2 {
		t.Errorf("got %+v", who)
	}
}

func TestAHostReprintsALostTicketWhileItsHolderIsThere(t *testing.T) {
	f := newFloor(t)
	_, seat := f.seated(thandi)
	f.printed(seat)
	f.refused(HostReprint{because, wire.Presence{}, seat.ID}, tournament.HolderUnseen, 12)
	f.refused(HostReprint{because, wire.Presence{Card: "6001"}, seat.ID}, tournament.HolderUnseen, 12)
	f.refused(HostReprint{because, shows(sipho), seat.ID}, tournament.NotHolder, 12)
	second := done[wire.Seat](f, HostReprint{because, shows(thandi), seat.ID})
	if second.Copy != 2 || second.Ticket == seat.Ticket {
		t.Fatalf("got %+v", second)
	}
	// Until the second is confirmed the first still admits (design decision 5).
	f.checksIn(seat, thandi)
	done[wire.Accepted](f, UndoCheckIn{pat, seat.ID})
	f.printed(second)
	f.refused(CheckIn{By: pat, Heat: at13, Ticket: seat.Ticket, Presence: shows(thandi)}, tournament.VoidCopy, 12)
	f.checksIn(second, thandi)
}

func TestEachRefusalAtTheCheckIn(t *testing.T) {
	cases := []struct {
		name   string
		reason tournament.Reason
		clause int
		set    func(f *floor, seat wire.Seat) CheckIn
	}{
		{"a ticket of no seat", tournament.UnknownTicket, 0, func(*floor, wire.Seat) CheckIn {
			return CheckIn{Heat: at13, Ticket: "0000", Presence: seen}
		}},
		{"the wrong heat", tournament.WrongHeat, 12, func(_ *floor, seat wire.Seat) CheckIn {
			return CheckIn{Heat: at14, Ticket: seat.Ticket, Presence: shows(thandi)}
		}},
		{"clause 12: a ticket alone", tournament.HolderUnseen, 12, func(_ *floor, seat wire.Seat) CheckIn {
			return CheckIn{Heat: at13, Ticket: seat.Ticket}
		}},
		{"clause 12: somebody else's document", tournament.NotHolder, 12, func(_ *floor, seat wire.Seat) CheckIn {
			return CheckIn{Heat: at13, Ticket: seat.Ticket, Presence: shows(sipho)}
		}},
		{"checked in twice", tournament.CheckedInTwice, 12, func(f *floor, seat wire.Seat) CheckIn {
			f.checksIn(seat, thandi)
			return CheckIn{Heat: at13, Ticket: seat.Ticket, Presence: shows(thandi)}
		}},
		{"a seat that was cancelled", tournament.SeatVoidNow, 0, func(f *floor, seat wire.Seat) CheckIn {
			done[wire.Accepted](f, CancelSeat{because, seat.ID})
			return CheckIn{Heat: at13, Ticket: seat.Ticket, Presence: shows(thandi)}
		}},
		{"clause 2: excluded meanwhile", tournament.SeatVoidNow, 0, func(f *floor, seat wire.Seat) CheckIn {
			f.excludes("R1", "self-excluded", thandi.IDNumber)
			return CheckIn{Heat: at13, Ticket: seat.Ticket, Presence: seen}
		}},
		{"clause 22: absent at the start", tournament.SeatForfeit, 22, func(f *floor, seat wire.Seat) CheckIn {
			f.printed(seat)
			f.now = seat.Start
			done[wire.Started](f, StartHeat{By: pat, Heat: at13, Absent: []tournament.SeatID{seat.ID}})
			return CheckIn{Heat: at13, Ticket: seat.Ticket, Presence: shows(thandi)}
		}},
		{"a heat that was cancelled", tournament.HeatGone, 10, func(f *floor, seat wire.Seat) CheckIn {
			done[wire.Accepted](f, CancelHeat{Heat: at13, Why: "power"})
			return CheckIn{Heat: at13, Ticket: seat.Ticket, Presence: shows(thandi)}
		}},
		{"no such heat", tournament.UnknownHeat, 0, func(_ *floor, seat wire.Seat) CheckIn {
			return CheckIn{Heat: "nowhere", Ticket: seat.Ticket, Presence: shows(thandi)}
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := newFloor(t)
			_, seat := f.seated(thandi)
			act := c.set(f, seat)
			f.refused(act, c.reason, c.clause)
		})
	}
}

func TestACheckInIsUndoneWithinTenSeconds(t *testing.T) {
	f := newFloor(t)
	_, seat := f.seated(thandi)
	until := f.checksIn(seat, thandi).Until
	if want := f.now.Add(10 * time.Second); !until.Equal(want) {
		t.Errorf("until %s, want %s", until, want)
	}
	f.now = until
	done[wire.Accepted](f, UndoCheckIn{pat, seat.ID})
	if state := f.seatOf(seat.ID).State; state != tournament.SeatIssued {
		t.Errorf("got %s", state)
	}
	f.checksIn(seat, thandi)
	f.now = f.now.Add(10*time.Second + time.Millisecond)
	f.refused(UndoCheckIn{pat, seat.ID}, tournament.UndoOver, 0)
}

// Design decision 5: a ticket that a kiosk gave while it was cut off, and has not reported, is admitted against the document.
func TestATicketThatItsKioskHasNotReportedIsAdmittedAsACase(t *testing.T) {
	f, who, report := givenAlone(t)
	ticket := string(report.Ticket)
	asWho := shows(f.paperOf(who))
	f.refused(CheckIn{By: pat, Heat: at14, Ticket: ticket, Presence: seen}, tournament.HolderUnseen, 12)
	f.refused(CheckIn{By: pat, Heat: at13, Ticket: ticket, Presence: asWho}, tournament.WrongHeat, 12)
	in := done[wire.CheckedIn](f, CheckIn{By: pat, Heat: at14, Ticket: ticket, Presence: asWho})
	if !in.Case || in.Seat != nil || in.Kiosk != "kiosk-1" || in.Machine != report.Machine {
		t.Errorf("got %+v", in)
	}
	if open := f.cases(); !slices.Equal(open, []string{"ticket-not-reported"}) {
		t.Errorf("cases %v", open)
	}
	f.refused(CheckIn{By: pat, Heat: at14, Ticket: ticket, Presence: shows(sipho)}, tournament.CheckedInTwice, 12)
	// The heat starts, the kiosk reports, and the seat is checked in as it was.
	f.now = report.Start
	done[wire.Started](f, StartHeat{By: pat, Heat: at14})
	f.reports(report)
	f.refused(CheckIn{By: pat, Heat: at14, Ticket: ticket, Presence: shows(thandi)}, tournament.NotHolder, 12)
	if in = done[wire.CheckedIn](f, CheckIn{By: pat, Heat: at14, Ticket: ticket, Presence: asWho}); in.Seat == nil || in.Case {
		t.Errorf("got %+v", in)
	}
}

// Design decision 4: what spends an entry or occupies a heat for a player waits for his home.
func TestASeatIsCancelledOnlyOnceTheHomeLetThePlayerGo(t *testing.T) {
	f, who, _ := givenAlone(t)
	seat := doneAt[wire.Seat](f, "kiosk-1", registration(who, at13))
	f.refusedAt("desk-1", CancelSeat{because, seat.ID}, tournament.HomeSilent)
	doneAt[wire.Accepted](f, "kiosk-1", LetGo{Kiosk: "kiosk-1", Person: who})
	doneAt[wire.Accepted](f, "desk-1", CancelSeat{because, seat.ID})
}

// Clause 2: a heat that is late is not played yet, and whoever is excluded meanwhile does not play it.
func TestWhoIsExcludedWhileAHeatIsLateLosesTheSeat(t *testing.T) {
	f := newFloor(t)
	_, seat := f.seated(thandi)
	f.checksIn(seat, thandi)
	f.now = at13Start.Add(10 * time.Minute)
	f.excludes("R1", "self-excluded", thandi.IDNumber)
	if state := f.seatOf(seat.ID).State; state != tournament.SeatVoid {
		t.Errorf("the seat is %s", state)
	}
	if state := f.entryOf(seat.Entry).State; state != tournament.EntryHeld {
		t.Errorf("the entry is %s", state)
	}
	if came := f.starts(at13); len(came.Forfeited)+len(came.Cases) != 0 {
		t.Errorf("got %+v", came)
	}
}
