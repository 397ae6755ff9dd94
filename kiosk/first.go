package kiosk

import (
	"context"
	"errors"
	"log/slog"
	"sync"

	"reelkiosk/kiosk/firststart"
	"reelkiosk/store/client"
	"reelkiosk/store/tournament"
	"reelkiosk/store/trust"
)

// FirstStart has a technician enrol the kiosk on its own screen.
type FirstStart struct {
	// Name is the kiosk's in its configuration, Central the address of central there.
	Name, Central string
	// Enrolment is the replica's, and Path where the identity is to lie.
	Enrolment, Path string
	// Show shows a state. It is called by one goroutine.
	Show func(firststart.State)
	// Log gets what central answered, without the code.
	Log *slog.Logger
}

// Run takes what is touched until the kiosk is enrolled, and returns the address of the central that it is enrolled with; or
// until ctx ends, with its error.
func (f FirstStart) Run(ctx context.Context, events <-chan firststart.Event) (central string, err error) {
	state := firststart.Start(f.Name, f.Central)
	f.Show(state)
	type outcome struct {
		firststart.Answered
		central string
	}
	answers := make(chan outcome)
	var asking sync.WaitGroup
	defer asking.Wait()
	life, end := context.WithCancel(ctx)
	defer end()
	// before ends the question before: it was given up.
	before := func() {}
	for {
		var event firststart.Event
		select { // central is that of the last answer: of the one that enrolled the kiosk, in the end
		case <-ctx.Done():
			return "", ctx.Err()
		case event = <-events:
		case answer := <-answers:
			event, central = answer.Answered, answer.central
		}
		next, ask := firststart.Step(state, event)
		if state = next; state.Screen == firststart.ScreenOver {
			f.Show(state)
			return central, nil
		}
		if ask != nil {
			before()
			trying, stop := context.WithCancel(life)
			before = stop
			asking.Go(func() {
				defer stop()
				answer := outcome{f.ask(trying, *ask), ask.Central}
				select {
				case answers <- answer:
				case <-life.Done():
				}
			})
		}
		f.Show(state)
	}
}

// ask asks central to enrol the kiosk.
func (f FirstStart) ask(ctx context.Context, ask firststart.Ask) firststart.Answered {
	identity, err := Enrol(ctx, ask.Central, ask.Code, f.Enrolment, f.Path)
	switch {
	case err == nil:
		f.Log.Info("enrolled on the screen", "central", ask.Central, "as", identity.Name)
		return firststart.Answered{Number: ask.Number, As: identity.Name}
	case identity != nil:
		f.Log.Error("enrolled, and the identity cannot be kept", "error", err)
		return firststart.Answered{Number: ask.Number, Failure: firststart.FailureDisk}
	}
	f.Log.Warn("not enrolled", "central", ask.Central, "error", err)
	return firststart.Answered{Number: ask.Number, Failure: failureOf(err)}
}

// codeFailures are what a technician is told of a code that is no good.
var codeFailures = map[tournament.Reason]firststart.Failure{
	tournament.CodeUnknown: firststart.FailureUnknown, tournament.CodeExpired: firststart.FailureExpired,
	tournament.CodeUsed: firststart.FailureUsed, tournament.CodeSpent: firststart.FailureSpent,
	tournament.ClockSuspect: firststart.FailureClock,
}

func failureOf(err error) firststart.Failure {
	refusal, refused := errors.AsType[*tournament.Refusal](err)
	switch {
	case errors.Is(err, trust.ErrImposter):
		return firststart.FailureImposter
	case errors.Is(err, client.ErrAway):
		return firststart.FailureAway
	case refused && codeFailures[refusal.Reason] != "":
		return codeFailures[refusal.Reason]
	}
	return firststart.FailureOther
}
