package ticket

import (
	"strings"
	"time"

	"reelkiosk/devices/dots"
	"reelkiosk/devices/printer"
)

// Rules is what stands on a printed copy of the rules (clause 27).
type Rules struct {
	Property, Tournament string

	Version string // as in Seat
	Text    string // the rules as published; an empty line parts two of them

	Kiosk  string
	Issued time.Time
}

// Document returns the rules.
func (r Rules) Document(say Say) printer.Document {
	d := house(r.Property, r.Tournament)
	d = append(d, section()...)
	d = append(d,
		printer.Text{Text: say("ticket.rules.title", nil), Align: printer.Centre, Bold: true, Size: 2, Shrink: true},
		printer.Text{Text: version(say, r.Version), Align: printer.Centre},
		printer.Space{Dots: 20},
	)
	for at, paragraph := range strings.Split(strings.TrimSpace(strings.ReplaceAll(r.Text, "\r\n", "\n")), "\n\n") {
		if at > 0 {
			d = append(d, printer.Space{Dots: 12})
		}
		d = append(d, printer.Text{Text: strings.TrimSpace(paragraph)})
	}
	d = append(d, section()...)
	d = append(d, printer.Pair{Left: say("ticket.kiosk", map[string]any{"Kiosk": r.Kiosk}), Right: moment(say, r.Issued)})
	d = append(d, section()...)
	d = append(d, small(say, "ticket.adults")...)
	d = append(d, gambling(say)...)
	return append(d, end()...)
}

// Test is what stands on a technician's test page: everything that a wrong profile would spoil.
type Test struct {
	Property string
	Printer  string // the profile
	Kiosk    string
	Issued   time.Time
}

// testNumber is the number on a test page, as long as a ticket's and none.
const testNumber = "TESTPAGE012345678"

// letters are those of the country's languages that are not in ASCII, and some that only one code page has. Those of the
// last line are in none.
const letters = "áàâäéèêëíìîïóòôöúùûü šž €ßÿΩ\nÁÀÂÄÉÈÊËÍÌÎÏÓÒÔÖÚÙÛÜ ŠŽ\nḓḽṅṋṱ ḒḼṄṊṰ ŉŋŊ"

// Document returns the test page.
func (t Test) Document(say Say) printer.Document {
	const apart = 100
	d := house(t.Property, say("ticket.test.title", nil))
	d = append(d, section()...)
	d = append(d,
		printer.Pair{Left: say("ticket.kiosk", map[string]any{"Kiosk": t.Kiosk}), Right: moment(say, t.Issued)},
		printer.Pair{Left: t.Printer},
	)
	d = append(d, section()...)
	d = append(d,
		printer.Text{Text: say("ticket.test.letters", nil), Bold: true},
		printer.Text{Text: letters},
		printer.Text{Text: letters, Bold: true},
		printer.Space{Dots: 12},
		printer.Text{Text: say("ticket.test.sizes", nil), Bold: true},
	)
	for size := 1; size <= 4; size++ {
		d = append(d, printer.Text{Text: strings.Repeat("8", size), Size: size, Bold: size%2 == 0})
	}
	d = append(d,
		printer.Space{Dots: 12},
		printer.Text{Text: say("ticket.test.width", nil)},
		printer.Space{Dots: 6},
		printer.Bar{},
		printer.Space{Dots: 12},
		printer.Text{Text: say("ticket.test.height", nil)},
		printer.Space{Dots: 6},
		printer.Picture{Picture: dots.New(64, 2).Inverted()},
		printer.Space{Dots: apart},
		printer.Picture{Picture: dots.New(64, 2).Inverted()},
	)
	d = append(d, code(testNumber)...)
	d = append(d,
		printer.Space{Dots: 20},
		printer.Code128{Data: testNumber, Height: 72},
		printer.Space{Dots: 24},
		printer.Text{Text: say("ticket.test.end", nil), Align: printer.Centre},
		printer.Space{Dots: 6},
		printer.Rule{},
	)
	return append(d, end()...)
}
