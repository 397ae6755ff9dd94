package demo

import "context"

// closeHeat has a director cancel the next heat whose registration is open.
func (t *tour) closeHeat(ctx context.Context) error {
	return t.floor.CancelNextHeat(ctx, "the demo shows a heat that is closed")
}

// machines takes all machines out of service, so that no seat is left, or brings back those that it took out.
func (t *tour) machines(ctx context.Context, out bool) (err error) {
	const why = "the demo shows a floor without seats"
	if !out {
		return t.floor.ServeMachines(ctx, t.out, false, why)
	}
	if t.out, err = t.floor.MachinesInService(ctx); err != nil {
		return err
	}
	return t.floor.ServeMachines(ctx, t.out, true, why)
}

// revoke shuts the kiosk out for good.
func (t *tour) revoke() error {
	return t.floor.RevokeKiosk("the demo shows a kiosk that is out of service")
}
