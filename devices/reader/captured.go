package reader

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"reelkiosk/devices/port"
)

// Captured is what a reader sent, to be looked at later, decoded again, or sent again by an emulated one. Its JSON has the
// times and the bytes of each piece:
//
//	{"version": 1, "saved": "2026-11-30T04:10:00+02:00", "port": "/dev/serial/by-id/…", "veiled": true,
//	 "bursts": [{"line": {"baud": 9600, "data_bits": 8, "parity": "none", "stop_bits": 1},
//	             "pieces": [{"after_ms": 0, "hex": "3b…0d"}]}]}
type Captured struct {
	Saved time.Time
	Port  string
	// Veiled says that nobody's number is in it: see Burst.Veiled.
	Veiled bool
	Bursts []Burst
}

// Veil returns a copy in which nobody's number is.
func (c Captured) Veil() Captured {
	veiled := Captured{Saved: c.Saved, Port: c.Port, Veiled: true}
	for _, burst := range c.Bursts {
		veiled.Bursts = append(veiled.Bursts, burst.Veiled())
	}
	return veiled
}

// ErrCaptured is wrapped by what ReadCaptured says of a file that is no capture.
var ErrCaptured = errors.New("not a capture of a reader")

const (
	capturedVersion = 1
	capturedMost    = 8 << 20 // bytes of a file
)

type (
	capturedJSON struct {
		Version int         `json:"version"`
		Saved   time.Time   `json:"saved"`
		Port    string      `json:"port"`
		Veiled  bool        `json:"veiled"`
		Bursts  []burstJSON `json:"bursts"`
	}
	burstJSON struct {
		Line   lineJSON    `json:"line"`
		Pieces []pieceJSON `json:"pieces"`
	}
	lineJSON struct {
		Baud     int         `json:"baud"`
		DataBits int         `json:"data_bits"`
		Parity   port.Parity `json:"parity"`
		StopBits int         `json:"stop_bits"`
	}
	pieceJSON struct {
		After float64 `json:"after_ms"`
		Hex   string  `json:"hex"`
	}
)

// MarshalJSON writes the capture.
func (c Captured) MarshalJSON() ([]byte, error) {
	written := capturedJSON{Version: capturedVersion, Saved: c.Saved, Port: c.Port, Veiled: c.Veiled, Bursts: []burstJSON{}}
	for _, burst := range c.Bursts {
		line := burst.Line.Normal()
		into := burstJSON{Line: lineJSON{line.Baud, line.DataBits, line.Parity, line.StopBits}}
		for _, piece := range burst.Pieces {
			after := float64(piece.After.Microseconds()) / 1000
			into.Pieces = append(into.Pieces, pieceJSON{after, hex.EncodeToString(piece.Data)})
		}
		written.Bursts = append(written.Bursts, into)
	}
	return json.Marshal(written)
}

// ReadCaptured reads a capture. The error wraps ErrCaptured.
func ReadCaptured(from io.Reader) (Captured, error) {
	var read capturedJSON
	if err := json.NewDecoder(io.LimitReader(from, capturedMost)).Decode(&read); err != nil {
		return Captured{}, fmt.Errorf("%w: %w", ErrCaptured, err)
	}
	if read.Version != capturedVersion {
		return Captured{}, fmt.Errorf("%w: version %d: must be %d", ErrCaptured, read.Version, capturedVersion)
	}
	captured := Captured{Saved: read.Saved, Port: read.Port, Veiled: read.Veiled}
	for number, burst := range read.Bursts {
		into := Burst{Line: port.Settings{Baud: burst.Line.Baud, DataBits: burst.Line.DataBits, Parity: burst.Line.Parity, StopBits: burst.Line.StopBits}}
		for _, piece := range burst.Pieces {
			data, err := hex.DecodeString(piece.Hex)
			if err != nil || piece.After < 0 || piece.After > 1e6 {
				return Captured{}, fmt.Errorf("%w: burst %d: a piece must have after_ms from 0 and hexadecimal digits", ErrCaptured, number+1)
			}
			into.Pieces = append(into.Pieces, Piece{time.Duration(piece.After * float64(time.Millisecond)), data})
		}
		captured.Bursts = append(captured.Bursts, into)
	}
	return captured, nil
}
