package reader

import (
	"time"

	"reelkiosk/store/tournament"
)

// Chunk is some bytes and the silence before them.
type Chunk struct {
	After time.Duration
	Bytes []byte
}

// Play gives a reader of a profile bytes with silences between, and a last silence, and returns what it reads.
func Play(profile Profile, on tournament.Date, chunks ...Chunk) []Reading {
	var readings []Reading
	decoder := newDecoder(profile, func() tournament.Date { return on }, func(found read) {
		readings = append(readings, found.reading())
	})
	var at time.Time
	for _, chunk := range chunks {
		at = at.Add(chunk.After)
		decoder.push(at, chunk.Bytes)
	}
	decoder.silence()
	return readings
}

// Remains is what is left in a framer's memory after it was given bytes that end with a frame.
func Remains(profile Profile, capture []byte) []byte {
	cut := profile.framer()
	cut.push(time.Time{}, capture, func([]byte, bool) {})
	cut.silence(func([]byte, bool) {})
	switch cut := cut.(type) {
	case *packets:
		return cut.frame[:cap(cut.frame)]
	case *sentinels:
		return cut.frame[:cap(cut.frame)]
	}
	return nil
}
