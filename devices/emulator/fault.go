package emulator

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// FaultKind is a way in which what a device sends goes wrong on its way.
type FaultKind int

// The faults, in the order in which several of them act on one frame.
const (
	// Silence: nothing is sent.
	Silence FaultKind = iota + 1
	// Repeat sends the frame Fault.Times times, as a tag reader does while the tag lies on it.
	Repeat
	// Together sends the frame twice in one go, with nothing between.
	Together
	// NoiseInside puts noise into the frame before byte Fault.At.
	NoiseInside
	// Noise sends noise before the frame, with a line end in it.
	Noise
	// Half sends only the first Fault.At bytes.
	Half
	// Pulled sends the first Fault.At bytes, then hangs up the line (Hangup).
	Pulled
	// Vanished sends the first Fault.At bytes, then closes the line's other end (Vanish).
	Vanished
	// Slow sends a byte at a time, Fault.Gap apart.
	Slow
)

// Fault is one fault on request. It acts on one frame and is over.
type Fault struct {
	Kind  FaultKind
	At    int           // NoiseInside, Half, Pulled, Vanished: before which byte; 0 means the middle
	Times int           // Repeat: how often; 0 means 10
	Gap   time.Duration // Slow: between two bytes; 0 means 20 ms
}

// ErrFault is wrapped by ParseFault for a word that is no fault.
var ErrFault = errors.New("no such fault")

var faultWords = []struct {
	word string
	kind FaultKind
	help string
}{
	{"silence", Silence, "nothing comes"},
	{"repeat", Repeat, "the frame comes over and over (repeat=10)"},
	{"together", Together, "the frame comes twice, run together"},
	{"noise-inside", NoiseInside, "noise in the frame, before a byte (noise-inside=5) or in the middle"},
	{"noise", Noise, "noise before the frame"},
	{"half", Half, "the frame stops before a byte (half=5) or in the middle"},
	{"unplug", Pulled, "as half, and the cable is pulled out"},
	{"vanish", Vanished, "as half, and the device dies"},
	{"slow", Slow, "a byte at a time (slow=20ms)"},
}

// FaultHelp returns a line for each word that ParseFault reads.
func FaultHelp() string {
	var text strings.Builder
	for _, known := range faultWords {
		fmt.Fprintf(&text, "%-12s  %s\n", known.word, known.help)
	}
	return text.String()
}

// ParseFault reads a fault as it is typed: a word, and for some a value behind '=' (half=5, repeat=100, slow=50ms). The
// error wraps ErrFault.
func ParseFault(text string) (Fault, error) {
	word, value, valued := strings.Cut(text, "=")
	for _, known := range faultWords {
		if known.word != word {
			continue
		}
		fault := Fault{Kind: known.kind}
		if !valued {
			return fault, nil
		}
		if err := fault.set(value); err != nil {
			return Fault{}, fmt.Errorf("%w: %q: %w", ErrFault, text, err)
		}
		return fault, nil
	}
	return Fault{}, fmt.Errorf("%w: %q; there are\n%s", ErrFault, text, FaultHelp())
}

// ParseFaults reads several faults.
func ParseFaults(words []string) ([]Fault, error) {
	var faults []Fault
	for _, word := range words {
		fault, err := ParseFault(word)
		if err != nil {
			return nil, err
		}
		faults = append(faults, fault)
	}
	return faults, nil
}

func (f *Fault) set(value string) (err error) {
	switch f.Kind {
	case NoiseInside, Half, Pulled, Vanished:
		f.At, err = strconv.Atoi(value)
	case Repeat:
		f.Times, err = strconv.Atoi(value)
	case Slow:
		f.Gap, err = time.ParseDuration(value)
	default:
		return errors.New("takes no value")
	}
	if err == nil && (f.At < 0 || f.Times < 0 || f.Gap < 0) {
		return errors.New("must not be negative")
	}
	return err
}

// noise is what a line picks up, and what a modem manager's 'AT' looks like when a device echoes it.
var noise = []byte{0x00, 0xFF, 0x9C, 'A', 'T', '\r', '\n', 0x7F}

// sending is what becomes of a frame.
type sending struct {
	bytes []byte
	gap   time.Duration
	then  Path // how the cable comes out at the end; 0 means that it stays in
}

// spoil applies faults to a frame.
func spoil(frame []byte, faults []Fault) sending {
	out := sending{bytes: bytes.Clone(frame)}
	faults = slices.Clone(faults)
	slices.SortStableFunc(faults, func(a, b Fault) int { return int(a.Kind - b.Kind) })
	for _, fault := range faults {
		at := len(out.bytes) / 2
		if fault.At > 0 {
			at = min(fault.At, len(out.bytes))
		}
		switch fault.Kind {
		case Silence:
			return sending{}
		case Repeat:
			times := fault.Times
			if times == 0 {
				times = 10
			}
			out.bytes = bytes.Repeat(out.bytes, times)
		case Together:
			out.bytes = bytes.Repeat(out.bytes, 2)
		case NoiseInside:
			out.bytes = slices.Insert(out.bytes, at, noise...)
		case Noise:
			out.bytes = slices.Concat(noise, out.bytes)
		case Half, Pulled, Vanished:
			out.bytes = out.bytes[:at]
			out.then = map[FaultKind]Path{Pulled: Hangup, Vanished: Vanish}[fault.Kind]
		case Slow:
			out.gap = fault.Gap
			if out.gap == 0 {
				out.gap = 20 * time.Millisecond
			}
		}
	}
	return out
}

// send sends a frame with its faults. It returns when the last byte is on the line, or the cable is out.
func (l *Line) send(frame []byte, faults []Fault) error {
	out := spoil(frame, faults)
	piece := max(len(out.bytes), 1)
	if out.gap > 0 {
		piece = 1
	}
	for part := range slices.Chunk(out.bytes, piece) {
		if _, err := l.Write(part); err != nil {
			return err
		}
		time.Sleep(out.gap)
	}
	if out.then == 0 {
		return nil
	}
	l.settle()
	return l.Unplug(out.then)
}

// settle gives the computer the time to read what was sent, so that a cable that comes out in the middle of a frame
// does so when the first half has been seen.
func (l *Line) settle() {
	l.mu.Lock()
	ends := l.ends
	l.mu.Unlock()
	for range 50 {
		time.Sleep(2 * time.Millisecond)
		if ends == nil || ends.unread() == 0 {
			return
		}
	}
}
