package kiosk

import (
	"context"
	"crypto/rand"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"reelkiosk/kiosk/firststart"
	"reelkiosk/store/replica"
	"reelkiosk/store/tournament"
	"reelkiosk/store/trust"
)

// technician is somebody at the screen of a kiosk that is not enrolled.
type technician struct {
	*castle
	events chan firststart.Event
	shown  chan firststart.State
	over   chan string
}

// firstStart starts a kiosk that is not enrolled, with nothing in its configuration of where central is.
func (c *castle) firstStart(name string) *technician {
	c.Helper()
	file, err := replica.Open(c.fileOf(name), rand.Reader)
	c.must(err)
	enrolment := file.Enrolment()
	c.must(file.Close())
	at := &technician{c, make(chan firststart.Event), make(chan firststart.State, 1000), make(chan string, 1)}
	first := FirstStart{
		Name: name, Enrolment: enrolment, Path: c.identityOf(name), Log: slog.New(slog.NewJSONHandler(&c.log, nil)),
		Show: func(state firststart.State) { at.shown <- state },
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if central, err := first.Run(ctx, at.events); err == nil {
			at.over <- central
		}
	}()
	c.Cleanup(func() { cancel(); <-ended })
	return at
}

func (at *technician) types(text string) *technician {
	for _, symbol := range text {
		at.events <- firststart.Symbol{Symbol: symbol}
	}
	return at
}

func (at *technician) presses(buttons ...firststart.Button) *technician {
	for _, button := range buttons {
		at.events <- firststart.Pressed{Button: button}
	}
	return at
}

// sees waits for a screen.
func (at *technician) sees(screen firststart.Screen) (state firststart.State) {
	at.Helper()
	for state.Screen != screen {
		select {
		case state = <-at.shown:
		case <-at.Context().Done():
			at.Fatalf("never saw %s", screen)
		}
	}
	return state
}

// TestATechnicianEnrolsAKioskOnItsScreen: after a wrong address and a code that another kiosk has used.
func TestATechnicianEnrolsAKioskOnItsScreen(t *testing.T) {
	leaveNothing(t)
	c := newCastle(t)
	used := c.code("kiosk-4")
	_, err := Enrol(t.Context(), c.url, used, "abcdefghijklmnopqrstuvwxyz", c.identityOf("kiosk-4"))
	c.must(err)
	at := c.firstStart("kiosk-3")
	address := c.url[len("https://"):]

	at.types("127.0.0.1:1").presses(firststart.ButtonNext).types(string(used)).presses(firststart.ButtonNext)
	if state := at.sees(firststart.ScreenFailed); state.Failure != firststart.FailureAway {
		t.Errorf("where nobody listens: %s", state.Failure)
	}
	at.presses(firststart.ButtonAddress, firststart.ButtonClear).types(address).presses(firststart.ButtonNext, firststart.ButtonNext)
	if state := at.sees(firststart.ScreenFailed); state.Failure != firststart.FailureUsed {
		t.Errorf("with a used code: %s", state.Failure)
	}
	at.presses(firststart.ButtonOtherCode).types(string(c.code("kiosk-3"))).presses(firststart.ButtonNext)
	if state := at.sees(firststart.ScreenOver); state.As != "kiosk-3" {
		t.Errorf("enrolled as %q", state.As)
	}
	if central := <-at.over; central != c.url {
		t.Errorf("enrolled with %s, want %s", central, c.url)
	}
	l := c.runs("kiosk-3", nil)
	l.works()
}

func TestAKioskThatIsEnrolledByAnotherNameSaysSo(t *testing.T) {
	leaveNothing(t)
	c := newCastle(t)
	at := c.firstStart("kiosk-3")
	at.types(c.url[len("https://"):]).presses(firststart.ButtonNext).types(string(c.code("kiosk-9"))).presses(firststart.ButtonNext)
	if state := at.sees(firststart.ScreenOtherName); state.As != "kiosk-9" || state.Name != "kiosk-3" {
		t.Errorf("shown %+v", state)
	}
	at.presses(firststart.ButtonNext)
	<-at.over
}

func TestACodeThatCannotBeKeptIsSaidToBeGone(t *testing.T) {
	leaveNothing(t)
	c := newCastle(t)
	at := c.firstStart("kiosk-3")
	c.must(os.MkdirAll(filepath.Join(c.identityOf("kiosk-3"), "in the way"), 0o700))
	at.types(c.url[len("https://"):]).presses(firststart.ButtonNext).types(string(c.code("kiosk-3"))).presses(firststart.ButtonNext)
	if state := at.sees(firststart.ScreenFailed); state.Failure != firststart.FailureDisk || !state.Failure.Spoilt() {
		t.Errorf("shown %+v", state)
	}
}

func TestWhatATechnicianIsToldOfEachFailure(t *testing.T) {
	for reason, want := range map[tournament.Reason]firststart.Failure{
		tournament.CodeUnknown: firststart.FailureUnknown, tournament.CodeExpired: firststart.FailureExpired,
		tournament.CodeSpent: firststart.FailureSpent, tournament.ClockSuspect: firststart.FailureClock,
		tournament.NotAllowed: firststart.FailureOther,
	} {
		if got := failureOf(reason.Refuse()); got != want {
			t.Errorf("%s: %s", reason, got)
		}
	}
	if got := failureOf(trust.ErrImposter); got != firststart.FailureImposter {
		t.Errorf("of an imposter: %s", got)
	}
}
