package vault

import "testing"

func TestAnotherKeyHasAnotherCheckValue(t *testing.T) {
	one := New(Keys{Lookup: [32]byte{1}, Data: [32]byte{2}})
	cases := map[string]struct {
		keys         Keys
		lookup, data bool
	}{
		"the same keys":      {Keys{Lookup: [32]byte{1}, Data: [32]byte{2}}, true, true},
		"another lookup key": {Keys{Lookup: [32]byte{3}, Data: [32]byte{2}}, false, true},
		"another data key":   {Keys{Lookup: [32]byte{1}, Data: [32]byte{3}}, true, false},
		"one for the other":  {Keys{Lookup: [32]byte{2}, Data: [32]byte{1}}, false, false},
	}
	for name, c := range cases {
		other := New(c.keys)
		if same := one.CheckLookup() == other.CheckLookup(); same != c.lookup {
			t.Errorf("%s: the lookup keys' check values are the same: %v", name, same)
		}
		if same := one.CheckData() == other.CheckData(); same != c.data {
			t.Errorf("%s: the data keys' check values are the same: %v", name, same)
		}
	}
	// Books on disks hold them.
	if got := one.CheckLookup().String() + " " + one.CheckData().String(); got != "5d003f23c67124ea ab2396730e3b0db4" {
		t.Errorf("the check values changed: %s", got)
	}
	if floor := New(one.Floor(1)); floor.CheckLookup() != one.CheckLookup() {
		t.Error("the floor has another lookup key")
	}
}
