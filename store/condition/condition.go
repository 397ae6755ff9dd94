// Package condition is the vocabulary of health: every way in which a machine of the product may be less than well has a
// name here, and nothing is wrong that has none.
//
// A Condition holds or it does not; one that is absent is well. It says how bad it is, what it withdraws and nothing else,
// since what is missing withdraws only what needs it (design decision 8): without a printer there are no seats, but a card
// is still read. A Set is what holds at present on one machine; its changes go to the log, to central and to whoever shows
// them.
package condition

import (
	"maps"
	"slices"
	"time"
)

// Name names a condition: lower-case letters and hyphens, stable, the same in logs, metrics and on the service face.
type Name string

// The conditions.
const (
	// ReaderGone: the card reader's port is not open.
	ReaderGone Name = "reader-gone"
	// ScannerGone: the document scanner's port is not open.
	ScannerGone Name = "scanner-gone"
	// ReaderSetUp: the card reader sends what a reader of its profile does not.
	ReaderSetUp Name = "reader-set-up"
	// ScannerSetUp: the document scanner sends what one of its profile does not.
	ScannerSetUp Name = "scanner-set-up"
	// PrinterGone: the printer's port is not open.
	PrinterGone Name = "printer-gone"
	// PrinterSilent: the printer's port is open and it answers nothing.
	PrinterSilent Name = "printer-silent"
	// PaperLow: the paper nears its end.
	PaperLow Name = "paper-low"
	// PaperOut: there is no paper.
	PaperOut Name = "paper-out"
	// CoverOpen: the printer's cover is open.
	CoverOpen Name = "cover-open"
	// PrinterError: the printer reports an error, its cutter's for one.
	PrinterError Name = "printer-error"
	// LinkDown: central does not answer.
	LinkDown Name = "link-down"
	// CentralSuspect: central writes nothing until somebody confirms its clock.
	CentralSuspect Name = "central-suspect"
	// NotEnrolled: the kiosk has no certificate of central's.
	NotEnrolled Name = "not-enrolled"
	// Refused: central refuses this kiosk, whatever it asks: it was revoked or retired, there are two of it, or its
	// certificate is over.
	Refused Name = "refused-by-central"
	// KeysWithheld: central gives the kiosk no keys until a technician approves (design decision 6).
	KeysWithheld Name = "keys-withheld"
	// RequestsWaiting: requests have waited for an answer of central for too long.
	RequestsWaiting Name = "requests-waiting"
	// RequestsRefused: central cannot take what the kiosk told it; somebody has to look at it.
	RequestsRefused Name = "requests-refused"
	// ClockUnknown: no time was heard from central since the machine started (design decision 9).
	ClockUnknown Name = "clock-unknown"
	// ClockOff: the machine's own clock differs from central's.
	ClockOff Name = "clock-off"
	// ClockJumped: somebody or something has set the machine's own clock.
	ClockJumped Name = "clock-jumped"
	// ClockBeforeBuild: the machine's own clock stands before the day on which the program was built.
	ClockBeforeBuild Name = "clock-before-build"
	// PlannedStop: the kiosk was told to stop and has given everything back.
	PlannedStop Name = "planned-stop"
	// ReplicaLost: the kiosk's own file cannot be used: damaged, held by another process, or failed.
	ReplicaLost Name = "replica-lost"
	// CopyStale: the copy of central's books was not known to be all that central has for longer than the tournament's
	// exclusions_max_age: an exclusion could be missed (design decision 4).
	CopyStale Name = "copy-stale"
	// DiskLow: the disk is nearly full.
	DiskLow Name = "disk-low"
	// DiskFull: the kiosk's own file cannot grow: nothing can be promised until there is room.
	DiskFull Name = "disk-full"
	// DisplayGone: the configured monitor is not there.
	DisplayGone Name = "display-gone"
	// ConfigurationFaulty: the configuration cannot be used as it is.
	ConfigurationFaulty Name = "configuration-faulty"
	// BooksClosed: central has closed its books, since its disk failed or they are damaged.
	BooksClosed Name = "books-closed"
	// ListMissing: nobody is excluded as far as central knows: neither a list nor a single exclusion was ever brought to it.
	ListMissing Name = "list-missing"
)

