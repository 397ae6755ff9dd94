package kiosk

import (
	"strings"
	"testing"

	"reelkiosk/store/wire"
)

func TestTheReportNamesTheWorstFirstAndWhatToDo(t *testing.T) {
	free := 0.03
	var report Readiness
	report.Heard(wire.KioskHealth{
		Kiosk: "kiosk-7", Card: "ready", Document: "gone", Printer: "paper out", DiskFree: &free,
		Conditions: []wire.Condition{
			{Name: "scanner-gone", Title: "Document scanner not connected", Severity: "warning", Holds: 65, Detail: "unplugged", Do: "Plug it in."},
			{Name: "paper-out", Title: "Paper is out", Severity: "fault", Holds: 5, Do: "Put a roll in."},
		},
	})
	want := `failed   paper-out          Paper is out, for 5s
                            Put a roll in.
warning  scanner-gone       Document scanner not connected, for 1m5s: unplugged
                            Plug it in.
warning  disk               3 % of the data folder's disk is free
                            Make room: old logs and old backups first.
passed   card reader        its port is open
passed   outbox             nothing waits for central
not ready yet: 1 failed, 2 to look at, 2 passed
`
	if got := report.String(); got != want || report.Ready {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestAKioskWithWarningsAloneIsReady(t *testing.T) {
	var report Readiness
	report.Note("a", Passed, "", "")
	report.Note("b", Warned, "", "")
	report.Note("c", Skipped, "", "")
	if !report.Ready || !strings.Contains(report.String(), "ready: 0 failed, 1 to look at, 1 passed") {
		t.Error(report.String())
	}
}
