package tournament

import "testing"

func TestLowestFreeMachine(t *testing.T) {
	// The order is the definition's, whatever the numbers are.
	tournament := Tournament{Machines: []Machine{{Number: 7}, {Number: 3}, {Number: 9}, {Number: 4}}}
	among := func(numbers ...int) func(int) bool {
		return func(machine int) bool {
			for _, number := range numbers {
				if number == machine {
					return true
				}
			}
			return false
		}
	}
	cases := []struct {
		name       string
		size       int
		taken, out func(int) bool
		want       int
	}{
		{"clause 11: the first in the order", 4, among(), among(), 7},
		{"clause 11: in sequence", 4, among(7), among(), 3},
		{"clause 11: one that was given back is given out again first", 4, among(7, 9), among(), 3},
		{"one out of service is skipped", 4, among(7), among(3), 9},
		{"full", 4, among(7, 3, 9, 4), among(), 0},
		{"full but for one that is out of service", 4, among(7, 9, 4), among(3), 0},
		{"machines beyond the heat's size stay unused", 2, among(7, 3), among(), 0},
		{"a size beyond the machines", 9, among(7, 3, 9), among(), 4},
	}
	for _, c := range cases {
		machine, free := LowestFree(tournament.Seats(c.size), c.taken, c.out)
		if free != (c.want != 0) || machine.Number != c.want {
			t.Errorf("%s: got %d, %v; want %d", c.name, machine.Number, free, c.want)
		}
	}
}
