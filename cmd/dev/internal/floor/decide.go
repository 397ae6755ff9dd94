package floor

import (
	"context"
	"errors"
	"time"

	"reelkiosk/store/client"
	"reelkiosk/store/wire"
)

// director is who decides on the floor, at the desk (clause 23). The PIN is the demo's own.
var director = wire.By{Operator: "director", Desk: "desk"}

const directorPIN = "2468"

// decide has the director prove who it is, as each decision wants, and returns the decision.
func (f *Floor) decide(ctx context.Context, why string) (wire.Decision, error) {
	_, err := f.Client.SetStaff(ctx, wire.SetStaff{
		Decision: wire.Decision{By: wire.By{Operator: "demo"}, Why: why},
		Name:     director.Operator, Duties: []wire.Duty{wire.DutyDirector}, PIN: directorPIN,
	})
	if err != nil {
		return wire.Decision{}, err
	}
	for _, decides := range []bool{false, true} {
		if _, err := f.Client.SignIn(ctx, wire.SignIn{By: director, PIN: directorPIN, Decides: decides}); err != nil {
			return wire.Decision{}, err
		}
	}
	return wire.Decision{By: director, Why: why}, nil
}

// CancelNextHeat cancels the first heat whose registration is open: the one that a player without seats is offered first.
func (f *Floor) CancelNextHeat(ctx context.Context, why string) error {
	decision, err := f.decide(ctx, why)
	if err != nil {
		return err
	}
	now := time.Now()
	coming, err := f.Client.Heats(ctx, now, 10)
	if err != nil {
		return err
	}
	for _, heat := range coming.Heats {
		if heat.State == "cancelled" || now.Before(heat.Opens) || !now.Before(heat.Closes) {
			continue
		}
		_, err := f.Client.CancelHeat(ctx, f.key(), wire.HeatDecision{Decision: decision, Heat: heat.ID})
		return err
	}
	return errors.New("no heat is open for registration")
}

// MachinesInService returns the numbers of the machines that the definition has in service.
func (f *Floor) MachinesInService(ctx context.Context) ([]int, error) {
	defined, _, _, err := f.Client.Definition(ctx)
	if err != nil {
		return nil, err
	}
	var numbers []int
	for _, machine := range defined.Machines {
		if !machine.OutOfService {
			numbers = append(numbers, machine.Number)
		}
	}
	return numbers, nil
}

// ServeMachines takes machines out of service, or brings them back.
func (f *Floor) ServeMachines(ctx context.Context, numbers []int, out bool, why string) error {
	for _, number := range numbers {
		service := wire.MachineService{Machine: number, Out: out, Operator: "demo", Reason: why}
		if _, err := f.Client.ServeMachine(ctx, f.key(), service); err != nil {
			return err
		}
	}
	return nil
}

// RevokeKiosk shuts the kiosk out for good.
func (f *Floor) RevokeKiosk(why string) error {
	_, err := f.Reelctl("kiosks", "revoke", kioskName, "--why", why)
	return err
}

// key returns the key of the Cash Desk's next act.
func (f *Floor) key() client.Key {
	f.sequence++
	return client.Key{Enrolment: deskName, Sequence: f.sequence}
}
