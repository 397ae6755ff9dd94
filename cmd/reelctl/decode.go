package main

import (
	"fmt"
	"io"
	"time"

	"reelkiosk/devices/reader"
	"reelkiosk/store/tournament"
)

type decodeCommand struct {
	Profile string `placeholder:"NAME" help:"The reader that sent the bytes; without it, the one whose reading makes sense is looked for."`
	On      string `placeholder:"YYYY-MM-DD" help:"The day of reading, for ages and expiry; today if absent."`
}

// mostCapture is the most bytes of a capture that are read: sixteen of the longest frames, more than a minute of a line at
// 9,600 baud.
const mostCapture = 64 << 10

// Run prints what a kiosk would make of captured bytes. Nothing of a bank card is in it, nor of a card that may be a bank's
// and was misread.
func (c *decodeCommand) Run(around *surroundings) error {
	on := tournament.DateOf(time.Now())
	if c.On != "" {
		day, err := tournament.ParseDate(c.On)
		if err != nil {
			return fmt.Errorf("%w: --on: %w", errMistakes, err)
		}
		on = day
	}
	capture, err := io.ReadAll(io.LimitReader(around.stdin, mostCapture+1))
	if err != nil {
		return err
	}
	if len(capture) > mostCapture {
		return fmt.Errorf("%w: more than %d bytes: cut out what the reader sent of one card or document", errMistakes, mostCapture)
	}
	var read reader.Report
	if c.Profile == "" {
		read, err = reader.Guess(capture, on)
	} else {
		read, err = reader.Decode(c.Profile, capture, on)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errMistakes, err)
	}
	return around.print(read)
}
