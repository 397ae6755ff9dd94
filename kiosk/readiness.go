package kiosk

import (
	"fmt"
	"strings"
	"time"

	"reelkiosk/store/wire"
)

// Verdict is how a check ended.
type Verdict string

// The verdicts.
const (
	Passed  Verdict = "passed"
	Warned  Verdict = "warning" // players are served, and it should be looked at
	Failed  Verdict = "failed"
	Skipped Verdict = "skipped" // it could not be looked at, or there is nothing to look at
)

// Finding is what one check of a kiosk found.
type Finding struct {
	// Check is what was looked at: configuration, card reader, central…
	Check   string  `json:"check"`
	Verdict Verdict `json:"verdict"`
	// What was found, with the measured value; Do is what to do next, empty where it is well.
	What string `json:"what"`
	Do   string `json:"do,omitempty"`
}

// Readiness is what all checks of a kiosk found.
type Readiness struct {
	Kiosk   string    `json:"kiosk,omitempty"`
	Version string    `json:"version"`
	At      time.Time `json:"at"`
	// Running says that the kiosk itself was asked; else its parts were looked at.
	Running  bool      `json:"running"`
	Ready    bool      `json:"ready"`
	Findings []Finding `json:"findings"`
}

// Note adds a finding. The kiosk is ready as long as none failed.
func (r *Readiness) Note(check string, verdict Verdict, what, do string) {
	if len(r.Findings) == 0 {
		r.Ready = true
	}
	r.Ready = r.Ready && verdict != Failed
	r.Findings = append(r.Findings, Finding{check, verdict, what, do})
}

// Worst returns the findings, those that failed first, then the warnings, each in the order in which they were noted.
func (r *Readiness) Worst() []Finding {
	var sorted []Finding
	for _, verdict := range []Verdict{Failed, Warned, Passed, Skipped} {
		for _, finding := range r.Findings {
			if finding.Verdict == verdict {
				sorted = append(sorted, finding)
			}
		}
	}
	return sorted
}

// Heard notes what a running kiosk says of itself: each condition that holds with what to do about it, and what is well with
// its measured value.
func (r *Readiness) Heard(health wire.KioskHealth) {
	r.Running, r.Kiosk = true, health.Kiosk
	for _, holds := range health.Conditions {
		verdict := map[string]Verdict{"fault": Failed, "warning": Warned}[holds.Severity]
		if verdict == "" {
			verdict = Warned
		}
		what := fmt.Sprintf("%s, for %v", holds.Title, time.Duration(holds.Holds)*time.Second)
		if holds.Detail != "" {
			what += ": " + holds.Detail
		}
		r.Note(string(holds.Name), verdict, what, holds.Do)
	}
	for _, reader := range []struct{ check, word string }{{"card reader", health.Card}, {"document scanner", health.Document}} {
		if reader.word == "ready" {
			r.Note(reader.check, Passed, "its port is open", "")
		}
	}
	if health.Printer == "ready" || health.Printer == "paper low" {
		r.Note("printer", Passed, "it answers, and can print", "")
	}
	if health.Clock.Known {
		r.Note("clock", Passed, fmt.Sprintf("%d ms ahead of central; an answer takes %d ms", health.Clock.Offset, health.Clock.RoundTrip), "")
	}
	if health.Outbox.Waiting == 0 && health.Outbox.Dead == 0 {
		r.Note("outbox", Passed, "nothing waits for central", "")
	}
	if health.Copy.Known {
		r.Note("copy of the books", Passed, fmt.Sprintf("event %d, known to be all %v ago", health.Copy.Sequence, time.Duration(health.Copy.Age)*time.Second), "")
	}
	if health.DiskFree != nil {
		r.Disk(*health.DiskFree)
	}
}

// Disk notes how much of the disk is free, from 0 to 1.
func (r *Readiness) Disk(free float64) {
	what := fmt.Sprintf("%.0f %% of the data folder's disk is free", 100*free)
	if free < 0.05 {
		r.Note("disk", Warned, what, "Make room: old logs and old backups first.")
		return
	}
	r.Note("disk", Passed, what, "")
}

// String is the report as a technician reads it over ssh.
func (r *Readiness) String() string {
	var text strings.Builder
	for _, finding := range r.Worst() {
		fmt.Fprintf(&text, "%-8s %-18s %s\n", finding.Verdict, finding.Check, strings.ReplaceAll(finding.What, "\n", "\n"+strings.Repeat(" ", 28)))
		if finding.Do != "" {
			fmt.Fprintf(&text, "%28s%s\n", "", finding.Do)
		}
	}
	verdict := "not ready yet"
	if r.Ready {
		verdict = "ready"
	}
	counts := map[Verdict]int{}
	for _, finding := range r.Findings {
		counts[finding.Verdict]++
	}
	fmt.Fprintf(&text, "%s: %d failed, %d to look at, %d passed\n", verdict, counts[Failed], counts[Warned], counts[Passed])
	return text.String()
}
