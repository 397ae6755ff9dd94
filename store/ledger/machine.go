package ledger

import (
	"fmt"
	"slices"

	"reelkiosk/store/kv"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// machineServiced is the outcome of MachineServiced.
type machineServiced struct {
	Machine int  `json:"machine"`
	Out     bool `json:"out"`
}

func (*machineServiced) what() What { return MachineServiced }

func (o *machineServiced) apply(s *state, _ *Event) error {
	record, err := load[machines](s.view, []byte(prefixMachines))
	if err != nil {
		return err
	}
	if record == nil {
		record = &machines{}
	}
	without := func(list []int) []int { return slices.DeleteFunc(list, func(n int) bool { return n == o.Machine }) }
	record.Out, record.Back = without(record.Out), without(record.Back)
	list := &record.Back
	if o.Out {
		list = &record.Out
	}
	*list = append(*list, o.Machine)
	slices.Sort(*list)
	return s.put([]byte(prefixMachines), record)
}

// outOfService returns which machines are out of service now: by definition, and by what happened since.
func (b *Books) outOfService(view kv.Reader) (func(machine int) bool, error) {
	record, err := load[machines](view, []byte(prefixMachines))
	if err != nil {
		return nil, err
	}
	if record == nil {
		return func(machine int) bool { return b.machines[machine].OutOfService }, nil
	}
	return func(machine int) bool {
		if b.machines[machine].OutOfService {
			return !slices.Contains(record.Back, machine)
		}
		return slices.Contains(record.Out, machine)
	}, nil
}

// lowestFree returns the machine that a heat gives out next (clause 11), and whether it has one: what is granted to kiosks
// is not central's to give.
func (b *Books) lowestFree(now playing, out func(int) bool) (tournament.Machine, bool) {
	taken := func(machine int) bool { return now.Taken.has(machine) || now.Granted.has(machine) }
	return tournament.LowestFree(b.definition.Seats(now.Size), taken, out)
}

// room returns how many seats a heat has in service, and how many of them are free and not granted to a kiosk.
func (b *Books) room(now playing, out func(int) bool) (size, free int) {
	for _, machine := range b.definition.Seats(now.Size) {
		if out(machine.Number) {
			continue
		}
		size++
		if !now.Taken.has(machine.Number) && !now.Granted.has(machine.Number) {
			free++
		}
	}
	return size, free
}

func (a MachineService) decide(t *turn) (any, error) {
	if _, known := t.machines[a.Machine]; !known {
		return nil, fmt.Errorf("%w: no machine %d", ErrInvalid, a.Machine)
	}
	if a.Reason == "" || len(a.Reason) > mostText {
		return nil, fmt.Errorf("%w: a reason has 1 to %d bytes", ErrInvalid, mostText)
	}
	out, err := t.outOfService(t.view)
	if err != nil {
		return nil, err
	}
	if out(a.Machine) == a.Out {
		return wire.Accepted{Sequence: t.last.sequence}, nil
	}
	if err := t.record(a.Reason, &machineServiced{Machine: a.Machine, Out: a.Out}); err != nil {
		return nil, err
	}
	if a.Out {
		if err := t.caseForSeats(a.Machine); err != nil {
			return nil, err
		}
	}
	return wire.Accepted{Sequence: t.last.sequence}, nil
}

// caseForSeats opens a case for seats that are issued on a machine in heats still to come: their holders need other
// machines (clause 20). Registration has opened for none that starts later than a day or so from now.
func (t *turn) caseForSeats(machine int) error {
	var seats []tournament.SeatID
	err := t.heatsFrom(t.view, t.at, func(now playing) (bool, error) {
		if now.Taken.has(machine) {
			id, err := name[tournament.SeatID](t.view, takenKey(now.ID, machine))
			if err != nil {
				return false, err
			}
			seats = append(seats, id)
		}
		return !now.heat.Start.IsZero() || !t.at.Before(now.Opens(t.definition.Rules)), nil
	})
	if err != nil || len(seats) == 0 {
		return err
	}
	return t.openCase(CaseMachine, "", Evidence{Machine: machine, Seats: seats})
}
