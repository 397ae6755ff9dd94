package ticket

import (
	"strings"
	"time"

	"reelkiosk/devices/printer"
)

// copyHead says at the top that this is a later copy, and which it replaces. A first printing has none of it.
func copyHead(say Say, number int) printer.Document {
	if number < 2 {
		return nil
	}
	replaces := "ticket.replaces.all"
	if number == 2 {
		replaces = "ticket.replaces.first"
	}
	return printer.Document{
		printer.Bar{Text: say("ticket.copy", map[string]any{"Copy": number})},
		printer.Space{Dots: 12},
		printer.Text{Text: say(replaces, nil), Align: printer.Centre},
		printer.Space{Dots: 20},
	}
}

// copyFoot says the same at the bottom, and ends the paper.
func copyFoot(say Say, number int) printer.Document {
	var d printer.Document
	if number >= 2 {
		d = append(d, printer.Space{Dots: 24}, printer.Bar{Text: say("ticket.copy", map[string]any{"Copy": number})})
	}
	return append(d, end()...)
}

// end leaves room under the last line and cuts.
func end() printer.Document { return printer.Document{printer.Space{Dots: 48}, printer.Cut{}} }

// house is the head: whose tournament it is.
func house(property, tournament string) printer.Document {
	return printer.Document{
		printer.Text{Text: property, Align: printer.Centre, Bold: true, Size: 2, Shrink: true},
		printer.Space{Dots: 4},
		printer.Text{Text: tournament, Align: printer.Centre},
	}
}

// section is the rule between two parts of a paper, with its white.
func section() printer.Document {
	return printer.Document{printer.Space{Dots: 24}, printer.Rule{}, printer.Space{Dots: 20}}
}

const (
	// module is the side of a QR code's module, in dots. A ticket's code has 25 modules a side at levelOfCode.
	module = 10
	// quiet is the white above and below a QR code: four modules (ISO/IEC 18004).
	quiet = 4 * module
)

// levelOfCode bears a quarter of the code being creased or worn. At this level the seventeen symbols of a number take 25
// modules a side, version 2.
const levelOfCode = printer.LevelQ

// code is a number for scanners, as a QR code, and for people, in groups.
func code(number string) printer.Document {
	const topOfLetters = 8 // white rows in the cell of a letter of twice the size, above capitals
	return printer.Document{
		printer.Space{Dots: quiet},
		printer.QR{Data: number, Module: module, Level: levelOfCode},
		printer.Space{Dots: quiet - topOfLetters},
		printer.Text{Text: Grouped(number), Align: printer.Centre, Bold: true, Size: 2, Shrink: true},
	}
}

// Grouped writes a ticket's or receipt's number in groups of four, the check symbol with the last of them, so that it
// can be read out: 7K3M P2QX 9RTC 4HWN5.
func Grouped(number string) string {
	const group, groups = 4, 4
	var parts []string
	for len(parts) < groups-1 && len(number) > group {
		parts = append(parts, number[:group])
		number = number[group:]
	}
	return strings.Join(append(parts, number), " ")
}

// whose are the lines about a player, as far as they are known.
func whose(say Say, player, card string) printer.Document {
	var d printer.Document
	if player != "" {
		d = append(d, printer.Pair{Left: say("ticket.player", nil), Right: player})
	}
	if card != "" {
		d = append(d, printer.Pair{Left: say("ticket.card", nil), Right: card})
	}
	return d
}

// printed are the lines that say which copy this is, and where and when it was printed. In one line they have no room in every
// language.
func printed(say Say, kiosk string, number int, at time.Time) printer.Document {
	return printer.Document{
		printer.Pair{Left: say("ticket.kiosk", map[string]any{"Kiosk": kiosk}), Right: say("ticket.number", map[string]any{"Copy": number})},
		printer.Pair{Left: say("ticket.issued", nil), Right: moment(say, at)},
	}
}

// small is small print: a paragraph for each phrase.
func small(say Say, ids ...string) printer.Document {
	var d printer.Document
	for _, id := range ids {
		d = append(d, printer.Text{Text: say(id, nil), Flow: true})
	}
	return d
}

// gambling is the responsible-gambling line, which stands on every paper.
func gambling(say Say) printer.Document {
	return small(say, "ticket.gambling.name", "ticket.gambling.number")
}
