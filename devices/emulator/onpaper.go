package emulator

import (
	"bytes"
	"context"

	"reelkiosk/devices/printer"
)

// OnPaper returns what comes out of a printer of the profile's model for these bytes: each piece that is cut off, and the
// rest as torn off; and the commands that it did not understand. There is no line and no time in it, so that a document
// can be looked at without a printer being played.
func OnPaper(profile printer.Profile, sent []byte) (pieces []Ticket, strange []string) {
	p := &Printer{
		profile: profile,
		paper:   newPaper(profile.Dots, headToKnife),
		life:    context.Background(),
		change:  make(chan struct{}),
		buffer:  bytes.Clone(sent),
		finite:  true,
	}
	newMechanism(p, p.life).work()
	if rest, any := p.paper.tear(); any {
		p.waiting = append(p.waiting, rest)
	}
	return p.waiting, p.strange
}
