package tournament

// Seats returns the machines that seats of a heat of that size are given on, in the order in which they are given out:
// machines beyond the size stay unused (clause 11).
func (t *Tournament) Seats(size int) []Machine { return t.Machines[:min(size, len(t.Machines))] }

// LowestFree returns the first machine in the order that is neither taken nor out of service, and whether there is one:
// machines are given out in sequence (clause 11), and what was given back is given out again first.
func LowestFree(order []Machine, taken, outOfService func(machine int) bool) (Machine, bool) {
	for _, machine := range order {
		if !taken(machine.Number) && !outOfService(machine.Number) {
			return machine, true
		}
	}
	return Machine{}, false
}