// Severity says how bad a condition is.
type Severity int

const (
	// Notice: to be known, and nothing is withdrawn.
	Notice Severity = iota + 1
	// Warning: soon something will be withdrawn, or it is already, and another way is left.
	Warning
	// Fault: what the machine is for does not work.
	Fault
)

// String returns notice, warning or fault.
func (s Severity) String() string {
	switch s {
	case Notice:
		return "notice"
	case Warning:
		return "warning"
	}
	return "fault"
}

// Capability is something that a kiosk can do.
type Capability string

// The capabilities.
const (
	// ReadCards and ReadDocuments are the two ways to be identified.
	ReadCards     Capability = "read-cards"
	ReadDocuments Capability = "read-documents"
	// Print is to print anything.
	Print Capability = "print"
	// GiveSeats is to register a player.
	GiveSeats Capability = "give-seats"
	// GiveSeatsAlone is to register a player while central is away.
	GiveSeatsAlone Capability = "give-seats-alone"
	// Identify is to look a player up.
	Identify Capability = "identify"
)

// Kind is what is always true of a condition.
type Kind struct {
	Name Name
	// Title says it to a technician, without a full stop.
	Title    string
	Severity Severity
	// Withdraws is what does not work while it holds.
	Withdraws []Capability
	// Grace is how long it may hold before anybody needs to be told: a replugged cable is no event.
	Grace time.Duration
	// Do is what a technician does next: one sentence or two, the verb first.
	Do string
}

// Kinds returns all conditions that there are.
func Kinds() []Kind { return slices.Clone(kinds) }

// KindOf returns what is always true of a condition. A name that is none is a programmer's mistake and panics.
func KindOf(name Name) Kind {
	at := slices.IndexFunc(kinds, func(kind Kind) bool { return kind.Name == name })
	if at < 0 {
		panic("no condition has the name " + string(name))
	}
	return kinds[at]
}

// Condition is one that holds.
type Condition struct {
	Name Name
	// Since is when it began. Detail says more to a technician: the port, the system's error. It never names a person.
	Since  time.Time
	Detail string
}

// Set is what holds at present. The zero Set is a machine that is well. It is not safe for use by several goroutines.
type Set struct{ holding map[Name]Condition }

// Raise notes that a condition holds, and reports whether that is news: it did not hold, or for another reason. A
// condition that goes on keeps the moment at which it began.
func (s *Set) Raise(name Name, detail string, now time.Time) bool {
	KindOf(name)
	held, is := s.holding[name]
	if is && held.Detail == detail {
		return false
	}
	if !is {
		held = Condition{Name: name, Since: now}
	}
	held.Detail = detail
	if s.holding == nil {
		s.holding = map[Name]Condition{}
	}
	s.holding[name] = held
	return true
}

// Clear notes that a condition does not hold, and reports whether that is news.
func (s *Set) Clear(name Name) bool {
	KindOf(name)
	_, is := s.holding[name]
	delete(s.holding, name)
	return is
}

// Holds reports whether a condition holds.
func (s *Set) Holds(name Name) bool {
	_, is := s.Held(name)
	return is
}

// Held returns a condition that holds, and whether it does.
func (s *Set) Held(name Name) (Condition, bool) {
	KindOf(name)
	held, is := s.holding[name]
	return held, is
}

// Can reports whether nothing that holds withdraws the capability, but for some conditions that do not count.
func (s *Set) Can(capability Capability, but ...Name) bool {
	for name := range s.holding {
		if slices.Contains(KindOf(name).Withdraws, capability) && !slices.Contains(but, name) {
			return false
		}
	}
	return true
}

// All returns what holds, the worst first, equals by name.
func (s *Set) All() []Condition {
	return slices.SortedFunc(maps.Values(s.holding), func(left, right Condition) int {
		if worse := KindOf(right.Name).Severity - KindOf(left.Name).Severity; worse != 0 {
			return int(worse)
		}
		if left.Name < right.Name {
			return -1
		}
		return 1
	})
}
