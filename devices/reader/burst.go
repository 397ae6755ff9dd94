package reader

import (
	"bytes"
	"math/bits"
	"slices"
	"time"

	"reelkiosk/devices/port"
	"reelkiosk/store/tournament"
)

// Burst is what came in one go, between two silences: mostly one swipe, one scan or one tag that lies there.
type Burst struct {
	// Line is how the port was set when it came.
	Line port.Settings
	// Pieces are the bytes as they came.
	Pieces []Piece
}

// Piece is some bytes of a burst that came together.
type Piece struct {
	// After is how long after the piece before, or after the beginning of the burst.
	After time.Duration
	Data  []byte
}

// Bytes are all bytes of the burst.
func (b Burst) Bytes() []byte {
	var all []byte
	for _, piece := range b.Pieces {
		all = append(all, piece.Data...)
	}
	return all
}

// Readings are what a reader of a profile makes of the burst, the silence behind it included. It decodes as the kiosk does,
// strictly, and leaves the burst as it is.
func (b Burst) Readings(profile Profile, on tournament.Date) []Reading {
	var readings []Reading
	b.decode(profile, on, func(found read) { readings = append(readings, found.reading()) })
	return readings
}

// decode gives what is found to a function, and reports whether there was more in the burst.
func (b Burst) decode(profile Profile, on tournament.Date, found func(read)) (noisy bool) {
	decoder := newDecoder(profile, func() tournament.Date { return on }, found)
	at := time.Unix(0, 0)
	for _, piece := range b.Pieces {
		at = at.Add(piece.After)
		decoder.push(at, slices.Clone(piece.Data))
	}
	decoder.silence()
	return decoder.framer.noisy()
}

// Wipe overwrites the bytes.
func (b Burst) Wipe() {
	for _, piece := range b.Pieces {
		clear(piece.Data)
	}
}

// Veiled returns a copy that says how the reader sends, and not what was on the card: each digit is 0 or 1 and each letter
// one of four, so that its parity stays, and what cannot be told from a card at another speed is zeros. A decoder finds
// frames, separators and tracks in it where they were, and nobody's number.
func (b Burst) Veiled() Burst {
	garbled := garbled(b.Bytes())
	veiled := Burst{Line: b.Line}
	for _, piece := range b.Pieces {
		data := slices.Clone(piece.Data)
		for at, char := range data {
			data[at] = veil(char, garbled)
		}
		veiled.Pieces = append(veiled.Pieces, Piece{piece.After, data})
	}
	return veiled
}

// veil stands in for a byte. Its parity is the byte's, so that a parity bit that was heard as an eighth bit stays right.
func veil(char byte, garbled bool) byte {
	const even, odd = 0, 1
	low := char & 0x7F
	parity := bits.OnesCount8(low) % 2
	switch {
	case garbled:
		return 0
	case isDigit(low):
		low = [...]byte{even: '0', odd: '1'}[parity]
	case 'A' <= low && low <= 'Z':
		low = [...]byte{even: 'A', odd: 'C'}[parity]
	case 'a' <= low && low <= 'z':
		low = [...]byte{even: 'c', odd: 'a'}[parity]
	case low == char:
		return char
	}
	return char&0x80 | low
}

// garbled reports whether bytes are no text even without their eighth bits: heard at another speed, or not text at all. Of
// such bytes it is not known what they would give away.
func garbled(data []byte) bool {
	strange := 0
	for _, char := range data {
		if char &= 0x7F; (char < ' ' || char == 0x7F) && !bytes.ContainsRune([]byte("\x02\x03\x1b\t\r\n"), rune(char)) {
			strange++
		}
	}
	return 10*strange > len(data)
}
