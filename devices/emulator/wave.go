package emulator

import (
	"math/bits"

	"reelkiosk/devices/port"
)

// heard returns what a receiver set to by makes of characters sent back to back as a sender set to as sends them: the
// line's levels are drawn, and sampled in the middle of each bit where the receiver expects it. As on the kiosk
// (IGNPAR without IGNBRK), a character with a wrong parity or stop bit is dropped, and a break is heard as one NUL.
// Settings without a speed garble nothing.
func heard(sent []byte, as, by port.Settings) []byte {
	as, by = as.Normal(), by.Normal()
	as.Name, by.Name = "", ""
	if as.Baud == 0 || by.Baud == 0 || as == by && as.DataBits == 8 {
		return sent
	}
	return sample(draw(sent, as), as.Baud, by)
}

// draw returns the line's level for each bit time of the sender: a start bit (low), the data bits from the lowest, the
// parity bit and the stop bits (high), and at the end the quiet line (high) for longer than any character.
func draw(sent []byte, as port.Settings) []bool {
	var levels []bool
	for _, character := range sent {
		character &= 1<<as.DataBits - 1
		levels = append(levels, false)
		for bit := range as.DataBits {
			levels = append(levels, character>>bit&1 == 1)
		}
		if as.Parity != port.NoParity {
			levels = append(levels, parityBit(character, as.Parity))
		}
		for range as.StopBits {
			levels = append(levels, true)
		}
	}
	for range 16 {
		levels = append(levels, true)
	}
	return levels
}

func parityBit(character byte, parity port.Parity) bool {
	odd := bits.OnesCount8(character)%2 == 1
	return odd == (parity == port.EvenParity)
}

// sample reads characters off a drawn line. Time is counted in parts of which a sender's bit has by.Baud and a
// receiver's bit has baud, so that both are whole numbers.
func sample(levels []bool, baud int, by port.Settings) []byte {
	level := func(at int) bool {
		if bit := at / by.Baud; bit < len(levels) {
			return levels[bit]
		}
		return true
	}
	// next returns the first edge at or after a moment from which the line has the wanted level.
	next := func(at int, wanted bool) int {
		for at/by.Baud < len(levels) && level(at) != wanted {
			at = (at/by.Baud + 1) * by.Baud
		}
		return at
	}
	var characters []byte
	for at := next(0, false); at/by.Baud < len(levels); at = next(at, false) {
		middle := func(bit int) bool { return level(at + bit*baud + baud/2) }
		var character byte
		for bit := range by.DataBits {
			if middle(1 + bit) {
				character |= 1 << bit
			}
		}
		last, right := 1+by.DataBits, true
		if by.Parity != port.NoParity {
			right = middle(last) == parityBit(character, by.Parity)
			last++
		}
		stopped := middle(last)
		switch {
		case middle(0):
			// A start bit that is over by its middle is none.
		case stopped && right, !stopped && character == 0:
			characters = append(characters, character)
		}
		at += last*baud + baud/2
		if !stopped {
			at = next(at, true)
		}
	}
	return characters
}
