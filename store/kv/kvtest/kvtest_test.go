package kvtest

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"reelkiosk/store/kv"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// faultVariable makes TestMemory run on a Memory with that fault.
const faultVariable = "KVTEST_FAULT"

func TestMemory(t *testing.T) {
	memories := map[string]*Memory{}
	Run(t, func(t testing.TB, where string) kv.Store {
		if memories[where] == nil {
			memories[where] = &Memory{fault: fault(os.Getenv(faultVariable))}
		}
		return memories[where].Open()
	})
}

// TestSuiteFindsEachFault: a suite that passes whatever the engine does tests nothing. Each fault is tried in a process of
// its own, since there the suite must fail.
func TestSuiteFindsEachFault(t *testing.T) {
	if os.Getenv(faultVariable) != "" {
		t.Skip("this is one of those processes")
	}
	for _, c := range []struct {
		fault fault
		part  string
	}{
		{"forgets deletes", "reads"},
		{"high included", "ranges"},
		{"forgets deletes", "against_a_plain_map"},
		{"no isolation", "a_view_keeps_its_revision"},
		{"torn batches", "a_batch_is_seen_whole_or_not_at_all"},
		{"high included", "a_long_scan"},
		{"ignores limits", "limits"},
		{"ignores contexts", "ended_contexts"},
		{"two writers", "one_writer_at_a_time"},
		{"the same epoch", "one_writer_at_a_time"},
		{"no fence", "a_deposed_writer"},
		{"answers after closing", "closing"},
		{"forgets when closed", "opening_again"},
		{"the same epoch", "opening_again"},
	} {
		t.Run(string(c.fault)+" in "+c.part, func(t *testing.T) {
			child := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^TestMemory$/^"+c.part+"$")
			child.Env = append(os.Environ(), faultVariable+"="+string(c.fault))
			said, err := child.CombinedOutput()
			if err == nil || !strings.Contains(string(said), "--- FAIL: TestMemory/"+c.part) {
				t.Errorf("the suite did not fail: %v\n%s", err, said)
			}
		})
	}
}
