package reader

import (
	"math"
	"math/bits"

	"reelkiosk/devices/port"
)

// searchBauds are the speeds at which readers are looked for, the likely ones first: 9,600 is what most leave the factory
// with, scanners come with 115,200, and the others are what remains of the standard speeds.
var searchBauds = []int{9600, 115200, 19200, 4800, 38400, 2400, 57600, 1200}

// speedWeight says how well bytes that were heard at one speed fit a sender of another: the more, the better, in bits of
// evidence for each byte; 0 where nothing can be told.
//
// A receiver begins at a falling edge and samples in the middle of each of its own bits. Where the sender's bits are longer,
// several samples fall into one of them and must be alike: those in the first are low, those in that of the stop bit high.
// Whatever was sent, a byte that breaks this cannot have come at that speed; one that keeps it does so by chance in one
// case of two for each bit that is bound.
func speedWeight(data []byte, heard, sent int) float64 {
	ratio := float64(heard) / float64(sent)
	if ratio <= 1 || len(data) == 0 {
		return 0
	}
	const wrong = -6 // bits: noise alone may be wrong
	const samples = 10
	group := func(sample int) int { return int((float64(sample) + 0.5) / ratio) }
	stop := group(samples - 1)
	weight := 0.0
	for _, char := range data {
		if char == 0 { // a break: so long a low is likely only where the sender is slow
			weight += math.Min(8, 2*ratio-4)
			continue
		}
		levels := map[int]bool{0: false, stop: true}
		bound, right := 0, stop != 0
		for bit := range 8 {
			level := char>>bit&1 == 1
			seen, known := levels[group(bit+1)]
			if known {
				bound++
				right = right && seen == level
			}
			levels[group(bit+1)] = level
		}
		if right {
			weight += float64(bound)
		} else {
			weight += wrong
		}
	}
	return weight / float64(len(data))
}

// eighthBits says which line could have sent seven bits of what was heard as eight: one with even or odd parity, or with a
// mark in its place. Noise may spoil one byte in ten. Without any eighth bit there is none.
func eighthBits(data []byte) (line port.Settings, is bool) {
	var even, odd, mark, set int
	var stripped []byte
	for _, char := range data {
		parity := bits.OnesCount8(char) % 2
		even += 1 - parity
		odd += parity
		if char >= 0x80 {
			mark++
			set++
			stripped = append(stripped, char&0x7F)
		}
	}
	most := func(count int) bool { return 10*count >= 9*len(data) }
	switch {
	case set == 0, set < 3 && 4*set < len(data), !mostlyText(stripped):
		return line, false
	case most(even):
		return port.Settings{DataBits: 7, Parity: port.EvenParity, StopBits: 1}, true
	case most(odd):
		return port.Settings{DataBits: 7, Parity: port.OddParity, StopBits: 1}, true
	case most(mark):
		return port.Settings{DataBits: 7, StopBits: 2}, true
	}
	return line, false
}

// lostToParity says that bytes are those that are left where a receiver without parity hears a sender with one: whoever's
// parity bit is low, in the place of the stop bit, is dropped, so that all have an odd number of ones, or all an even one. A
// frame of eight bytes is so by chance once in 128 times; then another swipe is needed.
func lostToParity(data []byte) (parity port.Parity, is bool) {
	var even, odd int
	for _, char := range data {
		switch {
		case char == 0: // a break
		case bits.OnesCount8(char)%2 == 0:
			even++
		default:
			odd++
		}
	}
	switch {
	case even+odd < 3:
		return port.NoParity, false
	case even == 0:
		return port.EvenParity, true
	case odd == 0:
		return port.OddParity, true
	}
	return port.NoParity, false
}

// sevenBits is a burst without its eighth bits, as a line of so many bits would have heard it.
func (b Burst) sevenBits(line port.Settings) Burst {
	line.Name, line.Baud = b.Line.Name, b.Line.Baud
	short := Burst{Line: line}
	for _, piece := range b.Pieces {
		data := make([]byte, len(piece.Data))
		for at, char := range piece.Data {
			data[at] = char & 0x7F
		}
		short.Pieces = append(short.Pieces, Piece{piece.After, data})
	}
	return short
}

// isText reports whether bytes look like what readers send, though they make no sense: a part of a frame, as where a parity
// bit was taken for a stop bit and half of the bytes were lost, or one with noise in front.
func isText(data []byte) bool { return len(data) >= 5 && mostlyText(data) }

func mostlyText(data []byte) bool { return 10*textLength(data) >= 7*len(data) }

// textLength is how many bytes are such as readers send, whatever their eighth bits.
func textLength(data []byte) int {
	length := 0
	for _, char := range data {
		if char &= 0x7F; ' ' <= char && char <= '~' || char == '\r' || char == '\n' || char == 0x02 || char == 0x03 {
			length++
		}
	}
	return length
}
