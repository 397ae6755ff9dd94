package escpos

import "slices"

// Kind says what a message from the printer is, in the words of the test vectors: the answer to the question of that
// name, or one of the kinds below.
type Kind string

// The kinds of message.
const (
	KindPrinter     Kind = "dle-eot-1"
	KindOffline     Kind = "dle-eot-2"
	KindError       Kind = "dle-eot-3"
	KindPaper       Kind = "dle-eot-4"
	KindPaperQueued Kind = "gs-r-1"
	KindStatusBack  Kind = "asb" // sent by the printer itself, after StatusBack
	KindProcessID   Kind = "process-id"
	KindXON         Kind = "xon"
	KindXOFF        Kind = "xoff"
)

// Flag is something that a status says is not as it should be.
type Flag string

// The flags.
const (
	Offline              Flag = "offline"
	WaitingForRecovery   Flag = "waiting-for-recovery"
	FeedButton           Flag = "feed-button"
	CoverOpen            Flag = "cover-open"
	PaperEndStop         Flag = "paper-end-stop"
	AnError              Flag = "error"
	RecoverableError     Flag = "recoverable-error"
	CutterError          Flag = "cutter-error"
	UnrecoverableError   Flag = "unrecoverable-error"
	AutoRecoverableError Flag = "auto-recoverable-error" // the head is too hot, and cools
	PaperNearEnd         Flag = "paper-near-end"
	PaperEnd             Flag = "paper-end"
)

// Message is one thing that the printer said.
type Message struct {
	Kind  Kind
	Flags []Flag // of a status, in the order of its bits; none means all well
	ID    string // of KindProcessID: everything before that ProcessID is printed
}

// Has reports whether the message carries the flag.
func (m Message) Has(flag Flag) bool { return slices.Contains(m.Flags, flag) }

// IsStatus reports whether the message is about the printer's state, so that no flags means all well.
func (m Message) IsStatus() bool {
	return m.Kind != KindProcessID && m.Kind != KindXON && m.Kind != KindXOFF
}

// meaning is a flag and the bits any of which raises it.
type meaning struct {
	bits byte
	flag Flag
}

// answers are the status tables of DLE EOT 1 to 4 and GS r 1. Bit 2 of DLE EOT 1 is the drawer's pin, which says nothing
// of the printer. Both bits of a paper sensor go together; one of them is enough to mind.
var answers = map[Question][]meaning{
	AskPrinter: {{0x08, Offline}, {0x20, WaitingForRecovery}, {0x40, FeedButton}},
	AskOffline: {{0x04, CoverOpen}, {0x08, FeedButton}, {0x20, PaperEndStop}, {0x40, AnError}},
	AskError: {
		{0x04, RecoverableError}, {0x08, CutterError}, {0x20, UnrecoverableError}, {0x40, AutoRecoverableError},
	},
	AskPaper:       {{0x0C, PaperNearEnd}, {0x60, PaperEnd}},
	AskPaperQueued: {{0x03, PaperNearEnd}, {0x0C, PaperEnd}},
}

// statusBack are the tables of the four bytes of an automatic status.
var statusBack = [4][]meaning{
	{{0x08, Offline}, {0x20, CoverOpen}, {0x40, FeedButton}},
	{
		{0x01, WaitingForRecovery}, {0x04, RecoverableError}, {0x08, CutterError}, {0x20, UnrecoverableError},
		{0x40, AutoRecoverableError},
	},
	{{0x03, PaperNearEnd}, {0x0C, PaperEnd}},
	{},
}

// read appends the flags that a status byte raises.
func read(to []Flag, status byte, table []meaning) []Flag {
	for _, entry := range table {
		if status&entry.bits != 0 {
			to = append(to, entry.flag)
		}
	}
	return to
}
