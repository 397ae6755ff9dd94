package escpos

import (
	"errors"
	"fmt"
	"time"
)

// Command is one instruction to the printer.
type Command interface {
	// encode appends the command's bytes and may change the state that later commands are encoded in.
	encode(state *state, to []byte) ([]byte, error)
}

var (
	// ErrRange is wrapped by Encode where a parameter is one that the command cannot carry.
	ErrRange = errors.New("out of range")
	// ErrCharacter is wrapped by Encode where text holds a character that the code page in force lacks.
	ErrCharacter = errors.New("not in the code page")
)

// Encode returns the bytes of the commands, in order. The printer is taken to start in CP437, as it does after
// Initialise. The error wraps ErrRange or ErrCharacter and says which command it is, counted from 1.
func Encode(commands ...Command) ([]byte, error) {
	var encoder Encoder
	var encoded []byte
	for at, command := range commands {
		next, err := encoder.Append(encoded, command)
		if err != nil {
			return nil, fmt.Errorf("command %d: %w", at+1, err)
		}
		encoded = next
	}
	return encoded, nil
}

// Encoder encodes commands one by one, where the caller needs to know at which byte each begins. The zero value is
// ready.
type Encoder struct{ state state }

// Append appends the bytes of one command. Errors are those of Encode.
func (e *Encoder) Append(to []byte, command Command) ([]byte, error) {
	return command.encode(&e.state, to)
}

// state is what the printer remembers from one command to the next and the encoding depends on.
type state struct{ page Page }

const (
	dle = 0x10
	esc = 0x1B
	fs  = 0x1C
	gs  = 0x1D
	lf  = 0x0A
)

// Initialise clears the line and puts every setting back (ESC @). What waits in the receive buffer stays.
type Initialise struct{}

func (Initialise) encode(state *state, to []byte) ([]byte, error) {
	state.page = CP437
	return append(to, esc, '@'), nil
}

// SingleByteMode leaves the Chinese mode in which many cheap printers start, where two bytes above 7F are one character
// (FS .). It comes before the first CodePage.
type SingleByteMode struct{}

func (SingleByteMode) encode(_ *state, to []byte) ([]byte, error) { return append(to, fs, '.'), nil }

// Bold turns bold letters on or off (ESC E).
type Bold struct{ On bool }

func (c Bold) encode(_ *state, to []byte) ([]byte, error) {
	return append(to, esc, 'E', bit(c.On)), nil
}

// Reverse turns white letters on black on or off (GS B).
type Reverse struct{ On bool }

func (c Reverse) encode(_ *state, to []byte) ([]byte, error) {
	return append(to, gs, 'B', bit(c.On)), nil
}

// Smoothing rounds off the steps of enlarged letters (GS b). Printers without it would print the parameter.
type Smoothing struct{ On bool }

func (c Smoothing) encode(_ *state, to []byte) ([]byte, error) {
	return append(to, gs, 'b', bit(c.On)), nil
}

// Size enlarges letters, 1 to 8 times in each direction (GS !).
type Size struct{ Width, Height int }

func (c Size) encode(_ *state, to []byte) ([]byte, error) {
	if c.Width < 1 || c.Width > 8 || c.Height < 1 || c.Height > 8 {
		return nil, fmt.Errorf("size %d×%d: %w: 1 to 8", c.Width, c.Height, ErrRange)
	}
	return append(to, gs, '!', byte((c.Width-1)<<4|(c.Height-1))), nil
}

// Alignment is where a line stands on the paper.
type Alignment byte

// The alignments, with the parameters of ESC a.
const (
	Left Alignment = iota
	Centre
	Right
)

// Align sets where lines, symbols and rasters stand (ESC a). It counts at the start of a line only.
type Align struct{ To Alignment }

func (c Align) encode(_ *state, to []byte) ([]byte, error) {
	if c.To > Right {
		return nil, fmt.Errorf("alignment %d: %w: left, centre or right", c.To, ErrRange)
	}
	return append(to, esc, 'a', byte(c.To)), nil
}

// LineFeed prints the line and moves to the next (LF).
type LineFeed struct{}

func (LineFeed) encode(_ *state, to []byte) ([]byte, error) { return append(to, lf), nil }

// LineSpacing sets the distance from one line to the next, in the printer's vertical units, 0 to 255 (ESC 3). A line
// of taller letters takes what they need.
type LineSpacing struct{ Units int }

func (c LineSpacing) encode(_ *state, to []byte) ([]byte, error) {
	if c.Units < 0 || c.Units > 255 {
		return nil, fmt.Errorf("line spacing %d: %w: 0 to 255", c.Units, ErrRange)
	}
	return append(to, esc, '3', byte(c.Units)), nil
}

// FeedLines prints what is in the line and feeds that many lines, 0 to 255 (ESC d).
type FeedLines struct{ Lines int }

func (c FeedLines) encode(_ *state, to []byte) ([]byte, error) {
	if c.Lines < 0 || c.Lines > 255 {
		return nil, fmt.Errorf("feed %d lines: %w: 0 to 255", c.Lines, ErrRange)
	}
	return append(to, esc, 'd', byte(c.Lines)), nil
}

// FeedUnits prints what is in the line and feeds that many of the printer's vertical units (ESC J). More than the 255
// that one command carries become several.
type FeedUnits struct{ Units int }

func (c FeedUnits) encode(_ *state, to []byte) ([]byte, error) {
	if c.Units < 0 {
		return nil, fmt.Errorf("feed %d units: %w: not backwards", c.Units, ErrRange)
	}
	for left := c.Units; left > 0; left -= 255 {
		to = append(to, esc, 'J', byte(min(left, 255)))
	}
	return to, nil
}

// Cut cuts the paper (GS V): where it is under the knife, or, with Feed, after it was fed from the head to the knife
// and Units further.
type Cut struct {
	Partial bool // leaves a bridge, so that the ticket does not fall
	Feed    bool
	Units   int // vertical units, 0 to 255; counts only with Feed
}

func (c Cut) encode(_ *state, to []byte) ([]byte, error) {
	if !c.Feed {
		return append(to, gs, 'V', bit(c.Partial)), nil
	}
	if c.Units < 0 || c.Units > 255 {
		return nil, fmt.Errorf("cut after %d units: %w: 0 to 255", c.Units, ErrRange)
	}
	return append(to, gs, 'V', 'A'+bit(c.Partial), byte(c.Units)), nil
}

// Drawer sends a pulse to a cash drawer (ESC p), on connector pin 2 or 5. Times are multiples of 2 ms, at most 510 ms.
type Drawer struct {
	Pin     int
	On, Off time.Duration
}

func (c Drawer) encode(_ *state, to []byte) ([]byte, error) {
	if c.Pin != 2 && c.Pin != 5 {
		return nil, fmt.Errorf("drawer pin %d: %w: 2 or 5", c.Pin, ErrRange)
	}
	for _, pulse := range []time.Duration{c.On, c.Off} {
		if pulse < 0 || pulse > 510*time.Millisecond {
			return nil, fmt.Errorf("drawer pulse %v: %w: 0 to 510 ms", pulse, ErrRange)
		}
	}
	return append(to, esc, 'p', bit(c.Pin == 5), byte(c.On/(2*time.Millisecond)), byte(c.Off/(2*time.Millisecond))), nil
}

func bit(on bool) byte {
	if on {
		return 1
	}
	return 0
}
