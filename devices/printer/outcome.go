package printer

import "fmt"

// JobID is the caller's name for a job, such as the number of the ticket's copy. It is not printed; it comes back with
// a late confirmation.
type JobID string

// Result is what became of a job.
type Result int

const (
	// NotStarted says that no byte of the job was sent: there is no ticket, and there will be none.
	NotStarted Result = iota
	// Printed says that the printer reported the job as done.
	Printed
	// Unconfirmed says that nobody knows whether there is a ticket. It may become printed by a late confirmation, and is
	// never printed again by itself.
	Unconfirmed
)

// String returns the result in lower case.
func (r Result) String() string {
	switch r {
	case NotStarted:
		return "not started"
	case Printed:
		return "printed"
	case Unconfirmed:
		return "unconfirmed"
	}
	return fmt.Sprintf("result %d", int(r))
}

// Reason says why a job is unconfirmed. The set is closed.
type Reason int

const (
	// NoReason is that of a job that is not unconfirmed.
	NoReason Reason = iota
	// NeverTells says that this model cannot say whether it printed.
	NeverTells
	// NoAnswer says that the printer did not report the job in time, and now says that it is well, or nothing at all.
	NoAnswer
	// Stopped says that the printer stopped in the middle: Outcome.Status says why.
	Stopped
	// Lost says that the port was lost in the middle, or took no more bytes.
	Lost
	// Abandoned says that the caller's context ended in the middle.
	Abandoned
)

var reasonWords = []string{"none", "never tells", "no answer", "stopped", "port lost", "abandoned"}

// String returns the reason in lower case.
func (r Reason) String() string {
	if r < 0 || int(r) >= len(reasonWords) {
		return fmt.Sprintf("reason %d", int(r))
	}
	return reasonWords[r]
}

// Outcome is what became of a job.
type Outcome struct {
	Result Result
	Reason Reason // of Unconfirmed
	// Status is how the printer was, as last known: why it was not started, or why it stopped. A job that was not started
	// although it can print was itself at fault, or its context ended: Err says so.
	Status Status
	// Err says more for a log: what was wrong with the document (ErrDocument), the port's error or the context's. It may
	// be nil.
	Err error
}
