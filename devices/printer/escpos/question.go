package escpos

import "fmt"

// Question is a query to the printer that a Decoder can take the answer of.
type Question int

const (
	// NoQuestion is not sent: nothing is out.
	NoQuestion Question = iota
	// AskPrinter is DLE EOT 1: is it on line. DLE EOT is answered at once, whatever waits in the buffer, and must never
	// stand inside of another command.
	AskPrinter
	// AskOffline is DLE EOT 2: why it is off line.
	AskOffline
	// AskError is DLE EOT 3: which error it has.
	AskError
	// AskPaper is DLE EOT 4: how much paper there is.
	AskPaper
	// AskPaperQueued is GS r 1. It waits in the buffer behind what came before, so that its answer means that all of
	// that was processed, though perhaps not yet printed.
	AskPaperQueued
	// AskProcessID is the question that a ProcessID command puts.
	AskProcessID
)

var questionWords = []string{"none", "dle-eot-1", "dle-eot-2", "dle-eot-3", "dle-eot-4", "gs-r-1", "process-id"}

// String returns the question in the words of the test vectors.
func (q Question) String() string {
	if q < 0 || int(q) >= len(questionWords) {
		return fmt.Sprintf("question %d", int(q))
	}
	return questionWords[q]
}

// MarshalText writes the question in the words of the test vectors.
func (q Question) MarshalText() ([]byte, error) { return []byte(q.String()), nil }

// UnmarshalText reads the question in the words of the test vectors. The error wraps ErrRange.
func (q *Question) UnmarshalText(text []byte) error {
	for at, word := range questionWords {
		if word == string(text) {
			*q = Question(at)
			return nil
		}
	}
	return fmt.Errorf("question %q: %w: one of %q", text, ErrRange, questionWords)
}

// Ask puts a question (DLE EOT n, GS r 1). AskProcessID is put by ProcessID.
type Ask struct{ What Question }

func (c Ask) encode(_ *state, to []byte) ([]byte, error) {
	switch {
	case c.What >= AskPrinter && c.What <= AskPaper:
		return append(to, dle, 0x04, byte(c.What-AskPrinter)+1), nil
	case c.What == AskPaperQueued:
		return append(to, gs, 'r', 1), nil
	}
	return nil, fmt.Errorf("ask %v: %w: DLE EOT 1 to 4 or GS r 1", c.What, ErrRange)
}

// ProcessID asks the printer to send the id back once everything before it is printed (GS ( H, function 48). An id is
// four characters from space to '~'.
type ProcessID struct{ ID string }

func (c ProcessID) encode(_ *state, to []byte) ([]byte, error) {
	if len(c.ID) != 4 {
		return nil, fmt.Errorf("process id %q: %w: four characters", c.ID, ErrRange)
	}
	for at := range len(c.ID) {
		if !inProcessID(c.ID[at]) {
			return nil, fmt.Errorf("process id %q: %w: characters 20 to 7E", c.ID, ErrRange)
		}
	}
	to = append(to, gs, '(', 'H', 6, 0, 48, 48)
	return append(to, c.ID...), nil
}

func inProcessID(character byte) bool { return character >= 0x20 && character <= 0x7E }

// StatusBack has the printer send its status by itself from now on, at once and whenever what the mask names changes
// (GS a): 1 drawer, 2 on line, 4 error, 8 paper. FF is all, 0 turns it off.
type StatusBack struct{ Mask byte }

func (c StatusBack) encode(_ *state, to []byte) ([]byte, error) {
	return append(to, gs, 'a', c.Mask), nil
}

// ClearBuffers throws away at once what was received and not yet printed (DLE DC4, function 8). Printers that lack it
// would take it for text, so it is a matter of the profile.
type ClearBuffers struct{}

func (ClearBuffers) encode(_ *state, to []byte) ([]byte, error) {
	return append(to, dle, 0x14, 8, 1, 3, 20, 1, 6, 2, 8), nil
}

// Nothing is that many bytes of value 0. Between commands they do nothing; inside of one that was cut off they fill it
// up, so that the next command is seen as one.
type Nothing struct{ Bytes int }

func (c Nothing) encode(_ *state, to []byte) ([]byte, error) {
	if c.Bytes < 0 {
		return nil, fmt.Errorf("%d bytes of nothing: %w: not negative", c.Bytes, ErrRange)
	}
	return append(to, make([]byte, c.Bytes)...), nil
}
